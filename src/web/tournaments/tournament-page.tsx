import * as words from '#texts/common'
import * as texts from '#texts/tournaments'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isHttpsLink } from '../../contract/bounds.ts'
import type { ChangedSlot, PageData } from '../../contract/page-data.ts'
import type { Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { useAskedAction } from '../action.ts'
import { pageData } from '../page-data.ts'
import { formatSentences } from '../format.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Countdown, useUntil } from '../parts/countdown.tsx'
import { useCurrentInView } from '../parts/current-in-view.ts'
import { GetMaps } from '../maps/maps-card.tsx'
import { Icon } from '../parts/icons.tsx'
import { Description, PersonText, shownText } from '../parts/labels.tsx'
import { Notice } from '../parts/notices.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Time } from '../parts/times.tsx'
import { announce } from '../parts/toasts.tsx'
import { useBeatmaps, whenSeen } from '../pool/beatmaps.ts'
import { LookNote } from '../pool/look-note.tsx'
import { goTo, LinksCard, SIDE_ID, SideJump } from '../pool/pool-side.tsx'
import { type PoolStats, shownStats } from '../pool/pool-stats.ts'
import { Glance, PoolPlot, PoolTables } from '../pool/pool-view.tsx'
import { ChangedSlots, PlannedSlots, RoundLinks } from '../pool/round-extras.tsx'
import { bucketViews, type SlotView, slotViews } from '../pool/slots.ts'
import { poolsCall } from '../pools-api.ts'
import { type OpenRound, openRound, RoundDownloads } from './round-downloads.tsx'
import { factsOf, roundId } from './tournament-words.ts'
import '../style/pack-page.css'
import '../style/pool-view.css'
import '../style/side-card.css'
import '../style/tournament-page.css'

type TournamentPageProps = {
  readonly first: Tournament
  readonly roundStats: PageData['roundStats'] | undefined
  readonly roundChanges: PageData['roundChanges'] | undefined
}

/** A tournament as strangers see it; its staff find the way to the workspace. */
export function TournamentPage({ first, roundStats = {}, roundChanges = {} }: TournamentPageProps) {
  const { poolsUrl, viewer } = pageData()
  const [tournament, setTournament] = useState(first)
  // The round that is played next is what most come for.
  const rounds = useMemo(() => tournament.rounds.toReversed().map(openRound), [tournament])
  const [near, current] = useNear(rounds)
  const uses = useMemo(
    () => rounds.flatMap((each) => (near.has(each.round.id) ? each.uses : [])),
    [rounds, near],
  )
  const beatmaps = useBeatmaps(uses)
  const views = rounds.map(({ pool }) => slotViews(pool, beatmaps.views))
  const isAsking = beatmaps.phase === 'asking'
  return (
    <main id="main" class="tournament-page">
      {/* The staff would read their drafts. */}
      {first.role === undefined && <Releases tournament={tournament} onRelease={setTournament} />}
      <Header tournament={tournament} />
      {viewer?.isModerator && tournament.role === undefined && (
        <Moderation tournament={tournament} />
      )}
      <Upcoming tournament={tournament} />
      {rounds.length === 0 ? (
        <NoRounds />
      ) : (
        <div class="pack-columns">
          <div class={beatmaps.phase === 'stalled' ? 'rounds pool-stalled' : 'rounds'}>
            {rounds.length > 1 && <RoundNav rounds={rounds} current={current} />}
            <LookNote slots={views.flat()} beatmaps={beatmaps} />
            {rounds.map(({ round }, at) => (
              <RoundSection
                key={round.id}
                tournamentName={tournament.name}
                round={round}
                slots={views[at] ?? []}
                stats={roundStats[round.id]}
                changed={roundChanges[round.id]?.slots ?? []}
                isBusy={isAsking}
                isNear={near.has(round.id)}
              />
            ))}
          </div>
          <div id={SIDE_ID} class="pack-side" tabIndex={-1}>
            <RoundDownloads
              tournament={tournament}
              rounds={rounds.toReversed()}
              lookUp={beatmaps.lookUp}
            />
            <LinksCard
              links={[
                [texts.thisPage, `${poolsUrl}/t/${tournament.slug}`],
                [texts.asJson, `${poolsUrl}/t/${tournament.slug}.json`],
                [texts.asFeed, `${poolsUrl}/t/${tournament.slug}.atom`],
                [texts.inApi, `${poolsUrl}/api/v1/tournaments/${tournament.slug}`],
              ]}
            />
          </div>
        </div>
      )}
    </main>
  )
}

/** After the time of a release, and then between looks for what was released. */
const LOOK_MS = 3_000
const MOST_LOOKS = 20

type ReleasesProps = { tournament: Tournament; onRelease: (now: Tournament) => void }

/** Reads the tournament again when an announced release is due. Shows nothing: it is rendered every second. */
function Releases({ tournament: { slug, updatedAt, upcoming = [] }, onRelease }: ReleasesProps) {
  const [looks, setLooks] = useState(0)
  const due = upcoming.flatMap(({ releaseAt }) => releaseAt ?? []).toSorted()[0]
  const isDue = useUntil(due ?? '') <= 0
  useEffect(() => setLooks(0), [due])
  useEffect(() => {
    if (!isDue || looks >= MOST_LOOKS) return undefined
    const look = async (): Promise<void> => {
      const found = await poolsCall('getTournament', { slug }).catch(() => null)
      setLooks(looks + 1)
      if (found === null || found.tournament.updatedAt === updatedAt) return
      onRelease(found.tournament)
      announce(texts.roundWasReleased)
    }
    // Those who wait for the same release do not all ask at once.
    return whenSeen(LOOK_MS * (0.5 + Math.random()), () => void look())
  }, [slug, isDue, looks])
  return null
}

/** As many slots as the server knows beatmaps of (`operations/beatmap-look.ts`). */
const SHOWN_AT_ONCE = 300

/** The rounds that are there from the start, also where no script runs. */
function firstRounds(rounds: readonly OpenRound[]): ReadonlySet<string> {
  let slots = 0
  const first = rounds.filter(({ uses }, at) => (slots += uses.length) <= SHOWN_AT_ONCE || at === 0)
  return new Set(first.map(({ round }) => round.id))
}

/** Rounds that are in view soon, or were: only these are looked up and drawn; and the one being read. */
function useNear(rounds: readonly OpenRound[]): [near: ReadonlySet<string>, current: string] {
  const [near, setNear] = useState(() => firstRounds(rounds))
  const [current, setCurrent] = useState('')
  useEffect(() => {
    const sections = rounds.flatMap(({ round }) => document.getElementById(roundId(round.id)) ?? [])
    const idOf = ({ target }: IntersectionObserverEntry): string => target.id.replace(/^r-/, '')
    const observe = (rootMargin: string, see: (ids: readonly string[]) => void) => {
      const observer = new IntersectionObserver(
        (entries) => see(entries.filter(({ isIntersecting }) => isIntersecting).map(idOf)),
        { rootMargin },
      )
      for (const section of sections) observer.observe(section)
      return observer
    }
    const observers = [
      observe('400px 0px', (ids) => {
        if (ids.length > 0) setNear((before) => new Set([...before, ...ids]))
      }),
      // A line a little below the sticky row of rounds.
      observe('-120px 0px -75% 0px', ([id]) => id !== undefined && setCurrent(id)),
    ]
    return () => observers.forEach((observer) => observer.disconnect())
  }, [rounds])
  // The sections are not there when the browser looks for the fragment.
  useEffect(() => {
    if (/^#r-[\w-]+$/.test(location.hash)) goTo(location.hash.slice(1), 'start')
  }, [])
  return [near, current]
}

function Header({ tournament }: { tournament: Tournament }) {
  const { slug, name, shortName, description, link, updatedAt, role } = tournament
  const url = `${pageData().poolsUrl}/t/${slug}`
  return (
    <header class="pack-header">
      {role !== undefined && <StaffNote tournament={tournament} />}
      <PersonText within="h1" text={name} />
      <p class="pack-facts">
        {shortName !== undefined && <PersonText within="b" text={shortName} />}
        {factsOf(tournament).map((fact) => (
          <span key={fact}>{fact}</span>
        ))}
        <span>{texts.updated({ time: <Time at={updatedAt} /> })}</span>
        {link !== undefined && !isHttpsLink(link) && <PersonText text={link} />}
        {link !== undefined && isHttpsLink(link) && (
          <a class="tournament-link" href={link} target="_blank" rel="noreferrer nofollow">
            {hostOf(link)} <Icon name="external" />
          </a>
        )}
      </p>
      <Description text={description} />
      <div class="actions">
        <CopyButton text={url} copied={words.linkCopied} label={words.copyLink} tone="primary" />
        {role !== undefined && (
          <>
            <LinkButton icon="edit" label={texts.openWorkspace} href={`/t/${slug}/edit`} />
            <LinkButton label={texts.startAnother} href={`/my?new=1&from=${slug}`} />
          </>
        )}
        {tournament.rounds.length > 0 && <SideJump label={texts.downloads} />}
      </div>
    </header>
  )
}

const hostOf = (link: string): string =>
  URL.canParse(link) ? new URL(link).hostname : texts.website

/** What others see of it, which is less than its staff may think. */
function StaffNote({ tournament }: { tournament: Tournament }) {
  const { visibility, hiddenAt, role = '' } = tournament
  const closed = visibility === 'private' ? texts.privateForStaff : null
  const note = hiddenAt === undefined ? closed : texts.hiddenForStaff
  return (
    <p class={note === null ? 'staff-note' : 'staff-note closed'}>
      <Icon name={note === null ? 'user' : 'hidden'} />
      <span>{formatSentences([note, texts.youAreStaff({ role }), texts.draftsInWorkspace])}</span>
    </p>
  )
}

/** Hides the tournament, or shows it again. */
function Moderation({ tournament }: { tournament: Tournament }) {
  const action = useAskedAction<Tournament>()
  const [isHidden, setHidden] = useState(tournament.hiddenAt !== undefined)
  const verdict = isHidden ? 'unhide' : 'hide'
  const decide = (reason: string): void =>
    action.run(async () => {
      const { slug } = tournament
      await poolsCall(`${verdict}Tournament`, { slug, body: { reason } })
      setHidden(!isHidden)
      action.close()
      announce(isHidden ? texts.unhidden : texts.hidden)
    })
  return (
    <div class="moderation-note">
      <Icon name="hidden" />
      <span>{isHidden ? texts.hiddenSeenBy : texts.youModerate}</span>
      <Button
        label={isHidden ? texts.unhideAsk : texts.hideAsk}
        onClick={() => action.ask(tournament)}
      />
      <ReasonDialog what="tournament" verdict={verdict} action={action} onReason={decide} />
    </div>
  )
}

function Upcoming({ tournament: { upcoming = [], role } }: { tournament: Tournament }) {
  if (upcoming.length === 0) return null
  return (
    <section class="upcoming" aria-labelledby="upcoming-title">
      <h2 id="upcoming-title">{texts.comingUp}</h2>
      <ul role="list">
        {upcoming.map(({ name, releaseAt }) => (
          <li key={name}>
            <PersonText within="b" text={name} />
            {releaseAt === undefined ? (
              <span class="quiet-text">{texts.notScheduled}</span>
            ) : (
              <>
                <Countdown
                  at={releaseAt}
                  over={role === undefined ? texts.dueSoon : texts.dueReload}
                />
                <span class="quiet-text">
                  <Time at={releaseAt} as="zones" class="tabular" />
                </span>
              </>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

const NoRounds = () => (
  <Notice
    title={texts.noneReleased}
    actions={<Button label={words.reload} onClick={() => location.reload()} />}
  >
    {texts.noneReleasedMeans}
  </Notice>
)

type RoundNavProps = { readonly rounds: readonly OpenRound[]; readonly current: string }

function RoundNav({ rounds, current }: RoundNavProps) {
  const nav = useCurrentInView<HTMLElement>(current)
  return (
    <nav ref={nav} class="round-nav" aria-label={texts.rounds}>
      {rounds.map(({ round: { id, name } }) => (
        <a
          key={id}
          href={`#${roundId(id)}`}
          dir="auto"
          aria-current={id === current ? 'location' : undefined}
        >
          {shownText(name)}
        </a>
      ))}
    </nav>
  )
}

/** Sets what the style sheet takes the height of tables from that are not drawn yet. */
const keepRoom = (slots: number, buckets: number) => (room: HTMLElement | null) => {
  room?.style.setProperty('--slots', String(slots))
  room?.style.setProperty('--buckets', String(buckets))
}

type RoundSectionProps = {
  readonly tournamentName: string
  readonly round: Round
  readonly slots: readonly SlotView[]
  /** Of its pack, from the server. */
  readonly stats: PoolStats | undefined
  readonly changed: readonly ChangedSlot[]
  readonly isBusy: boolean
  readonly isNear: boolean
}

function RoundSection(props: RoundSectionProps) {
  const { tournamentName, round, slots, changed, isBusy, isNear } = props
  const stats = shownStats(props.stats, slots)
  const buckets = bucketViews(slots)
  const part = `${roundId(round.id)}-`
  const titleId = `${part}title`
  const { name, bestOf, bans, releasedAt, packSlug } = round
  return (
    <section id={roundId(round.id)} class="round pool" aria-labelledby={titleId} tabIndex={-1}>
      <header class="round-head">
        <div>
          <h2 id={titleId} dir="auto">
            {shownText(name)}
          </h2>
          <p class="pack-facts">
            {bestOf !== undefined && <span>{texts.bestOf({ n: bestOf })}</span>}
            {bans !== undefined && <span>{texts.bans({ n: bans })}</span>}
            {releasedAt !== undefined && (
              <span>{texts.released({ time: <Time at={releasedAt} /> })}</span>
            )}
          </p>
          <ChangedSlots slots={changed} />
          <RoundLinks mapPackUrl={round.mapPackUrl} showcaseUrl={round.showcaseUrl} />
        </div>
        <div class="actions">
          <GetMaps
            name={`${tournamentName} ${name}`}
            of={shownText(name)}
            slots={slots}
            isBusy={isBusy || !isNear}
            round={round.slots}
          />
          {packSlug !== undefined && (
            <LinkButton
              icon="external"
              label={texts.openPack}
              aria-label={texts.openPackOf({ round: shownText(name) })}
              href={`${pageData().siteUrl}/p/${packSlug}`}
            />
          )}
        </div>
      </header>
      <Glance
        stats={stats}
        isBusy={isBusy || !isNear}
        slots={slots}
        label={texts.glance({ round: shownText(name) })}
      />
      {isNear ? (
        <>
          <h3 class="sr-only">{texts.stars}</h3>
          <PoolPlot slots={slots} stats={stats} part={part} />
          <PoolTables buckets={buckets} part={part} />
          <PlannedSlots {...round} titleId={`${part}planned`} />
        </>
      ) : (
        <div class="round-far" ref={keepRoom(slots.length, buckets.length)} />
      )}
    </section>
  )
}
