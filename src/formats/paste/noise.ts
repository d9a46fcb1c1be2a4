import type { KnownCodes } from './known-codes.ts'
import type { Word } from './words.ts'

const fieldNames = new Set(['beatmap', 'map', 'id', 'beatmapid', 'mapid', 'link', 'url'])

/** The words of `Beatmap ID: 129891` without what only says that an id follows. */
export function withoutFieldName(words: readonly Word[], codes: KnownCodes): readonly Word[] {
  const first = words.findIndex(
    ({ text }) => !fieldNames.has(text.toLowerCase()) || codes.find(text) !== null,
  )
  return first < 0 ? [] : words.slice(first)
}
