import type {
  DraftDifference,
  DraftVersion,
  WholeDraftVersion,
} from '../../contract/draft-history.ts'
import type { Difference } from '../../contract/history.ts'
import type { SlotDetails } from '../../contract/rounds.ts'
import { type DifferenceWords, differenceWords } from '../../pool/difference-words.ts'
import { draftFields, filledSlots, roundFields, roundLinks } from '../../pool/round-fields.ts'
import { detailsWords } from '../../pool/slot-details.ts'
import { bucketTable, placeOf, slotLabel } from '../../pool/slots.ts'
import { cellWords, fieldCell } from '../editing/changes.ts'
import { withLayout } from '../editing/lanes/lanes.ts'
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
  const slots = new Map(now)
  const buckets = new Map(bucketTable(after.buckets).map((bucket) => [bucket.code, bucket]))
  // Where a beatmap has come, another may have been before.
  for (const each of changes) {
    const hasCome = each.kind === 'filled' || each.kind === 'replaced' || each.kind === 'moved'
    if (hasCome) slots.delete(each.at)
  }
  for (const each of changes) {
    if (each.kind === 'emptied' || each.kind === 'replaced') slots.set(each.at, each.from)
    if (each.kind === 'moved') slots.set(each.from, now.get(each.at)!)
    if (each.kind === 'bucket' && 'at' in each) {
      if (each.from === undefined) buckets.delete(each.at)
      else buckets.set(each.at, each.from)
    }
  }
  return {
    buckets: [...buckets.values()],
    slots: [...slots].map(([label, beatmapId]) => ({ ...placeOf(label), beatmapId })),
  }
}

/** A difference between drafts as hosts name it. */
export function draftWords(difference: DraftDifference | Difference): DifferenceWords {
  switch (difference.kind) {
    case 'bestOf':
    case 'bans':
    case 'packName':
      return { what: cellWords(fieldCell(difference.kind)), ...bothSides(difference, String) }
    case 'targets':
      return {
        what: 'Targets',
        ...bothSides(difference, (targets) => targetWords(targets).join(', ')),
      }
    case 'placeholder':
      return { what: difference.at, ...bothSides(difference, (text) => `“${text}”`) }
    case 'details':
      return {
        what: `${difference.at} details`,
        ...bothSides<SlotDetails>(difference, detailsWords),
      }
    case 'link':
      return { what: `${difference.at} link`, ...bothSides(difference, String) }
    case 'added':
      return { what: difference.at, from: null, to: 'empty slot' }
    case 'removed':
      return { what: difference.at, from: 'empty slot', to: null }
    default:
      return differenceWords(difference)
  }
}

function bothSides<T>(
  { from, to }: { readonly from?: T | undefined; readonly to?: T | undefined },
  words: (value: T) => string,
) {
  return {
    from: from === undefined ? null : words(from),
    to: to === undefined ? null : words(to),
  }
}
