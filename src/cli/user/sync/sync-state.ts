import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PackToSave } from '../pack-input.ts'
import { fileTrouble, Trouble } from '../trouble.ts'
import { writeWhole } from '../write-file.ts'

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
    throw fileTrouble(error, 'read', file)
  })
  if (text === null) return { version: 1, site, account, pairs: {}, begun: null }
  const state = parse(text)
  if (state?.version !== 1) {
    throw new Trouble(
      `${file} is damaged; delete it, and files and packs that are alike find each other again`,
    )
  }
  if (state.site !== site || state.account !== account) {
    throw new Trouble(
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
