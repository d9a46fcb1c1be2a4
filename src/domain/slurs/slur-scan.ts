import type { StemBank, StemGroup } from './stem-bank.ts'

const SHORT_FRAGMENT = 2

/** What parts words; other signs may stand inside one. */
const gap = /[\s,;:/\\&]+/u
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
  /** It may draw out the letter before: "lll" does, as does "1l", but the i of "klick" is another letter. */
  readonly repeats: boolean
  /** A word may begin with it: nothing stands before, or digits alone. */
  readonly begins: boolean
  /** A word may end before it: nothing comes, or digits alone. */
  ends: boolean
}

/** Letters are joined over a gap when they stand alone, and short fragments of long stems. */
const joinOver = (left: number, right: number): Cell['joins'] => {
  if (left === 1 && right === 1) return 'parted'
  return Math.min(left, right) <= SHORT_FRAGMENT ? 'long' : 'none'
}

const kindOf = (symbol: string): Cell['kind'] => {
  if (letter.test(symbol)) return 'letter'
  return digit.test(symbol) ? 'digit' : 'sign'
}

const cellsOf = ({ groups, readings }: StemBank, text: string): Cell[] => {
  const silent: readonly number[] = groups.map(() => 0)
  const cells: Cell[] = []
  let before: { kind?: Cell['kind']; symbol: string } = { symbol: '' }
  const add = (kind: Cell['kind'], symbol: string, joins: Cell['joins']): void => {
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
    const begins = !last || last.kind === 'sign' || (last.kind === 'digit' && last.begins)
    const repeats = symbol === before.symbol || kind !== 'letter' || before.kind !== 'letter'
    cells.push({ kind, reading, joins, repeats, begins, ends: kind === 'sign' })
    if (kind !== 'sign' || reading !== silent) before = { kind, symbol }
  }
  let left = 0
  for (const piece of text.replace(figures, '#').split(gap)) {
    const symbols = Array.from(piece)
    const isReadable = symbols.some((symbol) => readings.has(symbol))
    const right = piece.match(written)?.length ?? (isReadable ? 1 : 0)
    if (right === 0) continue
    add('sign', ' ', joinOver(left, right))
    for (const symbol of symbols) {
      const kind = kindOf(symbol)
      add(kind, symbol, kind === 'sign' ? 'parted' : 'none')
    }
    left = right
  }
  add('sign', '', 'none')
  let ends = true
  for (const cell of cells.toReversed()) {
    if (cell.kind === 'digit') cell.ends = ends
    ends = cell.ends
  }
  return cells
}

/**
 * One pass over the cells. Each step moves the set of letters reached: on to the next letter, or
 * staying where a letter is drawn out or a sign stands between. The set is kept thrice, by how many
 * letters were written as letters, for two are needed: "600k" is a number.
 */
const isHit = (cells: readonly Cell[], group: StemGroup, index: number): boolean => {
  const { first, inner, open, closed, parted, long } = group
  let none = 0
  let one = 0
  let more = 0
  for (const { kind, reading, joins, repeats, begins, ends } of cells) {
    const read = reading[index] ?? 0
    const start = (begins ? first : inner) & read
    if ((none | one | more | start) === 0) continue
    if (ends && (more & closed) !== 0) return true
    const next = read & ~first
    const kept = joins === 'none' ? 0 : joins === 'parted' ? parted : long
    const stay = repeats ? kept | read : kept
    if (kind === 'letter') {
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

/** Whether a stem of the bank is in the skeleton; time is linear in its length. */
export const hasStem = (bank: StemBank, skeleton: string): boolean => {
  const cells = cellsOf(bank, skeleton)
  return bank.groups.some((group, index) => isHit(cells, group, index))
}
