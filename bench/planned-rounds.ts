import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { RoundSlot } from '../src/contract/rounds.ts'
import { newSlug } from '../src/domain/keys.ts'
import { schedule } from '../src/domain/releases.ts'
import type { SavedTournament } from '../src/domain/tournaments.ts'
import { systemRandom } from '../src/adapters/system.ts'
import type { TournamentStore } from '../src/ports/tournaments.ts'
import { decodePackKey } from '../src/pool/pack-key/pack-key.ts'
import { slotContent } from '../src/pool/round-fields.ts'
import { aRound, hostsOf, someFacts } from '../test/ports/sample-tournament.ts'

/** Rounds of a tournament, all of them due at about one moment. */
const ROUNDS = 8
const MOST_MISSING = 5
/** This close to a release a beatmap may or may not be part of it. */
const CLOSE_MS = 20

const PLANS = [
  {},
  { placeholder: 'custom map, due Sunday' },
  { details: { artist: 'Kessler', title: 'Low Tide' }, link: 'https://example.org/low-tide' },
] as const
/** When a beatmap comes: it never does, or before, at, or after the release, be it two kills later. */
const MOMENTS = ['never', 'before', 'at', 'after', 'later', 'latest'] as const
const KILLS_LATER: Readonly<Record<string, number>> = { later: 1, latest: 2 }

/** Whose key changes the drafts of a round. */
export type Host = { readonly accountId: string; readonly gameId: number; readonly key: string }

/** A change of some slots without a beatmap, which get one. */
export type Fill = {
  readonly round: PlannedRound
  readonly slots: ReadonlyMap<string, RoundSlot>
  readonly moment: (typeof MOMENTS)[number]
  /** How many kills to wait. */
  killsLeft: number
  isSent: boolean
  /** From when it was saved for certain, ms since the epoch; null: it is not known to be. */
  savedAt: number | null
  isPublic: boolean
}

/** A round with slots that have no beatmap yet, and what is going to become of it. */
export type PlannedRound = {
  readonly slug: string
  readonly roundId: string
  /** ms since the epoch. */
  readonly releaseAt: number
  readonly host: Host
  readonly slots: readonly RoundSlot[]
  readonly fills: Fill[]
  isReleased: boolean
}

const labelOf = ({ mod, index }: Pick<RoundSlot, 'mod' | 'index'>): string => `${mod}${index}`
const isFilled = ({ beatmapId }: RoundSlot): boolean => beatmapId !== undefined

/** Whether it is saved, and not public yet. */
export const isPending = ({ savedAt, isPublic }: Fill): boolean => savedAt !== null && !isPublic

/** Saves a tournament of these hosts, whose rounds are to be released as they are at about this time (D-78). */
export const planRounds = async (
  tournaments: TournamentStore,
  hosts: readonly Host[],
  dueAt: number,
  spreadMs: number,
): Promise<PlannedRound[]> => {
  const slug = newSlug(systemRandom)
  const rounds = Array.from({ length: ROUNDS }, (_, at) =>
    planRound(slug, hosts[at % hosts.length]!, dueAt + randomInt(spreadMs)),
  )
  await tournaments.create({ ...someFacts, slug, createdAt: 0 }, hosts[0]!.accountId, Infinity)
  await tournaments.change(slug, null, Infinity, 0, (saved) => {
    const drafts = rounds.map(({ roundId, slots }, at) =>
      aRound({ id: roundId, name: `Round ${at + 1}`, slots }),
    )
    const staff = hostsOf(hosts, saved.createdAt)
    let next: SavedTournament = { ...saved, staff, rounds: drafts }
    for (const { roundId, releaseAt } of rounds) {
      const draft = next.rounds.find(({ id }) => id === roundId)!
      // On a busy machine the time may have passed by now: then it is due at once.
      next = { ...next, ...schedule(next, draft, releaseAt, true, Date.now(), 0) }
    }
    return next
  })
  return rounds
}

const planRound = (slug: string, host: Host, releaseAt: number): PlannedRound => {
  const missing = randomInt(MOST_MISSING + 1)
  const slots = Array.from({ length: missing + 1 + randomInt(3) }, (_, at): RoundSlot => {
    const place = { mod: 'NM', index: at + 1 }
    const isMissing = at > 0 && at <= missing
    return isMissing ? { ...place, ...PLANS[randomInt(3)] } : { ...place, beatmapId: at + 1 }
  })
  const fills: Fill[] = []
  const round = {
    slug,
    roundId: newSlug(systemRandom),
    releaseAt,
    host,
    slots,
    fills,
    isReleased: false,
  }
  const moments = slots
    .filter((slot) => !isFilled(slot))
    .map((slot) => {
      const { placeholder: _, ...rest } = slot
      return { slot: { ...rest, beatmapId: 1_000 + slot.index }, moment: MOMENTS[randomInt(6)]! }
    })
  for (const [moment, filled] of Map.groupBy(moments, (each) => each.moment)) {
    const after = new Map(filled.map(({ slot }) => [labelOf(slot), slot]))
    const state = { isSent: false, savedAt: null, isPublic: false }
    const killsLeft = KILLS_LATER[moment] ?? 0
    if (moment !== 'never') fills.push({ round, slots: after, moment, killsLeft, ...state })
  }
  return round
}

/** When to send it, ms since the epoch, in the life of a process that became ready then. */
export const momentOf = ({ moment, round, killsLeft }: Fill, readyAt: number): number => {
  const { releaseAt } = round
  if (killsLeft > 0) return Infinity
  if (moment === 'before') return releaseAt - CLOSE_MS - randomInt(Math.max(1, releaseAt - readyAt))
  if (moment === 'at') return releaseAt + randomInt(-CLOSE_MS, CLOSE_MS)
  return Math.max(releaseAt, readyAt) + randomInt(200)
}

/** Body of `PATCH …/slots`. */
export const changesOf = ({ round, slots }: Fill) => ({
  changes: round.slots.flatMap((slot) => {
    const to = slots.get(labelOf(slot))
    const { mod, index, ...from } = slot
    return to ? [{ mod, index, from: slotContent(from), to: slotContent(withoutPlace(to)) }] : []
  }),
})

const withoutPlace = (slot: RoundSlot) => {
  const { mod: _, index: __, ...filling } = slot
  return filling
}

type Row = Readonly<Record<string, unknown>>

/** The columns that `judgeRound` reads, of rounds that have or had a pack or none. */
export const ROUND_COLUMNS = `round.id, round.slots as draft, release_at, release_incomplete, fill_due,
  pack_slug, released, pack.created_at, pack.updated_at, pack.version, pack.slots as pool,
  (select count(*) from pack_change where slug = pack_slug and kind = 'created') as creations`

export type Verdict = {
  readonly faults: readonly string[]
  /** From when a round was due, and a process ready, to its release; -1 while it is not released. */
  readonly releaseMs: number
  /** The same of the slowest fill. */
  readonly fillMs: number
  /** Whether nothing is to come any more. */
  readonly isDone: boolean
}

/**
 * What is wrong with a round, as its row says; notes which of its fills are saved and public.
 *
 * @param replaced the versions of its pack that later ones have replaced, oldest first.
 * @param readyAt of the only process that could release; 0: there was always one.
 */
export const judgeRound = (
  round: PlannedRound,
  row: Row,
  replaced: readonly Row[],
  readyAt: number,
  now: number,
): Verdict => {
  const faults: string[] = []
  const expect = (isSo: boolean, fault: string): void => {
    if (!isSo) faults.push(`${round.roundId} of ${round.slug}: ${fault}`)
  }
  const draft = byLabel(JSON.parse(String(row['draft'])) as RoundSlot[])
  for (const fill of round.fills) {
    const isSaved = [...fill.slots].every(([label, slot]) =>
      isDeepStrictEqual(draft.get(label), slot),
    )
    if (fill.savedAt !== null) expect(isSaved, 'a change that was confirmed is lost')
    else if (isSaved) fill.savedAt = now
    else fill.isSent = false
  }
  if (row['pack_slug'] === null) {
    const isScheduled =
      Number(row['release_at']) === round.releaseAt && Number(row['release_incomplete']) === 1
    expect(isScheduled, 'it has neither a pack nor its schedule')
    expect(!round.isReleased, 'it was released, and is not any more')
    return { faults, releaseMs: -1, fillMs: 0, isDone: false }
  }
  round.isReleased = true
  const createdAt = Number(row['created_at'])
  expect(createdAt >= round.releaseAt, `released ${round.releaseAt - createdAt} ms before its time`)
  expect(row['release_at'] === null, 'it is released, and still scheduled')
  expect(Number(row['creations']) === 1, `its pack was created ${String(row['creations'])} times`)
  const fillMs = judgeVersions(round, row, replaced, readyAt, expect)
  judgeShown(round, row, expect)
  const isDue = round.fills.some(isPending)
  expect((row['fill_due'] !== null) === isDue, `fill_due is ${String(row['fill_due'])}`)
  const isDone = round.fills.every(({ isPublic }) => isPublic)
  return { faults, releaseMs: createdAt - Math.max(round.releaseAt, readyAt), fillMs, isDone }
}

const byLabel = <S extends Pick<RoundSlot, 'mod' | 'index'>>(slots: readonly S[]) =>
  new Map(slots.map((slot) => [labelOf(slot), slot]))

type Expect = (isSo: boolean, fault: string) => void

/** The first version has what was there, each one after it some fills more, whole ones. Returns ms of the slowest. */
const judgeVersions = (
  { slots, fills }: PlannedRound,
  row: Row,
  replaced: readonly Row[],
  readyAt: number,
  expect: Expect,
): number => {
  const versions = [
    // Read after the row, which may have been replaced meanwhile.
    ...replaced
      .filter(({ version }) => Number(version) < Number(row['version']))
      .map(({ saved_at: at, pack_key: key }) => {
        return { at: Number(at), slots: decodePackKey(String(key)).slots }
      }),
    { at: Number(row['updated_at']), slots: JSON.parse(String(row['pool'])) as RoundSlot[] },
  ]
  expect(Number(row['version']) === versions.length, `version ${String(row['version'])}`)
  const releasedAt = Number(row['created_at'])
  expect(versions[0]?.at === releasedAt, 'the first version is not the release')
  const ids = new Map(slots.filter(isFilled).map((slot) => [labelOf(slot), slot.beatmapId]))
  let slowestMs = 0
  for (const [number, version] of versions.entries()) {
    const there = new Map(version.slots.map((slot) => [labelOf(slot), slot.beatmapId]))
    expect(there.size === version.slots.length, 'a slot is there twice')
    const before = ids.size
    for (const fill of fills) {
      const filled = [...fill.slots].map(([label, { beatmapId }]) => [label, beatmapId] as const)
      const [[first] = ['']] = filled
      if (!there.has(first) || ids.has(first)) continue
      for (const [label, beatmapId] of filled) ids.set(label, beatmapId)
      fill.isPublic = true
      expect(fill.savedAt !== null, 'a beatmap is public that is not in the draft')
      const from = Math.max(fill.savedAt ?? 0, releasedAt, readyAt)
      slowestMs = Math.max(slowestMs, version.at - from)
    }
    expect(isDeepStrictEqual(there, ids), `version ${number + 1} has other beatmaps`)
    expect(number === 0 || ids.size > before, `version ${number + 1} adds none`)
    const late = fills.filter((fill) => !fill.isPublic && (fill.savedAt ?? Infinity) < version.at)
    expect(late.length === 0, `version ${number + 1} lacks a beatmap that was saved before it`)
  }
  return slowestMs
}

/** All slots are kept, as planned or as they were filled; none if they say no more than the pack. */
const judgeShown = (round: PlannedRound, row: Row, expect: Expect): void => {
  const { slots } = JSON.parse(String(row['released'])) as { slots: RoundSlot[] | null }
  const shown = shownSlots(round)
  const isPlain = shown.every((slot) => isFilled(slot) && Object.keys(slot).length === 3)
  expect(isDeepStrictEqual(slots, isPlain ? null : shown), 'it shows other slots than it was to')
}

/** What everybody is to see of a round by what is known to be public. */
export const shownSlots = ({ slots, fills }: PlannedRound): RoundSlot[] => {
  const filled = new Map(fills.flatMap((fill) => (fill.isPublic ? [...fill.slots] : [])))
  return slots.map((slot) => filled.get(labelOf(slot)) ?? slot)
}
