import * as texts from '#texts/staff'
import { useState } from 'preact/hooks'
import type { Invitation, StaffMember } from '../../contract/staff.ts'
import type { StaffRole, Tournament } from '../../contract/tournaments.ts'
import { plainDigits } from '../../pool/text.ts'
import { useAction } from '../action.ts'
import { formatMoment } from '../format.ts'
import { orLook, unknown } from '../lost-answers.ts'
import { Button } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Select, TextInput } from '../parts/inputs.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { Sentences } from '../parts/sentences.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { type Limit, LimitField, LimitWords, roleInput } from './limits.tsx'
import { orLeave, roles, roleWords } from './roles.ts'

export type Staff = {
  readonly tournament: Tournament
  readonly members: readonly StaffMember[]
  /** Of hosts alone. */
  readonly invitations: readonly Invitation[]
}

export type PartProps = { readonly staff: Staff; readonly onChange: () => void }

export const roleNames = roles.map((role) => [role, roleWords[role][0]] as const)

/** A role, and the rounds that it is for: of a host, all. */
function useRole(tournament: Tournament) {
  const [role, setRole] = useState<StaffRole>('pooler')
  const [limit, setLimit] = useState<Limit>(null)
  const fields = (
    <>
      <label>
        {texts.role}
        <Select value={role} options={roleNames} onPick={setRole} />
      </label>
      {role !== 'host' && tournament.rounds.length > 0 && (
        <LimitField tournament={tournament} limit={limit} onLimit={setLimit} />
      )}
    </>
  )
  const isComplete = role === 'host' || limit?.length !== 0
  return { role, body: roleInput(role, limit), isComplete, fields }
}

/** Joining by a link. On a staff that is full, the links that are open: they work once somebody has left. */
export function Invite({ staff, isFull, onChange }: PartProps & { readonly isFull: boolean }) {
  const { tournament, invitations } = staff
  const { slug } = tournament
  const { role, body, isComplete, fields } = useRole(tournament)
  const [made, setMade] = useState<{ readonly url: string; readonly role: StaffRole } | null>(null)
  const { isBusy, error, run } = useAction(orLeave(tournament))
  if (isFull && invitations.length === 0 && made === null) return null
  return (
    <section class="side-card" aria-labelledby="invite-title">
      <h2 id="invite-title">{texts.inviteByLink}</h2>
      {!isFull && (
        <>
          <p class="side-note">{texts.inviteMeans}</p>
          <form
            class="staff-form"
            onSubmit={(event) => {
              event.preventDefault()
              run(async () => {
                const { url } = await orLook(
                  () => poolsCall('makeInvitation', { slug, body }),
                  async () => {
                    const now = await poolsCall('listInvitations', { slug })
                    const known = new Set(invitations.map(({ id }) => id))
                    if (now.invitations.every(({ id }) => known.has(id))) return null
                    throw unknown(texts.linkUnseen)
                  },
                )
                setMade({ url, role })
                onChange()
              })
            }}
          >
            {fields}
            <Button
              type="submit"
              tone="primary"
              label={texts.makeLink}
              busy={isBusy}
              disabled={!isComplete}
            />
          </form>
        </>
      )}
      <FailureLine error={error} />
      {made !== null && (
        <div class="invite-made" role="status">
          <p>
            <Sentences
              of={[<b>{texts.copyLinkNow({ role: made.role })}</b>, texts.notShownAgain]}
            />
          </p>
          <input
            class="field"
            aria-label={texts.invitationLink}
            readOnly
            value={made.url}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          <CopyButton
            text={made.url}
            copied={texts.invitationLinkCopied}
            label={texts.copy}
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
  const { error, isBusy, run } = useAction(orLeave(tournament))
  if (invitations.length === 0) return null
  return (
    <>
      <h3>{texts.openInvitations}</h3>
      <ul class="staff-list" role="list">
        {invitations.map(({ id, role, rounds, expiresAt }) => (
          <li key={id} class="staff-member">
            <span>
              {roleWords[role][0]}
              {rounds !== undefined && (
                <span class="quiet-text staff-limit">
                  <LimitWords rounds={rounds} tournament={tournament} />
                </span>
              )}
            </span>
            <span class="quiet-text">{texts.validUntil({ moment: formatMoment(expiresAt) })}</span>
            <Button
              tone="quiet"
              label={texts.revoke}
              busy={isBusy}
              onClick={() =>
                run(async () => {
                  const { slug } = tournament
                  const isRevoked = await orLook(
                    async () => {
                      await poolsCall('withdrawInvitation', { slug, id })
                      return true
                    },
                    async () => {
                      const now = await poolsCall('listInvitations', { slug })
                      return now.invitations.some((each) => each.id === id) ? null : false
                    },
                  )
                  // Somebody may have used it.
                  if (isRevoked) announce(texts.linkRevoked)
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

/** Joining by a game id. */
export function AddMember({ staff, onChange }: PartProps) {
  const { tournament } = staff
  const { slug } = tournament
  const [typed, setTyped] = useState('')
  const { body, isComplete, fields } = useRole(tournament)
  const { isBusy, error, run } = useAction(orLeave(tournament))
  // A link to a profile, or the number in it.
  const gameId = Number(
    /(?:^|\/users\/)([1-9]\d{0,15})\/?$/.exec(plainDigits(typed.trim()))?.[1] ?? 0,
  )
  return (
    <section class="side-card" aria-labelledby="add-title">
      <h2 id="add-title">{texts.addPlayer}</h2>
      <p class="side-note">{texts.addMeans}</p>
      <form
        class="staff-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (gameId === 0) return
          run(async () => {
            const { member } = await poolsCall('setRole', { slug, gameId, body })
            announce(texts.memberAdded({ name: member.username }))
            setTyped((now) => (now === typed ? '' : now))
            onChange()
          })
        }}
      >
        <label>
          {texts.idOrProfile}
          <TextInput
            inputMode="url"
            value={typed}
            aria-invalid={typed.trim() !== '' && gameId === 0 ? true : undefined}
            onText={setTyped}
          />
        </label>
        {fields}
        <Button
          type="submit"
          label={texts.add}
          busy={isBusy}
          disabled={gameId === 0 || !isComplete}
        />
      </form>
      <FailureLine error={error} />
    </section>
  )
}
