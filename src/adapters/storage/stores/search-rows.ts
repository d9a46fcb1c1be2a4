import { sql } from 'kysely'
import { rulesets, statsMods } from '../../../contract/mods.ts'
import { bitsOf } from '../../../contract/pack-filter.ts'
import { chunksOf } from '../../../domain/loading.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { PackWords } from '../../../domain/search.ts'
import type { Db, WordIndex } from '../engine.ts'
import { prepareByLength, prepareListQuery, prepareQuery } from '../query.ts'
import type { Tables } from '../tables.ts'
import { tokenOf } from './search.ts'

/** A row of `beatmap_use`. */
type Use = readonly [
  beatmapId: number,
  updatedAt: number,
  packId: number,
  place: number,
  mod: string,
  slotIndex: number,
]
const USE_COLUMNS = 6

type UseRow = {
  readonly beatmapId: number
  readonly updatedAt: number
  readonly id: number
  readonly place: number
  readonly mod: string
  readonly slotIndex: number
}

const useOf = ({ beatmapId, updatedAt, id, place, mod, slotIndex }: UseRow): Use => [
  beatmapId,
  updatedAt,
  id,
  place,
  mod,
  slotIndex,
]

export const usesOf = ({
  id,
  pack: { slots, updatedAt },
}: {
  id: number
  pack: SavedPack
}): Use[] =>
  slots.map(({ beatmapId, mod, index }, place) => [
    beatmapId,
    updatedAt,
    id,
    place,
    mod ?? '',
    index,
  ])

export function rowOf(
  id: number,
  { updatedAt }: SavedPack,
  described: PackWords,
): Tables['search_pack'] {
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

/** Separated by spaces, as `tokenOf` makes them. */
export function tokensOf({ name, text, any, pairs, beatmapIds, setIds }: PackWords): string {
  const tokens = [
    ...name.map((word) => tokenOf({ kind: 'name', word })),
    ...text.map((word) => tokenOf({ kind: 'text', word })),
    ...any,
    ...pairs.map((word) => tokenOf({ kind: 'pair', word })),
    ...beatmapIds.map((id) => tokenOf({ kind: 'beatmap', id })),
    ...setIds.map((id) => tokenOf({ kind: 'set', id })),
  ]
  return tokens.join(' ')
}

/** Rows that one statement inserts; each number makes a prepared statement. */
const INSERTED = [64, 16, 4, 1] as const

/**
 * Creates the function that makes the rows of `beatmap_use` of some packs what they are now, before `search_pack` is
 * written. It writes only what differs: what is kept of the usage of a beatmap would be read again.
 */
export function createUses({ each }: Pick<WordIndex, 'each'>) {
  const usesById = prepareListQuery(
    (ids: readonly number[]) => sql<UseRow>`
      select beatmap_id as "beatmapId", used.updated_at as "updatedAt", used.pack_id as id, place, mod,
        slot_index as "slotIndex"
      from (
        select pack_id, updated_at, cast(cast(value as text) as integer) as beatmap
        from search_pack, ${each(sql.ref('beatmaps'))} as held
        where pack_id in (${sql.join(ids)})
      ) as held cross join beatmap_use as used
      where used.beatmap_id = held.beatmap and used.updated_at = held.updated_at
        and used.pack_id = held.pack_id`,
  )
  const addUses = prepareByLength((values: readonly (number | string)[]) => {
    const rows = chunksOf(values, USE_COLUMNS).map((row) => sql`(${sql.join(row)})`)
    return sql`insert into beatmap_use (beatmap_id, updated_at, pack_id, place, mod, slot_index)
      values ${sql.join(rows)}`
  })
  const removeUses = prepareQuery(
    ({ uses }: { uses: string }) => sql`
      delete from beatmap_use where (beatmap_id, updated_at, pack_id, place) in (
        select cast(value ->> 0 as integer), cast(value ->> 1 as bigint), cast(value ->> 2 as bigint),
          cast(value ->> 3 as integer)
        from ${each(uses)})`,
  )

  return async (tx: Db, before: readonly number[], uses: readonly Use[]) => {
    const wanted = new Map(uses.map((use) => [use.join(' '), use] as const))
    const old: Use[] = []
    for (const row of await usesById(tx, before)) {
      const use = useOf(row)
      if (!wanted.delete(use.join(' '))) old.push(use)
    }
    if (old.length > 0) await removeUses(tx, { uses: JSON.stringify(old) })
    // In the order of the table: what is next to each other there is written at once.
    const added = [...wanted.values()].toSorted((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
    for (let at = 0; at < added.length;) {
      const length = INSERTED.find((most) => most <= added.length - at)!
      await addUses(tx, added.slice(at, (at += length)).flat())
    }
  }
}
