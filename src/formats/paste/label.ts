import { completeBuckets, foldCode, isCode } from '../../pool/buckets.ts'
import type { PoolDraft } from '../../pool/pool.ts'

/** Where a beatmap is to stand, as somebody wrote it. */
export type Label = {
  /** The bucket's code as it was written; null for a slot without a bucket. */
  readonly code: string | null
  /** The number as it was written, in range or not; null when there was none. */
  readonly index: number | null
}

const number = /^[0-9]{1,3}$/

/**
 * Reads what `slotLabel` writes, and what people write instead: `NM1`, `hd 2`, `NM`, `RC1 2`, `3`.
 * A number directly behind a code is the slot's, so a code that ends in a digit takes its number
 * after a space, unless the draft has a bucket of exactly that code and none of the shorter one.
 *
 * @returns null when the words are no label.
 */
export function readLabel(words: readonly string[], codes: KnownCodes): Label | null {
  const [first, second] = words
  if (first === undefined || words.length > 2) return null
  if (second === undefined) return readWord(first, codes)
  if (!isCode(first) || !number.test(second)) return null
  return { code: first, index: Number(second) }
}

function readWord(word: string, codes: KnownCodes): Label | null {
  if (number.test(word)) return { code: null, index: Number(word) }
  const code = withoutNumber(word)
  const isSplit = code !== word && isCode(code) && !/\p{N}$/u.test(code)
  const isBucket = codes.find(word) !== null && codes.find(code) === null
  if (isSplit && !isBucket) return { code, index: Number(word.slice(code.length)) }
  return isCode(word) ? { code: word, index: null } : null
}

function withoutNumber(word: string): string {
  let end = word.length
  while (end > 0 && '0123456789'.includes(word.charAt(end - 1))) end -= 1
  return word.slice(0, end)
}

/** Whether the label can be nothing else: the code of a bucket there is, or a code and a number. */
export function isPlain(label: Label | null, codes: KnownCodes): label is Label {
  return label?.code != null && (label.index !== null || codes.find(label.code) !== null)
}

/** The codes of a draft's buckets, built-ins included, to be found ignoring case (D-21). */
export class KnownCodes {
  readonly #byFold = new Map<string, string>()

  constructor(draft: PoolDraft) {
    for (const { code } of completeBuckets(draft.buckets ?? [], draft.slots)) this.add(code)
  }

  add(code: string): void {
    this.#byFold.set(foldCode(code), code)
  }

  /** The code as the draft spells it; null when it has no such bucket. */
  find(code: string): string | null {
    return this.#byFold.get(foldCode(code)) ?? null
  }
}
