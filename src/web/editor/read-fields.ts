import { MAX_SLOT_INDEX } from '../../contract/bounds.ts'
import type { Bucket } from '../../contract/pools.ts'
import { readPaste } from '../../formats/read-paste.ts'
import { foldCode, isCode } from '../../pool/buckets.ts'

/** The value that a field's text means, or why it means none. */
export type Reading<T> = { readonly value: T } | { readonly reason: string }

/** A slot's number. */
export function readIndex(text: string): Reading<number> {
  const value = /^\s*\d{1,4}\s*$/.test(text) ? Number(text) : 0
  return value >= 1 && value <= MAX_SLOT_INDEX
    ? { value }
    : { reason: `Enter a number from 1 to ${MAX_SLOT_INDEX}.` }
}

/** A custom bucket's code; `own` is the one that it has now. */
export function readCode(
  text: string,
  buckets: readonly Bucket[],
  own: string | null,
): Reading<string> {
  const value = text.trim()
  if (!isCode(value)) return { reason: 'Use 1 to 12 letters or digits.' }
  const holder = buckets.find(({ code }) => code !== own && foldCode(code) === foldCode(value))
  return holder === undefined ? { value } : { reason: `Bucket ${holder.code} already exists.` }
}

/** A beatmap: an id or a link, in one line. */
export function readBeatmap(text: string): Reading<number> {
  const [line, ...others] = readPaste(text.trim(), { name: '', slots: [] }).lines
  if (line === undefined || line.outcome === 'skipped' || others.length > 0) {
    return { reason: 'Enter a beatmap id or link.' }
  }
  return line.outcome === 'slot' ? { value: line.beatmapId } : { reason: line.reason }
}
