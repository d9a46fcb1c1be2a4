import type { JSX } from 'preact'
import type { KeyReply } from '../../contract/site-key.ts'
import { formatMoment, formatPlainDay } from '../format.ts'
import { pageData } from '../page-data.ts'

/** A key as it is told when it cannot be shown: `packs_AbCd…` (D-40). */
export const shownKey = (shown: string): string => `${pageData().keyPrefix}_${shown}…`

/** What is known of the key; keeps its place while that is looked up. */
export const KeyFacts = ({ reply }: { readonly reply: KeyReply | null }): JSX.Element => {
  if (reply === null) {
    return (
      <div class="account-facts" role="status">
        <span class="sr-only">Looking up your key …</span>
        <span class="account-shown quiet-text" aria-hidden="true">
          {shownKey('····')}
        </span>
        <p class="quiet-text" aria-hidden="true">
          …
        </p>
      </div>
    )
  }
  const { key } = reply
  if (key === null) {
    return (
      <p class="account-facts quiet-text">
        {pageData().service === 'packs'
          ? 'With a key, your scripts and bots can read packs and look after yours. It acts as you do: keep it on your own machines.'
          : 'With a key, your scripts and bots can use the tournament-pools service as you. Keep it on your own machines.'}
      </p>
    )
  }
  return (
    <div class="account-facts">
      <span class="account-shown">{shownKey(key.shown)}</span>
      <dl>
        <div>
          <dt>Created</dt>
          <dd>
            <time dateTime={key.createdAt}>{formatMoment(key.createdAt)}</time>
          </dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            {key.lastUsedOn === null ? (
              'not yet'
            ) : (
              <time dateTime={key.lastUsedOn}>{formatPlainDay(key.lastUsedOn)}</time>
            )}
          </dd>
        </div>
      </dl>
    </div>
  )
}
