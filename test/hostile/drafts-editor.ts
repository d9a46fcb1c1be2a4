import { placeKey } from '../../src/pool/slots.ts'
import { type RoundModel, textOfSlot } from '../../src/web/tournament-edit/round-model.ts'
import { changesOf, mergeOf } from '../../src/web/tournament-edit/sheet-merge.tsx'
import {
  BEST_OF,
  type CellChange,
  cellOf,
  type Cells,
  changesBetween,
  placeOf,
  type Row,
  rowsOf,
  sheetChanges,
  slotCells,
  textOf,
  withChanges,
} from './drafts-rules.ts'
import { view, type Window } from './drafts-window.ts'

export const codes = ['NM', 'HD', 'DT', 'TB'] as const
export const MOST_SLOTS = 8

/** How often each is drawn. */
export const edits = {
  fill: 8,
  fillSeen: 3,
  add: 5,
  remove: 4,
  renumber: 5,
  setBestOf: 2,
  adopt: 3,
  decide: 4,
  look: 4,
  paste: 6,
  pasteTwo: 3,
} as const
export type Edit = keyof typeof edits

/** The numbers choose where and what. */
type Draw = { readonly at: number; readonly what: number }

/** What a person does with rounds at a window, each with what it is to do. */
export class Editor {
  readonly #window: Window
  readonly #fillingOf: (what: number) => Omit<Row, 'mod' | 'index'>
  /** What the person saw of a round some time ago. */
  readonly #seen = new Map<RoundModel, Cells>()

  constructor(window: Window, fillingOf: (what: number) => Omit<Row, 'mod' | 'index'>) {
    this.#window = window
    this.#fillingOf = fillingOf
  }

  async edit(kind: Edit, model: RoundModel, draw: Draw): Promise<void> {
    const { at, what } = draw
    const { actions, store } = model
    if (kind === 'paste') return this.#paste([model], draw)
    if (kind === 'pasteTwo') {
      const { rounds } = this.#window.workspace.tournament
      const [first, second] = [rounds.at(0), rounds.at(-1)]
      const other = await this.#window.choose(first === second ? '' : second!.id)
      const models = [await this.#window.choose(first!.id), other]
      return this.#paste(
        models.filter((each) => each !== undefined),
        draw,
      )
    }
    const now = view(model)
    const act = (work: () => unknown, changed: readonly Pick<CellChange, 'cell' | 'to'>[]) => {
      const changes = changesBetween(now, withChanges(now, changed))
      return this.#window.act(work, new Map([[model.id, changes]]))
    }
    if (kind === 'look') return void this.#seen.set(model, now)
    if (kind === 'setBestOf') {
      const value = 7 + 2 * (at % 4)
      const work = () => model.setField('bestOf', store.edit.bestOf, value)
      return act(work, [{ cell: BEST_OF, to: String(value) }])
    }
    if (kind === 'decide') {
      const stuck = pick(store.stuck.value, at)
      return stuck && this.#window.decide(model, stuck, what % 2 === 0)
    }
    if (kind === 'add') {
      if (store.slots.length >= MOST_SLOTS) return
      const [mod, filling] = [pick(codes, at)!, this.#fillingOf(what)]
      let index = 1
      while (now.has(cellOf({ mod, index }))) index += 1
      return act(
        () => actions.add(mod, filling),
        [{ cell: cellOf({ mod, index }), to: textOf(filling) }],
      )
    }
    const slot = pick(store.slots, at)
    if (slot === undefined) return
    const cell = cellOf(slot)
    if (kind === 'remove') return act(() => actions.remove(slot.key), [{ cell, to: null }])
    if (kind === 'renumber') {
      const index = 1 + (what % 5)
      const other = cellOf({ mod: slot.mod, index })
      const swapped = [
        { cell, to: now.get(other) ?? null },
        { cell: other, to: now.get(cell)! },
      ]
      return act(() => actions.renumber(slot.key, index), swapped)
    }
    // The field may have been opened on something else; a candidate is put over what is there.
    const seen = kind === 'fillSeen' ? this.#seen.get(model)?.get(cell) : now.get(cell)
    const { saidOf } = this.#window.service
    const entries = saidOf(model.id).filter((each) => each.kind === 'candidates')
    const candidate = kind === 'adopt' ? pick(entries, what) : undefined
    if (seen === undefined || (kind === 'adopt' && candidate === undefined)) return
    const filling = candidate ? { beatmapId: Number(candidate.text) } : this.#fillingOf(what)
    const work = () => model.fill(slot, filling, textOfSlot(JSON.parse(seen)))
    const change = { cell, from: seen, to: textOf(filling) }
    const changes = change.from === change.to ? [] : [change]
    await this.#window.act(work, new Map([[model.id, changes]]))
  }

  /** Pastes a sheet that was made of what was seen some time ago: a merge with what the window shows, as one step. */
  async #paste(models: readonly RoundModel[], draw: Draw): Promise<void> {
    const { at, what } = draw
    const isTicked = (cell: string, isMissing: boolean): boolean =>
      what % 2 === 0 ? !isMissing : (cell.charCodeAt(5) + Number(cell.at(-1)) + at) % 3 !== 0
    const parts = models.map((model) => {
      const now = view(model)
      const seen = this.#seen.get(model) ?? now
      const shown = at % 2 === 0 ? seen : now
      const rows = this.#rows(seen, draw)
      const named = rows.map(cellOf)
      const decided = new Map(
        [...new Set([...slotCells(shown), ...named])].map((cell) => [
          placeKey(placeOf(cell)),
          isTicked(cell, !named.includes(cell)),
        ]),
      )
      const buckets = codes.map((code) => ({ code }))
      const sheet = {
        round: { name: '', slots: rows, buckets, newBuckets: [], unread: [] },
        roundFields: {},
      }
      const merge = mergeOf(
        { slots: rowsOf(shown) },
        sheet,
        what % 2 === 0 ? new Map() : decided,
        false,
      )
      const wanted = sheetChanges(shown, rows, isTicked)
      return { id: model.id, changes: changesOf(merge, {}, buckets), wanted }
    })
    const effect = new Map(parts.map(({ id, wanted }) => [id, wanted]))
    await this.#window.act(() => this.#window.workspace.takeChanges('paste a sheet', parts), effect)
  }

  /** The rows of a sheet: as the slots were seen but for some, without some, and with another one. */
  #rows(seen: Cells, { at, what }: Draw): Row[] {
    const rows = rowsOf(seen).flatMap(({ mod, index, beatmapId, placeholder }, place): Row[] => {
      const turn = (place * 7 + at) % 6
      if (turn === 0) return []
      if (turn === 1) return [{ mod, index, placeholder: 'TBA' }]
      if (turn === 2) return [{ mod, index, ...this.#fillingOf(place + at) }]
      return [{ mod, index, ...(beatmapId ? { beatmapId } : placeholder ? { placeholder } : {}) }]
    })
    const place = { mod: pick(codes, what)!, index: 1 + (at % 7) }
    const isNamed = rows.some((row) => cellOf(row) === cellOf(place))
    return isNamed || seen.size > MOST_SLOTS
      ? rows
      : [...rows, { ...place, ...this.#fillingOf(at) }]
  }
}

export function pick<T>(all: readonly T[], at: number): T | undefined {
  return all[at % all.length]
}
