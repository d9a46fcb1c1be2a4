import { describe, expect, it } from 'vitest'
import { LONGEST_TEXT, readImport } from '../../src/formats/import/read-import.ts'
import { expectCheaper, expectLinear, expectLinearSoon } from '../support/linear.ts'

type Kind = readonly [name: string, unit: string, before?: string, after?: string]

/** Texts of one piece over and over, which lead readers to look back, ahead or deeper. */
const repeated: readonly Kind[] = [
  ['one line', 'a'],
  ['one number', '1'],
  ['one line of labels', 'NM1 '],
  ['lines', 'a\n'],
  ['empty lines', '\r'],
  ['ids', '75\n'],
  ['commas', ','],
  [
    'headers of mods in many spellings',
    [
      'mods',
      'Mods',
      'MODS',
      'mod',
      'Mod',
      'mOds',
      'moDs',
      'modS',
      'MoDs',
      'mod_int',
      ' mods',
      'mods ',
    ]
      .map((name) => `${name},75\n`)
      .join(''),
  ],
  ['tabs', '\t'],
  ['pipes', '|-|-|\n'],
  ['backslashes', '\\'],
  ['quotes', '"'],
  ['a quote that is not closed', 'a\n', '"'],
  ['brackets', '[x]'],
  ['wide brackets', '【'],
  ['brackets that are not closed', '['],
  ['objects that are not closed', '{"a":'],
  ['Python that is not closed', "{'a':[", 'x = '],
  ['parentheses', '(', 'a = '],
  ['a text in JSON that is not closed', "a\\'", "['"],
  ['backslashes in JSON', '\\\\', '["', '"]'],
  ['comments in JSON', '/* */', '[', ']'],
  ['stars in a comment', '* ', '[/*'],
  ['comments of a line', '//\n', '[', ']'],
  ['spaces in JSON', ' ', '[', 'x'],
  ['numbers in JSON', '1,', '[', '1]'],
  ['keys in JSON', '"NM1":75,', '{', '"z":0}'],
  ['lists that are asked about', '"Warmup":[1,2],', '{', '"z":0}'],
  ['objects of one line each', '{"code":"NM1","id":75}\n'],
  ['pools without slots', '{"slots":[]},', '[', '{}]'],
  ['mods of a beatmap', '"HD",', '[{"id":5,"mods":[', '"HD"]}]'],
  ['rounds of a bracket', '{"Name":"a","Beatmaps":[{"ID":5,"Mods":"NM"}]},', '{"Rounds":[', '{}]}'],
  ['headers', 'Slot,Beatmap ID\n'],
  ['rows below a header', 'NM1,75\n', 'Slot,Beatmap ID\n'],
  ['rows of letters', 'a,b,c,d\n'],
  ['rows of labels', 'A1,B2\n'],
  ['rows of Hangul', '결승,준결승 2,히든\n'],
  ['rows of several widths', 'a\na,b\na,b,c\n'],
  ['headers of players', 'Player,Score\na,1\n'],
  ['headers without rows', 'Slot,ID\n\n'],
  ['keys with lists', 'a:\n  - b\n'],
  ['sections', '[a.NM]\nx\n'],
  ['rows of a round', 'A,NM1,75\n', 'Round,Slot,Beatmap ID\n'],
  ['headings of rounds', 'Finals\n'],
  ['headings', '## a\n'],
  ['signs of a heading', '#'],
  ['stars of a heading', '*', '## ', 'a'],
  ['escapes in a heading', '\\[', '## '],
  ['boxes', '[box=a]\n'],
  ['tags', '[b][/b]'],
  ['links', 'https://osu.ppy.sh/b/75 '],
  ['link texts', '[a](/b/75'],
  ['pack keys', 'pk1.AQFhAQICrAKFPA\n'],
  ['pack keys that do not open', 'pk1.'],
  ['program text', 'const a = [1]\n'],
  ['names of variables', 'a.', '', '= ['],
  ['mods in words', 'Hard Rock '],
  ['figures in front of a label', '6.1* :a: [6.1] 2:31 '],
  ['beatmaps behind hashes', '# NM1 12345\n'],
  ['rounds as keys', 'Finals:\nNM1: 12345\n', 'Finals:\n'],
  ['rounds of divisions', 'Tier 1\nFinals\nNM1 12345\n'],
  ['invisible characters', '\u200b'],
  ['halves of characters', '\ud800'],
]

type Made = readonly [name: string, make: (length: number) => string]

/** Texts in which every part is another one. */
const counted: readonly Made[] = [
  ['nested lists', (length) => '['.repeat(length / 2) + ']'.repeat(length / 2)],
  ['nested pools', (length) => nested('{"slots":[', ']}', length)],
  ['nested rounds', (length) => nested('{"rounds":[{"name":"a","maps":[', ']}]}', length)],
  [
    'a question a beatmap',
    (length) => `[${series(length, (at) => `{"id":${at},"mods":"Q${at}"},`)}{}]`,
  ],
  ['fields', (length) => `{${series(length, (at) => `"id${at}":${at},`)}"z":0}`],
  ['rounds', (length) => `Round,Slot,Beatmap ID\n${series(length, (at) => `R${at},NM1,75\n`)}`],
  ['rows of words', (length) => series(length, (at) => `${word(at)},${word(at * 7)},x\n`)],
  ['rounds of YAML', (length) => series(length, (at) => `round_${at}:\n  NM1: ${at}\n`)],
  ['buckets', (length) => series(length, (at) => `A${at.toString(36)}x 1 ${at}\n`)],
  ['weeks', (length) => series(length, (at) => `Week ${at % 99}\n`)],
]

const ENDS = 100

function nested(open: string, close: string, length: number): string {
  const depth = Math.floor((length - ENDS) / (open.length + close.length))
  return open.repeat(depth) + close.repeat(depth)
}

/** Another word for each number. */
const word = (at: number): string => (at + 1e6).toString(36)

function series(length: number, part: (at: number) => string): string {
  const parts: string[] = []
  for (let left = length - ENDS, at = 1; left > 0; at += 1) {
    const next = part(at)
    parts.push(next)
    left -= next.length
  }
  return parts.join('')
}

const made: readonly Made[] = [
  ...repeated.map(([name, unit, before = '', after = '']): Made => [
    name,
    (length) => {
      const times = Math.floor((length - before.length - after.length) / unit.length)
      return before + unit.repeat(times) + after
    },
  ]),
  ...counted,
]

// `npm run import-texts` reads 1 MB of each.
const expectIn = process.env['IMPORT_TEXTS'] === 'whole' ? expectLinear : expectLinearSoon

describe('up to 1 MB of anything is read in time that grows with it alone, into no more than it holds', () => {
  it.each(made)('%s', (_, make) => {
    const length = LONGEST_TEXT - ENDS
    expectIn(' '.repeat(length), (part) => {
      const text = make(part.length)
      const { pools, others, questions } = readImport(text)
      const lines = [...pools.flatMap((pool) => pool.lines), ...others]
      expect(lines.length).toBeLessThanOrEqual(text.length + 1)
      expect(questions.length).toBeLessThanOrEqual(lines.length + 1)
      const listed = lines.reduce((sum, line) => sum + line.text.length, 0)
      expect(listed).toBeLessThanOrEqual(text.length)
      const asked = questions.reduce((sum, question) => sum + question.lines.length, 0)
      expect(asked).toBeLessThanOrEqual(lines.length)
    })
  })
})

describe('what is there again is read once', () => {
  const size = 60_000
  const same = (line: string): string => line.repeat(size / line.length)
  it.each([
    ['rows', same('abcd,efgh,ijkl,mnop\n'), (at: number) => `${word(at)},${word(at * 7)},x,y\n`],
    ['lines', same('abcd efgh - ijkl\n'), (at: number) => `${word(at)} ${word(at * 7)} - ij\n`],
  ])('%s', (_, again, line) => {
    const different = series(size, line)
    expectCheaper(
      () => readImport(again),
      () => readImport(different),
    )
  })

  it('but not below another header', () => {
    const row = '129891,NM1,75'
    const text = ['Map ID,Slot,Set ID', row, 'Finals', 'Set ID,Slot,Map ID', row].join('\n')
    expect(readImport(text).beatmapIds).toEqual([129_891, 75])
  })
})
