import { INDEX_DESCRIPTION_LENGTH, MAX_PACKS } from '../contract/bounds.ts'
import type { Pack, PackInput, SitePack, Stats } from '../contract/packs.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import type { IndexEntry } from '../contract/search-index.ts'
import * as checks from '../pool/checks.ts'
import { invalidInput } from './invalid-input.ts'
import {
  findInFields,
  hasSameFields,
  type PackFields,
  sentFields,
  storedFields,
} from '../pool/pack-fields.ts'
import { encodePackKey } from '../pool/pack-key/pack-key.ts'
import { SYSTEM_ACCOUNT_ID, UNKNOWN_PLAYER } from './accounts.ts'
import type { PackViewer } from './sessions.ts'
import { refuseSlurs } from './slurs/slurs.ts'
import { timestamp } from './quotas.ts'

/** A magnet link as it is kept, with ms since the epoch; newest first in a pack. */
export type SavedExport = { readonly url: string; readonly createdAt: number }

/** Everything that a save sets. */
export type PackContent = PackFields & {
  readonly name: string
  /** In the order they were sent (D-20). */
  readonly slots: readonly Slot[]
  /** The whole table; null when it is the default one (D-22). */
  readonly buckets: readonly Bucket[] | null
  /** Encodes name, buckets and slots. */
  readonly packKey: string
}

export type PackState = PackContent & {
  readonly exports: readonly SavedExport[]
  /** When a moderator hid the pack, ms since the epoch; null when none did. */
  readonly hiddenAt: number | null
  /** Why it is hidden; null when it is not, or when no reason was given. */
  readonly hiddenReason: string | null
  /** Position in the pinned row, lowest first; null when not pinned (D-30). */
  readonly pinnedRank: number | null
  /** null until they are computed. */
  readonly stats: Stats | null
  /** Others may read the history, too (D-70). */
  readonly historyPublic: boolean
  /** The number of this state in the history, from 1 (D-71). */
  readonly version: number
  /** When that version was saved, ms since the epoch. */
  readonly versionAt: number
  /** Whether the pack was hidden then. */
  readonly versionHidden: boolean
  /** ms since the epoch; never goes back and changes with every save (D-26). */
  readonly updatedAt: number
}

/** A pack as the store holds it. Never changed in place: stores may return the same object again. */
export type SavedPack = PackState & {
  readonly slug: string
  readonly ownerId: string
  /** The owner's username now; null when none is known. */
  readonly ownerUsername: string | null
  /** ms since the epoch. */
  readonly createdAt: number
}

export type NewPack = Omit<SavedPack, 'ownerUsername'>

/** Every key reads public and unlisted packs, the owner alone private and hidden ones (spec 3). */
export function mayRead(pack: SavedPack, accountId: string): boolean {
  return pack.ownerId === accountId || (pack.visibility !== 'private' && pack.hiddenAt === null)
}

/** Whether it is listed, searched and counted for everybody. */
export function isListed({ visibility, hiddenAt }: SavedPack): boolean {
  return visibility === 'public' && hiddenAt === null
}

/** As `mayRead`, on the site: moderators also see hidden packs, but no private ones (D-30). */
export function maySee(pack: SavedPack, viewer: PackViewer | null): boolean {
  if (mayRead(pack, viewer?.accountId ?? '')) return true
  return viewer?.isModerator === true && pack.visibility !== 'private'
}

/** A pack as it was sent, completed and in canonical form. Throws `bad_request` (D-17 to D-24). */
export function contentOf(input: PackInput): PackContent {
  // First: a message about a code repeats the code, and must not repeat a slur.
  refuseSlurs(input)
  const problems = [...checks.findInPool(input), ...findInFields(input)]
  if (problems.length > 0) throw invalidInput(problems)
  return completedContent(input)
}

/** As `contentOf`, of what a pack has already: its texts may have been stored under older rules (D-47). */
export function completedContent(input: PackInput): PackContent {
  const pool = checks.wholePool(input)
  return {
    ...pool,
    ...storedFields(input),
    packKey: encodePackKey(pool),
  }
}

/** A pack at its first save (spec 3): no exports, no stats, neither hidden nor pinned. */
export const firstSave = (
  content: PackContent,
  { slug, ownerId, now }: { slug: string; ownerId: string; now: number },
): NewPack => ({
  ...content,
  slug,
  ownerId,
  exports: [],
  hiddenAt: null,
  hiddenReason: null,
  pinnedRank: null,
  stats: null,
  historyPublic: false,
  version: 1,
  versionAt: now,
  versionHidden: false,
  createdAt: now,
  updatedAt: now,
})

/**
 * What a PUT makes of a pack (spec 3): a new pack key clears the exports (D-27); new beatmaps, slots or
 * mods, the stats (spec 2.6). Only public packs keep a pin; `updatedAt` always increases (D-26).
 * Name, fields and pool as they were make no version (D-71).
 */
export function laterSave(saved: SavedPack, content: PackContent, now: number): PackState {
  const updatedAt = Math.max(now, saved.updatedAt + 1)
  const isNew =
    content.name !== saved.name ||
    content.packKey !== saved.packKey ||
    !hasSameFields(content, saved)
  const { version, versionAt, versionHidden } = saved
  return {
    ...content,
    exports: content.packKey === saved.packKey ? saved.exports : [],
    hiddenAt: saved.hiddenAt,
    hiddenReason: saved.hiddenReason,
    pinnedRank: content.visibility === 'public' ? saved.pinnedRank : null,
    stats: playedText(saved) === playedText(content) ? saved.stats : null,
    historyPublic: saved.historyPublic,
    ...(isNew
      ? { version: version + 1, versionAt: updatedAt, versionHidden: saved.hiddenAt !== null }
      : { version, versionAt, versionHidden }),
    updatedAt,
  }
}

/** The beatmaps, slots and mods as text: equal for packs with equal stats, in whatever order they list them. */
function playedText({ slots, buckets }: PackContent): string {
  const played = slots.map(({ mod, index, beatmapId }) => `${mod} ${index} ${beatmapId}`)
  const mods = (buckets ?? []).flatMap((bucket) =>
    'mods' in bucket && bucket.mods ? [`${bucket.code} ${JSON.stringify(bucket.mods)}`] : [],
  )
  return [...played.toSorted(), ...mods.toSorted()].join()
}

/** How many packs an account may keep; null for no limit (D-28). */
export const packLimitOf = (ownerId: string): number | null =>
  ownerId === SYSTEM_ACCOUNT_ID ? null : MAX_PACKS

/** The name shown as a pack's owner (spec 2.2): tournament pools carry a configured label (D-28). */
export const ownerNameOf = (
  pack: Pick<SavedPack, 'ownerId' | 'ownerUsername'>,
  poolsOwnerName: string,
): string =>
  pack.ownerId === SYSTEM_ACCOUNT_ID ? poolsOwnerName : (pack.ownerUsername ?? UNKNOWN_PLAYER)

/** The same for all callers (spec 2.2, D-45, D-46): only those who may know reach a hidden pack. */
export function presentPack(pack: SavedPack, poolsOwnerName: string): Pack {
  const { visibility, ...fields } = sentFields(pack)
  return {
    slug: pack.slug,
    name: pack.name,
    visibility,
    ...fields,
    slots: [...pack.slots],
    ...(pack.buckets !== null && { buckets: [...pack.buckets] }),
    exports: pack.exports.map(({ url, createdAt }) => ({
      kind: 'magnet',
      url,
      createdAt: timestamp(createdAt),
    })),
    ...(pack.hiddenAt !== null && { hiddenAt: timestamp(pack.hiddenAt) }),
    ...(pack.historyPublic && { historyPublic: true }),
    ...(pack.stats !== null && { stats: pack.stats }),
    createdAt: timestamp(pack.createdAt),
    updatedAt: timestamp(pack.updatedAt),
    packKey: pack.packKey,
    ownerName: ownerNameOf(pack, poolsOwnerName),
  }
}

/** A pack as the site shows it to a viewer who may see it; null: one without a session. */
export function presentSitePack(
  pack: SavedPack,
  viewer: PackViewer | null,
  poolsOwnerName: string,
): SitePack {
  const isMine = viewer?.accountId === pack.ownerId
  const knowsWhy = isMine || viewer?.isModerator === true
  return {
    ...presentPack(pack, poolsOwnerName),
    isMine,
    isPinned: pack.pinnedRank !== null,
    ...(knowsWhy && pack.hiddenReason !== null && { hiddenReason: pack.hiddenReason }),
  }
}

/** What the search index is made from; reading whole packs for it would cost twice as much. */
export type IndexedPack = Pick<SavedPack, 'slug' | 'name' | 'ownerId' | 'ownerUsername'> &
  Pick<SavedPack, 'description' | 'stats' | 'createdAt' | 'updatedAt'> & {
    readonly slotCount: number
  }

/** A public pack as the search index shows it, its keys in the order of spec 2.10. */
export const indexEntryOf = (pack: IndexedPack, poolsOwnerName: string): IndexEntry => ({
  s: pack.slug,
  n: pack.name,
  o: ownerNameOf(pack, poolsOwnerName),
  c: pack.slotCount,
  d: startOf(pack.description ?? ''),
  u: timestamp(pack.updatedAt),
  t: timestamp(pack.createdAt),
  ...(pack.stats !== null && statsIn(pack.stats)),
})

const ELLIPSIS = '…'

/** A text's start in a line: 140 UTF-16 code units, no pair split (spec 2.10, D-19). */
export function startOf(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.length <= INDEX_DESCRIPTION_LENGTH) return line
  const end = INDEX_DESCRIPTION_LENGTH - ELLIPSIS.length
  const isInPair = /[\uD800-\uDBFF]/.test(line.charAt(end - 1))
  return line.slice(0, isInPair ? end - 1 : end).trimEnd() + ELLIPSIS
}

function statsIn({ srAvg, mods, modes, complete, ...stats }: Stats) {
  return {
    ...range('r', stats.srMin, stats.srMax),
    ...(srAvg !== null && { a: srAvg }),
    ...range('l', stats.lenMin, stats.lenMax),
    ...range('b', stats.bpmMin, stats.bpmMax),
    m: mods.join(','),
    g: modes.join(','),
    k: complete,
  }
}

function range(key: 'r' | 'l' | 'b', lowest: number | null, highest: number | null) {
  return lowest === null || highest === null ? {} : { [key]: [lowest, highest] }
}
