import type { Ruleset, StatsMod } from '../contract/mods.ts'
import type { Beatmap } from './beatmaps.ts'
import type { SavedPack } from './packs.ts'
import { DESCRIPTION_WORDS, foldWords, spellingsOf } from '../pool/words.ts'

/** What a public pack is found by. Words are folded (`words.ts`). */
export type PackWords = {
  /** Each word once. */
  readonly name: readonly string[]
  /** Of name, owner and description. */
  readonly text: readonly string[]
  /** Of these and of its beatmaps: artist, title, mapper, difficulty, in Latin and in their own letters. */
  readonly any: readonly string[]
  /** Two neighbours of a text, joined by a space. */
  readonly pairs: readonly string[]
  readonly beatmapIds: readonly number[]
  readonly setIds: readonly number[]
  readonly facts: PackFacts
}

/** What Browse filters by. Ranges are null where they are not known. */
type PackFacts = {
  readonly maps: number
  readonly stars: number | null
  readonly length: readonly [low: number, high: number] | null
  readonly bpm: readonly [low: number, high: number] | null
  /** null: there are no stats yet. */
  readonly mods: readonly StatsMod[] | null
  readonly rulesets: readonly Ruleset[] | null
}

/** Words as `foldWords` makes them; of a pack, where they are. */
export type Term =
  | {
      readonly kind: 'name' | 'text' | 'any' | 'pair'
      readonly word: string
      readonly isPrefix?: true
    }
  | { readonly kind: 'beatmap' | 'set'; readonly id: number }

/** A pack matches when it has one term of every list. */
export type Condition = readonly (readonly Term[])[]

/** Of all kinds of words of a pack; what it is found by first comes first. */
const MAX_WORDS = 1_500

/**
 * What a pack is found by.
 *
 * @param ownerName as it is shown (`ownerNameOf`).
 * @param beatmaps those of its beatmaps that are known; others are found by their id alone.
 */
export function packWords(
  pack: SavedPack,
  ownerName: string,
  beatmaps: ReadonlyMap<number, Beatmap>,
): PackWords {
  const beatmapIds = [...new Set(pack.slots.map(({ beatmapId }) => beatmapId))]
  const known = beatmapIds.flatMap((id) => beatmaps.get(id) ?? [])
  const name = nameWords(pack.name)
  const description = pack.description ?? ''
  const text = new Set([
    ...name,
    ...spellingsOf(ownerName),
    ...spellingsOf(description, DESCRIPTION_WORDS),
  ])
  const any = new Set(text)
  const pairs = new Set([
    ...neighbours(foldWords(pack.name)),
    ...neighbours(foldWords(description, DESCRIPTION_WORDS)),
  ])
  const found = known.map(wordsOf)
  for (const each of found) {
    addAll(any, each.words)
    addAll(pairs, each.pairs())
  }
  for (const each of found) {
    addAll(any, each.moreWords)
    addAll(pairs, each.morePairs())
  }
  return {
    name: [...name],
    text: [...text].slice(0, MAX_WORDS),
    any: [...any].slice(0, MAX_WORDS),
    pairs: [...pairs].slice(0, MAX_WORDS),
    beatmapIds,
    setIds: [...new Set(known.map(({ setId }) => setId))].filter((id) => id > 0),
    facts: factsOf(pack),
  }
}

function addAll(words: Set<string>, more: readonly string[]): void {
  for (const word of more) words.add(word)
}

/**
 * Returns a function for those of some beatmaps that meet a part of a condition, most of it first.
 *
 * @param limit of what is returned; once so many meet all of it, the rest is not looked at.
 */
export function beatmapMatcher(
  match: Condition,
  limit: number,
): (beatmaps: readonly Beatmap[]) => Beatmap[] {
  const countMet = counterOf(match)
  return (beatmaps) => {
    const counted: { readonly beatmap: Beatmap; readonly count: number }[] = []
    let whole = 0
    for (const beatmap of beatmaps) {
      const count = countMet(beatmap)
      if (count > 0) counted.push({ beatmap, count })
      if (count === match.length) whole += 1
      if (whole === limit) break
    }
    const best = counted.toSorted((a, b) => b.count - a.count).slice(0, limit)
    return best.map(({ beatmap }) => beatmap)
  }
}

/** More parts than these are not told apart: a query has at most 8 words and 8 links. */
const MOST_PARTS = 31

type Prefix = { readonly start: string; readonly bit: number }

/** Returns a function that counts the parts of a condition that a beatmap meets. */
function counterOf(match: Condition): (beatmap: Beatmap) => number {
  const terms = match
    .slice(0, MOST_PARTS)
    .flatMap((part, at) => part.map((term) => ({ term, bit: 1 << at })))
  const ids = terms.flatMap(({ term, bit }) => ('id' in term ? [{ ...term, bit }] : []))
  const ofWords = termIndex(terms, (kind) => kind !== 'pair')
  const ofPairs = termIndex(terms, (kind) => kind === 'pair')

  return (beatmap) => {
    let met = 0
    for (const { kind, id, bit } of ids)
      if (id === (kind === 'beatmap' ? beatmap.id : beatmap.setId)) met |= bit
    const words = wordsOf(beatmap)
    met |= bitsOf(ofWords, words.words) | bitsOf(ofWords, words.moreWords)
    if (ofPairs.bits.size > 0) {
      met |= bitsOf(ofPairs, words.pairs()) | bitsOf(ofPairs, words.morePairs())
    }
    return bitCount(met)
  }
}

type TermIndex = {
  readonly bits: ReadonlyMap<string, number>
  readonly prefixes: readonly Prefix[]
}

function termIndex(
  terms: readonly { readonly term: Term; readonly bit: number }[],
  isOfIndex: (kind: Term['kind']) => boolean,
): TermIndex {
  const bits = new Map<string, number>()
  const prefixes: Prefix[] = []
  for (const { term, bit } of terms) {
    if ('id' in term || !isOfIndex(term.kind)) continue
    bits.set(term.word, (bits.get(term.word) ?? 0) | bit)
    if (term.isPrefix) prefixes.push({ start: term.word, bit })
  }
  return { bits, prefixes }
}

function bitsOf({ bits, prefixes }: TermIndex, texts: readonly string[]): number {
  let met = 0
  for (const text of texts) {
    met |= bits.get(text) ?? 0
    for (const { start, bit } of prefixes) if (text.startsWith(start)) met |= bit
  }
  return met
}

function bitCount(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count += 1
  return count
}

/** What a beatmap adds to the words and pairs of a pack; `more` comes after those of all its beatmaps. */
type BeatmapWords = {
  /** Of title, artist and mapper. */
  readonly words: readonly string[]
  /** Of the difficulty, and of title and artist in their own letters. */
  readonly moreWords: readonly string[]
  readonly pairs: () => readonly string[]
  readonly morePairs: () => readonly string[]
}

// To find the words of a beatmap takes ten times as long as to look through them.
const beatmapWords = new WeakMap<Beatmap, BeatmapWords>()

function wordsOf(beatmap: Beatmap): BeatmapWords {
  const known = beatmapWords.get(beatmap)
  if (known !== undefined) return known
  const { title, artist, mapper, titleUnicode, artistUnicode, difficulty } = beatmap
  const own =
    titleUnicode === title && artistUnicode === artist ? [] : [titleUnicode, artistUnicode]
  const spellings = (...texts: readonly string[]) => [
    ...new Set(texts.flatMap((text) => spellingsOf(text))),
  ]
  let pairs: readonly string[] | null = null
  let morePairs: readonly string[] | null = null
  const found: BeatmapWords = {
    words: spellings(title, artist, mapper),
    moreWords: spellings(difficulty, ...own),
    pairs: () => (pairs ??= beatmapPairs(artist, title, mapper, difficulty)),
    morePairs: () =>
      (morePairs ??=
        own.length === 0 ? [] : beatmapPairs(artistUnicode, titleUnicode, mapper, difficulty)),
  }
  beatmapWords.set(beatmap, found)
  return found
}

/** Rounds in short and in full; `first` and then `final` is one, too. */
const rounds = [
  { first: '', names: ['quals', 'qualifying', 'qualifier', 'qualifiers'], parts: ['q'] },
  ...['quarter', 'semi', 'grand'].map((first) => ({
    first,
    names: [`${first.charAt(0)}f`, `${first}final`, `${first}finals`],
    parts: [first, 'finals'],
  })),
]

/** The words of a name, and its round as others write it: `Round of 16` and `RO16`. */
function nameWords(name: string): Set<string> {
  const words = new Set(spellingsOf(name))
  const row = foldWords(name)
  for (const [at, word] of row.entries()) {
    const [next = '', last = ''] = row.slice(at + 1, at + 3)
    if (word === 'round' && next === 'of' && /^\d{1,4}$/.test(last)) words.add(`ro${last}`)
    if (/^ro\d+$/.test(word)) addAll(words, ['round', 'of', word.slice(2)])
    for (const { first, names, parts } of rounds) {
      const isRound = names.includes(word) || (word === first && /^finals?$/.test(next))
      if (isRound) addAll(words, [...names, ...parts])
    }
  }
  return words
}

const neighbours = (words: readonly string[]): string[] =>
  words.slice(1).map((word, at) => `${words[at]} ${word}`)

/** Neighbours as a beatmap is usually written, and where people write its parts in another order. */
function beatmapPairs(
  ...texts: [artist: string, title: string, mapper: string, difficulty: string]
) {
  const [artist = [], title = [], mapper = [], difficulty = []] = texts.map((text) =>
    foldWords(text),
  )
  const joint = (one: readonly string[], other: readonly string[]) =>
    neighbours([...one.slice(-1), ...other.slice(0, 1)])
  return [
    ...neighbours([...artist, ...title, ...difficulty, ...mapper]),
    ...joint(title, artist),
    ...joint(title, mapper),
    ...joint(mapper, title),
    ...joint(artist, mapper),
    ...joint(mapper, artist),
    ...joint(title, difficulty),
  ]
}

function factsOf({ slots, stats }: SavedPack): PackFacts {
  const range = (low: number | null, high: number | null) =>
    low === null || high === null ? null : ([low, high] as const)
  return {
    maps: slots.length,
    stars: stats?.srAvg ?? null,
    length: stats && range(stats.lenMin, stats.lenMax),
    bpm: stats && range(stats.bpmMin, stats.bpmMax),
    mods: stats && stats.mods,
    rulesets: stats && stats.modes,
  }
}
