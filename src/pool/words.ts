import { editDistance, plainDigits } from './text.ts'

/** Longer words are cut, so that no word makes a large entry. In code points. */
const WORD_LENGTH = 32
/** Words of one text; those after them are not searched. */
const WORDS = 64
/** A description of the longest length has no more words. */
export const DESCRIPTION_WORDS = 250
/** Words of a query; those after them are not searched for. */
export const QUERY_WORDS = 8
/** No text of ours or of the platform is longer, in UTF-16 code units. */
const TEXT_LENGTH = 2048

const letters = /[\p{L}\p{M}\p{N}]/v
/** Scripts that put no spaces between words, and Hangul, whose endings vary. */
const unspaced =
  /[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]]/v
const parts = new RegExp(`${unspaced.source}+|[${letters.source}--${unspaced.source}]+`, 'gv')
/** Marks above and below letters. The voiced marks of kana and the vowels of other scripts make another letter. */
const accents =
  /[[\p{M}&&[\p{sc=Inherited}\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Arabic}\p{sc=Hebrew}]]--[\u3099\u309A]]/gv
const apostrophes = /(?<=[\p{L}\p{N}])['’‘ʼ`´＇](?=[\p{L}\p{N}])/gu
const initials = /(?<![\p{L}\p{N}])\p{L}(?:\.\p{L})+(?![\p{L}\p{N}])/gu
const katakana = /[\u30A1-\u30F6]/g
const plain: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ŋ: 'n',
  ı: 'i',
  ς: 'σ',
}
const special = new RegExp(`[${Object.keys(plain).join('')}]`, 'g')

// Most texts are; the general expressions take ten times as long.
// eslint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\0-\x7F]*$/.test(text)

/** Lower case, without accents; full-width and other forms of letters as usual; digits 0 to 9; hiragana for katakana. */
function fold(text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  return plainDigits(text.toWellFormed())
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(accents, '')
    .normalize('NFC')
    .replaceAll(special, (letter) => plain[letter] ?? letter)
    .replaceAll(katakana, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
}

/** Whether a word is of a script in which each character may be a word. */
const isUnspaced = (word: string): boolean => !isAscii(word) && unspaced.test(word)

function cut(word: string): string {
  return word.length <= WORD_LENGTH ? word : Array.from(word).slice(0, WORD_LENGTH).join('')
}

const runsIn = (folded: string): readonly string[] =>
  folded.match(isAscii(folded) ? /[a-z0-9]+/g : parts) ?? []

/** Runs of letters; those without spaces between words as pairs of neighbours, or the only character. */
function wordsIn(folded: string): string[] {
  return runsIn(folded).flatMap((run) => {
    if (!isUnspaced(run)) return cut(run)
    const characters = Array.from(run)
    if (characters.length === 1) return run
    return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
  })
}

/**
 * The words of a text in their order, folded: letters and digits in lower case without accents, at most 64
 * words of 32 code points. Apostrophes and the dots of initials vanish (`don't`: dont, `R.I.P`: rip), everything else
 * separates. Runs of Han, kana, Hangul, Thai and the like become pairs of neighbours.
 */
export function foldWords(text: string, limit = WORDS): string[] {
  return wordsIn(tidy(fold(text.slice(0, TEXT_LENGTH)))).slice(0, limit)
}

function tidy(folded: string): string {
  if (!/['’‘ʼ`´＇.]/.test(folded)) return folded
  return folded.replaceAll(apostrophes, '').replaceAll(initials, (word) => word.replaceAll('.', ''))
}

/** Everything that a text is found by: its words, and how else people write them. Each once. */
export function spellingsOf(text: string, limit = WORDS): string[] {
  const folded = fold(text.slice(0, TEXT_LENGTH))
  const words = wordsIn(tidy(folded)).slice(0, limit)
  const all = new Set(words)
  for (const word of words) {
    if (isUnspaced(word)) for (const character of word) all.add(character)
    else if (/\d/.test(word)) for (const part of splitAtDigits(word)) all.add(part)
  }
  for (const [at, word] of words.entries()) {
    const before = words[at - 1]
    if (before && /^\d+$/.test(word) && /^[a-z]+$/.test(before)) all.add(cut(before + word))
  }
  // Within words of letters alone, nothing is left out.
  const chunks = /[^a-z0-9\s]/.test(folded) ? folded.split(/\s+/).slice(0, limit) : []
  for (const chunk of chunks) {
    const pieces = runsIn(chunk)
    if (pieces.length < 2 || pieces.some(isUnspaced)) continue
    for (const piece of pieces) all.add(cut(piece))
    all.add(cut(pieces.join('')))
  }
  return [...all].slice(0, 3 * limit)
}

/** `owc2023`: owc, 2023. Random names with digits all over give none. */
function splitAtDigits(word: string): string[] {
  const found = word.match(/\d+|\D+/g) ?? []
  return found.length === 2 || found.length === 3 ? found : []
}

/**
 * What a query searches for: its words, each once; and whether the last one may go on.
 *
 * @param rows the words of its text as `foldWords` makes them, in parts where something else separates them.
 */
export function searchedWords(rows: readonly (readonly string[])[], text: string) {
  const words = [...new Set(rows.flatMap(withoutCovered))].slice(0, QUERY_WORDS)
  const last = rows.at(-1)?.at(-1)
  return { words, isOpen: last !== undefined && last === words.at(-1) && !/\s$/.test(text) }
}

/** A row without pairs of characters whose characters are both in the pairs before and after. */
function withoutCovered(row: readonly string[]): readonly string[] {
  let before = ''
  return row.filter((word, at) => {
    const next = row[at + 1] ?? ''
    const [first = '', second = ''] = word
    const isCovered =
      isUnspaced(word) && before.endsWith(first) && second !== '' && next.startsWith(second)
    if (isCovered) return false
    before = word
    return true
  })
}

/** Whether a word that is still being typed stands for all that begin with it: most begin with a single letter. */
export const mayGoOn = (word: string): boolean => word.length > 1 && !isUnspaced(word)

/** Typing errors do not show in shorter words, in numbers, and where each character may be a word. */
const mayBeMisspelt = (word: string): boolean =>
  word.length >= 4 && !isUnspaced(word) && !/^\p{N}+$/u.test(word) && Array.from(word).length >= 4

/**
 * A word and what is left of it without one of its letters: two words that differ by a typing error have
 * one in common. None of a word that is too short for typing errors to show.
 */
export function variantsOf(word: string): string[] {
  if (!mayBeMisspelt(word)) return []
  const characters = Array.from(word)
  const without = characters.map((_, at) => characters.toSpliced(at, 1).join(''))
  return [...new Set([word, ...without])]
}

/**
 * Whether two words differ by a typing error: a letter more, less, or another one, or two neighbours swapped;
 * up to two of these in words of 8 letters and more. Their digits are the same.
 */
export function isNear(one: string, other: string): boolean {
  const distance = errorsBetween(one, other)
  return distance > 0 && distance < Infinity
}

/** How many typing errors lie between two words; Infinity for too many. */
export function errorsBetween(one: string, other: string): number {
  if (one === other) return 0
  if (!mayBeMisspelt(one) || !mayBeMisspelt(other)) return Infinity
  if (one.replaceAll(/\P{N}+/gu, ' ').trim() !== other.replaceAll(/\P{N}+/gu, ' ').trim()) {
    return Infinity
  }
  const [a, b] = [Array.from(one), Array.from(other)]
  const most = Math.min(a.length, b.length) >= 8 ? 2 : 1
  if (Math.abs(a.length - b.length) > most) return Infinity
  const distance = editDistance(a, b)
  return distance <= most ? distance : Infinity
}
