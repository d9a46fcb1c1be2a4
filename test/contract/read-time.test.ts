import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnyTime } from '../../src/contract/primitives.ts'
import { readTime } from '../../src/contract/times.ts'

/** What the OpenAPI document says of a time that is sent (D-88). */
const documented = new RegExp((AnyTime as { pattern?: string }).pattern ?? '', 'u')

const padded = (value: number, digits = 2): string => String(value).padStart(digits, '0')

/** On both sides of each bound, and some between. */
const around = (...bounds: readonly number[]) =>
  fc.constantFrom(
    ...new Set(
      bounds.flatMap((bound) => [bound - 1, bound, bound + 1]).filter((each) => each >= 0),
    ),
  )

const parts = fc.record({
  year: fc.constantFrom(0, 1, 99, 100, 1900, 1969, 1970, 2000, 2024, 2026, 9998, 9999),
  month: around(0, 1, 2, 4, 12),
  day: around(0, 1, 28, 30),
  hour: around(0, 12, 23),
  minute: around(0, 30, 59),
  second: around(0, 30, 59),
  fraction: fc.option(fc.stringMatching(/^\d{1,9}$/)),
  separator: fc.constantFrom('T', 't', ' '),
  sign: fc.constantFrom('+', '-', 'Z', 'z'),
  hours: around(0, 12, 23),
  minutes: around(0, 30, 59),
})

const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)

/** By the calendar alone: days since the year 0. */
function daysTo(year: number, month: number, day: number): number {
  let days = day - 1
  for (let each = 0; each < year; each += 1) days += isLeap(each) ? 366 : 365
  for (let each = 1; each < month; each += 1) days += daysOf(year, each)
  return days
}

function daysOf(year: number, month: number): number {
  if (month === 2) return isLeap(year) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

describe('readTime', () => {
  it('reads each time of RFC 3339 in the years to 9999, and nothing else of its form', () => {
    fc.assert(
      fc.property(parts, ({ year, month, day, hour, minute, second, fraction, ...rest }) => {
        const { separator, sign, hours, minutes } = rest
        const date = `${padded(year, 4)}-${padded(month)}-${padded(day)}`
        const isUtc = sign.toUpperCase() === 'Z'
        const offset = isUtc ? sign : `${sign}${padded(hours)}:${padded(minutes)}`
        const time = `${padded(hour)}:${padded(minute)}:${padded(second)}`
        const text = `${date}${separator}${time}${fraction === null ? '' : `.${fraction}`}${offset}`

        const isDay = month >= 1 && month <= 12 && day >= 1 && day <= daysOf(year, month)
        const isTime = hour <= 23 && minute <= 59 && second <= 60
        const isOffset = isUtc || (hours <= 23 && minutes <= 59)
        const east = isUtc ? 0 : (sign === '-' ? -1 : 1) * (hours * 60 + minutes)
        const days = daysTo(year, month, day) - daysTo(1970, 1, 1)
        const seconds = ((days * 24 + hour) * 60 + minute - east) * 60 + second
        // Up to the next ms: what is released by it is never early (D-63).
        const nanoseconds = BigInt((fraction ?? '').padEnd(9, '0'))
        const ms = seconds * 1000 + Number((nanoseconds + 999_999n) / 1_000_000n)
        const isBefore = ms < (daysTo(10_000, 1, 1) - daysTo(1970, 1, 1)) * 86_400_000
        // The grammar of RFC 3339, 5.6, has no space, which JSON Schema's date-time refuses, too.
        const isForm = separator !== ' '
        expect([text, documented.test(text), readTime(text)]).toEqual([
          text,
          isForm,
          isForm && isDay && isTime && isOffset && isBefore ? ms : null,
        ])
      }),
      { numRuns: 5_000 },
    )
  })
})
