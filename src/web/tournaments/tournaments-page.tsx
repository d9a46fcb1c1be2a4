import { useId } from 'preact/hooks'
import { FIRST_YEAR, LAST_YEAR, SEARCH_LENGTH } from '../../contract/bounds.ts'
import { rulesets } from '../../contract/mods.ts'
import type { ComingRound, Highlights, RecentRound } from '../../contract/page-data.ts'
import type { TournamentPage, TournamentSummary } from '../../contract/tournaments.ts'
import { stepRows } from '../focus.ts'
import { count, formatMoment, formatRuleset, formatShortDay } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { Countdown, ReleaseTime } from '../parts/countdown.tsx'
import { Icon } from '../parts/icons.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { listPageHref, Pager } from '../parts/pager.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { type Criteria, isNarrowed, useTournaments } from './find-tournaments.ts'
import { factsOf, roundId } from './tournament-words.ts'
import '../style/browse.css'
import '../style/tournaments.css'

/** All public tournaments, below what is new in them. */
export function TournamentsPage() {
  const { highlights, tournaments } = pageData()
  const found = useTournaments(tournaments)
  const isNew = tournaments?.total === 0 && highlights?.coming.length === 0
  return (
    <main id="main">
      <div class="introduction">
        <h1>Tournament pools</h1>
        <p>
          The mappools of tournaments, round by round: hosts draft them together in private, and
          everyone gets them the moment they are released.
        </p>
        <p class="actions">
          <LinkButton tone="primary" icon="plus" label="New tournament" href="/my?new=1" />
          <LinkButton tone="quiet" label="API guide" href="/docs/api" />
        </p>
      </div>
      {highlights && <News {...highlights} />}
      {isNew ? <NoTournaments /> : <Catalogue {...found} />}
    </main>
  )
}

const NoTournaments = () => (
  <Notice
    title="No public tournaments yet"
    actions={<LinkButton tone="primary" label="New tournament" href="/my?new=1" />}
  >
    Make one, paste your sheet and release it round by round. It stays private until you say
    otherwise.
  </Notice>
)

function News({ released, coming }: Highlights) {
  if (released.length === 0 && coming.length === 0) return null
  return (
    <div class="news">
      <section aria-labelledby="released-title">
        <h2 id="released-title">Released lately</h2>
        {released.length === 0 ? (
          <p class="quiet-text">Nothing yet.</p>
        ) : (
          <ul role="list" onKeyDown={stepRows('li', 'a')}>
            {released.map((round) => (
              <Recent key={`${round.tournament.slug} ${round.id}`} round={round} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="coming-title">
        <h2 id="coming-title">Coming next</h2>
        {coming.length === 0 ? (
          <p class="quiet-text">No release is announced at the moment.</p>
        ) : (
          <ul role="list" onKeyDown={stepRows('li', 'a')}>
            {coming.map((round) => (
              <Coming key={`${round.tournament.slug} ${round.name}`} round={round} />
            ))}
          </ul>
        )}
      </section>
    </div>
  )
}

const Recent = ({ round: { tournament, id, name, releasedAt, maps, stars } }: RecentProps) => (
  <li class="news-row">
    <span class="news-name">
      <a href={`/t/${tournament.slug}#${roundId(id)}`} dir="auto">
        {shownText(name)}
      </a>
    </span>
    <span class="news-about">
      <PersonText text={tournament.name} />
    </span>
    <span class="news-value">
      {stars ? <StarRange range={stars} /> : count(maps, 'map')}
      {stars && <StarBar range={stars} />}
    </span>
    <time class="news-when quiet-text" dateTime={releasedAt} title={formatMoment(releasedAt)}>
      {formatShortDay(releasedAt)}
    </time>
  </li>
)

type RecentProps = { readonly round: RecentRound }

const Coming = ({ round: { tournament, name, releaseAt } }: { round: ComingRound }) => (
  <li class="news-row">
    <span class="news-name">
      <a href={`/t/${tournament.slug}`} dir="auto">
        {shownText(name)}
      </a>
    </span>
    <span class="news-about">
      <PersonText text={tournament.name} />
    </span>
    <span class="news-value">
      <Countdown at={releaseAt} />
    </span>
    <span class="news-when quiet-text">
      <ReleaseTime at={releaseAt} />
    </span>
  </li>
)

function Catalogue(found: ReturnType<typeof useTournaments>) {
  const { page, error, isLoading, reload, criteria, clear } = found
  return (
    <section class="tournaments" aria-labelledby="all-title">
      <h2 id="all-title">All tournaments</h2>
      <Filters {...found} />
      <p class="tournaments-count quiet-text tabular" role="status">
        {page && !isLoading ? count(page.total, 'tournament') : 'Searching …'}
      </p>
      {error !== null ? (
        <FailureNotice title="Could not load tournaments" error={error} onRetry={reload} />
      ) : page === null ? (
        <SkeletonRows rows={8} what="tournaments" />
      ) : page.tournaments.length > 0 ? (
        <TournamentList page={page} isLoading={isLoading} />
      ) : isNarrowed(criteria) ? (
        <Notice
          title="No tournament matches"
          actions={<Button tone="primary" label="Clear search" onClick={clear} />}
        >
          Only public tournaments are listed here. Try fewer words, or another year.
        </Notice>
      ) : (
        <Notice
          title="No tournaments on this page"
          actions={
            <LinkButton
              tone="primary"
              label="Go to the last page"
              href={listPageHref(page.pageCount)}
            />
          }
        >
          There are fewer tournaments than that.
        </Notice>
      )}
    </section>
  )
}

type ListProps = { readonly page: TournamentPage; readonly isLoading: boolean }

const TournamentList = ({ page, isLoading }: ListProps) => (
  <div aria-busy={isLoading}>
    <ul class="tournament-list" role="list" onKeyDown={stepRows('li', 'a')}>
      {page.tournaments.map((tournament) => (
        <TournamentRow key={tournament.slug} tournament={tournament} />
      ))}
    </ul>
    <Pager page={page.page} pageCount={page.pageCount} />
  </div>
)

function TournamentRow({ tournament }: { tournament: TournamentSummary }) {
  const { slug, name, shortName, description, updatedAt } = tournament
  return (
    <li class="tournament-row">
      <span class="tournament-name">
        <a href={`/t/${slug}`} dir="auto">
          {shownText(name)}
        </a>
      </span>
      <span class="tournament-facts">
        {shortName !== undefined && <PersonText within="b" text={shortName} />}
        {factsOf(tournament).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
      </span>
      <span class="tournament-about" dir="auto">
        {shownText(description)}
      </span>
      <time class="tournament-updated" dateTime={updatedAt} title={formatMoment(updatedAt)}>
        <span class="sr-only">Updated </span>
        {formatShortDay(updatedAt)}
      </time>
    </li>
  )
}

type FiltersProps = {
  readonly criteria: Criteria
  readonly change: (criteria: Partial<Criteria>) => void
}

function Filters({ criteria, change }: FiltersProps) {
  const id = useId()
  return (
    <form class="tournament-filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="search-field">
        <span class="sr-only">Search by name</span>
        <Icon name="search" />
        <input
          class="field"
          type="search"
          value={criteria.search}
          placeholder="Search tournaments"
          autocomplete="off"
          spellcheck={false}
          maxLength={SEARCH_LENGTH}
          onInput={({ currentTarget }) => change({ search: currentTarget.value })}
        />
      </label>
      <label>
        <span>Ruleset</span>
        <select
          class="field"
          value={criteria.ruleset}
          onChange={({ currentTarget }) => change({ ruleset: currentTarget.value })}
        >
          <option value="">All</option>
          {rulesets.map((ruleset) => (
            <option key={ruleset} value={ruleset}>
              {formatRuleset(ruleset)}
            </option>
          ))}
        </select>
      </label>
      <label for={`${id}rank`}>
        <span>Open to rank</span>
        <input
          id={`${id}rank`}
          class="field"
          inputMode="numeric"
          placeholder="Any"
          maxLength={8}
          value={criteria.rank}
          onInput={({ currentTarget }) => change({ rank: digitsOf(currentTarget) })}
        />
      </label>
      <label for={`${id}year`}>
        <span>Year</span>
        <input
          id={`${id}year`}
          class="field"
          inputMode="numeric"
          placeholder="Any"
          maxLength={4}
          title={`From ${FIRST_YEAR} to ${LAST_YEAR}`}
          value={criteria.year}
          onInput={({ currentTarget }) => change({ year: digitsOf(currentTarget) })}
        />
      </label>
    </form>
  )
}

/** What was typed without what is no digit: `#1,234` is a rank, too. */
function digitsOf(field: HTMLInputElement): string {
  field.value = field.value.replaceAll(/\D/g, '').replace(/^0+/, '')
  return field.value
}
