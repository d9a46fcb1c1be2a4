import type { JSX } from 'preact'
import type { SessionFacts, SessionsReply } from '../../contract/accounts.ts'
import { call } from '../api.ts'
import { formatDay, formatMoment } from '../format.ts'
import { useAction, useLoad } from '../hooks.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'

const load = (signal: AbortSignal): Promise<SessionsReply> => call('listSessions', { signal })

const serviceNames = { packs: 'Packs', pools: 'Tournament pools' } as const

const deviceOf = ({ device }: SessionFacts): string => device ?? 'Unknown browser'

/** The sessions of the account, and ways to end one or all others. */
export const SessionList = (): JSX.Element => {
  const { value, error, change } = useLoad(load)
  const action = useAction()
  const sessions = value?.sessions ?? []
  const keep = (isKept: (session: SessionFacts) => boolean): void =>
    change((before) => ({ sessions: before.sessions.filter(isKept) }))

  const end = (session: SessionFacts): void =>
    void action.run(async () => {
      await call('endSession', { body: { id: session.id } })
      keep(({ id }) => id !== session.id)
      announce(`Session ended: ${deviceOf(session)}`)
    })
  const endOthers = (): void =>
    void action.run(async () => {
      await call('endOtherSessions')
      keep(({ isCurrent }) => isCurrent)
      announce('All other sessions have ended')
    })

  return (
    <section class="account-card account-sessions" aria-labelledby="sessions-title">
      <h2 id="sessions-title">Sessions</h2>
      <p class="quiet-text">
        Where your account is signed in. A session ends after 30 days without use, and after 90 days
        in any case.
      </p>
      <ul>
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            isBusy={action.isBusy}
            onEnd={() => end(session)}
          />
        ))}
      </ul>
      {sessions.some(({ isCurrent }) => !isCurrent) && (
        <div class="account-stack">
          <Button busy={action.isBusy} onClick={endOthers}>
            End all other sessions
          </Button>
        </div>
      )}
      <FailureLine error={action.error ?? error} />
    </section>
  )
}

type RowProps = {
  readonly session: SessionFacts
  readonly isBusy: boolean
  readonly onEnd: () => void
}

function SessionRow({ session, isBusy, onEnd }: RowProps): JSX.Element {
  const { service, createdAt, lastSeenAt, isCurrent } = session
  const device = deviceOf(session)
  return (
    <li>
      <div>
        <strong>{device}</strong>
        {isCurrent && <span class="account-here">This session</span>}
        <p class="quiet-text">
          {service !== pageData().service && `${serviceNames[service]} · `}
          Signed in <time dateTime={createdAt}>{formatDay(createdAt)}</time>, last seen{' '}
          <time dateTime={lastSeenAt}>{formatMoment(lastSeenAt)}</time>
        </p>
      </div>
      {!isCurrent && (
        <Button busy={isBusy} aria-label={`End session: ${device}`} onClick={onEnd}>
          End
        </Button>
      )}
    </li>
  )
}
