import { useState } from 'preact/hooks'
import type { SessionFacts, Viewer } from '../../contract/accounts.ts'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { siteHref } from '../../contract/page-data.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { useAction, useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { formatDay, formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
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
import { type Parting, partingHref, signOut } from './sign-out.ts'
import '../style/account.css'

export function AccountPage() {
  const { viewer } = pageData()
  return (
    <main id="main" class="account-page">
      {viewer === null ? <SignedOut /> : <SignedIn viewer={viewer} />}
    </main>
  )
}

const farewells: Readonly<Record<Parting, string>> = {
  'signed-out': 'You have signed out.',
  everywhere: 'You have signed out everywhere.',
  deleted: 'Your account and your packs have been deleted.',
}

/** How a reader has just left the account, by the query of the address. */
export function readParting(search: string): Parting | null {
  const left = new URLSearchParams(search).get('left') ?? ''
  return Object.hasOwn(farewells, left) ? (left as Parting) : null
}

function SignedOut() {
  const [parting] = useState(() => {
    const left = readParting(location.search)
    // Shown once: a reader who comes back to this address has not left again.
    if (left !== null) history.replaceState(history.state, '', location.pathname)
    return left
  })
  const { title, lead, points } = texts[pageData().service]
  return (
    <div class="account-out">
      {parting !== null && (
        <p class="account-farewell" role="status">
          {farewells[parting]} {parting === 'signed-out' && <OtherSite />}
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
  const [other, words] =
    data.service === 'packs'
      ? (['pools', 'the tournaments site'] as const)
      : (['packs', 'the packs site'] as const)
  return (
    <>
      You may still be signed in on <a href={siteHref(data, other, '/account')}>{words}</a>.
    </>
  )
}

const signIn = [
  'Your game account',
  'You sign in on the game’s own site. We keep your player name and id. You can download or delete your data at any time.',
] as const

const texts = {
  packs: {
    title: 'Account',
    lead: 'You can browse packs and open pack keys without an account. Sign in to save your own.',
    points: [
      ['Your packs', `Save up to ${MAX_PACKS} packs: private, unlisted or public.`],
      ['An API key', 'Let scripts and bots read packs and manage yours.'],
      signIn,
    ],
  },
  pools: {
    title: 'Account',
    lead: 'Sign in to draft pools with your staff, and to get your API key for the tournament-pools service.',
    points: [
      [
        'Its own key',
        'Keys for the packs service do not work here, and keys for this service do not work there.',
      ],
      [
        'Its own limits',
        `${REQUESTS_PER_MINUTE} requests per minute, up to ${WRITES_PER_MINUTE} of them writes, counted separately from the packs service.`,
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
      {service === 'pools' && (
        <p class="account-lead">
          This service has its own keys and limits. Keys for the packs service do not work here.
        </p>
      )}
      {isSignedOut && (
        <div class="account-ended" role="alert">
          <p>Your session has ended. This page may be out of date.</p>
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
            <h2 id="data-title">Your data</h2>
            {service === 'packs' ? (
              <Data viewer={viewer} />
            ) : (
              <p class="quiet-text">
                Both services share one account. Download or delete its data on{' '}
                <a href={pageHref('/account')}>the account page of the packs site</a>.
              </p>
            )}
          </section>
        </div>
      </div>
    </>
  )
}

function SessionList() {
  const { value, error: loadError, change } = useLoad(loadSessions)
  const { isBusy, error, run } = useAction()
  const sessions = value?.sessions ?? []
  const keep = (isKept: (session: SessionFacts) => boolean): void =>
    change((before) => ({ sessions: before.sessions.filter(isKept) }))

  const end = (id: string, device: string): void =>
    run(async () => {
      await call('endSession', { body: { id } })
      keep((session) => session.id !== id)
      announce(`Session ended: ${device}`)
    })
  const endOthers = (): void =>
    run(async () => {
      await call('endOtherSessions')
      keep(({ isCurrent }) => isCurrent)
      announce('All other sessions have ended')
    })

  return (
    <section class="account-card account-sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <p class="quiet-text">
        Where your account is signed in. A session ends after 30 days without use, and after 90 days
        in any case.
      </p>
      {value === null && loadError === null && <SkeletonRows rows={2} what="your sessions" />}
      <ul>
        {sessions.map(({ id, device, service, createdAt, lastSeenAt, isCurrent }) => {
          const name = device ?? 'Unknown browser'
          return (
            <li key={id}>
              <div>
                <strong>{name}</strong>
                {isCurrent && <span class="account-here">This session</span>}
                <p class="quiet-text">
                  {service !== pageData().service && `${serviceNames[service]} · `}
                  Signed in <time dateTime={createdAt}>{formatDay(createdAt)}</time>, last seen{' '}
                  <time dateTime={lastSeenAt}>{formatMoment(lastSeenAt)}</time>
                </p>
              </div>
              {!isCurrent && (
                <Button
                  label="End"
                  busy={isBusy}
                  aria-label={`End session: ${name}`}
                  onClick={() => end(id, name)}
                />
              )}
            </li>
          )
        })}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div class="account-stack">
          <Button label="End all other sessions" busy={isBusy} onClick={endOthers} />
        </div>
      )}
      <FailureLine error={error ?? loadError} />
    </section>
  )
}

const loadSessions = (signal: AbortSignal) => call('listSessions', { signal })

const serviceNames = { packs: 'Packs', pools: 'Tournament pools' }

function ViewerCard({ viewer }: { viewer: Viewer }) {
  const { isBusy, error, run } = useAction()
  return (
    <section class="account-card" aria-labelledby="session-title">
      <h2 id="session-title">Signed in</h2>
      <p class="account-who">
        <PersonText within="strong" text={viewer.username} />
        <span class="quiet-text">Player {viewer.gameId}</span>
      </p>
      <div class="account-stack">
        <Button label="Sign out" busy={isBusy} onClick={() => run(() => signOut(false))} />
        <Button
          label="Sign out everywhere"
          busy={isBusy}
          onClick={() => run(() => signOut(true))}
        />
      </div>
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
      location.assign(partingHref('deleted'))
    })
  return (
    <>
      <p class="quiet-text">Your packs and everything else we store about you, as one JSON file.</p>
      <div class="account-stack">
        <LinkButton icon="download" label="Download all my data" href="/session/my-data" />
        <Button tone="danger" label="Delete my account" onClick={() => action.ask('account')} />
      </div>
      <AskedDialog
        action={action}
        title="Delete your account?"
        button="Delete account"
        kept="Nothing was deleted."
        disabled={typed.trim() !== username}
        onConfirm={confirm}
        onCancel={cancel}
      >
        <p>
          This permanently deletes your packs and your API keys for both services, and signs you out
          everywhere. Links to your packs will stop working. This cannot be undone.
        </p>
        <label class="dialog-field account-name">
          <span>
            Type <PersonText within="strong" text={username} /> to confirm
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
