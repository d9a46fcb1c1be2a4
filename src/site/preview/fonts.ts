import { closeSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { GlobalFonts } from '@napi-rs/canvas'

/** With files for the weights 400 and 600. */
type Family = { readonly name: string; readonly files: readonly string[] }

const require = createRequire(import.meta.url)

function google(name: string, folder: string): Family {
  const files = ['400Regular', '600SemiBold'].map(
    (weight) => `@expo-google-fonts/${folder}/${weight}/${name}_${weight}.ttf`,
  )
  return { name: `Mapcrate ${name}`, files }
}

function eastAsian(name: string, folder: string): Family {
  const files = ['Regular', 'Bold'].map(
    (weight) => `@embedpdf/${folder}/../fonts/${name}-${weight}.otf`,
  )
  return { name: `Mapcrate ${name}`, files }
}

/** Latin, Vietnamese, Cyrillic and Greek. */
const inter = google('Inter', 'inter')
const japanese = eastAsian('NotoSansJP', 'fonts-jp')
const chinese = eastAsian('NotoSansHans', 'fonts-sc')
const families = [
  inter,
  japanese,
  chinese,
  eastAsian('NotoSansKR', 'fonts-kr'),
  google('NotoSansArabic', 'noto-sans-arabic'),
  google('NotoSansHebrew', 'noto-sans-hebrew'),
  google('NotoSansThai', 'noto-sans-thai'),
  google('NotoEmoji', 'noto-emoji'),
]

export type Fonts = ReturnType<typeof openFonts>

/** Loads the fonts. All but the first are optional packages: without one, its characters are left out. */
export function openFonts() {
  const characters = new Map<Family, (code: number) => boolean>()
  for (const family of families) {
    const paths = pathsOf(family)
    if (paths === null) continue
    for (const path of paths) GlobalFonts.registerFromPath(path, family.name)
    characters.set(family, charactersIn(paths[0]!))
  }
  const loaded = [...characters.keys()]
  const has = (family: Family, character: string): boolean =>
    characters.get(family)?.(character.codePointAt(0) ?? 0) ?? false

  const latin = `"${inter.name}"`

  return {
    /** The text without the characters that no font has: they would be drawn as boxes. */
    drawable(text: string): string {
      if (ASCII.test(text)) return text
      const isDrawable = (character: string) =>
        FORMAT.test(character) || loaded.some((each) => has(each, character))
      return Array.from(text).filter(isDrawable).join('')
    },

    /** The families to draw a text with, as the CSS property `font-family` lists them. */
    familiesFor(text: string): string {
      if (ASCII.test(text)) return latin
      // Han characters look different in Japanese and in Chinese: one font draws all that it can.
      const han = text.match(/\p{Script=Han}/gu) ?? []
      const isChinese =
        !/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text) &&
        han.some((character) => !has(japanese, character))
      const first = isChinese ? [inter, chinese] : [inter]
      return [...new Set([...first, ...loaded])].map(({ name }) => `"${name}"`).join(', ')
    },
  }
}

/** What the first font has whole. */
const ASCII = /^[\x20-\x7e]*$/

/** Characters that shape or isolate others and are never drawn. */
const FORMAT = /[\u200c-\u200d\u2066-\u2069]/

function pathsOf({ files }: Family): readonly string[] | null {
  try {
    return files.map(pathOf)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND') return null
    throw error
  }
}

/** `package/../fonts/x` starts at the package's entry: its `exports` contain no font. */
function pathOf(file: string): string {
  const [name = '', rest] = file.split('/../')
  return rest === undefined
    ? require.resolve(file)
    : join(dirname(require.resolve(name)), '..', rest)
}

/**
 * Whether a font maps a code point to a glyph (OpenType `cmap`, formats 4 and 12). Looked up in the table itself: fonts
 * have tens of thousands, and a picture a few hundred.
 */
function charactersIn(path: string): (code: number) => boolean {
  const cmap = readTable(path, 'cmap')
  const tables: ((code: number) => boolean)[] = []
  for (let at = 0; at < cmap.readUInt16BE(2); at++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + at * 8))
    const format = table.readUInt16BE(0)
    if (format === 4) tables.push((code) => isInSegments(table, code))
    if (format === 12) tables.push((code) => isInGroups(table, code))
  }
  return (code) => tables.some((has) => has(code))
}

/** Only this table: the files of East Asian fonts have megabytes. */
function readTable(path: string, tag: string): Buffer {
  const file = openSync(path, 'r')
  const read = (at: number, length: number): Buffer => {
    const bytes = Buffer.alloc(length)
    readSync(file, bytes, 0, length, at)
    return bytes
  }
  try {
    const directory = read(12, read(4, 2).readUInt16BE() * 16)
    for (let at = 0; at < directory.length; at += 16) {
      if (directory.toString('latin1', at, at + 4) !== tag) continue
      return read(directory.readUInt32BE(at + 8), directory.readUInt32BE(at + 12))
    }
  } finally {
    closeSync(file)
  }
  throw new Error(`a font has no table ${tag}`)
}

function isInSegments(table: Buffer, code: number): boolean {
  if (code >= 0xff_ff) return false
  const bytes = table.readUInt16BE(6)
  const ends = 14
  const starts = ends + bytes + 2
  const at = 2 * firstAtLeast(bytes / 2, code, (segment) => table.readUInt16BE(ends + segment * 2))
  if (at >= bytes) return false
  const start = table.readUInt16BE(starts + at)
  if (code < start) return false
  const delta = table.readUInt16BE(starts + bytes + at)
  const offsetAt = starts + 2 * bytes + at
  const offset = table.readUInt16BE(offsetAt)
  const glyph =
    offset === 0
      ? (code + delta) & 0xff_ff
      : table.readUInt16BE(offsetAt + offset + 2 * (code - start))
  return glyph !== 0
}

function isInGroups(table: Buffer, code: number): boolean {
  const count = table.readUInt32BE(12)
  const group = firstAtLeast(count, code, (each) => table.readUInt32BE(20 + each * 12))
  return group < count && table.readUInt32BE(16 + group * 12) <= code
}

/** The first of `count` values in ascending order that is not less than `wanted`; `count` if there is none. */
function firstAtLeast(count: number, wanted: number, valueAt: (at: number) => number): number {
  let [from, to] = [0, count]
  while (from < to) {
    const middle = (from + to) >> 1
    if (valueAt(middle) < wanted) from = middle + 1
    else to = middle
  }
  return from
}
