import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import type { IndexCoding } from '../../operations/published-index.ts'
import type { PageFile } from '../../ports/store.ts'
import { type Entries, readManifest } from './build-manifest.ts'
import { encodeForKeeps } from './encodings.ts'
import { type FileType, fileTypeOf } from './file-types.ts'

/** A file as it is sent in one coding. */
export type Asset = {
  readonly type: string
  readonly coding: IndexCoding
  readonly bytes: Buffer
  /** Strong: another coding has another tag. */
  readonly etag: string
}

/** The built files of the browser application, held in memory. */
export type AssetShelf = {
  /** What each page loads; null while nothing has been built. */
  readonly entries: Entries | null
  /** A file by its path below the site's address; null when there is none. */
  readonly find: (path: string, coding: IndexCoding) => Promise<Asset | null> | null
  /** All of them. */
  readonly files: readonly PageFile[]
}

/** A file, and its codings as far as they were asked for. */
export type HeldFile = {
  readonly bytes: Buffer
  readonly tag: string
  readonly fileType: FileType
  readonly forms: Map<IndexCoding, Promise<Asset>>
}

const MANIFEST = 'manifest.json'

const listFiles = async (folder: string): Promise<readonly string[]> => {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

/** Gets a file ready to be sent. */
export const holdFile = (bytes: Buffer, fileType: FileType): HeldFile => ({
  bytes,
  tag: hash('sha1', bytes, 'base64url'),
  fileType,
  forms: new Map(),
})

const holdFiles = async (folder: string): Promise<Map<string, HeldFile>> => {
  const held = new Map<string, HeldFile>()
  for (const path of await listFiles(folder)) {
    const fileType = fileTypeOf(path)
    if (fileType === null || path === MANIFEST) continue
    held.set(path, holdFile(await readFile(join(folder, path)), fileType))
  }
  return held
}

/** A form that is no smaller than the file itself is not worth unpacking. */
const makeForm = async (
  { bytes, tag, fileType }: HeldFile,
  coding: IndexCoding,
): Promise<Asset> => {
  const plain = { type: fileType.type, coding: 'identity', bytes, etag: `"${tag}"` } as const
  if (coding === 'identity' || !fileType.isText) return plain
  const small = await encodeForKeeps(bytes, coding)
  return small.length < bytes.length
    ? { type: fileType.type, coding, bytes: small, etag: `"${tag}-${coding}"` }
    : plain
}

/** The file in this coding, or as it is where that is no longer. */
export const formOf = (held: HeldFile, coding: IndexCoding): Promise<Asset> => {
  const known = held.forms.get(coding)
  if (known !== undefined) return known
  const form = makeForm(held, coding)
  held.forms.set(coding, form)
  return form
}

const emptyShelf: AssetShelf = { entries: null, files: [], find: () => null }

/**
 * Reads what was built into `folder`. Without a manifest there nothing was built: the shelf is
 * empty, and pages say so.
 */
export const openAssetShelf = async (folder: string): Promise<AssetShelf> => {
  const manifest = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  const entries = manifest === null ? null : readManifest(manifest)
  if (entries === null) return emptyShelf
  const files = await holdFiles(folder)

  return {
    entries,
    files: [...files].map(([path, { bytes }]) => ({ path, bytes })),
    find: (path, coding) => {
      const held = files.get(path)
      return held === undefined ? null : formOf(held, coding)
    },
  }
}
