import { createCanvas, loadImage } from '@napi-rs/canvas'
import * as fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Canvas, encodePng, type TextStyle } from '../../src/site/preview/canvas.ts'
import { openFonts } from '../../src/site/preview/fonts.ts'

const fonts = openFonts()
const WIDTH = 600

const pixelsOf = async (png: Buffer) => {
  const image = await loadImage(png)
  const { width, height } = image
  const context = createCanvas(width, height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, width, height)
  return { width, height, bytes: Buffer.from(data.buffer) }
}

/** Colours of two pictures, of which the second stands `rows` lower; how far apart their channels are at most. */
const farthest = (higher: Buffer, lower: Buffer, rows: number): number => {
  const shifted = lower.subarray(rows * WIDTH * 4)
  let most = 0
  for (let at = 0; at < shifted.length; at++) {
    most = Math.max(most, Math.abs(shifted[at]! - higher[at]!))
  }
  return most
}

const drawnAt = async (top: number, draw: (canvas: Canvas, top: number) => void) => {
  const canvas = new Canvas(WIDTH, 300 + top, '#000000', fonts)
  draw(canvas, top)
  return (await pixelsOf(canvas.png())).bytes
}

describe('what is drawn does not depend on how high it stands', () => {
  const style = fc.record({
    weight: fc.constantFrom<TextStyle['weight']>(400, 600),
    size: fc.integer({ min: 10, max: 60 }),
    color: fc.constantFrom('#ffffff', '#ffd76a'),
  })
  const words = fc.constantFrom(
    'Freedom Dive [FOUR DIMENSIONS]',
    'Ậgjqỹ Żółty',
    '残酷な天使のテーゼ',
    '体湾龙之歌',
    'مرحبا بالعالم',
    'สวัสดีชาวโลก ก็กั้น',
    `a${'\u0301\u0302'.repeat(8)}e`,
  )
  const shift = fc.integer({ min: 0, max: 140 })

  it('of texts, in any letters and with any marks', async () => {
    const text = fc.tuple(words, style, fc.integer({ min: 60, max: 240 }))
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 4 }), shift, async (all, rows) => {
        const draw = (canvas: Canvas, top: number): void => {
          for (const [shown, each, y] of all) canvas.line(shown, [10, y + top], each, WIDTH - 20)
        }
        const [higher, lower] = [await drawnAt(0, draw), await drawnAt(rows, draw)]
        expect(higher.some((byte) => byte !== 0 && byte !== 255)).toBe(true)
        expect(farthest(higher, lower, rows)).toBe(0)
      }),
      { numRuns: 40 },
    )
  })

  it('of shapes, but for how smooth an edge is', async () => {
    const place = fc.tuple(fc.integer({ min: 30, max: 200 }), fc.double({ min: 8, max: 60 }))
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { minLength: 1, maxLength: 4 }),
        shift,
        async (all, rows) => {
          const draw = (canvas: Canvas, top: number): void => {
            for (const [at, [y, size]] of all.entries()) {
              canvas.panel([10 + at * 140, y + top, size, size], size / 4, '#60a5fa')
              canvas.disc(90 + at * 140, y + top + 20, size / 3, '#f87171')
            }
          }
          const [higher, lower] = [await drawnAt(0, draw), await drawnAt(rows, draw)]
          // Where a curve is cut, its edge is smoothed by another method.
          expect(farthest(higher, lower, rows)).toBeLessThan(128)
        },
      ),
      { numRuns: 40 },
    )
  })

  it('and marks that are stacked on a letter leave other lines as they are', async () => {
    const draw = (marks: number) => (canvas: Canvas, top: number) => {
      canvas.line('Above', [10, 100 + top], { weight: 400, size: 20, color: '#ffffff' })
      canvas.line(`a${'\u0301'.repeat(marks)}`, [30, 200 + top], {
        weight: 400,
        size: 20,
        color: '#ffffff',
      })
    }
    const [few, many] = [await drawnAt(0, draw(3)), await drawnAt(0, draw(60))]
    const line = 171 * WIDTH * 4
    expect(many.subarray(0, line)).toEqual(few.subarray(0, line))
  })
})

describe('the PNG encoder', () => {
  it('writes any picture, in any parts, so that a reader of others gives back its pixels', async () => {
    const size = fc.integer({ min: 1, max: 40 })
    const picture = fc.tuple(size, size, size, fc.infiniteStream(fc.integer({ min: 0, max: 255 })))
    await fc.assert(
      fc.asyncProperty(picture, async ([width, height, rows, values]) => {
        const bytes = Buffer.alloc(width * height * 4, 255)
        for (let at = 0; at < bytes.length; at++) {
          if (at % 4 < 3) bytes[at] = values.next().value
        }
        const part = rows * width * 4
        const parts = Array.from({ length: Math.ceil(height / rows) }, (_, at) =>
          bytes.subarray(at * part, (at + 1) * part),
        )
        const read = await pixelsOf(encodePng(width, height, parts))
        expect(read).toEqual({ width, height, bytes })
      }),
      { numRuns: 40 },
    )
  })
})

describe('fonts', () => {
  const require = createRequire(import.meta.url)
  const folderOf = (name: string) => dirname(require.resolve(name))
  const files = [
    require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf'),
    require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
    join(folderOf('@embedpdf/fonts-jp'), '../fonts/NotoSansJP-Regular.otf'),
    join(folderOf('@embedpdf/fonts-sc'), '../fonts/NotoSansHans-Regular.otf'),
    join(folderOf('@embedpdf/fonts-kr'), '../fonts/NotoSansKR-Regular.otf'),
  ]

  /** Each code point of a `cmap`, by walking through all of it. */
  const allIn = (font: Buffer): number[] => {
    let cmap = 0
    for (let at = 12; cmap === 0; at += 16) {
      if (font.toString('latin1', at, at + 4) === 'cmap') cmap = font.readUInt32BE(at + 8)
    }
    const found: number[] = []
    for (let each = 0; each < font.readUInt16BE(cmap + 2); each++) {
      const table = cmap + font.readUInt32BE(cmap + 8 + each * 8)
      const format = font.readUInt16BE(table)
      const groups = format === 12 ? font.readUInt32BE(table + 12) : 0
      for (let at = 0; at < groups; at++) {
        const [start, end] = [0, 4].map((to) => font.readUInt32BE(table + 16 + at * 12 + to))
        for (let code = start!; code <= end!; code++) found.push(code)
      }
      const count = format === 4 ? font.readUInt16BE(table + 6) : 0
      for (let at = table + 14; at < table + 14 + count; at += 2) {
        const [end, start] = [font.readUInt16BE(at), font.readUInt16BE(at + count + 2)]
        const [delta, offset] = [2, 3].map((of) => font.readUInt16BE(at + of * count + 2))
        for (let code = start; code <= end && code < 0xff_ff; code++) {
          const from = at + 3 * count + 2 + offset! + 2 * (code - start)
          const glyph = offset === 0 ? (code + delta!) & 0xff_ff : font.readUInt16BE(from)
          if (glyph !== 0) found.push(code)
        }
      }
    }
    return found
  }

  it('draw exactly the characters that their tables list, and those that shape others', () => {
    const listed = new Set(files.flatMap((file) => allIn(readFileSync(file))))
    for (const code of [0x200c, 0x200d, 0x2066, 0x2067, 0x2068, 0x2069]) listed.add(code)
    const codes = Array.from({ length: 0x3_2000 }, (_, code) => code).filter(
      (code) => code < 0xd8_00 || code > 0xdf_ff,
    )
    const drawn = Array.from(
      fonts.drawable(codes.map((code) => String.fromCodePoint(code)).join('')),
    )
    expect(drawn.length).toBeGreaterThan(40_000)
    expect(drawn.map((each) => each.codePointAt(0))).toEqual(
      codes.filter((code) => listed.has(code)),
    )
  })
})

it('the thread that draws loads nothing but what draws: it is started for single pictures', () => {
  const folder = fileURLToPath(new URL('../../src/site/preview', import.meta.url))
  const valueImport = /^import (?!type\b)[^']*'(\.[^']+)'/gm
  const loaded = new Set<string>()
  const walk = (file: string): void => {
    if (loaded.has(file)) return
    loaded.add(file)
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(valueImport)) {
      walk(resolve(dirname(file), target))
    }
  }
  walk(join(folder, 'render-thread.ts'))
  expect(loaded.size).toBeGreaterThan(4)
  // The scale of the stars is the same on pages; it imports nothing.
  const shared = fileURLToPath(new URL('../../src/pool/star-scale.ts', import.meta.url))
  expect([...loaded].filter((file) => dirname(file) !== folder)).toEqual([shared])
})
