import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import { type Ruleset, rulesets } from '../../contract/mods.ts'
import type { Slot } from '../../contract/pools.ts'
import { ByteSink } from '../../pool/pack-key/encode.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { DraftBuilder, fitName } from '../draft-builder.ts'
import { fault, FormatError, type FormatMessage } from '../format-error.ts'
import { beatmapsWithChecksum } from './collection-db.ts'
import { ByteSource, type ByteSpan, checkSize } from './dotnet-bytes.ts'
import { gunzip, gzip } from './gzip.ts'

/** One beatmap of an .osdb collection; fields that its version does not have are empty, 0 or `base`. */
export type OsdbBeatmap = Pick<
  BeatmapDetails,
  // The id is 0 or less when the beatmap was never submitted.
  'id' | 'setId' | 'artist' | 'title' | 'difficulty' | 'ruleset' | 'stars'
> & {
  /** As the file has it, which need not be one. */
  readonly checksum: string
  readonly comment: string
}

export type OsdbCollection = {
  readonly name: string
  /** Where the collection is shared; -1 when it is not. */
  readonly onlineId: number
  readonly beatmaps: readonly OsdbBeatmap[]
  /** Checksums of beatmaps of which nothing else is known. */
  readonly hashes: readonly string[]
}

export type Osdb = {
  /** 1 to 8. */
  readonly version: number
  /** Milliseconds since 1970; null when the file has no valid date. */
  readonly savedAt: number | null
  readonly editor: string
  readonly collections: readonly OsdbCollection[]
}

/** `leftOut`: the slots whose beatmap's checksum is not known, in pool order. */
export type PoolOsdb = { readonly collection: OsdbCollection; readonly leftOut: readonly Slot[] }

/** A pool as an .osdb collection: its name and, in pool order, each beatmap once. `details` are by beatmap id. */
export function osdbOf(pool: Pool, details: ReadonlyMap<number, BeatmapDetails>): PoolOsdb {
  const { known, leftOut } = beatmapsWithChecksum(pool, details)
  const beatmaps = known.map((beatmap): OsdbBeatmap => {
    const { id, setId, artist, title, difficulty, checksum, ruleset, stars } = beatmap
    return { id, setId, artist, title, difficulty, checksum, comment: '', ruleset, stars }
  })
  return { collection: { name: pool.name, onlineId: -1, beatmaps, hashes: [] }, leftOut }
}

export type OsdbDraft = {
  /** Completes, unless it has no slot; its slots are in no bucket. */
  readonly draft: PoolDraft
  /** What of the collection is not in it, and why; empty when all is. */
  readonly leftOut: readonly FormatMessage[]
}

/** An .osdb collection as a pool: its beatmaps in the file's order. */
export function draftOfOsdb({ name, beatmaps, hashes }: OsdbCollection): OsdbDraft {
  const slots = new DraftBuilder()
  const withId = beatmaps.filter(({ id }) => id > 0)
  for (const { id } of withId.slice(0, MAX_SLOTS)) slots.add(null, id)
  const noId = beatmaps.length - withId.length + hashes.length
  const leftOut: FormatMessage[] = []
  if (noId > 0) leftOut.push(fault('withoutId', { n: noId }))
  const over = withId.length - MAX_SLOTS
  if (over > 0) leftOut.push(fault('overLimit', { n: over, most: MAX_SLOTS }))
  return { draft: slots.draft(fitName(name, 'Collection')), leftOut }
}

const MARK = 'o!dm8'
const FOOTER = 'By Piotrekol'
const DAY = 86_400_000
/** 1970 in days of OLE Automation, which begin with 1900. */
const EPOCH = 25_569

/** Writes an .osdb of version 8 for Collection Manager; `savedAt` in milliseconds since 1970. */
export async function writeOsdb(
  collections: Osdb['collections'],
  { savedAt, editor }: { savedAt: number; editor: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const content = new ByteSink()
  content.text(MARK)
  content.double(savedAt / DAY + EPOCH)
  content.text(editor)
  content.int32(collections.length)
  const [layout] = layoutsOf(MARK)
  for (const collection of collections) writeOsdbCollection(content, layout!, collection)
  content.text(FOOTER)
  return packOsdb(MARK, content.whole())
}

/** A packed file with this content, as versions from 7 on have it. */
export async function packOsdb(mark: string, content: Uint8Array) {
  const file = new ByteSink()
  file.text(mark)
  // Named as Collection Manager itself names it.
  file.bytes(await gzip(content, 'collection.osdb'))
  return file.whole()
}

/** Writes one collection in the layout; what the layout has no field for is lost. */
export function writeOsdbCollection(
  content: ByteSink,
  layout: OsdbLayout,
  { name, onlineId, beatmaps, hashes }: OsdbCollection,
): void {
  content.text(name)
  if (layout.isPacked) content.int32(onlineId)
  content.int32(beatmaps.length)
  for (const beatmap of beatmaps) writeBeatmap(content, layout, beatmap)
  if (!layout.fields.has('hashes')) return
  content.int32(hashes.length)
  for (const hash of hashes) content.text(hash)
}

function writeBeatmap(content: ByteSink, { fields }: OsdbLayout, beatmap: OsdbBeatmap): void {
  content.int32(beatmap.id)
  if (fields.has('setId')) content.int32(beatmap.setId)
  for (const name of names) if (fields.has(name)) content.text(beatmap[name])
  content.text(beatmap.checksum)
  if (fields.has('comment')) content.text(beatmap.comment)
  if (fields.has('ruleset')) content.byte(rulesets.indexOf(beatmap.ruleset))
  if (fields.has('stars')) content.double(beatmap.stars)
}

type OsdbLayout = {
  readonly version: number
  /** Everything after the first mark is packed with gzip and repeats the mark; collections have an `onlineId`. */
  readonly isPacked: boolean
  /** Those that not every version has. */
  readonly fields: ReadonlySet<string>
}

const NEVER = 9
const names = ['artist', 'title', 'difficulty'] as const

/** The first version with a field, and the first with it in the smaller form "min". */
const since: Readonly<Record<string, readonly [full: number, min: number]>> = {
  setId: [2, 2],
  ...Object.fromEntries(names.map((name) => [name, [1, NEVER]])),
  hashes: [3, 3],
  comment: [4, 4],
  ruleset: [5, 8],
  stars: [6, 8],
}

/**
 * How a file that begins with the mark is laid out; empty for an unknown mark. The smaller form of version 8
 * has been described with and without its last fields: the footer shows which it is, so all are tried.
 */
function layoutsOf(mark: string): OsdbLayout[] {
  const [match, digit, min] = /^o!dm([2-8]?)(min)?$/.exec(mark) ?? []
  if (match === undefined) return []
  const version = Number(digit || 1)
  const all = Object.keys(since).filter((name) => version >= since[name]![min ? 1 : 0])
  const missing = version === 8 && min ? [[], ['stars'], ['ruleset', 'stars']] : [[]]
  return missing.map((without: readonly string[]) => ({
    version,
    isPacked: version >= 7,
    fields: new Set(all.filter((name) => !without.includes(name))),
  }))
}

const MAX_UNPACKED = 128 * 1024 * 1024
const MAX_BEATMAPS = 1_000_000

/**
 * Reads Collection Manager's .osdb, versions 1 to 8 and the smaller "min" forms, as its own source reads them; tried
 * against our own writer and hand-made files of each version only.
 *
 * @throws FormatError with the offset, in the unpacked content from version 7 on; for a file over 64 MB,
 * 128 MB unpacked, 10,000 collections or 1,000,000 beatmaps, too.
 */
export async function readOsdb(bytes: Uint8Array): Promise<Osdb> {
  const { version, savedAt, editor, collections: located } = await locateOsdb(bytes)
  const collections = located.map((each): OsdbCollection => {
    const { name, onlineId, beatmaps, hashes } = each
    return { name, onlineId, beatmaps, hashes }
  })
  return { version, savedAt, editor, collections }
}

/** As `readOsdb`, with the places of the collections and their int32 number in the content (unpacked from 7 on). */
export async function locateOsdb(bytes: Uint8Array) {
  checkSize(bytes)
  const mark = osdbMark(bytes) ?? ''
  const layouts = layoutsOf(mark)
  const [first] = layouts
  if (first === undefined) {
    throw new FormatError(fault('notOsdb'), { offset: 0 })
  }
  const content = first.isPacked ? await gunzip(bytes, mark.length + 1, MAX_UNPACKED) : bytes
  let error: unknown
  for (const layout of layouts) {
    try {
      return readContent(content, mark, layout)
    } catch (cause) {
      if (!(cause instanceof FormatError)) throw cause
      error ??= cause
    }
  }
  throw error
}

/** The text with which the file begins, when that is the beginning of an .osdb; or null. */
export function osdbMark(bytes: Uint8Array): string | null {
  const length = bytes[0] ?? 0
  if (length > 16 || length >= bytes.length) return null
  const mark = String.fromCharCode(...bytes.subarray(1, length + 1))
  return mark.startsWith('o!dm') ? mark : null
}

function readContent(content: Uint8Array, mark: string, layout: OsdbLayout) {
  const source = new ByteSource(content, layout.isPacked)
  if (source.text() !== mark) throw source.error(0, fault('repeated', { what: mark }))
  const date = new Date(Math.round((source.double() - EPOCH) * DAY)).getTime()
  const editor = source.text()
  const countAt = source.offset
  let room = MAX_BEATMAPS
  const collections: (OsdbCollection & ByteSpan)[] = source.collections(() => {
    const collection = readCollection(source, layout, room)
    room -= collection.beatmaps.length + collection.hashes.length
    return collection
  })
  const end = source.offset
  if (source.text() !== FOOTER || source.bytesLeft > 0) {
    throw source.error(end, fault('badEnd', { what: FOOTER }))
  }
  const { version } = layout
  const savedAt = Number.isNaN(date) ? null : date
  return { version, savedAt, editor, collections, mark, layout, content, countAt }
}

function readCollection(source: ByteSource, layout: OsdbLayout, room: number): OsdbCollection {
  const name = source.text()
  const onlineId = layout.isPacked ? source.int32() : -1
  // An id and a checksum have 5 bytes or more, a checksum alone 1.
  const beatmaps = readList(source, 5, room, () => readBeatmap(source, layout))
  const left = room - beatmaps.length
  const hashes = layout.fields.has('hashes') ? readList(source, 1, left, () => source.text()) : []
  return { name, onlineId, beatmaps, hashes: hashes.filter((hash) => hash !== '') }
}

function readList<T>(source: ByteSource, least: number, room: number, read: () => T): T[] {
  const start = source.offset
  const length = source.count('Beatmaps', least)
  if (length <= room) return Array.from({ length }, read)
  throw source.error(start, fault('tooManyBeatmaps', { most: MAX_BEATMAPS }))
}

function readBeatmap(source: ByteSource, { fields }: OsdbLayout): OsdbBeatmap {
  const text = (name: string): string => (fields.has(name) ? source.text() : '')
  // Fields of an object literal are evaluated in the order in which they are written.
  return {
    id: source.int32(),
    setId: fields.has('setId') ? source.int32() : 0,
    artist: text('artist'),
    title: text('title'),
    difficulty: text('difficulty'),
    checksum: source.text(),
    comment: text('comment'),
    ruleset: fields.has('ruleset') ? readRuleset(source) : 'base',
    stars: fields.has('stars') ? source.double() : 0,
  }
}

function readRuleset(source: ByteSource): Ruleset {
  const start = source.offset
  const ruleset = rulesets[source.byte()]
  if (ruleset === undefined) throw source.error(start, fault('badRuleset'))
  return ruleset
}
