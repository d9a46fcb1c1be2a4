import type { BeatmapDetails } from '../../contract/beatmap-details.ts'
import type { Pool } from '../../pool/pool.ts'
import type { SlotView } from './slot-view.ts'

/** What a file is written from. */
export type Source = {
  readonly pool: Pool
  readonly packKey: string
  /** In pool order, with what is known by now. */
  readonly slots: readonly SlotView[]
  /** What is known of the beatmaps, by id. */
  readonly details: ReadonlyMap<number, BeatmapDetails>
}

/** A file, and how many slots are not in it because their beatmaps are not known. */
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
  /** Short enough, and text, so that it can be copied as well. */
  readonly canCopy: boolean
  readonly write: (source: Source) => Promise<Written>
}

const text = (name: string, about: string, write: (source: Source) => Promise<string>): Writer => ({
  name,
  about,
  ending: '.txt',
  mediaType: 'text/plain;charset=utf-8',
  canCopy: true,
  write: async (source) => ({ content: await write(source), leftOut: 0 }),
})

/** All formats, those for people first. */
export const writers: readonly Writer[] = [
  {
    name: 'bracket.json',
    about: 'For the tournament client: one round with this pool',
    ending: '.bracket.json',
    mediaType: 'application/json',
    canCopy: false,
    write: async ({ pool, details }) => {
      const { writeRound } = await import('../../formats/bracket/write-round.ts')
      return { content: writeRound(pool, {}, details), leftOut: 0 }
    },
  },
  text('Pack key', 'The whole pool in one line', async ({ packKey }) => `${packKey}\n`),
]
