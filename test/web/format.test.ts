import * as fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
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
  shortDayFormat,
} from '../../src/web/format.ts'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

/** What the script that runs before the first paint makes of a moment. */
const paintedAs = async (as: string, dateTime: string): Promise<string> => {
  class Text {
    data = ''
  }
  const lastChild = new Text()
  const time = { dataset: { as }, dateTime, lastChild, contains: () => false }
  let end = (): void => {}
  vi.stubGlobal('Text', Text)
  vi.stubGlobal('navigator', { language: 'en-GB' })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal(
    'MutationObserver',
    class {
      observe(): void {}
      disconnect(): void {}
    },
  )
  vi.stubGlobal('document', {
    documentElement: { classList: { add: () => {} }, dataset: {}, lang: 'en' },
    cookie: '',
    readyState: 'complete',
    getElementsByTagName: () => [time],
    getElementById: () => null,
    addEventListener: (_: string, then: () => void) => (end = then),
  })
  vi.resetModules()
  await import('../../src/web/theme.ts')
  end()
  vi.stubGlobal('document', undefined)
  return lastChild.data
}

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

  it.each(['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'])(
    'names the year of a day when it is not the one that begins in %s, before the page is painted, too',
    async (zone) => {
      vi.stubEnv('TZ', zone)
      vi.stubGlobal('navigator', { language: 'en-GB' })
      const hours = fc.integer({ min: -40, max: 40 })
      await fc.assert(
        fc.asyncProperty(hours, hours, async (read, written) => {
          const [now, at] = [read, written].map((each) => Date.UTC(2027, 0, 1, each))
          vi.stubGlobal('performance', { timeOrigin: now, now: () => 0 })
          const text = shortDayFormat('en-GB')(new Date(at!).toISOString())
          const [year, day] = [
            { month: 'short', year: 'numeric' } as const,
            { day: 'numeric', month: 'short' } as const,
          ].map((options) => new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone }))
          const yearOf = (each: number) =>
            new Intl.DateTimeFormat('en-GB', { year: 'numeric', timeZone: zone }).format(each)
          const expected = (yearOf(now!) === yearOf(at!) ? day : year)!.format(at)
          expect(text).toBe(expected)
          expect(await paintedAs('short', new Date(at!).toISOString())).toBe(expected)
        }),
        { numRuns: 30 },
      )
    },
  )

  it('names the year of a day only when it is another one', () => {
    const thisYear = new Date(new Date().getFullYear(), 5, 15, 12).toISOString()
    expect(formatShortDay(thisYear)).not.toMatch(/\d{4}/)
    expect(formatShortDay('2019-06-15T12:00:00.000Z')).toContain('2019')
  })
})
