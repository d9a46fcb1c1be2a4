import * as words from '#texts/common'
import * as texts from '#texts/staff'
import { useCallback } from 'preact/hooks'
import type { StaffRole } from '../../contract/tournaments.ts'
import { useAction } from '../action.ts'
import { useLoad } from '../load.ts'
import { orLook } from '../lost-answers.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { leaveTo } from '../browser.ts'
import { poolsCall } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import { Sentences } from '../parts/sentences.tsx'
import { RoundNames } from './limits.tsx'
import { roleWords } from './roles.ts'

/** `/invite/{token}`: joins the staff of a tournament. */
export const InvitePage = () => (
  <main id="main">
    <h1>{texts.invitation}</h1>
    {pageData().viewer === null ? (
      <Notice title={texts.invitedToSome} actions={<SignInButton />}>
        {texts.signInToSeeWhich}
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
  const { value, error, reload } = useLoad(load, true)
  const joining = useAction()
  const used = [error, joining.error].find(isUsed)
  if (used !== undefined) {
    return (
      <Notice
        title={texts.invitationInvalid}
        actions={<LinkButton label={words.myTournaments} href="/my" />}
      >
        {texts.invitationInvalidMeans}
      </Notice>
    )
  }
  if (error !== null) {
    return <FailureNotice title={texts.invitationNotOpened} error={error} onRetry={reload} />
  }
  if (value === null) return <SkeletonRows rows={2} label={texts.loadingInvitation} />
  const { tournament, role, rounds, currentRole, isMore } = value
  const workspace = `/t/${tournament.slug}/edit`
  const [name, rights] = roleWords[role]
  const inBold = <PersonText within="b" text={tournament.name} />
  if (currentRole !== undefined && !isMore) {
    return (
      <Notice
        title={texts.alreadyOnStaff}
        actions={<LinkButton tone="primary" label={texts.openWorkspace} href={workspace} />}
      >
        <Sentences
          of={[
            texts.youAre({ role: currentRole, tournament: <PersonText text={tournament.name} /> }),
            texts.worksForAnother,
          ]}
        />
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
            label={currentRole === undefined ? texts.joinStaff : texts.accept}
            busy={joining.isBusy}
            onClick={() =>
              joining.run(async () => {
                await orLook(
                  () => poolsCall('acceptInvitation', { token }),
                  async () => {
                    // One that was accepted cannot be read any more.
                    const now = await poolsCall('getTournament', { slug: tournament.slug })
                    return now.tournament.role === currentRole ? null : value
                  },
                )
                // Back does not lead to an invitation that is used up.
                return leaveTo(workspace, true)
              })
            }
          />
          <FailureLine error={joining.error} />
        </>
      }
    >
      <Sentences
        of={[
          currentRole === undefined
            ? texts.invitedTo({ tournament: inBold })
            : texts.youAre({ role: currentRole, tournament: inBold }),
          texts.roleMeans({ role: name, rights }),
          rounds === undefined && currentRole !== undefined && texts.willWorkOnAll,
          rounds && texts.willWorkOn({ rounds: <RoundNames rounds={rounds} /> }),
          rounds && (currentRole === role ? texts.keepsRounds : texts.seesOthersLater),
          texts.seenByStaff,
        ]}
      />
    </Notice>
  )
}

function titleOf(current: StaffRole | undefined, role: StaffRole): string {
  if (current === role) return texts.moreRoundsAsk
  return current === undefined ? texts.joinAsk({ role }) : texts.becomeAsk({ role })
}

const isUsed = (error: unknown): boolean =>
  error instanceof CallFailure && (error.code === 'not_found' || error.code === 'conflict')
