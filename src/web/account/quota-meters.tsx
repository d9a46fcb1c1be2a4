import type { JSX } from 'preact'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { pageData } from '../page-data.ts'
import { Meter } from '../parts/labels.tsx'
import type { QuotaView } from './use-quota.ts'

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

const resetText = (seconds: number | undefined): string => {
  if (seconds === undefined) return ''
  return seconds === 0 ? 'Resets now' : `Resets in ${seconds} s`
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
