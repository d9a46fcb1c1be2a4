import * as texts from '#texts/history'
import type { DraftDifference } from '../../contract/draft-history.ts'
import type { Difference } from '../../contract/history.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { DifferenceWords } from '../../pool/difference-words.ts'
import { isCustom } from '../../pool/slots.ts'

/** Of packs, or of drafts. */
export type AnyDifference = Difference | DraftDifference

/** A difference that is not one of a slot. */
type Named = Extract<Difference, { kind: 'name' | 'description' | 'visibility' | 'bucket' }>

/** What has changed of a pack apart from its slots, and the two states, as the page shows them. */
export function packWords(difference: AnyDifference): DifferenceWords {
  const named = difference as Named
  switch (named.kind) {
    case 'name':
      return { what: texts.name, from: named.from, to: named.to }
    case 'description':
      return { what: texts.description, from: named.from ?? null, to: named.to ?? null }
    case 'visibility':
      return { what: texts.visibility, from: named.from, to: named.to }
    default:
      return bucketWords(named)
  }
}

function bucketWords(difference: Named & { readonly kind: 'bucket' }): DifferenceWords {
  if ('at' in difference) {
    const { at, from, to } = difference
    return {
      what: texts.bucket({ code: at }),
      from: from ? lookOf(from) : null,
      to: to ? lookOf(to) : null,
    }
  }
  const { from, to } = difference
  return { what: texts.orderOfBuckets, from: from.join(' '), to: to.join(' ') }
}

/** The palette of custom buckets, by position. */
const colors = [
  texts.green,
  texts.teal,
  texts.pink,
  texts.lime,
  texts.cyan,
  texts.fuchsia,
  texts.yellow,
  texts.red,
  texts.indigo,
  texts.stone,
]

function lookOf(bucket: Bucket): string {
  if (!isCustom(bucket)) return bucket.code
  const color = colors[bucket.color] ?? ''
  if (bucket.mods === undefined) return color
  return bucket.mods.kind === 'free'
    ? texts.colorFree({ color })
    : texts.colorMods({ color, mods: bucket.mods.set.join('') })
}
