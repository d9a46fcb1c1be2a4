import { newAccountId, newSlug } from '../../src/domain/keys.ts'
import { contentOf, firstSave } from '../../src/domain/packs.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import { catchUp } from '../support/catch-up.ts'
import packFile from './packs.json' with { type: 'json' }
import queryFile from './queries.json' with { type: 'json' }
import { hashNumber } from '../../scripts/seeded-random.ts'

type MapRow = {
  readonly artist: string
  readonly title: string
  readonly mapper: string
  readonly difficulty: string
  readonly artistUnicode: string
  readonly titleUnicode: string
  readonly id: number
  readonly setId: number
}
type PackRow = {
  readonly name: string
  readonly owner: string
  readonly description: string | null
  readonly maps: readonly MapRow[]
}

/** Packs of the corpus in all: those of the file, and made-up ones around them. */
const PACKS = 1_000
const FIRST_ID = 9_000_001
const EARLIEST = 1_577_836_800_000
const HOUR_MS = 3_600_000

const mapOf = (row: readonly (string | number | null)[], id: number): MapRow => {
  const [artist, title, mapper, difficulty, artistUnicode, titleUnicode, realId, setId] = row
  return {
    artist: String(artist),
    title: String(title),
    mapper: String(mapper),
    difficulty: String(difficulty),
    artistUnicode: String(artistUnicode ?? artist),
    titleUnicode: String(titleUnicode ?? title),
    id: Number(realId ?? id),
    setId: Number(setId ?? id + 1_000_000),
  }
}

/** What people look for, newest last; real maps are facts, the packs around them are made up. */
const readWanted = (): PackRow[] => {
  let id = FIRST_ID
  return packFile.packs.map(({ name, owner, description, maps }) => {
    const rows = maps.map((row) => mapOf(row, id++))
    return { name, owner, description: description ?? null, maps: rows }
  })
}

const pick = <T>(list: readonly T[], hash: number): T => list[hash % list.length] as T
const words = (text: string): string[] => text.split(' ')

// Many are in the titles that people look for, too, so that chance alone finds much.
const titleWords = words(
  'freedom dive blue night star rose dream alone dark queen king heart summer winter snow rain sky ocean fire flame ghost lost last first never again light shadow moon sun wind bloom zero future memory voice song dance party love hate devil angel heaven garden river city street train window mirror glass crystal silver golden crimson scarlet violet black white apple lemon cookie banana sugar honey coffee planet galaxy comet signal error system machine power brain game over',
)
const nameWords = words(
  'Aki Ren Sora Luna Kite Nova Echo Pixel Turbo Mellow Static Velvet Marble Copper Saffron Juniper Willow Ember Frost Quartz Onyx Coral Indigo Maple',
)
const unicodeWords = words(
  '夜 夢 星の歌 花火 君の空 月 雨の街 未来 世界 桜の道 恋 風 光の海 하늘 별 사랑 звезда ночь',
)
const contests = words('Cup Open League Showdown Invitational Duel Relay Classic Festival')
const seasons = words('Spring Summer Autumn Winter Midnight Campus Pigeon Lantern Harbour Country')
const stages = [
  'Qualifiers',
  'Round of 16',
  'Quarterfinals',
  'Semifinals',
  'Finals',
  'Grand Finals',
]
const remarks = words(
  'stream jump tech finger control reading slow fast long short calm hard easy only',
)

const several = (list: readonly string[], count: number, number: number): string =>
  Array.from({ length: count }, (_, at) => pick(list, hashNumber(number, at + 10))).join(' ')

const madeUpMap = (number: number): MapRow => {
  const title = several(titleWords, 1 + (hashNumber(number, 1) % 3), number)
  const isForeign = hashNumber(number, 2) % 4 === 0
  return {
    artist: several(nameWords, 1 + (hashNumber(number, 3) % 2), number + 1),
    title,
    mapper: `${several(nameWords, 1, number + 2)}${hashNumber(number, 4) % 100}`,
    difficulty: pick(
      ['Insane', 'Extra', 'Extreme', 'Another', 'Hyper', 'Collab'],
      hashNumber(number, 5),
    ),
    artistUnicode: several(nameWords, 1, number + 1),
    titleUnicode: isForeign ? several(unicodeWords, 2, number) : title,
    id: 5_000_000 + number,
    setId: 2_500_000 + number,
  }
}

/** @param wanted whose maps are in some of these packs, too. */
const madeUpPack = (number: number, wanted: readonly MapRow[]): PackRow => {
  const year = 2020 + (hashNumber(number, 1) % 7)
  const contest = `${pick(seasons, hashNumber(number, 2))} ${pick(contests, hashNumber(number, 3))}`
  const own = Array.from({ length: 14 }, (_, at) => madeUpMap(hashNumber(number, at + 50) % 4_000))
  const maps =
    hashNumber(number, 4) % 25 === 0 ? [pick(wanted, hashNumber(number, 5)), ...own] : own
  return {
    name: `${contest} ${year} ${pick(stages, hashNumber(number, 6))}`,
    owner: `${pick(nameWords, hashNumber(number, 7))} ${hashNumber(number, 8) % 200}`,
    description: hashNumber(number, 9) % 3 === 0 ? null : several(remarks, 8, number),
    maps: [...new Map(maps.map((map) => [map.id, map])).values()],
  }
}

type Corpus = { readonly packs: readonly PackRow[] }

/** Those that are looked for come in between, most of them long before the newest ones. */
const readCorpus = (): Corpus => {
  const wanted = readWanted()
  const maps = wanted.flatMap((pack) => pack.maps)
  const others = Array.from({ length: PACKS - wanted.length }, (_, at) => madeUpPack(at, maps))
  const packs = [...others]
  wanted.forEach((pack, at) => packs.splice((hashNumber(at, 77) % 800) + at, 0, pack))
  return { packs }
}

type CorpusPorts = Pick<Ports, 'accounts' | 'packs' | 'beatmapCache' | 'searchUpdates' | 'random'>

/** Saves the corpus, and takes it over into the search. */
const saveCorpus = async (ports: CorpusPorts, { packs }: Corpus): Promise<void> => {
  const owners = new Map<string, string>()
  for (const [at, { name, owner, description, maps }] of packs.entries()) {
    const now = EARLIEST + at * HOUR_MS
    const gameId = 800_000_000 + owners.size
    const id = owners.get(owner) ?? newAccountId(ports.random)
    if (!owners.has(owner)) {
      owners.set(owner, id)
      await ports.accounts.ensurePlayer({ gameId, username: owner }, id, now)
    }
    const slots = maps.map((map, place) => ({ mod: 'NM', index: place + 1, beatmapId: map.id }))
    const input = { name, visibility: 'public' as const, slots, description: description ?? '' }
    const place = { slug: newSlug(ports.random), ownerId: id, now }
    await ports.packs.create(firstSave(contentOf(input), place), null)
    const known = maps.map((map) => aBeatmap(map.id, map))
    await keepPublic(ports.beatmapCache, known, now)
  }
  await catchUp(ports)
}

type Miss = {
  readonly kind: string
  readonly query: string
  readonly wanted: string
  /** The names of what came first. */
  readonly found: readonly string[]
}

export type Quality = {
  readonly queries: number
  readonly misses: readonly Miss[]
  readonly byKind: readonly {
    readonly kind: string
    readonly queries: number
    readonly misses: number
  }[]
}

/** The names of the packs that are found, the first ones first. */
export type Ask = (query: string) => Promise<readonly string[]>

const FIRST = 3

/**
 * Saves the corpus. Returns a function that asks every query of `queries.json`. It is a miss when none of the
 * first three packs is the one that is looked for, or, of a mapper, when none has a map by them.
 */
export const openCorpus = async (ports: CorpusPorts): Promise<(ask: Ask) => Promise<Quality>> => {
  const corpus = readCorpus()
  await saveCorpus(ports, corpus)
  const mappersOf = new Map(
    corpus.packs.map(({ name, maps }) => [name, new Set(maps.map(({ mapper }) => mapper))]),
  )
  return async (ask) => {
    const misses: Miss[] = []
    for (const [kind, queries] of Object.entries(queryFile)) {
      for (const [query = '', wanted = ''] of queries) {
        const found = (await ask(query)).slice(0, FIRST)
        const [, mapper] = /^mapper:(.*)$/.exec(wanted) ?? []
        const isHit = (name: string): boolean =>
          mapper === undefined ? name === wanted : mappersOf.get(name)?.has(mapper) === true
        if (!found.some(isHit)) misses.push({ kind, query, wanted, found })
      }
    }
    const byKind = Object.entries(queryFile).map(([kind, queries]) => ({
      kind,
      queries: queries.length,
      misses: misses.filter((miss) => miss.kind === kind).length,
    }))
    return { queries: byKind.reduce((sum, each) => sum + each.queries, 0), misses, byKind }
  }
}

/** A table of the kinds of queries, and what was found instead. */
export function describeQuality({ queries, misses, byKind }: Quality): string {
  const line = (name: string, asked: number, missed: number): string =>
    `${name.padEnd(28)}${String(asked - missed).padStart(4)} of ${asked}`
  const share = (100 * (queries - misses.length)) / queries
  return [
    ...byKind.map(({ kind, queries: asked, misses: missed }) => line(kind, asked, missed)),
    `${line('all', queries, misses.length)}: ${share.toFixed(1)} %`,
    ...misses.map(
      ({ query, wanted, found }) =>
        `\n${query}\n  looked for: ${wanted}\n  found:      ${found.join(' | ') || 'nothing'}`,
    ),
  ].join('\n')
}
