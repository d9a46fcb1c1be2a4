import alphabets from './alphabets.json' with { type: 'json' }
import confusables from './confusables.json' with { type: 'json' }
import { partedWords, spelledTogether } from './spelling.ts'

/**
 * The text in every way in which people read it: as it is stored, with joined words parted, as it is shown,
 * upside down, in a mirror, without what stands between its letters, with the letters above its letters, with
 * the letters that signs draw. Each is linear in the text, and most texts have one.
 */
export function readings(text: string): string[] {
  const stored = inOneAlphabet(spelledTogether(plain(text)))
  const found = [stored]
  const parted = partedWords(stored)
  if (parted !== stored) found.push(parted)
  const unlaced = unlace(stored)
  if (unlaced !== '') found.push(unlaced)
  if (drawing.test(stored)) found.push(stored.replace(drawings, drawn))
  if (isForeign(text)) found.push(...foreignReadings(text, stored))
  return found
}

/** Invisible characters that run from right to left. */
const mark = /[\u200f\u061c]+/gu
/** Letters that do. */
const rightToLeft =
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]+/gu
/** Reverses all text after it; texts stored before D-47 may hold one. */
const OVERRIDE = '\u202e'

function foreignReadings(text: string, stored: string): string[] {
  const found: string[] = []
  // Between characters that run right to left, pieces of Latin text are shown in the opposite order.
  if (text.search(mark) >= 0) found.push(plain(text.split(mark).toReversed().join('')))
  if (stored.search(rightToLeft) >= 0) {
    found.push(stored.split(rightToLeft).toReversed().join(' '))
  }
  if (text.includes(OVERRIDE)) found.push(backwards(stored))
  const set = spelledTogether(text)
  if (onItsHead.test(text)) {
    const upright = upended(set, onItsHead, turned)
    found.push(upright, backwards(upright))
  }
  if (inMirror.test(text)) found.push(upended(set, inMirror, mirrored))
  if (lettersAbove.test(text)) {
    const letters = hasCyrillic.test(text) ? new Map([...above, ...aboveCyrillic]) : above
    found.push(plain(text.replace(lettersAbove, (sign) => letters.get(sign) ?? sign)))
  }
  return found
}

/** The words that have such a character, from the end of the text to its beginning. */
function upended(text: string, sign: RegExp, letters: ReadonlyMap<string, string>): string {
  const shown = text
    .split(/\s+/)
    .map((word) =>
      sign.test(word) ? Array.from(word, (each) => letters.get(each) ?? each) : [','],
    )
  return plain(backwards(shown.map((word) => word.join('')).join(' ')))
}

const backwards = (text: string): string => Array.from(text).toReversed().join('')

/** Each character of such a table, and the letter that it is read as. */
const inverse = (table: Readonly<Record<string, string>>): Map<string, string> =>
  new Map(
    Object.entries(table).flatMap(([letter, characters]) =>
      Array.from(characters, (character) => [character, letter] as const),
    ),
  )

const turned = inverse(alphabets.turned)
const mirrored = inverse(alphabets.mirrored)
const above = inverse(alphabets.above)
const aboveCyrillic = inverse(alphabets.aboveCyrillic)
const hasCyrillic = /\p{Script=Cyrillic}/u

const anyOf = (letters: ReadonlyMap<string, string>, but: RegExp, flags = 'u'): RegExp =>
  new RegExp(`[${[...letters.keys()].filter((each) => !but.test(each)).join('')}]`, flags)

/** What only text on its head has: the rest are letters of living languages as well. */
const onItsHead = anyOf(turned, /[\0-\x7fıəſΛ∩]/u)
const inMirror = anyOf(mirrored, /[\0-\x7f\p{Script=Cyrillic}įʜ]/u)
const lettersAbove = anyOf(new Map([...above, ...aboveCyrillic]), /[^\p{M}]/u, 'gu')

/** So many times something stands between letters before it is taken for a disguise: "f1a1g". */
const LACES = 2
/** Letters that words alternate with, as "zapalać" does: it takes more of them. */
const COMMON_LACES = 4
const rareLetter = /[\djqvwxz]/i

/**
 * The words that have the same letter, or any digit, between all of their letters, without those; each of
 * them is a word of the text returned. Words such as "level" are among them: what remains of them is no word.
 */
function unlace(text: string): string {
  let found = ''
  const starts: [number, number] = [0, 1]
  for (let at = 2; at < text.length + 2; at += 1) {
    if (isLaced(text, at)) continue
    const start = starts[at & 1 ? 1 : 0]
    const laces = (at - start) / 2
    if (laces >= (rareLetter.test(text.charAt(start)) ? LACES : COMMON_LACES)) {
      for (let place = start - 1; place < at; place += 2) {
        found += text.charAt(place)
      }
      found += ' , '
    }
    starts[at & 1 ? 1 : 0] = at
  }
  return found
}

/** Whether what stands here stands before the last character as well, which is a letter. */
function isLaced(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const before = text.charCodeAt(at - 2)
  const between = text.charCodeAt(at - 1)
  if (isDigit(code)) return isDigit(before) && between > DIGIT_9
  return (code | SMALL) === (before | SMALL) && code > DIGIT_9 && between > DIGIT_9
}

const LETTER_A = 97
const DIGIT_0 = 48
const DIGIT_9 = 57
/** The bit in which a small ASCII letter differs from its capital. */
const SMALL = 32

const isDigit = (code: number): boolean => code >= DIGIT_0 && code <= DIGIT_9

/** Letters drawn of several ASCII signs, the longest first where one begins another. */
const drawnLetters: Readonly<Record<string, string>> = {
  '|\\/|': 'm',
  '/\\/\\': 'm',
  '|v|': 'm',
  '\\/\\/': 'w',
  '|/\\|': 'w',
  '|\\|': 'n',
  '/\\/': 'n',
  '|-|': 'h',
  ']-[': 'h',
  '}{': 'h',
  '/-\\': 'a',
  '/\\': 'a',
  '|3': 'b',
  '|)': 'd',
  '[)': 'd',
  '|>': 'd',
  '|=': 'f',
  '_|': 'j',
  '|<': 'k',
  '|{': 'k',
  '|_|': 'u',
  '(_)': 'u',
  '\\_/': 'u',
  '(_+': 'g',
  '(_,': 'g',
  '|_': 'l',
  '()': 'o',
  '[]': 'o',
  '|*': 'p',
  '|°': 'p',
  '|2': 'r',
  '|?': 'r',
  '-|-': 't',
  "']['": 't',
  '\\/': 'v',
  '><': 'x',
  '`/': 'y',
  "'/": 'y',
}
const drawnOnes = Object.keys(drawnLetters).toSorted((a, b) => b.length - a.length)
const drawings = new RegExp(
  drawnOnes.map((signs) => signs.replace(/[^a-z\d]/g, '\\$&')).join('|'),
  'gi',
)
/** What every drawn letter has two of, side by side; hardly any text does. */
const drawing = /[|/\\()[\]{}<>_`'-][|/\\()[\]{}<>_*°?=+,v23-]/i
const drawn = (signs: string): string => drawnLetters[signs.toLowerCase()] ?? signs

/** Takes compatibility forms apart and leaves marks and invisible characters out; keeps the case. */
export function plain(text: string): string {
  if (!foreign.test(text)) return text
  return text.replace(phrase, '').normalize('NFKD').replace(ornament, '').normalize('NFC')
}

/** The text with each character as the one that it looks like (UTS 39, or the table given), in lower case. */
export function lookAlike(text: string, table = prototypes): string {
  if (!foreign.test(text)) return text.toLowerCase()
  let shown = ''
  for (const character of text) shown += table.get(character) ?? character
  return plain(shown).toLowerCase()
}

/** Whether there is more than ASCII. */
export const isForeign = (text: string): boolean => foreign.test(text)

/** Marks and invisible characters; not the two kana marks, which make another letter. */
const ornament = /(?![\u3099\u309a])[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Arabic phrases drawn as one character, up to 18 letters each: nothing hides there but time. */
const phrase = /[\ufdfa\ufdfb]/g

/** What the table of confusables has entries for: never ASCII. */
const foreign = /[^\0-\x7f]/u

/** Each character that looks like another text, and that text. The table takes ы for two letters. */
export const prototypes: ReadonlyMap<string, string> = new Map(
  Object.entries(confusables.lookAlikes).flatMap(([text, characters]) =>
    Array.from(characters)
      .filter((character) => character !== 'ы')
      .map((character) => [character, text] as const),
  ),
)

/** What an alphabet writes for a letter, without what it writes for several. */
function lettersOf(rows: readonly string[]): Map<string, string> {
  const letters = new Map<string, string>()
  for (const row of rows) {
    for (const [at, character] of Array.from(row).entries()) {
      for (const each of [character, character.toLowerCase(), character.toUpperCase()]) {
        const shown = plain(each)
        if (!isForeign(shown)) continue
        const letter = String.fromCharCode(LETTER_A + at)
        letters.set(shown, (letters.get(shown) ?? letter) === letter ? letter : shown)
      }
    }
  }
  return letters
}

/** Alphabets, and for each character the numbers of those that have it. */
type Alphabets = {
  readonly letters: readonly ReadonlyMap<string, string>[]
  readonly of: ReadonlyMap<string, number[]>
}

function alphabetsOf(letters: readonly ReadonlyMap<string, string>[]): Alphabets {
  const of = new Map<string, number[]>()
  for (const [at, alphabet] of letters.entries()) {
    for (const character of alphabet.keys()) of.set(character, [...(of.get(character) ?? []), at])
  }
  return { letters, of }
}

const rows = alphabets.whole.map((kind) => kind.split(' '))
const generators = alphabetsOf(rows.flat().map((row) => lettersOf([row])))
/** Those of one kind together, for some generators mix them. */
const kinds = alphabetsOf(rows.map(lettersOf))

const LEAST_OF_ALPHABET = 3
/** Latin, Greek and Cyrillic letters are mixed by hand as well. */
const strange = /[^\0-\x7f\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/gu
const LEAST_STRANGE = 2
/** What stands between gaps. */
export const words = /[^\s,;:/\\&]+/gu

/**
 * The text with each word that one generator can have written as that generator has it: a character that stands
 * for a letter here and for another there makes no slur of an innocent name then.
 */
function inOneAlphabet(text: string): string {
  return isForeign(text) ? text.replace(words, asWritten) : text
}

function asWritten(word: string): string {
  if (!isForeign(word) || (word.match(strange)?.length ?? 0) < LEAST_STRANGE) return word
  const symbols = Array.from(word)
  const foreignOnes = symbols.filter(isForeign)
  if (foreignOnes.length < LEAST_OF_ALPHABET || foreignOnes.length * 2 < symbols.length) return word
  const found = writtenIn(generators, symbols, foreignOnes)
  if (found.length > 0) return found.join('/')
  return writtenIn(kinds, symbols, foreignOnes).find((each) => !isForeign(each)) ?? word
}

/** What the symbols are in each of the alphabets that has all that is foreign. */
function writtenIn(
  { letters, of }: Alphabets,
  symbols: readonly string[],
  foreignOnes: readonly string[],
): string[] {
  let common = of.get(foreignOnes[0] ?? '') ?? []
  for (const symbol of foreignOnes) {
    const having = of.get(symbol) ?? []
    common = common.filter((at) => having.includes(at))
    if (common.length === 0) return []
  }
  const found = common.map((at) => symbols.map((each) => letters[at]?.get(each) ?? each).join(''))
  return [...new Set(found)]
}
