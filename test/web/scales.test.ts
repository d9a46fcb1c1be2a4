import { describe, expect, it } from 'vitest'
import { sliceOf } from '../../src/web/browse/results.tsx'
import { describeSpan, scales, spanOf, thumbsOf } from '../../src/web/browse/scales.ts'

describe('a slider', () => {
  it('asks for no bound at the ends of its scale', () => {
    expect(spanOf(scales.stars, 0, 10)).toEqual([null, null])
    expect(spanOf(scales.bpm, 60, 300)).toEqual([null, 300])
    expect(spanOf(scales.length, 90, 600)).toEqual([90, null])
  })

  it('stands at the end nearest to a bound beyond its scale', () => {
    expect(thumbsOf(scales.bpm, [10, 999])).toEqual([60, 360])
    expect(thumbsOf(scales.stars, [null, 6.5])).toEqual([0, 6.5])
  })

  it.each([
    [[null, null], 'any'],
    [[90, null], 'from 1:30'],
    [[null, 300], 'up to 5:00'],
    [[90, 300], '1:30 – 5:00'],
    [[90, 90], '1:30'],
  ] as const)('tells %j as %s', (span, text) => {
    expect(describeSpan(scales.length, span)).toBe(text)
  })
})

describe('the rows of a long list that are there', () => {
  it('are those in the window and some beyond on either side', () => {
    const [from, to] = sliceOf(-4_000, 800, 40, 5_000)
    expect(from).toBeLessThanOrEqual(100 - 8)
    expect(to).toBeGreaterThanOrEqual(120 + 8)
    expect(to - from).toBeLessThan(70)
  })

  it.each([
    [300, 800, 40, 5_000],
    [-199_000, 800, 40, 5_000],
    [-999_999, 800, 40, 5_000],
    [5_000, 800, 40, 5_000],
    [-400, 800, 40, 3],
    [0, 800, 40, 0],
  ])('never lie outside the list, and are some: %j %j %j %j', (top, height, row, rows) => {
    const [from, to] = sliceOf(top, height, row, rows)
    expect(from).toBeGreaterThanOrEqual(0)
    expect(to).toBeLessThanOrEqual(rows)
    expect(to - from).toBeGreaterThanOrEqual(Math.min(rows, 8))
  })

  it('change by strides, not with each pixel', () => {
    const slices = Array.from({ length: 100 }, (_, at) => sliceOf(-4_000 - at, 800, 40, 5_000))
    expect(new Set(slices.map(String)).size).toBeLessThanOrEqual(2)
  })
})
