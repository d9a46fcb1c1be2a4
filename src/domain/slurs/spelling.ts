/**
 * How the letters of a word are set: letters that the same sign parts, or that each stand twice, are the one
 * word that they spell, so that whatever holds of "Spice" holds of "S p i c e".
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
    '(?<=\\p{L})(?=\\p{N}{3})',
    '(?<=\\p{N}{3})(?=\\p{L})',
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
