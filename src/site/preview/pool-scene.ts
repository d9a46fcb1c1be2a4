import type { BeatmapDetails } from '../../contract/beatmaps.ts'
import type { KnownSlot } from '../../contract/page-data.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { RoundSlot } from '../../contract/rounds.ts'
import { playedBpm, playedDifficulty, playedLength, roundHalfUp } from '../../pool/played-values.ts'
import { plannedWords } from '../../pool/slot-details.ts'
import { slotLabel } from '../../pool/slots.ts'
import { cleanLine } from '../../pool/text.ts'
import { type SlotWithBeatmap, slotsWithBeatmaps } from '../known-slots.ts'
import { decimalsIn, type SiteTexts } from '../language.ts'
import { minutesAndSeconds, slotColors } from './scene.ts'

/** What the picture of a pool as a table shows, before anything is measured. */
export type PoolScene = {
  readonly name: string
  /** `by Ada`, or the tournament of a round. */
  readonly line: string
  /** Pixels of the picture for one of its layout. */
  readonly scale: 1 | 2
  /** Of the columns that have words. */
  readonly heads: readonly [mapper: string, stars: string, length: string]
  /** In pool order: slots of one bucket are adjacent. */
  readonly rows: readonly PoolRow[]
}

export type PoolRow = {
  readonly label: string
  readonly bucket: string
  readonly color: string
  /** The title, or what is planned for a slot without a beatmap. */
  readonly title: string
  /** `Nine Rivers  [Insane]`; empty where nothing is known. */
  readonly line: string
  readonly mapper: string
  /** With the mods of the slot, as the game shows them; null where that is not known. */
  readonly stars: string | null
  /** Length, BPM, CS, AR and OD with the mods of the slot; empty where there is none. */
  readonly values: readonly string[]
  /** A slot without a beatmap yet. */
  readonly isPlanned: boolean
}

type PoolLike = {
  readonly buckets?: readonly Bucket[] | null | undefined
  readonly slots: readonly RoundSlot[]
}

/** @param beatmaps what everybody may know of those of the pool. */
export function poolSceneOf(
  pool: PoolLike,
  beatmaps: readonly KnownSlot[],
  { name, line, scale }: Pick<PoolScene, 'name' | 'line' | 'scale'>,
  texts: SiteTexts,
): PoolScene {
  const colorOf = slotColors(pool.buckets ?? null)
  const rows = slotsWithBeatmaps(pool, beatmaps).map((each): PoolRow => {
    const { slot } = each
    const place = { label: slotLabel(slot), bucket: slot.mod ?? '', color: colorOf(slot.mod) }
    return { ...place, ...factsOf(each, texts) }
  })
  const heads = [texts.mapper, texts.stars, texts.length] as const
  return { name: cleanLine(name), line: cleanLine(line), scale, heads, rows }
}

const unknown = { line: '', mapper: '', stars: null, values: [] }

function factsOf({ slot, forced, found }: SlotWithBeatmap, texts: SiteTexts) {
  const { beatmapId } = slot
  if (beatmapId === undefined) {
    const { title = '', artist = '', mapper = '', difficulty } = slot.details ?? {}
    const line = [artist, difficulty && `[${difficulty}]`].filter(Boolean).join('  ')
    const planned = title === '' ? plannedWords(slot) || texts.toBeAnnounced : title
    const known = title === '' ? unknown : { ...unknown, line: cleanLine(line), mapper }
    return { ...known, title: cleanLine(planned), isPlanned: true }
  }
  const details = found?.details
  if (details === undefined) {
    const gone = found?.state === 'gone' ? texts.beatmapNotFound : ''
    return {
      ...unknown,
      title: texts.beatmapTitle({ id: String(beatmapId) }),
      line: gone,
      isPlanned: false,
    }
  }
  const { artist, title, difficulty, mapper } = details
  return {
    title: cleanLine(title),
    line: cleanLine(`${artist}  [${difficulty}]`),
    mapper: cleanLine(mapper),
    stars:
      found?.stars === undefined || found.stars === null
        ? null
        : decimalsIn(texts, 2)(roundHalfUp(found.stars, 2)),
    values: valuesOf(details, forced, texts),
    isPlanned: false,
  }
}

function valuesOf(
  details: BeatmapDetails,
  forced: SlotWithBeatmap['forced'],
  texts: SiteTexts,
): string[] {
  const bpm = playedBpm(details, forced)
  const { circleSize, approachRate, overallDifficulty } = playedDifficulty(details, forced)
  const oneDecimal = decimalsIn(texts, 1, 0)
  const isMania = details.ruleset === 'mania'
  const hasCircles = !isMania && details.ruleset !== 'taiko'
  return [
    minutesAndSeconds(playedLength(details, forced)),
    bpm === null ? '' : String(bpm),
    // What mania stores there is its number of keys.
    isMania ? `${oneDecimal(circleSize)}K` : hasCircles ? oneDecimal(circleSize) : '',
    hasCircles ? oneDecimal(approachRate) : '',
    oneDecimal(overallDifficulty),
  ]
}
