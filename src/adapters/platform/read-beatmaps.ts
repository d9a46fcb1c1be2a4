import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Beatmap } from '../../domain/beatmaps.ts'
import { PlatformTrouble } from '../../domain/platform.ts'
import type { Platform } from '../../ports/platform.ts'
import type { Ask } from './ask-as-ourselves.ts'
import { BeatmapRow, toBeatmap } from './beatmap-row.ts'
import { createFlights } from './flights.ts'
import { unusable } from './unusable.ts'
import { nameOf, type WireCall } from './wire-call.ts'

/** The platform silently cuts what is beyond, and what is missing from an answer counts as gone. */
const MAX_IDS = 50

const rows = Compile(Type.Object({ beatmaps: Type.Array(BeatmapRow) }))

const beatmapsCall = (ids: readonly number[]): WireCall => ({
  method: 'GET',
  path: '/api/v2/beatmaps',
  query: new URLSearchParams(ids.map((id) => ['ids[]', String(id)])),
})

/** Whether these are beatmaps that were asked for, each once. */
const answers = (beatmaps: readonly Beatmap[], ids: readonly number[]): boolean => {
  const open = new Set(ids)
  return beatmaps.every(({ id }) => open.delete(id))
}

/**
 * Beatmaps by 50. Absent means nonexistent, so an answer counts only as a whole: one row that
 * cannot be read makes all of it trouble, for left out it would look like a beatmap that is gone.
 * Who must have the others asks again for fewer at a time.
 */
export const createReadBeatmaps = (ask: Ask): Platform['readBeatmaps'] => {
  const join = createFlights<readonly Beatmap[]>()

  return async (ids, caller) => {
    if (ids.length > MAX_IDS) throw new RangeError(`at most ${MAX_IDS} ids, not ${ids.length}`)
    if (ids.length === 0) return []
    const sorted = ids.toSorted((a, b) => a - b)
    const call = beatmapsCall(sorted)
    return join(sorted.join(' '), caller, async () => {
      const answer = await ask(call, caller)
      if (answer.status !== 200 || !rows.Check(answer.json)) throw unusable(call, answer)
      const beatmaps = answer.json.beatmaps.map(toBeatmap)
      if (answers(beatmaps, sorted)) return beatmaps
      throw new PlatformTrouble(`${nameOf(call)} answered 200, with rows that were not asked for`)
    })
  }
}
