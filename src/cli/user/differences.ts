import type { Slot } from '../../contract/pools.ts'
import { bucketTable, isCustom } from '../../pool/buckets.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import type { PackToSave } from './pack-input.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain.ts'

/** What was taken away and what came in its place; null for nothing. */
export type Difference = {
  /** `name`, `slot`. */
  readonly what: string
  readonly before: string | null
  readonly after: string | null
}

const bucketWords = ({ buckets }: PackToSave): string =>
  bucketTable(buckets)
    .map((bucket) => {
      if (!isCustom(bucket)) return bucket.code
      const { code, color, mods } = bucket
      const played =
        mods === undefined ? '' : mods.kind === 'free' ? ' free' : ` ${mods.set.join('')}`
      return `${code}(colour ${color}${played})`
    })
    .join(' ')

const textOf = (slot: Slot): string => `${slotLabel(slot)} ${slot.beatmapId}`

/** How two states of a pack differ; none when both are the same. */
export const differences = (before: PackToSave, after: PackToSave): Difference[] => {
  const texts = (pack: PackToSave): readonly (readonly [what: string, text: string])[] => [
    ['name', pack.name],
    ['visibility', pack.visibility],
    ['description', pack.description ?? ''],
    ['buckets', bucketWords(pack)],
  ]
  const others = texts(after)
  const fields = texts(before).flatMap(([what, text], at): Difference[] => {
    const other = others[at]?.[1] ?? ''
    return text === other ? [] : [{ what, before: text || null, after: other || null }]
  })
  return [...fields, ...slotDifferences(before, after)]
}

const slotDifferences = (before: PackToSave, after: PackToSave): Difference[] => {
  const [old, fresh] = [slotsInPoolOrder(before), slotsInPoolOrder(after)]
  const [olds, freshes] = [new Set(old.map(textOf)), new Set(fresh.map(textOf))]
  const gone = old.filter((slot) => !freshes.has(textOf(slot)))
  const come = fresh.filter((slot) => !olds.has(textOf(slot)))
  const changed = gone.map((slot): Difference => {
    const at = come.findIndex((other) => slotLabel(other) === slotLabel(slot))
    const [other] = at < 0 ? [] : come.splice(at, 1)
    return { what: 'slot', before: textOf(slot), after: other === undefined ? null : textOf(other) }
  })
  const added = come.map((slot) => ({ what: 'slot', before: null, after: textOf(slot) }))
  return [...changed, ...added]
}

/** The differences, a line for each side of each. */
export const differenceLines = (found: readonly Difference[], paint: Paint): string =>
  found
    .flatMap(({ what, before, after }) => {
      const words = what === 'slot' ? '' : `${what}: `
      return [
        before === null ? '' : `${paint.removed(`- ${words}${plain(before)}`)}\n`,
        after === null ? '' : `${paint.added(`+ ${words}${plain(after)}`)}\n`,
      ]
    })
    .join('')
