import { useCallback } from 'preact/hooks'
import type { ModeratedTournament } from '../../contract/moderation.ts'
import { isolate } from '../../pool/text.ts'
import { useAskedAction } from '../action.ts'
import { count, formatDay } from '../format.ts'
import { useLoad } from '../load.ts'
import { Button } from '../parts/buttons.tsx'
import { PersonText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager } from '../parts/pager.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { announce } from '../parts/toasts.tsx'
import { poolsCall } from '../pools-api.ts'
import { queryOf, useFilter } from './filter.ts'
import { FilterBar } from './filter-bar.tsx'

/** Finds public tournaments, hides them and shows them again. */
export function TournamentsView() {
  const [shown, asked, change] = useFilter()
  const load = useCallback(
    (signal: AbortSignal) =>
      poolsCall('listModeratedTournaments', { query: queryOf(asked), signal }),
    [asked],
  )
  const { value, error, isLoading, reload, change: show } = useLoad(load)
  const action = useAskedAction<ModeratedTournament>()
  const isHidden = action.asked?.hiddenAt !== undefined

  const decide = (reason: string): void =>
    action.run(async () => {
      if (action.asked === null) return
      const { slug } = action.asked
      const verdict = isHidden ? 'unhideTournament' : 'hideTournament'
      const { tournament } = await poolsCall(verdict, { slug, body: { reason } })
      action.close()
      show((page) => ({
        ...page,
        tournaments: page.tournaments.map((each) => (each.slug === slug ? tournament : each)),
      }))
      announce(`${isolate(tournament.name)} ${isHidden ? 'unhidden' : 'hidden'}`)
    })

  return (
    <>
      <FilterBar
        id="tournament-search"
        by="name or slug"
        filter={shown}
        change={change}
        states={choices}
        status={value && error === null ? count(value.total, 'tournament') : ''}
      />
      {error !== null ? (
        <FailureNotice title="Could not load tournaments" error={error} onRetry={reload} />
      ) : value === null ? (
        <SkeletonRows rows={4} what="tournaments" />
      ) : value.tournaments.length === 0 && !isLoading ? (
        <Notice title="No matching tournaments">
          Public tournaments are listed here, hidden ones too.
        </Notice>
      ) : (
        <div aria-busy={isLoading}>
          <ul class="log tournaments-moderated" role="list">
            {value.tournaments.map((tournament) => (
              <TournamentRow
                key={tournament.slug}
                tournament={tournament}
                ask={() => action.ask(tournament)}
              />
            ))}
          </ul>
          <Pager page={value.page} pageCount={value.pageCount} />
        </div>
      )}
      <ReasonDialog
        what="tournament"
        verdict={isHidden ? 'unhide' : 'hide'}
        action={action}
        onReason={decide}
      />
    </>
  )
}

const choices = [
  ['All', null],
  ['Hidden', 'hidden'],
] as const

type RowProps = { readonly tournament: ModeratedTournament; readonly ask: () => void }

function TournamentRow({ tournament, ask }: RowProps) {
  const { slug, name, hiddenAt, hiddenReason, isSuspended } = tournament
  const verb = hiddenAt === undefined ? 'Hide' : 'Unhide'
  return (
    <li>
      {hiddenAt === undefined ? (
        <span class="quiet-text">shown</span>
      ) : (
        <span>
          <b class="hidden-mark">hidden</b>{' '}
          <span class="quiet-text">
            <time dateTime={hiddenAt}>{formatDay(hiddenAt)}</time>
            {isSuspended === true && ', its hosts are suspended'}
          </span>
        </span>
      )}
      <p>
        <a href={`/t/${slug}`}>
          <PersonText text={name} />
        </a>{' '}
        {isSuspended !== true && (
          <Button
            icon="hidden"
            label={verb}
            aria-label={`${verb} ${isolate(name)}`}
            onClick={ask}
          />
        )}
      </p>
      {hiddenReason !== undefined && (
        <p class="log-reason quiet-text">
          <PersonText text={hiddenReason} />
        </p>
      )}
    </li>
  )
}
