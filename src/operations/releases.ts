import { AppError } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import type { ReleaseInput } from '../contract/rounds.ts'
import { readTime } from '../contract/times.ts'
import { wrong } from '../pool/input-words.ts'
import { invalidInput } from '../domain/invalid-input.ts'
import { newSlug } from '../domain/keys.ts'
import { type SavedPack } from '../domain/packs.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import { draftOf, packInputOf, roundContentOf } from '../domain/rounds.ts'
import { foldName } from '../pool/slots.ts'
import * as releases from '../domain/releases.ts'
import * as changes from '../domain/tournament-changes.ts'
import { roundLinks } from '../pool/round-fields.ts'
import {
  admitToRound,
  changeWithPacks,
  inTournament,
  type RoundInTournament,
  type TournamentPorts,
} from './tournaments.ts'

/**
 * Releases a round now, schedules its release, or withdraws: the schedule or, if there is none, the pack (D-63).
 * Changes nothing if the round is in that state already (D-86). Throws `bad_request` for an invalid time, then as every
 * change of a tournament, then `bad_request` for a time in the past.
 */
export async function releaseRound(
  ports: TournamentPorts,
  accountId: string,
  slug: string,
  roundId: string,
  { at, incomplete = false }: ReleaseInput,
  check?: Precondition<RoundInTournament>,
): Promise<RoundInTournament> {
  const time = at === null || at === 'now' ? at : timeOf(at)
  const begunAt = ports.clock.now()
  const result = await changeWithPacks(ports, accountId, slug, (saved, now, chooseSlug) => {
    const round = admitToRound(saved, roundId, accountId, 'release', check)
    if (time === null) return releases.withdraw(saved, round, now)
    if (time === 'now') return releases.release(saved, round, incomplete, chooseSlug, now)
    // What was to come when it was sent may have passed while it waited; by the clock that releases (D-63).
    const earliest = now - Math.max(0, ports.clock.now() - begunAt)
    const content = releases.schedule(saved, round, time, incomplete, now, earliest)
    return { content, packs: [] }
  })
  return inTournament(result === 'deleted' ? null : result, roundId, check)
}

type DueRound = { readonly slug: string; readonly roundId: string }

/**
 * Releases the rounds and slots of one tournament that are due by the clock that all processes share; each once, however
 * often and by how many processes it is called (D-63, D-78). Releases all of them or none. Returns whether it did.
 */
export async function releaseDue(
  ports: TournamentPorts,
  ...rounds: readonly [DueRound, ...DueRound[]]
): Promise<boolean> {
  const [{ slug }] = rounds
  let made = 0
  let isReleased = false
  const result = await changeWithPacks(ports, null, slug, (saved, now, chooseSlug) => {
    made += 1
    // If the slug of one is taken, the others keep theirs.
    if (made > 1 && rounds.length > 1) return null
    const change = releases.releaseAllDue(saved, rounds, chooseSlug, now)
    isReleased = change !== null && change.packs.length > 0
    return change
  })
  if (made === 1 || rounds.length === 1) return result !== null && isReleased
  const each: boolean[] = []
  for (const round of rounds) each.push(await releaseDue(ports, round))
  return each.includes(true)
}

/** A round that the operator has published. */
type PublishedRound = {
  readonly pack: SavedPack
  /** The pack as it was; null when the round had none. */
  readonly before: SavedPack | null
  /** Whether the tournament had no round of this name. */
  readonly isNew: boolean
}

/**
 * Releases a pool, for the operator, as the round of this name (case does not matter), or as a new one after the others.
 * Fields of the round that a pool does not have stay; the pack gets the name of the pool. Throws `bad_request`, `not_found`
 * and `conflict` as every change of a tournament.
 */
export async function publishRound(
  ports: TournamentPorts,
  slug: string,
  roundName: string,
  { name: packName, slots, buckets }: PackInput,
): Promise<PublishedRound> {
  const input = { packName, slots, ...(buckets && { buckets }) }
  const sent = roundContentOf({ ...input, name: roundName })
  const newId = newSlug(ports.random)
  const made: { done?: PublishedRound } = {}
  await changeWithPacks(ports, null, slug, (saved, now, chooseSlug) => {
    const old = saved.rounds.find(({ name }) => foldName(name) === foldName(sent.name))
    const { slots, buckets, packName } = sent
    const before = old ?? sent
    const whole = { ...draftOf(before), ...roundLinks(before), slots, buckets, packName }
    const isDefault = packInputOf(saved, { ...whole, packName: null }).name === whole.packName
    const content = { ...whole, packName: isDefault ? null : whole.packName }
    const drafted = old
      ? changes.replaceRound(saved, old, content, now)
      : changes.addRound(saved, content, newId, now)
    const { round } = inTournament(drafted, old?.id ?? newId)
    const change = releases.release(drafted, round, false, chooseSlug, now)
    const pack = change.content.rounds.find(({ id }) => id === round.id)?.released?.pack
    if (pack) made.done = { pack, before: old?.released?.pack ?? null, isNew: old === undefined }
    return change
  })
  if (made.done !== undefined) return made.done
  throw new AppError('not_found:nothing_visible', `there is no tournament with the slug ${slug}`)
}

function timeOf(at: string): number {
  const time = readTime(at)
  if (time !== null) return time
  throw invalidInput([{ place: 'at', what: wrong('noSuchTime') }])
}
