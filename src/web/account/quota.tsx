import * as texts from '#texts/account'
import { useEffect, useState } from 'preact/hooks'
import type { SiteQuota, Viewer } from '../../contract/accounts.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { call } from '../api.ts'
import { now } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Meter } from '../parts/meter.tsx'

/** The requests that the account has left in this minute on this service (spec 8). */
export function QuotaMeters({ quota }: { quota: SiteQuota | null }) {
  const seconds = quota?.resetSeconds
  const shares = [
    [texts.requests, quota?.requests, REQUESTS_PER_MINUTE],
    [texts.writes, quota?.writes, WRITES_PER_MINUTE],
  ] as const
  return (
    <section class="account-quota" aria-labelledby="quota-title">
      <header>
        <h3 id="quota-title">{texts.thisMinute}</h3>
        <span class="quiet-text tabular">
          {quota === null
            ? '…'
            : seconds
              ? texts.resetsIn({ seconds: String(seconds) })
              : texts.resetsNow}
        </span>
      </header>
      <div class="account-meters">
        {shares.map(([label, share, usualLimit]) => (
          <Meter
            key={label}
            label={label}
            value={share?.left ?? 0}
            max={share?.limit ?? usualLimit}
            text={share ? texts.left({ left: share.left, limit: share.limit }) : '…'}
          />
        ))}
      </div>
      <p class="small-text quiet-text">
        {pageData().service === 'packs' ? texts.writesCountHere : texts.writesCount}
      </p>
    </section>
  )
}

/** Requests the quota every few seconds while the page is visible, which spends nothing. */
export function useQuota(viewer: Viewer) {
  const [seen, setSeen] = useState<{ quota: SiteQuota; at: number } | null>(null)
  const [time, setTime] = useState(now)
  const [isSignedOut, setSignedOut] = useState(false)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = async (): Promise<void> => {
      clearTimeout(timer)
      if (document.hidden) return
      const reply = await call('getSession', { signal }).catch(() => null)
      if (signal.aborted) return
      if (reply) {
        setSignedOut(reply.viewer?.id !== viewer.id)
        if (reply.quota) setSeen({ quota: reply.quota, at: now() })
        setTime(now())
      }
      // Another request may have begun, and ended, in the meantime.
      clearTimeout(timer)
      timer = setTimeout(() => void look(), nextLookMs(reply?.quota ?? null))
    }
    void look()
    document.addEventListener('visibilitychange', () => void look(), { signal })
    const ticking = setInterval(() => setTime(now()), 1_000)
    return () => {
      controller.abort()
      clearTimeout(timer)
      clearInterval(ticking)
    }
  }, [viewer])

  if (seen === null) return { quota: null, isSignedOut }
  const resetSeconds = secondsLeft(seen.quota.resetSeconds, time - seen.at)
  return { quota: { ...seen.quota, resetSeconds }, isSignedOut }
}

const POLL_INTERVAL_MS = 5_000
/** Otherwise a request at the end of the minute could still find the old quota. */
const LATER_MS = 250

/** The time until the next request, in milliseconds: less if the minute ends before. */
export const nextLookMs = (quota: SiteQuota | null): number =>
  quota === null
    ? POLL_INTERVAL_MS
    : Math.min(POLL_INTERVAL_MS, quota.resetSeconds * 1000 + LATER_MS)

/** Whole seconds until a window ends; `passedMs` is negative if the clock was set back. */
export const secondsLeft = (resetSeconds: number, passedMs: number): number =>
  Math.max(0, Math.ceil(resetSeconds - Math.max(0, passedMs) / 1000))
