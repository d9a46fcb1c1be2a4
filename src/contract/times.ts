const timeForm =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Reads a time of RFC 3339: ms since the epoch, rounded up, since a release is never early (D-63). null for an invalid
 * date, time or offset and for a year after 9999. A leap second is read as the second after it.
 */
export function readTime(text: string): number | null {
  const found = timeForm.exec(text)
  if (found === null) return null
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
    .slice(1, 7)
    .map(Number)
  const [fraction = '.', sign = '+', hours = '0', minutes = '0'] = found.slice(7)
  // `setUTCFullYear` turns a day that the month does not have into one of the next month.
  const midnight = new Date(0).setUTCFullYear(year, month - 1, day)
  const isDay = new Date(midnight).toISOString().slice(0, 10) === text.slice(0, 10)
  const isTime = hour < 24 && minute < 60 && second <= 60 && +hours < 24 && +minutes < 60
  if (!isDay || !isTime) return null
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
  const ofDay = ((hour * 60 + minute - offset) * 60 + second) * 1000
  const wholeMs = Number(fraction.slice(1, 4).padEnd(3, '0'))
  const roundUp = /[1-9]/.test(fraction.slice(4)) ? 1 : 0
  const time = midnight + ofDay + wholeMs + roundUp
  // In UTC or rounded up, it may be in the year 10000.
  return time < LATE ? time : null
}

const LATE = Date.UTC(10_000, 0)
