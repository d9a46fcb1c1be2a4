import { gunzipSync, gzipSync } from 'node:zlib'
import { writeOsdb } from '../../src/formats/collection/osdb.ts'
import { ByteSink } from '../../src/pool/pack-key/encode.ts'

const hash = '0123456789abcdef0123456789abcdef'
const beatmap = {
  id: 75,
  setId: 1,
  artist: 'Nine Rivers',
  title: '春',
  difficulty: 'Hard',
  checksum: hash,
  comment: '',
  ruleset: 'taiko',
  stars: 2.5,
} as const
const collections = [
  { name: 'Finals', onlineId: -1, beatmaps: [beatmap, { ...beatmap, id: 0 }], hashes: [hash] },
  { name: '', onlineId: 7, beatmaps: [], hashes: [] },
]

/** Bytes that the mark and its length take in front of what is packed. */
const MARK_BYTES = 6

/** A sound file of version 8. */
export const osdbSample: Uint8Array = await writeOsdb(collections, { savedAt: 0, editor: 'Ada' })

/** What is packed in it. */
export const osdbContent: Uint8Array = gunzipSync(osdbSample.subarray(MARK_BYTES))

/** A file that holds this content. */
export const packedOsdb = (content: Uint8Array): Uint8Array =>
  Buffer.concat([osdbSample.subarray(0, MARK_BYTES), gzipSync(content, { level: 1 })])

/** A file of version 2, which is not packed. */
const oldOsdb = (): Uint8Array => {
  const sink = new ByteSink()
  sink.text('o!dm2')
  sink.double(25_569)
  sink.text('Ada')
  sink.int32(1)
  sink.text('Finals')
  sink.int32(1)
  sink.int32(75)
  sink.int32(1)
  for (const text of ['Nine Rivers', '春', 'Hard', hash, 'By Piotrekol']) sink.text(text)
  return sink.whole()
}

export const oldOsdbSample: Uint8Array = oldOsdb()
