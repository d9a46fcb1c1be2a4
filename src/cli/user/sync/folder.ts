import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pack } from '../../../contract/packs.ts'
import { CliError } from '../../program.ts'
import { bytesPrint } from '../pack-text.ts'
import { choosePool, insistOnAll, packInput, type PackToSave, readPools } from '../pool-file.ts'
import { describeError, fileError } from '../errors.ts'
import { writeWhole } from '../write-file.ts'

/** A file of the folder, as it is now. */
export type SyncFile = {
  readonly name: string
  readonly print: string
  readonly bytes: Uint8Array
}

/** What a file says, or why it says nothing. */
export type FileContent =
  | { readonly input: PackToSave }
  | { readonly input: null; readonly reason: string }

/** Files that are kept in step: those that can be written as well as read. */
const KEPT = /\.(json|csv|tsv)$/i

export const readSyncFile = async (folder: string, name: string): Promise<SyncFile | null> => {
  const bytes = await readFile(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw fileError(error, 'read', join(folder, name))
  })
  return bytes === null ? null : { name, bytes, print: bytesPrint(bytes) }
}

/** The files of a folder by name; those in folders below it are not looked at. */
export const readFolder = async (folder: string): Promise<Map<string, SyncFile>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw fileError(error, 'read', folder)
  })
  const names = entries
    .filter((entry) => !entry.isDirectory() && KEPT.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .toSorted()
  const files = new Map<string, SyncFile>()
  for (const name of names) {
    const file = await readSyncFile(folder, name)
    if (file !== null) files.set(name, file)
  }
  return files
}

/** What a file makes of a pack, or of none: what it does not say stays as the pack has it. */
export const contentOfFile = async (
  { name, bytes }: SyncFile,
  before: Pack | undefined,
): Promise<FileContent> => {
  try {
    const pool = choosePool(await readPools(bytes, name, { buckets: before?.buckets }), undefined)
    insistOnAll(pool)
    return { input: packInput(pool, { name: undefined, visibility: undefined }, before) }
  } catch (error) {
    return { input: null, reason: describeError(error) }
  }
}

/** What file systems refuse, or programs stumble over. */
const AWKWARD = /[\\/:*?"<>|\p{Cc}\p{Zl}\p{Zp}]+/gu

/** A name for a pack's file that no other has, whatever the case of its letters. */
export const freeName = (pack: Pick<Pack, 'name' | 'slug'>, taken: Iterable<string>): string => {
  const lower = new Set([...taken].map((name) => name.toLowerCase()))
  const stem = pack.name.replaceAll(AWKWARD, '-').replaceAll(/^[.\s-]+|[.\s-]+$/g, '') || 'pack'
  const name = `${stem}.json`
  return lower.has(name.toLowerCase()) ? `${stem} ${pack.slug}.json` : name
}

/** A file and a pack that are one, and how both were when they were last alike. */
export type Pair = {
  readonly slug: string
  /** Of the file's bytes. */
  readonly file: string
  /** Of what the pack's owner decides of it. */
  readonly pack: string
}

/** A creation that was sent, and of which nobody knows yet whether it arrived. */
export type Begun = {
  readonly name: string
  readonly file: string
  /** Names the creation, so that sending it again makes no second pack. */
  readonly idempotencyKey: string
  readonly input: PackToSave
  /** Milliseconds since 1970. */
  readonly at: number
}

/** What is kept of a folder from one sync to the next. */
export type SyncState = {
  readonly version: 1
  /** A folder belongs to one account of one site. */
  readonly site: string
  readonly account: string
  /** By the file's name. */
  readonly pairs: Readonly<Record<string, Pair>>
  readonly begun: Begun | null
}

const NAME = '.mapcrate-sync.json'

/** What is kept of a folder; of one that was never synced, nothing. */
export const readState = async (
  folder: string,
  site: string,
  account: string,
): Promise<SyncState> => {
  const file = join(folder, NAME)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw fileError(error, 'read', file)
  })
  if (text === null) return { version: 1, site, account, pairs: {}, begun: null }
  const state = parse(text)
  if (state?.version !== 1) {
    throw new CliError(
      `${file} is damaged; delete it, and files and packs that are alike find each other again`,
    )
  }
  if (state.site !== site || state.account !== account) {
    throw new CliError(
      `${folder} belongs to another account or site (${state.site}); sync another folder`,
    )
  }
  return state
}

export const writeState = (folder: string, state: SyncState): Promise<void> =>
  writeWhole(join(folder, NAME), `${JSON.stringify(state, null, 2)}\n`)

const parse = (text: string): SyncState | null => {
  try {
    return JSON.parse(text) as SyncState | null
  } catch {
    return null
  }
}
