import { decodeText, recogniseFormat } from '../../src/formats/file-content.ts'
import { readOsdb } from '../../src/formats/collection/osdb.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import type { Import, ImportedLine, ImportedPool } from '../../src/formats/import/read-import.ts'
import { findProblems } from '../../src/pool/checks.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import { Evidence } from './import-evidence.ts'
import { contentOfWorkbook, partsOf } from './workbook-damage.ts'

/** Each question the same way, and one way and the other in turn. */
const ways = ['a', 'b', 'c', 'ab', 'ba', 'ca']

/**
 * Reads a file as nobody, and as people who answer its questions in different ways.
 *
 * @throws TypeError for what the import must not do: a draft that is not valid, a slot or a line that is not in the
 * file, a question whose id depends on the answers.
 */
export async function checkImport(bytes: Uint8Array): Promise<void> {
  const open = await readImportFile(bytes)
  const { text, content } = await contentOf(bytes)
  const evidence = new Evidence(content)
  checkResult(open, text, evidence)
  const { questions } = open
  if (questions.length === 0) return
  for (const way of ways) {
    const answers = new Map(
      questions.map(({ id }, at): [string, string] => [id, way.charAt(at % way.length)]),
    )
    const answered = await readImportFile(bytes, '', { answers })
    must(namesOf(answered) === namesOf(open), 'questions do not depend on the answers', way)
    checkResult(answered, text, evidence)
  }
}

function must(holds: boolean, what: string, where: string): asserts holds {
  if (!holds) throw new TypeError(`not so: ${what} (${where})`)
}

function namesOf({ questions }: Import): string {
  return JSON.stringify(questions.map(({ id, text, lines }) => [id, text, lines]))
}

/** `text`: null for a file without lines. `content`: all that it says. */
async function contentOf(bytes: Uint8Array): Promise<{ text: string | null; content: string }> {
  if (recogniseFormat(bytes) === 'workbook') {
    const parts = partsOf(bytes)
    must(parts !== null, 'what is read can be unpacked', `${bytes.length} bytes`)
    return { text: null, content: contentOfWorkbook(parts) }
  }
  if (recogniseFormat(bytes) !== 'osdb') {
    const text = decodeText(bytes).replace(/^\ufeff/, '')
    return { text, content: text }
  }
  const { collections } = await readOsdb(bytes)
  return { text: null, content: JSON.stringify(collections) }
}

function checkResult(result: Import, text: string | null, evidence: Evidence): void {
  const lines = [...result.pools.flatMap((pool) => pool.lines), ...result.others]
  const source = text === null ? null : new Lines(text)
  for (const line of lines) {
    source?.check(line)
    must(line.outcome !== 'refused' || line.reason !== '', 'refusals say why', `line ${line.line}`)
  }
  const ids = new Set(result.questions.map(({ id }) => id))
  must(ids.size === result.questions.length, 'each question has an id of its own', [...ids].join())
  for (const pool of result.pools) checkPool(pool, evidence)
}

function checkPool({ draft, lines, packKey }: ImportedPool, evidence: Evidence): void {
  const [problem] = findProblems({ ...draft, name: draft.name || 'nameless' }, 0)
  must(problem === undefined, 'the draft is valid', `${problem?.place} ${problem?.remedy}`)
  const known = packKey === null ? evidence : new Evidence(JSON.stringify(decodePackKey(packKey)))
  for (const { mod, index, beatmapId } of draft.slots) {
    const name = `${mod ?? ''}${index}=${beatmapId}`
    must(known.hasNumber(beatmapId), 'the beatmap of each slot is in the file', name)
    must(mod === null || known.hasCode(mod), 'the bucket of each slot is in the file', name)
    const isListed = lines.some((line) => line.outcome === 'slot' && line.beatmapId === beatmapId)
    must(isListed, 'each slot has a line', name)
  }
}

/** So much of a file is compared, in UTF-16 code units. */
const LONGEST = 50_000

/** The lines of a file, with white space as one space, for a line of the result may be a value of several. */
class Lines {
  readonly #starts: number[]
  readonly #text: string

  constructor(text: string) {
    this.#text = text
    const ends = text.matchAll(/\r\n|\r|\n/g)
    this.#starts = [0, ...[...ends].map(({ 0: end, index }) => index + end.length)]
  }

  check({ line, text }: ImportedLine): void {
    const start = this.#starts[line - 1]
    must(start !== undefined, 'each line is one of the file', `line ${line}`)
    if (this.#text.length > LONGEST) return
    const own = plain(text)
    const source = plain(this.#text.slice(start, start + LONGEST))
    must(source.includes(own), 'the text of each line is in the file', `line ${line}: ${text}`)
  }
}

function plain(text: string): string {
  return text.toWellFormed().replaceAll(/\s+/g, ' ').trim()
}
