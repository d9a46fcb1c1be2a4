import type { Pack } from '../../contract/packs.ts'
import type { Format } from '../../formats/format.ts'
import type { DetailsBySlot, RoundPool, RulesetById } from '../../formats/sheet.ts'
import { lookUp } from './look-up.ts'
import { poolOf } from './pack-text.ts'
import type { CliContext } from './user-command.ts'

/** The pack with what the site knows of its beatmaps, if the format needs it. */
export async function readSource(
  format: Format,
  pack: Pack,
  site: string,
  context: CliContext,
): Promise<RoundPool> {
  if (!isLookedUp(format, pack, context)) return sourceOf(pack, new Map(), context)
  const { bySlot, gap } = await lookUp(site, pack, context)
  if (gap !== null) noteGap(gap, context)
  return sourceOf(pack, bySlot, context)
}

/** Whether the format needs more of the beatmaps than the pack says, and may ask for it. */
export function isLookedUp({ needs }: Format, pack: Pack, { options }: CliContext): boolean {
  if (needs === 'nothing' || options.has('no-details')) return false
  return needs !== 'rulesets' || rulesetsOfStats(pack) === undefined
}

export function noteGap(gap: string, { screen }: CliContext): void {
  screen.note(`Not all is known of the beatmaps: ${gap}.`)
}

/** The pack, by the name that the call gives its round or collection. */
export function sourceOf(
  pack: Pack,
  details: DetailsBySlot,
  { options }: Pick<CliContext, 'options'>,
): RoundPool {
  const pool = poolOf(pack)
  const name = (options.get('round') ?? pool.name).trim()
  return { name, pool, details, saved: pack, rulesets: rulesetsOfStats(pack) }
}

/** The ruleset of every beatmap if the pack's stats name only one. */
function rulesetsOfStats({ stats, slots }: Pack): RulesetById | undefined {
  const [ruleset, more] = stats?.modes ?? []
  if (ruleset === undefined || more !== undefined || stats?.complete !== true) return undefined
  return new Map(slots.map(({ beatmapId }) => [beatmapId, { ruleset }]))
}
