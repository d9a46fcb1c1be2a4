import type { Pack } from '../../contract/packs.ts'
import { writeIds, writeLinks } from '../../formats/beatmap-lists.ts'
import { type RulesetById, writeRound } from '../../formats/bracket/write-round.ts'
import { collectionOf } from '../../formats/collection/collection-of.ts'
import { osdbOf } from '../../formats/collection/osdb-of.ts'
import { COLLECTION_VERSION, writeCollections } from '../../formats/collection/write-collections.ts'
import { writeOsdb } from '../../formats/collection/write-osdb.ts'
import type { FormatId } from '../../formats/format-table.ts'
import { refereeJson, refereeLines } from '../../formats/referee.ts'
import { writeCsv, writeTsv } from '../../formats/write-table.ts'
import type { Pool } from '../../pool/pool.ts'
import type { Known } from './look-up.ts'

/** What a file is written from. */
export type Source = {
  readonly pool: Pool
  readonly pack: Pack
  readonly known: Known
  /** As far as they are known. */
  readonly rulesets: RulesetById
  /** Milliseconds since 1970. */
  readonly now: number
  /** What a round or a collection is called; left out, like the pack. */
  readonly round: string | undefined
}

/** A file, and how many slots are not in it because too little is known of their beatmaps. */
export type Written = { readonly content: string | Uint8Array; readonly leftOut: number }

const whole = (content: string): Written => ({ content, leftOut: 0 })

/** The pool under the name that its round or collection gets. */
export const named = ({ pool, round }: Pick<Source, 'pool' | 'round'>): Pool => ({
  ...pool,
  name: (round ?? pool.name).trim(),
})

/** The ruleset of every beatmap where the pack's stats name one alone; null where beatmaps must be looked up. */
export const rulesetsOfStats = ({ stats, slots }: Pack): RulesetById | null => {
  const [ruleset, more] = stats?.modes ?? []
  if (ruleset === undefined || more !== undefined || stats?.complete !== true) return null
  return new Map(slots.map(({ beatmapId }) => [beatmapId, { ruleset }]))
}

/** How a pack is written in each format of the format table. */
export const exporters: Readonly<Record<FormatId, (source: Source) => Written | Promise<Written>>> =
  {
    bracket: (source) => whole(writeRound(source.pool, { name: source.round }, source.rulesets)),
    csv: ({ pool, known }) => whole(writeCsv(pool, known.bySlot)),
    tsv: ({ pool, known }) => whole(writeTsv(pool, known.bySlot)),
    referee: ({ pool, rulesets }) => whole(refereeLines(pool, rulesets)),
    'referee-json': ({ pool }) => whole(refereeJson(pool)),
    collection(source) {
      const { collection, leftOut } = collectionOf(named(source), source.known.byId)
      const content = writeCollections(COLLECTION_VERSION, [collection])
      return { content, leftOut: leftOut.length }
    },
    async osdb(source) {
      const { collection, leftOut } = osdbOf(named(source), source.known.byId)
      const content = await writeOsdb([collection], { savedAt: source.now, editor: 'Mapcrate' })
      return { content, leftOut: leftOut.length }
    },
    ids: ({ pool }) => whole(writeIds(pool)),
    links: ({ pool }) => whole(writeLinks(pool)),
    key: ({ pack }) => whole(`${pack.packKey}\n`),
  }
