import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pack } from '../../../contract/packs.ts'
import { choosePool, insistOnAll, packInput, type PackToSave } from '../pack-input.ts'
import { readPools } from '../pool-file.ts'
import { describeTrouble, fileTrouble } from '../trouble.ts'
import { bytesPrint } from './fingerprint.ts'

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
    throw fileTrouble(error, 'read', join(folder, name))
  })
  return bytes === null ? null : { name, bytes, print: bytesPrint(bytes) }
}

/** The files of a folder by name; those in folders below it are not looked at. */
export const readFolder = async (folder: string): Promise<Map<string, SyncFile>> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: Error) => {
    throw fileTrouble(error, 'read', folder)
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
    return { input: null, reason: describeTrouble(error) }
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
