import { rulesets } from '../../contract/mods.ts'
import { FormatError } from '../format-error.ts'
import { ByteSource, checkSize } from './dotnet-bytes.ts'
import { gunzip } from './gzip.ts'
import {
  fromOleDate,
  layoutsOf,
  type Osdb,
  OSDB_FOOTER,
  type OsdbBeatmap,
  type OsdbCollection,
  type OsdbLayout,
} from './osdb.ts'

const MAX_UNPACKED = 128 * 1024 * 1024
const MAX_BEATMAPS = 1_000_000
const LONGEST_MARK = 16
/** Bytes that an id and a checksum, or a checksum take at least. */
const LEAST_BEATMAP = 5
const LEAST_HASH = 1

/**
 * Reads Collection Manager's .osdb, versions 1 to 8 and the smaller "min" forms. Written down from
 * memory of the format and tried against our own writer and hand-made files of each version only.
 *
 * @throws FormatError with the offset, which counts in the unpacked content from version 7 on; for
 * a file over 64 MB, 128 MB unpacked, 10,000 collections or 1,000,000 beatmaps, too.
 */
export async function readOsdb(bytes: Uint8Array): Promise<Osdb> {
  return (await locateOsdb(bytes)).osdb
}

/** A file, and where its parts are in the content: in what is unpacked from version 7 on, else in the file. */
export type LocatedOsdb = {
  readonly osdb: Osdb
  readonly mark: string
  readonly layout: OsdbLayout
  readonly content: Uint8Array
  /** Where the int32 number of collections is. */
  readonly countAt: number
  /** Where each collection begins and ends. */
  readonly spans: readonly { readonly start: number; readonly end: number }[]
}

/** Reads an .osdb as `readOsdb` does, with the place of each collection in it. */
export async function locateOsdb(bytes: Uint8Array): Promise<LocatedOsdb> {
  checkSize(bytes)
  const mark = osdbMark(bytes)
  const layouts = mark === null ? [] : layoutsOf(mark)
  const [first] = layouts
  if (mark === null || first === undefined) {
    throw new FormatError('an .osdb file must begin with o!dm to o!dm8', { offset: 0 })
  }
  const content = first.isPacked ? await gunzip(bytes, mark.length + 1, MAX_UNPACKED) : bytes
  const errors: FormatError[] = []
  for (const layout of layouts) {
    try {
      return { mark, layout, content, ...readContent(content, mark, layout) }
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      errors.push(error)
    }
  }
  throw errors[0] ?? new FormatError('the file is damaged')
}

/** The text with which the file begins, when that is the beginning of an .osdb; or null. */
export function osdbMark(bytes: Uint8Array): string | null {
  const length = bytes[0] ?? 0
  if (length > LONGEST_MARK || length >= bytes.length) return null
  const mark = String.fromCharCode(...bytes.subarray(1, length + 1))
  return mark.startsWith('o!dm') ? mark : null
}

function readContent(
  content: Uint8Array,
  mark: string,
  layout: OsdbLayout,
): Pick<LocatedOsdb, 'osdb' | 'countAt' | 'spans'> {
  const source = new ByteSource(
    content,
    layout.isPacked ? ' (counted in the unpacked content)' : '',
  )
  if (source.text() !== mark) throw source.error(0, `${mark} must be repeated here`)
  const savedAt = fromOleDate(source.double())
  const editor = source.text()
  const countAt = source.offset
  let room = MAX_BEATMAPS
  const spans: { start: number; end: number }[] = []
  const collections = Array.from({ length: source.collectionCount() }, () => {
    const start = source.offset
    const collection = readCollection(source, layout, room)
    room -= collection.beatmaps.length + collection.hashes.length
    spans.push({ start, end: source.offset })
    return collection
  })
  const end = source.offset
  if (source.text() !== OSDB_FOOTER || !source.isAtEnd) {
    throw source.error(end, `the file must end with ${OSDB_FOOTER} here; it is damaged`)
  }
  return { osdb: { version: layout.version, savedAt, editor, collections }, countAt, spans }
}

function readCollection(source: ByteSource, layout: OsdbLayout, room: number): OsdbCollection {
  const name = source.text()
  const onlineId = layout.hasOnlineId ? source.int32() : -1
  const beatmaps = readList(source, LEAST_BEATMAP, room, () => readBeatmap(source, layout))
  const left = room - beatmaps.length
  const hashes = layout.hasHashes
    ? readList(source, LEAST_HASH, left, () => source.checksum(() => source.text()))
    : []
  return { name, onlineId, beatmaps, hashes: hashes.filter((hash) => hash !== '') }
}

function readList<T>(source: ByteSource, least: number, room: number, read: () => T): T[] {
  const start = source.offset
  const count = source.count('beatmaps', least)
  if (count > room) {
    throw source.error(start, `a file can have at most ${MAX_BEATMAPS} beatmaps`)
  }
  return Array.from({ length: count }, read)
}

function readBeatmap(source: ByteSource, layout: OsdbLayout): OsdbBeatmap {
  const text = (has: boolean): string => (has ? source.text() : '')
  // Fields of an object literal are evaluated in the order in which they are written.
  return {
    id: source.int32(),
    setId: layout.hasSetId ? source.int32() : 0,
    artist: text(layout.hasNames),
    title: text(layout.hasNames),
    difficulty: text(layout.hasNames),
    checksum: source.checksum(() => source.text()),
    comment: text(layout.hasComment),
    ruleset: layout.hasRuleset ? readRuleset(source) : 'base',
    stars: layout.hasStars ? source.double() : 0,
  }
}

function readRuleset(source: ByteSource) {
  const start = source.offset
  const ruleset = rulesets[source.byte()]
  if (ruleset === undefined) throw source.error(start, 'a ruleset must be 0 to 3; it is damaged')
  return ruleset
}
