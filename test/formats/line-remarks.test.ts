import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'

const slots = ({ pools }: Import): string[] =>
  pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
  )
const anyId = fc.integer({ min: 1_400_000, max: 7_999_999 })
const places = [
  ['NM1', 'NM1'],
  ['HD2', 'HD2'],
  ['TB', 'TB1'],
] as const

describe('what stands at the id of a labelled line', () => {
  it.each([
    'L I 219s 178BPM 5.33*',
    'L I by Kestrel',
    'L I 5.3*',
    'L id=I',
    'L Tin Larks - Oak [Hard] // Wren // ID: I // Set: 3141009',
    'L. Tin Larks - Oak // ID: I',
  ])('%s: is no reason to ask or refuse', (form) => {
    fc.assert(
      fc.property(anyId, fc.constantFrom(...places), (id, [label, place]) => {
        const read = readImport(form.replace('L', label).replace(/\bI\b/, String(id)))
        expect(slots(read)).toEqual([`${place} ${id}`])
        expect(read.questions).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})

describe('what is written below a pool', () => {
  it.each([
    'Thanks! My user id is 3141009',
    '@everyone see <#123456789012345678>',
    'questions to <@!123456789012345678>',
  ])('is no line that was not understood: %s', (text) => {
    const { pools } = readImport(`NM1 3141001\nHD1 3141002\n\n${text}`)
    expect(pools[0]?.lines.map(({ outcome }) => outcome)).toEqual([
      'slot',
      'slot',
      'skipped',
      'skipped',
    ])
  })
})

describe('sentences and sums that begin with a label', () => {
  it.each([
    'L had N plays last year',
    'L Red wins by N',
    'L is about N points worth',
    'L bonus N',
    'L fee: N',
    'L has N combo',
    'L: Ada (host) N',
    'L Ada [co-host] N',
  ])('%s: have no beatmap', (form) => {
    fc.assert(
      fc.property(anyId, fc.constantFrom(...places), (id, [label]) => {
        expect(slots(readImport(form.replace('L', label).replace(/\bN\b/, String(id))))).toEqual([])
      }),
      { numRuns: 20 },
    )
  })

  it('a score by somebody is none either', () => {
    expect(slots(readImport('NM1 912345 by Kestrel'))).toEqual([])
  })

  it('nor are numbers in cells that a semicolon makes of prose', () => {
    const text = 'NM1 is 6.5 stars, 180 BPM; the fee is 250000 IDR. HD1 has 1500 combo'
    expect(slots(readImport(text))).toEqual([])
  })
})
