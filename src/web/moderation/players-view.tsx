import { useCallback } from 'preact/hooks'
import type { ModeratedPlayer } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { useAskedAction } from '../action.ts'
import { call } from '../api.ts'
import { count, formatDay } from '../format.ts'
import { useLoad } from '../load.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager } from '../parts/pager.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { announce } from '../parts/toasts.tsx'
import { queryOf, useFilter } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'

const nameOf = ({ gameId, username }: ModeratedPlayer): string => username ?? `Player ${gameId}`

/** Finds players, and suspends them; without a search, those who are suspended. */
export function PlayersView() {
  const [shown, asked, change] = useFilter()
  const load = useCallback(
    (signal: AbortSignal) => call('findPlayers', { query: queryOf(asked), signal }),
    [asked],
  )
  const { value, error, isLoading, reload, change: show } = useLoad(load)
  const action = useAskedAction<ModeratedPlayer & { readonly name: string }>()
  const isSuspended = action.asked?.suspendedAt !== undefined

  const decide = (reason: string): void =>
    action.run(async () => {
      if (action.asked === null) return
      const { gameId } = action.asked
      const verdict = isSuspended ? 'unsuspendPlayer' : 'suspendPlayer'
      const { player } = await call(verdict, { gameId, body: { reason } })
      action.close()
      show((page) => ({
        ...page,
        players: page.players.map((each) => (each.gameId === gameId ? player : each)),
      }))
      announce(`${isolate(nameOf(player))} ${isSuspended ? 'unsuspended' : 'suspended'}`)
    })

  return (
    <>
      <FilterBar
        id="player-search"
        by="name or game id"
        filter={shown}
        change={change}
        status={value && error === null ? count(value.total, 'player') : ''}
      />
      {error !== null ? (
        <FailureNotice title="Could not load players" error={error} onRetry={reload} />
      ) : value === null ? (
        <SkeletonRows rows={4} what="players" />
      ) : value.players.length === 0 && !isLoading ? (
        <Notice title={asked.query === '' ? 'No suspended players' : 'No matching players'}>
          Search by part of a name, or by the id on the game platform.
        </Notice>
      ) : (
        <div aria-busy={isLoading}>
          <ul class="log players" role="list">
            {value.players.map((player) => (
              <PlayerRow
                key={player.gameId}
                player={player}
                ask={() => action.ask({ ...player, name: nameOf(player) })}
              />
            ))}
          </ul>
          <Pager page={value.page} pageCount={value.pageCount} />
        </div>
      )}
      <ReasonDialog
        what="player"
        verdict={isSuspended ? 'unhide' : 'hide'}
        action={action}
        onReason={decide}
      />
    </>
  )
}

function PlayerRow({
  player,
  ask,
}: {
  readonly player: ModeratedPlayer
  readonly ask: () => void
}) {
  const { gameId, username, isModerator, suspendedAt, suspendedBy, reason } = player
  const verb = suspendedAt === undefined ? 'Suspend' : 'Unsuspend'
  // Moderators suspend no moderators.
  const isOpen = !isModerator || suspendedAt !== undefined
  return (
    <li>
      <span class="quiet-text tabular">{gameId}</span>
      <p>
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
        )}{' '}
        {isOpen && (
          <Button
            icon="hidden"
            label={verb}
            aria-label={`${verb} ${isolate(nameOf(player))}`}
            onClick={ask}
          />
        )}
      </p>
      {reason !== undefined && (
        <p class="log-reason quiet-text">
          <PersonText text={reason} />
        </p>
      )}
    </li>
  )
}
