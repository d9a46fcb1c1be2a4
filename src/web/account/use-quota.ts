import { useEffect, useState } from 'preact/hooks'
import type { SiteQuota, Viewer } from '../../contract/accounts.ts'
import { call } from '../api.ts'
import { now } from '../format.ts'
import { nextLookMs, secondsLeft } from './quota-clock.ts'

const TICK_MS = 1_000

/** What is left of the minute, as far as the page knows. */
export type QuotaView = {
  readonly quota: SiteQuota
  /** Whole seconds until it begins anew; 0: any moment. */
  readonly seconds: number
}

type Seen = { readonly quota: SiteQuota; readonly at: number }

/**
 * Looks at the account's quota every few seconds while the page is to be seen; looking spends
 * nothing. A look that fails changes nothing: the next one comes soon.
 */
export const useQuota = (
  viewer: Viewer,
): { readonly view: QuotaView | null; readonly isSignedOut: boolean } => {
  const [seen, setSeen] = useState<Seen | null>(null)
  const [time, setTime] = useState(now)
  const [isSignedOut, setSignedOut] = useState(false)

  useEffect(() => {
    const controller = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      clearTimeout(timer)
      if (document.hidden) return
      let quota: SiteQuota | null = null
      try {
        const reply = await call('getSession', { signal: controller.signal })
        quota = reply.quota
        setSignedOut(reply.viewer?.id !== viewer.id)
        if (quota !== null) setSeen({ quota, at: now() })
        setTime(now())
      } catch {
        // What is shown stays.
      }
      if (!controller.signal.aborted) {
        // Another look may have begun, and ended, in the meantime.
        clearTimeout(timer)
        timer = setTimeout(() => void look(), nextLookMs(quota))
      }
    }
    const follow = (): void => void look()
    follow()
    document.addEventListener('visibilitychange', follow)
    return () => {
      controller.abort()
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', follow)
    }
  }, [viewer])

  useEffect(() => {
    const timer = setInterval(() => setTime(now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])

  const view = seen && {
    quota: seen.quota,
    seconds: secondsLeft(seen.quota.resetSeconds, time - seen.at),
  }
  return { view, isSignedOut }
}
