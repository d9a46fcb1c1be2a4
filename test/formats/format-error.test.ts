import { expect, test } from 'vitest'
import { fault, FormatError } from '../../src/formats/format-error.ts'

test('a message begins with the place, when there is one (D-14)', () => {
  const remedy = fault('afterEnd')
  const text = 'there is extra text after the end; remove it'
  expect(new FormatError(remedy, { line: 3, column: 14 }).message).toBe(
    `line 3, column 14: ${text}`,
  )
  expect(new FormatError(remedy, { offset: 12 }).message).toBe(`byte 12: ${text}`)
  expect(new FormatError(remedy).message).toBe(text)
  expect(new FormatError(remedy).place).toBeNull()
})
