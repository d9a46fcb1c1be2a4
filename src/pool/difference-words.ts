import type { Difference } from '../contract/history.ts'
import type { Bucket, CustomBucket, Slot } from '../contract/pools.ts'
import { isCustom, slotLabel } from './slots.ts'
import { fieldWords, packFields } from './pack-fields.ts'

/** A difference as hosts name it: what has changed, and its two states; null for nothing. */
export type DifferenceWords = {
  /** `NM3`, `Bucket RC`, `Description`; the beatmap's name if it was moved, empty if that is not known. */
  readonly what: string
  readonly from: string | null
  readonly to: string | null
}

type Known = {
  /** The name of a beatmap; its id by default. */
  readonly nameOf?: (beatmapId: number) => string
  /** The slots before, by which a beatmap that was moved gets its name. */
  readonly before?: readonly Slot[]
}

export function differenceWords(
  difference: Difference,
  { nameOf = String, before = [] }: Known = {},
): DifferenceWords {
  switch (difference.kind) {
    case 'name':
      return { what: 'Name', from: difference.from, to: difference.to }
    case 'bucket':
      return bucketWords(difference)
    case 'filled':
      return { what: placeText(difference.at), from: null, to: nameOf(difference.to) }
    case 'emptied':
      return { what: placeText(difference.at), from: nameOf(difference.from), to: null }
    case 'replaced': {
      const { at, from, to } = difference
      return { what: placeText(at), from: nameOf(from), to: nameOf(to) }
    }
    case 'moved': {
      const { from, to } = difference
      const slot = before.find((each) => slotLabel(each) === from)
      const what = slot === undefined ? '' : nameOf(slot.beatmapId)
      return { what, from: placeText(from), to: placeText(to) }
    }
    default: {
      const { kind, from, to } = difference
      return {
        what: packFields[kind].label,
        from: fieldWords(kind, from),
        to: fieldWords(kind, to),
      }
    }
  }
}

/** The label of a slot, for people. */
export function placeText(label: string): string {
  return /^[0-9]+$/.test(label) ? `${label} (no bucket)` : label
}

function bucketWords(difference: Difference & { readonly kind: 'bucket' }): DifferenceWords {
  if ('at' in difference) {
    const { at, from, to } = difference
    return {
      what: `Bucket ${at}`,
      from: from ? bucketText(from) : null,
      to: to ? bucketText(to) : null,
    }
  }
  const [from, to] = [difference.from, difference.to].map((codes) => codes.join(' '))
  return { what: 'Order of buckets', from: from!, to: to! }
}

/** The palette of custom buckets, by position. */
export const colorNames = 'green teal pink lime cyan fuchsia yellow red indigo stone'.split(' ')

function bucketText(bucket: Bucket): string {
  if (!isCustom(bucket)) return bucket.code
  const color = colorNames[bucket.color] ?? ''
  return bucket.mods === undefined ? color : `${color}, ${modsText(bucket.mods)}`
}

/** The mods of a custom bucket, in words: `HDDT`. */
export function modsText(mods: NonNullable<CustomBucket['mods']>): string {
  return mods.kind === 'free' ? 'free mods' : mods.set.join('')
}

/** One line: `NM3: A → B`, `NM3 removed: A`, `Bucket RC added: teal`, `NM2 → NM3`. */
export function differenceLine({ what, from, to }: DifferenceWords): string {
  if (from !== null && to !== null) return `${what === '' ? '' : `${what}: `}${from} → ${to}`
  return to === null ? `${what} removed: ${from}` : `${what} added: ${to}`
}
