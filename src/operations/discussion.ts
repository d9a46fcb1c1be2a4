import type {
  CandidateInput,
  CandidateMove,
  RemarkInput,
  RemarkPatch,
} from '../contract/discussion.ts'
import { AppError } from '../contract/errors.ts'
import { newSlug } from '../domain/keys.ts'
import {
  assertHasSlot,
  assertMayChangeItem,
  assertMovable,
  assertRoomFor,
  assertRoomForRemark,
  changedRemark,
  refuseTwice,
  proposalOf,
  remarkChangeOf,
  type NewCandidate,
  remarkOf,
  type RoundPlace,
  type SavedCandidate,
  type SavedDiscussion,
  type SavedRemark,
} from '../domain/discussion.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import { assertMayInRound, standingIn } from '../domain/tournament-access.ts'
import type { RoundNow } from '../ports/discussion.ts'
import type { Ports } from '../ports/ports.ts'
import { makeOnce, type Repeatable } from './repeats.ts'
import { getDraft } from './rounds.ts'
import { notFound } from './tournaments.ts'

type DiscussionPorts = Pick<Ports, 'tournaments' | 'discussion' | 'clock' | 'random' | 'hasher'>

// What strangers ask for is the `not_found` of D-60 throughout, and so are candidates and remarks that are not
// there; what a role does not allow is `forbidden` (D-61). Then comes what `check` throws (D-86): it is called with null
// when there is nothing that the account may change.

/** The candidates, votes and remarks of a round, for its staff. */
export async function readDiscussion(
  { tournaments, discussion }: Pick<Ports, 'tournaments' | 'discussion'>,
  accountId: string,
  place: RoundPlace,
): Promise<SavedDiscussion> {
  await getDraft({ tournaments }, accountId, place.slug, place.roundId)
  return discussion.read(place)
}

/**
 * Proposes a beatmap for a slot. Throws `bad_request` for an invalid input and for a slot that the round does
 * not have, `conflict` when there is no room, or when it is a candidate already.
 */
export async function propose(
  ports: DiscussionPorts,
  accountId: string,
  place: RoundPlace,
  input: CandidateInput,
  key: string | null = null,
): Promise<SavedCandidate> {
  const proposal = proposalOf(input)
  const asked = { accountId, key, of: ['propose', place, proposal] }
  return (await proposeEach(ports, place, [proposal], asked, (_, work) => work()))[0]!
}

/** As `propose`, of all of them or none; a refusal names which of them it is about. */
export async function proposeAll(
  ports: DiscussionPorts,
  accountId: string,
  place: RoundPlace,
  inputs: readonly CandidateInput[],
  key: string | null = null,
): Promise<readonly SavedCandidate[]> {
  const proposals = inputs.map((input, at) => proposalOf(input, `candidates[${at}].`))
  refuseTwice(proposals)
  const asked = { accountId, key, of: ['proposeAll', place, proposals] }
  return proposeEach(ports, place, proposals, asked, inCandidate)
}

/** Calls `work`; what it refuses is told of one of several candidates. */
function inCandidate<T>(at: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof AppError) {
      const mark = error.code === 'bad_request' ? '.' : ': '
      error.message = `candidates[${at}]${mark}${error.message}`
    }
    throw error
  }
}

async function proposeEach(
  ports: DiscussionPorts,
  place: RoundPlace,
  proposals: readonly ReturnType<typeof proposalOf>[],
  asked: Repeatable,
  inPlace: typeof inCandidate,
): Promise<readonly SavedCandidate[]> {
  const { discussion, clock, random } = ports
  const { accountId } = asked
  const createdAt = clock.now()
  const candidates = proposals.map((each) => ({ ...each, id: newSlug(random), createdAt }))
  const check = ({ tournament, round }: RoundNow, others: readonly NewCandidate[]) => {
    assertMayInRound(tournament, round, accountId, 'propose')
    for (const [at, candidate] of candidates.entries()) {
      inPlace(at, () => {
        assertHasSlot(round, candidate)
        assertRoomFor(candidate, [...others, ...candidates.slice(0, at)])
      })
    }
  }
  return makeOnce(
    ports,
    asked,
    candidates.map(({ id }) => id).join(),
    async (once) => found(await discussion.propose(place, accountId, candidates, check, once)),
    async (made) => {
      const ids = made.split(',')
      const discussion = await readDiscussion(ports, accountId, place)
      const left = discussion.candidates.filter(({ id }) => ids.includes(id))
      return left.length === 0 ? notFound() : left
    },
  )
}

/** One candidate, for the staff. */
export async function getCandidate(
  ports: Pick<Ports, 'tournaments' | 'discussion'>,
  accountId: string,
  place: RoundPlace,
  id: string,
): Promise<SavedCandidate> {
  const { candidates } = await readDiscussion(ports, accountId, place)
  return candidates.find((each) => each.id === id) ?? notFound()
}

/** Sets the account's vote on a candidate; 0 takes it back. */
export async function vote(
  { discussion, clock }: Pick<Ports, 'discussion' | 'clock'>,
  accountId: string,
  place: RoundPlace,
  id: string,
  vote: -1 | 0 | 1,
  check?: Precondition<SavedCandidate>,
): Promise<SavedCandidate> {
  const candidate = await discussion.changeCandidate(place, id, clock.now(), (now, saved) => {
    hideFromStrangers(now, accountId, check)
    assertMayInRound(now.tournament, now.round, accountId, 'vote')
    check?.(saved)
    return { accountId, vote }
  })
  return found(candidate === 'removed' ? null : candidate, check)
}

/**
 * Moves a candidate with its votes to another slot of its round (D-83). Throws `bad_request` for a slot that the round
 * does not have, `conflict` when that has no room, or this beatmap as a candidate already.
 */
export async function moveCandidate(
  { discussion, clock }: Pick<Ports, 'discussion' | 'clock'>,
  accountId: string,
  place: RoundPlace,
  id: string,
  { mod, index }: CandidateMove,
  check?: Precondition<SavedCandidate>,
): Promise<SavedCandidate> {
  const to = { mod, index }
  return found(
    await discussion.moveCandidate(
      place,
      id,
      clock.now(),
      to,
      ({ tournament, round }, candidate, all) => {
        hideFromStrangers({ tournament, round }, accountId, check)
        assertMayChangeItem(tournament, round, accountId, candidate.proposedBy, 'removeCandidate')
        check?.(candidate)
        assertMovable(round, candidate, to, all)
      },
    ),
    check,
  )
}

/** Removes a candidate with its votes. */
export async function removeCandidate(
  { discussion, clock }: Pick<Ports, 'discussion' | 'clock'>,
  accountId: string,
  place: RoundPlace,
  id: string,
  check?: Precondition<SavedCandidate>,
): Promise<void> {
  found(
    await discussion.changeCandidate(place, id, clock.now(), ({ tournament, round }, saved) => {
      hideFromStrangers({ tournament, round }, accountId, check)
      assertMayChangeItem(tournament, round, accountId, saved.proposedBy, 'removeCandidate')
      check?.(saved)
      return 'remove'
    }),
    check,
  )
}

/**
 * Adds a remark. Throws `bad_request` for an invalid input and for a slot that the round does not have,
 * `conflict` when there is no room.
 */
export async function addRemark(
  ports: DiscussionPorts,
  accountId: string,
  place: RoundPlace,
  input: RemarkInput,
  key: string | null = null,
): Promise<SavedRemark> {
  const { discussion, clock, random } = ports
  const content = remarkOf(input)
  const remark = { ...content, id: newSlug(random), createdAt: clock.now() }
  const check = ({ tournament, round }: RoundNow, remarks: number) => {
    assertMayInRound(tournament, round, accountId, 'remark')
    if (remark.slot !== null) assertHasSlot(round, remark.slot)
    assertRoomForRemark(remarks)
  }
  return makeOnce(
    ports,
    { accountId, key, of: ['addRemark', place, content] },
    remark.id,
    async (once) => found(await discussion.addRemark(place, accountId, remark, check, once)),
    (id) => getRemark(ports, accountId, place, id),
  )
}

/** One remark, for the staff. */
export async function getRemark(
  ports: Pick<Ports, 'tournaments' | 'discussion'>,
  accountId: string,
  place: RoundPlace,
  id: string,
): Promise<SavedRemark> {
  const { remarks } = await readDiscussion(ports, accountId, place)
  return remarks.find((each) => each.id === id) ?? notFound()
}

/**
 * Changes the text of a remark, whether it is settled, or its slot (D-83). Throws `bad_request` for an invalid input, and
 * for a slot that the round does not have.
 */
export async function changeRemark(
  { discussion, clock }: Pick<Ports, 'discussion' | 'clock'>,
  accountId: string,
  place: RoundPlace,
  id: string,
  patch: RemarkPatch,
  check?: Precondition<SavedRemark>,
): Promise<SavedRemark> {
  const change = remarkChangeOf(patch)
  const remark = await discussion.changeRemark(place, id, clock.now(), (now, saved) => {
    hideFromStrangers(now, accountId, check)
    const { tournament, round } = now
    const changed = changedRemark(tournament, round, accountId, saved, change, clock.now())
    check?.(saved)
    return changed
  })
  return found(remark === 'removed' ? null : remark, check)
}

export async function removeRemark(
  { discussion, clock }: Pick<Ports, 'discussion' | 'clock'>,
  accountId: string,
  place: RoundPlace,
  id: string,
  check?: Precondition<SavedRemark>,
): Promise<void> {
  found(
    await discussion.changeRemark(place, id, clock.now(), ({ tournament, round }, saved) => {
      hideFromStrangers({ tournament, round }, accountId, check)
      assertMayChangeItem(tournament, round, accountId, saved.writtenBy, 'removeRemark')
      check?.(saved)
      return null
    }),
    check,
  )
}

/** What they ask for is the same as what is missing, also with `If-Match` (D-60). */
function hideFromStrangers<T>(
  { tournament, round }: RoundNow,
  accountId: string,
  check: Precondition<T> | undefined,
): void {
  if (standingIn(tournament, round, accountId) === 'stranger') notFound(check)
}

const found = <T, S>(value: T | null, check?: Precondition<S>): T => value ?? notFound(check)
