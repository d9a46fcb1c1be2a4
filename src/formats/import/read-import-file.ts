import type { PoolDraft } from '../../pool/pool.ts'
import { readBracket } from '../bracket/read-bracket.ts'
import { draftOfOsdb, readOsdb } from '../collection/osdb.ts'
import { decodeText, recogniseFormat } from '../file-content.ts'
import { FormatError } from '../format-error.ts'
import { readPoolJson } from '../read-pool-json.ts'
import { assemble, type Import, type ImportOptions, readImport } from './read-import.ts'
import { refused } from './lines.ts'
import type { Finding, PoolFacts, RuleId } from './readings.ts'
import { roundOfFile } from './round-names.ts'
import type { Shape } from './shapes.ts'

/**
 * Reads a file of any format that holds pools, recognised by its content.
 *
 * @param fileName decides only where the content does not.
 * @throws FormatError with the place and the remedy for a file that no reader takes.
 */
export async function readImportFile(
  bytes: Uint8Array,
  fileName = '',
  options: ImportOptions = {},
): Promise<Import> {
  switch (recogniseFormat(bytes, fileName)) {
    case 'text':
      return readImport(decodeText(bytes).replace(/^\ufeff/, ''), options)
    case 'bracket':
      return assemble(fromBracket(decodeText(bytes)), bracketShape, options)
    case 'json':
      return assemble(fromPoolJson(decodeText(bytes)), jsonShape, options)
    case 'osdb':
      return assemble(await fromOsdb(bytes), osdbShape, options)
    default:
      throw new FormatError(
        'a collection.db names beatmaps by checksums alone; save it as .osdb in Collection Manager, which has ids',
      )
  }
}

const bracketShape: Shape = { id: 'bracket', isCertain: true, why: 'It has "Rounds".' }
const jsonShape: Shape = { id: 'json', isCertain: true, why: 'It is JSON.' }
const osdbShape: Shape = { id: 'collection', isCertain: true, why: 'It begins as an .osdb does.' }

function fromBracket(text: string): Finding[] {
  const { rounds, refused: all } = readBracket(text)
  return rounds.flatMap((draft) => {
    const own = all.filter(({ round }) => round === draft.name)
    const reasons = own.map(({ position, reason }) =>
      position === null ? reason : `beatmap ${position}: ${reason}`,
    )
    return findingsOf(draft, reasons, 'bracket')
  })
}

function fromPoolJson(text: string): Finding[] {
  const { draft, visibility, description } = readPoolJson(text, NAMELESS)
  const name = draft.name === NAMELESS ? '' : draft.name
  return findingsOf({ ...draft, name }, [], 'fields', { visibility, description })
}

/** A name that no pool has: a character for private use. */
const NAMELESS = '\u{E000}'

async function fromOsdb(bytes: Uint8Array): Promise<Finding[]> {
  const { collections } = await readOsdb(bytes)
  return collections.flatMap((collection) => {
    const { draft, leftOut } = draftOfOsdb(collection)
    return findingsOf(draft, leftOut, 'collection')
  })
}

function findingsOf(
  { name, slots, buckets = null }: PoolDraft,
  reasons: readonly string[],
  rule: RuleId,
  facts: PoolFacts = {},
): Finding[] {
  const round = roundOfFile(name, { ...facts, buckets })
  const [first = [], ...others] = [
    ...slots.map(({ mod, index, beatmapId }): [string, Finding['reading']] => [
      `${mod ?? ''}${index} ${beatmapId}`,
      { kind: 'slot', label: { code: mod, index }, beatmapId, rule },
    ]),
    ...reasons.map((reason): [string, Finding['reading']] => ['', refused(reason)]),
  ]
  const [text = '', reading = { kind: 'skipped' }] = first
  return [
    { line: 1, text, reading, round },
    ...others.map(([text, reading]) => ({ line: 1, text, reading })),
  ]
}
