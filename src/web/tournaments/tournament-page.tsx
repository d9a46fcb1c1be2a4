import * as words from '#texts/common'
import * as texts from '#texts/tournaments'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { isHttpsLink } from '../../contract/bounds.ts'
import type { ReasonedVerdict } from '../../contract/moderation.ts'
import type { PageData } from '../../contract/page-data.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { useAskedAction } from '../action.ts'
import { inEnglish, pageData } from '../page-data.ts'
import { formatSentences } from '../format.ts'
import { Button, LinkButton } from '../parts/buttons.tsx'
import { CopyButton } from '../parts/copying.tsx'
import { Countdown, useUntil } from '../parts/countdown.tsx'
import { Icon } from '../parts/icons.tsx'
import { Description, PersonText } from '../parts/labels.tsx'
import { Notice } from '../parts/notices.tsx'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { Time } from '../parts/times.tsx'
import { announce } from '../parts/toasts.tsx'
import { useBeatmaps, whenSeen } from '../pool/beatmaps.ts'
import { LookNote } from '../pool/look-note.tsx'
import { LinksCard, SIDE_ID, SideJump } from '../pool/pool-side.tsx'
import { slotViews } from '../pool/slots.ts'
import { poolsCall } from '../pools-api.ts'
import { RoundNav, RoundSection, useNear } from './released-rounds.tsx'
import { openRound, RoundDownloads } from './round-downloads.tsx'
import { factsOf } from './tournament-words.ts'
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
  // Where nothing follows it that it would move: it comes with the script.
  const moderation = viewer?.isModerator && tournament.role === undefined && (
    <Moderation tournament={tournament} />
  )
  return (
    <main id="main" class="tournament-page">
      {/* The staff would read their drafts. */}
      {first.role === undefined && <Releases tournament={tournament} onRelease={setTournament} />}
      <Header tournament={tournament} />
      <Upcoming tournament={tournament} />
      {rounds.length === 0 ? (
        <>
          <NoRounds />
          {moderation}
        </>
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
            {moderation}
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
  const decide = (body: ReasonedVerdict): void =>
    action.run(async () => {
      const { slug } = tournament
      await poolsCall(`${verdict}Tournament`, { slug, body })
      setHidden(!isHidden)
      action.close()
      announce(isHidden ? texts.unhidden : texts.hidden)
    })
  return (
    <>
      <div class="moderation-note">
        <Icon name="hidden" />
        <span>{isHidden ? texts.hiddenSeenBy : texts.youModerate}</span>
        <Button
          label={isHidden ? texts.unhideAsk : texts.hideAsk}
          onClick={() => action.ask(tournament)}
        />
      </div>
      <div {...inEnglish}>
        <ReasonDialog what="tournament" verdict={verdict} action={action} onReason={decide} />
      </div>
    </>
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
