import { MAX_SLOTS } from '../../contract/bounds.ts'
import type { PoolDraft } from '../../pool/pool.ts'
import { fitName } from '../fit-name.ts'
import { SlotGatherer } from '../gather-slots.ts'
import type { OsdbCollection } from './osdb.ts'

export type OsdbDraft = {
  /** Completes, unless it has no slot; its slots stand in no bucket. */
  readonly draft: PoolDraft
  /** What of the collection is not in it, and why; empty when all is. */
  readonly leftOut: readonly string[]
}

/** An .osdb collection as a pool: its beatmaps in the file's order. */
export function draftOfOsdb({ name, beatmaps, hashes }: OsdbCollection): OsdbDraft {
  const slots = new SlotGatherer()
  const withId = beatmaps.filter(({ id }) => id > 0)
  for (const { id } of withId.slice(0, MAX_SLOTS)) slots.add(null, id)
  const noId = beatmaps.length - withId.length + hashes.length
  const leftOut: string[] = []
  if (noId > 0) leftOut.push(`${noId} beatmaps without an id, which a pool needs`)
  if (withId.length > MAX_SLOTS) {
    const count = withId.length - MAX_SLOTS
    leftOut.push(`${count} beatmaps over the limit of ${MAX_SLOTS} per pool; split the collection`)
  }
  return { draft: slots.draft(fitName(name, 'Collection')), leftOut }
}
