import { draftOfOsdb, readOsdb } from '../collection/osdb.ts'
import { fitName } from '../draft-builder.ts'
import { decodeText, recogniseFormat } from '../file-content.ts'
import { fault, FormatError } from '../format-error.ts'
import { assemble, emptyDraft, type Import, type ImportOptions, readImport } from './read-import.ts'
import { BucketCodes } from './words/labels.ts'
import { type Finding, type Reading, refused, skipped, slotReading } from './readings.ts'
import { roundOfFile } from './lines/round-names.ts'
import type { FoundShape } from './shapes.ts'
import { poolsOfCollections } from './files/bucket-collections.ts'
import { readWorkbook } from './files/workbook.ts'
import { say } from './import-message.ts'
import { inWords } from './import-wording.ts'

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
  const format = recogniseFormat(bytes, fileName)
  const { into = emptyDraft, sheet } = options
  if (format !== 'workbook' && sheet !== undefined) {
    throw new FormatError(fault('noTabs'))
  }
  switch (format) {
    case 'text':
    case 'json':
    case 'bracket':
      return readImport(decodeText(bytes), options)
    case 'osdb':
      return inWords(assemble(await fromOsdb(bytes), osdbShape, options), options.wording)
    case 'workbook': {
      const { findings, shape, notes } = await readWorkbook(bytes, new BucketCodes(into), sheet)
      return inWords(assemble(findings, shape, options, notes), options.wording)
    }
    default:
      throw new FormatError(fault('checksumsAlone'))
  }
}

const osdbShape: FoundShape = { id: 'collection', isCertain: true, why: say('isOsdb') }

async function fromOsdb(bytes: Uint8Array): Promise<Finding[]> {
  const { collections } = await readOsdb(bytes)
  return poolsOfCollections(collections).flatMap(({ name, parts }) => {
    const lines = parts.flatMap(({ code, collection }): (readonly [string, Reading])[] => {
      const { draft, leftOut } = draftOfOsdb(collection)
      return [
        ...draft.slots.map(({ index, beatmapId }) => {
          const reading = slotReading({ code, index }, beatmapId, 'collection')
          return [`${code ?? ''}${index} ${beatmapId}`, reading] as const
        }),
        ...leftOut.map((reason) => ['', refused(reason)] as const),
      ]
    })
    const filled = lines.length > 0 ? lines : [['', skipped] as const]
    const round = roundOfFile(fitName(name, 'Collection'))
    return filled.map(([text, reading], at) => {
      return { line: 1, text, reading, ...(at === 0 && { round }) }
    })
  })
}
