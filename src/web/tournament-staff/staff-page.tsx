import * as texts from '#texts/staff'
import type { ComponentChildren } from 'preact'
import { useCallback, useRef, useState } from 'preact/hooks'
import { MAX_STAFF } from '../../contract/bounds.ts'
import type { StaffMember } from '../../contract/staff.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { useAction, useAskedAction } from '../action.ts'
import { useLoad } from '../load.ts'
import { orGone, orLook } from '../lost-answers.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { DefinitionList } from '../parts/definition-list.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { Select } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { announce, leaveFor } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { AddMember, Invite, type PartProps, roleNames, type Staff } from './joining.tsx'
import { type Limit, LimitField, LimitWords, roleInput } from './limits.tsx'
import { changeMember, useRoles } from './role-changes.ts'
import { orLeave, rightsOf, roles, roleWords } from './roles.ts'
import '../style/side-card.css'
import '../style/staff.css'

/** `/t/{slug}/staff`: who drafts a tournament, and how others join. */
export function StaffPage() {
  if (pageData().viewer === null) {
    return (
      <main id="main">
        <h1>{texts.staff}</h1>
        <Notice title={texts.signInToSee} actions={<SignInButton />}>
          {texts.staffOnly}
        </Notice>
      </main>
    )
  }
  return <Loaded slug={location.pathname.split('/')[2] ?? ''} />
}

async function readStaff(slug: string, signal?: AbortSignal): Promise<Staff> {
  const input = { slug, ...(signal && { signal }) }
  const [{ tournament }, { staff }] = await Promise.all([
    poolsCall('getTournament', input),
    poolsCall('listStaff', input),
  ])
  const isHost = tournament.role === 'host'
  const invitations = isHost ? (await poolsCall('listInvitations', input)).invitations : []
  return { tournament, members: staff, invitations }
}

function Loaded({ slug }: { readonly slug: string }) {
  const load = useCallback((signal: AbortSignal) => readStaff(slug, signal), [slug])
  const { value, error, reload } = useLoad(load)
  const failure = error !== null && (
    <FailureNotice title={texts.notLoaded} error={error} onRetry={reload} />
  )
  // What was read last stays, with a link that is not shown again.
  if (value !== null) return <Shown staff={value} onChange={reload} failure={failure} />
  return (
    <main id="main">
      <h1>{texts.staff}</h1>
      {failure || <SkeletonRows rows={4} label={texts.loadingStaff} />}
    </main>
  )
}

function Shown({ staff, onChange, failure }: PartProps & { readonly failure: ComponentChildren }) {
  const { tournament, members } = staff
  const { hosts } = rightsOf(tournament.role ?? 'referee', false)
  const isFull = members.length >= MAX_STAFF
  return (
    <main id="main" class="staff-page">
      <header class="staff-head">
        <div>
          <h1>{texts.staffOf({ tournament: <PersonText text={tournament.name} /> })}</h1>
          <p class="quiet-text tabular">
            {texts.staffCount({ n: members.length, most: MAX_STAFF })}
          </p>
        </div>
        <LinkButton label={texts.workspace} href={`/t/${tournament.slug}/edit`} />
      </header>
      {failure}
      <Members staff={staff} onChange={onChange} />
      {hosts && (
        <div class="staff-ways">
          <Invite staff={staff} isFull={isFull} onChange={onChange} />
          {!isFull && <AddMember staff={staff} onChange={onChange} />}
        </div>
      )}
      <DefinitionList class="role-words" entries={roles.map((role) => roleWords[role])} />
    </main>
  )
}

function Members({ staff, onChange }: PartProps) {
  const { tournament, members } = staff
  const { slug } = tournament
  const me = pageData().viewer?.gameId
  const { hosts } = rightsOf(tournament.role ?? 'referee', false)
  const removing = useAskedAction<StaffMember>(orLeave(tournament))
  const changing = useRoles(staff, onChange)
  const [limited, setLimited] = useState<StaffMember | null>(null)
  const isLastHost = ({ role }: StaffMember): boolean =>
    role === 'host' && members.filter((each) => each.role === 'host').length === 1
  const isLeaving = removing.asked?.gameId === me
  return (
    <>
      <ul class="staff-list" role="list" aria-label={texts.staff}>
        {members.map((member) => {
          const { gameId, username, role, rounds } = member
          const isLast = isLastHost(member)
          return (
            <li key={gameId} class="staff-member">
              <span class="staff-name">
                <PersonText within="b" text={username} />
                {gameId === me && <span class="quiet-text"> {texts.you}</span>}
                {rounds !== undefined && (
                  <span class="quiet-text staff-limit">
                    <LimitWords rounds={rounds} tournament={tournament} />
                  </span>
                )}
              </span>
              {hosts ? (
                <Select
                  aria-label={texts.roleOf({ name: username })}
                  title={isLast ? texts.needsHost : undefined}
                  value={changing.roleOf(member)}
                  options={roleNames}
                  disabled={isLast}
                  onPick={(next) => changing.setRole(member, next)}
                />
              ) : (
                <span>{roleWords[role][0]}</span>
              )}
              {hosts && (
                <Button
                  tone="quiet"
                  label={texts.rounds}
                  aria-label={texts.roundsOf({ name: username })}
                  title={role === 'host' ? texts.hostWorksOnAll : undefined}
                  disabled={role === 'host' || tournament.rounds.length === 0}
                  onClick={() => setLimited(member)}
                />
              )}
              {(hosts || gameId === me) && (
                <Button
                  tone="quiet"
                  label={gameId === me ? texts.leave : texts.remove}
                  aria-label={
                    gameId === me ? texts.leaveStaff : texts.removeMember({ name: username })
                  }
                  title={isLast ? texts.needsHost : undefined}
                  disabled={isLast}
                  onClick={() => removing.ask(member)}
                />
              )}
            </li>
          )
        })}
      </ul>
      <FailureLine error={changing.error} />
      {limited !== null && (
        <RoundsDialog
          member={limited}
          tournament={tournament}
          onClose={() => setLimited(null)}
          onChange={onChange}
        />
      )}
      <ConfirmDialog
        title={isLeaving ? texts.leaveStaffAsk : texts.removeMemberAsk}
        isOpen={removing.asked !== null}
        action={isLeaving ? texts.leave : texts.remove}
        busy={removing.isBusy}
        onCancel={removing.close}
        onConfirm={() =>
          removing.run(async () => {
            const { gameId = 0, username = '' } = removing.asked ?? {}
            await orLook(
              () => poolsCall('removeMember', { slug, gameId }),
              async () => {
                // Only the staff may read who is in it.
                const now = await orGone(poolsCall('listStaff', { slug }))
                const isThere = now?.staff.some((each) => each.gameId === gameId) ?? !isLeaving
                return isThere ? null : undefined
              },
            )
            removing.close()
            if (isLeaving) return leaveFor('/my', texts.left({ name: shownText(tournament.name) }))
            announce(texts.memberRemoved({ name: shownText(username) }))
            onChange()
          })
        }
      >
        <p>
          {isLeaving
            ? texts.leavingMeans
            : texts.removingMeans({
                member: <PersonText within="b" text={removing.asked?.username} />,
              })}
        </p>
        <FailureLine error={removing.error}>{texts.nothingChanged}</FailureLine>
      </ConfirmDialog>
    </>
  )
}

type DialogProps = {
  readonly member: StaffMember
  readonly tournament: Tournament
  readonly onClose: () => void
  readonly onChange: () => void
}

/** Which rounds a member works on. */
function RoundsDialog({ member, tournament, onClose, onChange }: DialogProps) {
  const { role, username } = member
  const [limit, setLimit] = useState<Limit>(member.rounds ?? null)
  const chosen = useRef(limit)
  chosen.current = limit
  /** The member as they are known, with what was saved here. */
  const known = useRef(member)
  const { isBusy, error, run } = useAction(orLeave(tournament))
  return (
    <ConfirmDialog
      title={texts.roundsOf({ name: shownText(username) })}
      isOpen
      tone="primary"
      action={texts.save}
      busy={isBusy}
      disabled={limit?.length === 0}
      onCancel={onClose}
      onConfirm={() =>
        run(async () => {
          try {
            const body = roleInput(role, limit)
            known.current = await changeMember(tournament.slug, known.current, body)
            announce(texts.roundsChanged({ name: username }))
            // What has been chosen since it was sent stays, to be saved, too.
            if (chosen.current === limit) onClose()
          } finally {
            onChange()
          }
        })
      }
    >
      <LimitField tournament={tournament} limit={limit} onLimit={setLimit} />
      <FailureLine error={error}>{texts.nothingChanged}</FailureLine>
    </ConfirmDialog>
  )
}
