import type {
  DraftDifference,
  DraftVersion,
  WholeDraftVersion,
} from '../../contract/draft-history.ts'
import type { Difference } from '../../contract/history.ts'
import type { RoundInput } from '../../contract/rounds.ts'
import { isOfSlot } from '../../pool/draft-comparison.ts'
import { type DifferenceWords, differenceWords } from '../../pool/difference-words.ts'
import {
  type DraftFields,
  draftFields,
  filledSlots,
  type RoundField,
  roundFields,
  type RoundLinks,
  roundLinks,
} from '../../pool/round-fields.ts'
import { bucketTable, placeOf, slotLabel } from '../../pool/slots.ts'
import { withLayout } from '../editing/lanes/lanes.ts'
import { differenceTexts, fieldNames } from '../field-names.ts'
import { join } from '../format.ts'
import type { PoolLike } from '../pool/slots.ts'
import { targetWords } from './round-fields.tsx'
import type { RoundEdit } from './round-store.ts'

/** The query of the address of a round's history, of two versions compared, or of one. */
export function historyQuery(
  round: string,
  query: Readonly<Partial<Record<'a' | 'b' | 'version', number>>> = {},
): string {
  const pairs = Object.entries(query).map(([name, value]) => `&${name}=${value}`)
  return `?round=${round}&history${pairs.join('')}`
}

/** The round with its draft as it was; its links are no part of that (D-85). */
export function restoredEdit(edit: RoundEdit, version: WholeDraftVersion): RoundEdit {
  const { name, slots, buckets = [] } = version
  const fields = roundFields.sent({ ...draftFields(version), ...roundLinks(edit) })
  const head = { name, ...fields, buckets: edit.buckets, slots: edit.slots }
  return withLayout(head, { buckets, slots })
}

/** The beatmaps of versions, the newest first, which is known whole: each is what the one after it was made from. */
export function poolsOf(
  newest: Pick<WholeDraftVersion, 'buckets' | 'slots'>,
  versions: readonly Pick<DraftVersion, 'changes'>[],
): PoolLike[] {
  const pools: PoolLike[] = [{ buckets: newest.buckets, slots: filledSlots(newest.slots) }]
  for (const { changes } of versions.slice(0, -1)) pools.push(poolBefore(pools.at(-1)!, changes))
  return pools
}

function poolBefore(after: PoolLike, changes: readonly DraftDifference[]): PoolLike {
  const now = new Map(after.slots.map((slot) => [slotLabel(slot), slot.beatmapId]))
  const slots = new Map<string, number | undefined>(now)
  const buckets = new Map(bucketTable(after.buckets).map((bucket) => [bucket.code, bucket]))
  for (const each of changes) {
    // A slot of which there is another difference is what that says.
    if (each.kind === 'moved') slots.set(each.from, now.get(each.at))
    if (each.kind === 'bucket' && 'at' in each) {
      if (each.from === undefined) buckets.delete(each.at)
      else buckets.set(each.at, each.from)
    }
  }
  for (const each of changes) if (isOfSlot(each)) slots.set(each.at, each.before?.beatmapId)
  return {
    buckets: [...buckets.values()],
    slots: [...slots].flatMap(([label, beatmapId]) =>
      beatmapId === undefined ? [] : [{ ...placeOf(label), beatmapId }],
    ),
  }
}

/** A difference between drafts as hosts name it, unless it is one of a slot. */
export function draftWords(difference: DraftDifference | Difference): DifferenceWords {
  const { kind } = difference
  if (!isDraftField(kind)) {
    return differenceWords(difference as Difference, { texts: differenceTexts })
  }
  const sides = difference as { readonly from?: unknown; readonly to?: unknown }
  return { what: fieldNames[kind], ...bothSides(sides, (value) => fieldWords(kind, value)) }
}

type Drafted = Partial<Omit<RoundInput, keyof RoundLinks>>
type DraftField = keyof DraftFields

/** What a field of a draft holds, in words. */
const draftedWords: {
  readonly [F in DraftField]: (value: NonNullable<Drafted[F]>) => string
} = {
  bestOf: String,
  bans: String,
  packName: String,
  targets: (targets) => join(targetWords(targets), 'unit'),
}

const isDraftField = (kind: string): kind is DraftField => Object.hasOwn(draftedWords, kind)

/** What a field of a round holds, in words. */
export const fieldWords = (field: RoundField, value: unknown): string =>
  isDraftField(field) ? (draftedWords[field] as (value: unknown) => string)(value) : String(value)

function bothSides<T>(
  { from, to }: { readonly from?: T | undefined; readonly to?: T | undefined },
  words: (value: T) => string,
) {
  return {
    from: from === undefined ? null : words(from),
    to: to === undefined ? null : words(to),
  }
}
