import { describe, expect, it } from 'vitest'
import {
  count,
  formatBpm,
  formatLength,
  formatPlainDay,
  formatRange,
  formatSentences,
  formatShortDay,
  formatStars,
  formatWait,
} from '../../src/web/format.ts'

describe('what people read', () => {
  it.each([
    [0, '0:00'],
    [59.6, '1:00'],
    [95, '1:35'],
    [258, '4:18'],
    [3599, '59:59'],
    [3725, '1:02:05'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatLength(seconds)).toBe(text)
  })

  it('has stars with two decimals and BPM whole', () => {
    expect([formatStars(5.9), formatStars(10), formatBpm(222.5)]).toEqual(['5.90', '10.00', '223'])
  })

  it.each([
    ['en', 'One. Two.'],
    ['ko', 'One. Two.'],
    ['zh-Hans', 'One.Two.'],
  ])('has sentences after one another as %s has them (D-107)', (language, text) => {
    expect(formatSentences(['One.', 'Two.'], language)).toBe(text)
  })

  it('has ranges, and one value where both ends read the same', () => {
    expect(formatRange([95, 258], formatLength)).toBe('1:35–4:18')
    expect(formatRange([174.2, 173.9], formatBpm)).toBe('174')
  })

  it('counts one and many', () => {
    expect([count(1, 'pack'), count(0, 'pack'), count(2, 'entry', 'entries')]).toEqual([
      '1 pack',
      '0 packs',
      '2 entries',
    ])
  })

  it.each([
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [61, '2 minutes'],
    [1799, '30 minutes'],
  ])('says of a wait of %d seconds: %s, never too short', (seconds, text) => {
    expect(formatWait(seconds)).toBe(text)
  })

  it('keeps a day that has no time in every zone', () => {
    const before = process.env['TZ']
    process.env['TZ'] = 'America/Los_Angeles'
    try {
      expect(formatPlainDay('2026-10-03')).toMatch(/\b3\b/)
    } finally {
      if (before === undefined) delete process.env['TZ']
      else process.env['TZ'] = before
    }
  })

  it('names the year of a day only when it is another one', () => {
    const thisYear = new Date(new Date().getFullYear(), 5, 15, 12).toISOString()
    expect(formatShortDay(thisYear)).not.toMatch(/\d{4}/)
    expect(formatShortDay('2019-06-15T12:00:00.000Z')).toContain('2019')
  })
})
