import type { StemBank, StemGroup } from './stems.ts'

/** Whether a stem of the bank is in the skeleton; time is linear in its length. */
export function hasStem(bank: StemBank, skeleton: string): boolean {
  const cells = cellsOf(bank, skeleton)
  const present = bank.groups.map(() => 0)
  for (const reading of new Set(cells.map((cell) => cell.reading))) {
    for (const index of present.keys())
      present[index] = (present[index] ?? 0) | (reading[index] ?? 0)
  }
  return bank.groups.some((group, index) => {
    const found = present[index] ?? 0
    return (
      group.needed.some((letters) => (found & letters) === letters) && isHit(cells, group, index)
    )
  })
}

/**
 * One pass over the cells. Each step moves the set of letters reached: on to the next letter, or
 * staying where a letter is drawn out or a sign stands between. The set is kept thrice, by how many
 * letters were written as letters, for two are needed: "600k" is a number. It is kept apart once a
 * space was read over, for that is done once, and only from the beginning of a word to its end.
 */
function isHit(cells: readonly Cell[], group: StemGroup, index: number): boolean {
  const { first, inner, open, closed, parted, long, joinable } = group
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
    const kept = joins === 'none' ? 0 : joins === 'parted' ? parted : long
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

const SHORT_FRAGMENT = 2

/** What parts words; other signs may stand inside one. */
const gap = /([\s,;:/\\&]+)/u
const space = /^\s+$/u
const letter = /[\p{Alphabetic}\p{M}\p{Regional_Indicator}]/u
const digit = /\p{N}/u
const written = /([\p{L}\p{N}])\1*/gu

/** Three digits at an edge of a word are a number: the name Toni1994 ends in a year. */
const figures = /(?<!\p{N})\p{N}{3,}(?![\p{L}\p{N}])|(?<![\p{L}\p{N}])\p{N}{3,}/gu

/** A symbol, or a gap between words, as the scan sees it. */
type Cell = {
  readonly kind: 'letter' | 'digit' | 'sign'
  /** For each group the letters it can stand for. */
  readonly reading: readonly number[]
  /** The stems in whose midst it may stand without being one of their letters. */
  readonly joins: 'parted' | 'long' | 'none'
  /** Two words with this space or line break between them are also read as one. */
  readonly spans: boolean
  /** It may draw out the letter before: "lll" does, as does "1l", but the i of "klick" is another letter. */
  readonly repeats: boolean
  /** A word may begin with it: nothing stands before, or digits alone. */
  readonly begins: boolean
  /** A word may end before it: nothing comes, or digits alone. */
  ends: boolean
}

/** Letters are joined over a gap when they stand alone, and short fragments of long stems. */
function joinOver(left: number, right: number): Cell['joins'] {
  if (left === 1 && right === 1) return 'parted'
  return Math.min(left, right) <= SHORT_FRAGMENT ? 'long' : 'none'
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

/** What a glued word makes of a place in the midst of letters. */
type Edge = { readonly begins: boolean; readonly ends: boolean }

const NO_EDGE: Edge = { begins: false, ends: false }
const SHORTEST_GLUE = 2
const LONGEST_GLUE = 8
const SHORTEST_REST = 3

/**
 * Where a word that others are glued to may begin or end: behind and in front of common words. The
 * places are counted in characters; null when there are none.
 */
function gluedEdges(piece: string, count: number): Map<number, Edge> | null {
  if (count < SHORTEST_GLUE + SHORTEST_REST) return null
  let edges: Map<number, Edge> | null = null
  const longest = Math.min(LONGEST_GLUE, count - SHORTEST_REST)
  for (let length = SHORTEST_GLUE; length <= longest; length += 1) {
    const end = count - length
    const begins = glueWords.has(piece.slice(0, length))
    const ends = glueWords.has(piece.slice(-length))
    if (begins)
      (edges ??= new Map()).set(length, { begins, ends: edges?.get(length)?.ends ?? false })
    if (ends) (edges ??= new Map()).set(end, { begins: edges?.get(end)?.begins ?? false, ends })
  }
  return edges
}

function cellsOf({ groups, readings }: StemBank, text: string): Cell[] {
  const silent: readonly number[] = groups.map(() => 0)
  const cells: Cell[] = []
  let before: { kind?: Cell['kind']; symbol: string } = { symbol: '' }
  const add = (
    kind: Cell['kind'],
    symbol: string,
    joins: Cell['joins'],
    spans: boolean,
    edge: Edge,
  ): void => {
    const last = cells.at(-1)
    const reading = readings.get(symbol) ?? silent
    // A second letter that no stem has changes nothing; foreign text gets short here.
    if (
      kind === 'letter' &&
      reading === silent &&
      last?.reading === silent &&
      last.kind === 'letter'
    )
      return
    const begins =
      !last || last.kind === 'sign' || (last.kind === 'digit' && last.begins) || edge.begins
    const repeats = symbol === before.symbol || kind !== 'letter' || before.kind !== 'letter'
    cells.push({ kind, reading, joins, spans, repeats, begins, ends: kind === 'sign' || edge.ends })
    if (kind !== 'sign' || reading !== silent) before = { kind, symbol }
  }
  let left = 0
  let spans = false
  for (const [at, piece] of text.replace(figures, '#').split(gap).entries()) {
    if (at % 2 === 1) {
      spans = space.test(piece)
      continue
    }
    const symbols = Array.from(piece)
    const isReadable = symbols.some((symbol) => readings.has(symbol))
    const right = piece.match(written)?.length ?? (isReadable ? 1 : 0)
    if (right === 0) continue
    add('sign', ' ', joinOver(left, right), spans, NO_EDGE)
    const edges = gluedEdges(piece, symbols.length)
    for (const [place, symbol] of symbols.entries()) {
      const kind = kindOf(symbol)
      add(kind, symbol, kind === 'sign' ? 'parted' : 'none', false, edges?.get(place) ?? NO_EDGE)
    }
    left = right
  }
  add('sign', '', 'none', false, NO_EDGE)
  let ends = true
  for (const cell of cells.toReversed()) {
    if (cell.kind === 'digit') cell.ends ||= ends
    ends = cell.ends
  }
  return cells
}

/**
 * Common words that people write in front of or behind another without a space. A stem is found between
 * two of them, or between one and the edge of a word: "the…cup". Left out are those that innocent words
 * begin or end with beside a stem, such as the "stan" of a country.
 */
const glueWords: ReadonlySet<string> = new Set(
  `about after again all always and angry another any anti army back bad ball band bang bash bastard
 battle beat best big bitch black blue boss boy boys bro brown bunch but buy cat champ chat clan
 class club cold come cool country crew cup cute damn dark day dead death die dirty down drive drop
 dude dumb easy end epic evil ever every exe face fan fast fat fight filthy final finals fire first for
 free friend from fuck fucking fun funny game gamer games gang gas gay get girl give god gold good got
 grand great green group guy guys hail happy hard hate hater haters have hello here hey home hot how
 huge hunt hunter idiot just kid kids kill killer killers killing king know land last late league less
 life like little live lol long look lord love lover loves mad main make man map maps master match mate
 max mean men mode money more most much music must my name new nice night noob not now of off old one
 only open osu our out over own pack packs party people play player players please pool pools power
 pretty pro queen quick race rank real red rich room round run sad say score season see set sex shit show
 sick slow small smart smelly some son song sound squad star stop street strong stupid style suck sucks
 super team test than that the their them these they thing this those time tiny today too top tour
 tournament town trash tree true ugly ultra under very vs wanna want war was we weak week welcome white
 who win winner with woman women word work world worst xd year yes you young your zone`.split(
    /\s+/,
  ),
)
