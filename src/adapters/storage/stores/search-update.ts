import { sql } from 'kysely'
import type { Beatmap } from '../../../domain/beatmaps.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import { BoundedMap } from '../../../domain/loading.ts'
import { variantsOf } from '../../../pool/words.ts'
import type { SearchUpdates } from '../../../ports/search.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareListQuery, prepareQueries } from '../query.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'
import { createChangeCounter } from './public-count.ts'
import { publicKey } from './public-list.ts'
import { createUses, rowOf, tokensOf, usesOf } from './search-rows.ts'

type Describe = Parameters<SearchUpdates['update']>[1]

/** Rows that a rebuild looks at for each pack that can be found: of those that cannot, it passes many at once. */
const WALKED_FOR_EACH = 4
const LEAST_WALKED = 64
/** What is in `search_near` is not written again, as far as so many words are remembered: most are in many packs. */
const MAX_KNOWN_WORDS = 100_000
/** Their words stay in memory, some KB each: the packs of a season share most of their beatmaps. */
const MAX_KNOWN_BEATMAPS = 4_000

/** What `search_pack` and the tables next to it hold, kept as the public packs are. */
export function createSearchUpdates(engine: Engine): SearchUpdates {
  const { db, write, words } = engine
  const counter = createChangeCounter(engine)
  const queries = updateQueries(words)
  const packsById = prepareListQuery((ids: readonly number[]) =>
    packsWithOwner(db).where('id', 'in', ids),
  )
  const heldById = prepareListQuery(
    (ids: readonly number[]) => sql<{ id: number }>`
      select pack_id as id from search_pack where pack_id in (${sql.join(ids)})`,
  )
  const beatmapsById = prepareListQuery(
    (ids: readonly number[]) => sql<{ id: number; details: string; isPublic: 0 | 1 }>`
      select id, details, is_public as "isPublic" from beatmap
      where id in (${sql.join(ids)}) and details is not null`,
  )
  const knownBeatmaps = new BoundedMap<number, KnownBeatmap>({ maxEntries: MAX_KNOWN_BEATMAPS })
  const replaceUses = createUses(words)
  const knownWords = new Set<string>()
  /** Up to which removal of words `knownWords` is right: any process may remove some. */
  let knownAt = 0

  async function readState(on: Db): Promise<SearchState> {
    const rows = await queries.state(on, { version: 'index_version' })
    const numbers = new Map(rows.map((row) => [row.name, row] as const))
    const valueOf = (name: string) => numbers.get(name)?.value
    const version = valueOf('index_version')
    if (version === undefined) throw new Error('The store has lost its index_version')
    // Without its place, everything is taken over again.
    const [seq, walk] = [valueOf('search_seq') ?? -1, valueOf('search_walk') ?? 0]
    // As it is where a process has been at work that forgets no words.
    const isLost = numbers.get('search_forgotten')?.mark !== placeOf(seq, walk)
    return {
      version,
      seq,
      walk: isLost ? 0 : walk,
      isLost,
      rebuilt: isLost ? 0 : Number(numbers.get('search_walk')?.mark ?? 0),
      packs: valueOf('search_packs') ?? 0,
      forgotten: valueOf('search_forgotten') ?? 0,
    }
  }

  /** Those that were looked up for public packs, and all, for packs of which each was looked up (D-74). */
  async function readBeatmaps(tx: Db, packs: readonly SavedPack[]) {
    const ids = packs.flatMap(({ slots }) => slots.map(({ beatmapId }) => beatmapId))
    const all = new Map<number, Beatmap>()
    const open = new Map<number, Beatmap>()
    for (const { id, details, isPublic } of await beatmapsById(tx, ids)) {
      let known = knownBeatmaps.get(id)
      if (known?.details !== details) {
        known = { details, beatmap: JSON.parse(details) as Beatmap }
        knownBeatmaps.set(id, known)
      }
      all.set(id, known.beatmap)
      if (isPublic === 1) open.set(id, known.beatmap)
    }
    return { all, open }
  }

  /** Stores these packs as they are now. Returns the words that are new, and those that no pack has any more. */
  async function replace(tx: Db, ids: readonly number[], describe: Describe) {
    const before = new Set((await heldById(tx, ids)).map(({ id }) => id))
    const rows = (await packsById(tx, ids)).filter((row) => publicKey(row) !== null)
    const packs = rows.map((row) => ({ id: row.id, pack: toSavedPack(row) }))
    const beatmaps = await readBeatmaps(
      tx,
      packs.map(({ pack }) => pack),
    )
    await replaceUses(tx, [...before], packs.flatMap(usesOf))
    const left = new Set(before)
    const newWords = new Set<string>()
    const present = new Set<string>()
    const entries = packs.map(({ id, pack }) => {
      const isLookedUp = pack.stats?.complete === true
      const described = describe(pack, isLookedUp ? beatmaps.all : beatmaps.open)
      for (const word of described.any) if (!knownWords.has(word)) newWords.add(word)
      for (const word of described.any) present.add(word)
      const isHeld = left.delete(id)
      return { row: rowOf(id, pack, described), tokens: tokensOf(described), isHeld }
    })
    const had = [...(entries.length === 0 ? [] : await words.put(tx, entries))]
    for (const id of left) had.push(...(await words.remove(tx, id)))
    const near = nearOf(newWords)
    if (near.length > 0)
      await queries.addNear(tx, { near: JSON.stringify(near.toSorted(byVariant)) })
    if (packs.length !== before.size) {
      const { packs: counted } = await readState(tx)
      await setNumber(tx, 'search_packs', counted + packs.length - before.size)
    }
    // The name of somebody who is gone is to be nowhere.
    const oldest = [...new Set(had)].filter(
      (word) => !present.has(word) && variantsOf(word).length > 0,
    )
    const goneWords = oldest.length === 0 ? [] : await words.unused(tx, oldest)
    if (goneWords.length > 0) {
      await queries.removeNear(tx, { near: JSON.stringify(nearOf(goneWords)) })
    }
    return { newWords: [...newWords], goneWords }
  }

  const setNumber = (tx: Db, name: SearchNumber, value: number, mark: string | null = null) =>
    queries.setNumber(tx, { name, value, mark })

  /** The next packs of a rebuild, and up to which id they are all; null: to the end. */
  async function readWalked(tx: Db, walk: number, limit: number) {
    const atOnce = Math.max(LEAST_WALKED, limit * WALKED_FOR_EACH)
    const rows = await queries.walked(tx, { walk, atOnce })
    const isEnd = rows.length < atOnce
    const upTo = isEnd ? Number.MAX_SAFE_INTEGER : (rows.at(-1)?.id ?? 0)
    const listed = rows.flatMap(({ id, isListed }) => (isListed === 1 ? id : []))
    const indexed = await queries.indexed(tx, { walk, upTo, limit })
    const ids = [...new Set([...listed, ...indexed.map(({ id }) => id)])].toSorted((a, b) => a - b)
    const taken = ids.slice(0, limit)
    const isWhole = taken.length === ids.length && indexed.length < limit
    return { ids: taken, upTo: isWhole ? (isEnd ? null : upTo) : taken.at(-1)! }
  }

  return {
    async update(limit, describe) {
      // Only changes that are counted have a number.
      await counter.version()
      const { version, seq, walk } = await readState(db)
      if (seq === version && walk < 0) return 0
      const saved = await write('search', async (tx) => {
        let state = await readState(tx)
        const read = await queries.changes(tx, { seq: state.seq, limit })
        const noted = read.filter((change, at) => change.seq === state.seq + 1 + at)
        // Changes are missing that were removed before they were taken over, or lost with a database.
        if (noted.length === 0 && (read.length > 0 || state.version !== state.seq)) {
          state = { ...state, seq: state.version, walk: 0, rebuilt: 0 }
        }
        if (state.isLost) {
          await queries.removeAllNear(tx, {})
          await words.restart(tx)
        }
        if (state.isLost || state.forgotten !== knownAt) knownWords.clear()
        knownAt = state.forgotten
        const ids = new Set(noted.map(({ id }) => id))
        const isWalking = state.walk >= 0 && noted.length < limit
        const walked = isWalking && (await readWalked(tx, state.walk, limit - noted.length))
        for (const id of walked ? walked.ids : []) ids.add(id)
        const made = ids.size > 0 ? await replace(tx, [...ids], describe) : null
        const { newWords, goneWords } = made ?? { newWords: [], goneWords: [] }
        const seq = noted.at(-1)?.seq ?? state.seq
        const walk = walked ? (walked.upTo ?? -1) : state.walk
        const forgotten = state.forgotten + (state.isLost || goneWords.length > 0 ? 1 : 0)
        await setNumber(tx, 'search_seq', seq)
        const rebuilt = state.rebuilt + (walked ? walked.ids.length : 0)
        await setNumber(tx, 'search_walk', walk, walk < 0 ? null : String(rebuilt))
        await setNumber(tx, 'search_forgotten', forgotten, placeOf(seq, walk))
        // A portion of a rebuild may hold no pack that can be found.
        const isOver = !walked || walked.upTo === null
        return { looked: Math.max(ids.size, isOver ? 0 : 1), newWords, goneWords, forgotten }
      })
      // Committed by now.
      knownAt = saved.forgotten
      if (knownWords.size + saved.newWords.length > MAX_KNOWN_WORDS) knownWords.clear()
      for (const word of saved.goneWords) knownWords.delete(word)
      for (const word of saved.newWords) knownWords.add(word)
      return saved.looked
    },

    rebuild: () =>
      write('search', async (tx) => {
        const { seq, forgotten, isLost } = await readState(tx)
        await setNumber(tx, 'search_walk', 0)
        // Every process adds all words again, those that are there already, too.
        const mark = isLost ? null : placeOf(seq, 0)
        await setNumber(tx, 'search_forgotten', forgotten + 1, mark)
      }),

    async progress() {
      const [pending] = await queries.pending(db, {})
      const { version, seq, walk, rebuilt, packs } = await readState(db)
      const counted = Math.max(0, version - seq)
      const isRebuilding = walk >= 0
      const [listed] = isRebuilding ? await queries.listed(db, {}) : []
      const of = listed?.packs ?? 0
      const rebuild = isRebuilding ? { done: Math.min(rebuilt, of), of } : null
      return { packs, pending: counted + (pending?.changes ?? 0), isRebuilding, rebuild }
    },
  }
}

type SearchNumber = 'search_seq' | 'search_walk' | 'search_packs' | 'search_forgotten'
type NumberRow = { readonly name: string; readonly value: number; readonly mark: string | null }
type SearchState = {
  readonly version: number
  /** As `migrations/` describes them. */
  readonly seq: number
  readonly walk: number
  /** Packs that the rebuild has taken over; the mark of its place. */
  readonly rebuilt: number
  /** Is what is there not to be relied on? Then everything is removed before it is taken over again. */
  readonly isLost: boolean
  /** Rows of `search_pack`. */
  readonly packs: number
  /** How often words were removed, or a rebuild was begun. */
  readonly forgotten: number
}

/** Where an update has left the search. */
const placeOf = (seq: number, walk: number): string => `${seq} ${walk}`

type NearRow = readonly [variant: string, word: string]

const nearOf = (words: Iterable<string>): NearRow[] =>
  [...words].flatMap((word) => variantsOf(word).map((variant) => [variant, word] as const))

/** The order of the table. */
const byVariant = ([one]: NearRow, [other]: NearRow): number => (one < other ? -1 : 1)

type KnownBeatmap = { readonly details: string; readonly beatmap: Beatmap }

function updateQueries({ each }: Engine['words']) {
  return prepareQueries({
    state: ({ version }: { version: string }) => sql<NumberRow>`
      select name, value, mark from shared_number
      where name in (${version}, 'search_seq', 'search_walk', 'search_packs', 'search_forgotten')`,

    pending: () => sql<{ changes: number }>`
      select count(*) as changes from public_change where seq is null`,

    listed: () => sql<{ packs: number }>`select coalesce(sum(size), 0) as packs from public_block`,

    changes: ({ seq, limit }: { seq: number; limit: number }) => sql<{ seq: number; id: number }>`
      select seq, pack_id as id from public_change where seq > ${seq} order by seq limit ${limit}`,

    walked: ({ walk, atOnce }: { walk: number; atOnce: number }) =>
      sql<{ id: number; isListed: 0 | 1 }>`
        select id, case when visibility = 'public' and hidden_at is null then 1 else 0 end
          as "isListed"
        from pack where id > ${walk} order by id limit ${atOnce}`,

    indexed: ({ walk, upTo, limit }: { walk: number; upTo: number; limit: number }) =>
      sql<{ id: number }>`
        select pack_id as id from search_pack where pack_id > ${walk} and pack_id <= ${upTo}
        order by pack_id limit ${limit}`,

    addNear: ({ near }: { near: string }) => sql`
      insert into search_near (variant, word)
      select value ->> 0, value ->> 1 from ${each(near)} where true on conflict do nothing`,

    removeNear: ({ near }: { near: string }) => sql`
      delete from search_near where (variant, word) in (
        select value ->> 0, value ->> 1 from ${each(near)})`,

    removeAllNear: () => sql`delete from search_near`,

    setNumber: ({ name, value, mark }: NumberRow) => sql`
      insert into shared_number (name, value, mark) values (${name}, ${value}, ${mark})
      on conflict (name) do update set value = excluded.value, mark = excluded.mark`,
  })
}
