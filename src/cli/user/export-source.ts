import type { Pack } from '../../contract/packs.ts'
import { type FormatId, formats } from '../../formats/format-table.ts'
import type { Source } from './export-file.ts'
import { lookUp, type PoolDetails } from './look-up.ts'
import { poolOf } from './pack-text.ts'
import type { CliContext } from './user-command.ts'

/** Asks the site for what the format needs to know of the beatmaps. */
export async function readSource(
  id: FormatId,
  pack: Pack,
  site: string,
  context: CliContext,
): Promise<Source> {
  if (!isLookedUp(id, pack, context)) return sourceOf(pack, nothingKnown, context)
  const details = await lookUp(site, pack, context)
  if (details.gap !== null) noteGap(details.gap, context)
  return sourceOf(pack, details, context)
}

/** Whether the format needs more of the beatmaps than the pack says, and may ask for it. */
export function isLookedUp(id: FormatId, pack: Pack, { options }: CliContext): boolean {
  const { needs } = formats[id]
  if (needs === 'nothing' || options.has('no-details')) return false
  return needs !== 'rulesets' || rulesetsOfStats(pack) === null
}

export const nothingKnown: PoolDetails = { bySlot: new Map(), byId: new Map(), gap: null }

export function noteGap(gap: string, { screen }: CliContext): void {
  screen.note(`Not all is known of the beatmaps: ${gap}.`)
}

export function sourceOf(pack: Pack, details: PoolDetails, context: CliContext): Source {
  const { byId } = details
  const rulesets = byId.size > 0 ? byId : (rulesetsOfStats(pack) ?? byId)
  const round = context.options.get('round')
  return { pool: poolOf(pack), pack, details, rulesets, now: context.now(), round }
}

/** The ruleset of every beatmap if the pack's stats name only one; otherwise null. */
function rulesetsOfStats({ stats, slots }: Pack) {
  const [ruleset, more] = stats?.modes ?? []
  if (ruleset === undefined || more !== undefined || stats?.complete !== true) return null
  return new Map(slots.map(({ beatmapId }) => [beatmapId, { ruleset }]))
}
