import { describe, expect, it } from 'vitest'
import { readingCases, wholeReading } from './whole-readings.ts'

describe('all that is read of a text: slots and why, plans, refusals, notes, questions and their answers', () => {
  it.each(readingCases())('$name', ({ text, options, reading }) => {
    expect(wholeReading(text, options)).toBe(reading)
  })
})
