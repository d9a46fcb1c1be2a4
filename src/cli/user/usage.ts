import type { PoolsClient } from '../../client/pools-client.ts'
import { MAX_BEATMAP_ID, MAX_USAGE_IDS } from '../../contract/bounds.ts'
import type { BeatmapUse } from '../../contract/usage.ts'
import { findTargets } from '../../pool/beatmap-links.ts'
import { slotLabel } from '../../pool/slots.ts'
import { yearAfter } from '../../pool/text.ts'
import { usageError } from '../program.ts'
import { refusedKey } from './errors.ts'
import { collect, notePage, pageOptions, readPageNumber } from './listing.ts'
import { table } from './screen.ts'
import { connectPools } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

export const usageCommand: UserCommand = {
  details: `Show where beatmaps were pooled: the slots of public packs that hold them, most recently saved packs first, 50
per page, with the tournament and round that released a pack. BEATMAP is an id or a link; give up to 50. It asks
the tournament-pools service: run "mapcrate login --service pools" first.`,
  options: [...pageOptions, jsonOption],
  words: ['BEATMAP…'],
  examples: [
    'mapcrate usage 129891',
    'mapcrate usage https://osu.ppy.sh/beatmapsets/39804#osu/129891 75 --all',
    "mapcrate usage 129891 --json | jq -r '.[].tournament.name'",
  ],
  async run(context) {
    const { words, options, screen } = context
    const page = readPageNumber(context)
    const ids = [...new Set(words.map(readBeatmap))]
    if (ids.length > MAX_USAGE_IDS) {
      throw usageError(`${ids.length} beatmaps are too many; give up to ${MAX_USAGE_IDS}`)
    }
    const { client } = await connectPools(context)
    const reading =
      page === null
        ? collect(client.iterateBeatmapUsage(ids))
        : readPage(client, ids, page, context)
    const uses = await reading.catch((error: unknown) => {
      throw refusedKey(error, 'pools')
    })
    if (options.has('json')) return screen.json(uses)
    if (uses.length === 0) return screen.note(nothing(ids, page))
    const rows = uses.map((use) => {
      const { beatmapId, slug, packName, updatedAt } = use
      const where = [slotLabel(use), slug, packName, releasedBy(use), updatedAt.slice(0, 10)]
      return ids.length > 1 ? [beatmapId, ...where] : where
    })
    const heads = ['SLOT', 'PACK', 'NAME', 'BY', 'SAVED']
    screen.out(table(ids.length > 1 ? ['BEATMAP', ...heads] : heads, rows, screen.paint))
  },
}

function readBeatmap(word: string): number {
  const [target] = findTargets(word)
  if (target?.beatmapId === null) {
    throw usageError(
      `"${word}" leads to a whole set; open one of its beatmaps and take the last number of that link`,
    )
  }
  const id = target?.beatmapId ?? (/^\d{1,10}$/.test(word) ? Number(word) : 0)
  if (id >= 1 && id <= MAX_BEATMAP_ID) return id
  throw usageError(`"${word}" is no beatmap; give its id, or a link to it`)
}

async function readPage(
  client: PoolsClient,
  ids: readonly number[],
  page: number,
  context: CliContext,
): Promise<BeatmapUse[]> {
  const list = await client.listBeatmapUsage(ids, { page })
  const { uses, totals } = list
  if (context.options.has('json') || uses.length === 0) return uses
  notePage(page, list, 'slot', context)
  const never = totals.filter(({ total }) => total === 0).map(({ beatmapId }) => beatmapId)
  if (never.length > 0) context.screen.note(`Never pooled: ${never.join(', ')}.`)
  return uses
}

const nothing = (ids: readonly number[], page: number | null): string => {
  if (page !== null && page > 1) return 'There is nothing on this page.'
  return ids.length > 1 ? 'None of them was ever pooled.' : 'It was never pooled.'
}

/** The round and its tournament, or who owns the pack. */
function releasedBy({ tournament, round, ownerName }: BeatmapUse): string {
  if (tournament === undefined) return ownerName
  const { name, year } = tournament
  return `${name}${yearAfter(name, year)}${round === undefined ? '' : `, ${round}`}`
}
