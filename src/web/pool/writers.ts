import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import { refereeJson, refereeLines } from '../../formats/referee.ts'
import type { Pool } from '../../pool/pool.ts'
import { now } from '../browser-clock.ts'
import type { SlotView } from './slot-view.ts'

/** What a file is written from. */
export type Source = {
  readonly pool: Pool
  readonly packKey: string
  readonly slots: readonly SlotView[]
  /** What is known of the beatmaps, by id. */
  readonly details: ReadonlyMap<number, BeatmapDetails>
}

/** A file, and how many slots are not whole in it because too little is known of their beatmaps. */
export type Written = {
  readonly content: string | Uint8Array<ArrayBuffer>
  readonly leftOut: number
}

/** A format that a pool can be taken away in. What writes it is loaded when it is asked for. */
export type Writer = {
  readonly name: string
  /** Whom it is for. */
  readonly about: string
  /** Of the file: `.csv`. */
  readonly ending: string
  readonly mediaType: string
  /** A text that one would paste somewhere. */
  readonly canCopy: boolean
  readonly write: (source: Source) => Promise<Written>
}

const TEXT = 'text/plain;charset=utf-8'

const whole = (content: string): Written => ({ content, leftOut: 0 })

/** What tables need: by the slot's position in the pool's own `slots`. */
const bySlot = ({ pool, slots }: Source) => {
  const known = slots.flatMap(({ slot, beatmap }) =>
    beatmap.state === 'known' ? [[pool.slots.indexOf(slot), beatmap] as const] : [],
  )
  return { details: new Map(known), leftOut: slots.length - known.length }
}

/** All formats, those that most people need first. */
export const writers: readonly Writer[] = [
  {
    name: 'Referee lines',
    about: '!mp commands for each slot',
    ending: ' referee.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ pool, details }) => whole(refereeLines(pool, details)),
  },
  {
    name: 'Spreadsheet',
    about: 'The whole table as .csv',
    ending: '.csv',
    mediaType: 'text/csv;charset=utf-8',
    canCopy: false,
    write: async (source) => {
      const { writeCsv } = await import('../../formats/write-table.ts')
      const { details, leftOut } = bySlot(source)
      return { content: writeCsv(source.pool, details), leftOut }
    },
  },
  {
    name: 'Spreadsheet cells',
    about: 'To paste into a sheet',
    ending: '.tsv',
    mediaType: 'text/tab-separated-values;charset=utf-8',
    canCopy: true,
    write: async (source) => {
      const { writeTsv } = await import('../../formats/write-table.ts')
      const { details, leftOut } = bySlot(source)
      return { content: writeTsv(source.pool, details), leftOut }
    },
  },
  {
    name: 'bracket.json',
    about: 'A round for the tournament client',
    ending: ' bracket.json',
    mediaType: 'application/json',
    canCopy: false,
    write: async ({ pool, details }) => {
      const { writeRound } = await import('../../formats/bracket/write-round.ts')
      return whole(writeRound(pool, {}, details))
    },
  },
  {
    name: 'Referee JSON',
    about: 'For referee tools',
    ending: ' referee.json',
    mediaType: 'application/json',
    canCopy: true,
    write: async ({ pool }) => whole(refereeJson(pool)),
  },
  {
    name: 'collection.db',
    about: 'For the game’s client',
    ending: ' collection.db',
    mediaType: 'application/octet-stream',
    canCopy: false,
    write: async ({ pool, details }) => {
      const [{ collectionOf }, { COLLECTION_VERSION, writeCollections }] = await Promise.all([
        import('../../formats/collection/collection-of.ts'),
        import('../../formats/collection/write-collections.ts'),
      ])
      const { collection, leftOut } = collectionOf(pool, details)
      const content = writeCollections(COLLECTION_VERSION, [collection])
      return { content, leftOut: leftOut.length }
    },
  },
  {
    name: 'Collection (.osdb)',
    about: 'For Collection Manager',
    ending: '.osdb',
    mediaType: 'application/octet-stream',
    canCopy: false,
    write: async ({ pool, details }) => {
      const [{ osdbOf }, { writeOsdb }] = await Promise.all([
        import('../../formats/collection/osdb-of.ts'),
        import('../../formats/collection/write-osdb.ts'),
      ])
      const { collection, leftOut } = osdbOf(pool, details)
      const content = await writeOsdb([collection], { savedAt: now(), editor: 'Mapcrate' })
      return { content, leftOut: leftOut.length }
    },
  },
  {
    name: 'Beatmap ids',
    about: 'One per line, in pool order',
    ending: ' ids.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ pool }) =>
      whole((await import('../../formats/beatmap-lists.ts')).writeIds(pool)),
  },
  {
    name: 'Links',
    about: 'Beatmap links, one per line',
    ending: ' links.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ pool }) =>
      whole((await import('../../formats/beatmap-lists.ts')).writeLinks(pool)),
  },
  {
    name: 'Pack key',
    about: 'The whole pool in one line of text',
    ending: ' key.txt',
    mediaType: TEXT,
    canCopy: true,
    write: async ({ packKey }) => whole(`${packKey}\n`),
  },
]
