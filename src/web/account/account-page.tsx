import type { JSX } from 'preact'
import type { Viewer } from '../../contract/accounts.ts'
import { pageData } from '../page-data.ts'
import { SignInButton } from '../parts/buttons.tsx'
import { DataCard } from './data-card.tsx'
import { KeyCard } from './key-card.tsx'
import { SessionCard } from './session-card.tsx'
import { SessionList } from './session-list.tsx'
import { SignedOut } from './signed-out.tsx'
import { useQuota } from './use-quota.ts'
import '../style/account.css'

/** The session ended somewhere else, while this page was open. */
const Ended = (): JSX.Element => (
  <div class="account-ended" role="alert">
    <p>Your session has ended. This page may be out of date.</p>
    <SignInButton />
  </div>
)

const SignedIn = ({ viewer }: { readonly viewer: Viewer }): JSX.Element => {
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

/** The account page of either service. */
export const AccountPage = (): JSX.Element => {
  const { viewer } = pageData()
  return (
    <main id="main" class="account-page">
      {viewer === null ? <SignedOut /> : <SignedIn viewer={viewer} />}
    </main>
  )
}
