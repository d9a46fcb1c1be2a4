import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registerFont } from 'pureimage'
import { unpackWoff } from './woff.ts'

/** The part of a loaded font that is used here. */
type Outlines = {
  readonly unitsPerEm: number
  charToGlyphIndex(character: string): number
  stringToGlyphs(text: string): readonly { readonly advanceWidth: number }[]
}

/** A piece of text that one font file can draw. */
export type Run = { readonly family: string; readonly text: string; readonly width: number }

export type Weight = 400 | 600

/** The font comes in files by script; between them they hold what most names are written in. */
const scripts = ['latin', 'latin-ext', 'vietnamese', 'cyrillic', 'cyrillic-ext', 'greek'] as const

const familyOf = (script: string, weight: Weight): string => `${script}-${weight}`

/** The library takes fonts from files alone, and none that is packed. */
const loadFont = (script: string, weight: Weight, folder: string): Outlines => {
  const packed = `@fontsource/inter/files/inter-${script}-${weight}-normal.woff`
  const file = join(folder, `${familyOf(script, weight)}.ttf`)
  writeFileSync(file, unpackWoff(readFileSync(createRequire(import.meta.url).resolve(packed))))
  return registerFont(file, familyOf(script, weight)).loadSync().font
}

const loadAll = (): ReadonlyMap<string, Outlines> => {
  const folder = mkdtempSync(join(tmpdir(), 'mapcrate-fonts-'))
  try {
    const weights: readonly Weight[] = [400, 600]
    return new Map(
      weights.flatMap((weight) =>
        scripts.map(
          (script) => [familyOf(script, weight), loadFont(script, weight, folder)] as const,
        ),
      ),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Text in the site's picture face. Loads the fonts, which takes a moment. */
export const openTypeface = () => {
  const fonts = loadAll()

  const familyFor = (character: string, weight: Weight): string | null =>
    scripts
      .map((script) => familyOf(script, weight))
      .find((family) => (fonts.get(family)?.charToGlyphIndex(character) ?? 0) > 0) ?? null

  const widthOf = (text: string, family: string, size: number): number => {
    const font = fonts.get(family)
    if (font === undefined) return 0
    const units = font.stringToGlyphs(text).reduce((sum, glyph) => sum + glyph.advanceWidth, 0)
    return (units / font.unitsPerEm) * size
  }

  /** The text in pieces by font file; null when a character is in none: it would become a box. */
  const runsOf = (text: string, weight: Weight, size: number): readonly Run[] | null => {
    const pieces: { family: string; text: string }[] = []
    for (const character of text) {
      const last = pieces.at(-1)
      const family =
        character === ' ' && last !== undefined ? last.family : familyFor(character, weight)
      if (family === null) return null
      if (last?.family === family) last.text += character
      else pieces.push({ family, text: character })
    }
    return pieces.map((piece) => ({ ...piece, width: widthOf(piece.text, piece.family, size) }))
  }

  /** In pixels; null when the text cannot be drawn. */
  const measure = (text: string, weight: Weight, size: number): number | null =>
    runsOf(text, weight, size)?.reduce((sum, { width }) => sum + width, 0) ?? null

  return { runsOf, measure }
}

export type Typeface = ReturnType<typeof openTypeface>
