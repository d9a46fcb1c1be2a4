import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import { type Ruleset, rulesets } from '../../contract/mods.ts'
import type { Slot } from '../../contract/pools.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { slotsInPoolOrder } from '../../pool/slots.ts'
import { DraftBuilder, fitName } from '../draft-builder.ts'
import { ByteSink } from './dotnet-bytes.ts'
import { gzip } from './gzip.ts'

/** One beatmap of an .osdb collection; what its version does not hold is empty, 0 or `base`. */
export type OsdbBeatmap = {
  /** 0 or less when the beatmap was never submitted. */
  readonly id: number
  readonly setId: number
  readonly artist: string
  readonly title: string
  /** The difficulty's name. */
  readonly difficulty: string
  /** MD5 of the file; empty when not known. */
  readonly checksum: string
  readonly comment: string
  readonly ruleset: Ruleset
  /** Without mods. */
  readonly stars: number
}

export type OsdbCollection = {
  readonly name: string
  /** Where the collection is shared; -1 when it is not. */
  readonly onlineId: number
  readonly beatmaps: readonly OsdbBeatmap[]
  /** Checksums of beatmaps of which nothing else is known. */
  readonly hashes: readonly string[]
}

/** What an .osdb file holds. */
export type Osdb = {
  /** 1 to 8. */
  readonly version: number
  /** Milliseconds since 1970; null when the file names no date there is. */
  readonly savedAt: number | null
  /** Who saved it. */
  readonly editor: string
  readonly collections: readonly OsdbCollection[]
}

/** A pool as an .osdb collection: its name and, in pool order, each beatmap once. */
export type PoolOsdb = {
  readonly collection: OsdbCollection
  /** Whose beatmap's checksum is not known; in pool order. */
  readonly leftOut: readonly Slot[]
}

/** @param details what is known of the beatmaps, by id. */
export function osdbOf(pool: Pool, details: ReadonlyMap<number, BeatmapDetails>): PoolOsdb {
  const beatmaps = new Map<number, OsdbBeatmap>()
  const leftOut: Slot[] = []
  for (const slot of slotsInPoolOrder(pool)) {
    const known = details.get(slot.beatmapId)
    if (known === undefined || known.checksum === null) leftOut.push(slot)
    else {
      const { id, setId, artist, title, difficulty, checksum, ruleset, stars } = known
      const own = { id, setId, artist, title, difficulty, checksum, comment: '', ruleset, stars }
      beatmaps.set(slot.beatmapId, own)
    }
  }
  const collection = { name: pool.name, onlineId: -1, beatmaps: [...beatmaps.values()], hashes: [] }
  return { collection, leftOut }
}

export type OsdbDraft = {
  /** Completes, unless it has no slot; its slots stand in no bucket. */
  readonly draft: PoolDraft
  /** What of the collection is not in it, and why; empty when all is. */
  readonly leftOut: readonly string[]
}

/** An .osdb collection as a pool: its beatmaps in the file's order. */
export function draftOfOsdb({ name, beatmaps, hashes }: OsdbCollection): OsdbDraft {
  const slots = new DraftBuilder()
  const withId = beatmaps.filter(({ id }) => id > 0)
  for (const { id } of withId.slice(0, MAX_SLOTS)) slots.add(null, id)
  const noId = beatmaps.length - withId.length + hashes.length
  const leftOut: string[] = []
  if (noId > 0) leftOut.push(`${noId} beatmaps without an id, which a pool needs`)
  if (withId.length > MAX_SLOTS) {
    const count = withId.length - MAX_SLOTS
    leftOut.push(`${count} beatmaps over the limit of ${MAX_SLOTS} per pool; split the collection`)
  }
  return { draft: slots.draft(fitName(name, 'Collection')), leftOut }
}

const MARK = 'o!dm8'
/** What Collection Manager itself calls what it packs. */
const PACKED_NAME = 'collection.osdb'

/**
 * Writes an .osdb of version 8 for Collection Manager.
 *
 * @param savedAt milliseconds since 1970.
 * @param editor who saves it.
 */
export async function writeOsdb(
  collections: Osdb['collections'],
  { savedAt, editor }: { readonly savedAt: number; readonly editor: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new ByteSink()
  content.text(MARK)
  content.double(toOleDate(savedAt))
  content.text(editor)
  content.int32(collections.length)
  const [layout] = layoutsOf(MARK)
  for (const collection of collections) writeOsdbCollection(content, layout!, collection)
  content.text(OSDB_FOOTER)
  return packOsdb(MARK, content.whole())
}

/** A packed file with this content, as versions from 7 on have it. */
export async function packOsdb(
  mark: string,
  content: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const packed = await gzip(content, PACKED_NAME)
  const file = new ByteSink()
  file.text(mark)
  file.bytes(packed)
  return file.whole()
}

/** Writes one collection as files of the layout have it; what the layout has no field for is lost. */
export function writeOsdbCollection(
  content: ByteSink,
  layout: OsdbLayout,
  { name, onlineId, beatmaps, hashes }: OsdbCollection,
): void {
  content.text(name)
  if (layout.hasOnlineId) content.int32(onlineId)
  content.int32(beatmaps.length)
  for (const beatmap of beatmaps) writeOsdbBeatmap(content, layout, beatmap)
  if (!layout.hasHashes) return
  content.int32(hashes.length)
  for (const hash of hashes) content.text(hash)
}

function writeOsdbBeatmap(content: ByteSink, layout: OsdbLayout, beatmap: OsdbBeatmap): void {
  content.int32(beatmap.id)
  if (layout.hasSetId) content.int32(beatmap.setId)
  if (layout.hasNames) {
    content.text(beatmap.artist)
    content.text(beatmap.title)
    content.text(beatmap.difficulty)
  }
  content.text(beatmap.checksum)
  if (layout.hasComment) content.text(beatmap.comment)
  if (layout.hasRuleset) content.byte(rulesets.indexOf(beatmap.ruleset))
  if (layout.hasStars) content.double(beatmap.stars)
}

/** Which of its fields a version of .osdb has. */
export type OsdbLayout = {
  readonly version: number
  /** From here on everything behind the first mark is packed with gzip, the mark once more in it. */
  readonly isPacked: boolean
  readonly hasOnlineId: boolean
  readonly hasSetId: boolean
  readonly hasNames: boolean
  readonly hasComment: boolean
  readonly hasRuleset: boolean
  readonly hasStars: boolean
  readonly hasHashes: boolean
}

/**
 * How a file that begins with the mark is laid out; empty for a mark that is not known. The
 * smaller form of version 8 has been described with and without its last fields; the footer shows
 * which of the layouts it is, so they are tried one after the other.
 */
export function layoutsOf(mark: string): readonly OsdbLayout[] {
  const match = /^o!dm([2-8]?)(min)?$/.exec(mark)
  if (match === null) return []
  const version = Number(match[1] === '' ? 1 : match[1])
  const isMinimal = match[2] !== undefined
  const layout = {
    version,
    isPacked: version >= 7,
    hasOnlineId: version >= 7,
    hasSetId: version >= 2,
    hasNames: !isMinimal,
    hasComment: version >= 4,
    hasRuleset: version >= 8 || (version >= 5 && !isMinimal),
    hasStars: version >= 8 || (version >= 6 && !isMinimal),
    hasHashes: version >= 3,
  }
  if (version < 8 || !isMinimal) return [layout]
  return [layout, { ...layout, hasStars: false }, { ...layout, hasRuleset: false, hasStars: false }]
}

/** What stands at the end of every file. */
export const OSDB_FOOTER = 'By Piotrekol'

const DAY = 86_400_000
/** 1970 in days of OLE Automation, which begin with 1900. */
const EPOCH = 25_569

export function toOleDate(milliseconds: number): number {
  return milliseconds / DAY + EPOCH
}

export function fromOleDate(days: number): number | null {
  const milliseconds = Math.round((days - EPOCH) * DAY)
  return Number.isNaN(new Date(milliseconds).getTime()) ? null : milliseconds
}
