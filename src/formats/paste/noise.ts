import type { KnownCodes } from './known-codes.ts'
import type { Word } from './words.ts'

const fieldNames = new Set(['beatmap', 'map', 'id', 'beatmapid', 'mapid', 'link', 'url'])

/** The words of `Beatmap ID: 129891`, or in front of a link, without what only says that one follows. */
export function withoutFieldName(words: readonly Word[], codes: KnownCodes): readonly Word[] {
  const says = ({ text }: Word): boolean =>
    !fieldNames.has(text.toLowerCase()) || codes.find(text) !== null
  return words.slice(...span(words.findIndex(says), words.findLastIndex(says)))
}

const span = (first: number, last: number): [number, number] =>
  first < 0 ? [0, 0] : [first, last + 1]

const tag = /\[\/?(?:b|i|u|s|url|list|\*|box|quote|notice|centre)\]/gi

/** A line without the tags of forum posts. Without a closing one, `[B]` may be a heading. */
export function withoutTags(line: string): string {
  return line.includes('[/') ? line.replace(tag, ' ').trim() : line
}
