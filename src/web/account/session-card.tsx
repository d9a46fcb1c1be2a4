import type { JSX } from 'preact'
import type { Viewer } from '../../contract/accounts.ts'
import { call } from '../api.ts'
import { useAction } from '../hooks.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { partingHref } from './parting.ts'

/** Who is signed in, and the ways out. */
export const SessionCard = ({ viewer }: { readonly viewer: Viewer }): JSX.Element => {
  const action = useAction()
  const signOut = (everywhere: boolean): void =>
    void action.run(async () => {
      await call('signOut', { body: { everywhere } })
      location.assign(partingHref('signed-out'))
    })
  return (
    <section class="account-card" aria-labelledby="session-title">
      <h2 id="session-title">Signed in</h2>
      <p class="account-who">
        <strong>
          <PersonText text={viewer.username} />
        </strong>
        <span class="quiet-text">Player {viewer.gameId}</span>
      </p>
      <div class="account-stack">
        <Button busy={action.isBusy} onClick={() => signOut(false)}>
          Sign out
        </Button>
        <Button busy={action.isBusy} onClick={() => signOut(true)}>
          Sign out everywhere
        </Button>
      </div>
      <FailureLine error={action.error} />
    </section>
  )
}
