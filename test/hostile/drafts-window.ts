import { expect } from 'vitest'
import type { StuckAction } from '../../src/web/editing/edit-store.ts'
import type { Step, Way } from '../../src/web/editing/steps.ts'
import { Workspace } from '../../src/web/tournament-edit/model.ts'
import type { RoundModel } from '../../src/web/tournament-edit/round-model.ts'
import type { Host } from '../support/house.ts'
import { PageBrowser } from '../support/page-browser.ts'
import { PageNetwork } from './drafts-network.ts'
import {
  type CellChange,
  type Cells,
  cellsOf,
  changesBetween,
  expectSame,
  numbersIn,
  slotCells,
  takenBack,
  withChanges,
} from './drafts-rules.ts'
import { ROUND, type Service } from './drafts-service.ts'

/** What an act makes of rounds, by their ids. */
type Effect = ReadonlyMap<string, readonly CellChange[]>

/** The real workspace of a person in one window. */
export class Window {
  readonly service: Service
  workspace!: Workspace
  readonly #person: Host
  readonly #browser: PageBrowser
  readonly #network: PageNetwork
  /** Of rounds that were opened, some perhaps deleted since. */
  readonly #models = new Map<string, RoundModel>()
  /** All that the person meant to change: nothing else may change by this window. */
  readonly #meant = new Set<string>()

  constructor(service: Service, person: Host) {
    this.service = service
    this.#person = person
    this.#network = new PageNetwork(service, person, ({ round, ...change }) =>
      expect([...this.#meant]).toContain(textOfChange(round, change)),
    )
    this.#browser = new PageBrowser(this.#network.fetch)
  }

  async open(): Promise<void> {
    const reply = await this.service.workspace(this.#person)
    await this.#inPage(() => (this.workspace = new Workspace(reply)))
    for (const { id } of this.service.live) await this.choose(id)
  }

  /** The round in the window, opened if need be; undefined if the window does not know it. */
  async choose(id: string): Promise<RoundModel | undefined> {
    if (!this.workspace.tournament.rounds.some((each) => each.id === id)) return undefined
    await this.#inPage(() => this.workspace.choose(id))
    if (this.workspace.round === null) await this.work()
    const { round } = this.workspace
    return round?.id === id ? round : undefined
  }

  /** What was opened of the rounds that the window knows. */
  get models(): RoundModel[] {
    const { rounds } = this.workspace.tournament
    return rounds.flatMap(({ id }) => this.#models.get(id) ?? [])
  }

  /** All that there is of the person's in the browser: before them, to be decided, or kept for the next page. */
  numbers(): Set<string> {
    const shown = this.models.flatMap((model) => [...view(model).values()])
    const waiting = this.models.flatMap(unsavedIn).map(({ to }) => to ?? '')
    return numbersIn([...shown, ...waiting, ...this.#browser.storage.values()])
  }

  /**
   * What the person does, of what they have seen: where that is still so, it is made, as one step that an undo takes
   * back; where it is something else by now, it waits for a decision. All else that the window shows stays as it is.
   */
  async act(work: () => unknown, wanted: Effect): Promise<void> {
    const steps = this.#steps('undo')
    const effect = new Map<string, CellChange[]>()
    const waiting: (readonly [RoundModel, CellChange[]])[] = []
    for (const [id, changes] of wanted) {
      const model = this.#models.get(id)!
      const isSeen = ({ cell, from }: CellChange) => (view(model).get(cell) ?? null) === from
      const blocked = changes.filter((each) => !isSeen(each))
      effect.set(id, changes.filter(isSeen))
      const isOf = (wish: CellChange) => blocked.some((each) => isSameWish(each, wish))
      waiting.push([model, wishesOf([...unsavedIn(model), ...blocked]).filter(isOf)])
    }
    await this.#do(work, effect)
    for (const [model, wishes] of waiting) expectKept(model, wishes)
    this.service.ledger.did(this, [...wanted.values()].flat())
    const made = textsOf(effect)
    expect(this.#steps('undo')).toEqual(withStep(steps, made))
    if (made.length > 0) expect(this.#steps('redo')).toEqual([])
  }

  async #do(work: () => unknown, effect: Effect): Promise<void> {
    const before = this.models.map((model) => [model, view(model)] as const)
    await this.#inPage(work)
    for (const [model, cells] of before) {
      const changes = effect.get(model.id) ?? []
      expectSame(withChanges(cells, changes), view(model), changes)
      for (const change of changes) this.#meant.add(textOfChange(model.id, change))
    }
  }

  /** An undo takes back the last step, exactly, but for what was changed since; a redo makes it again in the same way. */
  async turn(way: Way): Promise<void> {
    const { steps } = this.workspace.steps
    const step = steps.next(way)
    if (step === null) return
    const effect = new Map<string, readonly CellChange[]>()
    let isWhole = true
    for (const part of step.parts) {
      const model = await this.choose(part.of)
      const back = model && 'changes' in part && takenBack(view(model), part.changes)
      isWhole &&= back ? back.isWhole : false
      effect.set(part.of, back ? back.made : [])
    }
    const other = way === 'undo' ? 'redo' : 'undo'
    const [from, into] = [this.#steps(way), this.#steps(other)]
    let isDone: boolean | undefined
    await this.#do(
      () => void this.workspace.steps[way]().then((turned) => (isDone = turned?.isDone)),
      effect,
    )
    this.service.ledger.did(this, [...effect.values()].flat())
    expect(isDone).toBe(isWhole)
    expect(this.#steps(way)).toEqual(from.slice(0, -1))
    expect(this.#steps(other)).toEqual(withStep(into, textsOf(effect)))
  }

  /** Decides of what waits because another person changed the same. */
  async decide(model: RoundModel, stuck: StuckAction, isMine: boolean): Promise<void> {
    const now = view(model)
    const mine = withChanges(now, stuck.changes)
    if (isMine) {
      const effect = new Map([[model.id, changesBetween(now, mine)]])
      return this.act(() => model.store.keepMine(stuck), effect)
    }
    const steps = this.#steps('undo')
    await this.#do(() => model.store.takeTheirs(stuck), new Map())
    const taken = changesBetween(mine, now)
    this.service.ledger.did(this, taken)
    // Its undo makes what was stuck.
    expect(this.#steps('undo')).toEqual(withStep(steps, textsOf([[model.id, taken]])))
  }

  async deliver(isLost: boolean): Promise<void> {
    await this.#happen(await this.#network.deliver(isLost))
  }

  async answer(isLost: boolean): Promise<void> {
    await this.#happen(this.#network.answer(isLost))
  }

  /** All requests and answers, until there is nothing left. */
  async work(): Promise<void> {
    for (let turns = 0; !this.#network.isIdle; turns += 1) {
      expect(turns).toBeLessThan(200)
      await this.answer(false)
      await this.deliver(false)
    }
  }

  /** What waits to be sent again is sent. */
  async resume(): Promise<void> {
    await this.#happen(() => {
      this.#browser.elapse()
      this.workspace.opened.resume()
    })
  }

  /** The event that follows from what others have done. */
  async follow(): Promise<void> {
    await this.#happen(() => this.workspace.see(this.service.event()))
  }

  async settle(): Promise<void> {
    for (let turns = 0; turns < 4; turns += 1) {
      await this.follow()
      await this.resume()
      await this.work()
    }
    for (const { id } of this.service.live) await this.choose(id)
  }

  /** Nothing is on its way: the window shows what is saved, and what was said is at its slot or listed as left over. */
  check(): void {
    for (const { id, cells } of this.service.live) {
      const model = this.#models.get(id)!
      expect(model.store.state.phase).toBe('saved')
      expectSame(cells, view(model))
      const places = new Set([ROUND, ...slotCells(cells), ...model.leftOver.value])
      const shown = [...model.candidates.value, ...model.remarks.value].flatMap(([cell, all]) =>
        places.has(cell) ? all.map((each) => each.id) : [],
      )
      expect(new Set(shown)).toEqual(new Set(this.service.saidOf(id).map((each) => each.id)))
    }
  }

  /**
   * What the network does to the page: what the person wants stays, shown or waiting for a decision, unless it comes to
   * nothing; and what was saved before can still be undone.
   */
  async #happen(work: () => unknown): Promise<void> {
    const before = [...this.#models.values()].map(
      (model) => [model, wishesOf(unsavedIn(model))] as const,
    )
    const open = new Set(before.flatMap(([model]) => textsOf([[model.id, unsavedIn(model)]])))
    const undoable = [...this.#steps('undo'), ...this.#steps('redo')].flat()
    await this.#inPage(work)
    for (const [model, wishes] of before) expectKept(model, wishes)
    const left = new Set([...this.#steps('undo'), ...this.#steps('redo')].flat())
    expect(undoable.filter((each) => !left.has(each) && !open.has(each))).toEqual([])
  }

  #steps(way: Way): string[][] {
    const { steps } = this.workspace.steps
    const all: Step[] = []
    for (let step = steps.take(way); step !== null; step = steps.take(way)) all.unshift(step)
    for (const step of all) steps.put(way, step)
    return all.map(({ parts }) =>
      textsOf(parts.map((part) => [part.of, 'changes' in part ? part.changes : []])),
    )
  }

  async #inPage(work: () => unknown): Promise<void> {
    await this.#browser.run(work)
    const { round } = this.workspace
    if (round !== null) this.#models.set(round.id, round)
  }
}

/** What the person sees of a round. */
export const view = ({ store }: RoundModel): Cells => cellsOf(store.edit)

const textOfChange = (round: string, { cell, from, to }: CellChange): string =>
  `${round} ${cell}: ${from} → ${to}`

const textsOf = (parts: Iterable<readonly [string, readonly CellChange[]]>): string[] =>
  [...parts]
    .flatMap(([round, changes]) => changes.map((change) => textOfChange(round, change)))
    .toSorted()

const withStep = (steps: string[][], step: string[]): string[][] =>
  step.length === 0 ? steps : [...steps, step]

const unsavedIn = ({ store }: RoundModel): CellChange[] =>
  store.unsaved.toSorted((a, b) => a.at - b.at).flatMap(({ changes }) => changes)

/** What changes of cells come to: those that were made one after the other are one wish, or none. */
function wishesOf(changes: readonly CellChange[]): CellChange[] {
  const wishes: CellChange[] = []
  for (const change of changes) {
    const { cell, from, to } = change
    const before = wishes.findLastIndex((each) => each.cell === cell && each.to === from)
    if (before < 0) wishes.push(change)
    else wishes[before] = { cell, from: wishes[before]!.from, to }
  }
  return wishes.filter(({ from, to }) => from !== to)
}

const isSameWish = (a: CellChange, b: CellChange): boolean => a.cell === b.cell && a.to === b.to

/** What the person wants is shown, or waits. */
function expectKept(model: RoundModel, wishes: readonly CellChange[]): void {
  const lost = wishes.filter((wish) => {
    const isShown = (view(model).get(wish.cell) ?? null) === wish.to
    return !isShown && !unsavedIn(model).some((each) => isSameWish(each, wish))
  })
  expect(lost).toEqual([])
}
