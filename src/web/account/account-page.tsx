import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Viewer } from '../../contract/accounts.ts'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { type AskedAction, useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { pageData, pageHref } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { KeyCard } from './keys.tsx'
import { useQuota } from './quota.tsx'
import { type Parting, partingHref, readParting, SessionCard, SessionList } from './sessions.tsx'
import '../style/account.css'

/** The account page of either service. */
export function AccountPage(): JSX.Element {
  const { viewer } = pageData()
  return (
    <main id="main" class="account-page">
      {viewer === null ? <SignedOut /> : <SignedIn viewer={viewer} />}
    </main>
  )
}

const farewells: Readonly<Record<Parting, string>> = {
  'signed-out': 'You have signed out.',
  deleted: 'Your account and your packs have been deleted.',
}

function SignedOut(): JSX.Element {
  const [parting] = useState(() => {
    const left = readParting(location.search)
    // Said once: whoever comes back to this address has not left again.
    if (left !== null) history.replaceState(history.state, '', location.pathname)
    return left
  })
  const { title, lead, points } = texts[pageData().service]
  return (
    <div class="account-out">
      {parting && (
        <p class="account-farewell" role="status">
          {farewells[parting]}
        </p>
      )}
      <h1>{title}</h1>
      <p class="account-lead">{lead}</p>
      <dl>
        {points.map(([what, why]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>{why}</dd>
          </div>
        ))}
      </dl>
      <SignInButton />
    </div>
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
    title: 'Tournament pools',
    lead: 'Sign in to get your API key for the tournament-pools service.',
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

function SignedIn({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const { view, isSignedOut } = useQuota(viewer)
  const isPools = pageData().service === 'pools'
  return (
    <>
      <h1>{isPools ? 'Tournament pools' : 'Account'}</h1>
      {isPools && (
        <p class="account-lead">
          This service has its own keys and limits. Keys for the packs service do not work here.
        </p>
      )}
      {isSignedOut && <Ended />}
      <div class="account-columns">
        <div class="account-side">
          <KeyCard quota={view} />
          <SessionList />
        </div>
        <div class="account-side">
          <SessionCard viewer={viewer} />
          <DataCard viewer={viewer} />
        </div>
      </div>
    </>
  )
}

/** The session ended somewhere else, while this page was open. */
const Ended = (): JSX.Element => (
  <div class="account-ended" role="alert">
    <p>Your session has ended. This page may be out of date.</p>
    <SignInButton />
  </div>
)

/** What is kept about the reader: to take along, or to delete. The packs service does both. */
function DataCard({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const deletion = useAskedAction<'account'>()
  return (
    <section class="account-card" aria-labelledby="data-title">
      <h2 id="data-title">Your data</h2>
      {pageData().service === 'packs' ? (
        <>
          <p class="quiet-text">
            Your packs and everything else we store about you, as one JSON file.
          </p>
          <div class="account-stack">
            <LinkButton icon="download" href="/session/my-data">
              Download all my data
            </LinkButton>
            <Button tone="danger" onClick={() => deletion.ask('account')}>
              Delete my account
            </Button>
          </div>
          <DeleteAccount username={viewer.username} action={deletion} />
        </>
      ) : (
        <p class="quiet-text">
          Both services share one account. Download or delete its data on{' '}
          <a href={pageHref('/account')}>the account page of the packs site</a>.
        </p>
      )}
    </section>
  )
}

function DeleteAccount({
  username,
  action,
}: {
  readonly username: string
  readonly action: AskedAction<'account'>
}): JSX.Element {
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
    <ConfirmDialog
      title="Delete your account?"
      action="Delete account"
      isOpen={action.asked !== null}
      busy={action.isBusy}
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
          Type{' '}
          <strong>
            <PersonText text={username} />
          </strong>{' '}
          to confirm
        </span>
        <input
          class="field"
          value={typed}
          autofocus
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </label>
      <FailureLine error={action.error}>Nothing was deleted.</FailureLine>
    </ConfirmDialog>
  )
}
