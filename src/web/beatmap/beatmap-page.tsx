import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { MapPage, PlayedMap, PooledWith } from '../../contract/page-data.ts'
import type { Use } from '../../contract/usage.ts'
import { playedBpm, playedDifficulty, playedLength } from '../../pool/played-values.ts'
import { slotLabel } from '../../pool/slots.ts'
import { yearAfter } from '../../pool/text.ts'
import {
  count,
  formatBpm,
  formatLength,
  formatNumber,
  formatRuleset,
  formatStars,
} from '../format.ts'
import { beatmapHref, ownerHref, pageData } from '../page-data.ts'
import { PersonText } from '../parts/labels.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { StarBadge } from '../parts/stars.tsx'
import { Time } from '../parts/times.tsx'
import { Cover } from '../pool/slot-parts.tsx'
import { formatDifficulty } from '../pool/slot-table.tsx'
import { noRatingWords } from '../pool/slots.ts'
import '../style/map-page.css'

/** A beatmap: its values as it was played, where it was pooled, and with what. */
export function BeatmapPage({ beatmap }: { beatmap: MapPage }) {
  const { id, details, played, usage, pooledWith } = beatmap
  const known = details === 'gone' ? null : details
  return (
    <main id="main" class="map-page">
      <header class="map-head">
        {known && <Cover beatmap={{ state: 'known', details: known, stars: null }} />}
        <div>
          <h1>
            {known ? (
              <>
                <PersonText text={known.artist} /> – <PersonText text={known.title} />
              </>
            ) : (
              `Beatmap ${id}`
            )}
          </h1>
          {known && <Credits details={known} />}
          {details === 'gone' && <p>The game platform no longer has this beatmap.</p>}
          <p class="map-links">
            <a href={`https://osu.ppy.sh/beatmaps/${id}`} rel="noreferrer">
              Open on the game platform
            </a>
            {known && <a href={`osu://b/${id}`}>Open in the game</a>}
            <a href="/docs/into-the-game#one-map-at-a-time">How to get it into the game</a>
            <span class="tabular">ID {id}</span>
          </p>
        </div>
      </header>
      {known && <Values details={known} played={played} />}
      <section aria-labelledby="uses-title">
        <h2 id="uses-title">{usedWords(usage.total)}</h2>
        {usage.uses.length === 0 ? (
          <PastTheEnd what="packs" pageCount={usage.pageCount} />
        ) : (
          <>
            <Months uses={usage.uses} isAll={usage.pageCount === 1} />
            <Uses uses={usage.uses} />
          </>
        )}
        <Pager page={usage.page} pageCount={usage.pageCount} />
      </section>
      {pooledWith.length > 0 && <Companions pooledWith={pooledWith} />}
    </main>
  )
}

const usedWords = (total: number): string =>
  total === 1 ? 'Pooled once' : `Pooled ${formatNumber(total)} times`

const Credits = ({ details }: { details: BeatmapDetails }) => (
  <p class="map-credits">
    [<PersonText text={details.difficulty} />] by{' '}
    <PersonText href={`/packs?q=${encodeURIComponent(details.mapper)}`} text={details.mapper} />,{' '}
    {formatRuleset(details.ruleset)}, <span class="map-status">{details.status}</span>
  </p>
)

type ValuesProps = { details: BeatmapDetails; played: readonly PlayedMap[] }

/** A line for each mod combination that it was played with. */
const Values = ({ details, played }: ValuesProps) => (
  <section aria-labelledby="values-title">
    <h2 id="values-title">As played</h2>
    <div class="map-scroll" tabIndex={0} role="group" aria-labelledby="values-title">
      <table class="map-values tabular">
        <thead>
          <tr>
            {['Mods', 'Stars', 'Length', 'BPM', 'CS', 'AR', 'OD', 'HP'].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {played.map(({ mods, stars, noRating }) => {
            const bpm = playedBpm(details, mods)
            const difficulty = playedDifficulty(details, mods)
            return (
              <tr key={mods.join('')}>
                <th scope="row">{mods.length === 0 ? 'None' : mods.join(' + ')}</th>
                <td>
                  {stars === null ? (
                    '–'
                  ) : noRating ? (
                    <span title={formatStars(stars) + ' stars' + noRatingWords(mods)}>
                      ★ {formatStars(stars)} without {mods.join('')}
                    </span>
                  ) : (
                    <StarBadge stars={stars} />
                  )}
                </td>
                <td>{formatLength(playedLength(details, mods))}</td>
                <td>{bpm === null ? '–' : formatBpm(bpm)}</td>
                <td>{formatDifficulty(difficulty.circleSize)}</td>
                <td>{formatDifficulty(difficulty.approachRate)}</td>
                <td>{formatDifficulty(difficulty.overallDifficulty)}</td>
                <td>{formatDifficulty(difficulty.healthDrain)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  </section>
)

const [BAR, GAP, HIGHEST] = [14, 4, 48]

/** How often it was pooled in each month from the first to the last of these uses. */
function Months({ uses, isAll }: { uses: readonly Use[]; isAll: boolean }) {
  const months = monthsOf(uses)
  const most = Math.max(...months.map(({ uses: number }) => number))
  if (months.length < 3 || months.length > 72) return null
  const of = isAll ? 'the uses' : 'the uses on this page'
  const about = `A bar for each month of ${of}, from ${months[0]?.name} to ${months.at(-1)?.name}.`
  return (
    <figure class="map-months">
      <svg
        viewBox={`0 0 ${months.length * (BAR + GAP)} ${HIGHEST}`}
        height={HIGHEST}
        role="img"
        aria-label={about}
      >
        {months.map(({ name, uses: number }, at) => {
          const height = number === 0 ? 1 : Math.max(4, (number / most) * HIGHEST)
          return (
            <rect
              key={name}
              class={number === 0 ? 'month none' : 'month'}
              x={at * (BAR + GAP)}
              y={HIGHEST - height}
              width={BAR}
              height={height}
            >
              <title>{`${name}: ${count(number, 'use')}`}</title>
            </rect>
          )
        })}
      </svg>
      <figcaption>{about}</figcaption>
    </figure>
  )
}

/** Every month between the first and the last, oldest first: `2026-10`. */
function monthsOf(uses: readonly Use[]): { name: string; uses: number }[] {
  const byMonth = Map.groupBy(uses, ({ updatedAt }) => updatedAt.slice(0, 7))
  const used = [...byMonth.keys()].toSorted()
  const [first = '', last = ''] = [used[0], used.at(-1)]
  const months: { name: string; uses: number }[] = []
  for (let name = first; name !== '' && name <= last; name = monthAfter(name)) {
    months.push({ name, uses: byMonth.get(name)?.length ?? 0 })
  }
  return months
}

function monthAfter(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

const Uses = ({ uses }: { uses: readonly Use[] }) => (
  <ol class="map-uses" role="list">
    {uses.map((use) => (
      <li key={`${use.slug} ${use.mod} ${use.index}`}>
        <span class="chip map-use-slot" data-mod={use.mod ?? ''}>
          {slotLabel(use)}
        </span>
        <span class="map-use-words">
          <PersonText href={`/p/${use.slug}`} text={use.packName} />
          <span class="map-use-more">
            <Maker use={use} />
          </span>
        </span>
        <Time at={use.updatedAt} as="day" class="map-use-day tabular" before="Saved " />
      </li>
    ))}
  </ol>
)

function Maker({ use: { ownerName, tournament, round } }: { use: Use }) {
  if (tournament === undefined) {
    return <>by {<PersonText href={ownerHref(ownerName)} text={ownerName} />}</>
  }
  const { slug, name, year } = tournament
  return (
    <>
      <PersonText text={round} /> of{' '}
      <PersonText href={`${pageData().poolsUrl}/t/${slug}`} text={name} />
      {yearAfter(name, year)}
    </>
  )
}

const Companions = ({ pooledWith }: { pooledWith: readonly PooledWith[] }) => (
  <section aria-labelledby="with-title">
    <h2 id="with-title">Pooled with</h2>
    <ol class="map-with" role="list">
      {pooledWith.map(({ id, packs, title }) => (
        <li key={id}>
          <a href={beatmapHref(id)} dir="auto">
            {title ?? `Beatmap ${id}`}
          </a>
          <span class="tabular">in {count(packs, 'pack')}</span>
        </li>
      ))}
    </ol>
  </section>
)
