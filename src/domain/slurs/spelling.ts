import alphabets from './alphabets.json' with { type: 'json' }
import confusables from './confusables.json' with { type: 'json' }

/**
 * Letters that the same sign parts, or that each stand twice, are the one word that they spell, so that whatever
 * holds of "Spice" holds of "S p i c e".
 */
export function spelledTogether(text: string): string {
  let shown = text.replace(close, joined)
  if (farApart.test(shown)) {
    // Signs between words are more than those between letters, which are therefore taken first.
    for (const each of wider) shown = shown.replace(each, joined)
  }
  return shown.replace(repeated, oneOfEach)
}

/** The text with a slash between words that are written as one without a space. */
export function partedWords(text: string): string {
  const parted = mayBeJoined.test(text) ? text.replace(joints, '/') : text
  return parted.replace(twice, '$1/$1')
}

/** The text with the letters that signs draw. */
export function drawnLetters(text: string): string {
  if (!drawing.test(text)) return text
  return text.replace(drawings, (signs) => letterOfDrawing.get(signs.toLowerCase()) ?? signs)
}

/** Letters, digits and the signs that alphabets of "fancy text" write for letters. */
const writing = '\\p{L}\\p{N}¢-¥฿₠-\u20cf\u{1f150}-\u{1f189}\u{1f1e6}-\u{1f1ff}'
const starts = `(?<![${writing}])`
const ends = `(?![${writing}])`

const MOST_SIGNS = 6
/**
 * Three letters or more, each alone or drawn out, with so many signs between; a number may stand at an edge, and
 * the s of a plural at the end. Time is linear: there is one way to match.
 */
const apartBy = (signs: number): RegExp =>
  new RegExp(
    `${starts}\\p{N}{0,4}([${writing}])\\1*([^${writing}]{${signs}})(?:([${writing}])\\3*\\2)+([${writing}])\\4*[sz]?\\p{N}{0,4}${ends}`,
    'gu',
  )
const close = apartBy(1)
const wider = Array.from({ length: MOST_SIGNS - 1 }, (_, at) => apartBy(at + 2))
const farApart = new RegExp(
  `${starts}([${writing}])\\1*[^${writing}]{2,${MOST_SIGNS}}([${writing}])\\2*${ends}`,
  'u',
)

/** A run without a vowel is no word: the signs of "f-gg-t" stand for some. */
const spellsWord = /[^\p{N}bcdfghjklmnpqrstvwxzбвгджзйклмнпрстфхцчшщ]/iu
/** Signs that are written for letters: between few letters, they may be. */
const lettersToo = /^[*!|@$+]$/
const FEW_LETTERS = 3
/** Two labels around a word: "A n a m e B". */
const labelled = /^(\p{Lu})(\p{Ll}{3,})(\p{Lu})$/u

/** A word of one letter, between a text and a spelled word. */
const article = /^[aAI] /

function joined(run: string, _a: string, sign: string, _b: string, _c: string, at: number): string {
  const letters = run.split(sign)
  const word = letters.join('')
  if (!spellsWord.test(word)) return run
  if (letters.length <= FEW_LETTERS && lettersToo.test(sign)) return run
  if (at > 0 && article.test(run)) return `${word.charAt(0)} ${word.slice(1)}`
  return word.replace(labelled, '$1 $2 $3')
}

/** Words all of whose letters are drawn out. */
const repeated = /(?<![\p{L}\p{N}])(?:([\p{L}\p{N}])\1+(?!\1)){3,}(?![\p{L}\p{N}])/gu
const oneLetter = /(.)\1+/gu

function oneOfEach(word: string): string {
  const runs = word.match(oneLetter) ?? []
  const times = runs.reduce((common, run) => commonDivisor(common, run.length), 0)
  return runs.map((run) => run.slice(0, run.length / times)).join('')
}

function commonDivisor(one: number, other: number): number {
  return other === 0 ? one : commonDivisor(other, one % other)
}

/** What all joints have; hardly any text does. */
const mayBeJoined = /\p{Ll}\p{Lu}|\p{L}\p{N}|\p{N}\p{L}|[xX]{2}/u

/** Where a word ends and another begins inside of a name, each as players write it. */
const joints = new RegExp(
  [
    // BigName, NM1Name
    '(?<=\\p{Ll})(?=\\p{Lu})',
    '(?<=\\p{N})(?=\\p{Lu}\\p{Ll})',
    // OWC2024name: fewer digits may be letters.
    '(?<=\\p{L})(?=\\p{N}{4})',
    '(?<=\\p{N}{4})(?=\\p{L})',
    // name2k24, name1v1, namev2
    '(?<=\\p{L})(?=(?:[12]k\\d\\d|\\d{1,2}v\\d{1,2}|[vV]\\d{1,2})(?![\\p{L}\\p{N}]))',
    // xXnameXx
    '(?<=(?<![\\p{L}\\p{N}])[xX]{2})(?=[\\p{L}\\p{N}])',
    '(?<=[\\p{L}\\p{N}])(?=[xX]{2}(?![\\p{L}\\p{N}]))',
  ].join('|'),
  'gu',
)

/** The same word twice; the bound keeps it linear. */
const twice = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{3,16})\1(?![\p{L}\p{N}])/giu

/** Letters drawn of several ASCII signs. */
const drawingsOf: Readonly<Record<string, string>> = {
  m: '|\\/| /\\/\\ |v|',
  w: '\\/\\/ |/\\|',
  n: '|\\| /\\/',
  h: '|-| ]-[ }{',
  a: '/-\\ /\\',
  b: '|3',
  d: '|) [) |>',
  f: '|=',
  j: '_|',
  k: '|< |{',
  u: '|_| (_) \\_/',
  g: '(_+ (_,',
  l: '|_',
  o: '() []',
  p: '|* |°',
  r: '|2 |?',
  t: "-|- ']['",
  v: '\\/',
  x: '><',
  y: "`/ '/",
}
const letterOfDrawing = new Map(
  Object.entries(drawingsOf).flatMap(([letter, all]) =>
    all.split(' ').map((signs) => [signs, letter] as const),
  ),
)
/** The longest first where one begins another. */
const drawnOnes = [...letterOfDrawing.keys()].toSorted((a, b) => b.length - a.length)
const drawings = new RegExp(
  drawnOnes.map((signs) => signs.replace(/[^a-z\d]/g, '\\$&')).join('|'),
  'gi',
)
/** What every drawn letter has two of, side by side; hardly any text does. */
const drawing = /[|/\\()[\]{}<>_`'-][|/\\()[\]{}<>_*°?=+,v23-]/i

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

/** Each character that looks like another text, and that text. */
export const prototypes: ReadonlyMap<string, string> = new Map(
  Object.entries(confusables.lookAlikes).flatMap(([text, characters]) =>
    Array.from(characters, (character) => [character, text] as const),
  ),
)

const LETTER_A = 97

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
export function inOneAlphabet(text: string): string {
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

/**
 * Words some of whose letters a sign masks: "n*me". A star and its like may be any letter, or all vowels; dots,
 * dashes and others part words as well, and mask vowels of words that are long enough to be told by the rest.
 * The bank reads a star for vowels anyway; it cannot know how many letters of a word are left.
 */
export type MaskedWords = Readonly<Record<'star' | 'sign', ReadonlySet<string>>>

/** Stands for a letter that is masked. */
export const MASK = '*'

const stars = '*∗⁎✱✲⋆#•?%~█×◯●■'
const maskSigns = '_.+&$\\-'
const masked = new RegExp(`\\p{L}[${stars}${maskSigns}]{1,2}\\p{L}`, 'u')
const longest = 24
const candidate = new RegExp(
  `(?<![\\p{L}\\p{N}])\\p{L}[\\p{L}${stars}${maskSigns}]{3,${longest}}(?![\\p{L}\\p{N}])`,
  'gu',
)
const anyStar = new RegExp(`[${stars}]`, 'gu')
const anySign = new RegExp(`[${maskSigns}]`, 'gu')
/** What ends a sentence, or a plural, is no part of the word. */
const plainEnd = /[sz]$/
const signEnd = new RegExp(`[${maskSigns}]+$`, 'u')

/** Whether one of the words is in the text with some letters masked. */
export function hasMasked(masks: MaskedWords, text: string): boolean {
  if (!masked.test(text)) return false
  for (const [found] of text.toLowerCase().matchAll(candidate)) {
    const starred = found.replace(anyStar, MASK)
    if (isOne(masks.star, starred)) return true
    const bare = found.replace(anySign, MASK)
    if (isOne(masks.sign, bare) || isOne(masks.sign, endless(bare, found))) return true
  }
  return false
}

/** Without the signs at the end. */
const endless = (bare: string, found: string): string =>
  bare.slice(0, found.replace(signEnd, '').length)

const isOne = (words: ReadonlySet<string>, text: string): boolean =>
  words.has(text) || words.has(text.replace(plainEnd, ''))
