import * as texts from '#texts/workspace'
import { batch, computed, type Signal, signal } from '@preact/signals'
import type { Check } from '../../contract/checks.ts'
import type { DeletedRound } from '../../contract/deleted-rounds.ts'
import type { ReleaseInput, Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import type { Workspace as WorkspaceReply, WorkspaceEvent } from '../../contract/workspace.ts'
import { listen } from '../browser.ts'
import { isLeft, readKept } from '../kept.ts'
import { orLook, whenLost } from '../lost-answers.ts'
import { pageData } from '../page-data.ts'
import { announce } from '../parts/toasts.tsx'
import { poolsCall, poolsCallTagged } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import { follow, latest, readAgain } from './live.ts'
import type { Change } from '../editing/changes.ts'
import { withoutKey } from '../editing/lanes/lanes.ts'
import { rightsOf } from '../tournament-staff/roles.ts'
import { RoundModel } from './round-model.ts'
import { unsavedKey } from './unsaved-actions.ts'
import type { RoundSaveState, TaggedRound } from './round-store.ts'
import { RoundList } from './round-list.ts'
import { isReleasedAs, ownPart, readRound, type RoundEntry } from './rounds.ts'
import { WorkspaceSteps } from './workspace-steps.ts'

export type WorkspaceProps = { readonly workspace: Workspace }

/** From good to bad; what waits to be tried again, after a failure, is worst. */
const phases: readonly RoundSaveState['phase'][] = [
  'saved',
  'saving',
  'waiting',
  'signed-out',
  'other-session',
]

/** The state of a workspace page, in signals that components read, and its actions. */
export class Workspace {
  readonly slug: string
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
  /** Those that were opened: what is not saved of one is not lost by looking at another. */
  readonly #rounds = signal<ReadonlyMap<string, RoundModel>>(new Map())
  readonly #opened = computed(() => [...this.#rounds.value.values()])
  /** Why the chosen round cannot be shown; null while it can. */
  readonly failure = signal<unknown>(null)
  /** The findings of all rounds; null until they are read. */
  readonly checks = signal<readonly Check[] | null>(null)
  /** The rounds that can be restored, the last one first (D-82). */
  readonly deleted = signal<readonly DeletedRound[]>([])
  /** Why the others' changes do not come; null while they do. */
  readonly behind = signal<unknown>(null)
  /** The person is no longer on the staff, or the tournament is gone. */
  readonly isGone = signal(false)
  #marks: WorkspaceEvent['marks']
  readonly #reload = latest(() => this.#read())
  /** What the person can undo, in all rounds. */
  readonly steps: WorkspaceSteps

  constructor(reply: WorkspaceReply) {
    const { tournament, isLimited, marks, here } = reply
    this.slug = tournament.slug
    this.#list = new RoundList(ownPart(reply))
    this.isLimited = signal(isLimited)
    this.#marks = marks
    this.#here = signal(here)
    this.steps = new WorkspaceSteps({
      slug: this.slug,
      nameOf: (id) => this.tournament.rounds.find((round) => round.id === id)?.name,
      shown: () => this.chosen.value,
      show: (id) => this.choose(id),
      open: (id) => this.#modelOf(id),
      remove: (id, tag) => this.#remove(id, tag),
      restore: (id) => this.#restore(id),
      reload: this.#reload,
    })
    this.#readAddress()
  }

  get tournament(): Tournament {
    return this.#list.tournament
  }

  /** The chosen round; null until it is read. */
  get round(): RoundModel | null {
    return this.#rounds.value.get(this.chosen.value ?? '') ?? null
  }

  /** How saving goes, in the round where it goes worst. */
  readonly saving = computed((): RoundSaveState => {
    const states = this.#opened.value.map(({ store }) => store.state)
    const worst = (state: RoundSaveState): number =>
      state.failure ? phases.length : phases.indexOf(state.phase)
    return states.toSorted((a, b) => worst(b) - worst(a))[0] ?? { phase: 'saved' }
  })
  /** How far what is not saved of the rounds is kept. */
  readonly keeping = computed(() => this.#opened.value.map((each) => each.keeping.value))
  readonly isUnsaved = computed(() => this.keeping.value.some((each) => each !== 'same'))
  /** The rounds of the changes that are not saved and not on their way, with each as often as it has such. */
  readonly held = computed(() =>
    this.#opened.value.flatMap(({ id, store }) => store.held.map(() => id)),
  )

  /** Follows the address, the site and the connection; returns a function that stops. */
  start(): () => void {
    // Of a round that is not shown, too, what the page before could not save is saved.
    for (const { id } of this.tournament.rounds) {
      if (readKept(unsavedKey(this.slug, id)) !== null) void this.#modelOf(id).catch(() => {})
    }
    const stop = whenLost(() => this.#readAll())
    const stopListening = listen({
      popstate: () => this.#readAddress(),
      click: (event) => this.#follow(event),
      online: () => this.resume(),
      beforeunload: (event) => {
        if (this.isUnsaved.value && !isLeft()) event.preventDefault()
      },
    })
    return () => {
      stop()
      stopListening()
    }
  }

  #readAll(): void {
    void readAgain(this.#reload)
    for (const model of this.#rounds.value.values()) {
      void readAgain(model.readRound)
      void readAgain(model.readDiscussion)
    }
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
    const before = this.#marks
    this.#marks = marks
    this.#here.value = here
    const brought = new Map(changed.map((saved) => [saved.round.id, saved]))
    this.#list.putNewer(changed.map(({ round }) => round))
    const isOther = marks.tournament !== before.tournament || marks.staff !== before.staff
    const isMissing = Object.entries(marks.rounds).some(
      ([id, mark]) => mark !== before.rounds[id] && !brought.has(id),
    )
    if ((isOther || isMissing) && !isRead) void readAgain(this.#reload)
    for (const [id, model] of this.#rounds.value) {
      const saved = brought.get(id)
      if (saved !== undefined) model.store.merge(saved)
      const seen = saved === undefined ? before.rounds[id] : marks.rounds[id]
      this.#readChanged(id, model, seen, before.discussion[id])
    }
  }

  /** Reads of a round what is not as these marks have it. */
  #readChanged(id: string, model: RoundModel, round?: string, discussion?: string): void {
    const now = this.#marks
    if (now.rounds[id] === undefined) return
    if (now.rounds[id] !== round) void this.#readMarked('rounds', id, model.readRound)
    if (now.discussion[id] !== discussion) {
      void this.#readMarked('discussion', id, model.readDiscussion)
    }
  }

  /** What is refused now is read with the next event: a round that is gone may have come back by then. */
  async #readMarked(of: 'rounds' | 'discussion', id: string, read: () => Promise<unknown>) {
    if (await readAgain(read)) return
    this.#marks = { ...this.#marks, [of]: { ...this.#marks[of], [id]: '' } }
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
      this.isGone.value ||= error instanceof CallFailure && error.code === 'not_found'
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
    const found = rounds.find(({ id }) => id === query.get('round')) ?? rounds[0]
    batch(() => {
      this.chosen.value = found?.id ?? null
      this.history.value = query.has('history') ? location.search : null
    })
    void this.openRound()
  }

  /** Reads the chosen round, unless it is there. */
  async openRound(): Promise<void> {
    const id = this.chosen.value
    this.failure.value = null
    if (id === null || this.round !== null) return
    await this.#modelOf(id).catch((error: unknown) => {
      if (this.chosen.value === id) this.failure.value = error
    })
  }

  /** A round on the page, read unless it is there. */
  async #modelOf(id: string): Promise<RoundModel> {
    const known = this.#rounds.value.get(id)
    if (known !== undefined) return known
    const { rounds, discussion } = this.#marks
    const model = new RoundModel(
      this.slug,
      await readRound(this.slug, id),
      this.rights,
      this.steps.steps,
    )
    const meanwhile = this.#rounds.value.get(id)
    if (meanwhile) return meanwhile
    this.#rounds.value = new Map([...this.#rounds.value, [id, model]])
    void this.#readMarked('discussion', id, model.readDiscussion)
    // It may have changed while it was read.
    this.#readChanged(id, model, rounds[id], discussion[id])
    return model
  }

  /** A round as the page shows it: with what is not saved of one that was opened. */
  asShown(round: Round): Round {
    const store = this.#rounds.value.get(round.id)?.store
    if (store === undefined) return round
    const { slots, buckets } = store.edit
    return { ...store.saved, slots: slots.map(withoutKey), buckets: [...buckets] }
  }

  /** Changes slots of several rounds as one step, which made these rounds, too (D-83). */
  async takeChanges(
    label: string,
    changes: readonly { readonly id: string; readonly changes: readonly Change[] }[],
    made: readonly Round[] = [],
  ): Promise<void> {
    const reading = Promise.all(changes.map(({ id }) => this.#modelOf(id)))
    const models = await reading.catch((error: unknown) => {
      this.steps.make(label, made)
      throw error
    })
    this.steps.make(label, made, () => {
      for (const [at, { store }] of models.entries()) store.take(label, changes[at]!.changes)
    })
  }

  resume(): void {
    for (const { store } of this.#rounds.value.values()) store.resume()
  }

  async readChecks(): Promise<void> {
    this.checks.value = (await poolsCall('getTournamentChecks', { slug: this.slug })).checks
  }

  async addRound(name: string): Promise<void> {
    const round = await this.addEntry({ name, slots: [] })
    this.steps.make(texts.addOneRound({ round: name }), [round])
    this.choose(round.id)
  }

  async deleteRound(id: string): Promise<void> {
    await this.#rounds.value.get(id)?.store.settled()
    const { round, tag } = await readRound(this.slug, id)
    await this.#remove(id, tag)
    this.steps.deleted(round)
  }

  async #remove(id: string, tag: string): Promise<void> {
    await poolsCall('deleteRound', { slug: this.slug, round: id, ifMatch: tag })
    this.#rounds.value = new Map([...this.#rounds.value].filter(([key]) => key !== id))
    const rounds = this.#list.remove(id)
    if (this.chosen.value === id && rounds[0]) this.choose(rounds[0].id)
    else this.#readAddress()
  }

  async readDeleted(): Promise<void> {
    this.deleted.value = (await poolsCall('listDeletedRounds', { slug: this.slug })).rounds
  }

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
  async release(model: RoundModel, body: ReleaseInput, done: string): Promise<void> {
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

  /** Moves a round one place up (-1) or down (1), whatever else has changed meanwhile. */
  moveRound(id: string, by: -1 | 1): Promise<unknown> {
    return this.arrange((rounds) => {
      const at = rounds.findIndex((round) => round.id === id)
      const to = at + by
      if (at < 0 || to < 0 || to >= rounds.length) return [...rounds]
      return rounds.toSpliced(at, 1).toSpliced(to, 0, rounds[at]!)
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
    for (const model of this.#rounds.value.values()) void readAgain(model.readRound)
  }
}
