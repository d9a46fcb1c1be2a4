import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeSlots } from '../../src/pool/star-scale.ts'
import { placeCodes, nearestPlace, starScale } from '../../src/web/pool/plot-scale.ts'

describe('the scale of the plot', () => {
  it('holds all ratings between lines that people can read', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 15, noNaN: true }), { maxLength: 64 }),
        (stars) => {
          const { from, to, lines } = starScale(stars)
          expect(Math.min(...stars, Infinity)).toBeGreaterThanOrEqual(stars.length === 0 ? 0 : from)
          expect(Math.max(...stars, 0)).toBeLessThanOrEqual(to)
          expect(lines.length).toBeGreaterThanOrEqual(2)
          expect(lines.length).toBeLessThanOrEqual(6)
          expect(lines[0]).toBe(from)
          expect(lines.at(-1)).toBeLessThanOrEqual(to)
          expect(lines.every((line) => Number.isInteger(line * 2))).toBe(true)
        },
      ),
    )
  })

  it('goes by half stars where all are close together, and by whole ones else', () => {
    expect(starScale([5.9, 6.4]).lines).toEqual([5.5, 6, 6.5])
    expect(starScale([4.6, 7.2]).lines).toEqual([4, 5, 6, 7, 8])
  })

  it('is there before anything is known', () => {
    expect(starScale([])).toMatchObject({ from: 3, to: 8 })
  })
})

describe('the places of the dots', () => {
  it('leave more room between buckets', () => {
    expect(placeSlots(['NM', 'NM', 'HD', 'TB'])).toEqual([0, 1, 2.8, 4.6])
    expect(placeSlots([])).toEqual([])
  })

  it('answer to the nearest pointer', () => {
    expect([-5, 4, 6, 90].map((x) => nearestPlace([0, 10, 20], x))).toEqual([0, 0, 1, 2])
    expect(nearestPlace([], 3)).toBe(-1)
  })
})

describe('the codes below', () => {
  const measure = (text: string): number => 10 * Array.from(text).length

  it('are whole and never overlap, on as few lines as that takes', () => {
    const code = fc.string({ minLength: 1, maxLength: 12 })
    const gaps = fc.array(fc.tuple(code, fc.integer({ min: 1, max: 90 })), { maxLength: 16 })
    fc.assert(
      fc.property(gaps, (drawn) => {
        let x = 20
        const codes = drawn.map(([text, gap]) => ({ code: text, x: (x += gap) }))
        // Wider than the longest code.
        const width = Math.max(x + 20, 140)
        const { lines, places } = placeCodes(codes, width, measure)
        expect(places).toHaveLength(codes.length)
        expect(lines).toBeLessThanOrEqual(Math.max(codes.length, 1))
        const ends = new Map<number, number>()
        for (const [at, { x: middle, line }] of places.entries()) {
          const half = measure(codes[at]!.code) / 2
          expect(middle - half).toBeGreaterThanOrEqual(ends.get(line) ?? 0)
          expect(middle + half).toBeLessThanOrEqual(width)
          ends.set(line, middle + half)
        }
        if (lines > 1) expect(new Set(places.map(({ line }) => line)).size).toBe(lines)
      }),
    )
  })

  it('are whole at the edges, too, and centred where there is room', () => {
    const codes = [
      { code: 'NM', x: 60 },
      { code: 'DT', x: 230 },
      { code: 'RESERVE', x: 310 },
      { code: 'TB', x: 335 },
    ]
    const { places } = placeCodes(codes, 350, measure)
    expect(places.map(({ x }) => x)).toEqual([60, 230, 309, 334])
    const [last] = placeCodes([{ code: 'RESERVE', x: 340 }], 350, measure).places
    expect(last).toEqual({ x: 309, line: 0 })
  })
})
