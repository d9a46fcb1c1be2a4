import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

const cases = readingCases((file) => /^(?:lines|articles)/.test(file))

describe('all that is read of the lines of a text: slots and why, plans, refusals, notes, questions and their answers', () => {
  it.each(cases)('$name', ({ text, options, reading }) => {
    expect(wholeReading(text, options)).toBe(reading)
  })
})

it('the lines of a text are read the same whichever way they end', () => {
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
