import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { pageData } from '../page-data.ts'
import { SignInButton } from '../parts/buttons.tsx'
import { type Parting, readParting } from './parting.ts'

const farewells: Readonly<Record<Parting, string>> = {
  'signed-out': 'You have signed out.',
  deleted: 'Your account and your packs have been deleted.',
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

/** What an account is for, and the way to one. */
export const SignedOut = (): JSX.Element => {
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
