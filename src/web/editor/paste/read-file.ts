import { decodeText, recogniseFormat } from '../../../formats/file-content.ts'
import { FormatError } from '../../../formats/format-error.ts'
import { readImport } from '../../../formats/import/read-import.ts'
import { readImportFile } from '../../../formats/import/read-import-file.ts'
import { isCustom } from '../../../pool/buckets.ts'
import { completePool } from '../../../pool/checks.ts'
import { encodePackKey } from '../../../pool/pack-key/pack-key.ts'
import type { PoolDraft } from '../../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../../pool/slots.ts'

/** Reads a file that hosts keep pools in. Throws a FormatError with the place and the remedy. */
export async function readFile(bytes: Uint8Array, fileName: string) {
  if (recogniseFormat(bytes, fileName) === 'text') {
    return { kind: 'text' as const, text: decodeText(bytes).replace(/^\ufeff/, '') }
  }
  const { pools } = await readImportFile(bytes, fileName)
  const read = pools.map(({ draft, name, lines, description }) => {
    const leftOut = lines.flatMap((line) => (line.outcome === 'refused' ? [line.reason] : []))
    return filePool({ ...draft, name: name ?? 'Pool' }, leftOut, description ?? '')
  })
  const filled = read.filter(({ beatmaps }) => beatmaps > 0)
  if (filled.length === 0) throw new FormatError('no pool in the file has beatmaps with ids')
  return { kind: 'pools' as const, pools: filled }
}

export type FilePool = ReturnType<typeof filePool>

/** A pool in a form that can be pasted, and what of it could not be taken, and why. */
function filePool(draft: PoolDraft, leftOut: readonly string[], description = '') {
  const beatmaps = draft.slots.length
  const text = beatmaps === 0 ? '' : asText(draft)
  return { name: draft.name, description, beatmaps, text, leftOut }
}

/** Lines such as `NM1 129891`; a pack key where lines could not hold all of it. */
function asText(draft: PoolDraft): string {
  const slots = slotsInPoolOrder(draft)
  const lines = slots
    .map((slot) => (slot.mod === null ? slot.beatmapId : `${slotLabel(slot)} ${slot.beatmapId}`))
    .join('\n')
  const [read = { draft }] = readImport(lines).pools
  const hasMods = draft.buckets?.some((bucket) => isCustom(bucket) && bucket.mods !== undefined)
  const isWhole = JSON.stringify(slotsInPoolOrder(read.draft)) === JSON.stringify(slots)
  return isWhole && hasMods !== true ? lines : encodePackKey(completePool(draft))
}
