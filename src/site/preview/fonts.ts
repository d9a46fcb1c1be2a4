import { readFileSync } from 'node:fs'
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
  const characters = new Map<Family, ReadonlySet<number>>()
  for (const family of families) {
    const paths = pathsOf(family)
    if (paths === null) continue
    for (const path of paths) GlobalFonts.registerFromPath(path, family.name)
    characters.set(family, charactersIn(readFileSync(paths[0]!)))
  }
  const loaded = [...characters.keys()]
  const has = (family: Family, character: string): boolean =>
    characters.get(family)?.has(character.codePointAt(0) ?? 0) ?? false

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

/** The code points that a font maps to glyphs (OpenType `cmap`, formats 4 and 12). */
function charactersIn(font: Buffer): ReadonlySet<number> {
  const found = new Set<number>()
  const cmap = tableOffset(font, 'cmap')
  for (let at = 0; at < font.readUInt16BE(cmap + 2); at++) {
    const table = cmap + font.readUInt32BE(cmap + 8 + at * 8)
    const format = font.readUInt16BE(table)
    if (format === 4) addSegments(font, table, found)
    if (format === 12) addGroups(font, table, found)
  }
  return found
}

function tableOffset(font: Buffer, tag: string): number {
  for (let at = 12; at < 12 + font.readUInt16BE(4) * 16; at += 16) {
    if (font.toString('latin1', at, at + 4) === tag) return font.readUInt32BE(at + 8)
  }
  throw new Error(`a font has no table ${tag}`)
}

function addSegments(font: Buffer, table: number, found: Set<number>): void {
  const bytes = font.readUInt16BE(table + 6)
  const ends = table + 14
  const starts = ends + bytes + 2
  for (let at = 0; at < bytes; at += 2) {
    const [start, end] = [font.readUInt16BE(starts + at), font.readUInt16BE(ends + at)]
    const delta = font.readUInt16BE(starts + bytes + at)
    const offsetAt = starts + 2 * bytes + at
    const offset = font.readUInt16BE(offsetAt)
    for (let code = start; code <= end && code < 0xff_ff; code++) {
      const glyph =
        offset === 0
          ? (code + delta) & 0xff_ff
          : font.readUInt16BE(offsetAt + offset + 2 * (code - start))
      if (glyph !== 0) found.add(code)
    }
  }
}

function addGroups(font: Buffer, table: number, found: Set<number>): void {
  for (let at = 0; at < font.readUInt32BE(table + 12); at++) {
    const group = table + 16 + at * 12
    const [start, end] = [font.readUInt32BE(group), font.readUInt32BE(group + 4)]
    for (let code = start; code <= end; code++) found.add(code)
  }
}
