import {
  type ImportedLine,
  type ImportedPool,
  readImport,
} from '../../src/formats/import/read-import.ts'
import { addBucket } from '../../src/pool/edits.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { slotLabel } from '../../src/pool/slots.ts'

export const emptyDraft: PoolDraft = { name: '', slots: [] }

/** An empty draft with custom buckets. */
export const withBuckets = (...codes: string[]): PoolDraft => codes.reduce(addBucket, emptyDraft)

/** A line without the rule by which it was read, and without notes. */
const plainLine = (line: ImportedLine) => {
  if (line.outcome !== 'slot') return line
  const { rule: _, note: __, ...plain } = line
  return plain
}

const plainPool = ({ name, lines, draft, packKey }: ImportedPool) => ({
  name,
  lines: lines.map(plainLine),
  draft,
  packKey,
})

/** The one pool of a text, added to a draft, with all lines of the text. */
export const readPaste = (text: string, into: PoolDraft) => {
  const { pools, others } = readImport(text, { into })
  const { lines = [], draft = into, packKey = null } = pools[0] ? plainPool(pools[0]) : {}
  const all = [...lines, ...others.map(plainLine)].toSorted((a, b) => a.line - b.line)
  return { lines: all, draft, packKey }
}

/** The pools of a text, and the lines that belong to none. */
export const readRoundsPaste = (text: string) => {
  const { pools, others } = readImport(text)
  return { rounds: pools.map(plainPool), others: others.map(plainLine) }
}

/** What a paste becomes, line by line: `NM1=129891`, `TB: “TBA”`; what is skipped is left out; a refusal is its reason. */
export const pasted = (text: string, into: PoolDraft = emptyDraft): string[] => {
  const { pools, others, questions } = readImport(text, { into })
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  return lines.flatMap((line) => {
    if (line.outcome === 'skipped') return []
    if (line.outcome === 'refused') return [`${line.line}: ${line.reason}`]
    if (line.outcome === 'slot') return [`${slotLabel(line)}=${line.beatmapId}`]
    if (line.outcome === 'planned') return [`${slotLabel(line)}: ${slotWords(line.filling)}`]
    const { choices = [] } = questions.find(({ id }) => id === line.question) ?? {}
    return [`${line.line}? ${choices.map(({ text }) => text).join(' | ')}`]
  })
}
