import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pack } from '../../../contract/packs.ts'
import { CliError } from '../../program.ts'
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
}

export async function readFolder(folder: string): Promise<SyncFolder> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw fileError(error, 'read', folder)
  })
  const names = entries
    .filter((entry) => !entry.isDirectory() && SYNCED.test(entry.name) && entry.name[0] !== '.')
    .map((entry) => entry.name)
  const files = new Map<string, SyncFile>()
  const unreadable = new Map<string, string>()
  for (const name of names.toSorted()) {
    try {
      const file = await readSyncFile(folder, name)
      if (file !== null) files.set(name, file)
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      unreadable.set(name, describeError(error))
    }
  }
  return { files, unreadable }
}

/** null if there is none. */
export async function readSyncFile(folder: string, name: string): Promise<SyncFile | null> {
  const bytes = await readIfThere(join(folder, name))
  return bytes === null ? null : { name, bytes, print: bytesPrint(bytes) }
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
