import type { BeatmapDetails } from '../contract/beatmaps.ts'
import type { Ruleset } from '../contract/mods.ts'
import type { Pack } from '../contract/packs.ts'
import type { Round, RoundSlot } from '../contract/rounds.ts'
import type { Pool } from '../pool/pool.ts'
import { cleanLine } from '../pool/text.ts'

/** A slot's beatmap without mods, and its stars with the slot's mods, null while that rating is not known. */
export type SlotDetails = {
  readonly details: BeatmapDetails
  readonly stars: number | null
  /** The platform has no rating with the mods: `stars` are those without (D-93). */
  readonly noRating?: true | undefined
}

/** By the slot's position in the pool's own `slots`, counted from 0; slots of which nothing is known are left out. */
export type DetailsBySlot = ReadonlyMap<number, SlotDetails>

/** By beatmap id. */
export type RulesetById = ReadonlyMap<number, { readonly ruleset: Ruleset }>

/** A pool as files have it: that of a pack, or of a round of a tournament. */
export type RoundPool = {
  /** What the file calls it; the names of a sheet differ, ignoring case. */
  readonly name: string
  /** It may have no slots. */
  readonly pool: Pool
  /** What is known of its beatmaps; the others are written by their ids, or left out. */
  readonly details: DetailsBySlot
  /** Used while `details` is empty. */
  readonly rulesets?: RulesetById | undefined
  /** Odd, from 1 to 23. */
  readonly bestOf?: number | undefined
  /** From 0 to 5. */
  readonly bans?: number | undefined
  /** When the round begins, in ISO 8601. */
  readonly startsAt?: string | undefined
  /** The pack or round as the API returns it; left out for a pool that is not saved. */
  readonly saved?: Pack | Round | undefined
}

/** The slots of a released round that have no beatmap yet (D-78). */
export function plannedSlots({ saved }: Pick<RoundPool, 'saved'>): RoundSlot[] {
  const slots: readonly RoundSlot[] = saved?.slots ?? []
  return slots.filter(({ beatmapId }) => beatmapId === undefined)
}

/** Where all beatmaps of a round can be had, and where it is presented (D-85). */
export function linksOf({ saved }: Pick<RoundPool, 'saved'>): Pick<Round, LinkField> {
  return saved === undefined || 'packKey' in saved ? {} : saved
}

type LinkField = 'mapPackUrl' | 'showcaseUrl'

/** The pools of a file, in the order in which they are written. */
export type Sheet = {
  /** `pack`: one pool alone, of which the file is; `rounds` of a tournament when left out. */
  readonly kind?: 'pack' | 'packs' | 'rounds' | undefined
  /** The tournament's. */
  readonly name?: string | undefined
  /** Precedes the rounds' names in collections and pack keys, in place of the tournament's name. */
  readonly shortName?: string | undefined
  /** That of most beatmaps when left out. */
  readonly ruleset?: Ruleset | undefined
  readonly rounds: readonly RoundPool[]
}

/** One pool alone: a pack is a list of one round. */
export function sheetOf(pool: Pool, details: DetailsBySlot = new Map()): Sheet {
  return { kind: 'pack', rounds: [{ name: pool.name, pool, details }] }
}

export type WriteOptions = {
  /** Milliseconds since 1970, for formats that contain a date. */
  readonly savedAt: number
  /** A file to put the pools into; only for formats that merge. */
  readonly into?: Uint8Array | undefined
}

/** What is known of the beatmaps of a pool, by their ids. */
export function detailsById({ details }: Pick<RoundPool, 'details'>): Map<number, BeatmapDetails> {
  return new Map(Array.from(details.values(), ({ details: each }) => [each.id, each]))
}

export function rulesetsOf(round: RoundPool): RulesetById {
  return round.details.size === 0 && round.rulesets ? round.rulesets : detailsById(round)
}

/** The name of a pool where it is by itself, such as among the collections of a player: `HC26 Finals`. */
export function wholeName({ kind, name = '', shortName = name }: Sheet, round: RoundPool): string {
  const own = round.name.trim()
  return kind === 'pack' || kind === 'packs' ? own : `${shortName.trim()} ${own}`
}

/** A text of each pool; below a heading, which is read as one of a round, where there may be several. */
export function writeTexts(
  { kind, rounds }: Sheet,
  write: (pool: Pool, round: RoundPool) => string,
): string {
  const texts = rounds.map((round) => {
    const head = kind === 'pack' ? '' : `## ${cleanLine(round.name)}\n\n`
    return head + write(round.pool, round)
  })
  return texts.join('\n')
}
