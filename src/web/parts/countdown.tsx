import * as texts from '#texts/common'
import { useEffect, useState } from 'preact/hooks'
import { clockFollowers, now } from '../format.ts'
import { isServed } from '../page-data.ts'

const [SECOND, MINUTE, HOUR, DAY] = [1_000, 60_000, 3_600_000, 86_400_000]

/** A wait in ms in its two largest units: `12 d 4 h`, `3 h 20 min`, `4 min 10 s`; null when it is over. */
export function formatUntil(ms: number): string | null {
  if (ms <= 0) return null
  const whole = Math.ceil(ms / SECOND) * SECOND
  const part = (size: number, of: number): string => String(Math.floor((whole % of) / size))
  if (whole >= DAY)
    return texts.untilDays({ days: String(Math.floor(whole / DAY)), hours: part(HOUR, DAY) })
  if (whole >= HOUR)
    return texts.untilHours({ hours: part(HOUR, DAY), minutes: part(MINUTE, HOUR) })
  if (whole >= MINUTE)
    return texts.untilMinutes({ minutes: part(MINUTE, HOUR), seconds: part(SECOND, MINUTE) })
  return texts.untilSeconds({ seconds: part(SECOND, MINUTE) })
}

/** How many ms there are until a moment, again each time that `formatUntil` reads otherwise; NaN until none. */
export function useUntil(at: string): number {
  const [left, setLeft] = useState(() => Date.parse(at) - now())
  useEffect(() => {
    let timer = 0
    const tick = (): void => {
      clearTimeout(timer)
      const ms = Date.parse(at) - now()
      setLeft(ms)
      const step = ms > DAY ? HOUR : ms > HOUR ? MINUTE : SECOND
      // Just after the next whole step. Longer timers would not notice that a computer slept.
      if (ms > 0) timer = window.setTimeout(tick, Math.min((ms % step) + 20, MINUTE))
    }
    tick()
    clockFollowers.add(tick)
    return () => {
      clockFollowers.delete(tick)
      clearTimeout(timer)
    }
  }, [at])
  return left
}

type CountdownProps = {
  readonly at: string
  /** Shown from the moment on. */
  readonly over?: string
}

/** `in 3 h 20 min`, for as long as the page is open. Screen readers read it where it is, not as it changes. */
export function Countdown({ at, over = texts.dueNow }: CountdownProps) {
  const left = formatUntil(useUntil(at))
  // The server does not know when the page will be read; the moment itself is next to it.
  const text = isServed() ? '\u00a0' : left === null ? over : texts.inTime({ wait: left })
  return (
    <time class="countdown tabular" dateTime={at}>
      {text}
    </time>
  )
}
