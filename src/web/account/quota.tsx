import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SiteQuota, Viewer } from '../../contract/accounts.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { call } from '../api.ts'
import { now } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Meter } from '../parts/meter.tsx'

/** What is left of the minute, as far as the page knows. */
export type QuotaView = {
  readonly quota: SiteQuota
  /** Whole seconds until it begins anew; 0: any moment. */
  readonly seconds: number
}

/** What the account may still do in this minute on this service (spec 8). */
export const QuotaMeters = ({ quota }: { readonly quota: QuotaView | null }): JSX.Element => (
  <section class="account-quota" aria-labelledby="quota-title">
    <header>
      <h3 id="quota-title">This minute</h3>
      <span class="quiet-text tabular">{resetText(quota?.seconds)}</span>
    </header>
    <div class="account-meters">
      <Share label="Requests" share={quota?.quota.requests} limit={REQUESTS_PER_MINUTE} />
      <Share label="Writes" share={quota?.quota.writes} limit={WRITES_PER_MINUTE} />
    </div>
    <p class="small-text quiet-text">
      Writes also count as requests.
      {pageData().service === 'packs' && ' Saving on this site counts as a write.'}
    </p>
  </section>
)

function resetText(seconds: number | undefined): string {
  if (seconds === undefined) return ''
  return seconds === 0 ? 'Resets now' : `Resets in ${seconds} s`
}

type ShareProps = {
  readonly label: string
  readonly share: { readonly limit: number; readonly left: number } | undefined
  /** Until the site has told. */
  readonly limit: number
}

const Share = ({ label, share, limit }: ShareProps): JSX.Element => (
  <Meter
    label={label}
    value={share?.left ?? 0}
    max={share?.limit ?? limit}
    text={share === undefined ? '…' : `${share.left} of ${share.limit} left`}
  />
)

type Seen = { readonly quota: SiteQuota; readonly at: number }

const TICK_MS = 1_000

/**
 * Looks at the account's quota every few seconds while the page is to be seen; looking spends
 * nothing. A look that fails changes nothing: the next one comes soon.
 */
export function useQuota(viewer: Viewer): {
  readonly view: QuotaView | null
  readonly isSignedOut: boolean
} {
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

const LOOK_EACH_MS = 5_000
/** So that a look for the new minute does not still find the old one. */
const LATER_MS = 250

/** How long to wait before the next look, in milliseconds: sooner where the minute ends sooner. */
export const nextLookMs = (quota: SiteQuota | null): number =>
  quota === null ? LOOK_EACH_MS : Math.min(LOOK_EACH_MS, quota.resetSeconds * 1000 + LATER_MS)

/**
 * Whole seconds until a window begins anew, counted down from what the site said.
 *
 * @param passedMs since it said so; a clock that was set back has passed nothing.
 */
export const secondsLeft = (resetSeconds: number, passedMs: number): number =>
  Math.max(0, Math.ceil(resetSeconds - Math.max(0, passedMs) / 1000))
