import { sql } from 'kysely'
import { rulesets, statsMods } from '../../../contract/mods.ts'
import { bitsOf } from '../../../contract/pack-filter.ts'
import type { Beatmap } from '../../../domain/beatmaps.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { PackWords, Term } from '../../../domain/search.ts'
import { variantsOf } from '../../../domain/words.ts'
import type { SearchUpdates } from '../../../ports/search.ts'
import { type Db, type Engine, prepareQueries } from '../engine.ts'
import { prepareListQuery } from '../query.ts'
import type { Tables } from '../tables.ts'
import { packsWithOwner, toSavedPack } from './pack-queries.ts'
import { createChangeCounter } from './public-count.ts'
import { publicKey } from './public-list.ts'
import { tokenOf } from './search.ts'

type Describe = Parameters<SearchUpdates['update']>[1]

/** Rows that a rebuild looks at for packs that can be found; most can, or few are. */
const WALKED_AT_ONCE = 1_000
/** What is in `search_near` is not written again, as far as so many words are remembered: most are in many packs. */
const MAX_KNOWN_WORDS = 100_000

/** What `search_pack` and the tables next to it hold, kept as the public packs are. */
export function createSearchUpdates(engine: Engine): SearchUpdates {
  const { db, write, words } = engine
  const counter = createChangeCounter(engine)
  const queries = updateQueries(words)
  const packsById = prepareListQuery((ids: readonly number[]) =>
    packsWithOwner(db).where('id', 'in', ids),
  )
  const rowsById = prepareListQuery(
    (ids: readonly number[]) => sql<FoundRow>`
      select pack_id as id, updated_at as "updatedAt", beatmaps from search_pack
      where pack_id in (${sql.join(ids)})`,
  )
  const beatmapsById = prepareListQuery(
    (ids: readonly number[]) => sql<{ details: string; isPublic: 0 | 1 }>`
      select details, is_public as "isPublic" from beatmap where id in (${sql.join(ids)}) and details is not null`,
  )
  const knownWords = new Set<string>()

  async function readState(on: Db): Promise<SearchState> {
    const rows = await queries.state(on, { version: 'index_version' })
    const {
      index_version: version,
      search_seq: seq,
      search_walk: walk,
      search_packs: packs,
    } = Object.fromEntries(rows.map(({ name, value }) => [name, value] as const))
    if (version === undefined) throw new Error('The store has lost its index_version')
    // Without its place, everything is taken over again.
    return { version, seq: seq ?? -1, walk: walk ?? 0, packs: packs ?? 0 }
  }

  /** Those that were looked up for public packs, and all, for packs of which each was looked up (D-74). */
  async function readBeatmaps(tx: Db, packs: readonly SavedPack[]) {
    const ids = packs.flatMap(({ slots }) => slots.map(({ beatmapId }) => beatmapId))
    const rows = await beatmapsById(tx, ids)
    const beatmaps = rows.map(({ details, isPublic }) => {
      return { beatmap: JSON.parse(details) as Beatmap, isPublic: isPublic === 1 }
    })
    const byId = (some: typeof beatmaps) =>
      new Map(some.map(({ beatmap }) => [beatmap.id, beatmap] as const))
    return { all: byId(beatmaps), open: byId(beatmaps.filter(({ isPublic }) => isPublic)) }
  }

  /** Makes what is held of these packs what they are now. Returns the words that it has saved. */
  async function replace(tx: Db, ids: readonly number[], describe: Describe): Promise<string[]> {
    const before = await rowsById(tx, ids)
    const rows = (await packsById(tx, ids)).filter((row) => publicKey(row) !== null)
    const packs = rows.map((row) => ({ id: row.id, pack: toSavedPack(row) }))
    const beatmaps = await readBeatmaps(
      tx,
      packs.map(({ pack }) => pack),
    )
    if (before.length > 0) {
      await queries.removeUses(tx, { uses: JSON.stringify(before.flatMap(keysOfUses)) })
    }
    for (const { id } of before) await words.remove(tx, id)
    const newWords = new Set<string>()
    for (const { id, pack } of packs) {
      const isLookedUp = pack.stats?.complete === true
      const described = describe(pack, isLookedUp ? beatmaps.all : beatmaps.open)
      await words.add(tx, rowOf(id, pack, described), tokensOf(described))
      for (const word of described.any) if (!knownWords.has(word)) newWords.add(word)
    }
    if (packs.length > 0) {
      await queries.addUses(tx, { uses: JSON.stringify(packs.flatMap(usesOf)) })
    }
    const near = [...newWords].flatMap((word) => variantsOf(word).map((variant) => [variant, word]))
    if (near.length > 0) await queries.addNear(tx, { near: JSON.stringify(near) })
    await setNumber(tx, 'search_packs', (await readState(tx)).packs + packs.length - before.length)
    return [...newWords]
  }

  const setNumber = (tx: Db, name: SearchNumber, value: number) =>
    queries.setNumber(tx, { name, value })

  /** The next packs of a rebuild, and up to which id they are all; null: to the end. */
  async function readWalked(tx: Db, walk: number, limit: number) {
    const rows = await queries.walked(tx, { walk, atOnce: WALKED_AT_ONCE })
    const isEnd = rows.length < WALKED_AT_ONCE
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
          state = { ...state, seq: state.version, walk: 0 }
        }
        if (state.walk === 0) knownWords.clear()
        const ids = new Set(noted.map(({ id }) => id))
        const isWalking = state.walk >= 0 && noted.length < limit
        const walked = isWalking && (await readWalked(tx, state.walk, limit - noted.length))
        for (const id of walked ? walked.ids : []) ids.add(id)
        const newWords = ids.size > 0 ? await replace(tx, [...ids], describe) : []
        await setNumber(tx, 'search_seq', noted.at(-1)?.seq ?? state.seq)
        if (walked) await setNumber(tx, 'search_walk', walked.upTo ?? -1)
        // A portion of a rebuild may hold no pack that can be found.
        const isOver = !walked || walked.upTo === null
        return { looked: Math.max(ids.size, isOver ? 0 : 1), newWords }
      })
      // Committed by now.
      if (knownWords.size + saved.newWords.length > MAX_KNOWN_WORDS) knownWords.clear()
      for (const word of saved.newWords) knownWords.add(word)
      return saved.looked
    },

    rebuild: () => write('search', async (tx) => void (await setNumber(tx, 'search_walk', 0))),

    async progress() {
      const [pending] = await queries.pending(db, {})
      const { version, seq, walk, packs } = await readState(db)
      const counted = Math.max(0, version - seq)
      return { packs, pending: counted + (pending?.changes ?? 0), isRebuilding: walk >= 0 }
    },
  }
}

type SearchNumber = 'search_seq' | 'search_walk' | 'search_packs'
type SearchState = {
  readonly version: number
  /** As `migrations/` describes them. */
  readonly seq: number
  readonly walk: number
  /** Rows of `search_pack`. */
  readonly packs: number
}

type FoundRow = { readonly id: number; readonly updatedAt: number; readonly beatmaps: string }

const keysOfUses = ({ id, updatedAt, beatmaps }: FoundRow) =>
  (JSON.parse(beatmaps) as number[]).map((beatmapId) => [beatmapId, updatedAt, id])

const usesOf = ({ id, pack: { slots, updatedAt } }: { id: number; pack: SavedPack }) =>
  slots.map(({ beatmapId, mod, index }, place) => [
    beatmapId,
    updatedAt,
    id,
    place,
    mod ?? '',
    index,
  ])

function rowOf(id: number, { updatedAt }: SavedPack, described: PackWords): Tables['search_pack'] {
  const { maps, stars, length, bpm, mods, rulesets: modes } = described.facts
  return {
    pack_id: id,
    updated_at: updatedAt,
    beatmaps: JSON.stringify(described.beatmapIds),
    maps,
    stars,
    length_min: length && length[0],
    length_max: length && length[1],
    bpm_min: bpm && bpm[0],
    bpm_max: bpm && bpm[1],
    mods: mods && bitsOf(mods, statsMods),
    rulesets: modes && bitsOf(modes, rulesets),
  }
}

function tokensOf({ name, text, any, pairs, beatmapIds, setIds }: PackWords): string[] {
  const terms: Term[] = [
    ...name.map((word) => ({ kind: 'name', word }) as const),
    ...text.map((word) => ({ kind: 'text', word }) as const),
    ...any.map((word) => ({ kind: 'any', word }) as const),
    ...pairs.map((word) => ({ kind: 'pair', word }) as const),
    ...beatmapIds.map((id) => ({ kind: 'beatmap', id }) as const),
    ...setIds.map((id) => ({ kind: 'set', id }) as const),
  ]
  return terms.map(tokenOf)
}

function updateQueries({ each }: Engine['words']) {
  return prepareQueries({
    state: ({ version }: { version: string }) => sql<{ name: string; value: number }>`
      select name, value from shared_number
      where name in (${version}, 'search_seq', 'search_walk', 'search_packs')`,

    pending: () => sql<{ changes: number }>`
      select count(*) as changes from public_change where seq is null`,

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

    removeUses: ({ uses }: { uses: string }) => sql`
      delete from beatmap_use where (beatmap_id, updated_at, pack_id) in (
        select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint)
        from ${each(uses)})`,

    addUses: ({ uses }: { uses: string }) => sql`
      insert into beatmap_use (beatmap_id, updated_at, pack_id, place, mod, slot_index)
      select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint),
        cast(value ->> 3 as integer), value ->> 4, cast(value ->> 5 as integer)
      from ${each(uses)}`,

    addNear: ({ near }: { near: string }) => sql`
      insert into search_near (variant, word)
      select value ->> 0, value ->> 1 from ${each(near)} where true on conflict do nothing`,

    setNumber: ({ name, value }: { name: SearchNumber; value: number }) => sql`
      insert into shared_number (name, value) values (${name}, ${value})
      on conflict (name) do update set value = excluded.value`,
  })
}
