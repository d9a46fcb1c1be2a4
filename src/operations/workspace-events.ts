import type { WorkspaceEvent } from '../contract/workspace.ts'
import type { RoundReply } from '../contract/rounds.ts'
import { UNKNOWN_PLAYER } from '../domain/accounts.ts'
import { draftsOf } from '../domain/tournament-access.ts'
import { presentRound, presentStaff, presentTournament } from '../domain/tournament-views.ts'
import type { SavedMember, SavedRound, SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import type { WorkspaceState } from '../ports/workspaces.ts'

/** Longer drafts are left out of an event and have to be requested: not every reader has them open. */
const MOST_BROUGHT = 65_536

/** The ETag of a response. */
export type TagOf = (reply: RoundReply) => string

type EventParts = Pick<Ports, 'hasher'> & { readonly tagOf: TagOf }

/** An event as it is sent. */
export type EventTexts = {
  /** Equal for equal states. */
  readonly state: string
  /** `state`, and what has changed since the moment before. */
  readonly whole: string
}

/** A workspace at one moment. Events are made once for all who see the same (D-81). */
export class WorkspaceScene {
  /** Replaced by a newer version with the same content. */
  state: WorkspaceState
  readonly tournament: SavedTournament
  readonly #parts: EventParts
  readonly #members: ReadonlyMap<string, SavedMember>
  readonly #changed: readonly SavedRound[]
  readonly #texts = new Map<string, EventTexts>()

  /** @param tournament read after `state`. @param before the moment before; null for none. */
  constructor(
    state: WorkspaceState,
    tournament: SavedTournament,
    before: WorkspaceScene | null,
    parts: EventParts,
  ) {
    this.state = state
    this.tournament = tournament
    this.#parts = parts
    this.#members = new Map(tournament.staff.map((member) => [member.accountId, member]))
    const marks = new Map(before?.tournament.rounds.map((round) => [round.id, markOf(round)]))
    this.#changed = tournament.rounds.filter(
      (round) => (marks.get(round.id) ?? markOf(round)) !== markOf(round),
    )
  }

  /** All roles may see drafts (D-61); null for others than the staff. */
  textsFor(accountId: string): EventTexts | null {
    const member = this.#members.get(accountId)
    if (member === undefined) return null
    const view = JSON.stringify(member.rounds)
    const known = this.#texts.get(view)
    if (known !== undefined) return known
    const event = presentEvent(this.state, this.tournament, member, this.#parts.hasher)
    const brought = this.#broughtTo(member)
    const changed = brought.length === 0 ? {} : { changed: brought }
    const made = { state: textOf(event), whole: textOf({ ...event, ...changed }) }
    this.#texts.set(view, made)
    return made
  }

  #broughtTo({ accountId }: SavedMember): NonNullable<WorkspaceEvent['changed']> {
    const drafts = new Set(draftsOf(this.tournament, accountId))
    let length = 0
    return this.#changed.flatMap((saved) => {
      if (!drafts.has(saved)) return []
      const round = presentRound(this.tournament, saved, accountId)
      length += JSON.stringify(round).length
      return length > MOST_BROUGHT ? [] : [{ round, tag: this.#parts.tagOf({ round }) }]
    })
  }
}

/** The state, as the member sees it. @param tournament read after `state`. */
export function presentEvent(
  state: WorkspaceState,
  tournament: SavedTournament,
  member: SavedMember,
  hasher: Ports['hasher'],
): Omit<WorkspaceEvent, 'changed'> {
  const shorten = (text: string): string => hasher.sha256(text).slice(0, MARK_LENGTH)
  const drafts = draftsOf(tournament, member.accountId)
  const known = drafts.map(({ id }) => id)
  const ids = new Set(known)
  return {
    marks: {
      tournament: shorten(JSON.stringify(outlineFor(tournament, member, ids))),
      staff: shorten(JSON.stringify(presentStaff(tournament, member.accountId))),
      rounds: Object.fromEntries(drafts.map((round) => [round.id, markOf(round)])),
      discussion: Object.fromEntries(known.map((id) => [id, state.discussion[id] ?? '0'])),
    },
    here: presentHere(state, ids),
  }
}

const MARK_LENGTH = 16

const markOf = ({ updatedAt }: SavedRound): string => String(updatedAt)

/** What the member reads of the tournament, with ids in place of the drafts, and without when it changed. */
function outlineFor(
  tournament: SavedTournament,
  { accountId }: SavedMember,
  drafts: ReadonlySet<string>,
): object {
  const { updatedAt: _, role: __, rounds, ...facts } = presentTournament(tournament, accountId)
  return { ...facts, rounds: rounds.map((round) => (drafts.has(round.id) ? round.id : round)) }
}

const textOf = (event: WorkspaceEvent): string => `data: ${JSON.stringify(event)}\n\n`

/** Somebody may have several streams open: they look at the round of the last that has one. */
function presentHere({ here }: WorkspaceState, known: ReadonlySet<string>): WorkspaceEvent['here'] {
  const people = new Map<string, WorkspaceEvent['here'][number]>()
  for (const { accountId, gameId, username, round } of here) {
    const before = people.get(accountId)
    const looksAt = round !== null && known.has(round) ? { round } : {}
    people.set(accountId, { gameId, username: username ?? UNKNOWN_PLAYER, ...before, ...looksAt })
  }
  return [...people.values()]
}
