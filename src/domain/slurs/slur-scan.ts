import confusables from './confusables.json' with { type: 'json' }
import glue from './glue-words.json' with { type: 'json' }

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
  readonly readings: ReadonlyMap<string, readonly number[]>
}

/** Whether a stem of the bank is in the text as people read it; time is linear in its length. */
export function hasStem(bank: StemBank, text: string): boolean {
  // The confusables distinguish capitals: a Greek capital nu is an N, the small one a v.
  const skeletons = new Set([text, text.toLowerCase()].map(skeleton))
  return [...skeletons].some((each) => isFound(bank, cellsOf(bank, each)))
}

/** Lower-case text that is equal for texts which look alike (Unicode TR39). Takes what `plain` returns. */
export function skeleton(text: string): string {
  if (!foreign.test(text)) return text.toLowerCase()
  let shown = ''
  for (const character of text) shown += prototypes.get(character) ?? character
  return plain(shown).toLowerCase()
}

/** Takes compatibility forms apart and leaves marks and invisible characters out; keeps the case. */
export function plain(text: string): string {
  if (!foreign.test(text)) return text
  return text.replace(phrase, '').normalize('NFKD').replace(ornament, '').normalize('NFC')
}

/** Marks and invisible characters; not the two kana marks, which make another letter. */
const ornament = /(?![\u3099\u309a])[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/** Arabic phrases drawn as one character, up to 18 letters each: nothing hides there but time. */
const phrase = /[\ufdfa\ufdfb]/g

/** What the table of confusables has entries for: never ASCII. */
const foreign = /[^\0-\x7f]/u

/** The table takes ы for two letters, a turned g for b, ʋ for u; a Coptic one resembles several. */
const kept = /[ыƃʋ\p{Script=Coptic}]/u

/** Each character that looks like another text, and that text (UTS 39). */
const prototypes: ReadonlyMap<string, string> = new Map(
  Object.entries(confusables.lookAlikes).flatMap(([text, characters]) =>
    Array.from(characters)
      .filter((character) => !kept.test(character))
      .map((character) => [character, text] as const),
  ),
)

function isFound({ groups }: StemBank, cells: readonly Cell[]): boolean {
  const present = groups.map(() => 0)
  for (const reading of new Set(cells.map((cell) => cell.reading))) {
    for (const index of present.keys()) present[index]! |= reading[index] ?? 0
  }
  return groups.some((group, index) => {
    const found = present[index] ?? 0
    const isPossible = group.needed.some((letters) => (found & letters) === letters)
    return isPossible && isHit(cells, group, index)
  })
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
  for (const { kind, reading, joins, spans, repeats, begins, ends } of cells) {
    const read = reading[index] ?? 0
    const start = (begins ? first : inner) & read
    if ((none | one | more | joinedOne | joinedMore | start) === 0) continue
    if (ends && ((more & closed) | (joinedMore & (open | closed))) !== 0) return true
    const next = read & ~first
    const kept = joins === null ? 0 : group[joins]
    const stay = repeats ? kept | read : kept
    const isLetter = kind === 'letter'
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

/** A symbol, or a gap between words. */
type Cell = {
  readonly kind: 'letter' | 'digit' | 'sign'
  /** For each group the letters that it can be. */
  readonly reading: readonly number[]
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
const letter = /[\p{Alphabetic}\p{M}\p{Regional_Indicator}]/u
const digit = /\p{N}/u
const written = /([\p{L}\p{N}])\1*/gu

/** Three digits at an edge of a word are a number: the name Toni1994 ends in a year. */
const figures = /(?<!\p{N})\p{N}{3,}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{N}{3,}/gu

function cellsOf({ groups, readings }: StemBank, text: string): Cell[] {
  const silent: readonly number[] = groups.map(() => 0)
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
    const reading = readings.get(symbol) ?? silent
    const last = cells.at(-1)
    const isSilent = kind === 'letter' && reading === silent
    // A second letter that no stem has changes nothing; foreign text gets short here.
    if (isSilent && last?.reading === silent && last.kind === 'letter') return
    cells.push({
      kind,
      reading,
      joins: over ? over.joins : kind === 'sign' ? 'parted' : null,
      spans: over?.spans ?? false,
      repeats: symbol === before.symbol || kind !== 'letter' || before.kind !== 'letter',
      begins: begins || !last || last.kind === 'sign' || (last.kind === 'digit' && last.begins),
      ends: ends || kind === 'sign',
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

function kindOf(symbol: string): Cell['kind'] {
  const known = asciiKinds[symbol.charCodeAt(0)]
  if (known !== undefined) return known
  if (letter.test(symbol)) return 'letter'
  return digit.test(symbol) ? 'digit' : 'sign'
}

const asciiKinds = Array.from({ length: 128 }, (_, code): Cell['kind'] => {
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
const glueWords: ReadonlySet<string> = new Set(glue)
