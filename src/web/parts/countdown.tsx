import { useEffect, useState } from 'preact/hooks'
import { now } from '../format.ts'
import { isServed } from '../page-data.ts'

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
  // The server does not know when the page will be read; the moment itself is next to it.
  const text = isServed() ? '\u00a0' : left === null ? over : `in ${left}`
  return (
    <time class="countdown tabular" dateTime={at}>
      {text}
    </time>
  )
}
