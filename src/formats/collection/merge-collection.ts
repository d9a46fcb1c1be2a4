import { ByteSink } from '../../pool/pack-key/encode.ts'
import { codesInUse } from '../../pool/slots.ts'
import { fault, FormatError } from '../format-error.ts'
import { detailsById, type Sheet, wholeName, type WriteOptions } from '../sheet.ts'
import {
  type Collection,
  COLLECTION_VERSION,
  collectionOf,
  locateCollections,
  writeCollection,
  writeCollections,
} from './collection-db.ts'
import type { ByteSpan } from './dotnet-bytes.ts'
import {
  locateOsdb,
  type OsdbCollection,
  osdbOf,
  packOsdb,
  writeOsdb,
  writeOsdbCollection,
} from './osdb.ts'

/**
 * A collection for each pool in a new collection.db, or merged into one. Of several pools, those without a beatmap whose
 * checksum is known are left out.
 */
export function writeCollectionDb(sheet: Sheet, into: Uint8Array | undefined) {
  const all = poolsOf(sheet, false)
    .map(({ pool, details }) => collectionOf(pool, details))
    .filter(({ collection }) => sheet.kind === 'pack' || collection.hashes.length > 0)
  if (into === undefined) {
    return writeCollections(
      COLLECTION_VERSION,
      all.map(({ collection }) => collection),
    )
  }
  const merged = all.reduce(
    (file, { collection, leftOut }) => mergeCollection(file, collection, leftOut.length > 0),
    into,
  )
  return new Uint8Array(merged)
}

/** As `writeCollectionDb`, in an .osdb; `isByBucket`: a collection for each bucket of the pools. */
export async function writeCollectionsOsdb(
  sheet: Sheet,
  { savedAt, into }: WriteOptions,
  isByBucket: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const all = poolsOf(sheet, isByBucket)
    .map(({ pool, details }) => osdbOf(pool, details))
    .filter(({ collection }) => sheet.kind === 'pack' || collection.beatmaps.length > 0)
  if (into === undefined) {
    const collections = all.map(({ collection }) => collection)
    return writeOsdb(collections, { savedAt, editor: 'Mapcrate' })
  }
  let merged = into
  for (const { collection, leftOut } of all) {
    const unknown = new Set(leftOut.map(({ beatmapId }) => beatmapId))
    merged = await mergeOsdb(merged, collection, unknown)
  }
  return new Uint8Array(merged)
}

/** The names of the collections in a collection.db. Throws a `FormatError` for a damaged one. */
export function namesInCollectionDb(file: Uint8Array): string[] {
  return locateCollections(file).collections.map(({ name }) => name)
}

/** As `namesInCollectionDb`, in an .osdb. */
export async function namesInOsdb(file: Uint8Array): Promise<string[]> {
  return (await locateOsdb(file)).collections.map(({ name }) => name)
}

/** The pools, or one for each of their buckets that has slots, by the names of their collections. */
function poolsOf(sheet: Sheet, isByBucket: boolean) {
  return sheet.rounds.flatMap((round) => {
    const pool = { ...round.pool, name: wholeName(sheet, round) }
    const details = detailsById(round)
    if (!isByBucket) return [{ pool, details }]
    return codesInUse(pool).map((code) => {
      const slots = pool.slots.filter(({ mod }) => mod === code)
      const name = code === null ? pool.name : `${pool.name} ${code}`
      return { pool: { ...pool, name, slots }, details }
    })
  })
}

/**
 * A collection.db with the collection in it: in place of the one of the same name, or after the others.
 * All other collections keep every byte.
 *
 * @param isPartial the checksums of some beatmaps are not known: all that the old collection has stays, after the new
 *   ones, since it may be of these beatmaps.
 * @returns the same bytes when the collection is there already as it is.
 * @throws FormatError for a damaged file, or when two collections have the name.
 */
export function mergeCollection(
  bytes: Uint8Array,
  collection: Collection,
  isPartial = false,
): Uint8Array {
  const { countAt, collections } = locateCollections(bytes)
  const old = findNamed(collections, collection.name)
  const known = new Map(old?.hashes.map((hash) => [hash.toLowerCase(), hash]))
  const wanted = collection.hashes.map((hash) => known.get(hash.toLowerCase()) ?? hash)
  const kept = isPartial ? [...known.values()].filter((hash) => !wanted.includes(hash)) : []
  const others = isPartial ? (old?.others ?? []) : []
  return replace(bytes, collections, countAt, old, (sink) =>
    writeCollection(
      sink,
      { ...collection, hashes: [...wanted, ...kept] },
      others.map(({ start, end }) => bytes.subarray(start, end)),
    ),
  )
}

/**
 * As `mergeCollection`, for an .osdb of any version; beatmaps that were in the collection keep what the file says.
 *
 * @param unknown ids of beatmaps of which nothing is known now: those that the old collection has stay.
 */
export async function mergeOsdb(
  bytes: Uint8Array,
  collection: OsdbCollection,
  unknown: ReadonlySet<number> = new Set(),
) {
  const { mark, layout, content, countAt, collections } = await locateOsdb(bytes)
  const old = findNamed(collections, collection.name)
  const beatmaps = collection.beatmaps.map((beatmap) => {
    const same = old?.beatmaps.find(({ id }) => id === beatmap.id)
    if (same === undefined) return beatmap
    const isSameFile = same.checksum.toLowerCase() === beatmap.checksum.toLowerCase()
    return isSameFile ? same : { ...beatmap, comment: same.comment }
  })
  beatmaps.push(...(old?.beatmaps.filter(({ id }) => unknown.has(id)) ?? []))
  const { onlineId } = old ?? collection
  const merged = replace(content, collections, countAt, old, (sink) =>
    writeOsdbCollection(sink, layout, { ...collection, onlineId, beatmaps }),
  )
  if (merged === content) return bytes
  return layout.isPacked ? packOsdb(mark, merged) : merged
}

function findNamed<C extends ByteSpan & { readonly name: string }>(
  collections: readonly C[],
  name: string,
): C | undefined {
  const [found, second] = collections.filter((each) => each.name === name)
  if (second === undefined) return found
  throw new FormatError(fault('secondCollection', { name }), { offset: second.start })
}

/** Writes a collection in place of an old one, or after the others; their int32 number is at `countAt`. */
function replace(
  bytes: Uint8Array,
  collections: readonly ByteSpan[],
  countAt: number,
  old: ByteSpan | undefined,
  write: (sink: ByteSink) => void,
): Uint8Array {
  const sink = new ByteSink()
  write(sink)
  const part = sink.whole()
  const end = old?.end ?? collections.at(-1)?.end ?? countAt + 4
  const start = old?.start ?? end
  const before = bytes.subarray(start, end)
  if (before.length === part.length && before.every((byte, at) => byte === part[at])) return bytes
  const merged = new Uint8Array(bytes.length - before.length + part.length)
  merged.set(bytes.subarray(0, start))
  merged.set(part, start)
  merged.set(bytes.subarray(end), start + part.length)
  const count = collections.length + (old === undefined ? 1 : 0)
  new DataView(merged.buffer).setInt32(countAt, count, true)
  return merged
}
