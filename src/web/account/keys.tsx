import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { KeyReply } from '../../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../../contract/quotas.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { formatMoment, formatPlainDay, formatTime, now } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { FailureLine, FailureNotice } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { QuotaMeters, type QuotaView } from './quota.tsx'

/** The account's API key: what is known of it, what can be done about it, and what it may do. */
export function KeyCard({ quota }: { readonly quota: QuotaView | null }): JSX.Element {
  const model = useKey()
  const { loaded, reload } = model
  return (
    <section class="account-card account-key" aria-labelledby="key-title">
      <header>
        <h2 id="key-title">API key</h2>
        <State model={model} />
        <a href={pageHref('/docs/api')}>API guide</a>
      </header>
      {loaded.error !== null && loaded.value === null ? (
        <FailureNotice title="Could not load your API key" error={loaded.error} onRetry={reload} />
      ) : (
        <>
          <KeyFacts reply={loaded.value} />
          <KeyActions model={model} />
        </>
      )}
      <QuotaMeters quota={quota} />
      <Address />
      <KeyQuestions model={model} />
      <NewKeyDialog model={model} />
    </section>
  )
}

/** So that a look for the new hour does not still find the old one. */
const LATER_MS = 500

/** The account's key, and what the reader does about it. */
function useKey() {
  const { reload, change, ...loaded } = useLoad(loadKey)
  const action = useAskedAction<'regenerate' | 'revoke'>()
  /** A key that was just made: it cannot be shown again. */
  const [newKey, setNewKey] = useState<string | null>(null)
  const { run, close } = action
  const resetSeconds = loaded.value?.newKeysResetSeconds

  // With the hour, the keys that may be made begin anew.
  useEffect(() => {
    if (resetSeconds === undefined) return undefined
    const timer = setTimeout(reload, resetSeconds * 1000 + LATER_MS)
    return () => clearTimeout(timer)
  }, [resetSeconds, reload])

  const make = (): void =>
    run(async () => {
      const { key, shown, createdAt } = await call('makeKey').catch((error: unknown) => {
        // How many are left, and whether there is a key, may be other than the page believed.
        reload()
        throw error
      })
      close()
      setNewKey(key)
      change((before) => ({
        ...before,
        key: { shown, createdAt, lastUsedOn: null },
        newKeysLeft: Math.max(0, before.newKeysLeft - 1),
      }))
    })

  const revoke = (): void =>
    run(async () => {
      await call('revokeKey')
      close()
      change((before) => ({ ...before, key: null }))
      announce('API key revoked')
    })

  return { loaded, reload, action, make, revoke, newKey, forgetNewKey: () => setNewKey(null) }
}

const loadKey = (signal: AbortSignal): Promise<KeyReply> => call('getKey', { signal })

type KeyModel = ReturnType<typeof useKey>

const State = ({ model: { loaded } }: { readonly model: KeyModel }): JSX.Element | null =>
  loaded.value === null ? null : (
    <span class={loaded.value.key === null ? 'account-state' : 'account-state live'}>
      {loaded.value.key === null ? 'No key' : 'Active'}
    </span>
  )

function KeyFacts({ reply }: { readonly reply: KeyReply | null }): JSX.Element {
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

/** A key as it is told when it cannot be shown: `packs_AbCd…` (D-40). */
const shownKey = (shown: string): string => `${pageData().keyPrefix}_${shown}…`

function KeyActions({ model }: { readonly model: KeyModel }): JSX.Element {
  const { action, make } = model
  const { asked, ask } = action
  const { value } = model.loaded
  const mayMake = value !== null && value.newKeysLeft > 0
  return (
    <>
      <div class="actions account-actions">
        {value === null || value.key === null ? (
          <Button
            tone="primary"
            icon="key"
            busy={action.isBusy}
            disabled={!mayMake}
            aria-describedby="new-keys"
            onClick={make}
          >
            Create key
          </Button>
        ) : (
          <>
            <Button
              disabled={!mayMake}
              aria-describedby="new-keys"
              onClick={() => ask('regenerate')}
            >
              Regenerate
            </Button>
            <Button tone="danger" onClick={() => ask('revoke')}>
              Revoke
            </Button>
          </>
        )}
        <span id="new-keys" class="small-text quiet-text">
          {value && leftText(value)}
        </span>
      </div>
      {asked === null && <FailureLine error={action.error} />}
    </>
  )
}

const leftText = ({ newKeysLeft, newKeysResetSeconds }: KeyReply): string =>
  newKeysLeft > 0
    ? `${newKeysLeft} of ${NEW_KEYS_PER_HOUR} new keys left this hour`
    : `No new keys left this hour. You can create one at ${formatTime(now() + newKeysResetSeconds * 1000)}`

function Address(): JSX.Element {
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

const questions = [
  ['regenerate', 'Regenerate', 'Update everything that uses it with the new key.'],
  ['revoke', 'Revoke', 'You can create a new key at any time.'],
] as const

function KeyQuestions({ model }: { readonly model: KeyModel }): JSX.Element {
  const { loaded, action, make, revoke } = model
  const key = loaded.value?.key ?? null
  const name = key === null ? 'Your key' : <code>{shownKey(key.shown)}</code>
  return (
    <>
      {questions.map(([what, button, effect]) => (
        <ConfirmDialog
          key={what}
          title={`${button} the key?`}
          action={button}
          isOpen={action.asked === what}
          busy={action.isBusy}
          onConfirm={what === 'revoke' ? revoke : make}
          onCancel={action.close}
        >
          <p>
            {name} stops working immediately. {effect}
          </p>
          <FailureLine error={action.error}>{key && <>{name} still works.</>}</FailureLine>
        </ConfirmDialog>
      ))}
    </>
  )
}

const BACK = 'new-key-back'
const COPY = 'new-key-copy'

/** Shows a new key, this once. However it is closed, nobody loses the key by a slip. */
function NewKeyDialog({ model }: { readonly model: KeyModel }): JSX.Element {
  const { newKey, forgetNewKey } = model
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useLeaveGuard(newKey !== null)
  useSafeFocus(isAsking)
  const done = (): void => {
    setAsking(false)
    setCopied(false)
    forgetNewKey()
  }
  return (
    <Dialog
      title="Your new API key"
      isOpen={newKey !== null}
      onClose={() => setAsking(!isAsking)}
      actions={
        isAsking ? (
          <>
            <Button tone="danger" onClick={done}>
              Close anyway
            </Button>
            {/* Where "Done" was, for those who press twice. */}
            <Button id={BACK} onClick={() => setAsking(false)}>
              Go back
            </Button>
          </>
        ) : (
          <Button
            tone={isCopied ? 'primary' : 'plain'}
            onClick={() => (isCopied ? done() : setAsking(true))}
          >
            Done
          </Button>
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

/** Asks back when somebody leaves the page, too. */
const useLeaveGuard = (isOn: boolean): void =>
  useLayoutEffect(() => {
    if (!isOn) return undefined
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isOn])

/** The focus stays on what is safe to press, whichever button it was on before. */
function useSafeFocus(isAsking: boolean): void {
  const isFirst = useRef(true)
  useEffect(() => {
    if (!isFirst.current) document.getElementById(isAsking ? BACK : COPY)?.focus()
    isFirst.current = false
  }, [isAsking])
}
