import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { pasted, withBuckets } from './pasted-text.ts'

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
    'L I 7k',
    'L: 4K I',
    'L [10K] I',
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

describe('what is measured of a beatmap, in front of it', () => {
  const slotsOf = (lines: readonly string[]) =>
    readImport(['NoMod', ...lines].join('\n')).pools.flatMap(({ draft }) =>
      draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
    )
  it.each([
    ['AR 9.2', 'AR 8'],
    ['AR9.2', 'AR10'],
    ['OD: 8.5', 'OD: 8'],
    ['CS 4 AR 9', 'CS 3.8, AR 8'],
    ['BPM 180', 'BPM: 170'],
    ['SR 5.6', 'SR 4.2'],
    ['(6.2)', '(5.1)'],
    ['4:30', '3:10'],
    ['6.2*', '5.1*'],
  ])('is no slot: %s', (first, second) => {
    for (const link of ['', 'https://osu.ppy.sh/b/']) {
      const isNumber = link === '' && !/^[A-Z]/.test(first)
      if (isNumber) continue
      const lines = [`${first} ${link}129891`, `${second} ${link}129892`]
      expect(slotsOf(lines)).toEqual(['NM1 129891', 'NM2 129892'])
    }
  })

  it.each(['CS', 'SR', 'HP', 'AR'])('may be the code of a bucket, from 1 on: %s', (code) => {
    for (const gap of ['', ' ']) {
      const lines = [1, 2].map((index) => `${code}${gap}${index} 12989${index}`)
      expect(slotsOf(lines)).toEqual([`${code}1 129891`, `${code}2 129892`])
    }
  })
})

describe('the mods behind a beatmap', () => {
  it('are its bucket in a list without headings, with or without a link', () => {
    expect(pasted('129891+NM\n129892 +HDHR\nhttps://osu.ppy.sh/b/129893 +ez')).toEqual([
      'NM1=129891',
      'HDHR1=129892',
      'EZ1=129893',
    ])
    expect(pasted('https://osu.ppy.sh/b/129891 FL\nhttps://osu.ppy.sh/b/129892 HDHR')).toEqual([
      'FL1=129891',
      'HDHR1=129892',
    ])
  })

  it('are what is played where the bucket is named', () => {
    expect(pasted('FreeMod\n129891 +HD\nhttps://osu.ppy.sh/b/129892 +HR')).toEqual([
      'FM1=129891',
      'FM2=129892',
    ])
    expect(pasted('FM2 129891 +HDHR')).toEqual(['FM2=129891'])
  })
})

it('what is measured is a slot where the draft has a bucket that is called so', () => {
  expect(pasted('AR 9 129891\nAR 10 129892', withBuckets('AR'))).toEqual([
    'AR9=129891',
    'AR10=129892',
  ])
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
