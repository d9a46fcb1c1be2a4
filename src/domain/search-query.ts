import { MAX_BEATMAP_ID, QUERY_LENGTH } from '../contract/bounds.ts'
import { findTargets } from '../pool/beatmap-links.ts'
import { plainDigits } from '../pool/text.ts'
import { errorsBetween, foldWords, mayGoOn, QUERY_WORDS, searchedWords } from '../pool/words.ts'
import type { Condition, Term } from './search.ts'

const MAX_IDS = 8

type Pair = readonly [string, string]
type Link = { readonly beatmapId: number | null; readonly setId: number | null }

/** What is searched for. */
export type SearchWords = {
  /** Folded (`pool/words.ts`), each once, at most 8. */
  readonly words: readonly string[]
  /** Neighbours, in their order. */
  readonly pairs: readonly Pair[]
  /** The last word may go on. */
  readonly isOpen: boolean
  /** Numbers that may be ids of beatmaps or sets; they are words, too. */
  readonly numbers: readonly number[]
  /** Of links: the beatmap, or null for a whole set; and the set, where the link names it. */
  readonly links: readonly Link[]
}

/** What a query asks for. What it holds apart from words, numbers and links to beatmaps is ignored. */
export function parseQuery(query: string): SearchWords {
  const typed = query.slice(0, QUERY_LENGTH)
  // Each link has one, and few searches do.
  const hasDigits = /\p{Nd}/u.test(typed)
  const text = hasDigits ? plainDigits(typed) : typed
  const targets = hasDigits ? findTargets(text) : []
  const starts = [0, ...targets.map(({ end }) => end)]
  // Each link separates the words before it from those after it.
  const rows = starts.map((start, at) => foldWords(text.slice(start, targets[at]?.start)))
  const { words, isOpen } = searchedWords(rows, text)
  const pairs = rows.flatMap((row) => row.slice(1).map((word, at): Pair => [row[at] ?? '', word]))
  return {
    words,
    pairs: pairs.slice(0, QUERY_WORDS),
    isOpen,
    numbers: words.filter((word) => /^[1-9]\d+$/.test(word) && isId(Number(word))).map(Number),
    links: targets
      .flatMap(({ beatmapId, start, end }) => {
        const setId = setIn(text.slice(start, end))
        return isId(beatmapId ?? setId) ? { beatmapId, setId } : []
      })
      .slice(0, MAX_IDS),
  }
}

const isId = (id: number | null): boolean => id !== null && id >= 1 && id <= MAX_BEATMAP_ID

function setIn(link: string): number | null {
  const id = Number(
    /(?:beatmapsets|\bs|\bd)\/(\d+)|[?&]s=(\d+)/i.exec(link)?.slice(1).find(Boolean),
  )
  return isId(id) ? id : null
}

/** One of the searches whose answers follow each other. */
export type Tier = {
  readonly match: Condition
  /** What the searches before this one find. */
  readonly except: readonly Condition[]
  /** It also finds packs by their beatmaps. */
  readonly isOfBeatmaps: boolean
}

/** Words that differ by typing errors from those that were asked for. */
export type NearWords = ReadonlyMap<string, readonly string[]>

/**
 * The searches for a query, best first: all words in the name; in name, owner and description; as neighbours
 * in one text; anywhere; and then the same with words that only begin with the last one. The last search finds
 * everything that the others find.
 *
 * @param near for when these find nothing: the searches with these words, too, and with spaces that are
 *   missing or too many. null for the words as they are.
 * @returns none when the query has nothing to search for.
 */
export function tiersOf(query: SearchWords, near: NearWords | null): Tier[] {
  const strict = tiersWith(query, null)
  if (near === null) return strict
  const known = new Set(strict.map(({ match }) => JSON.stringify(match)))
  return tiersWith(query, near).filter(({ match }) => !known.has(JSON.stringify(match)))
}

/** Searches of this many common words may take long, and each asks for all but one of them. */
const MOST_FOR_PARTS = 6

/**
 * The searches for when those with near words find nothing either: without the words that nothing has, or else
 * all words but one, short ones left out first. None if less than two words would be left. No pack is found by
 * two of them: it would have all words.
 *
 * @param unknown words that no pack has.
 */
export function partialTiersOf(
  query: SearchWords,
  near: NearWords,
  unknown: ReadonlySet<string>,
): Tier[] {
  const { words } = query
  const isLost = (word: string) => unknown.has(word) && (near.get(word) ?? []).length === 0
  const rest = words.filter((word) => !isLost(word))
  const isAll = rest.length === words.length
  if (isAll && words.length > MOST_FOR_PARTS) return []
  const parts = isAll
    ? words
        .toSorted((a, b) => a.length - b.length)
        .map((without) => words.filter((word) => word !== without))
    : [rest]
  const links = linkTerms(query, true)
  return parts
    .filter((part) => part.length > 1)
    .map((part) => ({
      match: [...part.map((word) => wordTerms(query, near, 'any', word)), ...links],
      except: [],
      isOfBeatmaps: true,
    }))
}

/** Of each word, what packs meet that have it; and, of the last one, that have a word which begins with it. */
export function wordConditions(query: SearchWords): ReadonlyMap<string, readonly Condition[]> {
  const whole = { ...query, isOpen: false }
  return new Map(
    query.words.map((word) => {
      const exact = [wordTerms(whole, null, 'any', word)]
      const isOpen = prefixOf(query, word).isPrefix === true
      return [word, isOpen ? [exact, [wordTerms(query, null, 'any', word)]] : [exact]]
    }),
  )
}

function tiersWith(query: SearchWords, near: NearWords | null): Tier[] {
  const { words, pairs } = query
  const links = linkTerms(query, near !== null)
  const hasPairs = words.length > 1 && pairs.length > 0
  const conditionOf = (asked: SearchWords, kind: WordKind | 'pair'): Condition => [
    ...(kind === 'pair'
      ? pairs.map((pair) => pairTerms(asked, near, pair))
      : words.map((word) => wordTerms(asked, near, kind, word))),
    ...links,
  ]
  const tiersFor = (
    asked: SearchWords,
    kinds: readonly WordKind[],
    before: readonly Condition[],
  ) => {
    const tiers: Tier[] = []
    const except = [...before]
    const add = (kind: WordKind | 'pair', isOfBeatmaps: boolean): void => {
      const match = conditionOf(asked, kind)
      tiers.push({ match, except: except.slice(), isOfBeatmaps })
      // What is in the name is in this text, too.
      if (kind === 'text') except.splice(before.length)
      except.push(match)
    }
    if (words.length > 0) for (const kind of kinds) add(kind, false)
    if (hasPairs) add('pair', true)
    if (words.length > 0 || links.length > 0) add('any', true)
    return tiers
  }
  if (near !== null) return tiersFor(query, ['text'], [])
  const whole = tiersFor({ ...query, isOpen: false }, ['name', 'text'], [])
  if (prefixOf(query, words.at(-1) ?? '').isPrefix !== true) return whole
  return [...whole, ...tiersFor(query, ['name'], [conditionOf({ ...query, isOpen: false }, 'any')])]
}

/** A link means its beatmap, or else its set; loosely, any of the links and of their sets. */
function linkTerms({ links }: SearchWords, isLoose: boolean): Condition {
  const strict = links.map(({ beatmapId, setId }): Term[] => {
    const set: Term[] = setId === null ? [] : [{ kind: 'set', id: setId }]
    if (beatmapId === null) return set
    const beatmap: Term = { kind: 'beatmap', id: beatmapId }
    return isLoose ? [beatmap, ...set] : [beatmap]
  })
  return isLoose && links.length > 0 ? [strict.flat()] : strict
}

type WordKind = 'name' | 'text' | 'any'

/** Of each word, so that short ones with many others like them make no large search. */
const MAX_NEAR = 16
const MAX_NEAR_PAIRS = 4

/** The nearest words first; those with the same first letter before others. */
function nearestOf(near: NearWords | null, word: string, limit: number): readonly string[] {
  const rank = (other: string): number =>
    2 * errorsBetween(word, other) + (other.startsWith(word.slice(0, 1)) ? 0 : 1)
  const all = near?.get(word) ?? []
  return all.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit)
}

/** Most packs have a beatmap with a word that begins with the same two common letters. */
const SHORTEST_START = 3

function wordTerms(query: SearchWords, near: NearWords | null, kind: WordKind, word: string) {
  const terms: Term[] = startTerms(query, near, kind, word)
  for (const other of nearestOf(near, word, MAX_NEAR)) terms.push({ kind, word: other })
  if (near !== null) {
    for (const pair of query.pairs) {
      if (pair.includes(word)) terms.push({ kind, word: pair.join('') })
    }
    if (kind === 'any') terms.push(...splitTerms(word))
  }
  const id = Number(word)
  if (kind === 'any' && query.numbers.includes(id)) {
    terms.push({ kind: 'beatmap', id }, { kind: 'set', id })
  }
  return terms
}

/** A word, and what begins with it if it is still being typed: for short starts, not everything that does. */
function startTerms(query: SearchWords, near: NearWords | null, kind: WordKind, word: string) {
  const start = prefixOf(query, word)
  if (kind !== 'any' || !start.isPrefix || word.length >= SHORTEST_START) {
    return [{ kind, word, ...start }]
  }
  const pairs = query.pairs.filter(([, end]) => end === word)
  const inText: Term = { kind: 'text', word, ...start }
  return [{ kind, word }, inText, ...pairs.flatMap((pair) => pairTerms(query, near, pair))]
}

/** The word that is still being typed. */
function prefixOf({ words, isOpen }: SearchWords, word: string): { isPrefix?: true } {
  return isOpen && word === words.at(-1) && mayGoOn(word) ? { isPrefix: true } : {}
}

/** `freedomdive` for `freedom dive`. Pairs of characters without spaces between words are shorter. */
function splitTerms(word: string): Term[] {
  if (word.length < 5) return []
  const characters = Array.from(word)
  return characters.slice(1).map((_, at) => {
    const parts = [characters.slice(0, at + 1), characters.slice(at + 1)]
    return { kind: 'pair', word: parts.map((part) => part.join('')).join(' ') }
  })
}

function pairTerms(query: SearchWords, near: NearWords | null, [one, other]: Pair): Term[] {
  const firsts = [one, ...nearestOf(near, one, MAX_NEAR_PAIRS)]
  const seconds = [other, ...nearestOf(near, other, MAX_NEAR_PAIRS)]
  return firsts.flatMap((first) =>
    seconds.map((second): Term => {
      const end = second === other ? prefixOf(query, other) : {}
      return { kind: 'pair', word: `${first} ${second}`, ...end }
    }),
  )
}
