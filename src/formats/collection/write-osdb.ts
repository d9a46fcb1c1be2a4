import { rulesets } from '../../contract/mods.ts'
import { ByteSink } from './byte-sink.ts'
import { gzip } from './gzip.ts'
import { type Osdb, OSDB_FOOTER, toOleDate } from './osdb.ts'

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
  for (const { name, onlineId, beatmaps, hashes } of collections) {
    content.text(name)
    content.int32(onlineId)
    content.int32(beatmaps.length)
    for (const beatmap of beatmaps) {
      content.int32(beatmap.id)
      content.int32(beatmap.setId)
      content.text(beatmap.artist)
      content.text(beatmap.title)
      content.text(beatmap.difficulty)
      content.text(beatmap.checksum)
      content.text(beatmap.comment)
      content.byte(rulesets.indexOf(beatmap.ruleset))
      content.double(beatmap.stars)
    }
    content.int32(hashes.length)
    for (const hash of hashes) content.text(hash)
  }
  content.text(OSDB_FOOTER)
  const packed = await gzip(content.whole(), PACKED_NAME)
  const file = new ByteSink()
  file.text(MARK)
  file.bytes(packed)
  return file.whole()
}
