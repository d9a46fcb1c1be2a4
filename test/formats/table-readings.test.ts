import { describe, expect, it } from 'vitest'
import { type ImportOptions, readImport } from '../../src/formats/import/read-import.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

const cases = readingCases((file) => /^(?:columns|places|table|transposed)/.test(file))

describe('all that is read of a table: slots and why, plans, refusals, notes, questions and their answers', () => {
  it.each(cases)('$name', ({ text, options, reading }) => {
    expect(wholeReading(text, options)).toBe(reading)
  })
})

it('a table is read the same whichever way its lines end', () => {
  // Some of them are enough.
  for (const { text, options, name } of cases.filter((_, at) => at % 8 === 0)) {
    const { pools, questions, notes } = readImport(text, options)
    const other = readImport(text.replaceAll('\n', '\r\n'), options)
    expect(other, name).toMatchObject({
      pools: pools.map(({ name: round, draft }) => ({ name: round, draft })),
      questions,
      notes,
    })
  }
})

/** What is read, whatever is said of the places where it stands. */
function placed(text: string, options: ImportOptions) {
  const { pools, others, questions, notes } = readImport(text, options)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  return {
    pools: pools.map(({ name, draft }) => ({ name, draft })),
    outcomes: lines
      .filter((line) => /[^\s,;]/.test(line.text))
      .map((line) => `${line.outcome} ${line.outcome === 'refused' ? line.reason : ''}`),
    questions: questions.map(({ choices }) => choices.length),
    notes: notes.length,
  }
}

const asItIs = new Map<string, ReturnType<typeof placed>>()

const separatorOf = (text: string): string | undefined =>
  text.includes('"')
    ? undefined
    : ['\t', ';', ','].find((each) => text.split('\n').every((line) => line.includes(each)))

// A row that begins with the name of a round may be a line that has commas.
const mayBeLines = 'the first cell of a row that is the heading of a round, beside other cells'

it.each<[string, (rows: readonly string[], separator: string, width: number) => string[]]>([
  ['a row in front', (rows, separator, width) => [separator.repeat(width), ...rows]],
  ['a row behind', (rows, separator, width) => [...rows, separator.repeat(width)]],
  ['a column in front', (rows, separator) => rows.map((row) => separator + row)],
  ['a column behind', (rows, separator) => rows.map((row) => row + separator)],
  [
    'rows and columns around',
    (rows, separator, width) => {
      const blank = separator.repeat(width + 2)
      return [blank, blank, ...rows.map((row) => separator + row + separator), blank]
    },
  ],
])('a table is read the same whatever margin it has: %s', (_, around) => {
  let tried = 0
  for (const { text, options, name } of cases) {
    const separator = separatorOf(text)
    if (separator === undefined || name === mayBeLines) continue
    tried += 1
    const rows = text.split('\n')
    const width = Math.max(...rows.map((row) => row.split(separator).length - 1))
    const other = around(rows, separator, width).join('\n')
    const own = asItIs.get(name) ?? placed(text, options)
    asItIs.set(name, own)
    expect([name, placed(other, options)]).toEqual([name, own])
  }
  expect(tried).toBeGreaterThan(200)
})

it.each([
  [200, 129895],
  [201, 129891],
])('a link in cell %i of a row: the first 200 are read', (place, beatmapId) => {
  const filled = ['NM1', '129891', ...Array<string>(place - 3).fill('')]
  const rows = [
    [...filled, 'https://osu.ppy.sh/b/129895'],
    [...filled.with(0, 'NM2'), ''],
  ]
  const text = rows.map((cells) => cells.join('\t')).join('\n')
  expect(wholeReading(text, {})).toContain(`1: NM1 ${beatmapId} by`)
})
