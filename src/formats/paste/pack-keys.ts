import type { CustomBucket } from '../../contract/pools.ts'
import { bucketTable, completeBuckets, isCustom, isDefaultTable } from '../../pool/buckets.ts'
import { changeBucket } from '../../pool/edits.ts'
import { PackKeyError } from '../../pool/pack-key/layout.ts'
import { decodePackKey, findPackKey } from '../../pool/pack-key/pack-key.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { KnownCodes } from './label.ts'
import { type Finding, type Pasted, type PastedLine, refused } from './reading.ts'
import { placeSlot } from './settle.ts'

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
  const { name, buckets } = opened.pool
  const isEmpty = into.slots.length === 0 && isDefaultTable(completeBuckets(into.buckets ?? [], []))
  const base = isEmpty
    ? { ...into, name: into.name.trim() === '' ? name : into.name, buckets }
    : into
  const added = addSlots(base, opened, isEmpty ? new KnownCodes(base) : codes)
  const lines = findings.flatMap((finding) =>
    finding === opened.finding ? added.lines : [besideKey(finding)],
  )
  return { lines, draft: added.draft, packKey: opened.key }
}

function addSlots(into: PoolDraft, { pool, finding }: OpenedKey, codes: KnownCodes) {
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
  const mods = customBucket(pool, code)?.mods
  const bucket = customBucket(draft, code)
  return mods === undefined || bucket === undefined
    ? draft
    : changeBucket(draft, code, { ...bucket, mods })
}

function customBucket({ buckets }: PoolDraft, code: string): CustomBucket | undefined {
  return bucketTable(buckets)
    .filter(isCustom)
    .find((each) => each.code === code)
}

function besideKey(finding: Finding): PastedLine {
  const { line, text, reading } = finding
  if (reading.kind === 'slot') return { line, text, outcome: 'refused', reason: ASIDE }
  if (keyIn(finding) !== null) return { line, text, outcome: 'refused', reason: ANOTHER_KEY }
  return { line, text, outcome: 'skipped' }
}

/** A pack key that opens, and the finding that it stands in. */
type OpenedKey = { readonly key: string; readonly pool: Pool; readonly finding: Finding }

/** The first pack key that opens. A line that is a slot by itself holds none: titles may look like one. */
export function openPackKey(findings: readonly Finding[]): OpenedKey | null {
  for (const finding of findings) {
    const key = keyIn(finding)
    const pool = key === null ? null : open(key)
    if (key === null || pool === null || pool instanceof PackKeyError) continue
    return { key, pool, finding }
  }
  return null
}

/** The findings, lines with a damaged key saying what is wrong with it. */
export function withDamagedKeys(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => {
    const key = keyIn(finding)
    const error = key === null ? null : open(key)
    return error instanceof PackKeyError ? { ...finding, reading: refused(error.message) } : finding
  })
}

/** What looks like a pack key on a line that was not understood, or all but is no comment: `#pk1.…` of a link. */
function keyIn({ text, reading }: Finding): string | null {
  const mayHold = reading.kind === 'refused' || /^\s*#pk[0-9]/.test(text)
  return mayHold ? findPackKey(text) : null
}

function open(key: string): Pool | PackKeyError {
  try {
    return decodePackKey(key)
  } catch (error) {
    if (error instanceof PackKeyError) return error
    throw error
  }
}
