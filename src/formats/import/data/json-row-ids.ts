import type { Literal } from '../../json/parse-literal.ts'
import { say } from '../import-message.ts'
import type { Finding, SlotReading } from '../readings.ts'
import { idOf, LEAST_ID, plainName } from './json-fields.ts'
import { type Leaf, membersOf } from './json-inside.ts'
import { askWhether } from './json-slots.ts'

/** A slot that was read of the fields of an object. */
export type FieldRow = {
  /** Among all findings. */
  readonly at: number
  readonly reading: SlotReading
  readonly object: Literal
  readonly leaves: readonly Leaf[]
}

/** Asks whether numbers in `id` are beatmaps, where they begin at 1 and stay small, as those of the rows of a database. */
export function askRowIds(rows: readonly FieldRow[], all: Finding[]): void {
  const counted = rows.flatMap((row) => {
    const field = membersOf(row.object).find(({ key }) => plainName(key) === 'id')
    return field !== undefined && idOf(field.value) === row.reading.beatmapId
      ? [{ ...row, key: field.key }]
      : []
  })
  const ids = new Set(counted.map(({ reading }) => reading.beatmapId))
  const areOfRows = ids.size > 1 && ids.has(1) && Math.max(...ids) < LEAST_ID
  if (!areOfRows) return
  for (const { at, reading, key } of counted) {
    all[at] = { ...all[at]!, reading: askWhether(reading, say('isId', { field: key })) }
  }
}
