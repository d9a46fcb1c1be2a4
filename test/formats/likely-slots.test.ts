import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  isOwnSlot,
  mayBeSlot,
  partsOfLine,
  splitRow,
} from '../../src/formats/import/lines/likely-slots.ts'
import { BucketCodes } from '../../src/formats/import/words/labels.ts'
import { readPlannedLine, readRemarked } from '../../src/formats/import/lines/plans.ts'
import { emptyDraft } from '../../src/formats/import/read-import.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

const codes = new BucketCodes(emptyDraft)

/** Of which lines of chats and lists are made, and what rules for them look for. */
const word = fc.constantFrom(
  ...'NM1 HD2 nm TB tb1 EZ3 RC1 No Mod Hard Rock 2 id map Beatmap link by Ada of well played x'.split(
    ' ',
  ),
  ...'129891 75 3 1299 987654 b129891 set 300 pp 5* AR9 seed 4392947 １２９８９１ ＮＭ１ 2.'.split(
    ' ',
  ),
  'Ban 1',
  'Pick 2',
  'slot 3',
  '1.',
  '-',
  '*',
  '•',
  '[b]',
  '[*]',
  '~~75~~',
  '<@123456>',
  '__75__',
  '『',
)
const usualGap = fc.constantFrom(
  ' ',
  ' ',
  ' ',
  ' ',
  ': ',
  ' > ',
  ', ',
  ' - ',
  '(',
  ') ',
  '\u200b',
  '/',
)
const signs = fc
  .array(fc.constantFrom(...Array.from(' *)]:.}>•"\'!?=+&%$@^_`<{')), {
    minLength: 1,
    maxLength: 3,
  })
  .map((some) => some.join(''))
const gap = fc.oneof({ weight: 12, arbitrary: usualGap }, signs)
const start = fc.constantFrom(
  '',
  '',
  '[13:15] ',
  '[9:05] Ada: ',
  '12:30 ',
  'Ada: ',
  '<Ada> ',
  '# ',
  '> 1. ',
)
const anyLine = fc
  .tuple(start, fc.array(fc.tuple(word, gap), { minLength: 1, maxLength: 9 }))
  .map(([first, parts]) => first + parts.map(([text, between]) => text + between).join(''))

const remark = fc.constantFrom(
  '4 people',
  '300 pp',
  '1200 avg score',
  'set 1234',
  '<@123456789>',
  'AR9',
  '5.4 stars',
  'map',
  'link',
  'id',
  'by Ada Bo',
  'x',
  'and more of it',
)
/** A slot with something in front of it and behind it that the rules take away. */
const slotLine = fc
  .tuple(
    start,
    fc.constantFrom('', '', 'Ban 1 ', 'Pick 2 ', '1. ', 'map '),
    fc.constantFrom('NM1', 'NM 1', 'TB', 'Hard Rock 2', 'DT3 x', 'TB id', ''),
    fc.constantFrom('129891', '987654', '1299', 'b129891'),
    fc.array(remark, { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([first, prefix, label, id, rest, isBefore]) => {
    const slot = isBefore ? [label, id] : [id, label]
    return first + prefix + [...slot, ...rest].join(' ')
  })
const line = fc.oneof(anyLine, slotLine)

test('what may be no slot by a quick look is none by all the rules', () => {
  let [slots, denied] = [0, 0]
  fc.assert(
    fc.property(line, (text) => {
      const isSlot = [readPlannedLine, readRemarked].some(
        (read) => read(text, codes).kind === 'slot',
      )
      const isLikely = mayBeSlot(text, codes)
      slots += Number(isSlot)
      denied += Number(!isLikely)
      expect(isLikely || !isSlot, text).toBe(true)
    }),
    { numRuns: 20_000 },
  )
  // Both are tried.
  expect(Math.min(slots, denied)).toBeGreaterThan(300)
})

const [first, second] = [75, 76].map((id) => `https://osu.ppy.sh/b/${id}`)
/** Lines that list links with their texts, and what each becomes. */
const linkedLines = (
  [
    [
      `[b]NM[/b]: [url=${first}]1[/url] | [url=${second}]2[/url]`,
      ['NM:', `1. [url=${first}]1[/url]`, `2. [url=${second}]2[/url]`],
    ],
    [
      `**Hard Rock:** [Low - Tide [Hard]](${first}), [Lantern](<${second}>)`,
      ['Hard Rock:', `[Low - Tide [Hard]](${first})`, `[Lantern](<${second}>)`],
    ],
    [`[NM1](${first}) / [TB](${second})`, [`[NM1](${first})`, `[TB](${second})`]],
    [
      `NM1: [Low](${first}) __HD1:__ [Tide](${second})`,
      [`NM1 [Low](${first})`, `HD1 [Tide](${second})`],
    ],
    ...[
      `NM1: [Low](${first}) ([alt](${second}))`,
      `Low: [1](${first}) [2](${second})`,
      `NM: [1](${first}) [2](${second}) by Ada`,
      `NM: [1](${first}) [2](https://example.com)`,
    ].map((line): [string, string[]] => [line, [line]]),
  ] as [string, string[]][]
).map(([line, parts]): [string, [string, string][]] => [
  line,
  parts.map((part) => [line.includes(part) ? part : line, part]),
])

describe('a line', () => {
  it.each([
    ['NM1 129891', true],
    ['so I think 129891 is good', true],
    ['I like playing NM1', false],
    ['TB 129891 is not what I like', true],
    ['well played everyone here', false],
    ['a - b', true],
    ['a/b', true],
    ['#x', true],
    ['~x', true],
    ['[13:15] Ada: gg', true],
    ['[13:15] good game - all', true],
    ['[13:15] one two three', false],
    ['[13:15] one two map', true],
    ['129891', true],
    ['good 129891 one two', true],
    ['good 129891 one two three', false],
    ['1. good', true],
    ['Ban 1', true],
    ['Hard Rock 2 x y z', true],
    ['b12345 one two three', true],
    ['129891*) one two three', true],
    ['129891 * one two three', false],
    ['by ada one two three', false],
    ['x by ada one two', true],
    ['__a__ one', true],
    ['<@12345> one two three', true],
    ['set 123 one two three', true],
    ['300 points one two three', true],
    ['map 129891 id', true],
    ['', false],
    ['!!!', true],
    ['HD2 is hard to play well', true],
    ['hd is hard to play well', false],
    ['Tiebreaker 1 is hard to play', true],
    ['129891 link map url', true],
  ])('that may be a slot is told from talk at a glance: %j: %s', (text, may) => {
    expect(mayBeSlot(text, codes)).toBe(may)
  })

  it.each([
    ['NM1 129891', true],
    ['129891', false],
    ['KES1 129891', true],
    ['KES1 9999', false],
    ['KE1 10000', true],
    ['RO16 129891', false],
    ['Kes1 129891', false],
    ['Rice 129891', true],
    ['Hidden 129891', true],
    ['EZHD1 129891', true],
    ['NM1 TBA', true],
    ['KES1 TBA', false],
    ['NM1 Low Tide', true],
    ['NM:', false],
    ['Low Tide', false],
    ['NM1 is 12345 good', true],
    ['Tiebreaker is 12345 and 23456', true],
    ['Hard Rock is 12345 and 23456', true],
    ['NM is 12345 and 23456', false],
    ['- NM1 is 12345 and 23456', true],
    ['KES1 is 12345 and 23456', false],
    ['NM1 is 1234 and 2345', false],
  ])('is a slot by itself, in no list: %j: %s', (text, isSlot) => {
    const reading = readPlannedLine(text, codes)
    expect(isOwnSlot({ line: 1, text, reading }, undefined, codes)).toBe(isSlot)
  })

  it('is a slot by the usual bucket that is named right above it', () => {
    const finding = (text: string) => ({ line: 1, text, reading: readPlannedLine(text, codes) })
    const isBelow = (text: string): boolean => isOwnSlot(finding('129891'), finding(text), codes)
    expect(['Hidden', 'RC', 'EZHD:', 'KES', 'Low Tide', 'NM1 75'].map(isBelow)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it.each([
    ['!pool NM1: 129891 | HD1: 129892', ['NM1 129891', 'HD1 129892']],
    ['!mp NM1: 129891 | HD1: 129892', ['!mp NM1: 129891 | HD1: 129892']],
    ['NM: 129891, 75', ['NM:', '129891', '75']],
    ['NM: 129891 75', ['NM:', '129891', '75']],
    ['NM - 129891, 75', ['NM:', '129891', '75']],
    ['KES - 129891, 75', ['KES:', '129891', '75']],
    ['Low - 129891, 75', ['Low - 129891, 75']],
    ['NM1: 129891, 75', ['NM1: 129891, 75']],
    ['NM: 5, 75', ['NM: 5, 75']],
    ['NM1 129891 & HD1 75', ['NM1 129891', 'HD1 75']],
    ['NM1 129891, HD1 75', ['NM1 129891', 'HD1 75']],
    ['NM1 129891 HD1 129892', ['NM1 129891', 'HD1 129892']],
    ['NM1 129891 HD1 75', ['NM1 129891 HD1 75']],
    ['NM1 129891; HD1 75; Low 76', ['NM1 129891', 'HD1 75', 'Low: 76']],
    ['NM1 129891; Low 76', ['NM1 129891; Low 76']],
    ['NM1=129891&page=3&HD1=75', ['NM1=129891', 'page=3', 'HD1=75']],
    ['?NM1=129891&HD1=75', ['NM1=129891', 'HD1=75']],
    ['NM1=129891&HD=75', ['NM1 129891', 'HD:', '75']],
    ['NM 5, HD 3', []],
    ['NM: 129891, HD: 75', ['NM:', '129891', 'HD:', '75']],
    ['Hidden 5, Hard Rock 3', []],
    ['NM: 129891, 75, HD: 76', ['NM:', '129891', '75', 'HD:', '76']],
    ['NM1 tba, NM2 ???', ['NM1 tba', 'NM2 ???']],
    ['NM1 129891, 75', ['NM1 129891, 75']],
    ['TB 129891 | NM1 75', ['TB 129891', 'NM1 75']],
    ['NM1 → 75, NM2 => 76', ['NM1 75', 'NM2 76']],
    ['NM1 (75), NM2 (76)', ['NM1 75', 'NM2 76']],
    ['Low 129891 Tide 129892', ['Low 129891 Tide 129892']],
    ['NM1', ['NM1']],
    ['NM1 7', ['NM1 7']],
    ['Low Tide 1 2 3', ['Low Tide 1 2 3']],
    ['NM1 12345 NM2 1234', ['NM1 12345 NM2 1234']],
    ['NoMod (3): 75, 76, 77', ['NoMod:', '75', '76', '77']],
    ['Hidden (2 maps) - 129891, 129892', ['Hidden:', '129891', '129892']],
  ])('may have several slots: %j', (text, parts) => {
    expect(partsOfLine(text)).toEqual(parts)
  })

  it('of more than 1,000 characters has no several slots', () => {
    const list = (first: number): string => `NM: ${first},${' 129891,'.repeat(123)} 12989100`
    const lines = [75, 755].map(list)
    expect(lines.map((line) => [line.length, partsOfLine(line).length])).toEqual([
      [1000, 126],
      [1001, 1],
    ])
  })

  it.each([
    [
      '[list][*]NM1 75[*]NM2 76[/list]x',
      [
        ['[list]', '[list]'],
        ['[*]NM1 75', '[*]NM1 75'],
        ['[*]NM2 76[/list]', '[*]NM2 76[/list]'],
        ['x', 'x'],
      ],
    ],
    [
      'NM1 12345<br>NM2 12346<br/>',
      [
        ['NM1 12345', 'NM1 12345'],
        ['NM2 12346', 'NM2 12346'],
        ['', ''],
      ],
    ],
    ['NM1 12345<br>Low Tide', [['NM1 12345<br>Low Tide', 'NM1 12345<br>Low Tide']]],
    ['NM1 12345<br />', [['NM1 12345', 'NM1 12345']]],
    ['NM 5, HD 3', [['NM 5, HD 3', '']]],
    ...linkedLines,
    [
      'NM1 129891 & HD1 75',
      [
        ['NM1 129891', 'NM1 129891'],
        ['HD1 75', 'HD1 75'],
      ],
    ],
    ['NM1 75', [['NM1 75', 'NM1 75']]],
  ])('may be several lines, each with its own text: %j', (text, rows) => {
    const split = splitRow({ line: 3, text, cells: [text] })
    expect(split.map((row) => [row.text, ...row.cells])).toEqual(rows)
    expect(split.map(({ line }) => line)).toEqual(rows.map(() => 3))
  })
})

describe('all that is read of a text with several slots in a line', () => {
  it.each(readingCases((file) => file === 'lists.txt'))('$name', ({ text, reading }) => {
    expect(wholeReading(text)).toBe(reading)
  })
})
