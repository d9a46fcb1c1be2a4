import * as texts from '#texts/common'
import { language } from '#texts/language'
import type { Ruleset } from '../contract/mods.ts'
import type { Join } from '../pool/message.ts'
import { roundHalfUp } from '../pool/played-values.ts'
import { isServed, localeFor } from './page-data.ts'

/** `5.94`, without the ★, as the reader writes it: `5,94`. */
export const formatStars = (stars: number): string => formatHundredths(roundHalfUp(stars, 2))

const formatHundredths = numberFormat({ minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** `5.0`, `6.5`: values on a scale. */
export const formatTenths = numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 })

/** CS, AR, OD and HP as players write them: `4`, `9.3`. */
export const formatDifficulty = (value: number): string =>
  formatDecimal(Math.round(value * 10) / 10)

/** With all of its decimals: `5.375`, `180`. */
export const formatDecimal = numberFormat({ maximumFractionDigits: 20, useGrouping: false })

/** Seconds as `4:18`, from an hour on as `1:02:05`. */
export function formatLength(seconds: number): string {
  const whole = Math.round(seconds)
  const pad = (part: number): string => String(part).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  return minutes < 60
    ? `${minutes}:${pad(whole % 60)}`
    : `${Math.floor(minutes / 60)}:${pad(minutes % 60)}:${pad(whole % 60)}`
}

export const formatBpm = (bpm: number): string => String(Math.round(bpm))

/** A range, where both of its ends are known. */
export const rangeOf = (low: number | null, high: number | null): [number, number] | undefined =>
  low === null || high === null ? undefined : [low, high]

/** `1:35–4:18`; one value where both ends read the same. */
export function formatRange(
  [low, high]: readonly [number, number],
  format: (value: number) => string,
): string {
  const [from, to] = [format(low), format(high)]
  return from === to ? from : `${from}–${to}`
}

export const formatRuleset = (ruleset: Ruleset): string => rulesetTexts[ruleset]

export const rulesetTexts: Readonly<Record<Ruleset, string>> = {
  base: texts.standard,
  taiko: texts.taiko,
  fruits: texts.catchTheBeat,
  mania: texts.mania,
}

/** A wait in words: `23 seconds`, `1 minute`, `29 minutes`. Never shorter than it is. */
export const formatWait = (seconds: number): string =>
  seconds < 60
    ? texts.seconds({ n: Math.ceil(seconds) })
    : texts.minutes({ n: Math.ceil(seconds / 60) })

/** `1 pack`, `1,234 packs`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`

/** The page's language in the reader's region, where their browser is in it, too. */
const locale = localeFor(language)

/** `1,234` as the reader writes it. */
export const formatNumber = numberFormat({})

/** A timestamp as a day, in the reader's zone and language: `3 Oct 2026`. */
export const formatDay = dateFormat({ dateStyle: 'medium' })

/** A day without a time, `2026-10-03`: it is the same day in every zone. */
export const formatPlainDay = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })

/** A timestamp with its time of day: `3 Oct 2026, 20:30`. */
export const formatMoment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })

/** A moment within the day, by milliseconds since 1970: `20:30`. */
export const formatTime = dateFormat({ timeStyle: 'short' })

/** The same in the zone of all: `1 Dec 2026, 18:00 UTC`. */
export const formatUtc = (timestamp: string): string => `${formatUtcMoment(timestamp)} UTC`

const formatUtcMoment = dateFormat({ dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A timestamp where there is little room: `3 Oct` within this year, else `Oct 2025`. */
export const formatShortDay = shortDayFormat()

/** As `formatShortDay`, in another language than the page's. */
export function shortDayFormat(of: string = language): (timestamp: string) => string {
  const ofYear = dateFormat({ day: 'numeric', month: 'short' }, of)
  const ofMonth = dateFormat({ month: 'short', year: 'numeric' }, of)
  return (timestamp) => {
    const isThisYear =
      !isServed() && new Date(timestamp).getFullYear() === new Date(now()).getFullYear()
    return (isThisYear ? ofYear : ofMonth)(timestamp)
  }
}

/** `A, B and C`. */
export const formatList = (items: readonly string[]): string => join(items, 'and')

/** `A, B and C`, `A, B or C`, or `A, B, C`. */
export const join = (items: readonly string[], how: Join): string => lists[how].format(items)

const listsOf = (type: Intl.ListFormatType): Intl.ListFormat =>
  new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type })
const lists = {
  and: listsOf('conjunction'),
  or: listsOf('disjunction'),
  unit: listsOf('unit'),
} as const satisfies Record<Join, Intl.ListFormat>

/** Whole sentences one after another: some languages have no space between them. `null` and `false` are left out. */
export const formatSentences = (
  sentences: readonly (string | null | false)[],
  of: string = language,
): string =>
  sentences
    .filter((each) => each !== null && each !== false)
    .join(/^(?:zh|ja)\b/.test(of) ? '' : ' ')

function numberFormat(options: Intl.NumberFormatOptions) {
  let local: Intl.NumberFormat | undefined
  let served: Intl.NumberFormat | undefined
  return (value: number): string => {
    const format = isServed()
      ? (served ??= new Intl.NumberFormat(language, options))
      : (local ??= new Intl.NumberFormat(locale, options))
    return format.format(value)
  }
}

/** Dates in a language as its reader writes them. */
export function dateFormat(options: Intl.DateTimeFormatOptions, of: string = language) {
  let local: Intl.DateTimeFormat | undefined
  let served: Intl.DateTimeFormat | undefined
  return (date: string | number): string => {
    const format = isServed()
      ? (served ??= new Intl.DateTimeFormat(of === 'en' ? 'en-GB' : of, {
          timeZone: 'UTC',
          ...options,
        }))
      : (local ??= new Intl.DateTimeFormat(localeFor(of), options))
    return format.format(new Date(date))
  }
}

/** How far the site's clock is ahead of the browser's, in ms. */
let aheadMs = 0

/** Now, in milliseconds since 1970: by the browser's clock, or by the site's where that is known to differ. */
export const now = (): number => performance.timeOrigin + performance.now() + aheadMs

/** A smaller difference may be the time that an answer takes. */
const MOST_MS = 30_000

/** Called when `now` has been set right. */
export const clockFollowers = new Set<() => void>()

/** Follows the time of an answer: the site's clock decides when something is released. */
export function followClock({ headers }: Response): void {
  const ms = Date.parse(headers.get('date') ?? '') - now() + aheadMs
  // An answer without a time has none to follow: NaN is not greater.
  if (!(Math.abs(ms - aheadMs) > MOST_MS)) return
  aheadMs = Math.abs(ms) > MOST_MS ? ms : 0
  for (const follow of clockFollowers) follow()
}
