import { describe, expect, it } from 'vitest'
import { mergeRounds } from '../../src/formats/bracket/write-bracket.ts'
import {
  insertParts,
  JsonText,
  type JsonValue,
  layoutOf,
  NEVER_FLAT,
  type NewPart,
  writeJson,
} from '../../src/formats/json/edit-json.ts'
import { memberOf, scanJson } from '../../src/formats/json/scan-json.ts'

const value: JsonValue = { a: [1, { b: 'c' }], d: [], e: {}, f: new JsonText('1.0') }

describe('JSON is written', () => {
  it.each<[number, string]>([
    [0, '{"a": [1, {"b": "c"}], "d": [], "e": {}, "f": 1.0}'],
    [1, '{\n  "a": [1, {"b": "c"}],\n  "d": [],\n  "e": {},\n  "f": 1.0\n}'],
    [2, '{\n  "a": [\n    1,\n    {"b": "c"}\n  ],\n  "d": [],\n  "e": {},\n  "f": 1.0\n}'],
  ])('with what is deeper than %d on one line', (depth, text) => {
    expect(writeJson(value, undefined, '', depth)).toBe(text)
  })

  it('with line breaks, steps and colons of a layout, from the indentation of its line on', () => {
    const layout = { isSpread: true, newline: '\r\n', unit: '\t', colon: ' :' }
    expect(writeJson(value, layout, ' ')).toBe(
      '{\r\n \t"a" :[\r\n \t\t1,\r\n \t\t{\r\n \t\t\t"b" :"c"\r\n \t\t}\r\n \t],\r\n \t"d" :[],\r\n \t"e" :{},\r\n \t"f" :1.0\r\n }',
    )
    expect(writeJson(value, layout, '', 0)).toBe('{"a" :[1,{"b" :"c"}],"d" :[],"e" :{},"f" :1.0}')
  })
})

describe('the layout of a text', () => {
  it.each([
    ['{}', { isSpread: true, newline: '\n', unit: '  ', colon: ': ' }],
    ['{\r\n}', { isSpread: true, newline: '\r\n', unit: '  ', colon: ': ' }],
    ['{"a":1}', { isSpread: false, newline: '\n', unit: '  ', colon: ':' }],
    ['{ "a" : 1 }\r', { isSpread: false, newline: '\r', unit: '  ', colon: ' : ' }],
    ['{\n\t"a": 1\n}', { isSpread: true, newline: '\n', unit: '\t', colon: ': ' }],
    ['{\r   "a":\r1\r}', { isSpread: true, newline: '\r', unit: '   ', colon: ': ' }],
    ['\ufeff{\n\n "a":  1}', { isSpread: true, newline: '\n', unit: ' ', colon: ':  ' }],
  ])('%j is as its outermost object shows it', (text, layout) => {
    expect(layoutOf(text, scanJson(text))).toEqual(layout)
  })
})

describe('parts are added', () => {
  const added = (text: string, parts: readonly NewPart[], depth = NEVER_FLAT): string => {
    const root = scanJson(text)
    return insertParts(text, root, layoutOf(text, root), parts, () => depth)
  }

  it.each<[string, readonly NewPart[], string]>([
    ['{"a":1}', [], '{"a":1}'],
    [
      '{"a":1 }',
      [
        ['b', 2],
        ['c', [3]],
      ],
      '{"a":1,"b":2,"c":[3] }',
    ],
    ['{ "a" : 1 }', [['b', { c: 2 }]], '{ "a" : 1, "b" : {"c" : 2} }'],
    ['{\n  "a": 1\n}\n', [['b', [2]]], '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'],
    ['{ }', [['a', [1]]], '{\n  "a": [\n    1\n  ]\n}'],
    [
      '[1]',
      [
        [null, 2],
        [null, 'x'],
      ],
      '[1,2,"x"]',
    ],
    ['[]', [[null, 2]], '[\n  2\n]'],
    ['[\n\t1,\n\n\t2]', [[null, 3]], '[\n\t1,\n\n\t2,\n\n\t3]'],
  ])('to %j behind its last one, laid out as it', (text, parts, expected) => {
    expect(added(text, parts)).toBe(expected)
  })

  it('on one line each from a depth on', () => {
    expect(added('{\n "a": 1\n}', [['b', [2, { c: 3 }]]], 0)).toBe(
      '{\n "a": 1,\n "b": [2, {"c": 3}]\n}',
    )
    expect(added('{\n "a": 1\n}', [['b', [2, { c: 3 }]]], 1)).toBe(
      '{\n "a": 1,\n "b": [\n  2,\n  {"c": 3}\n ]\n}',
    )
  })
})

describe('a round that is put into a bracket.json', () => {
  const round = (name: string, ...ids: number[]) => ({
    name,
    pool: {
      name,
      buckets: null,
      slots: ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId })),
    },
  })

  it.each([
    ['beatmaps on one line', '"Beatmaps": [{"ID":1,"Mods":"NM"}]', '[{"ID": 2, "Mods": "NM"}]'],
    [
      'a beatmap a line',
      '"Beatmaps": [\n   {"ID":1,"Mods":"NM"}\n  ]',
      '[\n   {"ID": 2, "Mods": "NM"}\n  ]',
    ],
    [
      'a field a line',
      '"Beatmaps": [\n   {\n    "ID":1}]',
      '[\n   {\n    "ID": 2,\n    "Mods": "NM"\n   }\n  ]',
    ],
    ['none', '"Beatmaps": []', '[\n   {\n    "ID": 2,\n    "Mods": "NM"\n   }\n  ]'],
    ['null', '"Beatmaps": null', '[\n   {\n    "ID": 2,\n    "Mods": "NM"\n   }\n  ]'],
  ])('has its beatmaps laid out as those that were there: %s', (_, old, beatmaps) => {
    const text = `{\n "Rounds": [{\n  "Name": "QF",\n  ${old}\n }]\n}`
    const merged = mergeRounds(text, [round('QF', 2)])
    expect(merged).toBe(`{\n "Rounds": [{\n  "Name": "QF",\n  "Beatmaps": ${beatmaps}\n }]\n}`)
  })

  it('keeps settings that are the same, and changes or adds the others', () => {
    const text =
      '{"Rounds":[{"Name":"QF","BestOf":9.0,"BanCount":1,"StartDate":"2026-10-03T18:00:00+00:00","Beatmaps":[]},{"Name":"SF"},7]}'
    const of = (changes: object) => mergeRounds(text, [{ ...round('QF'), ...changes }])
    expect(of({ bestOf: 9, bans: 1, startsAt: '2026-10-03T20:00:00+02:00' })).toBe(text)
    expect(of({ bestOf: 1 })).toBe(text.replace('9.0', '3'))
    expect(of({ bans: 2 })).toBe(text.replace('"BanCount":1', '"BanCount":2'))
    expect(of({ startsAt: '2026-10-04T18:00:00Z' })).toBe(
      text.replace('2026-10-03T18:00:00+00:00', '2026-10-04T18:00:00Z'),
    )
    expect(mergeRounds(text, [{ ...round('SF', 5), bestOf: 11, bans: 0 }])).toBe(
      text.replace('"SF"', '"SF","BestOf":11,"BanCount":0,"Beatmaps":[{"ID":5,"Mods":"NM"}]'),
    )
  })

  it('is added behind the last, laid out as it, and several in their order', () => {
    const text = '{"Rounds":[{"Name":"QF"}]}'
    const added = (name: string): string =>
      `,{"Name":"${name}","Description":"","BestOf":3,"BanCount":1,"Matches":[],"Beatmaps":[]}`
    expect(mergeRounds(text, [round('SF'), round('QF'), round('F')])).toBe(
      `{"Rounds":[{"Name":"QF","Beatmaps":[]}${added('SF')}${added('F')}]}`,
    )
  })

  it('is refused where its name is there or wanted twice', () => {
    const twice = '{"Rounds":[{"Name":"QF"},{"Name":" QF"}]}'
    expect(() => mergeRounds(twice, [round('QF')])).toThrow(/^line 1, column 26: .*QF/)
    expect(() => mergeRounds('{}', [round('QF'), round(' QF')])).toThrow(/QF/)
    expect(mergeRounds(twice, [])).toBe(twice)
  })
})

it('the value of a member is found by its key in any case, which is refused where it is there twice', () => {
  const text = '{"Ab": 1, "\\u0062": {"a": 3}, "c": 4, "C": 5}'
  const root = scanJson(text)
  const valueOf = (key: string): string | undefined => {
    const span = memberOf(text, root, key)
    return span && text.slice(span.start, span.end)
  }
  expect(['AB', 'b', 'a'].map(valueOf)).toEqual(['1', '{"a": 3}', undefined])
  expect(() => valueOf('c')).toThrow('line 1, column 39: this object has "c" twice')
})
