import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { SiteQuota } from '../../contract/accounts.ts'
import type { KeyReply } from '../../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../../contract/quotas.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { later, listen } from '../browser.ts'
import { formatMoment, formatPlainDay, formatTime, now } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DefinitionList } from '../parts/definition-list.tsx'
import { AskedDialog, Dialog } from '../parts/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { FailureLine, FailureNotice } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { QuotaMeters } from './quota.tsx'

export function KeyCard({ quota }: { quota: SiteQuota | null }) {
  const model = useKey()
  const { reply, loadError, reload } = model
  const { service, apiUrl, poolsUrl } = pageData()
  const address = `${service === 'pools' ? poolsUrl : apiUrl}/api/v1`
  return (
    <section class="account-card account-key" aria-labelledby="key-title">
      <header>
        <h2 id="key-title">API key</h2>
        {reply && (
          <span class={reply.key ? 'account-state live' : 'account-state'}>
            {reply.key ? 'Active' : 'No key'}
          </span>
        )}
        <a href={pageHref('/docs/api')}>API guide</a>
      </header>
      {loadError !== null && reply === null ? (
        <FailureNotice title="Could not load your API key" error={loadError} onRetry={reload} />
      ) : (
        <>
          <KeyFacts reply={reply} />
          <KeyActions {...model} />
        </>
      )}
      <QuotaMeters quota={quota} />
      <div class="account-address">
        <span>
          <span class="small-text quiet-text">API base URL</span>
          <code>{address}</code>
        </span>
        <CopyButton text={address} what="API base URL" tone="quiet" />
      </div>
      <KeyQuestion {...model} />
      <NewKeyDialog {...model} />
    </section>
  )
}

/** Otherwise a request at the end of the hour could still find the old count. */
const LATER_MS = 500

type KeyModel = ReturnType<typeof useKey>

function useKey() {
  const { value: reply, error: loadError, reload, change } = useLoad(loadKey)
  const action = useAskedAction<'regenerate' | 'revoke'>()
  /** A key that has just been created: it cannot be shown again. */
  const [newKey, setNewKey] = useState<string | null>(null)
  const resetSeconds = reply?.newKeysResetSeconds

  useEffect(() => {
    if (resetSeconds === undefined) return undefined
    return later(resetSeconds * 1000 + LATER_MS, reload)
  }, [resetSeconds, reload])

  const create = (): void =>
    action.run(async () => {
      const { key, shown, createdAt } = await call('makeKey').catch((error: unknown) => {
        // The number of keys left, or the key itself, may not be what the page shows.
        reload()
        throw error
      })
      action.close()
      setNewKey(key)
      change((before) => ({
        ...before,
        key: { shown, createdAt, lastUsedOn: null },
        newKeysLeft: Math.max(0, before.newKeysLeft - 1),
      }))
    })

  const revoke = (): void =>
    action.run(async () => {
      await call('revokeKey')
      action.close()
      change((before) => ({ ...before, key: null }))
      announce('API key revoked')
    })

  return { reply, loadError, reload, action, create, revoke, newKey, setNewKey }
}

const loadKey = (signal: AbortSignal) => call('getKey', { signal })

function KeyFacts({ reply }: Pick<KeyModel, 'reply'>) {
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
  if (reply.key === null) {
    return (
      <p class="account-facts quiet-text">
        {pageData().service === 'packs'
          ? 'Scripts and bots use an API key to read packs and manage yours. It can do anything you can do, so keep it secret.'
          : 'Scripts and bots use an API key to act as you on the tournament-pools service. Keep it secret.'}
      </p>
    )
  }
  const { shown, createdAt, lastUsedOn: day } = reply.key
  const created = <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
  const lastUsed = day === null ? 'Never' : <time dateTime={day}>{formatPlainDay(day)}</time>
  return (
    <div class="account-facts">
      <span class="account-shown">{shownKey(shown)}</span>
      <DefinitionList entries={Object.entries({ Created: created, 'Last used': lastUsed })} />
    </div>
  )
}

/** How a key is named that cannot be shown: `packs_AbCd…` (D-40). */
const shownKey = (shown: string): string => `${pageData().keyPrefix}_${shown}…`

function KeyActions({ reply, action, create }: KeyModel) {
  const creation = { disabled: !reply?.newKeysLeft, 'aria-describedby': 'new-keys' }
  return (
    <>
      <div class="actions account-actions">
        {reply?.key ? (
          <>
            <Button {...creation} label="Regenerate" onClick={() => action.ask('regenerate')} />
            <Button tone="danger" label="Revoke" onClick={() => action.ask('revoke')} />
          </>
        ) : (
          <Button {...creation} tone="primary" icon="key" busy={action.isBusy} onClick={create}>
            Create key
          </Button>
        )}
        <span
          id="new-keys"
          class={reply === null ? 'small-text unknown' : 'small-text quiet-text'}
          aria-hidden={reply === null}
        >
          {leftText(reply ?? usual)}
        </span>
      </div>
      {action.asked === null && <FailureLine error={action.error} />}
    </>
  )
}

/** Keeps the place of the words until they are known. */
const usual = { newKeysLeft: NEW_KEYS_PER_HOUR, newKeysResetSeconds: 0 }

const leftText = ({
  newKeysLeft,
  newKeysResetSeconds,
}: Pick<KeyReply, 'newKeysLeft' | 'newKeysResetSeconds'>): string =>
  newKeysLeft > 0
    ? `${newKeysLeft} of ${NEW_KEYS_PER_HOUR} new keys left this hour`
    : `No new keys left this hour. You can create one at ${formatTime(now() + newKeysResetSeconds * 1000)}`

const questions = {
  regenerate: ['Regenerate', 'Update everything that uses it with the new key.'],
  revoke: ['Revoke', 'You can create a new key at any time.'],
} as const

function KeyQuestion({ reply, action, create, revoke }: KeyModel) {
  const [button, effect] = questions[action.asked ?? 'revoke']
  const name = reply?.key ? <code>{shownKey(reply.key.shown)}</code> : 'Your key'
  return (
    <AskedDialog
      action={action}
      title={`${button} the key?`}
      button={button}
      kept={reply?.key && <>{name} still works.</>}
      onConfirm={action.asked === 'revoke' ? revoke : create}
    >
      <p>
        {name} stops working immediately. {effect}
      </p>
    </AskedDialog>
  )
}

const BACK = 'new-key-back'
const COPY = 'new-key-copy'

/** Shows a new key, once. Closing the dialog or leaving the page asks for confirmation. */
function NewKeyDialog({ newKey, setNewKey }: KeyModel) {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useLayoutEffect(() => {
    if (newKey === null) return undefined
    return listen({ beforeunload: (event) => event.preventDefault() })
  }, [newKey])
  // On what is safe to press, whichever button had the focus before.
  useEffect(() => document.getElementById(isAsking ? BACK : COPY)?.focus(), [isAsking])
  const done = (): void => {
    setAsking(false)
    setCopied(false)
    setNewKey(null)
  }
  return (
    <Dialog
      title="Your new API key"
      isOpen={newKey !== null}
      onClose={() => setAsking(!isAsking)}
      actions={
        isAsking ? (
          <>
            <Button tone="danger" label="Close anyway" onClick={done} />
            {/* In the place of "Done", in case of a double click. */}
            <Button id={BACK} label="Go back" onClick={() => setAsking(false)} />
          </>
        ) : (
          <Button
            tone={isCopied ? 'primary' : 'plain'}
            label="Done"
            onClick={() => (isCopied ? done() : setAsking(true))}
          />
        )
      }
    >
      <p class="account-warning">
        <Icon name="alert" />
        <span>Copy this key now. We do not store it, so it cannot be shown again.</span>
      </p>
      <code class="account-new-key">{newKey}</code>
      <CopyButton
        id={COPY}
        autofocus
        tone={isCopied ? 'plain' : 'primary'}
        text={newKey ?? ''}
        what="API key"
        label={isCopied ? 'Copy again' : 'Copy key'}
        onCopied={() => setCopied(true)}
      />
      {isAsking && (
        <p class="failure-line" role="alert">
          {isCopied
            ? 'You copied the key. Make sure it is saved: it cannot be shown again.'
            : 'You have not copied the key yet. If you close this now, you will have to create another one.'}
        </p>
      )}
    </Dialog>
  )
}
