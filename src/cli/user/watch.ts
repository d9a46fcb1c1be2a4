import type { Pack } from '../../contract/packs.ts'
import type { Format } from '../../formats/format.ts'
import { formats } from '../../formats/format-table.ts'
import type { RoundPool, SlotDetails } from '../../formats/sheet.ts'
import { comparePacks } from '../../pool/comparison.ts'
import { slotMods } from '../../pool/slots.ts'
import { isLookedUp, noteGap, sourceOf, writePack } from './export-file.ts'
import {
  etagFetch,
  everyOption,
  LiveFile,
  liveOptions,
  otherFormats,
  readSeconds,
  targetOf,
  watch,
} from './live-file.ts'
import { lookUp } from './look-up.ts'
import { differenceLines, poolOf, statsLine } from './pack-text.ts'
import { connect } from './service.ts'
import { type CliContext, jsonOption, type UserCommand } from './user-command.ts'

export const watchCommand: UserCommand = {
  details: `Check a pack periodically and print its changes until Ctrl+C; with --json, one line of JSON per change.
Each check counts as a request.

With --as and --out, FILE always holds the pack in FORMAT, for a program that reads it live, such as a stream
overlay. It is written at once and after each change, and always as a whole. While the service cannot be reached,
and when the pack is deleted, it keeps its last content. A FILE that another program changes is not overwritten
without --force. FORMAT is one of export, but not ${otherFormats.join(', ')}.`,
  options: [everyOption, jsonOption, ...liveOptions],
  words: ['SLUG'],
  examples: [
    'mapcrate watch q7Jm2_xT0a',
    'mapcrate watch q7Jm2_xT0a --every 10 --json >> changes.jsonl',
    'mapcrate watch q7Jm2_xT0a --as overlay --out overlay.json',
  ],
  async run(context) {
    const seconds = readSeconds(context)
    const target = targetOf(context)
    const { client, site, slug } = await connect(context, etagFetch(fetch))
    const live =
      target === null
        ? null
        : new LiveFile(target.file, context, packWriter(formats[target.format], site, context))
    const read = () => client.getPack(slug())
    const gone = 'the pack is gone, or hidden from you'
    await watch({ seconds, read, live, gone, printChange }, context)
  },
}

function printChange(before: Pack, after: Pack, { options, screen }: CliContext): void {
  const changes = comparePacks(before, after)
  const stats = statsLine(after)
  const isStatsNew = stats !== statsLine(before)
  if (changes.length === 0 && !isStatsNew) return
  if (options.has('json')) {
    const change = { updatedAt: after.updatedAt, changes, stats: after.stats ?? null }
    return screen.out(`${JSON.stringify(change)}\n`)
  }
  if (changes.length > 0) screen.out(`${screen.paint.bold(after.updatedAt)}\n`)
  screen.out(differenceLines(changes, screen.paint, before.slots))
  if (isStatsNew && stats !== '') screen.out(`${stats}\n`)
}

/** Returns a function that makes the file of a pack; what is known of its beatmaps stays known while the site is silent. */
function packWriter(format: Format, site: string, context: CliContext) {
  /** What was looked up last, and what is known by it. */
  let looked = ''
  let known = new Map<string, SlotDetails>()
  let lastGap: string | null = null

  async function sourceFor(pack: Pack): Promise<RoundPool> {
    if (!isLookedUp(format, pack, context)) return sourceOf(pack, new Map(), context)
    const plays = slotMods(poolOf(pack)).map(
      ({ beatmapId, forced }) => `${beatmapId} ${forced.join('')}`,
    )
    const asked = JSON.stringify([plays.toSorted(), pack.stats ?? null])
    if (asked !== looked || lastGap !== null) {
      const { bySlot, gap } = await lookUp(site, pack, context)
      for (const [at, details] of bySlot) known.set(plays[at]!, details)
      if (gap !== null && gap !== lastGap) noteGap(gap, context)
      lastGap = gap
      looked = asked
    }
    const found = plays.flatMap((play, at) => {
      const details = known.get(play)
      return details === undefined ? [] : [{ at, play, details }]
    })
    known = new Map(found.map(({ play, details }) => [play, details]))
    return sourceOf(pack, new Map(found.map(({ at, details }) => [at, details])), context)
  }

  return async (pack: Pack): Promise<string | Uint8Array> =>
    (await writePack(format, await sourceFor(pack), context)).content
}
