import type { PoolsClient } from '../../../client/pools-client.ts'
import { MAX_BODY_BYTES, MAX_SLOTS } from '../../../contract/bounds.ts'
import type { Round, RoundSlot, SlotChanges } from '../../../contract/rounds.ts'
import type { Tournament } from '../../../contract/tournaments.ts'
import type { DifferenceWords } from '../../../pool/difference-words.ts'
import { slotContent, slotFields, slotWords } from '../../../pool/round-fields.ts'
import { placeKey, slotLabel, wholeTable } from '../../../pool/slots.ts'
import { describeError, hasCode } from '../errors.ts'
import { plain, progressBar } from '../screen.ts'
import type { CliContext } from '../user-command.ts'
import { isLimited } from './read-round.ts'
import { compareRounds, draftOf, type RoundDraft } from './round-text.ts'

/** A round as it is to be. */
export type RoundPlan = {
  /** null: it is new. */
  readonly before: Round | null
  readonly after: RoundDraft
  /** Of a round that is there; none if it stays. */
  readonly changes: readonly DifferenceWords[]
}

/** What is to become of the rounds of a tournament, which was read with this ETag. */
export type SheetPlan = {
  readonly tournament: Tournament
  readonly etag: string
  /** All rounds in their order. */
  readonly rounds: readonly RoundPlan[]
  readonly removed: readonly Round[]
}

export const planRound = (before: Round | null, after: RoundDraft): RoundPlan => ({
  before,
  after,
  changes: before === null ? [] : compareRounds(before, after),
})

export const isChanged = ({ before, changes }: RoundPlan): boolean =>
  before === null || changes.length > 0

/** Whether the rounds that are there come in another order, or a new one before one of them. */
export function isReordered({ tournament, rounds, removed }: SheetPlan): boolean {
  const gone = new Set(removed.map(({ id }) => id))
  const now = tournament.rounds.flatMap(({ id }) => (gone.has(id) ? [] : [id]))
  const next = rounds.map(({ before }) => before?.id ?? null)
  return now.some((id, at) => next[at] !== id)
}

export const changesAnything = (plan: SheetPlan): boolean =>
  plan.rounds.some(isChanged) || plan.removed.length > 0 || isReordered(plan)

/** Something that was not saved. */
export type Left = {
  /** What, and why. */
  readonly text: string
  /** Whether somebody else has changed it meanwhile. */
  readonly isStale: boolean
}

/**
 * Saves what a plan changes; nothing that has changed since it was read is overwritten (D-62). Where only slots of a round
 * change, they are sent as changes of slots; all else goes in one request if it is more than one and not too large for
 * one, otherwise round by round.
 *
 * @returns what was left alone: it has changed meanwhile, or was refused.
 * @throws if it fails otherwise; what was saved before is noted.
 */
export async function saveRounds(
  client: PoolsClient,
  plan: SheetPlan,
  context: CliContext,
): Promise<Left[]> {
  const changed = plan.rounds.filter(isChanged)
  const ofSlots = changed.flatMap((each) => {
    const slots = slotsAlone(each)
    return slots === null || each.before === null ? [] : [{ ...each, before: each.before, slots }]
  })
  const names = new Set(ofSlots.map(({ after }) => after))
  const rest = changed.filter(({ after }) => !names.has(after))
  const { slug } = plan.tournament
  const isMoved = isReordered(plan)
  const isOne = rest.length + plan.removed.length === 1 && !isMoved
  const first = ofSlots.map(({ before, after, slots }): Send => ({
    name: after.name,
    send: () => client.changeSlots(slug, before.id, slots),
  }))
  const left = await sendAll(isOne ? [...first, ...singles(client, plan, rest)] : first, context)
  if (isOne || (rest.length + plan.removed.length === 0 && !isMoved)) return left
  return [...left, ...(await saveSheet(client, plan, rest, ofSlots.length > 0, context))]
}

type WithBefore = RoundPlan & { readonly before: Round }

/** The changes of slots that make a round what it is to be; null if more than slots has to change. */
function slotsAlone(plan: RoundPlan): SlotChanges['changes'] | null {
  const { before, after } = plan
  if (before === null) return null
  const changes = slotChanges(before, after)
  const isFew = changes.length > 0 && changes.length <= MAX_SLOTS
  // A change of slots adds the buckets that it needs.
  const table = wholeTable({ buckets: before.buckets, slots: inPlace(before, after) })
  const isTable = JSON.stringify(wholeTable(after)) === JSON.stringify(table)
  const others = compareRounds(withoutPool(before), withoutPool(after))
  return isFew && isTable && others.length === 0 ? changes : null
}

const withoutPool = (draft: RoundDraft): RoundDraft => ({
  ...draftOf(draft),
  slots: [],
  buckets: [],
})

/** As the service keeps them: those that were there before in their order, then the new ones. */
function inPlace(before: Round, after: RoundDraft): RoundSlot[] {
  const now = new Map(after.slots.map((slot) => [placeKey(slot), slot]))
  const kept = before.slots.flatMap((slot) => now.get(placeKey(slot)) ?? [])
  const known = new Set(before.slots.map(placeKey))
  return [...kept, ...after.slots.filter((slot) => !known.has(placeKey(slot)))]
}

function slotChanges(before: RoundDraft, after: RoundDraft): SlotChanges['changes'] {
  const [was, now] = [before, after].map(
    ({ slots }) => new Map(slots.map((slot) => [placeKey(slot), slot])),
  )
  const all = [...before.slots, ...after.slots.filter((slot) => !was!.has(placeKey(slot)))]
  return all.flatMap((place) => {
    const [old, next] = [was!.get(placeKey(place)), now!.get(placeKey(place))]
    if (old !== undefined && next !== undefined && slotFields.isSame(old, next)) return []
    const { mod, index } = place
    return [{ mod, index, from: slotContent(old), to: slotContent(next) }]
  })
}

type Send = { readonly name: string; readonly send: () => Promise<unknown> }

/** Sends one after the other; what was refused, because others were faster for example, does not keep the rest back. */
async function sendAll(sends: readonly Send[], { screen }: CliContext): Promise<Left[]> {
  const left: Left[] = []
  for (const [at, { name, send }] of sends.entries()) {
    if (sends.length > 1) screen.status(progressBar(at, sends.length, plain(name)))
    try {
      await send()
    } catch (error) {
      screen.clear()
      const refusal = refusalOf(name, error)
      if (refusal === null) {
        if (sends.length > 1) screen.note(sentSoFar(sends, at, error))
        throw error
      }
      left.push(refusal)
    }
  }
  screen.clear()
  return left
}

/** An error that no service has answered with leaves open whether the one at `at` was saved. */
function sentSoFar(sends: readonly Send[], at: number, error: unknown): string {
  const names = (part: readonly Send[]) => part.map(({ name }) => plain(name)).join(', ')
  const isOpen = hasCode(error, 'unreachable', 'timed_out', 'unexpected_answer', 'internal_error')
  const parts = [
    `Sent: ${names(sends.slice(0, at)) || 'nothing'}`,
    ...(isOpen ? [`perhaps: ${names([sends[at]!])}`] : []),
    `not sent: ${names(sends.slice(isOpen ? at + 1 : at)) || 'nothing else'}`,
  ]
  return `${parts.join('; ')}.`
}

const MEANWHILE = 'was changed by somebody else meanwhile, so nothing of it was saved'

const stale = (name: string, now: readonly string[] = []): Left => ({
  text: [`${name} ${MEANWHILE}`, ...now].join('; '),
  isStale: true,
})

/** Why a write was refused; null if it failed otherwise. */
function refusalOf(name: string, error: unknown): Left | null {
  if (hasCode(error, 'conflict') && error.slots !== null) {
    const now = error.slots.map((slot) => `${slotLabel(slot)} is now ${slotWords(slot)}`)
    return stale(name, now)
  }
  if (hasCode(error, 'precondition_failed')) return stale(name)
  if (!hasCode(error, 'conflict', 'bad_request')) return null
  return { text: `${name}: ${describeError(error)}`, isStale: false }
}

function singles(client: PoolsClient, plan: SheetPlan, rest: readonly RoundPlan[]): Send[] {
  const { slug } = plan.tournament
  return [
    ...plan.removed.map((round) => ({
      name: round.name,
      send: async () => client.deleteRound(slug, round.id, { ifMatch: await tagOf(round) }),
    })),
    ...rest.map(({ before, after }) => ({
      name: after.name,
      send: async () => {
        const input = draftOf(after)
        return before === null
          ? client.createRound(slug, input)
          : client.replaceRound(slug, before.id, input, { ifMatch: await tagOf(before) })
      },
    })),
  ]

  /** The ETag of a round that is still as it was read; of another one, a tag that no round has. */
  async function tagOf(round: Round): Promise<string> {
    const { data, etag } = await client.getRound(slug, round.id).withResponse()
    return data.updatedAt === round.updatedAt ? (etag ?? '') : '"changed"'
  }
}

const MAX_ATTEMPTS = 5

/** All rounds in one request, in the state in which they are now; one by one if they are too large for one. */
async function saveSheet(
  client: PoolsClient,
  plan: SheetPlan,
  rest: readonly RoundPlan[],
  isOld: boolean,
  context: CliContext,
): Promise<Left[]> {
  const { slug } = plan.tournament
  // Who is limited to some rounds may change each of them, but not arrange all (D-81).
  if (isLimited(plan.tournament)) return sendAll(singles(client, plan, rest), context)
  let { tournament, etag } = plan
  for (let attempt = isOld ? 1 : 0; ; attempt += 1) {
    if (attempt > 0) {
      const read = await client.getTournament(slug).withResponse()
      tournament = read.data
      etag = read.etag ?? ''
    }
    const { rounds, left } = sheetOf(plan, rest, tournament)
    if (Buffer.byteLength(JSON.stringify({ rounds })) > MAX_BODY_BYTES) {
      const refused = await sendAll(singles(client, plan, rest), context)
      return isReordered(plan) ? [...refused, UNARRANGED] : refused
    }
    try {
      await client.replaceRounds(slug, rounds, { ifMatch: etag })
      return left
    } catch (error) {
      if (!hasCode(error, 'precondition_failed')) throw error
      if (attempt === MAX_ATTEMPTS) return [...left, stale('the tournament')]
    }
  }
}

const UNARRANGED: Left = {
  text: 'the order of rounds was not saved: all of them together are too large for one request; arrange them on the site',
  isStale: false,
}

/** The body that changes nothing but what the plan does. */
function sheetOf(plan: SheetPlan, rest: readonly RoundPlan[], now: Tournament) {
  const left: Left[] = []
  const wanted = new Map(
    rest.flatMap((each) => (each.before === null ? [] : [[each.before.id, each as WithBefore]])),
  )
  const removed = new Map(plan.removed.map((round) => [round.id, round]))
  const isStale = (before: Round, round: Round): boolean => {
    if (before.updatedAt === round.updatedAt) return false
    left.push(stale(round.name))
    return true
  }
  const kept = now.rounds.flatMap((round) => {
    const { id } = round
    const gone = removed.get(id)
    if (gone !== undefined && !isStale(gone, round)) return []
    const own = wanted.get(id)
    const isOwn = own !== undefined && !isStale(own.before, round)
    return [{ id, ...draftOf(isOwn ? own.after : round) }]
  })
  const made = rest.filter(({ before }) => before === null)
  if (!isReordered(plan))
    return { rounds: [...kept, ...made.map(({ after }) => draftOf(after))], left }
  const byId = new Map(kept.map((round) => [round.id, round]))
  const arranged = plan.rounds.flatMap(({ before, after }) => {
    if (before === null) return [draftOf(after)]
    const round = byId.get(before.id)
    byId.delete(before.id)
    return round ?? []
  })
  return { rounds: [...arranged, ...byId.values()], left }
}
