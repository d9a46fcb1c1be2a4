import type { Difference, PackVersion, WholeVersion } from '../contract/history.ts'
import type { ChangedSlot } from '../contract/page-data.ts'
import { comparePacks } from '../pool/comparison.ts'
import { hasSameFields, type PackFields, sentFields, storedFields } from '../pool/pack-fields.ts'
import { PackKeyError } from '../pool/pack-key/layout.ts'
import { decodePackKey } from '../pool/pack-key/pack-key.ts'
import type { Pool } from '../pool/pool.ts'
import { mayRead, type SavedPack } from './packs.ts'
import { timestamp } from './quotas.ts'

/** A state of a pack that a save made (D-71). */
export type SavedVersion = PackFields & {
  readonly version: number
  /** ms since the epoch. */
  readonly savedAt: number
  /** Whether the pack was hidden when it was saved. */
  readonly isHidden: boolean
  /** Holds name, buckets and slots. */
  readonly packKey: string
}

/** A pack and its newest versions, the newest first: that is the pack as it is. */
export type PackHistory = {
  readonly pack: SavedPack
  readonly versions: readonly SavedVersion[]
}

/** The version that a pack is. */
export const versionOf = (pack: SavedPack): SavedVersion => ({
  version: pack.version,
  savedAt: pack.versionAt,
  isHidden: pack.versionHidden,
  ...storedFields(pack),
  packKey: pack.packKey,
})

/** The owner reads the history, others if it is open and they may read the pack (D-70). */
export function mayReadHistory(pack: SavedPack, accountId: string): boolean {
  return pack.ownerId === accountId || (pack.historyPublic && mayRead(pack, accountId))
}

function mayReadVersion(version: SavedVersion, pack: SavedPack, accountId: string): boolean {
  return pack.ownerId === accountId || isForAll(version)
}

/** Others read the versions that were saved while the pack was neither private nor hidden (D-70). */
function isForAll({ visibility, isHidden }: SavedVersion): boolean {
  return visibility !== 'private' && !isHidden
}

/**
 * How often the pack has changed since the first version that others may read, if the history is open: a
 * private draft between two equal versions is no change to them.
 */
export function countChanges({ versions }: PackHistory): number {
  const open = versions.filter(isForAll)
  const hasChanged = (version: SavedVersion, at: number): boolean => {
    const before = open[at + 1]
    return (
      before !== undefined &&
      (version.packKey !== before.packKey || !hasSameFields(version, before))
    )
  }
  return open.filter(hasChanged).length
}

/** The slots whose beatmaps changed between versions that everybody may read, each once, the last one first. */
export function changedSlots(history: PackHistory): ChangedSlot[] {
  const { pack, versions } = history
  const open = versionsFor({ pack, versions: versions.filter(isForAll) }, pack.ownerId)
  const found = new Map<string, string>()
  for (const [at, version] of open.entries()) {
    const before = open[at + 1]
    if (before === undefined) continue
    for (const difference of comparePacks(before, version)) {
      const label = labelOf(difference)
      if (label !== null && !found.has(label)) found.set(label, timestamp(version.savedAt))
    }
  }
  return [...found].map(([label, at]) => ({ label, at }))
}

/** Of the slot that has another beatmap now. */
const labelOf = (difference: Difference): string | null =>
  difference.kind !== 'bucket' && 'at' in difference ? difference.at : null

/** A version with its pool. */
export type ReadVersion = SavedVersion & Pool

/**
 * The versions that the account may read, newest first; none if it may not read the history. A pack key
 * that cannot be decoded, which a later version of this software may have saved, hides its version alone.
 */
export function versionsFor({ pack, versions }: PackHistory, accountId: string): ReadVersion[] {
  if (!mayReadHistory(pack, accountId)) return []
  return versions
    .filter((version) => mayReadVersion(version, pack, accountId))
    .flatMap((version) => {
      const pool = poolOf(version)
      return pool === null ? [] : { ...version, ...pool }
    })
}

/** Stores return the same versions again while a pack has not changed. */
const decoded = new WeakMap<SavedVersion, Pool | null>()

function poolOf(version: SavedVersion): Pool | null {
  let pool = decoded.get(version)
  if (pool === undefined) {
    pool = decode(version.packKey)
    decoded.set(version, pool)
  }
  return pool
}

function decode(packKey: string): Pool | null {
  try {
    return decodePackKey(packKey)
  } catch (error) {
    if (error instanceof PackKeyError) return null
    throw error
  }
}

/** A version as it is kept. */
export const presentKept = (version: SavedVersion) => ({
  version: version.version,
  savedAt: timestamp(version.savedAt),
  ...sentFields(version),
  packKey: version.packKey,
})

/**
 * @param before the version before it that the caller may read; undefined if there is none.
 * @param savedBy the name of the pack's owner, who alone saves it.
 */
export const presentVersion = (
  version: ReadVersion,
  before: ReadVersion | undefined,
  savedBy: string,
): PackVersion => ({
  version: version.version,
  savedAt: timestamp(version.savedAt),
  savedBy,
  name: version.name,
  ...sentFields(version),
  packKey: version.packKey,
  changes: before === undefined ? [] : comparePacks(before, version),
})

/** As `presentVersion`, with slots and buckets. */
export const presentWholeVersion = (
  version: ReadVersion,
  before: ReadVersion | undefined,
  savedBy: string,
): WholeVersion => ({
  ...presentVersion(version, before, savedBy),
  slots: [...version.slots],
  ...(version.buckets !== null && { buckets: [...version.buckets] }),
})
