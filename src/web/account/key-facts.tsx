import type { JSX } from 'preact'
import type { KeyReply } from '../../contract/keys.ts'
import { formatMoment, formatPlainDay } from '../format.ts'
import { pageData } from '../page-data.ts'

/** A key as it is told when it cannot be shown: `packs_AbCd…` (D-40). */
export const shownKey = (shown: string): string => `${pageData().keyPrefix}_${shown}…`

/** What is known of the key; keeps its place while that is looked up. */
export const KeyFacts = ({ reply }: { readonly reply: KeyReply | null }): JSX.Element => {
  if (reply === null) {
    return (
      <div class="account-facts" role="status">
        <span class="sr-only">Loading your API key …</span>
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
          ? 'Scripts and bots use an API key to read packs and manage yours. It can do anything you can do, so keep it secret.'
          : 'Scripts and bots use an API key to act as you on the tournament-pools service. Keep it secret.'}
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
              'Never'
            ) : (
              <time dateTime={key.lastUsedOn}>{formatPlainDay(key.lastUsedOn)}</time>
            )}
          </dd>
        </div>
      </dl>
    </div>
  )
}
