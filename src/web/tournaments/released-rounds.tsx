import * as texts from '#texts/tournaments'
import { useEffect, useState } from 'preact/hooks'
import type { ChangedSlot } from '../../contract/page-data.ts'
import type { Round } from '../../contract/rounds.ts'
import { GetMaps } from '../maps/maps-card.tsx'
import { pageData } from '../page-data.ts'
import { LinkButton } from '../parts/buttons.tsx'
import { useCurrentInView } from '../parts/current-in-view.ts'
import { shownText } from '../parts/labels.tsx'
import { Time } from '../parts/times.tsx'
import { goTo } from '../pool/pool-side.tsx'
import { type PoolStats, shownStats } from '../pool/pool-stats.ts'
import { Glance, PoolPlot, PoolTables } from '../pool/pool-view.tsx'
import { ChangedSlots, PlannedSlots, RoundLinks } from '../pool/round-extras.tsx'
import { bucketViews, type SlotView } from '../pool/slots.ts'
import type { OpenRound } from './round-downloads.tsx'
import { roundId } from './tournament-words.ts'

/** As many slots as the server knows beatmaps of (`operations/beatmap-look.ts`). */
const SHOWN_AT_ONCE = 300

/** The rounds that are there from the start, also where no script runs. */
function firstRounds(rounds: readonly OpenRound[]): ReadonlySet<string> {
  let slots = 0
  const first = rounds.filter(({ uses }, at) => (slots += uses.length) <= SHOWN_AT_ONCE || at === 0)
  return new Set(first.map(({ round }) => round.id))
}

/** Rounds that are in view soon, or were: only these are looked up and drawn; and the one being read. */
export function useNear(
  rounds: readonly OpenRound[],
): [near: ReadonlySet<string>, current: string] {
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

type RoundNavProps = { readonly rounds: readonly OpenRound[]; readonly current: string }

export function RoundNav({ rounds, current }: RoundNavProps) {
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

export function RoundSection(props: RoundSectionProps) {
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
