import { lstat, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pack } from '../../../contract/packs.ts'
import { CliError } from '../../program.ts'
import { systemCode } from '../../system-error.ts'
import { describeError, fileError } from '../errors.ts'
import { parseJson, readIfThere, writeWhole } from '../files.ts'
import { type Evidence, usingAll } from '../../../formats/import/evidence.ts'
import { bytesPrint, type PackToSave } from '../pack-text.ts'
import { packInput } from '../file-text.ts'
import { readPool } from '../pool-file.ts'

export type SyncFile = { readonly name: string; readonly print: string; readonly bytes: Buffer }

/** Formats that can be written as well as read. */
const SYNCED = /\.(json|csv|tsv)$/i

/** The files of a folder by name, without those in folders below it; for one that cannot be read, the reason. */
export type SyncFolder = {
  readonly files: ReadonlyMap<string, SyncFile>
  readonly unreadable: ReadonlyMap<string, string>
  /** All names in it, also of what is not synchronized. */
  readonly names: readonly string[]
}

export async function readFolder(folder: string): Promise<SyncFolder> {
  const entries = await readEntries(folder)
  const synced = entries.filter(
    ({ name, entry }) => !entry.isDirectory() && SYNCED.test(name) && name[0] !== '.',
  )
  const files = new Map<string, SyncFile>()
  const unreadable = new Map<string, string>()
  for (const { name, entry } of synced) {
    try {
      if (!entry.name.equals(Buffer.from(name))) throw new CliError(NOT_UTF8)
      const file = await readSyncFile(folder, name)
      if (file !== null) files.set(name, file)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      unreadable.set(name, describeError(error))
    }
  }
  return { files, unreadable, names: entries.map(({ name }) => name) }
}

const NOT_UTF8 = 'its name is not valid UTF-8; rename it'
const LEADS_NOWHERE =
  'it is a link to a file that is not there; bring that back, or delete the link'

/** What a folder holds, in the order of names. */
async function readEntries(folder: string) {
  const options = { withFileTypes: true, encoding: 'buffer' } as const
  const entries = await readdir(folder, options).catch((error: unknown) => {
    throw fileError(error, 'read', folder)
  })
  return entries
    .map((entry) => ({ name: entry.name.toString(), entry }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** null if there is none. */
export async function readSyncFile(folder: string, name: string): Promise<SyncFile | null> {
  const path = join(folder, name)
  const bytes = await readIfThere(path)
  // What a link leads to may be on a disk that is not there now.
  const isLink = bytes === null && (await lstat(path).catch(() => null))?.isSymbolicLink()
  if (isLink) throw new CliError(LEADS_NOWHERE)
  return bytes === null ? null : { name, bytes, print: bytesPrint(bytes) }
}

/** Refuses what was planned for a file, or for there being none, once that is not so any more. */
export async function checkFile(
  folder: string,
  name: string,
  planned: SyncFile | null,
): Promise<void> {
  const now = await ofOneFile(readSyncFile(folder, name))
  if (now?.print !== planned?.print) throw changed('file')
}

export function changed(side: 'file' | 'pack'): CliError {
  return new CliError(`the ${side} has changed since the plan was made; sync once more`)
}

export async function writeSyncFile(
  folder: string,
  name: string,
  planned: SyncFile | null,
  text: string,
): Promise<void> {
  await checkFile(folder, name, planned)
  const existing = planned?.bytes ?? 'refuse'
  await ofOneFile(writeWhole(join(folder, name), text, { existing }))
}

export async function deleteSyncFile(
  folder: string,
  name: string,
  planned: SyncFile,
): Promise<void> {
  await checkFile(folder, name, planned)
  const file = join(folder, name)
  const removal = rm(file).catch((error: unknown) => {
    throw fileError(error, 'deleted', file)
  })
  await ofOneFile(removal)
}

const OF_ONE_FILE = new Set(
  'EACCES EPERM EISDIR ELOOP EBUSY ETXTBSY ENAMETOOLONG EEXIST'.split(' '),
)

/** What one file refuses has no code then: unlike a full disk, it says nothing of the next one. */
async function ofOneFile<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const isOfOne = error instanceof CliError && OF_ONE_FILE.has(systemCode(error) ?? '')
    throw isOfOne ? new CliError(error.message) : error
  }
}

/**
 * What a file makes of a pack, or why it cannot be read. What it leaves out stays as in `before`.
 *
 * @param evidence what was looked up: what speaks against beatmaps that are not in `before` is a reason, too.
 */
export async function contentOfFile(
  { name, bytes }: SyncFile,
  before?: Pack,
  evidence: Evidence = new Map(),
) {
  try {
    const ids = before?.slots.map(({ beatmapId }) => beatmapId) ?? []
    const pool = await readPool(bytes, name, {
      buckets: before?.buckets,
      evidence,
      ...usingAll(ids),
    })
    return { input: packInput(pool, undefined, before) }
  } catch (error) {
    return { input: null, reason: describeError(error) }
  }
}

/** A file and its pack, with the fingerprints of both when they were last equal. */
export type Pair = { readonly slug: string; readonly file: string; readonly pack: string }

/** A creation that was sent, and whose response is unknown. */
export type PendingCreation = {
  readonly name: string
  readonly file: string
  readonly idempotencyKey: string
  readonly input: PackToSave
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The state of a folder that is stored between two syncs. */
export type SyncState = {
  readonly version: 1
  /** A folder belongs to one account of one site. */
  readonly site: string
  readonly account: string
  readonly pairs: Readonly<Record<string, Pair>>
  readonly begun: PendingCreation | null
}

const NAME = '.mapcrate-sync.json'

export async function readState(folder: string, site: string, account: string): Promise<SyncState> {
  const file = join(folder, NAME)
  const bytes = await readIfThere(file)
  if (bytes === null) return { version: 1, site, account, pairs: {}, begun: null }
  const state = parseJson(bytes) as SyncState | null
  if (state?.version !== 1) {
    throw new CliError(
      `${file} is damaged; delete it, and files and packs that are alike find each other again`,
    )
  }
  if (state.site === site && state.account === account) return state
  throw new CliError(
    `${folder} belongs to another account or site (${state.site}); sync another folder`,
  )
}

export function writeState(folder: string, state: SyncState): Promise<void> {
  return writeWhole(join(folder, NAME), `${JSON.stringify(state, null, 2)}\n`)
}
