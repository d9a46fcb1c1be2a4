import { createHash } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { newIdempotencyKey } from '../../client/request.ts'
import { makeFolder, readWhole, writeWhole } from './files.ts'
import { hasCode } from './errors.ts'
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

/** What a command has made, on disk until it is complete: a repeated one makes nothing twice. */
export class CreationJournal {
  readonly #folder: string
  readonly #account: string
  readonly #now: () => number
  /** How often each has occurred: two pools that are equal are two packs. */
  readonly #counts = new Map<string, number>()
  readonly #files = new Set<string>()

  constructor(context: CliContext, account: string) {
    this.#folder = join(dirname(credentialsFile(context)), 'imports')
    this.#account = account
    this.#now = context.now
  }

  /** @param print of what is made. */
  fileOf(print: string): string {
    const nth = this.#counts.get(print) ?? 0
    this.#counts.set(print, nth + 1)
    const name = createHash('sha256').update(JSON.stringify([this.#account, print, nth]))
    const file = join(this.#folder, `${name.digest('hex').slice(0, 32)}.json`)
    this.#files.add(file)
    return file
  }

  async read(file: string): Promise<JournalEntry | null> {
    try {
      const entry = JSON.parse((await readWhole(file)).toString()) as JournalEntry
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
      await makeFolder(this.#folder, 0o700)
      await writeWhole(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    } catch {
      // Commands work without it.
    }
  }

  /** After a complete command: the next one makes new packs. */
  async delete(): Promise<void> {
    for (const file of this.#files) await rm(file, { force: true }).catch(() => {})
  }
}

/**
 * Makes one thing. If the answer is lost, the same call of the command finds what was made, and makes nothing more.
 *
 * @param of the account and the command.
 */
export async function createOnce<T>(
  of: string,
  input: unknown,
  context: CliContext,
  create: (how: { readonly idempotencyKey: string }) => PromiseLike<T>,
): Promise<T> {
  const journal = new CreationJournal(context, of)
  const file = journal.fileOf(JSON.stringify(input))
  const { idempotencyKey } = (await journal.read(file)) ?? (await journal.begin(file))
  try {
    const made = await create({ idempotencyKey })
    await journal.delete()
    return made
  } catch (error) {
    // It was refused, so it need not be sent again.
    if (hasCode(error, 'bad_request', 'conflict', 'not_found', 'forbidden')) await journal.delete()
    throw error
  }
}
