import type { PackFilter } from '../contract/pack-filter.ts'
import type { Beatmap } from '../domain/beatmaps.ts'
import type { SavedPack, IndexedPack } from '../domain/packs.ts'
import type { Condition, PackWords } from '../domain/search.ts'

/**
 * Names one state of what the search index and the public list show. Equal versions mean equal
 * content, also when the store was restored or has lost commits in between; versions have no order.
 */
export type IndexVersion = string

/** What has changed in the search index between two versions. */
export type IndexChanges = {
  /** What the index shows with these changes, at least. */
  readonly version: IndexVersion
  /** Packs that were added, or changed; each once, in no order. */
  readonly changed: readonly IndexedPack[]
  /** Slugs of packs that are no longer public, or hidden, or gone; perhaps of some that never were. */
  readonly gone: readonly string[]
}

/** What the search index is made from. */
export interface PublicIndex {
  /** Changes whenever anything that the index shows has changed, by whichever process. */
  version(): Promise<IndexVersion>

  /**
   * The same object for as long as nothing that the index shows may have been committed, by whichever process. Cheaper
   * than `version`: mostly known without a question to the store.
   */
  state(): object | Promise<object>

  /**
   * What has changed after `since`, a version that `version` or this returned. null when that is not
   * known, or more than `limit` packs have changed: the index must then be read whole.
   */
  readChanges(since: IndexVersion, limit: number): Promise<IndexChanges | null>

  /**
   * Public packs that are not hidden, newest created first, `after` the last pack of the portion before
   * (null: from the start). The last portion is shorter than `limit`.
   */
  readPortion(
    after: Pick<IndexedPack, 'createdAt' | 'slug'> | null,
    limit: number,
  ): Promise<readonly IndexedPack[]>

  /** As `readPortion`, but oldest created first: those of a time, without the first `skip` of them. */
  readCreated(time: CreationTime): Promise<readonly CreatedPack[]>
}

/** Packs after a place of the order of creation and before a moment (ms since the epoch). */
export type CreationTime = {
  readonly after: Pick<IndexedPack, 'createdAt' | 'slug'>
  readonly before: number
  readonly skip: number
  readonly limit: number
}

export type CreatedPack = Pick<IndexedPack, 'slug' | 'createdAt' | 'updatedAt'>

/** The search index as one process has built it, compressed; `builtAt` is ms since the epoch. */
export type SharedBuild = {
  /** What `version` was before the packs were read. */
  readonly version: IndexVersion
  readonly builtAt: number
  readonly packs: number
  readonly brotli: Uint8Array
  readonly gzip: Uint8Array
}

/** The search index as processes share it: one builds it, all serve it. */
export interface SharedIndex {
  /** The published build, unless there is none or it has the version `known`. */
  readOther(known: IndexVersion | null): Promise<SharedBuild | null>

  /**
   * Takes or renews the lease to build for the next `forMs` of the store's clock. false while another
   * process has it. `holder` names this process alone.
   */
  takeLease(holder: string, forMs: number): Promise<boolean>

  /**
   * Publishes a build in place of the one before. false, and nothing is published, when another
   * process has taken the lease since: its build is newer.
   */
  publish(build: SharedBuild, holder: string): Promise<boolean>
}

export type PackSearch = {
  /** Empty: every pack. */
  readonly match: Condition
  /** Packs that match one of these are left out. */
  readonly except: readonly Condition[]
  readonly filter: PackFilter
  /** After this place: older ones; null from the newest created. */
  readonly after: number | null
  readonly limit: number
}

export type FoundPacks = {
  /** Newest created first. */
  readonly packs: readonly IndexedPack[]
  /** Where to go on; null when there is nothing after these. There may be more even if none was found. */
  readonly next: number | null
}

/** How far the search is behind the packs. */
type SearchProgress = {
  /** Packs that can be found. */
  readonly packs: number
  /** Changes of public packs that are not in it yet. */
  readonly pending: number
  /** A rebuild is under way. */
  readonly isRebuilding: boolean
  /** How far it is, in packs that can be found; null when none is. */
  readonly rebuild: { readonly done: number; readonly of: number } | null
}

/**
 * Keeps by what public packs are found, and where beatmaps are used: derived from the packs by the worker, never
 * a source, and rebuilt from them at any time. Each method is one whole transaction.
 */
export interface SearchUpdates {
  /**
   * Takes over up to `limit` packs that have changed, or that a rebuild has reached. `describe` gets each as it
   * is now, with those of its beatmaps that are known. Returns how many packs it has looked at: 0 when nothing
   * is left to do. Several processes may call it; each pack is taken over by one.
   */
  update(
    limit: number,
    describe: (pack: SavedPack, beatmaps: ReadonlyMap<number, Beatmap>) => PackWords,
  ): Promise<number>

  /** Begins a rebuild: `update` walks over all packs; what can be found stays so meanwhile. */
  rebuild(): Promise<void>

  progress(): Promise<SearchProgress>
}

/**
 * Finds public packs by what `SearchUpdates` has taken over. What a reader sees of a pack, and whether, is
 * always read from the pack itself. Each method is one whole transaction.
 */
export interface SearchStore {
  /** How many packs can be found. */
  count(): Promise<number>

  /** Packs that are public and not hidden now. */
  find(search: PackSearch): Promise<FoundPacks>

  /** Words of packs that differ from these by a typing error (`pool/words.ts`), by word. */
  nearWords(words: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>

  /** The place after which packs begin that were created at this time (ms since the epoch) or before. */
  placeOf(createdAt: number): Promise<number>

  /** A place as text that reveals no count and cannot be made up; `tier` is the caller's, 0 to 255. */
  sealPlace(place: { readonly tier: number; readonly after: number | null }): Promise<string>

  /** null: it was not made by `sealPlace`. */
  openPlace(text: string): Promise<{ readonly tier: number; readonly after: number | null } | null>
}

/** A slot of a public pack that holds a beatmap; times are ms since the epoch. */
export type SavedUse = {
  readonly beatmapId: number
  readonly slug: string
  readonly packName: string
  readonly ownerId: string
  readonly ownerUsername: string | null
  readonly mod: string | null
  readonly index: number
  readonly updatedAt: number
  /** The round that the pack was released for, of a tournament that is public and not hidden. */
  readonly round: {
    readonly name: string
    readonly tournament: {
      readonly slug: string
      readonly name: string
      readonly year: number | null
    }
  } | null
}

type UseList = {
  /** Most recently saved packs first; of one pack, in the order of its slots. */
  readonly uses: readonly SavedUse[]
  /** Of all pages, by beatmap; those without any have 0. */
  readonly totals: ReadonlyMap<number, number>
}

/**
 * Where beatmaps are used, as `SearchUpdates.update` has taken it over. Only packs that are public and not hidden
 * at this moment are named and counted. Each method is one whole transaction.
 */
export interface UsageStore {
  /** Uses of any of these beatmaps, at most 64; `page` counts from 1. */
  list(beatmapIds: readonly number[], page: number, pageSize: number): Promise<UseList>

  /** The last use of each beatmap, and how many there are; `exceptTournament` leaves out the packs of one. */
  last(
    beatmapIds: readonly number[],
    exceptTournament: string | null,
  ): Promise<ReadonlyMap<number, { readonly total: number; readonly last: SavedUse }>>

  /** What is in the newest `packs` packs that hold a beatmap: how many of them hold each other one, most first. */
  pooledWith(
    beatmapId: number,
    packs: number,
    limit: number,
  ): Promise<readonly { readonly beatmapId: number; readonly packs: number }[]>
}
