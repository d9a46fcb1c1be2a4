import { MAX_ACCOUNT_STREAMS, MAX_STREAMS } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { Workspace, WorkspaceEvent } from '../contract/workspace.ts'
import { UNKNOWN_PLAYER } from '../domain/accounts.ts'
import { type Session, sessionLimits } from '../domain/sessions.ts'
import { assertMay, isLimited } from '../domain/tournament-access.ts'
import { presentTournament } from '../domain/tournament-views.ts'
import type { Ports } from '../ports/ports.ts'
import type { WorkspaceState } from '../ports/workspaces.ts'
import { type After, PollLoop } from './poll-loop.ts'

/** How often the store is read while somebody follows a workspace. */
const POLL_MS = 200
const HEARTBEAT_MS = 15_000
/** How often the streams of this process are noted as open. */
const RENEWAL_MS = 10_000
/** After how long a browser opens a stream again that has ended. */
const RETRY_MS = 2_000
/** When to try again where there was no room for a stream. */
const NO_ROOM_SECONDS = 30

/** The client's end of a stream. */
export type EventSink = {
  /** false, and nothing is sent: the client has not taken all that was sent before. */
  readonly send: (text: string) => boolean
  readonly end: () => void
}

/** A stream of server-sent events: `begin` is called once, or never; `close` at the end in any case. */
export type EventStream = {
  readonly begin: (sink: EventSink) => void
  readonly close: () => void
}

type WorkspacePorts = Pick<
  Ports,
  'workspaces' | 'tournaments' | 'sessions' | 'clock' | 'random' | 'hasher'
>

type Stream = {
  readonly id: string
  readonly slug: string
  readonly round: string | null
  readonly viewer: Pick<Session, 'accountId' | 'hash'>
  readonly sink: EventSink
  /** What the client knows. */
  sent: string
}

/** A tournament with its marks and who is here. Throws `not_found` for others than its staff (D-60). */
export async function readWorkspace(
  { tournaments, workspaces, clock, hasher }: WorkspacePorts,
  { accountId }: Session,
  slug: string,
): Promise<Workspace> {
  // The marks first: what changes in between is read again.
  const state = (await workspaces.read([slug], clock.now())).get(slug)
  const tournament = await tournaments.read(slug)
  if (state === undefined || tournament === null) throw refusal('tournamentNotFound')
  assertMay(tournament, accountId, 'readDrafts')
  const event = presentEvent(seenBy(state, accountId), hasher)
  return {
    tournament: presentTournament(tournament, accountId),
    isLimited: isLimited(tournament, accountId),
    ...event,
  }
}

/** The open workspaces of this process: one poll of the store serves all of them (ARCHITECTURE.md). */
export class WorkspaceHub {
  readonly #ports: WorkspacePorts
  readonly #holder: string
  readonly #streams = new Set<Stream>()
  /** Streams that are open or about to begin, by account. */
  readonly #places = new Map<string, number>()
  readonly #loops: readonly PollLoop[]
  #taken = 0
  #count = 0
  #isStopped = false

  constructor(ports: WorkspacePorts, after: After) {
    this.#ports = ports
    this.#holder = ports.hasher.sha256(String(ports.random.bytes(16)))
    const isNeeded = (): boolean => this.#streams.size > 0
    this.#loops = [
      new PollLoop(after, { everyMs: POLL_MS, isNeeded, poll: () => this.#poll() }),
      new PollLoop(after, { everyMs: RENEWAL_MS, isNeeded, poll: () => this.#renew() }),
      new PollLoop(after, { everyMs: HEARTBEAT_MS, isNeeded, poll: async () => this.#beat() }),
    ]
  }

  /**
   * A stream of `WorkspaceEvent`s: the state now, and each one after it that the client has time for. It ends
   * with the session, with the membership of the staff, and when this process begins to shut down.
   *
   * @param round what the others see that the viewer looks at.
   * @throws `not_found` for others than the staff (D-60), `rate_limited` for the ninth stream of an account,
   *   `unavailable` when there is no room in this process.
   */
  async open(
    viewer: Pick<Session, 'accountId' | 'hash'>,
    slug: string,
    round: string | null,
  ): Promise<EventStream> {
    const { workspaces, clock } = this.#ports
    const release = this.#takePlace(viewer.accountId)
    try {
      const state = (await workspaces.read([slug], clock.now())).get(slug)
      if (!isOnStaff(state, viewer.accountId)) throw refusal('tournamentNotFound')
      return this.#streamFrom(state, { viewer, slug, round }, release)
    } catch (error) {
      release()
      throw error
    }
  }

  /** Ends all streams; one that is opened from now on ends after its first event. */
  stop(): void {
    this.#isStopped = true
    if (this.#streams.size === 0) return
    for (const { sink } of this.#streams) sink.end()
    void this.#ports.workspaces.leave(this.#holder, null).catch(() => {})
  }

  /** @returns an idempotent release. */
  #takePlace(accountId: string): () => void {
    const taken = this.#places.get(accountId) ?? 0
    if (taken >= MAX_ACCOUNT_STREAMS) {
      const message = `you have ${MAX_ACCOUNT_STREAMS} workspaces open already; close one of them`
      throw new AppError('rate_limited', message, NO_ROOM_SECONDS)
    }
    if (this.#taken >= MAX_STREAMS) {
      const message = 'too many workspaces are open at once; try again later'
      throw new AppError('unavailable', message, NO_ROOM_SECONDS)
    }
    this.#taken += 1
    this.#places.set(accountId, taken + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#taken -= 1
      const left = this.#places.get(accountId)! - 1
      if (left === 0) this.#places.delete(accountId)
      else this.#places.set(accountId, left)
    }
  }

  #streamFrom(
    state: WorkspaceState,
    of: Pick<Stream, 'viewer' | 'slug' | 'round'>,
    release: () => void,
  ): EventStream {
    const { workspaces, clock, hasher } = this.#ports
    const id = `${this.#holder.slice(0, 16)}-${(this.#count++).toString(36)}`
    let entered: Promise<unknown> | null = null
    let stream: Stream | null = null
    return {
      begin: (sink) => {
        const text = eventText(seenBy(state, of.viewer.accountId), hasher)
        const isSent = sink.send(`retry: ${RETRY_MS}\n\n${text}`)
        if (this.#isStopped) return sink.end()
        stream = { ...of, id, sink, sent: isSent ? text : '' }
        this.#streams.add(stream)
        // What fails is made good with the next renewal.
        entered = workspaces.enter([this.#presenceOf(stream)], clock.now()).catch(() => {})
        for (const loop of this.#loops) loop.start()
      },
      close: () => {
        release()
        if (stream === null || !this.#streams.delete(stream) || this.#isStopped) return
        // Otherwise it is over in 25 seconds.
        void entered?.then(() => workspaces.leave(this.#holder, id)).catch(() => {})
      },
    }
  }

  #presenceOf({ id, slug, viewer, round }: Stream) {
    return { id, holder: this.#holder, slug, accountId: viewer.accountId, round }
  }

  async #poll(): Promise<void> {
    const { workspaces, sessions, clock, hasher } = this.#ports
    // Those that open meanwhile are not in what is read.
    const streams = [...this.#streams]
    const now = clock.now()
    const [states, live] = await Promise.all([
      workspaces.read([...new Set(streams.map(({ slug }) => slug))], now),
      sessions.findLive([...new Set(streams.map(({ viewer }) => viewer.hash))], sessionLimits(now)),
    ])
    // Made once for all who see the same.
    const texts = new Map<WorkspaceState, string>()
    const textOf = (state: WorkspaceState): string => {
      const text = texts.get(state) ?? eventText(state, hasher)
      texts.set(state, text)
      return text
    }
    for (const stream of streams) {
      const { slug, viewer, sink } = stream
      const state = states.get(slug)
      const isOver = !live.has(viewer.hash) || !isOnStaff(state, viewer.accountId)
      const text = isOver ? undefined : textOf(seenBy(state, viewer.accountId))
      if (text === undefined) sink.end()
      else if (text !== stream.sent && sink.send(text)) stream.sent = text
    }
  }

  async #renew(): Promise<void> {
    const { workspaces, clock } = this.#ports
    const known = await workspaces.renew(this.#holder, clock.now())
    if (known >= this.#streams.size) return
    const presences = [...this.#streams].map((stream) => this.#presenceOf(stream))
    await workspaces.enter(presences, clock.now())
  }

  #beat(): void {
    for (const { sink } of this.#streams) sink.send(':\n\n')
  }
}

/** All roles may see drafts (D-61). */
function isOnStaff(state: WorkspaceState | undefined, accountId: string): state is WorkspaceState {
  return state !== undefined && state.staff.some((member) => member.accountId === accountId)
}

/** Without the rounds that the member is not limited to, and what these move (D-81); the very state when they see all. */
function seenBy(state: WorkspaceState, accountId: string): WorkspaceState {
  const { rounds: limit = null, seenAt = null } =
    state.staff.find((member) => member.accountId === accountId) ?? {}
  if (limit === null) return state
  const rounds = state.rounds.filter(({ id }) => limit.includes(id))
  const known = rounds.map(({ id }) => id)
  return {
    ...state,
    mark: String(seenAt),
    rounds,
    staff: state.staff.map((member) => ({
      ...member,
      rounds: member.rounds && known.filter((id) => member.rounds?.includes(id)),
    })),
  }
}

function eventText(state: WorkspaceState, hasher: Ports['hasher']): string {
  return `data: ${JSON.stringify(presentEvent(state, hasher))}\n\n`
}

function presentEvent(state: WorkspaceState, hasher: Ports['hasher']): WorkspaceEvent {
  const { mark, rounds, staff } = state
  const members = staff.map(({ accountId, role, rounds }) =>
    [accountId, role, ...(rounds ?? [])].join(' '),
  )
  return {
    marks: {
      tournament: mark,
      staff: hasher.sha256(members.join()).slice(0, 16),
      rounds: Object.fromEntries(rounds.map(({ id, draft }) => [id, draft])),
      discussion: Object.fromEntries(rounds.map(({ id, discussion }) => [id, discussion])),
    },
    here: presentHere(state),
  }
}

/** Somebody may have several streams open: they look at the round of the last that has one. */
function presentHere({ here, rounds }: WorkspaceState): WorkspaceEvent['here'] {
  const known = new Set(rounds.map(({ id }) => id))
  const people = new Map<string, WorkspaceEvent['here'][number]>()
  for (const { accountId, gameId, username, round } of here) {
    const before = people.get(accountId)
    const looksAt = round !== null && known.has(round) ? { round } : {}
    people.set(accountId, { gameId, username: username ?? UNKNOWN_PLAYER, ...before, ...looksAt })
  }
  return [...people.values()]
}
