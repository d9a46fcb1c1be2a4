import type { Pack } from '../contract/packs.ts'
import type { PoolOfRound } from './tables.ts'
import { detailsById, type TournamentFile, tournamentFormats } from './tournament.ts'

/** Several packs, as the formats write them. */
export type PacksSheet = {
  /** As the API returns them. */
  readonly packs: readonly Pack[]
  /** Their pools in the same order, by names that differ, ignoring case. */
  readonly pools: readonly PoolOfRound[]
}

export type PacksFormat = {
  readonly label: string
  /** What it contains or is for, in a few words. */
  readonly about: string
  /** To be added to a file's name. */
  readonly ending: string
  /** Text that people may want to copy, with every slot; else slots of unknown beatmaps are left out. */
  readonly isText: boolean
  readonly needsDetails: boolean
  /** @param savedAt milliseconds since 1970, for formats that contain a date. */
  readonly write: (sheet: PacksSheet, savedAt: number) => Promise<TournamentFile>
}

const text = { isText: true, needsDetails: true } as const
const data = { isText: true, needsDetails: false } as const
const collections = { isText: false, needsDetails: true } as const

/** One file of several packs. What writes one is loaded when needed. */
export const packFormats: readonly PacksFormat[] = [
  {
    ...text,
    label: 'Spreadsheet',
    about: 'One .csv with a column for the pack',
    ending: '.csv',
    write: async ({ pools }) => {
      const { writeRoundsCsv } = await import('./tables.ts')
      const unknown = pools.map(({ pool, details }) => pool.slots.length - details.size)
      const incomplete = unknown.reduce((sum, each) => sum + each, 0)
      return { content: writeRoundsCsv(pools, 'Pack'), incomplete }
    },
  },
  {
    ...collections,
    label: 'Collections (.osdb)',
    about: 'For Collection Manager, one per pack',
    ending: '.osdb',
    write: async ({ pools }, savedAt) => {
      const { osdbOf, writeOsdb } = await import('./collection/osdb.ts')
      const all = pools.map((each) => osdbOf(each.pool, detailsById(each)))
      const filled = all
        .map(({ collection }) => collection)
        .filter((each) => each.beatmaps.length > 0)
      return {
        content: await writeOsdb(filled, { savedAt, editor: 'Mapcrate' }),
        incomplete: all.reduce((sum, { leftOut }) => sum + leftOut.length, 0),
      }
    },
  },
  {
    ...collections,
    label: 'collection.db',
    about: 'For the game’s client, one collection per pack',
    ending: ' collection.db',
    write: async ({ pools }) => {
      const { collectionOf, COLLECTION_VERSION, writeCollections } =
        await import('./collection/collection-db.ts')
      const all = pools.map((each) => collectionOf(each.pool, detailsById(each)))
      const filled = all
        .map(({ collection }) => collection)
        .filter((each) => each.hashes.length > 0)
      return {
        content: writeCollections(COLLECTION_VERSION, filled),
        incomplete: all.reduce((sum, { leftOut }) => sum + leftOut.length, 0),
      }
    },
  },
  {
    ...text,
    label: 'bracket.json',
    about: 'A round per pack for the tournament client',
    ending: ' bracket.json',
    write: ({ pools }, savedAt) =>
      tournamentFormats.bracket.write({ name: '', rounds: pools }, { savedAt }),
  },
  {
    ...text,
    label: 'Referee lines',
    about: '!mp commands for each slot, by pack',
    ending: ' referee.txt',
    write: async (sheet, savedAt) => {
      const file = await tournamentFormats.referee.write(
        { name: '', rounds: sheet.pools },
        { savedAt },
      )
      return { ...file, incomplete: 0 }
    },
  },
  {
    ...data,
    label: 'JSON',
    about: 'Everything of the packs, as the API has it',
    ending: '.json',
    write: async ({ packs }) => ({
      content: `${JSON.stringify({ packs }, null, 2)}\n`,
      incomplete: 0,
    }),
  },
  {
    ...data,
    label: 'Pack keys',
    about: 'A line per pack, to open or restore its pool',
    ending: ' keys.txt',
    write: async ({ packs }) => ({
      content: packs.map(({ packKey }) => `${packKey}\n`).join(''),
      incomplete: 0,
    }),
  },
]

/** The names, with numbers where two are the same, ignoring case: `Cup`, `Cup (2)`. */
export function distinctNames(names: readonly string[]): string[] {
  const used = new Set<string>()
  return names.map((name) => {
    let distinct = name
    for (let number = 2; used.has(distinct.toLowerCase()); number += 1) {
      distinct = `${name} (${number})`
    }
    used.add(distinct.toLowerCase())
    return distinct
  })
}
