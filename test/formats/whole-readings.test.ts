import { describe, expect, it } from 'vitest'
import { readingCases, wholeReading } from './whole-readings.ts'

describe('all that is read of a text: slots and why, plans, refusals, notes, questions and their answers', () => {
  it.each(readingCases((file) => file !== 'data.txt'))('$name', ({ text, options, reading }) => {
    expect(wholeReading(text, options)).toBe(reading)
  })
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
