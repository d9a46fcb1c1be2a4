import { bucketTable, completeBuckets, isCustom, isDefaultTable } from '../../pool/buckets.ts'
import { changeBucket } from '../../pool/edits.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import type { Pasted, PastedLine } from '../pasted.ts'
import { KnownCodes } from './known-codes.ts'
import { keyIn, type OpenedKey } from './pack-key-lines.ts'
import { placeSlot } from './place-slot.ts'
import type { Finding } from './read-lines.ts'

const ANOTHER_KEY = 'Another pack key in this text was opened. Paste this one by itself.'
const ASIDE =
  'A pack key in this text was opened and the rest was ignored. Paste this line by itself.'

/**
 * Puts the pool of a pack key into the draft. An empty draft becomes the pool; a name that was
 * given to it stays. Others get its slots, and those of its buckets that they lack, with their mods.
 */
export function settlePool(
  opened: OpenedKey,
  findings: readonly Finding[],
  into: PoolDraft,
  codes: KnownCodes,
): Pasted {
  const added = isEmpty(into)
    ? addSlots(become(opened.pool, into), opened, null)
    : addSlots(into, opened, codes)
  const lines = findings.flatMap((finding) =>
    finding === opened.finding ? added.lines : [besideKey(finding)],
  )
  return { lines, draft: added.draft, packKey: opened.key }
}

function addSlots(into: PoolDraft, { pool, finding }: OpenedKey, known: KnownCodes | null) {
  const codes = known ?? new KnownCodes(into)
  const { line, text } = finding
  let draft = into
  const lines = pool.slots.map(({ mod, index, beatmapId }): PastedLine => {
    const isNew = mod !== null && codes.find(mod) === null
    const placed = placeSlot(draft, { code: mod, index }, beatmapId, codes)
    if (placed.draft === null) return { line, text, outcome: 'refused', reason: placed.reason }
    draft = isNew ? withModsOf(pool, mod, placed.draft) : placed.draft
    return { line, text, outcome: 'slot', ...placed.slot }
  })
  return { draft, lines: lines.length > 0 ? lines : [{ line, text, outcome: 'skipped' } as const] }
}

function withModsOf(pool: Pool, code: string, draft: PoolDraft): PoolDraft {
  const mods = bucketTable(pool.buckets)
    .filter(isCustom)
    .find((each) => each.code === code)?.mods
  const bucket = bucketTable(draft.buckets)
    .filter(isCustom)
    .find((each) => each.code === code)
  return mods === undefined || bucket === undefined
    ? draft
    : changeBucket(draft, code, { ...bucket, mods })
}

const isEmpty = ({ buckets, slots }: PoolDraft): boolean =>
  slots.length === 0 && isDefaultTable(completeBuckets(buckets ?? [], []))

const become = ({ name, buckets }: Pool, into: PoolDraft): PoolDraft => ({
  ...into,
  name: into.name.trim() === '' ? name : into.name,
  buckets,
})

function besideKey(finding: Finding): PastedLine {
  const { line, text, reading } = finding
  if (reading.kind === 'slot') return { line, text, outcome: 'refused', reason: ASIDE }
  if (keyIn(finding) !== null) return { line, text, outcome: 'refused', reason: ANOTHER_KEY }
  return { line, text, outcome: 'skipped' }
}
