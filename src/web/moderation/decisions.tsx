import type { ComponentChildren } from 'preact'
import { useCallback } from 'preact/hooks'
import type {
  ModeratedPlayer,
  ModeratedTournament,
  ReasonedVerdict,
} from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { formatDay } from './dates.ts'
import { useLoad } from '../load.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { Notice } from '../parts/notices.tsx'
import { ReasonDialog, type Verdict } from '../parts/reason-dialog.tsx'
import { announceInEnglish } from './announce-in-english.ts'
import { poolsCall } from '../pools-api.ts'
import { queryOf, useFilter } from './filter.ts'
import { FilteredList, type FilterStates } from './filtered-list.tsx'

/** Of each verdict: what its button says, and what it is called once it is done. */
const verdicts = {
  tournament: { hide: ['Hide', 'hidden'], unhide: ['Unhide', 'unhidden'] },
  player: { hide: ['Suspend', 'suspended'], unhide: ['Unsuspend', 'unsuspended'] },
} as const

/** A player or a tournament as a row, about which a moderator decides. */
type Row = {
  readonly id: string | number
  readonly name: string
  readonly verdict: Verdict
  /** Whether there is something to decide. */
  readonly isOpen: boolean
  readonly reason: string | undefined
  readonly lead: ComponentChildren
  readonly about: ComponentChildren
}

type Decisions = {
  readonly what: 'player' | 'tournament'
  readonly by: string
  readonly states?: FilterStates | undefined
  readonly class: string
  readonly load: (query: ReturnType<typeof queryOf>, signal: AbortSignal) => Promise<RowPage>
  readonly send: (row: Row, body: ReasonedVerdict) => Promise<Row>
  readonly emptyWords: (query: string) => readonly [title: string, text: string]
}
type RowPage = { rows: readonly Row[]; total: number; page: number; pageCount: number }

/** Finds what is decided about, and decides; each decision has a reason. */
export function DecisionList(decisions: Decisions) {
  const { what, by, states, load: loadRows, send, emptyWords } = decisions
  const [filter, asked, change] = useFilter()
  const load = useCallback((signal: AbortSignal) => loadRows(queryOf(asked), signal), [asked])
  const { change: show, ...list } = useLoad(load)
  const action = useAskedAction<Row>()
  const verdict = action.asked?.verdict ?? 'hide'

  const decide = (body: ReasonedVerdict): void =>
    action.run(async () => {
      if (action.asked === null) return
      const decided = await send(action.asked, body)
      action.close()
      show((page) => ({
        ...page,
        rows: page.rows.map((row) => (row.id === decided.id ? decided : row)),
      }))
      announceInEnglish(`${isolate(decided.name)} ${verdicts[what][verdict][1]}`)
    })

  const rows = list.value?.rows ?? []
  const [title, text] = emptyWords(asked.query)
  return (
    <>
      <FilteredList
        {...{ what, by, states, filter, change, list }}
        id={`${what}-search`}
        empty={rows.length === 0 && <Notice title={title}>{text}</Notice>}
      >
        <ul class={`log decisions ${decisions.class}`} role="list">
          {rows.map((row) => {
            const [verb] = verdicts[what][row.verdict]
            return (
              <li key={row.id}>
                {row.lead}
                <p>{row.about}</p>
                <LogReason text={row.reason} />
                {row.isOpen && (
                  <Button
                    icon="hidden"
                    label={verb}
                    aria-label={`${verb} ${isolate(row.name)}`}
                    onClick={() => action.ask(row)}
                  />
                )}
              </li>
            )
          })}
        </ul>
      </FilteredList>
      <ReasonDialog what={what} verdict={verdict} action={action} onReason={decide} />
    </>
  )
}

export const LogReason = ({ text }: { text: string | undefined }) =>
  text === undefined ? null : (
    <p class="log-reason quiet-text">
      <PersonText text={text} />
    </p>
  )

const playerRow = (player: ModeratedPlayer): Row => {
  const { gameId, username, isModerator, suspendedAt, suspendedBy, reason } = player
  return {
    id: gameId,
    name: username ?? `Player ${gameId}`,
    verdict: suspendedAt === undefined ? 'hide' : 'unhide',
    // Moderators suspend no moderators.
    isOpen: !isModerator || suspendedAt !== undefined,
    reason,
    lead: <span class="quiet-text tabular">{gameId}</span>,
    about: (
      <>
        {username === undefined ? (
          <span class="quiet-text">has never signed in</span>
        ) : (
          <PersonText within="b" text={username} />
        )}
        {isModerator && <span class="quiet-text"> · moderator</span>}{' '}
        {suspendedAt !== undefined && (
          <span class="hidden-mark">
            suspended since <time dateTime={suspendedAt}>{formatDay(suspendedAt)}</time>
            {suspendedBy !== undefined && [' by ', <PersonText text={suspendedBy} />]}
          </span>
        )}
      </>
    ),
  }
}

/** Without a search, the players who are suspended. */
export const playerDecisions: Decisions = {
  what: 'player',
  by: 'name or game id',
  class: 'players',
  load: async (query, signal) => {
    const { players, ...page } = await call('findPlayers', { query, signal })
    return { ...page, rows: players.map(playerRow) }
  },
  send: async ({ id, verdict }, body) => {
    const name = verdict === 'hide' ? 'suspendPlayer' : 'unsuspendPlayer'
    return playerRow((await call(name, { gameId: Number(id), body })).player)
  },
  emptyWords: (query) => [
    query === '' ? 'No suspended players' : 'No matching players',
    'Search by part of a name, or by the id on the game platform.',
  ],
}

const tournamentRow = (tournament: ModeratedTournament): Row => {
  const { slug, name, hiddenAt, hiddenReason, isSuspended } = tournament
  return {
    id: slug,
    name,
    verdict: hiddenAt === undefined ? 'hide' : 'unhide',
    isOpen: isSuspended !== true,
    reason: hiddenReason,
    lead:
      hiddenAt === undefined ? (
        <span class="quiet-text">shown</span>
      ) : (
        <span>
          <b class="hidden-mark">hidden</b>{' '}
          <span class="quiet-text">
            <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
            {isSuspended === true && ', its hosts are suspended'}
          </span>
        </span>
      ),
    about: <PersonText href={`/t/${slug}`} text={name} />,
  }
}

/** Public tournaments, hidden ones too. */
export const tournamentDecisions: Decisions = {
  what: 'tournament',
  by: 'name or slug',
  states: [
    ['All', null],
    ['Hidden', 'hidden'],
  ],
  class: 'tournaments-moderated',
  load: async (query, signal) => {
    const reply = await poolsCall('listModeratedTournaments', { query, signal })
    return { ...reply, rows: reply.tournaments.map(tournamentRow) }
  },
  send: async ({ id, verdict }, body) => {
    const input = { slug: String(id), body }
    const endpoint = verdict === 'hide' ? 'hideTournament' : 'unhideTournament'
    return tournamentRow((await poolsCall(endpoint, input)).tournament)
  },
  emptyWords: () => [
    'No matching tournaments',
    'Public tournaments are listed here, including hidden ones.',
  ],
}
