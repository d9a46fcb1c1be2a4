import alphabets from './alphabets.json' with { type: 'json' }
import glue from './glue-words.json' with { type: 'json' }
import { isForeign, lookAlike, prototypes, words } from './spelling.ts'

const PRIVATE_USE = 0xf0000

/** Some stems laid end to end, a bit for each letter; each number is a set of these bits. */
export type StemGroup = {
  /** First letters; `inner`: of stems that may begin inside a word. */
  first: number
  inner: number
  /** Last letters of stems that words may continue. */
  open: number
  /** Last letters, with and without a plural s, of stems that end where the word does. */
  closed: number
  /** Letters of stems that signs may part; `long`: even into short fragments. */
  parted: number
  long: number
  /** Letters of stems that are also looked for across one space or line break. */
  joinable: number
  /** For each stem the bits without which it cannot be found. */
  needed: number[]
}

/** All stems, in as few groups as hold them. */
export type StemBank = {
  readonly groups: readonly Readonly<StemGroup>[]
  /** Symbol of a skeleton → for each group the bits of the letters that it can stand for. */
  readonly readings: ReadonlyMap<string, Int32Array>
}

/** Whether a stem of the bank is in the text as people read it; time is linear in its length. */
export function hasStem(bank: StemBank, text: string): boolean {
  // The confusables distinguish capitals: a Greek capital nu is an N, the small one a v.
  const skeletons = new Set([text, text.toLowerCase()].map(skeleton))
  return [...skeletons].some((each) => isFound(bank, cellsOf(bank, each)))
}

/**
 * Lower-case text that is equal for texts which look alike (Unicode TR39). Takes what `plain` returns.
 * A word of Greek or Cyrillic letters alone is of that script; where a word mixes scripts, as
 * generators of "fancy text" do, those letters are marked: they may be any letter that they resemble.
 */
export function skeleton(text: string): string {
  if (!isForeign(text)) return text.toLowerCase()
  const isMixed = livingLetter.test(text) && !livingWord.test(text)
  return lookAlike(isMixed ? text.replace(words, markedWord) : text, others)
}

/** Characters that resemble a letter, and that the table takes for another or for several: the bank reads them. */
const letterForms: ReadonlySet<string> = new Set(
  Object.values(alphabets.letters).flatMap((characters) =>
    Array.from(characters + characters.toUpperCase()),
  ),
)

/** What the table replaces: all but those. */
const others: ReadonlyMap<string, string> = new Map(
  [...prototypes].filter(([character]) => !letterForms.has(character)),
)

const livingLetter = /[\p{Script=Greek}\p{Script=Cyrillic}]/u
const livingWord =
  /^(?:[\p{Script=Greek}\p{P}\p{N}\p{M}\p{So}\p{Sk}\s]+|[\p{Script=Cyrillic}\p{P}\p{N}\p{M}\p{So}\p{Sk}\s]+)$/u

/** Such a letter of `letterForms` → a character for private use, which stands for it in a word of several scripts. */
const marks: ReadonlyMap<string, string> = new Map(
  [...letterForms]
    .filter((each) => livingLetter.test(each))
    .map((each, at) => [each, String.fromCodePoint(PRIVATE_USE + at)]),
)

/** The symbol of a skeleton for a character that resembles a letter, where a word mixes scripts. */
export const marked = (character: string): string => marks.get(character) ?? character

const markedWord = (each: string): string =>
  livingWord.test(each) ? each : Array.from(each, marked).join('')

function isFound({ groups }: StemBank, cells: readonly Cell[]): boolean {
  const present = new Int32Array(groups.length)
  const seen = new Set<Int32Array>()
  // Most of the time of a name is spent here.
  for (const { reading } of cells) {
    if (seen.has(reading)) continue
    seen.add(reading)
    for (let index = 0; index < present.length; index += 1) {
      present[index] = (present[index] as number) | (reading[index] as number)
    }
  }
  for (const [index, group] of groups.entries()) {
    if (needsMet(group.needed, present[index] as number) && isHit(cells, group, index)) return true
  }
  return false
}

function needsMet(needed: readonly number[], found: number): boolean {
  for (const letters of needed) if ((found & letters) === letters) return true
  return false
}

/**
 * One pass over the cells. Each step moves the set of letters reached to the next letter; it stays
 * where a letter is drawn out or a sign comes between. There is one set for each number of letters
 * written as letters, for two are needed: "600k" is a number; others after a space was read over,
 * which is done once, and only from the beginning of a word to its end.
 */
function isHit(cells: readonly Cell[], group: Readonly<StemGroup>, index: number): boolean {
  const { first, inner, open, closed, joinable } = group
  let none = 0
  let one = 0
  let more = 0
  let joinedOne = 0
  let joinedMore = 0
  for (const cell of cells) {
    const read = cell.reading[index] as number
    const reached = none | one | more | joinedOne | joinedMore
    if ((reached | read) === 0) continue
    const start = (cell.begins ? first : inner) & read
    if ((reached | start) === 0) continue
    const { kind, joins, spans, repeats, ends } = cell
    if (ends && ((more & closed) | (joinedMore & (open | closed))) !== 0) return true
    const next = read & ~first
    const kept = joins === null ? 0 : group[joins]
    const stay = repeats ? kept | read : kept
    const isLetter = kind === 'letter' || kind === 'drawn'
    if ((joinedOne | joinedMore) !== 0) {
      const from = isLetter ? joinedMore | joinedOne : joinedMore
      joinedMore = (joinedMore & stay) | ((from << 1) & next)
      joinedOne = (joinedOne & stay) | (isLetter ? 0 : (joinedOne << 1) & next)
    }
    if (spans) {
      joinedMore |= more & joinable
      joinedOne |= one & joinable
    }
    if (isLetter) {
      more = (more & stay) | (((more | one) << 1) & next)
      one = (one & stay) | ((none << 1) & next) | start
      none &= stay
    } else {
      more = (more & stay) | ((more << 1) & next)
      one = (one & stay) | ((one << 1) & next)
      none = (none & stay) | ((none << 1) & next) | start
    }
    if ((more & open) !== 0) return true
  }
  return false
}

/** `drawn`: a sign that generators write for a letter, as those of currencies; it may also part letters. */
type Kind = 'letter' | 'digit' | 'sign' | 'drawn'

/** A symbol, or a gap between words. */
type Cell = {
  readonly kind: Kind
  /** For each group the letters that it can be. */
  readonly reading: Int32Array
  /** The stems that it may part without being one of their letters. */
  readonly joins: 'parted' | 'long' | null
  /** The words before and after this space or line break are also read as one. */
  readonly spans: boolean
  /** It may draw out the letter before: "lll" does, as does "1l", but the i of "klick" is another letter. */
  readonly repeats: boolean
  /** A word may begin with it: nothing comes before, or digits alone. */
  readonly begins: boolean
  /** A word may end before it: nothing comes, or digits alone. */
  ends: boolean
}

/** What parts words; other signs may be inside one. */
const gap = /([\s,;:/\\&]+)/u
const space = /^\s+$/u
const letter = /[\p{Alphabetic}\p{M}\p{Regional_Indicator}\u{f0000}-\u{ffffd}]/u
const digit = /\p{N}/u
const written = /([\p{L}\p{N}])\1*/gu

/** Three digits at an edge of a word are a number: the name Toni1994 ends in a year. */
const figures = /(?<!\p{N})\p{N}{3,}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{N}{3,}/gu

function cellsOf({ groups, readings }: StemBank, text: string): Cell[] {
  const silent = new Int32Array(groups.length)
  const cells: Cell[] = []
  let before: Pick<Cell, 'kind'> & { readonly symbol: string } = { kind: 'sign', symbol: '' }
  let left = 0
  let spans = false

  function add(
    symbol: string,
    begins: boolean,
    ends: boolean,
    over?: Pick<Cell, 'joins' | 'spans'>,
  ): void {
    const kind = kindOf(symbol)
    const isSign = endsWord(kind)
    const reading = readings.get(symbol) ?? silent
    const last = cells.at(-1)
    const isSilent = kind === 'letter' && reading === silent
    // A second letter that no stem has changes nothing; foreign text gets short here.
    if (isSilent && last?.reading === silent && last.kind === 'letter') return
    cells.push({
      kind,
      reading,
      joins: over ? over.joins : isSign ? 'parted' : null,
      spans: over?.spans ?? false,
      repeats: symbol === before.symbol || kind !== 'letter' || before.kind !== 'letter',
      begins: begins || !last || endsWord(last.kind) || (last.kind === 'digit' && last.begins),
      ends: ends || endsWord(kind),
    })
    if (kind !== 'sign' || reading !== silent) before = { kind, symbol }
  }

  for (const [at, piece] of text.replace(figures, '#').split(gap).entries()) {
    if (at % 2 === 1) {
      spans = space.test(piece)
      continue
    }
    const symbols = Array.from(piece)
    const isReadable = symbols.some((symbol) => readings.has(symbol))
    const right = piece.match(written)?.length ?? (isReadable ? 1 : 0)
    if (right === 0) continue
    add(' ', false, false, { joins: joinOver(left, right), spans })
    for (const [place, symbol] of symbols.entries()) {
      const rest = symbols.length - place
      const begins = mayGlue(place, rest) && glueWords.has(piece.slice(0, place))
      const ends = mayGlue(rest, place) && glueWords.has(piece.slice(-rest))
      add(symbol, begins, ends)
    }
    left = right
  }
  add('', false, false)
  let ends = true
  for (const cell of cells.toReversed()) {
    if (cell.kind === 'digit') cell.ends ||= ends
    ends = cell.ends
  }
  return cells
}

/** Single letters are joined over a gap, and short fragments of long stems. */
function joinOver(left: number, right: number): Cell['joins'] {
  if (left === 1 && right === 1) return 'parted'
  return Math.min(left, right) <= 2 ? 'long' : null
}

const endsWord = (kind: Kind): boolean => kind === 'sign' || kind === 'drawn'

function kindOf(symbol: string): Kind {
  const known = asciiKinds[symbol.charCodeAt(0)]
  if (known !== undefined) return known
  if (letter.test(symbol)) return 'letter'
  if (digit.test(symbol)) return 'digit'
  return letterForms.has(symbol) ? 'drawn' : 'sign'
}

const asciiKinds = Array.from({ length: 128 }, (_, code): Kind => {
  const symbol = String.fromCharCode(code)
  if (/[a-z]/i.test(symbol)) return 'letter'
  return /[0-9]/.test(symbol) ? 'digit' : 'sign'
})

/** Whether a common word of this length can be glued to so many other characters. */
function mayGlue(length: number, rest: number): boolean {
  return length >= 2 && length <= 8 && rest >= 3
}

/**
 * Common words that people write next to others without a space: a stem is found in "the…cup". Left
 * out are those that innocent words have next to a stem, such as the "stan" of a country.
 */
export const glueWords: ReadonlySet<string> = new Set(glue)
