import { expect } from 'vitest'
import type { RoundSlot } from '../../src/contract/rounds.ts'

// What the decisions say of drafts, stated anew: nothing of what is tried is used here but the shapes of the wire.

/** What a round holds: `slot NM 1`, or `field bestOf`, and its value as JSON with sorted keys. */
export type Cells = ReadonlyMap<string, string>

/** Null is what is not there. */
export type CellChange = {
  readonly cell: string
  readonly from: string | null
  readonly to: string | null
}

export type Row = RoundSlot
type Place = Pick<RoundSlot, 'mod' | 'index'>

export const BEST_OF = 'field bestOf'

export const textOf = (value: object): string =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )

export const cellOf = ({ mod, index }: Place): string => `slot ${mod ?? ''} ${index}`

export function placeOf(cell: string): Place {
  const [, mod = '', index] = cell.split(' ')
  return { mod, index: Number(index) }
}

/** What a slot holds beside its place. */
export function contentOf(slot: object): string {
  const { mod: _, index: __, key: ___, ...content } = slot as Partial<Row> & { key?: number }
  return textOf(content)
}

export function cellsOf(round: { slots: readonly object[]; bestOf?: number | undefined }): Cells {
  const cells = new Map(round.slots.map((slot) => [cellOf(slot as Row), contentOf(slot)]))
  return round.bestOf === undefined ? cells : cells.set(BEST_OF, String(round.bestOf))
}

export const slotCells = (cells: Cells): string[] =>
  [...cells.keys()].filter((cell) => cell !== BEST_OF)

export const rowsOf = (cells: Cells): Row[] =>
  slotCells(cells).map((cell) => ({ ...placeOf(cell), ...JSON.parse(cells.get(cell)!) }))

export const changesBetween = (before: Cells, after: Cells): CellChange[] =>
  [...new Set([...before.keys(), ...after.keys()])].flatMap((cell) => {
    const [from, to] = [before.get(cell) ?? null, after.get(cell) ?? null]
    return from === to ? [] : [{ cell, from, to }]
  })

export function withChanges(
  cells: Cells,
  changes: readonly Pick<CellChange, 'cell' | 'to'>[],
): Cells {
  const next = new Map(cells)
  for (const { cell, to } of changes) {
    if (to === null) next.delete(cell)
    else next.set(cell, to)
  }
  return next
}

/**
 * D-83: what the rows of a sheet change of the slots that were shown. A row takes the place of what is there, but what
 * the draft knows of the same map stays; TBA says nothing; a slot that no row names goes only if that is ticked.
 */
export function sheetChanges(
  shown: Cells,
  rows: readonly Row[],
  isTicked: (cell: string, isMissing: boolean) => boolean,
): CellChange[] {
  const named = new Set(rows.map(cellOf))
  const ofRows = rows.map((row): CellChange => {
    const from = shown.get(cellOf(row)) ?? null
    return { cell: cellOf(row), from, to: from === null ? contentOf(row) : mergedRow(row, from) }
  })
  const missing = slotCells(shown).filter((cell) => !named.has(cell))
  const removed = missing.map((cell) => ({ cell, from: shown.get(cell)!, to: null }))
  return [...ofRows, ...removed].filter(
    ({ cell, from, to }) => from !== to && isTicked(cell, to === null),
  )
}

function mergedRow(row: Row, from: string): string {
  const { beatmapId, placeholder: _, ...known } = JSON.parse(from) as Partial<Row>
  const says = row.placeholder === 'TBA' ? undefined : row.placeholder
  if (row.beatmapId === undefined) {
    return beatmapId !== undefined || says === undefined
      ? from
      : contentOf({ ...known, placeholder: says })
  }
  const isOther = beatmapId !== undefined && beatmapId !== row.beatmapId
  return contentOf({ ...(isOther ? {} : known), beatmapId: row.beatmapId })
}

/**
 * What an undo makes of a step: of each cell that is as the step has left it, what was there before. What the step has
 * moved from one slot to another goes back whole or not at all, so that nothing is there twice.
 */
export function takenBack(now: Cells, step: readonly CellChange[]) {
  const valueAt = (cell: string) => now.get(cell) ?? null
  const back = step
    .map(({ cell, from, to }) => ({ cell, from: to, to: from }))
    .filter(({ cell, to }) => valueAt(cell) !== to)
  const stays = new Set(back.filter(({ cell, from }) => valueAt(cell) !== from))
  const isMoved = (a: CellChange, b: CellChange) =>
    a.from !== null && a.from !== '{}' && a.from === b.to
  for (let size = -1; size !== stays.size;) {
    size = stays.size
    for (const one of back) {
      const isLinked = [...stays].some((other) => isMoved(one, other) || isMoved(other, one))
      if (isLinked) stays.add(one)
    }
  }
  return { made: back.filter((one) => !stays.has(one)), isWhole: stays.size === 0 }
}

/** What becomes of a folder and the service: what was changed on one side alone goes to the other. */
export function merged(base: Cells, own: Cells, theirs: Cells) {
  let [pushed, pulled, agreed] = [theirs, own, base]
  const conflicts: CellChange[] = []
  for (const change of changesBetween(own, theirs)) {
    const { cell, from: mine, to: other } = change
    const was = base.get(cell) ?? null
    if (was === other) pushed = withChanges(pushed, [{ cell, to: mine }])
    else if (was === mine) pulled = withChanges(pulled, [change])
    else conflicts.push(change)
  }
  for (const { cell, to } of changesBetween(base, theirs)) {
    if ((own.get(cell) ?? null) === to) agreed = withChanges(agreed, [{ cell, to }])
  }
  return { pushed, pulled, agreed, conflicts }
}

/** The first is what was foretold. */
export function expectSame(foretold: Cells, now: Cells, about: unknown = ''): void {
  const wrong = changesBetween(foretold, now)
  expect(wrong, `${JSON.stringify(wrong)} ${JSON.stringify(about)}`).toEqual([])
}

export const numbersIn = (texts: Iterable<string>): Set<string> =>
  new Set([...texts].flatMap((text) => text.match(/\d{4,}/g) ?? []))

/**
 * Everything that people enter has a number of its own. It is lost if it is nowhere, and nobody who had it before them
 * has taken it away.
 */
export class Ledger {
  readonly #takers = new Map<string, Set<unknown>>()
  #last = 1000

  fresh = (): number => (this.#last += 1)

  /** What a person made of cells, as they had them before them. */
  did(person: unknown, changes: readonly CellChange[]): void {
    const before = numbersIn(changes.map(({ from }) => from ?? ''))
    const after = numbersIn(changes.map(({ to }) => to ?? ''))
    for (const number of after) {
      const takers = this.#takers.get(number) ?? new Set()
      if (!before.has(number)) takers.delete(person)
      this.#takers.set(number, takers)
    }
    for (const number of before) if (!after.has(number)) this.#takers.get(number)?.add(person)
  }

  check(kept: Set<string>): void {
    const lost = [...this.#takers].filter(([each, { size }]) => size === 0 && !kept.has(each))
    expect(lost.map(([number]) => number)).toEqual([])
  }
}
