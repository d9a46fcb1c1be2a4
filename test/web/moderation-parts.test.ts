import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Filter,
  singleStates,
  queryOf,
  readFilter,
  showsWholeRow,
  writeFilter,
} from '../../src/web/moderation/filter.ts'
import { moved, placeOf, wayOf } from '../../src/web/moderation/pin-drag.ts'

const all: Filter = { query: '', only: null, page: 1 }

describe('what moderators look at, in the address', () => {
  it('is bare when it is everything', () => {
    expect(writeFilter(all)).toBe('')
    expect(readFilter('')).toEqual(all)
  })

  it('comes back as it was written', () => {
    const filters = fc.record({
      query: fc.string({ unit: 'grapheme', maxLength: 20 }),
      only: fc.constantFrom(null, ...singleStates),
      page: fc.integer({ min: 1, max: 999_999 }),
    })
    fc.assert(
      fc.property(filters, (filter) => {
        expect(readFilter(writeFilter(filter))).toEqual(filter)
      }),
    )
  })

  it('leaves out what it does not understand', () => {
    expect(readFilter('?only=private&page=-1&view=log')).toEqual(all)
    expect(readFilter(`?query=${'x'.repeat(300)}`).query).toHaveLength(100)
  })

  it('is asked of the site without what is empty', () => {
    expect(queryOf({ ...all, query: '  ' })).toEqual({ page: 1 })
    expect(queryOf({ query: ' cup ', only: 'hidden', page: 2 })).toEqual({
      query: 'cup',
      only: 'hidden',
      page: 2,
    })
  })

  it('is the whole pinned row only where nothing narrows it', () => {
    expect(showsWholeRow({ ...all, only: 'pinned' })).toBe(true)
    expect(showsWholeRow({ ...all, only: 'pinned', query: 'cup' })).toBe(false)
    expect(showsWholeRow(all)).toBe(false)
  })
})

describe('the order of the pins', () => {
  it.each([
    [0, 2, 'bcad'],
    [2, 0, 'cabd'],
    [1, 1, 'abcd'],
    [3, 0, 'dabc'],
  ])('with the one at %d moved to %d is %s', (from, to, order) => {
    expect(moved(['a', 'b', 'c', 'd'], from, to).join('')).toBe(order)
  })

  // Three rows of 50, and one of 100 between them.
  const rows = [
    { top: 0, bottom: 50 },
    { top: 50, bottom: 150 },
    { top: 150, bottom: 200 },
    { top: 200, bottom: 250 },
  ]

  it.each([
    [0, 0, 0],
    [0, 70, 0],
    [0, 80, 1],
    [0, 151, 2],
    [0, 9_000, 3],
    [3, -40, 3],
    [3, -51, 2],
    [3, -9_000, 0],
    [1, 20, 1],
  ])('puts row %d dragged by %d pixels at %d', (from, by, to) => {
    expect(placeOf(rows, from, by)).toBe(to)
  })

  it('lets the rows between make way, and no others', () => {
    expect(rows.map((_, at) => wayOf(at, 0, 2, 50))).toEqual([0, -50, -50, 0])
    expect(rows.map((_, at) => wayOf(at, 3, 1, 50))).toEqual([0, 50, 50, 0])
    expect(rows.map((_, at) => wayOf(at, 1, 1, 50))).toEqual([0, 0, 0, 0])
  })
})
