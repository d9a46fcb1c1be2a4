import * as words from '#texts/common'
import * as texts from '#texts/tournaments'
import type { ComponentChildren } from 'preact'
import { SEARCH_LENGTH } from '../../contract/bounds.ts'
import type { ComingRound, Highlights, RecentRound } from '../../contract/page-data.ts'
import type { TournamentPage, TournamentSummary } from '../../contract/tournaments.ts'
import { stepRows } from '../focus.ts'
import { formatMoment } from '../format.ts'
import { hreflangOf, pageData } from '../page-data.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { Countdown } from '../parts/countdown.tsx'
import { rulesetOptions, Select } from '../parts/inputs.tsx'
import { PersonText, shownText } from '../parts/labels.tsx'
import { FailureNotice, Notice, SkeletonRows } from '../parts/notices.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { plainDigits } from '../../pool/text.ts'
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
  const isEmpty = tournaments?.total === 0 && highlights?.coming.length === 0
  return (
    <main id="main">
      <div class="introduction">
        <h1>{texts.title}</h1>
        <p>{texts.introduction}</p>
        <p class="actions">
          <LinkButton tone="primary" icon="plus" label={texts.newTournament} href="/my?new=1" />
          <LinkButton
            tone="quiet"
            label={words.apiGuide}
            href="/docs/api"
            {...hreflangOf('/docs/api')}
          />
        </p>
      </div>
      {highlights && <News {...highlights} />}
      <div class="stories">
        <DraftStory />
        <PoolStory />
      </div>
      {isEmpty && found.isWholeFirst ? <NoTournaments /> : <Catalogue {...found} />}
    </main>
  )
}

const NoTournaments = () => (
  <Notice
    title={texts.noneYet}
    actions={<LinkButton tone="primary" label={texts.newTournament} href="/my?new=1" />}
  >
    {texts.noneYetMeans}
  </Notice>
)

function News({ released, coming }: Highlights) {
  if (released.length === 0 && coming.length === 0) return null
  return (
    <div class="news">
      <section aria-labelledby="released-title">
        <h2 id="released-title">{texts.recentlyReleased}</h2>
        {released.length === 0 ? (
          <p class="quiet-text">{texts.nothingReleased}</p>
        ) : (
          <ul role="list" onKeyDown={stepRows('a')}>
            {released.map((round) => (
              <Recent key={`${round.tournament.slug} ${round.id}`} round={round} />
            ))}
          </ul>
        )}
      </section>
      <section aria-labelledby="coming-title">
        <h2 id="coming-title">{texts.comingUp}</h2>
        {coming.length === 0 ? (
          <p class="quiet-text">{texts.nothingComing}</p>
        ) : (
          <ul role="list" onKeyDown={stepRows('a')}>
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
      value={
        stars
          ? [<StarRange range={stars} />, <StarBar range={stars} />]
          : words.mapCount({ n: maps })
      }
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
      <h2 id="all-title">{texts.allTournaments}</h2>
      <Filters {...found} />
      <p class="tournaments-count quiet-text tabular" role="status">
        {error === null &&
          (page && !isLoading ? texts.tournamentCount({ n: page.total }) : texts.searching)}
      </p>
      {error !== null ? (
        <FailureNotice title={texts.notLoaded} error={error} onRetry={reload} />
      ) : page === null ? (
        <SkeletonRows rows={8} label={texts.loadingTournaments} />
      ) : page.tournaments.length > 0 ? (
        <TournamentList page={page} isLoading={isLoading} />
      ) : isNarrowed(criteria) ? (
        <Notice
          title={texts.noMatches}
          actions={<Button tone="primary" label={texts.clearSearch} onClick={clear} />}
        >
          {texts.noMatchesHint}
        </Notice>
      ) : (
        <PastTheEnd
          title={texts.pastTheEnd}
          text={texts.pastTheEndMeans}
          pageCount={page.pageCount}
        />
      )}
    </section>
  )
}

type ListProps = { readonly page: TournamentPage; readonly isLoading: boolean }

const TournamentList = ({ page, isLoading }: ListProps) => (
  <div aria-busy={isLoading}>
    <ul class="tournament-list" role="list" onKeyDown={stepRows('a')}>
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
        before={`${texts.updatedBefore} `}
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
        label={words.searchTournaments}
        placeholder={words.searchTournamentsHint}
        name="search"
        value={criteria.search}
        maxLength={SEARCH_LENGTH}
        onType={(search) => change({ search })}
      />
      <label>
        <span>{texts.ruleset}</span>
        <Select
          name="ruleset"
          value={criteria.ruleset}
          options={[['', texts.anyRuleset], ...rulesetOptions]}
          onPick={(ruleset) => change({ ruleset })}
        />
      </label>
      <DigitsField
        label={texts.openToRank}
        name="rank"
        value={criteria.rank}
        maxLength={8}
        onType={(rank) => change({ rank })}
      />
      <DigitsField
        label={texts.year}
        name="year"
        value={criteria.year}
        maxLength={4}
        onType={(year) => change({ year })}
      />
      <button class="button without-script" type="submit">
        {words.search}
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
      placeholder={texts.anyNumber}
      autocomplete="off"
      maxLength={maxLength}
      value={value}
      data-is-kept=""
      onInput={({ currentTarget }) => onType(digitsOf(currentTarget))}
    />
  </label>
)

/** What was typed without what is no digit: `#1,234` is a rank, too. */
function digitsOf(field: HTMLInputElement): string {
  field.value = plainDigits(field.value).replaceAll(/\D/g, '').replace(/^0+/, '')
  return field.value
}
