import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { MAX_PACKS } from '../../contract/bounds.ts'
import { REQUESTS_PER_MINUTE, WRITES_PER_MINUTE } from '../../contract/quotas.ts'
import { pageData } from '../page-data.ts'
import { SignInButton } from '../parts/sign-in-button.tsx'
import { type Parting, readParting } from './parting.ts'

const farewells: Readonly<Record<Parting, string>> = {
  'signed-out': 'You are signed out.',
  deleted: 'Your account is deleted, and your packs with it.',
}

const signIn = [
  'Your game account',
  'You sign in on the game’s own site. Of you we keep your player name and number; you can see all of it, and delete it, at any time.',
] as const

const texts = {
  packs: {
    title: 'Account',
    lead: 'Finding packs and opening pack keys needs no account. Saving does.',
    points: [
      [
        'Your packs',
        `Keep up to ${MAX_PACKS} of them: for yourself, for whoever has the link, or for everyone.`,
      ],
      ['An API key', 'Let your scripts and bots read packs and look after yours.'],
      signIn,
    ],
  },
  pools: {
    title: 'Tournament pools',
    lead: 'Sign in to get your API key for the tournament-pools service.',
    points: [
      [
        'Its own key',
        'A key of the packs service does not open this one, nor the other way round.',
      ],
      [
        'Its own limits',
        `${REQUESTS_PER_MINUTE} requests a minute, ${WRITES_PER_MINUTE} of them writes, whatever you do elsewhere.`,
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
