import type { JSX } from 'preact'
import { pageData, pageHref } from '../page-data.ts'
import { CopyButton } from '../parts/buttons.tsx'
import { FailureNotice } from '../parts/notices.tsx'
import { KeyActions } from './key-actions.tsx'
import { KeyFacts } from './key-facts.tsx'
import { KeyQuestions } from './key-questions.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { QuotaMeters } from './quota-meters.tsx'
import { type KeyDesk, useKey } from './use-key.ts'
import type { QuotaView } from './use-quota.ts'

const State = ({ desk: { loaded } }: { readonly desk: KeyDesk }): JSX.Element | null =>
  loaded.value === null ? null : (
    <span class={loaded.value.key === null ? 'account-state' : 'account-state live'}>
      {loaded.value.key === null ? 'No key' : 'Active'}
    </span>
  )

const Address = (): JSX.Element => {
  const { service, apiUrl, poolsUrl } = pageData()
  const address = `${service === 'pools' ? poolsUrl : apiUrl}/api/v1`
  return (
    <div class="account-address">
      <span>
        <span class="small-text quiet-text">API base URL</span>
        <code>{address}</code>
      </span>
      <CopyButton text={address} what="API base URL" tone="quiet" />
    </div>
  )
}

/** The account's API key: what is known of it, what can be done about it, and what it may do. */
export const KeyCard = ({ quota }: { readonly quota: QuotaView | null }): JSX.Element => {
  const desk = useKey()
  const { loaded, reload } = desk
  return (
    <section class="account-card account-key" aria-labelledby="key-title">
      <header>
        <h2 id="key-title">API key</h2>
        <State desk={desk} />
        <a href={pageHref('/docs/api')}>API guide</a>
      </header>
      {loaded.error !== null && loaded.value === null ? (
        <FailureNotice title="Could not load your API key" error={loaded.error} onRetry={reload} />
      ) : (
        <>
          <KeyFacts reply={loaded.value} />
          <KeyActions desk={desk} />
        </>
      )}
      <QuotaMeters quota={quota} />
      <Address />
      <KeyQuestions desk={desk} />
      <NewKeyDialog value={desk.newKey} onDone={desk.forgetNewKey} />
    </section>
  )
}
