import { describe, expect, it } from 'vitest'
import {
  columnId,
  findBareIds,
  isUsualCode,
  readId,
} from '../../src/formats/import/lines/plausible-ids.ts'
import { readImport } from '../../src/formats/import/read-import.ts'
import { pasted } from './pasted-text.ts'

describe('a text of numbers alone', () => {
  it.each([
    ['129891, 75, 76', ['1 129891 numbers', '1 75 numbers', '1 76 numbers']],
    ['129891', null],
    ['75, 76', null],
    ['129891 75\n76', ['1 129891 numbers', '1 75 numbers', '2 76 numbers']],
    [
      '129891 129892\n129893 129894',
      ['1 129891 row', '1 129892 row', '2 129893 row', '2 129894 row'],
    ],
    ['129891 75\n129892 76', null],
    ['3 129891', null],
    ['99 129891\n', null],
    ['100 129891', ['1 100 numbers', '1 129891 numbers']],
    [
      '129891 129892\n\n[129893]',
      ['1 129891 numbers', '1 129892 numbers', '2 -', '3 129893 numbers'],
    ],
    ['﻿129891;129892', ['1 129891 numbers', '1 129892 numbers']],
    ['(129891) | 129892', ['1 129891 numbers', '1 129892 numbers']],
    // What ends a text is no line of its own.
    ['129891,129892\r\n', ['1 129891 numbers', '1 129892 numbers']],
    ['129891,129892\n\n', ['1 129891 numbers', '1 129892 numbers', '2 -']],
    ['129891,a', null],
    ['129891\n129892\n10000', null],
    ['9999 10000', ['1 9999 numbers', '1 10000 numbers']],
  ])('is a list of beatmaps where it can be nothing else: %j', (text, ids) => {
    const found = findBareIds(text)?.map(({ line, reading }) =>
      reading.kind === 'slot' ? `${line} ${reading.beatmapId} ${reading.rule}` : `${line} -`,
    )
    expect(found ?? null).toEqual(ids)
  })
})

describe('a cell', () => {
  it.each([
    ['129891', 129891, 129891],
    ['1', 1, 1],
    ['999', 999, 999],
    ['129891.0', 129891, 129891],
    ['129891.5', null, null],
    ['129,891', 129891, 129891],
    ['1,298,91', null, null],
    ['12.989.100', 12989100, 12989100],
    ['129.891', null, null],
    ["129'891", null, null],
    ["1'298'910", 1298910, 1298910],
    ['129 891', 129891, 129891],
    ['129 891', 129891, 129891],
    ['1 2', null, null],
    ['12 989 100', 12989100, 12989100],
    ["'129891", 129891, 129891],
    ['’129891', 129891, 129891],
    ['`129891`', 129891, 129891],
    ['**129891**', 129891, 129891],
    ['*129891', null, null],
    ['129891a', null, null],
    ['１２９８９１', 129891, 129891],
    ['https://osu.ppy.sh/b/75', null, 75],
    ['-5', null, null],
    ['', null, null],
    ['b129891', null, null],
    ['1,29', null, null],
  ])(
    'is a whole number in the ways of programs and sheets, or has one beatmap: %j',
    (cell, id, own) => {
      expect([readId(cell), columnId(cell)]).toEqual([id, own])
    },
  )

  it('has one beatmap, and no set', () => {
    const link = (path: string): string => `https://osu.ppy.sh/${path}`
    expect(columnId(`${link('b/75')} ${link('b/76')}`)).toBeNull()
    expect(columnId(link('beatmapsets/12'))).toBeNull()
    expect(columnId(link('beatmapsets/12#osu/75'))).toBe(75)
  })
})

describe('a code', () => {
  it('is one that tournaments use, with a number or without', () => {
    expect(['RC', 'TECH2', 'SP10', 'KES', 'KES1', '1'].map(isUsualCode)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})

describe('a number without a slot, a link or a name', () => {
  const asks = (text: string): string[] => pasted(text)
  const question = (line: number, id: number): string =>
    `${line}? No, leave them out | Yes, such as ${id}`

  it.each([
    ['a setting of a program', 'timeout = 30000', [question(1, 30000)]],
    [
      'rows of a number and another',
      '1\t129891\n2\t129892',
      [1, 2].map((at) => question(at, 129891)),
    ],
    [
      'a table of words',
      'one\t129891\ntwo\t129892\nthree\t129893',
      [1, 2, 3].map((at) => question(at, 129891)),
    ],
    [
      'three words with a number each',
      'Kestrel 1314159\nMerlin 1314160\nOsprey 1314161',
      [1, 2, 3].map((at) => question(at, 1314159)),
    ],
    [
      'one of a list that is too large',
      '129891\n9129892',
      [1, 2].map((at) => question(at, 129891)),
    ],
    [
      'one below a round that begins after the bucket',
      'Finals\nNM\n129891\nRO16\n9129892',
      ['NM1=129891', question(5, 9129892)],
    ],
  ])('is asked about: %s', (_, text, lines) => {
    expect(asks(text)).toEqual(lines)
  })

  it.each([
    ['a song beside it', 'Cirrus - Low\t129891\nDelta - Tide\t129892', ['1=129891', '2=129892']],
    ['two words', 'Kestrel 1314159\nMerlin 1314160', ['Kestrel1=1314159', 'Merlin1=1314160']],
    ['two numbers of a code', 'ABC1 9129891\nABC2 9129892', ['ABC1=9129891', 'ABC2=9129892']],
    ['a bucket above it', 'NM\n9129891', ['NM1=9129891']],
  ])('is a beatmap with %s', (_, text, lines) => {
    expect(asks(text)).toEqual(lines)
  })

  it('is none where most are too large', () => {
    const none = 'No beatmap id or link found. Example: “NM1 129891”.'
    expect(asks('9129891\n9129892\n129893')).toEqual([`1: ${none}`])
  })
})

describe('a line that corrects one above it', () => {
  const asked = (line: number): string => `${line}? It is 129893 | It is 129891`

  it.each([
    ['EDIT: NM1 is now 129893', [asked(1), asked(2)]],
    ['NM1 changed to https://osu.ppy.sh/b/129893', [asked(1), asked(2)]],
    ['Update: NM1 129891', ['NM1=129891']],
    [
      'NM1 changed from 129891 to 129893',
      ['NM1=129891', '2? NM1 is 129891 | NM1 is 129893 | Leave this line out'],
    ],
    ['Update: NM2 129893', ['NM1=129891', 'NM2=129893']],
    [
      'NM1 swapped with NM2 129893',
      ['NM1=129891', '2? NM1 is 129893 | NM2 is 129893 | Leave this line out'],
    ],
  ])('is asked with that one, if it names one slot and one other beatmap: %s', (line, lines) => {
    expect(pasted(`NM1 129891\n${line}`)).toEqual(lines)
  })
})

describe('numbers lower than any id, at all labels of data', () => {
  const forms: Readonly<Record<string, (pairs: Record<string, number>) => string>> = {
    JSON: (pairs) => JSON.stringify(pairs),
    'an object inside': (pairs) => JSON.stringify({ picks: pairs }),
    Python: (pairs) => `picks = ${JSON.stringify(pairs).replaceAll('"', "'")}`,
    YAML: (pairs) =>
      `picks:\n${Object.entries(pairs)
        .map(([label, number]) => `  ${label}: ${number}\n`)
        .join('')}`,
  }
  const labels = ['NM1', 'NM2', 'HD1', 'DT3']
  const slotsOf = (text: string) => {
    const { pools, questions } = readImport(text)
    return [pools.flatMap(({ draft }) => draft.slots).length, questions.length]
  }

  const pairs = (numbers: readonly number[]) =>
    Object.fromEntries(labels.map((label, at) => [label, numbers[at]!]))

  it.each(Object.entries(forms))(
    'are asked about: they count picks or the slots: %s',
    (_, form) => {
      for (const numbers of [
        [1, 2, 3, 4],
        [3, 49, 3, 1],
      ])
        expect(slotsOf(form(pairs(numbers)))).toEqual([0, 1])
    },
  )

  it.each(Object.entries(forms))('are beatmaps where one of them may be an id: %s', (_, form) => {
    expect(slotsOf(form(pairs([1, 2, 3, 50])))).toEqual([4, 0])
  })

  it('are beatmaps where they are alone, links or in a field for ids', () => {
    expect(slotsOf('{"NM1": 7}')).toEqual([1, 0])
    expect(slotsOf('{"NM1": "osu.ppy.sh/b/1", "NM2": 2}')).toEqual([2, 0])
    expect(slotsOf('[{"slot":"NM1","beatmap_id":1},{"slot":"NM2","beatmap_id":2}]')).toEqual([2, 0])
    expect(slotsOf('NM1 1\nNM2 2')).toEqual([2, 0])
  })
})

describe('numbers beside the checksums of beatmaps', () => {
  const sum = (at: number): string => `d41d8cd98f00b204e9800998ecf8427${at}`
  const rows = [
    ['NM1', 'Elm', '1523456', sum(1)],
    ['NM2', 'Ash', '2423456', sum(2)],
    ['HD1', 'Yew', '3323456', sum(3)],
  ] as const
  const slots = ['NM1=1523456', 'NM2=2423456', 'HD1=3323456']

  it('may be scores in rows that nothing names', () => {
    const json = JSON.stringify({ map: rows.map(([a, b, c, d]) => [a, b, Number(c), d]) })
    for (const text of [
      json,
      ...['\t', ',', '|'].map((sign) => rows.map((row) => row.join(sign)).join('\n')),
    ]) {
      const read = pasted(text)
      expect({ text, read }).toEqual({ text, read: Array(3).fill(expect.stringContaining('? No')) })
    }
  })

  it('are ids below their name, in their field, and as links', () => {
    const table = [['Slot', 'Title', 'Map ID', 'MD5'], ...rows].map((row) => row.join('\t'))
    expect(pasted(table.join('\n'))).toEqual(slots)
    const data = rows.map(([slot, title, id, md5]) => ({ slot, title, id: Number(id), md5 }))
    expect(pasted(JSON.stringify(data))).toEqual(slots)
    const links = rows.map(([slot, title, id, md5]) =>
      [slot, title, `https://osu.ppy.sh/b/${id}`, md5].join('\t'),
    )
    expect(pasted(links.join('\n'))).toEqual(slots)
  })
})
