import type { ComponentChildren } from 'preact'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import {
  type ComingRound,
  type Highlights,
  type RecentRound,
  searchWords,
} from '../../contract/page-data.ts'
import type { TournamentPage, TournamentSummary } from '../../contract/tournaments.ts'
import { stepRows } from '../focus.ts'
import { count, formatMoment } from '../format.ts'
import { pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { rulesetOptions, Select } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { DraftStory, PoolStory } from '../parts/stories.tsx'
import { StarBar, StarRange } from '../parts/stars.tsx'
import { Time } from '../parts/times.tsx'
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
      <div class="stories">
        <DraftStory />
        <PoolStory />
      </div>
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
        <h2 id="released-title">Recently released</h2>
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
        <h2 id="coming-title">Coming up</h2>
        {coming.length === 0 ? (
          <p class="quiet-text">No releases announced.</p>
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

const Recent = ({ round }: { round: RecentRound }) => {
  const { tournament, id, name, releasedAt, maps, stars } = round
  return (
    <NewsRow
      tournament={tournament}
      name={name}
      fragment={`#${roundId(id)}`}
      value={stars ? [<StarRange range={stars} />, <StarBar range={stars} />] : count(maps, 'map')}
    >
      <Time at={releasedAt} as="short" title={formatMoment(releasedAt)} />
    </NewsRow>
  )
}

const Coming = ({ round: { tournament, name, releaseAt } }: { round: ComingRound }) => (
  <NewsRow tournament={tournament} name={name} value={<Countdown at={releaseAt} />}>
    <Time at={releaseAt} as="zones" class="tabular" />
  </NewsRow>
)

type NewsRowProps = Pick<ComingRound, 'tournament' | 'name'> & {
  readonly fragment?: string
  /** What one looks for. */
  readonly value: ComponentChildren
  /** When it is or was. */
  readonly children: ComponentChildren
}

const NewsRow = ({ tournament, name, fragment = '', value, children }: NewsRowProps) => (
  <li class="news-row">
    <span class="news-name">
      <a href={`/t/${tournament.slug}${fragment}`} dir="auto">
        {shownText(name)}
      </a>
    </span>
    <span class="news-about">
      <PersonText text={tournament.name} />
    </span>
    <span class="news-value">{value}</span>
    <span class="news-when quiet-text">{children}</span>
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
        <PastTheEnd what="tournaments" pageCount={page.pageCount} />
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
      <Time
        at={updatedAt}
        as="short"
        class="tournament-updated"
        before="Updated "
        title={formatMoment(updatedAt)}
      />
    </li>
  )
}

type FiltersProps = {
  readonly criteria: Criteria
  readonly change: (criteria: Partial<Criteria>) => void
}

function Filters({ criteria, change }: FiltersProps) {
  return (
    <form
      class="tournament-filters"
      role="search"
      action="/"
      onSubmit={(event) => event.preventDefault()}
    >
      <SearchField
        {...searchWords.pools}
        name="search"
        value={criteria.search}
        maxLength={SEARCH_LENGTH}
        onType={(search) => change({ search })}
      />
      <label>
        <span>Ruleset</span>
        <Select
          name="ruleset"
          value={criteria.ruleset}
          options={[['', 'All'], ...rulesetOptions]}
          onPick={(ruleset) => change({ ruleset })}
        />
      </label>
      <DigitsField
        label="Open to rank"
        name="rank"
        value={criteria.rank}
        maxLength={8}
        onType={(rank) => change({ rank })}
      />
      <DigitsField
        label="Year"
        name="year"
        value={criteria.year}
        maxLength={4}
        onType={(year) => change({ year })}
      />
      <button class="button without-script" type="submit">
        Search
      </button>
    </form>
  )
}

type DigitsFieldProps = {
  readonly label: string
  readonly name: string
  readonly value: string
  readonly maxLength: number
  readonly onType: (digits: string) => void
}

const DigitsField = ({ label, name, value, maxLength, onType }: DigitsFieldProps) => (
  <label>
    <span>{label}</span>
    <input
      class="field"
      name={name}
      inputMode="numeric"
      placeholder="Any"
      autocomplete="off"
      maxLength={maxLength}
      value={value}
      onInput={({ currentTarget }) => onType(digitsOf(currentTarget))}
    />
  </label>
)

/** What was typed without what is no digit: `#1,234` is a rank, too. */
function digitsOf(field: HTMLInputElement): string {
  field.value = field.value.replaceAll(/\D/g, '').replace(/^0+/, '')
  return field.value
}
