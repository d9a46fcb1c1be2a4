import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { IndexCoding } from '../../operations/search-index.ts'
import type { PageFile } from '../../ports/store.ts'

/** A file as it is sent in one coding. */
export type Asset = {
  readonly type: string
  readonly coding: IndexCoding
  readonly bytes: Buffer
  /** Strong: another coding has another tag. */
  readonly etag: string
}

/** The built files of the browser application, held in memory. */
export type AssetStore = {
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

/**
 * Reads what was built into `folder`. Without a manifest there nothing was built: the indexCache is
 * empty, and pages say so.
 */
export async function openAssetStore(folder: string): Promise<AssetStore> {
  const manifest = await readFile(join(folder, MANIFEST), 'utf8').catch(() => null)
  const entries = manifest === null ? null : readManifest(manifest)
  if (entries === null) return emptyCache
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

async function listFiles(folder: string): Promise<readonly string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
}

/** Gets a file ready to be sent. */
export function holdFile(bytes: Buffer, fileType: FileType): HeldFile {
  return {
    bytes,
    tag: hash('sha1', bytes, 'base64url'),
    fileType,
    forms: new Map(),
  }
}

async function holdFiles(folder: string): Promise<Map<string, HeldFile>> {
  const held = new Map<string, HeldFile>()
  for (const path of await listFiles(folder)) {
    const fileType = fileTypeOf(path)
    if (fileType === null || path === MANIFEST) continue
    held.set(path, holdFile(await readFile(join(folder, path)), fileType))
  }
  return held
}

/** A form that is no smaller than the file itself is not worth unpacking. */
async function makeForm({ bytes, tag, fileType }: HeldFile, coding: IndexCoding): Promise<Asset> {
  const plain = { type: fileType.type, coding: 'identity', bytes, etag: `"${tag}"` } as const
  if (coding === 'identity' || !fileType.isText) return plain
  const small = await encodeForKeeps(bytes, coding)
  return small.length < bytes.length
    ? { type: fileType.type, coding, bytes: small, etag: `"${tag}-${coding}"` }
    : plain
}

/** The file in this coding, or as it is where that is no longer. */
export function formOf(held: HeldFile, coding: IndexCoding): Promise<Asset> {
  const known = held.forms.get(coding)
  if (known !== undefined) return known
  const form = makeForm(held, coding)
  held.forms.set(coding, form)
  return form
}

const emptyCache: AssetStore = { entries: null, files: [], find: () => null }

/** The type of a file, and whether it is worth being compressed. */
type FileType = { readonly type: string; readonly isText: boolean }

function text(type: string): FileType {
  return { type, isText: true }
}
function binary(type: string): FileType {
  return { type, isText: false }
}

const types: Readonly<Record<string, FileType>> = {
  js: text('text/javascript; charset=utf-8'),
  css: text('text/css; charset=utf-8'),
  svg: text('image/svg+xml'),
  json: text('application/json; charset=utf-8'),
  txt: text('text/plain; charset=utf-8'),
  woff: binary('font/woff'),
  woff2: binary('font/woff2'),
  png: binary('image/png'),
  webp: binary('image/webp'),
  jpg: binary('image/jpeg'),
}

/** By the end of the name; null for a file that the site does not give out. */
export function fileTypeOf(name: string): FileType | null {
  return types[/\.([a-z0-9]+)$/.exec(name)?.[1] ?? ''] ?? null
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Above this size the best brotli level takes longer than anybody should wait. */
const LARGE_BYTES = 262_144

/** Makes a body small for good: slowly, on the thread pool. */
async function encodeForKeeps(
  bytes: Buffer,
  coding: Exclude<IndexCoding, 'identity'>,
): Promise<Buffer> {
  return coding === 'gzip'
    ? zip(bytes, { level: 9 })
    : brotli(bytes, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: bytes.length > LARGE_BYTES ? 9 : 11,
          [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
        },
      })
}

/** Makes a body small that is sent once: quickly, on the thread pool. */
export async function encodeOnce(
  bytes: Buffer,
  coding: Exclude<IndexCoding, 'identity'>,
): Promise<Buffer> {
  return coding === 'gzip'
    ? zip(bytes, { level: 5 })
    : brotli(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
}

/** What the bundler says of the files that it wrote. */
const Manifest = Compile(
  Type.Record(
    Type.String(),
    Type.Object({
      file: Type.String(),
      isEntry: Type.Optional(Type.Boolean()),
      imports: Type.Optional(Type.Array(Type.String())),
      css: Type.Optional(Type.Array(Type.String())),
    }),
  ),
)
type Chunk = {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

/** What one page loads, as paths below the site's address without a slash in front. */
export type EntryFiles = {
  /** null: the page does without. */
  readonly script: string | null
  readonly styles: readonly string[]
  /** What the script imports, told early so that it loads at once. */
  readonly preloads: readonly string[]
}

/** A page's files by its name. */
type Entries = ReadonlyMap<string, EntryFiles>

/** `src/web/pages/browse.tsx` → `browse`. */
function nameOf(source: string): string {
  return source.replace(/^.*\//, '').replace(/\.[a-z]+$/, '')
}

function filesOf(chunks: Readonly<Record<string, Chunk>>, entry: Chunk): EntryFiles {
  const seen = new Set<Chunk>()
  const walk = (chunk: Chunk): void => {
    if (seen.has(chunk)) return
    for (const name of chunk.imports ?? []) {
      const imported = chunks[name]
      if (imported !== undefined) walk(imported)
    }
    // Behind what it imports: that is the order in which its styles may overrule theirs.
    seen.add(chunk)
  }
  walk(entry)
  const preloads = [...seen].filter((chunk) => chunk !== entry).map(({ file }) => file)
  const styles = new Set([...seen].flatMap(({ css }) => css ?? []))
  return { script: entry.file, styles: [...styles], preloads }
}

/** Reads the manifest that the bundler wrote; null when it is not one. */
export function readManifest(text: string): Entries | null {
  let chunks: unknown
  try {
    chunks = JSON.parse(text)
  } catch {
    return null
  }
  if (!Manifest.Check(chunks)) return null
  const all: Readonly<Record<string, Chunk>> = chunks
  const entries = Object.entries(all).filter(([, { isEntry }]) => isEntry)
  return new Map(entries.map(([source, entry]) => [nameOf(source), filesOf(all, entry)]))
}
