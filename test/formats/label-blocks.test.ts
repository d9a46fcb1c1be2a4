import * as fc from 'fast-check'
import { readImport } from '../../src/formats/import/read-import.ts'
import { describe, expect, it } from 'vitest'
import { pasted } from './pasted-text.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

/** What a text becomes; a line that is refused is its number alone. */
const read = (...lines: string[]): string[] =>
  pasted(lines.join('\n')).map((line) => line.replace(/^([0-9]+): .*/, '$1'))
const [first, second] = ['129891', '129892']
const link = (id: string): string => `https://osu.ppy.sh/b/${id}`
const set = (id: number): string => `https://osu.ppy.sh/beatmapsets/${id}`
const two = ['NM1=129891', 'NM2=129892']

describe('labels in a block of their own', () => {
  it.each<[string, string[], string[]]>([
    ['below them', ['NM1', 'NM2', first, second], two],
    ['above them', [first, second, 'NM1', 'NM2'], two],
    ['above them, below a round', ['Finals', first, second, 'NM1', 'NM2'], two],
    ['below a bucket that is theirs', ['NoMod', 'NM1', 'NM2', first, second], two],
    ['one below each', ['NM1', first, 'NM2', second], two],
    [
      'below each, with a title between, below the names of columns',
      ['Slot', 'Map', 'ID', 'NM1', 'Low - Tide', first, 'NM2', 'Low - Ebb', second],
      two,
    ],
    ['one above each, parted by lines', [first, 'NM1', '', second, 'NM2'], two],
    ['one above each, from the first slot on', [first, 'NM1', second, 'NM2'], two],
    ['numbered in their order', ['NM1', 'NM2', `1. ${first}`, `2. ${second}`], two],
    ['that are links', ['NM1 Low', 'NM2 Tide', link(first), link(second)], two],
    ['that are sets', ['NM1', 'NM2', set(12), set(13)], [`NM1: ${set(12)}`, `NM2: ${set(13)}`]],
    [
      'with a tiebreaker, which has no number',
      ['TB', 'NM1', first, second],
      ['TB=129891', 'NM1=129892'],
    ],
    [
      'of a bucket of their own, whose songs they name',
      ['KES1 Cirrus - Low', 'KES2 Delta - Tide', link(first), link(second)],
      ['KES1=129891', 'KES2=129892'],
    ],
    [
      'of two blocks',
      ['NM1', 'NM2', first, second, '', 'HD1', 'HD2', '75', '76'],
      [...two, 'HD1=75', 'HD2=76'],
    ],
    ['one of which is open', ['NM1', 'NM2', 'TBA', second], ['NM1: “TBA”', 'NM2=129892']],
    ['above what is announced', ['NM1', 'NM2', first, second, 'TBA'], two],
    ['of slots that wait for none', ['NM1 TBA', 'NM2', first], ['NM1: “TBA”', 'NM2=129891']],
    [
      'with a slot below that has its own',
      ['HD1', 'HD2', '', first, second, 'NM1 75'],
      ['HD1=129891', 'HD2=129892', 'NM1=75'],
    ],
  ])('have the beatmaps of the block %s', (_, lines, slots) => {
    expect(read(...lines)).toEqual(slots)
  })

  it.each<[string, string[], string[]]>([
    ['in turns, with nothing that parts them', [first, 'NM2', second, 'NM3'], ['1', '2', '3', '4']],
    [
      'of another number',
      ['NM1', 'NM2', 'NM3', first, second],
      ['NM1: empty', 'NM2: empty', '3', '4', '5'],
    ],
    ['of another number, above them', [first, second, 'NM1'], ['1', '2', '3']],
    ['below several buckets', ['NM', 'HD', first, second], ['3', '4']],
    [
      'that are numbered otherwise',
      ['NM1', 'NM2', `2. ${first}`, `1. ${second}`],
      ['NM1: empty', '2', '3', '4'],
    ],
    ['that one bucket may be above or below', [link('75'), 'NM', first], ['1', '3']],
    [
      'with words in front of them, above the labels',
      [`Low ${link(first)}`, `Tide ${link(second)}`, 'NM1', 'NM2'],
      ['1', '2', '3', 'NM2: empty'],
    ],
  ])('are refused with beatmaps %s', (_, lines, slots) => {
    expect(read(...lines)).toEqual(slots)
  })

  it.each<[string, string[], string[]]>([
    ['a bucket', ['NoMod', first, second, 'NM1', 'NM2'], [...two, '4', '5']],
    ['a bucket below a beatmap', [link('75'), 'NoMod', first, second], ['1=75', ...two]],
    [
      'several buckets below a beatmap',
      [link('75'), 'NM', first, second, 'HD', link('76')],
      ['1=75', ...two, 'HD1=76'],
    ],
    ['a bucket with an open slot', ['NM', 'TBA', second], ['NM1: “TBA”', 'NM2=129892']],
    [
      'buckets with open slots',
      ['NM', '???', 'HD', 'TBA', first],
      ['NM1: “???”', 'HD1: “TBA”', 'HD2=129891'],
    ],
    ['a bucket, and of what is announced above it', ['TBA', 'NM', first], ['NM1=129891']],
    ['a bucket, after slots', ['HD1 5', 'HD2 6', 'NM', first, second], ['HD1=5', 'HD2=6', ...two]],
    [
      'one label, which has the first',
      ['NM1', first, second, 'HD1'],
      ['NM1=129891', '1=129892', '4'],
    ],
  ])('take nothing of a list below %s', (_, lines, slots) => {
    expect(read(...lines)).toEqual(slots)
  })
})

describe('all that is read of a text with labels and beatmaps on lines of their own', () => {
  it.each(readingCases((file) => file === 'label-blocks.txt'))('$name', ({ text, reading }) => {
    expect(wholeReading(text)).toBe(reading)
  })
})

describe('labels that have their beatmap right above them', () => {
  it('have it below a list with a heading, too', () => {
    const anyHead = fc.constantFrom('NoMod', 'NM:', '[NM]', 'Hidden')
    const anyBreak = fc.constantFrom('', '\n')
    const anyForm = fc.constantFrom('N', 'https://osu.ppy.sh/b/N')
    fc.assert(
      fc.property(anyHead, fc.integer({ min: 1, max: 3 }), anyBreak, anyForm, (...drawn) => {
        const [head, listed, apart, form] = drawn
        const idOf = (id: number): string => form.replace('N', `${id}`)
        const list = Array.from({ length: listed }, (_, at) => idOf(1_500_001 + at))
        const groups = ['HR1', 'HR2', 'DT1'].map((label, at) => `${idOf(1_600_001 + at)}\n${label}`)
        const text = [head, ...list, `${apart}DT7 1700001`, '', groups.join('\n\n')].join('\n')
        const slots = readImport(text).pools.flatMap(({ draft }) => draft.slots)
        const read = slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`)
        expect(read, text).toEqual(
          expect.arrayContaining(['HR1 1600001', 'HR2 1600002', 'DT1 1600003', 'DT7 1700001']),
        )
        expect(read, text).toHaveLength(listed + 4)
      }),
    )
  })
})
