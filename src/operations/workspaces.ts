import { MAX_ACCOUNT_STREAMS, MAX_STREAMS } from '../contract/bounds.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { Workspace } from '../contract/workspace.ts'
import { type Session, sessionLimits } from '../domain/sessions.ts'
import { assertMay, memberOf } from '../domain/tournament-access.ts'
import { presentTournament } from '../domain/tournament-views.ts'
import type { Ports } from '../ports/ports.ts'
import type { WorkspaceState } from '../ports/workspaces.ts'
import { type After, PollLoop } from './poll-loop.ts'
import { type EventTexts, presentEvent, type TagOf, WorkspaceScene } from './workspace-events.ts'

/** How often the store is read while somebody follows a workspace. */
const POLL_INTERVAL_MS = 200
const HEARTBEAT_MS = 15_000
/** An event, because a page does not see comments: without one, it knows that the connection is dead. */
const BEAT = 'event: beat\ndata: 1\n\n'
/** How often the rows of open streams are renewed. */
const RENEWAL_MS = 10_000
/** How long a browser waits before it reopens a stream that has ended. */
const RETRY_MS = 2_000
/** When to try again after `unavailable`. */
const NO_ROOM_SECONDS = 30

/** The client's end of a stream. */
type EventSink = {
  /** Returns false and sends nothing while the client has not read all that was sent before. */
  readonly send: (text: string) => boolean
  readonly end: () => void
}

/** A stream of server-sent events: `begin` is called once, or never; `close` at the end in any case. */
export type EventStream = {
  readonly begin: (sink: EventSink) => void
  readonly close: () => void
}

type WorkspacePorts = Pick<Ports, 'workspaces' | 'tournaments' | 'clock' | 'hasher'>

type HubPorts = WorkspacePorts & Pick<Ports, 'sessions' | 'random'>

type Stream = {
  readonly id: string
  readonly slug: string
  readonly round: string | null
  readonly viewer: Pick<Session, 'accountId' | 'hash'>
  readonly sink: EventSink
  /** The state that the client knows. */
  sent: string
}

/** A tournament with its marks and who is here. Throws `not_found` for others than its staff (D-60). */
export async function readWorkspace(
  { workspaces, tournaments, clock, hasher }: WorkspacePorts,
  { accountId }: Session,
  slug: string,
): Promise<Workspace> {
  const state = (await workspaces.read([slug], clock.now())).get(slug)
  const tournament = await tournaments.read(slug)
  if (state === undefined || tournament === null) throw refusal('tournamentNotFound')
  assertMay(tournament, accountId, 'readDrafts')
  const member = memberOf(tournament, accountId)!
  return {
    tournament: presentTournament(tournament, accountId),
    isLimited: member.rounds !== null,
    ...presentEvent(state, tournament, member, hasher),
  }
}

/** The open workspaces of this process: one poll of the store serves all of them (ARCHITECTURE.md). */
export class WorkspaceHub {
  readonly #ports: HubPorts
  readonly #tagOf: TagOf
  readonly #holder: string
  readonly #streams = new Set<Stream>()
  /** Streams that are open or about to begin, by account. */
  readonly #places = new Map<string, number>()
  /** The workspaces that streams follow, as of the last poll. */
  #scenes: ReadonlyMap<string, WorkspaceScene> = new Map()
  /** Reads for streams that open, by tournament: the one that has begun, and the one after it. */
  readonly #running = new Map<string, Promise<WorkspaceScene | null>>()
  readonly #next = new Map<string, Promise<WorkspaceScene | null>>()
  readonly #loops: readonly PollLoop[]
  /** Whether names are to be read again: no version changes when a player is renamed. */
  #isNameDue = false
  #taken = 0
  #count = 0
  #isStopped = false

  constructor(ports: HubPorts, after: After, tagOf: TagOf) {
    this.#ports = ports
    this.#tagOf = tagOf
    this.#holder = ports.hasher.sha256(String(ports.random.bytes(16)))
    const isNeeded = (): boolean => this.#streams.size > 0
    this.#loops = [
      new PollLoop(after, { everyMs: POLL_INTERVAL_MS, isNeeded, poll: () => this.#poll() }),
      new PollLoop(after, { everyMs: RENEWAL_MS, isNeeded, poll: () => this.#renew() }),
      new PollLoop(after, { everyMs: HEARTBEAT_MS, isNeeded, poll: async () => this.#beat() }),
    ]
  }

  /**
   * A stream of `WorkspaceEvent`s: the state now, and each one after it that the client has time for. It ends
   * with the session, with the membership of the staff, and when this process begins to shut down.
   *
   * @param round the round that the viewer looks at, which is shown to the others.
   * @throws `not_found` for others than the staff (D-60), `rate_limited` for the ninth stream of an account,
   *   `unavailable` when there is no room in this process.
   */
  async open(
    viewer: Pick<Session, 'accountId' | 'hash'>,
    slug: string,
    round: string | null,
  ): Promise<EventStream> {
    const release = this.#takePlace(viewer.accountId)
    try {
      const texts = (await this.#sceneNow(slug))?.textsFor(viewer.accountId)
      if (!texts) throw refusal('tournamentNotFound')
      return this.#streamFrom(texts, { viewer, slug, round }, release)
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
      throw new AppError('rate_limited:too_many_workspaces', message, NO_ROOM_SECONDS)
    }
    if (this.#taken >= MAX_STREAMS) {
      const message = 'too many workspaces are open at once; try again later'
      throw new AppError('unavailable:no_room', message, NO_ROOM_SECONDS)
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
    { state }: EventTexts,
    of: Pick<Stream, 'viewer' | 'slug' | 'round'>,
    release: () => void,
  ): EventStream {
    const { workspaces, clock } = this.#ports
    const id = `${this.#holder.slice(0, 16)}-${(this.#count++).toString(36)}`
    let entered: Promise<unknown> | null = null
    let stream: Stream | null = null
    return {
      begin: (sink) => {
        const isSent = sink.send(`retry: ${RETRY_MS}\n\n${state}`)
        if (this.#isStopped) return sink.end()
        stream = { ...of, id, sink, sent: isSent ? state : '' }
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

  /** A read that has begun may be older than what the caller has seen, so those who come meanwhile share the next. */
  #sceneNow(slug: string): Promise<WorkspaceScene | null> {
    const next = this.#next.get(slug)
    if (next !== undefined) return next
    const read = async (): Promise<WorkspaceScene | null> => {
      await this.#running.get(slug)?.catch(() => {})
      const { workspaces, clock } = this.#ports
      this.#next.delete(slug)
      const before = this.#scenes.get(slug) ?? null
      const known = new Map(before && [[slug, before.state]])
      const running = workspaces
        .read([slug], clock.now(), known)
        .then((states) => this.#sceneOf(slug, states.get(slug), before))
      this.#running.set(slug, running)
      try {
        return await running
      } finally {
        if (this.#running.get(slug) === running) this.#running.delete(slug)
      }
    }
    const made = read()
    this.#next.set(slug, made)
    return made
  }

  /** The tournament is read after the state: what changes in between makes another state. */
  async #sceneOf(
    slug: string,
    state: WorkspaceState | undefined,
    before: WorkspaceScene | null,
  ): Promise<WorkspaceScene | null> {
    if (state === undefined) return null
    if (before !== null && isSameState(before.state, state)) {
      before.state = state
      return before
    }
    const { tournaments, hasher } = this.#ports
    const isSame = before?.state.mark === state.mark
    const tournament = isSame ? before.tournament : await tournaments.read(slug)
    return (
      tournament && new WorkspaceScene(state, tournament, before, { hasher, tagOf: this.#tagOf })
    )
  }

  #presenceOf({ id, slug, viewer, round }: Stream) {
    return { id, holder: this.#holder, slug, accountId: viewer.accountId, round }
  }

  async #poll(): Promise<void> {
    const { workspaces, sessions, clock } = this.#ports
    // Those that open meanwhile are not in what is read.
    const streams = [...this.#streams]
    const now = clock.now()
    const slugs = [...new Set(streams.map(({ slug }) => slug))]
    const known = new Map(Array.from(this.#scenes, ([slug, { state }]) => [slug, state]))
    if (this.#isNameDue) known.clear()
    this.#isNameDue = false
    const [states, live] = await Promise.all([
      workspaces.read(slugs, now, known),
      sessions.findLive([...new Set(streams.map(({ viewer }) => viewer.hash))], sessionLimits(now)),
    ])
    const scenes = await Promise.all(
      slugs.map(async (slug) => {
        const before = this.#scenes.get(slug) ?? null
        return [slug, await this.#sceneOf(slug, states.get(slug), before)] as const
      }),
    )
    this.#scenes = new Map(scenes.flatMap(([slug, scene]) => (scene ? [[slug, scene]] : [])))
    for (const stream of streams) {
      const { slug, viewer, sink } = stream
      const scene = live.has(viewer.hash) ? this.#scenes.get(slug) : undefined
      const texts = scene?.textsFor(viewer.accountId)
      if (!texts) sink.end()
      // A client that has missed an event reads what this one does not bring.
      else if (texts.state !== stream.sent && sink.send(texts.whole)) stream.sent = texts.state
    }
  }

  async #renew(): Promise<void> {
    const { workspaces, clock } = this.#ports
    this.#isNameDue = true
    const known = await workspaces.renew(this.#holder, clock.now())
    if (known >= this.#streams.size) return
    const presences = [...this.#streams].map((stream) => this.#presenceOf(stream))
    await workspaces.enter(presences, clock.now())
  }

  #beat(): void {
    for (const { sink } of this.#streams) sink.send(BEAT)
  }
}

/** A version may move while nothing does that is seen, and stay where a player has another name. */
function isSameState(a: WorkspaceState, b: WorkspaceState): boolean {
  const seen = (state: WorkspaceState): string => JSON.stringify({ ...state, version: '' })
  return a === b || seen(a) === seen(b)
}
