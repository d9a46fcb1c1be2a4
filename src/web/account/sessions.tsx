import type { JSX } from 'preact'
import type { SessionFacts, SessionsReply, Viewer } from '../../contract/accounts.ts'
import { useAction } from '../action.ts'
import { call } from '../api.ts'
import { formatDay, formatMoment } from '../format.ts'
import { useLoad } from '../load.ts'
import { pageData } from '../page-data.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureLine } from '../parts/notices.tsx'
import { announce } from '../parts/toasts.tsx'

/** The sessions of the account, and ways to end one or all others. */
export function SessionList(): JSX.Element {
  const { value, error, change } = useLoad(loadSessions)
  const action = useAction()
  const sessions = value?.sessions ?? []
  const keep = (isKept: (session: SessionFacts) => boolean): void =>
    change((before) => ({ sessions: before.sessions.filter(isKept) }))

  const end = (session: SessionFacts): void =>
    action.run(async () => {
      await call('endSession', { body: { id: session.id } })
      keep(({ id }) => id !== session.id)
      announce(`Session ended: ${deviceOf(session)}`)
    })
  const endOthers = (): void =>
    action.run(async () => {
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

const loadSessions = (signal: AbortSignal): Promise<SessionsReply> =>
  call('listSessions', { signal })

const deviceOf = ({ device }: SessionFacts): string => device ?? 'Unknown browser'

type RowProps = {
  readonly session: SessionFacts
  readonly isBusy: boolean
  readonly onEnd: () => void
}

const serviceNames = { packs: 'Packs', pools: 'Tournament pools' } as const

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

/** Who is signed in, and the ways out. */
export function SessionCard({ viewer }: { readonly viewer: Viewer }): JSX.Element {
  const action = useAction()
  const signOut = (everywhere: boolean): void =>
    action.run(async () => {
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

/** How somebody left their account; the page that they come to says so. */
export const partings = ['signed-out', 'deleted'] as const
export type Parting = (typeof partings)[number]

/** Where somebody goes who has left: a page of either service. */
export const partingHref = (parting: Parting): string => `/account?left=${parting}`

/** How the reader left, by the query of the address; null when they did not. */
export function readParting(search: string): Parting | null {
  const left = new URLSearchParams(search).get('left')
  return partings.find((parting) => parting === left) ?? null
}
