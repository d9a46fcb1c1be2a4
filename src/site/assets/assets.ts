import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { accentCss } from '../../domain/accent.ts'
import type { Installation } from '../../domain/installation.ts'
import { fileTag } from '../../domain/reading/requests.ts'
import type { IndexCoding } from '../../operations/search-index.ts'
import type { PageFile } from '../../ports/store.ts'
import {
  EARLY_SCRIPT,
  type EntryFiles,
  type InlineFiles,
  type PageBuild,
  type PageRenderer,
} from '../page-files.ts'
import { PageMaker } from './page-maker.ts'

/** A file in one content coding. */
export type Asset = {
  readonly type: string
  readonly coding: IndexCoding
  readonly bytes: Buffer
  /** Strong: each coding has its own. */
  readonly etag: string
}

/** The built files of the browser application, in memory: its pages in English and in each other language. */
export type AssetStore = PageBuild & {
  readonly translated: ReadonlyMap<string, PageBuild>
  /** A file by its path below the site's address; null if there is none. */
  readonly find: (path: string, coding: IndexCoding) => Promise<Asset | null> | null
  readonly files: readonly PageFile[]
  /** Makes pages on a thread of their own. null: `render` is all that there is. */
  readonly maker: PageMaker | null
}

/** The folder of what is served. */
const ASSETS = 'assets'

/** Where the renderer of pages is among the built files; it is not served. */
const RENDERER = 'server/server.js'

/**
 * Reads the files in `folder` and adds those of the installation. Without a manifest, there are no others. A folder in it
 * that has a manifest, too, is named by the language of its pages.
 */
export async function openAssetStore(
  folder: string,
  installation: Pick<Installation, 'accent' | 'logo'>,
): Promise<AssetStore> {
  const { files, style } = ownFiles(installation)
  const find: AssetStore['find'] = (path, coding) => files.get(path)?.in(coding) ?? null
  const english = await openBuild(folder, style, files)
  const translated = new Map<string, PageBuild>()
  if (english.entries === null) return { ...english, translated, files: [], find, maker: null }
  for (const { name } of await readdir(folder, { withFileTypes: true })) {
    const build = await openBuild(join(folder, name), style, files)
    if (build.entries !== null) translated.set(name, build)
  }
  const all = new Map([['en', english], ...translated])
  const renderers = Array.from(all, ([name, { entries, inlined }]) => {
    const place = join(folder, name === 'en' ? '' : name, RENDERER)
    return [name, { renderer: pathToFileURL(place).href, entries, inlined }] as const
  })
  return {
    ...english,
    translated,
    files: Array.from(files, ([path, { bytes }]) => ({ path, bytes })),
    find,
    maker: english.render && new PageMaker(new Map(renderers)),
  }
}

/** Reads a build, and adds its files to `files`: those of two builds with the same name are the same. */
async function openBuild(
  folder: string,
  style: string | null,
  files: Map<string, AssetFile>,
): Promise<PageBuild> {
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => '')
  const entries = readManifest(manifest, style)
  if (entries === null) return { entries, inlined: new Map(), render: null }
  const found = await readdir(join(folder, ASSETS), { recursive: true, withFileTypes: true })
  for (const file of found) {
    const path = relative(folder, join(file.parentPath, file.name)).split(sep).join('/')
    const type = fileTypeOf(path)
    if (!file.isFile() || type === null) continue
    files.set(path, new AssetFile(type, await readFile(join(folder, path))))
  }
  const inlined = inlineFiles(entries, (path) => files.get(path)?.bytes.toString() ?? null)
  return { entries, inlined, render: await openRenderer(join(folder, RENDERER)) }
}

/** What an installation has of its own: its logo, and the style that comes last on each page. */
function ownFiles({ accent, logo }: Pick<Installation, 'accent' | 'logo'>) {
  const files = new Map<string, AssetFile>()
  if (logo !== null) files.set(logo.path, new AssetFile(logo.type, Buffer.from(logo.bytes)))
  if (accent === null) return { files, style: null }
  const css = accentCss(accent)
  const style = `assets/accent-${hash('sha1', css, 'base64url')}.css`
  files.set(style, new AssetFile(types['css']!, Buffer.from(css)))
  return { files, style }
}

async function openRenderer(path: string): Promise<PageRenderer | null> {
  if (!existsSync(path)) return null
  const { renderPage } = (await import(pathToFileURL(path).href)) as { renderPage: PageRenderer }
  return renderPage
}

/** A file with its compressed forms, each made when it is first requested. */
export class AssetFile {
  readonly bytes: Buffer
  readonly #type: string
  readonly #forms = new Map<IndexCoding, Promise<Asset>>()

  constructor(type: string, bytes: Buffer) {
    this.#type = type
    this.bytes = bytes
  }

  /** The file in this coding, or uncompressed if that is no longer. */
  in(coding: IndexCoding): Promise<Asset> {
    const form = this.#forms.get(coding) ?? this.#encode(coding)
    this.#forms.set(coding, form)
    return form
  }

  async #encode(coding: IndexCoding): Promise<Asset> {
    const tag = hash('sha1', this.bytes, 'base64url')
    const [type, plainBytes] = [this.#type, this.bytes]
    const plain = { type, coding: 'identity', bytes: plainBytes, etag: fileTag(tag, '') } as const
    if (coding === 'identity' || !isCompressible(type)) return plain
    const bytes = await encode(plainBytes, coding)
    if (bytes.length >= plainBytes.length) return plain
    return { type, coding, bytes, etag: fileTag(tag, coding) }
  }
}

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  woff: 'font/woff',
  woff2: 'font/woff2',
  png: 'image/png',
  webp: 'image/webp',
  jpg: 'image/jpeg',
}

/** The media type by the file name extension; null for a file that the site does not serve. */
export function fileTypeOf(name: string): string | null {
  return types[/\.([a-z0-9]+)$/.exec(name)?.[1] ?? ''] ?? null
}

function isCompressible(type: string): boolean {
  return !/^(?:font|image\/(?!svg))/.test(type)
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compresses on the thread pool, as far as it goes: a file is sent many times. */
function encode(bytes: Buffer, coding: 'br' | 'gzip'): Promise<Buffer> {
  if (coding === 'gzip') return zip(bytes, { level: 9 })
  const params = {
    // The best level takes too long for larger files.
    [constants.BROTLI_PARAM_QUALITY]: bytes.length > 262_144 ? 9 : 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  return brotli(bytes, { params })
}

/** What would end the element, or what the parser of HTML would change, so that the hash differed. */
const NO_ELEMENT = /<[/!]|[\0\r]/
/** What counts only at the start of a file, or depends on its path. */
const ONLY_IN_FILE = /@(?:charset|import|namespace)\b|\burl\((?!["']?[/#])/i

function inlineFiles(
  entries: ReadonlyMap<string, EntryFiles>,
  textOf: (path: string) => string | null,
): ReadonlyMap<string, InlineFiles> {
  const earlyScript = textOf(entries.get(EARLY_SCRIPT)?.script ?? '')
  const inlined = new Map<string, InlineFiles>()
  if (earlyScript === null || NO_ELEMENT.test(earlyScript)) return inlined
  for (const [name, { styles }] of entries) {
    const texts = styles.map(textOf).filter((text) => text !== null)
    const style = texts.join('\n')
    const isWhole = texts.length === styles.length && !ONLY_IN_FILE.test(style)
    if (!isWhole || NO_ELEMENT.test(style)) continue
    const sources = { style: hashSource(style), script: hashSource(earlyScript) }
    inlined.set(name, { style, earlyScript, sources })
  }
  return inlined
}

function hashSource(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`
}

/** A file in the bundler's manifest. */
const Chunk = Type.Object({
  file: Type.String(),
  isEntry: Type.Optional(Type.Boolean()),
  imports: Type.Optional(Type.Array(Type.String())),
  css: Type.Optional(Type.Array(Type.String())),
})
type Chunk = Static<typeof Chunk>
const Manifest = Compile(Type.Record(Type.String(), Chunk))

/**
 * The files of each page by its name, from the bundler's manifest; null if the text is none.
 *
 * @param style of the installation, after all others; null: it has none.
 */
export function readManifest(
  text: string,
  style: string | null = null,
): ReadonlyMap<string, EntryFiles> | null {
  let chunks: unknown
  try {
    chunks = JSON.parse(text)
  } catch {
    return null
  }
  if (!Manifest.Check(chunks)) return null
  const all: Readonly<Record<string, Chunk>> = chunks
  const entries = Object.entries(all).filter(([, { isEntry }]) => isEntry)
  return new Map(entries.map(([source, entry]) => [pageOf(source), filesOf(all, entry, style)]))
}

/** `src/web/pages/browse.tsx` → `browse`. */
function pageOf(source: string): string {
  return source.replace(/^.*\//, '').replace(/\.[a-z]+$/, '')
}

function filesOf(
  chunks: Readonly<Record<string, Chunk>>,
  entry: Chunk,
  own: string | null,
): EntryFiles {
  const seen = new Set<Chunk>()
  const walk = (chunk: Chunk | undefined): void => {
    if (chunk === undefined || seen.has(chunk)) return
    for (const name of chunk.imports ?? []) walk(chunks[name])
    // After its imports: in this order its styles may override theirs.
    seen.add(chunk)
  }
  walk(entry)
  const preloads = [...seen].filter((chunk) => chunk !== entry).map(({ file }) => file)
  const styles = new Set([...seen].flatMap(({ css }) => css ?? []))
  if (own !== null) styles.add(own)
  return { script: entry.file, styles: [...styles], preloads }
}
