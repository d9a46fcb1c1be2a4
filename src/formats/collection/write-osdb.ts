import { rulesets } from '../../contract/mods.ts'
import { ByteSink } from './byte-sink.ts'
import { gzip } from './gzip.ts'
import { type Osdb, OSDB_FOOTER, type OsdbBeatmap, type OsdbCollection, toOleDate } from './osdb.ts'
import { layoutsOf, type OsdbLayout } from './osdb-layout.ts'

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
