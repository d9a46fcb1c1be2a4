import { describe, expect, it } from 'vitest'
import { formatUntil } from '../../src/web/parts/countdown.tsx'
import { isNarrowed, queryOf, readCriteria } from '../../src/web/tournaments/find-tournaments.ts'
import { factsOf, formatRanks } from '../../src/web/tournaments/tournament-words.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

describe('a countdown', () => {
  it.each([
    [12 * DAY + 4 * HOUR + 59 * MINUTE, '12 d 4 h'],
    [DAY, '1 d 0 h'],
    [DAY - SECOND, '23 h 59 min'],
    [3 * HOUR + 20 * MINUTE, '3 h 20 min'],
    [HOUR - SECOND, '59 min 59 s'],
    [4 * MINUTE + 10 * SECOND, '4 min 10 s'],
    [59 * SECOND, '59 s'],
    [1, '1 s'],
    [0, null],
    [-DAY, null],
  ])('of %i ms reads %s', (ms, text) => {
    expect(formatUntil(ms)).toBe(text)
  })
})

describe('the facts of a tournament', () => {
  it('are those that its hosts have given', () => {
    expect(factsOf({ ruleset: 'base' })).toEqual(['Standard'])
    expect(factsOf({ ruleset: 'mania', year: 2026, rankMin: 1000, rankMax: 9999 })).toEqual([
      'Mania',
      '2026',
      `#${(1000).toLocaleString()}–${(9999).toLocaleString()}`,
    ])
  })

  it.each([
    [undefined, 500, '#1–500'],
    [500, undefined, '#500+'],
    [undefined, undefined, ''],
  ])('ranks from %s to %s: %s', (min, max, text) => {
    expect(formatRanks(min, max)).toBe(text)
  })
})

describe('what a list of tournaments is narrowed to', () => {
  it('is read from the address as far as it makes sense, and asked for so', () => {
    const criteria = readCriteria('?search=%20cup%20&ruleset=taiko&rank=1234&year=2026&page=2')
    expect(criteria).toEqual({ search: ' cup ', ruleset: 'taiko', rank: '1234', year: '2026' })
    expect(queryOf(criteria, 2)).toEqual({
      search: 'cup',
      ruleset: 'taiko',
      rank: '1234',
      year: '2026',
      page: '2',
    })
    const odd = readCriteria('?ruleset=dance&rank=0&year=soon')
    expect(isNarrowed(odd)).toBe(false)
    expect(queryOf(odd, 1)).toEqual({})
  })

  it('is not half a year', () => {
    expect(queryOf(readCriteria('?year=20'), 1)).toEqual({})
  })
})
