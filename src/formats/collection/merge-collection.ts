import { FormatError } from '../format-error.ts'
import { type Collection, locateCollections, writeCollection } from './collection-db.ts'
import { ByteSink } from './dotnet-bytes.ts'
import { type OsdbBeatmap, type OsdbCollection, packOsdb, writeOsdbCollection } from './osdb.ts'
import { locateOsdb } from './read-osdb.ts'

/**
 * A collection.db with the collection in it: in place of the one of the same name, or after the others.
 * All other collections keep every byte.
 *
 * @returns the same bytes when the collection is there already as it is.
 * @throws FormatError for a damaged file, or when two collections have the name.
 */
export function mergeCollection(bytes: Uint8Array, collection: Collection): Uint8Array {
  const { countAt, collections } = locateCollections(bytes)
  const old = findNamed(collections, collection.name)
  const known = new Map(old?.hashes.map((hash) => [hash.toLowerCase(), hash]))
  const hashes = collection.hashes.map((hash) => known.get(hash.toLowerCase()) ?? hash)
  const part = partOf((sink) => writeCollection(sink, { ...collection, hashes }))
  const place = old ?? endOf(collections, countAt)
  return putPart(bytes, part, place, { countAt, count: collections.length + (old ? 0 : 1) })
}

/**
 * An .osdb with the collection in it, in the version that the file has. What holds for a collection.db
 * holds for the content of this file; beatmaps that were in the collection keep what the file says of them.
 *
 * @returns the same bytes when the collection is there already as it is.
 * @throws FormatError for a damaged file, or when two collections have the name.
 */
export async function mergeOsdb(
  bytes: Uint8Array,
  collection: OsdbCollection,
): Promise<Uint8Array> {
  const { osdb, mark, layout, content, countAt, spans } = await locateOsdb(bytes)
  const located = osdb.collections.map((each, at) => ({ ...each, ...spans[at]! }))
  const old = findNamed(located, collection.name)
  const beatmaps = collection.beatmaps.map((beatmap) => mergeBeatmap(old?.beatmaps ?? [], beatmap))
  const { onlineId } = old ?? collection
  const part = partOf((sink) =>
    writeOsdbCollection(sink, layout, { ...collection, onlineId, beatmaps }),
  )
  const place = old ?? endOf(located, countAt)
  const count = located.length + (old ? 0 : 1)
  const merged = putPart(content, part, place, { countAt, count })
  if (merged === content) return bytes
  return layout.isPacked ? packOsdb(mark, merged) : merged
}

function mergeBeatmap(olds: readonly OsdbBeatmap[], beatmap: OsdbBeatmap): OsdbBeatmap {
  const old = olds.find(({ id }) => id === beatmap.id)
  if (old === undefined) return beatmap
  if (old.checksum.toLowerCase() === beatmap.checksum.toLowerCase()) return old
  return { ...beatmap, comment: old.comment }
}

type Span = { readonly start: number; readonly end: number }

function findNamed<C extends Span & { readonly name: string }>(
  collections: readonly C[],
  name: string,
): C | undefined {
  const [found, second] = collections.filter((each) => each.name === name)
  if (second === undefined) return found
  const remedy = `this is a second collection named ${name}; rename one of them`
  throw new FormatError(remedy, { offset: second.start })
}

/** The empty span after the last collection. */
function endOf(collections: readonly Span[], countAt: number): Span {
  const at = collections.at(-1)?.end ?? countAt + 4
  return { start: at, end: at }
}

function partOf(write: (sink: ByteSink) => void): Uint8Array {
  const sink = new ByteSink()
  write(sink)
  return sink.whole()
}

function putPart(
  bytes: Uint8Array,
  part: Uint8Array,
  { start, end }: Span,
  { countAt, count }: { readonly countAt: number; readonly count: number },
): Uint8Array {
  const old = bytes.subarray(start, end)
  if (old.length === part.length && old.every((byte, at) => byte === part[at])) return bytes
  const merged = new Uint8Array(bytes.length - old.length + part.length)
  merged.set(bytes.subarray(0, start))
  merged.set(part, start)
  merged.set(bytes.subarray(end), start + part.length)
  new DataView(merged.buffer).setInt32(countAt, count, true)
  return merged
}
