import { useCallback, useState } from 'preact/hooks'
import { MAX_STAFF } from '../../contract/bounds.ts'
import type { Invitation, StaffMember } from '../../contract/staff.ts'
import type { StaffRole, TournamentSummary } from '../../contract/tournaments.ts'
import { useAction, useAskedAction } from '../action.ts'
import { formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton, SignInButton } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { DefinitionList } from '../parts/definition-list.tsx'
import { ConfirmDialog } from '../parts/dialogs.tsx'
import { Select, TextInput } from '../parts/inputs.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine, FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { rightsOf, roles, roleWords } from './roles.ts'
import '../style/side-card.css'
import '../style/staff.css'

type Staff = {
  readonly tournament: TournamentSummary
  readonly members: readonly StaffMember[]
  /** Of hosts alone. */
  readonly invitations: readonly Invitation[]
}

/** `/t/{slug}/staff`: who drafts a tournament, and how others join. */
export function StaffPage() {
  if (pageData().viewer === null) {
    return (
      <main id="main">
        <h1>Staff</h1>
        <Notice title="Sign in to see the staff" actions={<SignInButton />}>
          The staff of a tournament see each other.
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
  if (value !== null) return <Shown staff={value} onChange={reload} />
  return (
    <main id="main">
      <h1>Staff</h1>
      {error === null ? (
        <SkeletonRows rows={4} what="the staff" />
      ) : (
        <FailureNotice title="The staff could not be loaded" error={error} onRetry={reload} />
      )}
    </main>
  )
}

type PartProps = { readonly staff: Staff; readonly onChange: () => void }

function Shown({ staff, onChange }: PartProps) {
  const { tournament, members } = staff
  const { hosts } = rightsOf(tournament.role ?? 'referee')
  return (
    <main id="main" class="staff-page">
      <header class="staff-head">
        <div>
          <h1>
            Staff of <PersonText text={tournament.name} />
          </h1>
          <p class="quiet-text tabular">
            {members.length} of {MAX_STAFF}
          </p>
        </div>
        <LinkButton label="Workspace" href={`/t/${tournament.slug}/edit`} />
      </header>
      <Members staff={staff} onChange={onChange} />
      {hosts && members.length < MAX_STAFF && (
        <div class="staff-ways">
          <Invite staff={staff} onChange={onChange} />
          <AddMember staff={staff} onChange={onChange} />
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
  const { hosts } = rightsOf(tournament.role ?? 'referee')
  const removing = useAskedAction<StaffMember>()
  const changing = useAction()
  const isLastHost = ({ role }: StaffMember): boolean =>
    role === 'host' && members.filter((each) => each.role === 'host').length === 1
  const isLeaving = removing.asked?.gameId === me
  return (
    <>
      <ul class="staff-list" role="list" aria-label="Staff">
        {members.map((member) => {
          const { gameId, username, role } = member
          const isLast = isLastHost(member)
          return (
            <li key={gameId} class="staff-member">
              <span class="staff-name">
                <PersonText within="b" text={username} />
                {gameId === me && <span class="quiet-text"> (you)</span>}
              </span>
              {hosts ? (
                <Select
                  aria-label={`Role of ${username}`}
                  title={isLast ? 'A tournament needs a host' : undefined}
                  value={role}
                  options={roleNames}
                  disabled={isLast || changing.isBusy}
                  onPick={(next) =>
                    changing.run(async () => {
                      try {
                        await poolsCall('setRole', { slug, gameId, body: { role: next } })
                        announce(`${username} is ${roleWords[next][0].toLowerCase()} now`)
                      } finally {
                        onChange()
                      }
                    })
                  }
                />
              ) : (
                <span>{roleWords[role][0]}</span>
              )}
              {(hosts || gameId === me) && (
                <Button
                  tone="quiet"
                  label={gameId === me ? 'Leave' : 'Remove'}
                  aria-label={gameId === me ? 'Leave the staff' : `Remove ${username}`}
                  title={isLast ? 'A tournament needs a host' : undefined}
                  disabled={isLast}
                  onClick={() => removing.ask(member)}
                />
              )}
            </li>
          )
        })}
      </ul>
      <FailureLine error={changing.error} />
      <ConfirmDialog
        title={isLeaving ? 'Leave the staff?' : 'Remove from the staff?'}
        isOpen={removing.asked !== null}
        action={isLeaving ? 'Leave' : 'Remove'}
        busy={removing.isBusy}
        onCancel={removing.close}
        onConfirm={() =>
          removing.run(async () => {
            await poolsCall('removeMember', { slug, gameId: removing.asked?.gameId ?? 0 })
            removing.close()
            if (isLeaving) location.assign('/my')
            else onChange()
          })
        }
      >
        <p>
          {isLeaving ? (
            'You will no longer see the drafts. A host can invite you again.'
          ) : (
            <>
              <PersonText within="b" text={removing.asked?.username} /> will no longer see the
              drafts. Their proposals and remarks stay.
            </>
          )}
        </p>
        <FailureLine error={removing.error}>Nothing was changed.</FailureLine>
      </ConfirmDialog>
    </>
  )
}

const roleNames = roles.map((role) => [role, roleWords[role][0]] as const)

type RoleFieldProps = { readonly role: StaffRole; readonly onRole: (role: StaffRole) => void }

const RoleField = ({ role, onRole }: RoleFieldProps) => (
  <label>
    Role
    <Select value={role} options={roleNames} onPick={onRole} />
  </label>
)

function Invite({ staff, onChange }: PartProps) {
  const { slug } = staff.tournament
  const [role, setRole] = useState<StaffRole>('pooler')
  const [made, setMade] = useState<{ readonly url: string; readonly role: StaffRole } | null>(null)
  const { isBusy, error, run } = useAction()
  return (
    <section class="side-card" aria-labelledby="invite-title">
      <h2 id="invite-title">Invite by a link</h2>
      <p class="side-note">
        The first player to open the link and confirm joins. It expires after seven days.
      </p>
      <form
        class="staff-form"
        onSubmit={(event) => {
          event.preventDefault()
          run(async () => {
            const { url } = await poolsCall('makeInvitation', { slug, body: { role } })
            setMade({ url, role })
            onChange()
          })
        }}
      >
        <RoleField role={role} onRole={setRole} />
        <Button type="submit" tone="primary" label="Make a link" busy={isBusy} />
      </form>
      <FailureLine error={error} />
      {made !== null && (
        <div class="invite-made" role="status">
          <p>
            <b>Copy the link for a {roleWords[made.role][0].toLowerCase()} now.</b> It is not shown
            again.
          </p>
          <input
            class="field"
            aria-label="Invitation link"
            readOnly
            value={made.url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton
            text={made.url}
            what="invitation link"
            label="Copy"
            tone="primary"
            autofocus
          />
        </div>
      )}
      <OpenInvitations staff={staff} onChange={onChange} />
    </section>
  )
}

function OpenInvitations({ staff: { tournament, invitations }, onChange }: PartProps) {
  const { error, isBusy, run } = useAction()
  if (invitations.length === 0) return null
  return (
    <>
      <h3>Open invitations</h3>
      <ul class="staff-list" role="list">
        {invitations.map(({ id, role, expiresAt }) => (
          <li key={id} class="staff-member">
            <span>{roleWords[role][0]}</span>
            <span class="quiet-text">until {formatMoment(expiresAt)}</span>
            <Button
              tone="quiet"
              label="Revoke"
              disabled={isBusy}
              onClick={() =>
                run(async () => {
                  await poolsCall('withdrawInvitation', { slug: tournament.slug, id })
                  announce('The link no longer works')
                  onChange()
                })
              }
            />
          </li>
        ))}
      </ul>
      <FailureLine error={error} />
    </>
  )
}

function AddMember({ staff, onChange }: PartProps) {
  const { slug } = staff.tournament
  const [typed, setTyped] = useState('')
  const [role, setRole] = useState<StaffRole>('pooler')
  const { isBusy, error, run } = useAction()
  // A link to a profile, or the number in it.
  const gameId = Number(/(?:^|\/users\/)([1-9]\d{0,15})\/?$/.exec(typed.trim())?.[1] ?? 0)
  return (
    <section class="side-card" aria-labelledby="add-title">
      <h2 id="add-title">Add a player</h2>
      <p class="side-note">For players who have signed in here before.</p>
      <form
        class="staff-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (gameId === 0) return
          run(async () => {
            const { member } = await poolsCall('setRole', { slug, gameId, body: { role } })
            announce(`${member.username} added`)
            setTyped('')
            onChange()
          })
        }}
      >
        <label>
          Player id or profile link
          <TextInput
            inputMode="url"
            value={typed}
            aria-invalid={typed.trim() !== '' && gameId === 0 ? true : undefined}
            onText={setTyped}
          />
        </label>
        <RoleField role={role} onRole={setRole} />
        <Button type="submit" label="Add" busy={isBusy} disabled={gameId === 0} />
      </form>
      <FailureLine error={error} />
    </section>
  )
}
