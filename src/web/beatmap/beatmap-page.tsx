import * as texts from '#texts/beatmap'
import * as words from '#texts/common'
import * as poolTexts from '#texts/pool'
import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { BeatmapPage as Shown, PlayedMap, PooledWith } from '../../contract/page-data.ts'
import type { Use } from '../../contract/usage.ts'
import { playedBpm, playedDifficulty, playedLength } from '../../pool/played-values.ts'
import { slotLabel } from '../../pool/slots.ts'
import { yearAfter } from '../../pool/text.ts'
import { formatBpm, formatDifficulty, formatLength, formatRuleset, formatStars } from '../format.ts'
import { beatmapHref, ownerHref, pageData } from '../page-data.ts'
import { ownerText, PersonText } from '../parts/labels.tsx'
import { Pager, PastTheEnd } from '../parts/pager.tsx'
import { StarBadge } from '../parts/stars.tsx'
import { Time } from '../parts/times.tsx'
import { Cover } from '../pool/slot-parts.tsx'
import '../style/map-page.css'

/** A beatmap: its values as it was played, where it was pooled, and with what. */
export function BeatmapPage({ beatmap }: { beatmap: Shown }) {
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
              texts.beatmapById({ id: String(id) })
            )}
          </h1>
          {known && <Credits details={known} />}
          {details === 'gone' && <p>{texts.isGone}</p>}
          <p class="map-links">
            <a href={`https://osu.ppy.sh/beatmaps/${id}`} rel="noreferrer">
              {texts.openOnPlatform}
            </a>
            {known && <a href={`osu://b/${id}`}>{texts.openInGame}</a>}
            <a href="/docs/into-the-game#one-map-at-a-time">{texts.intoGame}</a>
            <span class="tabular">{texts.beatmapId({ id: String(id) })}</span>
          </p>
        </div>
      </header>
      {known && <Values details={known} played={played} />}
      <section aria-labelledby="uses-title">
        <h2 id="uses-title">{texts.pooled({ n: usage.total })}</h2>
        {usage.uses.length === 0 ? (
          <PastTheEnd
            title={texts.noPacksHere}
            text={texts.fewerPacks}
            pageCount={usage.pageCount}
          />
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

/** By the platform's word; one that is not here is shown as it is. */
const statuses: Readonly<Record<string, string>> = {
  ranked: texts.ranked,
  approved: texts.approved,
  qualified: texts.qualified,
  loved: texts.loved,
  pending: texts.pending,
  wip: texts.wip,
  graveyard: texts.graveyard,
}

const Credits = ({ details }: { details: BeatmapDetails }) => (
  <p class="map-credits">
    {texts.credits({
      difficulty: <PersonText text={details.difficulty} />,
      mapper: (
        <PersonText href={`/packs?q=${encodeURIComponent(details.mapper)}`} text={details.mapper} />
      ),
      ruleset: formatRuleset(details.ruleset),
      status: <span class="map-status">{statuses[details.status] ?? details.status}</span>,
    })}
  </p>
)

type ValuesProps = { details: BeatmapDetails; played: readonly PlayedMap[] }

/** A line for each mod combination that it was played with. */
const Values = ({ details, played }: ValuesProps) => (
  <section aria-labelledby="values-title">
    <h2 id="values-title">{texts.asPlayed}</h2>
    <div class="map-scroll" tabIndex={0} role="group" aria-labelledby="values-title">
      <table class="map-values tabular">
        <thead>
          <tr>
            {columns.map((name) => (
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
                <th scope="row">{mods.length === 0 ? texts.noMods : mods.join(' + ')}</th>
                <td>
                  {stars === null ? (
                    '–'
                  ) : noRating ? (
                    <WithoutRating stars={formatStars(stars)} mods={mods} />
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

const columns = [texts.mods, words.stars, words.length, words.bpm, 'CS', 'AR', 'OD', 'HP']

type WithoutRatingProps = { readonly stars: string; readonly mods: PlayedMap['mods'] }

function WithoutRating({ stars, mods: played }: WithoutRatingProps) {
  const [n, mods] = [played.length, played.join('')]
  return (
    <span title={poolTexts.noRating({ n, mods, stars })}>
      {texts.starsWithout({ stars, mods })}
    </span>
  )
}

const [BAR, GAP, HIGHEST] = [14, 4, 48]

/** How often it was pooled in each month from the first to the last of these uses. */
function Months({ uses, isAll }: { uses: readonly Use[]; isAll: boolean }) {
  const months = monthsOf(uses)
  const most = Math.max(...months.map(({ uses: number }) => number))
  if (months.length < 3 || months.length > 72) return null
  const ends = { first: months[0]?.name ?? '', last: months.at(-1)?.name ?? '' }
  const about = isAll ? texts.monthsOfAll(ends) : texts.monthsOfPage(ends)
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
              <title>{texts.usesInMonth({ month: name, n: number })}</title>
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
        <Time at={use.updatedAt} as="day" class="map-use-day tabular" before={`${texts.saved} `} />
      </li>
    ))}
  </ol>
)

function Maker({ use: { ownerName, tournament, round } }: { use: Use }) {
  if (tournament === undefined) {
    return texts.byOwner({
      owner: <PersonText href={ownerHref(ownerName)} text={ownerText(ownerName)} />,
    })
  }
  const { slug, name, year } = tournament
  return texts.roundOf({
    round: <PersonText text={round} />,
    tournament: (
      <>
        <PersonText href={`${pageData().poolsUrl}/t/${slug}`} text={name} />
        {yearAfter(name, year)}
      </>
    ),
  })
}

const Companions = ({ pooledWith }: { pooledWith: readonly PooledWith[] }) => (
  <section aria-labelledby="with-title">
    <h2 id="with-title">{texts.pooledWith}</h2>
    <ol class="map-with" role="list">
      {pooledWith.map(({ id, packs, title }) => (
        <li key={id}>
          <a href={beatmapHref(id)} dir="auto">
            {title ?? texts.beatmapById({ id: String(id) })}
          </a>
          <span class="tabular">{texts.inPacks({ n: packs })}</span>
        </li>
      ))}
    </ol>
  </section>
)
