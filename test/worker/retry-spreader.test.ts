import { expect, test } from 'vitest'
import { RetrySpreader } from '../../src/worker/stats.ts'

test('the first comes back when calls may be made, the others one call later each', () => {
  const line = new RetrySpreader()
  expect([1, 2, 3].map(() => line.place(60_000, 0))).toEqual([60_000, 61_800, 63_600])
})

test('nobody waits longer than ten minutes for their place', () => {
  const line = new RetrySpreader()
  const places = Array.from({ length: 10_000 }, () => line.place(60_000, 0))
  expect(Math.max(...places)).toBe(660_000)
})

test('a clock that ran ahead lengthens no line once it is put right (D-53)', () => {
  const line = new RetrySpreader()
  for (let each = 0; each < 100; each++) line.place(10_860_000, 10_800_000)
  expect(line.place(60_000, 0)).toBe(60_000)
})

test('the line is empty again when the moment has come', () => {
  const line = new RetrySpreader()
  for (let each = 0; each < 100; each++) line.place(60_000, 0)
  expect(line.place(120_000, 60_000)).toBe(120_000)
})
