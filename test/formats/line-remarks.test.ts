import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forcedMods } from '../../src/contract/mods.ts'
import { modsOfCode } from '../../src/formats/import/words/labels.ts'
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

describe('what a line says besides its slot and its beatmap changes nothing (D-90)', () => {
  type Row = { readonly label: string; readonly id: number }
  const ids = Array.from({ length: 6 }, (_, at) => 1_300_001 + 7919 * at)
  const rows = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB'].map((label, at): Row => ({
    label,
    id: ids[at]!,
  }))
  const all = rows.map(({ label, id }) => `${label === 'TB' ? 'TB1' : label} ${id}`)
  const isRead = (text: string, wanted = all): void => {
    const read = readImport(text)
    const lines = [...read.pools.flatMap((pool) => pool.lines), ...read.others]
    const refused = lines.filter(({ outcome }) => outcome === 'refused')
    expect([text, slots(read), read.questions, refused]).toEqual([text, wanted, [], []])
  }
  const isEach = (way: (row: Row) => string): void => isRead(rows.map(way).join('\n'))

  it.each(
    '6.12*|★6.12|6,3☆|6.30 ★|6.1 stars|SR 6.1|180 BPM|200bpm|2:31|AR9.3|OD 8|CS: 4|x1.06|×1,06|1.8x'.split(
      '|',
    ),
  )('a figure of the beatmap, wherever it is: %s', (figure) => {
    isEach(({ label, id }) => `${figure} ${label} ${id}`)
    isEach(
      ({ label, id }) => `- ${figure} - **${label}** Old Lighthouse https://osu.ppy.sh/b/${id}`,
    )
    isEach(({ label, id }) => `${label} ${figure} ${id}`)
    isEach(({ label, id }) => `${label} ${id} (${figure})`)
    isEach(({ label, id }) => `${label}: ${id} ${figure} 3:45 170bpm AR 9 OD8`)
  })

  it.each([
    '[6.12]',
    '(6,1)',
    ':nomod:',
    ':large_blue_circle: :star:',
    '1\ufe0f\u20e3',
    ':NM: ★6.1',
  ])('a sign in front of the label: %s', (sign) => {
    isEach(({ label, id }) => `${sign} ${label} ${id}`)
    isEach(({ label, id }) => `> ${sign} ${label} | Old Lighthouse | https://osu.ppy.sh/b/${id}`)
  })

  it('times and people of a chat behind it', () => {
    isEach(
      ({ label, id }) => `${label} ${id} <@123456789012345678> <t:1700000000:R> <t:1700000000>`,
    )
  })

  it.each(['-', '_', '/'])('the sign that joins the label and the id to a word: %s', (sign) => {
    isEach(({ label, id }) => `${label}${sign}${id}`)
    isEach(({ label, id }) => `- ${id}${sign}${label}`)
    isEach(
      ({ label, id }) => `${label.replace(/.*[0-9]/, (each) => each.toLowerCase())}${sign}${id}`,
    )
  })

  it.each(['NM', 'FM', 'HD', 'HD,HR', 'HD + HR', 'NF HD'])('the mods of the slot: %s', (mods) => {
    isEach(({ label, id }) => `${label} ${id} ${mods}`)
    isEach(({ label, id }) => `* ${label}: ${id} ${mods}`)
  })

  it('the sign of a list or a heading in front of all beatmaps, which are no comments', () => {
    isEach(
      ({ label, id }) => `## ${label}: [Old Lighthouse](https://osu.ppy.sh/b/${id})\nfirst pick`,
    )
    isEach(({ label, id }) => `# ${label} ${id}`)
    isRead(`# ${ids[0]}\n# ${ids[1]}`, [`null1 ${ids[0]}`, `null2 ${ids[1]}`])
    const link = (id: number | undefined): string => `# [https://osu.ppy.sh/b/${id} Old Lighthouse]`
    const wiki = ['=== NoMod ===', link(ids[0]), link(ids[1]), '=== Hidden ===', link(ids[2])]
    isRead(wiki.join('\n'), all.slice(0, 3))
    isRead(`NM1 ${ids[0]}\n# NM2 ${ids[1]}\n# https://osu.ppy.sh/b/75`, [`NM1 ${ids[0]}`])
  })

  it('and the mods that are played together make one bucket, however they are joined', () => {
    const pairs = forcedMods.flatMap((one, at) =>
      forcedMods.slice(at + 1).map((other) => [one, other]),
    )
    for (const pair of pairs.filter((mods) => modsOfCode(mods.join('')) !== null)) {
      const code = pair.join('')
      for (const lead of ['[A,B]', '[A, B]', '(A+B)', '{A & B}', 'A+B', 'A & B:', '- A + B -']) {
        const label = lead.replace('A', pair[0]!).replace('B', pair[1]!)
        const text = `${label} ${ids[0]}\n${label} https://osu.ppy.sh/b/${ids[1]}\nNM1 ${ids[2]}`
        const wanted = [`${code}1 ${ids[0]}`, `${code}2 ${ids[1]}`, `NM1 ${ids[2]}`]
        isRead(text, wanted)
        const heading = label.replace(/^- (.*) -$/, '$1:')
        isRead(`${heading}\n${ids[0]}\n${ids[1]}\nNM\n${ids[2]}`, wanted)
      }
    }
  })
})
