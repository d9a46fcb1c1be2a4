import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newIdempotencyKey } from '../../client/request.ts'
import { writeWhole } from './files.ts'
import { contentPrint, type PackToSave } from './pack-text.ts'
import { credentialsFile } from './service.ts'
import type { CliContext } from './user-command.ts'

type JournalEntry = {
  readonly idempotencyKey: string
  /** null until the pack is saved. */
  readonly slug: string | null
  /** When it was first sent, milliseconds since 1970. */
  readonly at: number
}

const HOUR_MS = 3_600_000
/** The service keeps idempotency keys for a day. */
const SENT_TTL_MS = 23 * HOUR_MS
const SAVED_TTL_MS = 7 * 24 * HOUR_MS

/** What an import has saved, on disk until it is complete: a repeated one saves nothing twice. */
export class ImportJournal {
  readonly #folder: string
  readonly #account: string
  readonly #now: () => number
  /** How often each pool has occurred: two that are equal are two packs. */
  readonly #counts = new Map<string, number>()
  readonly #files = new Set<string>()

  constructor(context: CliContext, account: string) {
    this.#folder = join(dirname(credentialsFile(context)), 'imports')
    this.#account = account
    this.#now = context.now
  }

  fileOf(input: PackToSave): string {
    const print = contentPrint(input)
    const nth = this.#counts.get(print) ?? 0
    this.#counts.set(print, nth + 1)
    const name = createHash('sha256').update(JSON.stringify([this.#account, print, nth]))
    const file = join(this.#folder, `${name.digest('hex').slice(0, 32)}.json`)
    this.#files.add(file)
    return file
  }

  async read(file: string): Promise<JournalEntry | null> {
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as JournalEntry
      const ttl = entry.slug === null ? SENT_TTL_MS : SAVED_TTL_MS
      return this.#now() - entry.at < ttl ? entry : null
    } catch {
      return null
    }
  }

  async begin(file: string): Promise<JournalEntry> {
    const entry = { idempotencyKey: newIdempotencyKey(), slug: null, at: this.#now() }
    await this.write(file, entry)
    return entry
  }

  async write(file: string, entry: JournalEntry): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeWhole(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch {
      // Imports work without it.
    }
  }

  /** After a complete import: the next one makes new packs. */
  async delete(): Promise<void> {
    for (const file of this.#files) await rm(file, { force: true }).catch(() => {})
  }
}
