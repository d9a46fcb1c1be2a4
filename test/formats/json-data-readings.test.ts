import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { readingCases, wholeReading } from './whole-readings.ts'

const cases = readingCases((file) => file === 'data.txt')

describe('all that is read of JSON that was found somewhere, and what each answer makes of it', () => {
  it.each(cases)('$name', ({ text, options, reading }) => {
    expect(wholeReading(text, options)).toBe(reading)
  })
})

it('JSON is read the same with other white space, and its questions too', () => {
  for (const { text, name } of cases) {
    if (/sentence|comma|line each|ids as keys/.test(name)) continue
    const read = (json: string) => {
      const { pools, questions, notes } = readImport(json)
      const asked = questions.map((question) => ({ ...question, lines: [] }))
      return { drafts: pools.map(({ draft }) => draft), asked, notes: notes.map(withoutLine) }
    }
    expect(read(JSON.stringify(JSON.parse(text), null, 2)), name).toEqual(read(text))
  }
})

const withoutLine = (note: string): string => note.replace(/^Line \d+: /, '')
