import { useEffect, useState } from 'preact/hooks'
import { formatDay, formatMoment, formatUtc, now } from '../format.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

/** A wait in ms in its two largest units: `12 d 4 h`, `3 h 20 min`, `4 min 10 s`; null when it is over. */
export function formatUntil(ms: number): string | null {
  if (ms <= 0) return null
  const whole = Math.ceil(ms / SECOND) * SECOND
  const part = (size: number, of: number): number => Math.floor((whole % of) / size)
  if (whole >= DAY) return `${Math.floor(whole / DAY)} d ${part(HOUR, DAY)} h`
  if (whole >= HOUR) return `${part(HOUR, DAY)} h ${part(MINUTE, HOUR)} min`
  if (whole >= MINUTE) return `${part(MINUTE, HOUR)} min ${part(SECOND, MINUTE)} s`
  return `${part(SECOND, MINUTE)} s`
}

/** How many ms there are until a moment, again each time that `formatUntil` reads otherwise; NaN until none. */
export function useUntil(at: string): number {
  const [left, setLeft] = useState(() => Date.parse(at) - now())
  useEffect(() => {
    let timer = 0
    const tick = (): void => {
      const ms = Date.parse(at) - now()
      setLeft(ms)
      const step = ms > DAY ? HOUR : ms > HOUR ? MINUTE : SECOND
      // Just after the next whole step. Longer timers would not notice that a computer slept.
      if (ms > 0) timer = window.setTimeout(tick, Math.min((ms % step) + 20, MINUTE))
    }
    tick()
    return () => clearTimeout(timer)
  }, [at])
  return left
}

type CountdownProps = {
  readonly at: string
  /** Shown from the moment on. */
  readonly over?: string
}

/** `in 3 h 20 min`, for as long as the page is open. Screen readers read it where it is, not as it changes. */
export function Countdown({ at, over = 'due now' }: CountdownProps) {
  const left = formatUntil(useUntil(at))
  return (
    <time class="countdown tabular" dateTime={at}>
      {left === null ? over : `in ${left}`}
    </time>
  )
}

/** A moment in the reader's zone and in UTC: `1 Dec 2026, 19:00 (18:00 UTC)`. */
export const ReleaseTime = ({ at }: { at: string }) => (
  <time class="tabular" dateTime={at}>
    {formatBothZones(at)}
  </time>
)

/** The day is named twice only where it differs. */
export function formatBothZones(at: string): string {
  const [local, utc, day] = [formatMoment(at), formatUtc(at), `${formatDay(at)}, `]
  if (utc === `${local} UTC`) return utc
  return `${local} (${utc.startsWith(day) ? utc.slice(day.length) : utc})`
}
