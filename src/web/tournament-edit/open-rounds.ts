import { computed, signal } from '@preact/signals'
import type { Round } from '../../contract/rounds.ts'
import type { WorkspaceEvent } from '../../contract/workspace.ts'
import { withoutKey } from '../editing/lanes/lanes.ts'
import { readAgain } from './live.ts'
import { RoundModel } from './round-model.ts'
import type { RoundSaveState, TaggedRound } from './round-store.ts'
import { readRound } from './rounds.ts'

type Marks = WorkspaceEvent['marks']

/** From good to bad; what waits to be tried again, after a failure, is worst. */
const phases: readonly RoundSaveState['phase'][] = [
  'saved',
  'saving',
  'waiting',
  'signed-out',
  'other-session',
]

type OpenRoundsParts = {
  readonly slug: string
  readonly rights: ConstructorParameters<typeof RoundModel>[2]
  readonly steps: ConstructorParameters<typeof RoundModel>[3]
  readonly marks: Marks
}

/** The rounds that the page has opened. They stay open, so that unsaved changes of one outlast a look at another. */
export class OpenRounds {
  readonly #slug: string
  readonly #rights: OpenRoundsParts['rights']
  readonly #steps: OpenRoundsParts['steps']
  readonly #models = signal<ReadonlyMap<string, RoundModel>>(new Map())
  readonly #all = computed(() => [...this.#models.value.values()])
  /** The state of the server that the page has, or is reading. */
  #marks: Marks

  constructor({ slug, rights, steps, marks }: OpenRoundsParts) {
    this.#slug = slug
    this.#rights = rights
    this.#steps = steps
    this.#marks = marks
  }

  /** How saving goes, in the round where it goes worst. */
  readonly saving = computed((): RoundSaveState => {
    const states = this.#all.value.map(({ store }) => store.state)
    const worst = (state: RoundSaveState): number =>
      state.failure ? phases.length : phases.indexOf(state.phase)
    return states.toSorted((a, b) => worst(b) - worst(a))[0] ?? { phase: 'saved' }
  })
  /** Of each round, whether its unsaved changes are kept in the browser. */
  readonly keeping = computed(() => this.#all.value.map((each) => each.keeping.value))
  readonly isUnsaved = computed(() => this.keeping.value.some((each) => each !== 'same'))
  /** The id of its round for each change that is neither saved nor being sent. */
  readonly unsent = computed(() =>
    this.#all.value.flatMap(({ id, store }) => store.unsent.map(() => id)),
  )

  get marks(): Marks {
    return this.#marks
  }

  get(id: string): RoundModel | undefined {
    return this.#models.value.get(id)
  }

  /** A round on the page, read unless it is there. */
  async open(id: string): Promise<RoundModel> {
    const known = this.get(id)
    if (known !== undefined) return known
    const { rounds, discussion } = this.#marks
    const saved = await readRound(this.#slug, id)
    const meanwhile = this.get(id)
    if (meanwhile) return meanwhile
    const model = new RoundModel(this.#slug, saved, this.#rights, this.#steps)
    this.#models.value = new Map([...this.#models.value, [id, model]])
    void this.#readMarked('discussion', id, model.readDiscussion)
    // It may have changed while it was read.
    this.#readChanged(id, model, rounds[id], discussion[id])
    return model
  }

  close(id: string): void {
    this.#models.value = new Map([...this.#models.value].filter(([key]) => key !== id))
  }

  /** Takes over rounds that an event brings, and reads what else is not as these marks have it. */
  see(marks: Marks, changed: readonly TaggedRound[]): void {
    const before = this.#marks
    this.#marks = marks
    const brought = new Map(changed.map((saved) => [saved.round.id, saved]))
    for (const [id, model] of this.#models.value) {
      const saved = brought.get(id)
      if (saved !== undefined) model.store.merge(saved)
      const seen = saved === undefined ? before.rounds[id] : marks.rounds[id]
      this.#readChanged(id, model, seen, before.discussion[id])
    }
  }

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

  readRounds(): void {
    for (const model of this.#all.value) void readAgain(model.readRound)
  }

  readDiscussions(): void {
    for (const model of this.#all.value) void readAgain(model.readDiscussion)
  }

  /** A round as the page shows it: with the unsaved changes of one that is open. */
  asShown(round: Round): Round {
    const store = this.get(round.id)?.store
    if (store === undefined) return round
    const { slots, buckets } = store.edit
    return { ...store.saved, slots: slots.map(withoutKey), buckets: [...buckets] }
  }

  /** Tries again at once what waits to be sent. */
  resume(): void {
    for (const { store } of this.#all.value) store.resume()
  }
}
