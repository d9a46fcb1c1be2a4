import type { JSX } from 'preact'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { NEW_KEYS_PER_HOUR } from '../../contract/quotas.ts'
import type { KeyReply } from '../../contract/site-key.ts'
import { type Action, useAction } from '../action.ts'
import { call } from '../api.ts'
import { formatMoment, formatPlainDay, formatTime, now } from '../format.ts'
import { type Loaded, useLoad } from '../load.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button, CopyButton } from '../parts/buttons.tsx'
import { ConfirmDialog, Dialog } from '../parts/dialogs.tsx'
import { Icon } from '../parts/icons.tsx'
import { FailureLine, FailureNotice } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { QuotaMeters, type QuotaView } from './quota.tsx'

/** The account's API key: what is known of it, what can be done about it, and what it may do. */
export function KeyCard({ quota }: { readonly quota: QuotaView | null }): JSX.Element {
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

/** The account's key, and what the reader does about it. */
type KeyDesk = {
  readonly loaded: Loaded<KeyReply>
  readonly reload: () => void
  readonly action: Action
  /** What the reader is asked to confirm. */
  readonly asked: 'regenerate' | 'revoke' | null
  readonly ask: (what: KeyDesk['asked']) => void
  readonly make: () => void
  readonly revoke: () => void
  /** A key that was just made: nobody can be shown it again. */
  readonly newKey: string | null
  readonly forgetNewKey: () => void
}

/** So that a look for the new hour does not still find the old one. */
const LATER_MS = 500

/** Reads and changes the account's key. */
function useKey(): KeyDesk {
  const { reload, change, ...loaded } = useLoad(loadKey)
  const action = useAction()
  const [asked, setAsked] = useState<KeyDesk['asked']>(null)
  const [newKey, setNewKey] = useState<string | null>(null)
  const { run, clear } = action
  const resetSeconds = loaded.value?.newKeysResetSeconds

  // With the hour, the keys that may be made begin anew.
  useEffect(() => {
    if (resetSeconds === undefined) return undefined
    const timer = setTimeout(reload, resetSeconds * 1000 + LATER_MS)
    return () => clearTimeout(timer)
  }, [resetSeconds, reload])

  const ask = (what: KeyDesk['asked']): void => {
    clear()
    setAsked(what)
  }

  const make = (): void =>
    void run(async () => {
      const { key, shown, createdAt } = await call('makeKey').catch((error: unknown) => {
        // How many are left, and whether there is a key, may be other than the page believed.
        reload()
        throw error
      })
      setAsked(null)
      setNewKey(key)
      change((before) => ({
        ...before,
        key: { shown, createdAt, lastUsedOn: null },
        newKeysLeft: Math.max(0, before.newKeysLeft - 1),
      }))
    })

  const revoke = (): void =>
    void run(async () => {
      await call('revokeKey')
      setAsked(null)
      change((before) => ({ ...before, key: null }))
      announce('API key revoked')
    })

  const forgetNewKey = useCallback(() => setNewKey(null), [])
  return { loaded, reload, action, asked, ask, make, revoke, newKey, forgetNewKey }
}

const loadKey = (signal: AbortSignal): Promise<KeyReply> => call('getKey', { signal })

const State = ({ desk: { loaded } }: { readonly desk: KeyDesk }): JSX.Element | null =>
  loaded.value === null ? null : (
    <span class={loaded.value.key === null ? 'account-state' : 'account-state live'}>
      {loaded.value.key === null ? 'No key' : 'Active'}
    </span>
  )

/** What is known of the key; keeps its place while that is looked up. */
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

/** The three things that one does about a key. */
function KeyActions({ desk }: { readonly desk: KeyDesk }): JSX.Element {
  const { loaded, action, asked, ask, make } = desk
  const { value } = loaded
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

/** What is asked before a key stops working. */
function KeyQuestions({ desk }: { readonly desk: KeyDesk }): JSX.Element {
  const { loaded, action, asked, ask, make, revoke } = desk
  const key = loaded.value?.key ?? null
  const name = key === null ? 'Your key' : <code>{shownKey(key.shown)}</code>
  const common = { busy: action.isBusy, onCancel: () => ask(null) }
  const failure = <FailureLine error={action.error}>{key && <>{name} still works.</>}</FailureLine>
  return (
    <>
      <ConfirmDialog
        {...common}
        title="Regenerate the key?"
        action="Regenerate"
        isOpen={asked === 'regenerate'}
        onConfirm={make}
      >
        <p>{name} stops working immediately. Update everything that uses it with the new key.</p>
        {failure}
      </ConfirmDialog>
      <ConfirmDialog
        {...common}
        title="Revoke the key?"
        action="Revoke"
        isOpen={asked === 'revoke'}
        onConfirm={revoke}
      >
        <p>{name} stops working immediately. You can create a new key at any time.</p>
        {failure}
      </ConfirmDialog>
    </>
  )
}

type NewKeyDialogProps = {
  /** The key; null: there is none to show. */
  readonly value: string | null
  /** The reader is done with it. It cannot be shown again. */
  readonly onDone: () => void
}

const BACK = 'new-key-back'
const COPY = 'new-key-copy'

/** Shows a new key, this once. However it is closed, nobody loses the key by a slip. */
function NewKeyDialog({ value, onDone }: NewKeyDialogProps): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  const [isAsking, setAsking] = useState(false)
  useLeaveGuard(value !== null)
  useSafeFocus(isAsking)
  const done = (): void => {
    setAsking(false)
    setCopied(false)
    onDone()
  }
  return (
    <Dialog
      title="Your new API key"
      isOpen={value !== null}
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
      <code class="account-new-key">{value}</code>
      <CopyButton
        id={COPY}
        autofocus
        tone={isCopied ? 'plain' : 'primary'}
        text={value ?? ''}
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
