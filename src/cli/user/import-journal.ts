import { createHash } from 'node:crypto'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newIdempotencyKey } from '../../client/request.ts'
import { credentialsFile } from './credentials.ts'
import type { PackToSave } from './pack-input.ts'
import type { Surroundings } from './surroundings.ts'
import { packPrint } from './sync/fingerprint.ts'
import { writeWhole } from './write-file.ts'

/** One pack of an import. */
export type JournalEntry = {
  /** Names the creation, so that sending it again makes no second pack. */
  readonly idempotencyKey: string
  /** The pack, once it is known to be saved. */
  readonly slug: string | null
  /** When it was first sent, milliseconds since 1970. */
  readonly at: number
}

const HOUR_MS = 3_600_000
/** The service knows the name of a creation for a day. */
const SENT_KEPT_MS = 23 * HOUR_MS
const SAVED_KEPT_MS = 7 * 24 * HOUR_MS

/**
 * What an import has saved, on disk until all of it is saved, so that an import that was interrupted
 * saves nothing twice when it is run again. Where it cannot be written, imports work without it.
 */
export class ImportJournal {
  readonly #folder: string
  readonly #account: string
  readonly #now: () => number
  /** How often each pool was met: two that are equal are two packs. */
  readonly #met = new Map<string, number>()
  readonly #files = new Set<string>()

  /** @param account as `Service` has it. */
  constructor(around: Surroundings, account: string) {
    this.#folder = join(dirname(credentialsFile(around)), 'imports')
    this.#account = account
    this.#now = around.now
  }

  /** The entry of a pool: the one of an import that was interrupted, or a new one, which is kept at once. */
  async begin(input: PackToSave): Promise<{ readonly file: string; readonly entry: JournalEntry }> {
    const print = packPrint(input)
    const nth = this.#met.get(print) ?? 0
    this.#met.set(print, nth + 1)
    const name = createHash('sha256').update(JSON.stringify([this.#account, print, nth]))
    const file = join(this.#folder, `${name.digest('hex').slice(0, 32)}.json`)
    this.#files.add(file)
    return { file, entry: (await this.#read(file)) ?? (await this.renew(file)) }
  }

  /** A new entry in place of another. */
  async renew(file: string): Promise<JournalEntry> {
    const entry = { idempotencyKey: newIdempotencyKey(), slug: null, at: this.#now() }
    await this.#write(file, entry)
    return entry
  }

  /** Notes that the pack is saved. */
  saved(file: string, entry: JournalEntry, slug: string): Promise<void> {
    return this.#write(file, { ...entry, slug })
  }

  /** The import is done: running it again makes new packs. */
  async forget(): Promise<void> {
    for (const file of this.#files) await rm(file, { force: true }).catch(() => {})
  }

  async #read(file: string): Promise<JournalEntry | null> {
    try {
      const entry = JSON.parse(await readFile(file, 'utf8')) as JournalEntry
      const kept = entry.slug === null ? SENT_KEPT_MS : SAVED_KEPT_MS
      return this.#now() - entry.at < kept ? entry : null
    } catch {
      return null
    }
  }

  async #write(file: string, entry: JournalEntry): Promise<void> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await writeWhole(file, `${JSON.stringify(entry)}\n`, { onlyMode: 0o600 })
    } catch {
      // Importing goes before being able to go on with an import.
    }
  }
}
