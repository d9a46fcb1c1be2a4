import * as texts from '#texts/account'
import { useEffect, useState } from 'preact/hooks'
import type { SiteQuota } from '../../contract/accounts.ts'
import type { KeyReply } from '../../contract/keys.ts'
import { NEW_KEYS_PER_HOUR } from '../../contract/quotas.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { later } from '../browser.ts'
import { formatMoment, formatPlainDay, formatTime, now } from '../format.ts'
import { useLoad } from '../load.ts'
import { orLook, unknown } from '../lost-answers.ts'
import { hreflangOf, pageData, pageHref } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DefinitionList } from '../parts/definition-list.tsx'
import { AskedDialog } from '../parts/dialogs.tsx'
import { FailureLine, FailureNotice } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { CallFailure } from '../site-failure.ts'
import { NewKeyDialog } from './new-key-dialog.tsx'
import { QuotaMeters } from './quota.tsx'

export function KeyCard({ quota }: { quota: SiteQuota | null }) {
  const model = useKey()
  const { reply, loadError, reload } = model
  const { service, apiUrl, poolsUrl } = pageData()
  const address = `${service === 'pools' ? poolsUrl : apiUrl}/api/v1`
  return (
    <section class="account-card account-key" aria-labelledby="key-title">
      <header>
        <h2 id="key-title">{texts.apiKey}</h2>
        {reply && (
          <span class={reply.key ? 'account-state live' : 'account-state'}>
            {reply.key ? texts.keyActive : texts.noKey}
          </span>
        )}
        <a href={pageHref('/docs/api')} {...hreflangOf('/docs/api')}>
          {texts.apiGuide}
        </a>
      </header>
      {loadError !== null && reply === null ? (
        <FailureNotice title={texts.keyNotLoaded} error={loadError} onRetry={reload} />
      ) : (
        <>
          <KeyFacts reply={reply} />
          <KeyActions {...model} />
        </>
      )}
      <QuotaMeters quota={quota} />
      <div class="account-address">
        <span>
          <span class="small-text quiet-text">{texts.baseUrl}</span>
          <code>{address}</code>
        </span>
        <CopyButton
          text={address}
          name={texts.copyBaseUrl}
          copied={texts.baseUrlCopied}
          tone="quiet"
        />
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
  const resetAt = reply?.newKeysResetAt

  useEffect(() => {
    if (resetAt === undefined) return undefined
    return later(resetAt - now() + LATER_MS, reload)
  }, [resetAt, reload])

  /** Throws if there is a key that this page has not shown: what was asked was not about it. */
  const checkSeen = (key: KeyReply['key'], seen: KeyReply['key']): void => {
    if (key === null || key.shown === seen?.shown) return
    change((before) => ({ ...before, key }))
    action.close()
    throw new CallFailure('conflict', texts.keyMadeElsewhere({ key: shownKey(key.shown) }))
  }

  const create = (): void =>
    action.run(async () => {
      const before = reply?.key ?? null
      const making = orLook(
        () => call('makeKey', { query: { shown: before?.shown ?? '' } }),
        () => lookForKey(before),
      )
      const { key, shown, createdAt } = await making.catch(async (error: unknown) => {
        if (error instanceof CallFailure && error.reason === 'another_key') {
          const read = await call('getKey').catch(() => null)
          checkSeen(read?.key ?? null, before)
        }
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
      const before = reply?.key ?? null
      const { key } = await orLook<Pick<KeyReply, 'key'>>(
        async () => {
          await call('revokeKey', { query: before === null ? {} : { shown: before.shown } })
          return { key: null }
        },
        async () => {
          const now = await call('getKey')
          return now.key !== null && now.key.shown === before?.shown ? null : now
        },
      )
      checkSeen(key, before)
      action.close()
      change((before) => ({ ...before, key: null }))
      announce(texts.keyRevoked)
    })

  return { reply, loadError, reload, action, create, revoke, newKey, setNewKey }
}

/** A key that was made is no use: its text was in the answer alone. */
async function lookForKey(before: KeyReply['key']): Promise<null> {
  const { key } = await call('getKey')
  if (key === null || key.shown === before?.shown) return null
  throw unknown(before === null ? texts.keyCreatedUnseen : texts.keyReplacedUnseen)
}

/** With when more keys can be made: the seconds until then are those at the time of the answer. */
async function loadKey(signal: AbortSignal) {
  const { newKeysResetSeconds, ...reply } = await call('getKey', { signal })
  return { ...reply, newKeysResetAt: now() + newKeysResetSeconds * 1000 }
}

function KeyFacts({ reply }: Pick<KeyModel, 'reply'>) {
  if (reply === null) {
    return (
      <div class="account-facts" role="status">
        <span class="sr-only">{texts.loadingKey}</span>
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
        {pageData().service === 'packs' ? texts.keyOfPacks : texts.keyOfPools}
      </p>
    )
  }
  const { shown, createdAt, lastUsedOn: day } = reply.key
  const created = <time dateTime={createdAt}>{formatMoment(createdAt)}</time>
  const lastUsed = day === null ? texts.never : <time dateTime={day}>{formatPlainDay(day)}</time>
  return (
    <div class="account-facts">
      <span class="account-shown">{shownKey(shown)}</span>
      <DefinitionList
        entries={[
          [texts.keyCreated, created],
          [texts.keyLastUsed, lastUsed],
        ]}
      />
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
            <Button
              {...creation}
              label={texts.regenerate}
              onClick={() => action.ask('regenerate')}
            />
            <Button tone="danger" label={texts.revoke} onClick={() => action.ask('revoke')} />
          </>
        ) : (
          <Button {...creation} tone="primary" icon="key" busy={action.isBusy} onClick={create}>
            {texts.createKey}
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
const usual = { newKeysLeft: NEW_KEYS_PER_HOUR, newKeysResetAt: 0 }

const leftText = ({ newKeysLeft, newKeysResetAt }: typeof usual): string =>
  newKeysLeft > 0
    ? texts.keysLeft({ left: newKeysLeft, all: NEW_KEYS_PER_HOUR })
    : texts.noKeysLeft({ time: formatTime(newKeysResetAt) })

const questions = {
  regenerate: [texts.regenerate, texts.regenerateAsk, texts.regeneration],
  revoke: [texts.revoke, texts.revokeAsk, texts.revocation],
} as const

function KeyQuestion({ reply, action, create, revoke }: KeyModel) {
  const [button, title, effect] = questions[action.asked ?? 'revoke']
  const name = reply?.key ? <code>{shownKey(reply.key.shown)}</code> : texts.yourKey
  return (
    <AskedDialog
      action={action}
      title={title}
      button={button}
      kept={reply?.key && texts.stillWorks({ key: name })}
      onConfirm={action.asked === 'revoke' ? revoke : create}
    >
      <p>{effect({ key: name })}</p>
    </AskedDialog>
  )
}
