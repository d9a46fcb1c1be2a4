import type { Stats } from '../../contract/packs.ts'
import type { Bucket } from '../../contract/pools.ts'
import type { RoundOfPack } from '../../contract/page-data.ts'
import { ownerNameOf, type SavedPack } from '../../domain/packs.ts'
import { countsPlain, starStats } from '../../pool/played-values.ts'
import { isCustom, type ModsPool, slotLabel, slotMods, slotsInPoolOrder } from '../../pool/slots.ts'
import { cleanLine, isolate } from '../../pool/text.ts'
import { decimalsIn, languageOfTexts, ownerIn, type SiteTexts } from '../language.ts'
import { builtin, custom, palette } from './colors.ts'

/** What a pack's picture shows, before anything is measured. */
export type Scene = Readonly<ReturnType<typeof sceneOf>>
export type SceneSlot = Scene['slots'][number]

/**
 * @param stars of each slot in the game, in the order of the pack's slots.
 * @param round what the pack was released for; null: nothing that everybody may know of.
 */
export function sceneOf(
  pack: SavedPack,
  stars: readonly (number | null)[],
  poolsOwnerName: string,
  round: RoundOfPack | null,
  texts: SiteTexts,
) {
  const { buckets, stats } = pack
  const colorOf = slotColors(buckets)
  const slots = pack.slots.map((slot, at) => ({ ...slot, stars: stars[at] ?? null }))
  return {
    /** That numbers are written in. */
    language: languageOfTexts(texts),
    name: cleanLine(pack.name),
    /** `by Ada`, or the round and its tournament. */
    credit: creditOf(pack, round, poolsOwnerName, texts, isolatedLine),
    /** `5.31 – 7.81`; null while no star rating is known. */
    stars: stats && starsText(pack, stats, stars, texts),
    /** `19 beatmaps`, `1:35 – 4:18`, `150 – 222 BPM`: what is known. */
    facts: [texts.beatmaps({ n: slots.length }), ...(stats ? factsOf(stats) : [])],
    /** In pool order: slots of one bucket are adjacent. */
    slots: slotsInPoolOrder({ buckets, slots }).map((slot) => ({
      label: slotLabel(slot),
      bucket: slot.mod ?? '',
      color: colorOf(slot.mod),
      stars: slot.stars,
    })),
  }
}

/** Isolated: a right-to-left name must not move the words around it. */
const isolatedLine = (name: string): string => `\u2068${cleanLine(name)}\u2069`

/**
 * The range of the stats; where they count slots without HD, that of all stars that are known (D-94).
 *
 * @param stars of each slot in the game; null: not looked up, so that no range is given where it may be another.
 */
export function starsText(
  pack: ModsPool,
  stats: Pick<Stats, 'srMin' | 'srMax'>,
  stars: readonly (number | null)[] | null,
  texts: SiteTexts,
  dash?: string,
): string | null {
  const hasHidden = slotMods(pack).some(({ forced }) => forced.length > 0 && countsPlain(forced))
  if (hasHidden && stars === null) return null
  const known = hasHidden ? (stars ?? []).filter((each) => each !== null) : []
  const { srMin, srMax } = known.length === 0 ? stats : starStats(known)
  return rangeText(srMin, srMax, decimalsIn(texts, 2), dash)
}

/**
 * Whose a pack is, in words: `by Ada`; of a round of a public tournament, `Finals of Harbour Lights Cup`.
 *
 * @param show makes a name safe for where the words go; as plain text by default.
 */
export const creditOf = (
  pack: Pick<SavedPack, 'ownerId' | 'ownerUsername'>,
  round: Pick<RoundOfPack, 'name' | 'tournament'> | null | undefined,
  poolsOwnerName: string,
  texts: SiteTexts,
  show: (name: string) => string = isolate,
): string =>
  round
    ? texts.roundOf({ round: show(round.name), tournament: show(round.tournament.name) })
    : texts.byOwner({ owner: show(ownerIn(texts, ownerNameOf(pack, poolsOwnerName))) })

function factsOf({ lenMin, lenMax, bpmMin, bpmMax }: Stats): string[] {
  const length = rangeText(lenMin, lenMax, minutesAndSeconds)
  const bpm = rangeText(bpmMin, bpmMax, String)
  return [...(length === null ? [] : [length]), ...(bpm === null ? [] : [`${bpm} BPM`])]
}

/** null if either end is unknown. */
function rangeText(
  least: number | null,
  most: number | null,
  write: (value: number) => string,
  dash = ' – ',
): string | null {
  if (least === null || most === null) return null
  const [from, to] = [write(least), write(most)]
  return from === to ? from : from + dash + to
}

export function minutesAndSeconds(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** The colour of a slot by its mod; null is a slot without a bucket. */
export function slotColors(buckets: readonly Bucket[] | null): (mod: string | null) => string {
  const colors = new Map<string, string>(Object.entries(builtin))
  for (const { code, color } of (buckets ?? []).filter(isCustom)) {
    colors.set(code, custom[color] ?? palette.quietInk)
  }
  return (mod) => colors.get(mod ?? '') ?? palette.quietInk
}
