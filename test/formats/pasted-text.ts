import { readPaste } from '../../src/formats/read-paste.ts'
import { addBucket } from '../../src/pool/edits.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { slotLabel } from '../../src/pool/slots.ts'

export const emptyDraft: PoolDraft = { name: '', slots: [] }

/** An empty draft with custom buckets. */
export const withBuckets = (...codes: string[]): PoolDraft => codes.reduce(addBucket, emptyDraft)

/** What a paste becomes, line by line: `NM1=129891`; what is skipped is left out; a refusal is its reason. */
export const pasted = (text: string, into: PoolDraft = emptyDraft): string[] =>
  readPaste(text, into).lines.flatMap((line) => {
    if (line.outcome === 'skipped') return []
    if (line.outcome === 'refused') return [`${line.line}: ${line.reason}`]
    return [`${slotLabel(line)}=${line.beatmapId}`]
  })
