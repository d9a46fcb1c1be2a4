import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
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
