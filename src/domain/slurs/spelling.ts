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

/**
 * Words some of whose letters a sign masks: "n*me". A star and its like may be any letter, or all vowels; dots,
 * dashes and others part words as well, and mask vowels of words that are long enough to be told by the rest.
 * The bank reads a star for vowels anyway; it cannot know how many letters of a word are left.
 */
export type MaskedWords = Readonly<Record<'star' | 'sign', ReadonlySet<string>>>

const SIGN_WORD = 5
const STAR_WORD = 6
/** So many letters are left at least where all vowels are masked. */
const SIGN_LEFT = 4
const STAR_LEFT = 3
const MASK = '*'

const vowels = /[aeiouаеёиоуыэюя]/g
const onlyLetters = /^\p{L}+$/u

/** The ways to mask these words. */
export function maskedWords(words: readonly string[]): MaskedWords {
  const found = { star: new Set<string>(), sign: new Set<string>() }
  for (const word of words) {
    if (!onlyLetters.test(word) || word.length < SIGN_WORD) continue
    const bare = word.replace(vowels, MASK)
    const left = bare.replaceAll(MASK, '').length
    if (left >= STAR_LEFT) found.star.add(bare)
    if (left >= SIGN_LEFT) found.sign.add(bare)
    for (let at = 1; at < word.length - 1; at += 1) {
      const masked = word.slice(0, at) + MASK + word.slice(at + 1)
      if (bare.charAt(at) === MASK) {
        found.star.add(masked)
        found.sign.add(masked)
      }
      if (word.length < STAR_WORD) continue
      found.star.add(masked)
      if (at < word.length - 2) {
        found.star.add(word.slice(0, at) + MASK + MASK + word.slice(at + 2))
      }
    }
  }
  return found
}

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
export function hasMasked(words: MaskedWords, text: string): boolean {
  if (!masked.test(text)) return false
  for (const [found] of text.toLowerCase().matchAll(candidate)) {
    const starred = found.replace(anyStar, MASK)
    if (isOne(words.star, starred)) return true
    const bare = found.replace(anySign, MASK)
    if (isOne(words.sign, bare) || isOne(words.sign, endless(bare, found))) return true
  }
  return false
}

/** Without the signs at the end. */
const endless = (bare: string, found: string): string =>
  bare.slice(0, found.replace(signEnd, '').length)

const isOne = (words: ReadonlySet<string>, text: string): boolean =>
  words.has(text) || words.has(text.replace(plainEnd, ''))
