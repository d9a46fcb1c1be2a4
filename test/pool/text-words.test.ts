import { expect, test } from 'vitest'
import { listed, yearAfter } from '../../src/pool/text.ts'

test.each([
  [[], 'nothing', ''],
  [['a'], 'one', 'a'],
  [['a', 'b'], 'two', 'a and b'],
  [['a', 'b', 'c'], 'as many as may be named', 'a, b and c'],
  [['a', 'b', 'c', 'd', 'e'], 'more', 'a, b, c and 2 more'],
])('%j, %s, reads %s', (texts, _, words) => {
  expect(listed(texts, 3)).toBe(words)
})

test.each([
  ['Harbour Lights Cup', 2025, ' 2025'],
  ['World Cup 2025', 2025, ''],
  ['2025 World Cup', 2025, ''],
  ['World Cup 2025', 2026, ' 2026'],
  ['Room 120255', 2025, ' 2025'],
  ['Harbour Lights Cup', null, ''],
  ['Harbour Lights Cup', undefined, ''],
])('a year is not said twice: %s of %s', (name, year, words) => {
  expect(yearAfter(name, year)).toBe(words)
})
