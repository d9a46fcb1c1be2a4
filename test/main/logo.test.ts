import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { LogoProblem } from '../../src/domain/logo.ts'
import { readLogo } from '../../src/main/logo.ts'
import { freshFolder } from '../support/processes.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapcrate-logo-'))
})
afterAll(async () => {
  for (const each of [folder, `${folder}-more`]) await rm(each, { recursive: true, force: true })
})

const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>'

const put = async (name: string, bytes: string | Uint8Array): Promise<string> => {
  await writeFile(join(folder, name), bytes)
  return name
}

const problemOf = (name: string): string | null => {
  try {
    readLogo(folder, name)
    return null
  } catch (error) {
    if (error instanceof LogoProblem) return error.message
    throw error
  }
}

describe('D-104: the file of a logo', () => {
  it('is in the data folder, and is served by a path that follows from what it holds', async () => {
    const { type, path, bytes } = readLogo(folder, await put('logo.svg', SVG))
    expect(type).toBe('image/svg+xml')
    expect(path).toMatch(/^assets\/logo-[\w-]{16}\.svg$/)
    expect(Buffer.from(bytes).toString()).toContain('<rect width="8" height="8"/>')
    const other = readLogo(folder, await put('other.svg', SVG.replace('rect', 'rect id="a"')))
    expect(other.path).not.toBe(path)
    expect(readLogo(folder, await put('copy.svg', SVG)).path).toBe(path)
  })

  test.each([
    '../logo.svg',
    '/etc/passwd',
    'folder/logo.svg',
    String.raw`..\logo.svg`,
    '.logo.svg',
    'logo',
    'logo.SVG',
    'logo.gif',
    'logo.svg\0.png',
    `${'x'.repeat(120)}.svg`,
  ])('has no name like %j', (name) => {
    expect(problemOf(name)).toMatch(/^is no name of a file/)
  })

  it('may be a link within the folder, as containers mount files, and none out of it', async () => {
    await mkdir(join(folder, 'inner'))
    await writeFile(join(folder, 'inner', 'real.svg'), SVG)
    await symlink(join('inner', 'real.svg'), join(folder, 'linked.svg'))
    expect(problemOf('linked.svg')).toBeNull()
    const elsewhere = await freshFolder()
    await writeFile(join(elsewhere, 'logo.svg'), SVG)
    await symlink(join(elsewhere, 'logo.svg'), join(folder, 'out.svg'))
    await symlink(elsewhere, join(folder, 'away'))
    await symlink(join('away', 'logo.svg'), join(folder, 'far.svg'))
    for (const name of ['out.svg', 'far.svg']) {
      expect(problemOf(name)).toBe('is a link out of the data folder; put the file itself there')
    }
    // A folder whose name begins as the data folder's.
    await mkdir(`${folder}-more`)
    await writeFile(join(`${folder}-more`, 'logo.svg'), SVG)
    await symlink(join(`${folder}-more`, 'logo.svg'), join(folder, 'near.svg'))
    expect(problemOf('near.svg')).toMatch(/^is a link out/)
  })

  it('is a file that is there, and is not waited for', async () => {
    expect(problemOf('none.svg')).toBe(`cannot be read (ENOENT); put it into ${folder}`)
    await mkdir(join(folder, 'folder.svg'))
    expect(problemOf('folder.svg')).toBe('is no file')
    execFileSync('mkfifo', [join(folder, 'pipe.svg')])
    expect(problemOf('pipe.svg')).toBe('is no file')
    await symlink('turn.svg', join(folder, 'turn.svg'))
    expect(problemOf('turn.svg')).toMatch(/ELOOP/)
  })

  it('is not too large, and an SVG is in UTF-8', async () => {
    const padded = SVG.replace('><rect', `>${' '.repeat(65_536 - SVG.length)}<rect`)
    expect(problemOf(await put('most.svg', padded))).toBeNull()
    expect(problemOf(await put('more.svg', `${padded} `))).toMatch(/^has more than 65536 bytes/)
    expect(problemOf(await put('more.png', Buffer.alloc(262_145)))).toMatch(/^has more than 262144/)
    expect(problemOf(await put('latin.svg', Buffer.from(`${SVG}<!-- \xe9 -->`, 'latin1')))).toBe(
      'is not in UTF-8; save it so',
    )
  })
})

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

const chunk = (name: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

type Header = { width?: number; height?: number; kind?: readonly number[] }

const headerOf = ({ width = 2, height = 2, kind = [8, 6, 0, 0, 0] }: Header = {}): Buffer => {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, ...kind])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return chunk('IHDR', header)
}

/** Two rows of two pixels with alpha. */
const pixels = Buffer.from([0, 255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 0, 255, 128, 9, 9, 9, 0])
const packed = chunk('IDAT', deflateSync(pixels))
const end = chunk('IEND', Buffer.alloc(0))
const pngOf = (...chunks: readonly Uint8Array[]): Buffer => Buffer.concat([SIGNATURE, ...chunks])

const drawn = async (png: Uint8Array): Promise<Buffer> => {
  const image = await loadImage(Buffer.from(png))
  const context = createCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  return Buffer.from(context.getImageData(0, 0, image.width, image.height).data)
}

describe('D-104: a PNG logo', () => {
  it('keeps its pixels, and nothing else', async () => {
    const text = chunk('tEXt', Buffer.from('Author\0Ada Lovelace'))
    const png = pngOf(
      headerOf(),
      text,
      chunk('eXIf', Buffer.from('MM')),
      packed,
      text,
      end,
      SIGNATURE,
    )
    const { type, path, bytes } = readLogo(folder, await put('logo.png', png))
    expect([type, path]).toEqual(['image/png', expect.stringMatching(/^assets\/logo-.{16}\.png$/)])
    expect(Buffer.from(bytes).includes('Ada')).toBe(false)
    expect(Buffer.from(bytes).includes('eXIf')).toBe(false)
    expect(await drawn(bytes)).toEqual(await drawn(pngOf(headerOf(), packed, end)))
  })

  it('looks as before, whatever a program that draws has saved', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 10, max: 40 }),
        fc.integer({ min: 10, max: 40 }),
        fc.array(fc.nat({ max: 0xff_ff_ff }), { minLength: 1, maxLength: 5 }),
        async (width, height, colors) => {
          const canvas = createCanvas(width, height)
          const context = canvas.getContext('2d')
          for (const [at, color] of colors.entries()) {
            context.fillStyle = `#${color.toString(16).padStart(6, '0')}`
            context.fillRect(at, at * 2, width / 2, height / 3)
          }
          const png = canvas.toBuffer('image/png')
          const { bytes } = readLogo(folder, await put('any.png', png))
          expect(await drawn(bytes)).toEqual(await drawn(png))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('may be of each kind, with its palette and its transparency', async () => {
    const palette = chunk('PLTE', Buffer.from([255, 0, 0, 0, 255, 0]))
    const transparency = chunk('tRNS', Buffer.from([255, 0]))
    const rows = chunk('IDAT', deflateSync(Buffer.from([0, 0b0100_0000, 0, 0b1000_0000])))
    const kind = [1, 3, 0, 0, 0]
    const png = pngOf(headerOf({ kind }), palette, transparency, rows, end)
    const { bytes } = readLogo(folder, await put('palette.png', png))
    expect([...(await drawn(bytes))]).toEqual([
      255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 255, 0, 0, 255,
    ])
    const grey = pngOf(
      headerOf({ kind: [8, 0, 0, 0, 0] }),
      chunk('IDAT', deflateSync(Buffer.from([0, 9, 8, 0, 7, 6]))),
      end,
    )
    expect(problemOf(await put('grey.png', grey))).toBeNull()
  })

  it('shows nothing where none of its pixels is drawn, and only there, however it is written', async () => {
    const kinds = [
      ...[1, 2, 4, 8, 16].map((depth) => [depth, 0, 1]),
      ...[1, 2, 4, 8].map((depth) => [depth, 3, 1]),
      ...[8, 16].flatMap((depth) => [
        [depth, 2, 3],
        [depth, 4, 2],
        [depth, 6, 4],
      ]),
    ]
    const anyBytes = (most: number) =>
      fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 255 })), { minLength: most, maxLength: most })
    const anyPicture = fc
      .record({
        kind: fc.constantFrom(...kinds),
        width: fc.integer({ min: 3, max: 9 }),
        height: fc.integer({ min: 3, max: 9 }),
        colors: fc.integer({ min: 1, max: 4 }),
        isClear: fc.boolean(),
      })
      .chain((facts) => {
        const [depth = 8, , samples = 1] = facts.kind
        const rowBytes = Math.ceil((facts.width * depth * samples) / 8)
        return fc.record({
          facts: fc.constant(facts),
          filters: fc.array(fc.nat({ max: 4 }), {
            minLength: facts.height,
            maxLength: facts.height,
          }),
          bytes: fc.oneof(
            anyBytes(rowBytes * facts.height),
            fc.constant(Array.from({ length: rowBytes * facts.height }, () => 0)),
          ),
          rowBytes: fc.constant(rowBytes),
        })
      })
    const told = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(anyPicture, async ({ facts, filters, bytes, rowBytes }) => {
        const { kind, width, height, colors, isClear } = facts
        const [depth = 8, color = 6] = kind
        const rows = Buffer.concat(
          filters.map((filter, row) =>
            Buffer.from([filter, ...bytes.slice(row * rowBytes, (row + 1) * rowBytes)]),
          ),
        )
        const transparency = [
          [0, 0],
          [],
          [0, 0, 0, 0, 0, 0],
          Array.from({ length: Math.min(colors, 2 ** depth) }, () => 0),
        ][color]
        const png = pngOf(
          headerOf({ width, height, kind: [depth, color, 0, 0, 0] }),
          ...(color === 3
            ? [chunk('PLTE', Buffer.alloc(3 * Math.min(colors, 2 ** depth), 200))]
            : []),
          ...(isClear && transparency ? [chunk('tRNS', Buffer.from(transparency))] : []),
          chunk('IDAT', deflateSync(rows)),
          end,
        )
        const problem = problemOf(await put('any.png', png))
        told.set(problem ?? 'taken', (told.get(problem ?? 'taken') ?? 0) + 1)
        if (problem?.includes('outside its palette')) return
        const isSeen = (await drawn(png)).some((value, at) => at % 4 === 3 && value > 0)
        expect([kind, problem]).toEqual([
          kind,
          isSeen ? null : 'shows nothing: all of it is transparent',
        ])
      }),
      { numRuns: 400 },
    )
    // Each of the three has come.
    expect(told.size).toBe(3)
  })

  const damaged = Buffer.from(pngOf(headerOf(), packed, end))
  damaged[20] = 1
  test.each([
    [
      'has another signature',
      Buffer.concat([Buffer.from('GIF89a__'), headerOf()]),
      /does not begin/,
    ],
    ['is empty', Buffer.alloc(0), /does not begin/],
    ['is an SVG', Buffer.from(SVG), /does not begin/],
    ['is damaged', damaged, /damaged/],
    ['is cut', pngOf(headerOf(), packed), /too early/],
    ['is cut within a part', pngOf(headerOf(), packed).subarray(0, -9), /too early/],
    [
      'says of a part that it is endless',
      pngOf(Buffer.from('ffffffff49484452', 'hex')),
      /too early/,
    ],
    ['has no header', pngOf(packed, end), /no header/],
    ['has no pixels', pngOf(headerOf(), end), /pixels/],
    ['is too wide', pngOf(headerOf({ width: 1_025 }), packed, end), /^is 1025 × 2 pixels/],
    ['is too high', pngOf(headerOf({ height: 4_000_000_000 }), packed, end), /pixels large/],
    ['is nothing wide', pngOf(headerOf({ width: 0 }), packed, end), /pixels large/],
    ['is too wide for its height', pngOf(headerOf({ width: 9 }), packed, end), /4 times as wide/],
    ['is too high for its width', pngOf(headerOf({ height: 9 }), packed, end), /4 times as wide/],
    ['is interlaced', pngOf(headerOf({ kind: [8, 6, 0, 0, 1] }), packed, end), /interlaced/],
    [
      'is of no colour type',
      pngOf(headerOf({ kind: [8, 5, 0, 0, 0] }), packed, end),
      /unknown kind/,
    ],
    [
      'has a depth that is not',
      pngOf(headerOf({ kind: [4, 6, 0, 0, 0] }), packed, end),
      /unknown kind/,
    ],
    [
      'is compressed otherwise',
      pngOf(headerOf({ kind: [8, 6, 1, 0, 0] }), packed, end),
      /unknown kind/,
    ],
    ['has too few pixels', pngOf(headerOf({ height: 3 }), packed, end), /too few/],
    ['has more than its size', pngOf(headerOf({ height: 1 }), packed, end), /cannot be read/],
    [
      'grows without end',
      pngOf(headerOf(), chunk('IDAT', deflateSync(Buffer.alloc(99_000_000))), end),
      /cannot be read/,
    ],
    [
      'has an unknown filter',
      pngOf(headerOf(), chunk('IDAT', deflateSync(Buffer.from(pixels).fill(5, 0, 1))), end),
      /row/,
    ],
    [
      'has no palette',
      pngOf(headerOf({ kind: [8, 3, 0, 0, 0] }), chunk('IDAT', deflateSync(Buffer.alloc(6))), end),
      /no palette/,
    ],
    [
      'has too long a transparency',
      pngOf(headerOf(), chunk('tRNS', Buffer.alloc(9)), packed, end),
      /transparency/,
    ],
    [
      'has half a transparent grey',
      pngOf(headerOf({ kind: [8, 0, 0, 0, 0] }), chunk('tRNS', Buffer.alloc(1)), packed, end),
      /transparency/,
    ],
    [
      'has half a transparent colour',
      pngOf(headerOf({ kind: [8, 2, 0, 0, 0] }), chunk('tRNS', Buffer.alloc(2)), packed, end),
      /transparency/,
    ],
    [
      'has an empty transparency',
      pngOf(headerOf({ kind: [8, 0, 0, 0, 0] }), chunk('tRNS', Buffer.alloc(0)), packed, end),
      /transparency/,
    ],
    [
      'has a transparency of pixels that have their own',
      pngOf(headerOf({ kind: [8, 6, 0, 0, 0] }), chunk('tRNS', Buffer.alloc(0)), packed, end),
      /transparency/,
    ],
  ])('that %s is refused', async (_, png, said) => {
    expect(problemOf(await put('bad.png', png))).toMatch(said)
  })

  it('that is changed anywhere is refused, or has pixels of its size', async () => {
    const whole = pngOf(headerOf(), packed, end)
    await fc.assert(
      fc.asyncProperty(
        fc.nat({ max: whole.length - 1 }),
        fc.nat({ max: 255 }),
        async (at, byte) => {
          const png = Buffer.from(whole)
          png[at] = byte
          if (problemOf(await put('changed.png', png)) !== null) return
          const { bytes } = readLogo(folder, 'changed.png')
          const start = bytes.indexOf(0x49, 33) + 4
          expect(inflateSync(bytes.subarray(start, -16)).length).toBe(pixels.length)
        },
      ),
    )
  })
})
