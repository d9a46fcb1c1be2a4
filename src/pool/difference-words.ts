import type { Difference } from '../contract/history.ts'
import type { Visibility } from '../contract/packs.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import { isCustom, slotLabel } from './slots.ts'
import { inRow } from './text.ts'
import { fieldWords, type PackField } from './pack-fields.ts'

/** A difference as hosts name it: what has changed, and its two states; null for nothing. */
export type DifferenceWords = {
  /** `NM3`, `Bucket RC`, `Description`; the beatmap's name if it was moved, empty if that is not known. */
  readonly what: string
  readonly from: string | null
  readonly to: string | null
}

/** The palette of custom buckets, by position. */
const colorNames = [
  'green',
  'teal',
  'pink',
  'lime',
  'cyan',
  'fuchsia',
  'yellow',
  'red',
  'indigo',
  'stone',
] as const

type Named = 'name' | PackField | 'orderOfBuckets' | `${Visibility}Pack`
type Values = {
  readonly bucket: { readonly code: string }
  readonly placeOfNone: { readonly number: string }
  readonly colorFree: { readonly color: string }
  readonly colorMods: { readonly color: string; readonly mods: string }
}

type LineValues = {
  readonly changedLine: { readonly what: string; readonly from: string; readonly to: string }
  readonly movedLine: { readonly from: string; readonly to: string }
  readonly removedLine: { readonly what: string; readonly from: string }
  readonly addedLine: { readonly what: string; readonly to: string }
}

/** How a difference is put into a line, in one language. */
export type LineTexts = {
  readonly [K in keyof LineValues]: (values: LineValues[K]) => string
}

/** What differences are called in one language: `differences` of the catalogue. */
export type DifferenceTexts = Readonly<Record<Named | (typeof colorNames)[number], string>> & {
  readonly [K in keyof Values]: (values: Values[K]) => string
}

export type KnownOfDifference = {
  /** The name of a beatmap; its id by default. */
  readonly nameOf?: (beatmapId: number) => string
  /** The slots before, by which a beatmap that was moved gets its name. */
  readonly before?: readonly Slot[]
  readonly texts: DifferenceTexts
}

export function differenceWords(
  difference: Difference,
  { nameOf = String, before = [], texts }: KnownOfDifference,
): DifferenceWords {
  const placeOf = (label: string): string => placeText(label, texts)
  switch (difference.kind) {
    case 'name':
      return { what: texts.name, from: difference.from, to: difference.to }
    case 'bucket':
      return bucketWords(difference, texts)
    case 'filled':
      return { what: placeOf(difference.at), from: null, to: nameOf(difference.to) }
    case 'emptied':
      return { what: placeOf(difference.at), from: nameOf(difference.from), to: null }
    case 'replaced': {
      const { at, from, to } = difference
      return { what: placeOf(at), from: nameOf(from), to: nameOf(to) }
    }
    case 'moved': {
      const { from, to } = difference
      const slot = before.find((each) => slotLabel(each) === from)
      const what = slot === undefined ? '' : nameOf(slot.beatmapId)
      return { what, from: placeOf(from), to: placeOf(to) }
    }
    case 'visibility': {
      const [from, to] = [difference.from, difference.to].map((each) => texts[`${each}Pack`])
      return { what: texts.visibility, from: from!, to: to! }
    }
    default: {
      const { kind, from, to } = difference
      return { what: texts[kind], from: fieldWords(kind, from), to: fieldWords(kind, to) }
    }
  }
}

/** The label of a slot, for people. */
export const placeText = (label: string, texts: DifferenceTexts): string =>
  /^[0-9]+$/.test(label) ? texts.placeOfNone({ number: label }) : label

function bucketWords(
  difference: Difference & { readonly kind: 'bucket' },
  texts: DifferenceTexts,
): DifferenceWords {
  if ('at' in difference) {
    const { at, from, to } = difference
    return {
      what: texts.bucket({ code: at }),
      from: from ? bucketText(from, texts) : null,
      to: to ? bucketText(to, texts) : null,
    }
  }
  const [from, to] = [difference.from, difference.to].map(inRow)
  return { what: texts.orderOfBuckets, from: from!, to: to! }
}

/** What is set of a bucket; of one that every pool has, its code. */
export function bucketText(bucket: Bucket, texts: DifferenceTexts): string {
  if (!isCustom(bucket)) return bucket.code
  const name = colorNames[bucket.color]
  const color = name === undefined ? '' : texts[name]
  if (bucket.mods === undefined) return color
  return bucket.mods.kind === 'free'
    ? texts.colorFree({ color })
    : texts.colorMods({ color, mods: bucket.mods.set.join('') })
}

/** One line: `NM3: A → B`, `NM3 removed: A`, `Bucket RC added: teal`, `NM2 → NM3`. */
export function differenceLine({ what, from, to }: DifferenceWords, texts: LineTexts): string {
  if (from !== null && to !== null) {
    return what === '' ? texts.movedLine({ from, to }) : texts.changedLine({ what, from, to })
  }
  if (from !== null) return texts.removedLine({ what, from })
  return to === null ? what : texts.addedLine({ what, to })
}
