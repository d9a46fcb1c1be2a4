import type { Ruleset } from '../../contract/mods.ts'
import type { Pack } from '../../contract/pack.ts'
import { writeIds, writeLinks } from '../../formats/beatmap-lists.ts'
import { writeRound } from '../../formats/bracket/write-round.ts'
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
  /** Milliseconds since 1970. */
  readonly now: number
  /** What a round is called; left out, like the pack. */
  readonly round: string | undefined
}

/** A file, and how many slots are not in it because too little is known of their beatmaps. */
export type Written = { readonly content: string | Uint8Array; readonly leftOut: number }

const whole = (content: string): Written => ({ content, leftOut: 0 })

/** The one ruleset beside the base that the pack's stats name: beatmaps of the base are played in it, too. */
const rulesetsOf = ({ pack: { stats }, pool }: Source): Map<number, { ruleset: Ruleset }> => {
  const [ruleset, more] = stats?.modes.filter((mode) => mode !== 'base') ?? []
  if (ruleset === undefined || more !== undefined) return new Map()
  return new Map(pool.slots.map(({ beatmapId }) => [beatmapId, { ruleset }]))
}

/** How a pack is written in each format of the format table. */
export const exporters: Readonly<Record<FormatId, (source: Source) => Written | Promise<Written>>> =
  {
    bracket: (source) => whole(writeRound(source.pool, { name: source.round }, rulesetsOf(source))),
    csv: ({ pool, known }) => whole(writeCsv(pool, known.bySlot)),
    tsv: ({ pool, known }) => whole(writeTsv(pool, known.bySlot)),
    referee: ({ pool }) => whole(refereeLines(pool)),
    'referee-json': ({ pool }) => whole(refereeJson(pool)),
    collection({ pool, known }) {
      const { collection, leftOut } = collectionOf(pool, known.byId)
      const content = writeCollections(COLLECTION_VERSION, [collection])
      return { content, leftOut: leftOut.length }
    },
    async osdb({ pool, known, now }) {
      const { collection, leftOut } = osdbOf(pool, known.byId)
      const content = await writeOsdb([collection], { savedAt: now, editor: 'Mapcrate' })
      return { content, leftOut: leftOut.length }
    },
    ids: ({ pool }) => whole(writeIds(pool)),
    links: ({ pool }) => whole(writeLinks(pool)),
    key: ({ pack }) => whole(`${pack.packKey}\n`),
  }
