import * as words from '#texts/account'
import { useState } from 'preact/hooks'
import type { SessionFacts, Viewer } from '../../contract/accounts.ts'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { siteHref } from '../../contract/page-data.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { useAction, useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { formatDay, formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
import { orLook } from '../lost-answers.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { DefinitionList } from '../parts/definition-list.tsx'
import { AskedDialog } from '../parts/dialogs.tsx'
import { TextInput } from '../parts/inputs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, SkeletonRows } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { KeyCard } from './keys.tsx'
import { useQuota } from './quota.tsx'
import { leaveAccount, type SignOutKind } from './sign-out.ts'
import { useSignOut } from './use-sign-out.tsx'
import '../style/account.css'

export function AccountPage() {
  const { viewer } = pageData()
  return (
    <main id="main" class="account-page">
      {viewer === null ? <SignedOut /> : <SignedIn viewer={viewer} />}
    </main>
  )
}

const signOutTexts: Readonly<Record<SignOutKind, string>> = {
  'signed-out': words.signedOut,
  everywhere: words.signedOutEverywhere,
  deleted: words.deleted,
}

/** How a reader has just left the account, by the query of the address. */
export function readSignOut(search: string): SignOutKind | null {
  const left = new URLSearchParams(search).get('left') ?? ''
  return Object.hasOwn(signOutTexts, left) ? (left as SignOutKind) : null
}

function SignedOut() {
  const [signedOut] = useState(() => {
    const left = readSignOut(location.search)
    // Shown once: a reader who comes back to this address has not left again.
    if (left !== null) history.replaceState(history.state, '', location.pathname)
    return left
  })
  const { title, lead, points } = texts[pageData().service]
  return (
    <div class="account-out">
      {signedOut !== null && (
        <p class="account-farewell" role="status">
          {signOutTexts[signedOut]} {signedOut === 'signed-out' && <OtherSite />}
        </p>
      )}
      <h1>{title}</h1>
      <p class="account-lead">{lead}</p>
      <DefinitionList entries={points} />
      <SignInButton />
    </div>
  )
}

/** Each site has sessions of its own. */
function OtherSite() {
  const data = pageData()
  if (data.isAlone) return null
  const other = data.service === 'packs' ? 'pools' : 'packs'
  const stillOn = other === 'pools' ? words.stillOnPools : words.stillOnPacks
  return (
    <>{stillOn({ a: (children) => <a href={siteHref(data, other, '/account')}>{children}</a> })}</>
  )
}

const signIn = [words.gameAccount, words.gameAccountMeans] as const

const texts = {
  packs: {
    title: words.title,
    lead: words.leadPacks,
    points: [
      [words.yourPacks, words.yourPacksMean({ n: MAX_PACKS })],
      [words.anApiKey, words.anApiKeyMeans],
      signIn,
    ],
  },
  pools: {
    title: words.title,
    lead: words.leadPools,
    points: [
      [words.ownKey, words.ownKeyMeans],
      [
        words.ownLimits,
        words.ownLimitsMean({ requests: REQUESTS_PER_MINUTE, writes: WRITES_PER_MINUTE }),
      ],
      signIn,
    ],
  },
} as const

function SignedIn({ viewer }: { viewer: Viewer }) {
  const { quota, isSignedOut } = useQuota(viewer)
  const { service } = pageData()
  return (
    <>
      <h1>{texts[service].title}</h1>
      {service === 'pools' && <p class="account-lead">{words.ownKeysHere}</p>}
      {isSignedOut && (
        <div class="account-ended" role="alert">
          <p>{words.sessionEnded}</p>
          <SignInButton />
        </div>
      )}
      <div class="account-columns">
        <div class="account-side">
          <KeyCard quota={quota} />
          <SessionList />
        </div>
        <div class="account-side">
          <ViewerCard viewer={viewer} />
          <section class="account-card" aria-labelledby="data-title">
            <h2 id="data-title">{words.yourData}</h2>
            {service === 'packs' ? (
              <Data viewer={viewer} />
            ) : (
              <p class="quiet-text">
                {words.dataThere({
                  a: (children) => <a href={pageHref('/account')}>{children}</a>,
                })}
              </p>
            )}
          </section>
        </div>
      </div>
    </>
  )
}

/** `Firefox on Windows`, of which one may be unknown. */
function deviceText(device: string | null): string {
  const [browser, system] = device?.split(' on ') ?? []
  if (browser === undefined) return words.unknownBrowser
  return system === undefined ? browser : words.browserOn({ browser, system })
}

function SessionList() {
  const { value, error: loadError, change } = useLoad(loadSessions)
  const { isBusy, error, run } = useAction()
  const sessions = value?.sessions ?? []
  const keep = (isKept: (session: SessionFacts) => boolean): void =>
    change((before) => ({ sessions: before.sessions.filter(isKept) }))

  const end = (id: string, device: string): void =>
    run(async () => {
      await orLook(
        () => call('endSession', { body: { id } }),
        async () => {
          const now = await call('listSessions')
          return now.sessions.some((session) => session.id === id) ? null : undefined
        },
      )
      keep((session) => session.id !== id)
      announce(words.endedSession({ device }))
    })
  const endOthers = (): void =>
    run(async () => {
      await call('endOtherSessions')
      keep(({ isCurrent }) => isCurrent)
      announce(words.othersEnded)
    })

  return (
    <section class="account-card account-sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title">{words.sessions}</h2>
      <p class="quiet-text">{words.sessionsMean}</p>
      {value === null && loadError === null && (
        <SkeletonRows rows={2} label={words.loadingSessions} />
      )}
      <ul>
        {sessions.map(({ id, device, service, createdAt, lastSeenAt, isCurrent }) => {
          const name = deviceText(device)
          return (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                {isCurrent && <span class="account-here">{words.thisSession}</span>}
                <p class="quiet-text">
                  {service !== pageData().service && `${serviceNames[service]} · `}
                  {words.sessionTimes({
                    begun: <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
                    seen: <time dateTime={lastSeenAt}>{formatMoment(lastSeenAt)}</time>,
                  })}
                </p>
              </div>
              {!isCurrent && (
                <Button
                  label={words.end}
                  busy={isBusy}
                  aria-label={words.endSession({ device: name })}
                  onClick={() => end(id, name)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div class="account-stack">
          <Button label={words.endOthers} busy={isBusy} onClick={endOthers} />
        </div>
      )}
      <FailureLine error={error ?? loadError} />
    </section>
  )
}

const loadSessions = (signal: AbortSignal) => call('listSessions', { signal })

const serviceNames = { packs: words.packs, pools: words.pools }

function ViewerCard({ viewer }: { viewer: Viewer }) {
  const { isBusy, error, press, dialog } = useSignOut()
  return (
    <section class="account-card" aria-labelledby="session-title">
      <h2 id="session-title">{words.signedIn}</h2>
      <p class="account-who">
        <PersonText within="strong" text={viewer.username} />
        <span class="quiet-text">{words.player({ id: String(viewer.gameId) })}</span>
      </p>
      <div class="account-stack">
        <Button label={words.signOut} busy={isBusy} onClick={() => press(false)} />
        <Button label={words.signOutEverywhere} busy={isBusy} onClick={() => press(true)} />
      </div>
      {dialog}
      <FailureLine error={error} />
    </section>
  )
}

function Data({ viewer: { username } }: { viewer: Viewer }) {
  const action = useAskedAction<'account'>()
  const [typed, setTyped] = useState('')
  const cancel = (): void => {
    setTyped('')
    action.close()
  }
  const confirm = (): void =>
    action.run(async () => {
      await call('deleteAccount', { body: { username: typed } })
      return leaveAccount('deleted')
    })
  return (
    <>
      <p class="quiet-text">{words.dataMeans}</p>
      <div class="account-stack">
        <LinkButton icon="download" label={words.downloadData} href="/session/my-data" />
        <Button tone="danger" label={words.deleteMine} onClick={() => action.ask('account')} />
      </div>
      <AskedDialog
        action={action}
        title={words.deleteAsk}
        button={words.deleteAccount}
        kept={words.nothingDeleted}
        disabled={typed.trim() !== username}
        onConfirm={confirm}
        onCancel={cancel}
      >
        <p>{words.deletionMeans}</p>
        <label class="dialog-field account-name">
          <span>
            {words.typeToConfirm({ name: <PersonText within="strong" text={username} /> })}
          </span>
          <TextInput
            value={typed}
            autofocus
            autocapitalize="off"
            spellcheck={false}
            onText={setTyped}
          />
        </label>
      </AskedDialog>
    </>
  )
}
