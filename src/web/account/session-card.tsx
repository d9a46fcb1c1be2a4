import type { JSX } from 'preact'
import type { Viewer } from '../../contract/viewer.ts'
import { call } from '../api.ts'
import { Button } from '../parts/button.tsx'
import { Trouble } from '../parts/trouble.tsx'
import { useTask } from '../use-task.ts'
import { partingHref } from './parting.ts'

/** Who is signed in, and the ways out. */
export const SessionCard = ({ viewer }: { readonly viewer: Viewer }): JSX.Element => {
  const task = useTask()
  const signOut = (everywhere: boolean): void =>
    task.run(async () => {
      await call('signOut', { body: { everywhere } })
      location.assign(partingHref('signed-out'))
    })
  return (
    <section class="account-card" aria-labelledby="session-title">
      <h2 id="session-title">Signed in</h2>
      <p class="account-who">
        <strong>{viewer.username}</strong>
        <span class="quiet-text">Player {viewer.gameId}</span>
      </p>
      <div class="account-stack">
        <Button busy={task.isBusy} onClick={() => signOut(false)}>
          Sign out
        </Button>
        <Button busy={task.isBusy} onClick={() => signOut(true)}>
          Sign out everywhere
        </Button>
      </div>
      <Trouble error={task.error} />
    </section>
  )
}
