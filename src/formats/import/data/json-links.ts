import type { Reading, SlotReading } from '../readings.ts'
import { askUnlike } from '../tables/id-columns.ts'
import { idOf } from './json-fields.ts'
import type { Leaf } from './json-inside.ts'

type Row = {
  readonly at: number
  readonly reading: SlotReading
  readonly leaves: readonly Leaf[]
}

/** Asks about objects whose id and link are different beatmaps, by the places of the objects. */
export function askLinks(rows: readonly Row[]): [at: number, reading: Reading][] {
  const named = rows.map(({ at, reading, leaves }) => ({ at, reading, named: beatmapsIn(leaves) }))
  return [...askUnlike(named)].map(([{ at }, reading]) => [at, reading])
}

/** The ids and links that an object has of one beatmap, by their fields. */
const beatmapsIn = (leaves: readonly Leaf[]) =>
  new Map(
    leaves.flatMap(({ path, value, isOthers, isOne }) => {
      const id = isOthers || !isOne ? null : idOf(value)
      const isLink = value.kind === 'text' && value.value.includes('/')
      return typeof id === 'number' ? [[path, { id, isLink }] as const] : []
    }),
  )
