import { useCallback } from 'preact/hooks'
import type { StaffRole } from '../../contract/tournaments.ts'
import { useAction } from '../action.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { poolsCall } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import { RoundNames } from './limits.tsx'
import { roleWords } from './roles.ts'

/** `/invite/{token}`: joins the staff of a tournament. */
export const InvitePage = () => (
  <main id="main">
    <h1>Invitation</h1>
    {pageData().viewer === null ? (
      <Notice title="You are invited to the staff of a tournament" actions={<SignInButton />}>
        Sign in to see which one. You will return to this page.
      </Notice>
    ) : (
      <Invited token={location.pathname.split('/')[2] ?? ''} />
    )}
  </main>
)

function Invited({ token }: { readonly token: string }) {
  const load = useCallback(
    (signal: AbortSignal) => poolsCall('getInvitation', { token, signal }),
    [token],
  )
  const { value, error, reload } = useLoad(load)
  const joining = useAction()
  const used = [error, joining.error].find(isUsed)
  if (used !== undefined) {
    return (
      <Notice
        title="This invitation is no longer valid"
        actions={<LinkButton label="My tournaments" href="/my" />}
      >
        It has expired, or was used or revoked. Ask a host for a new link.
      </Notice>
    )
  }
  if (error !== null) {
    return <FailureNotice title="Could not open the invitation" error={error} onRetry={reload} />
  }
  if (value === null) return <SkeletonRows rows={2} what="the invitation" />
  const { tournament, role, rounds, currentRole, isMore } = value
  const workspace = `/t/${tournament.slug}/edit`
  const [name, what] = roleWords[role]
  if (currentRole !== undefined && !isMore) {
    return (
      <Notice
        title="You are already on the staff"
        actions={<LinkButton tone="primary" label="Open the workspace" href={workspace} />}
      >
        You are a {roleWords[currentRole][0].toLowerCase()} of <PersonText text={tournament.name} />
        . The link still works for another person.
      </Notice>
    )
  }
  return (
    <Notice
      title={titleOf(currentRole, role)}
      actions={
        <>
          <Button
            tone="primary"
            label={currentRole === undefined ? 'Join the staff' : 'Accept'}
            busy={joining.isBusy}
            onClick={() =>
              joining.run(async () => {
                await poolsCall('acceptInvitation', { token })
                location.assign(workspace)
              })
            }
          />
          <FailureLine error={joining.error} />
        </>
      }
    >
      {currentRole === undefined
        ? 'You are invited to the staff of '
        : `You are a ${roleWords[currentRole][0].toLowerCase()} of `}
      <PersonText within="b" text={tournament.name} />. {name}: {what}.{' '}
      {rounds === undefined ? (
        currentRole !== undefined && 'You will work on all rounds. '
      ) : (
        <>
          You will work on: <RoundNames rounds={rounds} />.{' '}
          {currentRole === role
            ? 'You keep the rounds you already work on. '
            : 'You can see other rounds once they are released. '}
        </>
      )}
      The others on the staff will see your player name.
    </Notice>
  )
}

function titleOf(current: StaffRole | undefined, role: StaffRole): string {
  if (current === role) return 'Work on more rounds?'
  return `${current === undefined ? 'Join as' : 'Become'} a ${roleWords[role][0].toLowerCase()}?`
}

const isUsed = (error: unknown): boolean =>
  error instanceof CallFailure && (error.code === 'not_found' || error.code === 'conflict')
