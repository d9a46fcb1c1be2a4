import * as texts from '#texts/workspace'
import { batch, computed, type Signal, signal } from '@preact/signals'
import type { Check } from '../../contract/checks.ts'
import type { DeletedRound } from '../../contract/deleted-rounds.ts'
import type { ReleaseInput, Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import type { Workspace as WorkspaceReply, WorkspaceEvent } from '../../contract/workspace.ts'
import { listen } from '../browser.ts'
import { isLeft, ownKey, readKept } from '../kept.ts'
import { orLook, whenLost } from '../lost-answers.ts'
import { pageData } from '../page-data.ts'
import { announce } from '../parts/toasts.tsx'
import { poolsCall, poolsCallTagged } from '../pools-api.ts'
import { isNotFound } from '../site-failure.ts'
import { follow, inTurn, latest, readAgain } from './live.ts'
import type { Change } from '../editing/changes.ts'
import { Typed } from '../editing/typed.ts'
import { rightsOf } from '../tournament-staff/roles.ts'
import { OpenRounds } from './open-rounds.ts'
import type { RoundModel } from './round-model.ts'
import { unsavedKey } from './unsaved-actions.ts'
import type { TaggedRound } from './round-store.ts'
import { RoundList } from './round-list.ts'
import { isReleasedAs, ownPart, readRound, type RoundEntry } from './rounds.ts'
import { WorkspaceSteps } from './workspace-steps.ts'

export type WorkspaceProps = { readonly workspace: Workspace }

/** The state of a workspace page, in signals that components read, and its actions. */
export class Workspace {
  readonly slug: string
  /** What is typed outside the rounds and was not taken yet. */
  readonly typed: Typed
  readonly #list: RoundList
  readonly #here: Signal<WorkspaceEvent['here']>
  /** The others of the staff who have the workspace open, and the rounds that they look at. */
  readonly others = computed(() =>
    this.#here.value.filter(({ gameId }) => gameId !== pageData().viewer?.gameId),
  )
  /** Whether the reader is limited to rounds, which may be gone (D-81). */
  readonly isLimited: Signal<boolean>
  readonly rights = computed(() =>
    rightsOf(this.tournament.role ?? 'referee', this.isLimited.value),
  )
  /** The id of the round in the address; null when there is none. */
  readonly chosen = signal<string | null>(null)
  /** The query of the address while it asks for the history of the round; null otherwise. */
  readonly history = signal<string | null>(null)
  /** Why the chosen round cannot be shown; null while it can. */
  readonly failure = signal<unknown>(null)
  /** The findings of all rounds; null until they are read. */
  readonly checks = signal<readonly Check[] | null>(null)
  /** The rounds that can be restored, the last one first (D-82). */
  readonly deleted = signal<readonly DeletedRound[]>([])
  /** Whether these are shown. */
  readonly areDeletedShown = signal(false)
  /** Why the others' changes do not come; null while they do. */
  readonly behind = signal<unknown>(null)
  /** The person is no longer on the staff, or the tournament is gone. */
  readonly isGone = signal(false)
  readonly #reload = latest(() => this.#read())
  /** The answer to a release brings the ETag for the next. */
  readonly #releases = inTurn()
  readonly #moves = inTurn()
  /** What the person can undo, in all rounds. */
  readonly steps: WorkspaceSteps
  /** The rounds that the page has opened, and their unsaved changes. */
  readonly opened: OpenRounds

  constructor(reply: WorkspaceReply) {
    const { tournament, isLimited, marks, here } = reply
    this.slug = tournament.slug
    this.typed = new Typed(ownKey('typed', this.slug))
    this.#list = new RoundList(ownPart(reply))
    this.isLimited = signal(isLimited)
    this.#here = signal(here)
    this.steps = new WorkspaceSteps({
      slug: this.slug,
      nameOf: (id) => this.tournament.rounds.find((round) => round.id === id)?.name,
      shown: () => this.chosen.value,
      show: (id) => this.choose(id),
      open: (id) => this.opened.open(id),
      remove: (id, tag) => this.#remove(id, tag),
      restore: (id) => this.#restore(id),
      reload: this.#reload,
    })
    const { slug, rights } = this
    this.opened = new OpenRounds({ slug, rights, steps: this.steps.steps, marks })
    this.#readAddress()
  }

  get tournament(): Tournament {
    return this.#list.tournament
  }

  /** The chosen round; null until it is read. */
  get round(): RoundModel | null {
    return this.opened.get(this.chosen.value ?? '') ?? null
  }

  /** Follows the address, the site and the connection; returns a function that stops. */
  start(): () => void {
    // Of a round that is not shown, too, what the page before could not save is saved.
    for (const { id } of this.tournament.rounds) {
      if (readKept(unsavedKey(this.slug, id)) !== null) void this.opened.open(id).catch(() => {})
    }
    const stop = whenLost(() => this.#readAll())
    const stopListening = listen({
      popstate: () => this.#readAddress(),
      click: (event) => this.#follow(event),
      online: () => this.opened.resume(),
      beforeunload: (event) => {
        if (this.opened.isUnsaved.value && !isLeft()) event.preventDefault()
      },
    })
    return () => {
      stop()
      stopListening()
    }
  }

  #readAll(): void {
    void readAgain(this.#reload)
    this.opened.readRounds()
    this.opened.readDiscussions()
  }

  /** Follows what others do, as a member of the staff who looks at the chosen round; returns a function that stops. */
  follow(round: string | null): () => void {
    const query = round === null ? '' : `?round=${round}`
    return follow(`/session/tournaments/${this.slug}/events${query}`, {
      onEvent: (event) => this.see(event),
      poll: this.#reload,
      onBehind: (failure) => void (this.behind.value = failure),
    })
  }

  /** Takes over what others have changed since the last event, and reads what the event does not bring. */
  see({ marks, here, changed = [] }: WorkspaceEvent, isRead = false): void {
    const before = this.opened.marks
    this.#here.value = here
    const brought = new Set(changed.map(({ round }) => round.id))
    this.#list.putNewer(changed.map(({ round }) => round))
    const isOther = marks.tournament !== before.tournament || marks.staff !== before.staff
    const isMissing = Object.entries(marks.rounds).some(
      ([id, mark]) => mark !== before.rounds[id] && !brought.has(id),
    )
    if ((isOther || isMissing) && !isRead) void readAgain(this.#reload)
    this.opened.see(marks, changed)
  }

  async #read(): Promise<void> {
    try {
      const reply = await poolsCall('getWorkspace', { slug: this.slug })
      const { rounds } = this.tournament
      const tournament = ownPart(reply)
      this.#list.put(tournament)
      // An event may have brought more, after this was read.
      this.#list.putNewer(rounds)
      this.isLimited.value = reply.isLimited
      this.see(reply, true)
      if (tournament.rounds.some(({ id }) => id === this.chosen.value)) return
      if (this.chosen.value !== null) announce(texts.roundLost)
      this.#readAddress()
    } catch (error) {
      this.isGone.value ||= isNotFound(error)
      throw error
    }
  }

  choose(id: string): void {
    this.go(`?round=${id}`)
  }

  /** Shows what a query of the address asks for. */
  go(search: string): void {
    history.pushState(null, '', `${location.pathname}${search}`)
    this.#readAddress()
  }

  /** Links to another view of the workspace keep the page, with what is not saved and can be undone. */
  #follow(event: MouseEvent): void {
    const { target, button, ctrlKey, metaKey, shiftKey, defaultPrevented } = event
    const link = (target as Element).closest('a')
    if (!link || defaultPrevented || button !== 0 || ctrlKey || metaKey || shiftKey) return
    const isHere = link.origin === location.origin && link.pathname === location.pathname
    if (!isHere || link.search === '' || link.hash !== '' || link.target !== '') return
    event.preventDefault()
    this.go(link.search)
  }

  #readAddress(): void {
    const { rounds } = this.tournament
    const query = new URL(location.href).searchParams
    const named = query.get('round')
    const found = rounds.find(({ id }) => id === named) ?? rounds[0]
    batch(() => {
      this.chosen.value = found?.id ?? null
      // The history of a round that is gone is not that of the one in its place.
      const isOfAnother = named !== null && named !== found?.id
      this.history.value = query.has('history') && !isOfAnother ? location.search : null
    })
    void this.openRound()
  }

  /** Reads the chosen round, unless it is there. */
  async openRound(): Promise<void> {
    const id = this.chosen.value
    this.failure.value = null
    if (id === null || this.round !== null) return
    await this.opened.open(id).catch((error: unknown) => {
      if (this.chosen.value === id) this.failure.value = error
    })
  }

  /** Changes slots of several rounds as one step, which made these rounds, too (D-83). */
  async takeChanges(
    label: string,
    changes: readonly { readonly id: string; readonly changes: readonly Change[] }[],
    made: readonly Round[] = [],
  ): Promise<void> {
    const reading = Promise.all(changes.map(({ id }) => this.opened.open(id)))
    const models = await reading.catch((error: unknown) => {
      this.steps.make(label, made)
      throw error
    })
    this.steps.make(label, made, () => {
      for (const [at, { store }] of models.entries()) store.take(label, changes[at]!.changes)
    })
  }

  readonly readChecks = latest(async () => {
    this.checks.value = (await poolsCall('getTournamentChecks', { slug: this.slug })).checks
  })

  async addRound(name: string): Promise<void> {
    const round = await this.addEntry({ name, slots: [] })
    this.steps.make(texts.addOneRound({ round: name }), [round])
    this.choose(round.id)
  }

  async deleteRound(id: string): Promise<void> {
    await this.opened.get(id)?.store.whenIdle()
    await orLook(
      async () => {
        const { round, tag } = await readRound(this.slug, id)
        await this.#remove(id, tag)
        this.steps.deleted(round)
      },
      async () => {
        await this.#reload()
        return this.tournament.rounds.some((round) => round.id === id) ? null : undefined
      },
    )
  }

  async #remove(id: string, tag: string): Promise<void> {
    await poolsCall('deleteRound', { slug: this.slug, round: id, ifMatch: tag })
    this.opened.close(id)
    const rounds = this.#list.remove(id)
    if (this.chosen.value === id && rounds[0]) this.choose(rounds[0].id)
    else this.#readAddress()
  }

  readonly readDeleted = latest(async () => {
    this.deleted.value = (await poolsCall('listDeletedRounds', { slug: this.slug })).rounds
  })

  /** Makes a deleted round the last one again, and shows it. */
  async restoreRound(id: string): Promise<void> {
    const round = await this.#restore(id)
    this.choose(id)
    await this.steps.restored(round)
    announce(texts.roundRestored({ round: round.name }))
  }

  async #restore(id: string): Promise<Round> {
    const { round } = await poolsCall('restoreRound', { slug: this.slug, round: id })
    this.#list.putLast(round)
    this.deleted.value = this.deleted.value.filter((each) => each.id !== id)
    return round
  }

  /** Releases a round, schedules that, or withdraws; as it was read, not as somebody has changed it since. */
  release(model: RoundModel, body: ReleaseInput, done: string): Promise<void> {
    return this.#releases(() => this.#release(model, body, done))
  }

  async #release(model: RoundModel, body: ReleaseInput, done: string): Promise<void> {
    const input = { ...model.path, body, ifMatch: model.store.tag }
    const before = model.store.saved
    const saved = await orLook<TaggedRound>(
      async () => {
        const { reply, tag } = await poolsCallTagged('releaseRound', input)
        return { ...reply, tag }
      },
      async () => {
        const now = await readRound(this.slug, before.id)
        model.store.merge(now)
        this.#list.replace(now.round)
        return isReleasedAs(before, now.round, body.at) ? now : null
      },
    )
    model.store.merge(saved)
    this.#list.replace(saved.round)
    announce(done)
  }

  /**
   * Moves a round one place up (-1) or down (1), whatever else has changed meanwhile; one move after the other. Resolves to
   * whether there was a place.
   */
  moveRound(id: string, by: -1 | 1): Promise<boolean> {
    return this.#moves(async () => {
      if (this.tournament.rounds.at(by < 0 ? 0 : -1)?.id === id) return false
      await this.arrange((rounds) => {
        const at = rounds.findIndex((round) => round.id === id)
        const to = at + by
        if (at < 0 || to < 0 || to >= rounds.length) return [...rounds]
        return rounds.toSpliced(at, 1).toSpliced(to, 0, rounds[at]!)
      })
      return true
    })
  }

  /** Replaces all rounds by what `change` makes of those that are there. Resolves to those that are new. */
  async arrange(change: (rounds: readonly Round[]) => readonly RoundEntry[]): Promise<Round[]> {
    const made = await this.#list.arrange(change)
    this.#readReplaced()
    return made
  }

  /** Makes one round, the last one. */
  addEntry(entry: RoundEntry): Promise<Round> {
    return this.#list.add(entry)
  }

  /** What the site answered to a change of the tournament. */
  putTournament(tournament: Tournament): void {
    this.#list.put(tournament)
    this.#readReplaced()
  }

  #readReplaced(): void {
    const { rounds } = this.tournament
    if (!rounds.some(({ id }) => id === this.chosen.value)) this.#readAddress()
    this.opened.readRounds()
  }
}
