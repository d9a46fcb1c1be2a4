import { forcedMods } from '../../contract/mods.ts'
import type { BucketMods } from '../../contract/pools.ts'
import { checkForcedSet, foldCode, isBuiltinCode, isCode, wholeTable } from '../../pool/buckets.ts'
import type { PoolDraft } from '../../pool/pool.ts'

/** A word of a line, without the punctuation around it. */
export type Word = ReturnType<typeof readWords>[number]

const wordPattern = /[^\s:=>|()[\]{}<"“”„'`*~#–—→•·,;]+/gu
const punctuationOnly = /^[^\p{L}\p{N}]+$/u

/** The words of a line of text, in time that grows with its length alone. */
export function readWords(line: string) {
  const found = [...line.matchAll(wordPattern)].filter(([text]) => !punctuationOnly.test(text))
  let end = 0
  return found.map(({ 0: text, index }) => {
    const gap = line.slice(end, index)
    end = index + text.length
    return {
      text: text.endsWith('.') ? text.slice(0, -1) : text,
      /** Whether a dash, a bracket, a comma or such separates it from the word before it. */
      apart: /[-–—|,;([#]|\/\//.test(gap),
      /** Whether a separator of table cells precedes it. */
      isCell: /[\t,;|]/.test(gap),
      /** Whether a colon or `>` precedes it, as after the name of a chat's speaker. */
      afterColon: /[:>]/.test(gap),
    }
  })
}

// What chats and sheets put between letters without showing it.
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g

/** A text without invisible characters and without white space around it. */
export function tidy(text: string): string {
  return text.replace(invisible, '').trim()
}

/** A whole number in ASCII digits of any length; null for anything else. */
export function readWhole(text = ''): number | null {
  return /^[0-9]+$/.test(text) ? Number(text) : null
}

/** Where a beatmap belongs, as it was written: no code for no bucket; an index in range or not, or none. */
export type Label = { readonly code: string | null; readonly index: number | null }

const number = /^[0-9]{1,3}$/

/**
 * Reads what `slotLabel` writes, and what people write instead: `NM1`, `hd 2`, `NM`, `RC1 2`, `3`.
 * A number directly after a code is the slot's, so a code that ends in a digit has its number
 * after a space, unless the draft has a bucket of exactly that code and none of the shorter one.
 *
 * @returns null when the words are no label.
 */
export function readLabel(words: readonly string[], codes: BucketCodes): Label | null {
  const [first, second] = words
  if (first === undefined || words.length > 2) return null
  if (second === undefined) return readWord(first, codes)
  return isCode(first) && number.test(second) ? { code: first, index: Number(second) } : null
}

function readWord(word: string, codes: BucketCodes): Label | null {
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

type CodeLabel = Label & { readonly code: string }

export function texts(words: readonly Word[]): string[] {
  return words.map(({ text }) => text)
}

/** Whether the label names a bucket of the draft. */
export function isKnown(label: Label | null | undefined, codes: BucketCodes): label is CodeLabel {
  return label?.code != null && codes.find(label.code) !== null
}

/** Whether a text is a label of a bucket of the draft. */
export function namesBucket(text: string, codes: BucketCodes): boolean {
  return isKnown(readLabel(texts(readWords(text)), codes), codes)
}

/** Whether the label can be nothing else: the code of a bucket there is, or a code and a number. */
export function isPlain(label: Label | null | undefined, codes: BucketCodes): label is CodeLabel {
  return label?.code != null && (label.index !== null || isKnown(label, codes))
}

/**
 * The mods that a bucket's code is made of, such as `EZ`, `HDHR` or `FLHD`, in any order and case; null for other
 * codes, for built-in ones, and for mods that exclude each other (D-23).
 */
export function modsOfCode(code: string): BucketMods | null {
  const fold = foldCode(code)
  if (isBuiltinCode(fold) || !/^(?:EZ|HD|HR|DT|HT|FL){1,3}$/.test(fold)) return null
  const parts: readonly string[] = fold.match(/../g) ?? []
  const set = forcedMods.filter((mod) => parts.includes(mod))
  return set.length === parts.length && checkForcedSet(set) === null
    ? { kind: 'forced', set }
    : null
}

/** The codes of a draft's buckets, built-ins included, to be found ignoring case (D-21). */
export class BucketCodes {
  readonly #byFold = new Map<string, string>()

  constructor(draft: PoolDraft) {
    for (const { code } of wholeTable(draft)) this.add(code)
  }

  add(code: string): void {
    this.#byFold.set(foldCode(code), code)
  }

  /** The code as the draft spells it; null when it has no such bucket. */
  find(code: string): string | null {
    return this.#byFold.get(foldCode(code)) ?? null
  }
}
