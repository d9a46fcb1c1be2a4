import { expect, test } from 'vitest'
import { FormatError } from '../../src/formats/format-error.ts'

test('a message begins with the place, when there is one (D-14)', () => {
  const remedy = 'a comma must stand here'
  expect(new FormatError(remedy, { line: 3, column: 14 }).message).toBe(
    'line 3, column 14: a comma must stand here',
  )
  expect(new FormatError(remedy, { offset: 12 }).message).toBe('byte 12: a comma must stand here')
  expect(new FormatError(remedy).message).toBe(remedy)
  expect(new FormatError(remedy).place).toBeNull()
})
