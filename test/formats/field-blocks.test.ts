import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { wholeReading } from './whole-readings.ts'

const slotsOf = (text: string) => {
  const { pools, questions, others } = readImport(text)
  expect(others).toEqual([])
  return { pools: pools.map(({ name, round }) => [name, round]), questions: questions.length }
}

const names = fc.constantFrom<readonly [slot: string, id: string, title: string]>(
  ['Slot', 'Map', 'Title'],
  ['Mod', 'ID', 'Song'],
  ['slot', 'Beatmap ID', 'title'],
  ['Pick', 'Link', 'Name of it'],
  ['スロット', '譜面ID', '曲名'],
  ['Слот', 'Карта', 'Название'],
  ['Mod', 'ID da Música', 'Título'],
)
const label = fc.constantFrom('NM1', 'NM2', 'HD1', 'HR1', 'DT2', 'TB')
const labels = fc.uniqueArray(label, { minLength: 2, maxLength: 5 })
const orders = [
  [0, 1, 2],
  [1, 0, 2],
  [2, 1, 0],
  [0, 2, 1],
] as const
const order = fc.constantFrom(...orders)
const sign = fc.constantFrom(': ', ':', ' = ', '：')
const around = fc.constantFrom<readonly [string, string]>(['', ''], ['- ', ''], ['**', '**'])
const between = fc.constantFrom('\n', '\n\n')

describe('blocks of lines that are named as columns are', () => {
  it('say the same as a table of these columns, in any order', () => {
    fc.assert(
      fc.property(names, labels, order, sign, around, between, (...drawn) => {
        const [columns, slots, placed, sure, [front, behind], apart] = drawn
        const rows = slots.map((slot, at) => [
          slot,
          String(129_891 + at),
          `Low ${'I'.repeat(at + 1)}`,
        ])
        // Only a name of a column begins a block.
        const shown = columns[2] === 'Name of it' ? orders[0] : placed
        const block = (row: readonly string[]): string =>
          shown.map((at) => `${front}${columns[at]}${behind}${sure}${row[at]}`).join('\n')
        const table = [columns, ...rows].map((row) => row.join('\t')).join('\n')
        const text = rows.map(block).join(apart)
        expect(slotsOf(text), text).toEqual(slotsOf(table))
      }),
    )
  })

  it.each<[string, string, string]>([
    [
      'are of the round that is named above them',
      'Semifinals\n\nSlot: NM1\nMap: 129891\n\nFinals\n\nMap: 129892\nSlot: NM1',
      [
        'blocks, certain: Its lines name what they hold, in a block for each beatmap. 2 of 2',
        '# Semifinals',
        '3: NM1 129891 by columns in "Slot: NM1\\nMap: 129891"',
        '# Finals',
        '8: NM1 129892 by columns in "Map: 129892\\nSlot: NM1"',
      ].join('\n'),
    ],
    [
      'may have no beatmap yet',
      'Slot: NM1\nTitle: Copper Rain\n\nSlot: NM2\nMap: 129892',
      [
        'blocks, certain: Its lines name what they hold, in a block for each beatmap. 2 of 2',
        '1: NM1 planned: Copper Rain in "Slot: NM1\\nTitle: Copper Rain"',
        '4: NM2 129892 by columns in "Slot: NM2\\nMap: 129892"',
        '1 in the pack',
      ].join('\n'),
    ],
    [
      'need a slot: a beatmap alone is none',
      'Title: Copper Rain\nMap: 129891',
      [
        'list, not certain: Each line is read by itself. 1 of 2',
        '1: refused: No beatmap id or link found. Example: “NM1 129891”.',
        '2: 1 129891 by alone',
        'unread TITLE TITLE',
        'note 1 beatmap has no slot in this text. Assign them to buckets afterwards.',
      ].join('\n'),
    ],
    [
      'are no lines of slots',
      'Mods: NM\nNM1: 129891\nHD1: 129892',
      [
        'list, not certain: Each line is read by itself. 2 of 2',
        '2: NM1 129891 by line',
        '3: HD1 129892 by line',
        'unread MODS MODS NM',
      ].join('\n'),
    ],
  ])('%s', (_, text, reading) => {
    expect(wholeReading(text)).toBe(reading)
  })

  it('have no more names in all than the table of a pool has columns', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'
    const block = (names: string): string =>
      ['Slot: NM', 'Map: 129891', ...Array.from(names, (name) => `Word ${name}: 1`)].join('\n')
    const read = (count: number): string => {
      const blocks = [letters.slice(0, 11), letters.slice(11, count)].map(block)
      return readImport(blocks.join('\n\n')).shape.id
    }
    expect([read(22), read(23)]).toEqual(['blocks', 'list'])
  })
})

describe('the name of a bucket behind that of a column', () => {
  const bucket = fc.constantFrom(
    'NM',
    'HD',
    'Hard Rock',
    'no mod',
    'DT',
    'Tiebreaker',
    'EZ',
    'FreeMod',
  )
  const all = fc.uniqueArray(bucket, { minLength: 2, maxLength: 5 })
  const column = fc.constantFrom('Mods', 'Mod', 'mod', 'Bucket', 'Category', 'Слот', 'モッド')
  const lines: readonly ((id: number, at: number) => string)[] = [
    (id) => `${id}`,
    (id) => `https://osu.ppy.sh/b/${id}`,
    (id, at) => `${at + 1}. Kestrel - Oak https://osu.ppy.sh/b/${id}`,
    (id) => `- [Kestrel - Oak](https://osu.ppy.sh/b/${id})`,
  ]

  it('is a heading above its beatmaps, as the name alone is', () => {
    fc.assert(
      fc.property(all, column, sign, around, fc.constantFrom(...lines), (...drawn) => {
        const [buckets, name, sure, [front, behind], line] = drawn
        const textOf = (heading: (code: string) => string): string =>
          buckets
            .flatMap((code, at) => [
              heading(code),
              ...[0, 1].map((place) => line(1_400_001 + at * 2 + place, place)),
            ])
            .join('\n')
        const named = textOf((code) => `${front}${name}${behind}${sure}${code}`)
        const alone = textOf((code) => `${code}:`)
        expect(slotsOf(named), named).toEqual(slotsOf(alone))
      }),
    )
  })

  it.each([
    ['129891\nMods: HD\n75001\nMods: HR', []],
    ['NM1\nMods: NM\n129891\nHD1\nMods: HD\n75001', ['NM 1 129891', 'HD 1 75001']],
  ])('is none below a beatmap or a label: %j', (text, slots) => {
    const read = readImport(text).pools.flatMap(({ draft }) => draft.slots)
    const placed = read.filter(({ mod }) => mod !== null)
    expect(placed.map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)).toEqual(slots)
  })
})
