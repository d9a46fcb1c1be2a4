import { readFileSync, readdirSync } from 'node:fs'
import type { Bucket } from '../../src/contract/pools.ts'
import {
  type Import,
  type ImportedLine,
  type ImportedPool,
  type ImportOptions,
  readImport,
} from '../../src/formats/import/read-import.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { addBucket } from '../../src/pool/edits.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { isCustom, slotLabel } from '../../src/pool/slots.ts'

/** A text and all that is read of it, one line for each thing that is said. */
type ReadingCase = {
  readonly name: string
  readonly text: string
  readonly options: ImportOptions
  readonly reading: string
}

const folder = new URL('readings/', import.meta.url)

/** What a case of a file adds to: `NM1 75` is a slot, `RC` a custom bucket. */
type Given = { readonly into?: readonly string[]; readonly evidence?: Record<string, unknown> }

/**
 * The cases of these files: `=== name`, the options, the text, `---`, and its reading. An arrow is a tab, which nobody could
 * see.
 */
export function readingCases(isOf: (file: string) => boolean): ReadingCase[] {
  return readdirSync(folder)
    .filter(isOf)
    .toSorted()
    .flatMap((file) => {
      const cases = readFileSync(new URL(file, folder), 'utf8').trimEnd().split(/^=== /m).slice(1)
      return cases.map((each) => {
        const [head = '', reading = ''] = each.split('\n---\n')
        const [name = '', ...lines] = head.split('\n')
        const given = lines[0]?.startsWith('@ ') === true ? lines.shift()!.slice(2) : '{}'
        const text = lines.join('\n').replaceAll('→', '\t')
        const options = optionsOf(JSON.parse(given) as Given)
        return { name, text, options, reading: reading.trimEnd() }
      })
    })
}

function optionsOf({ into, evidence }: Given): ImportOptions {
  return {
    ...(into && { into: draftOf(into) }),
    ...(evidence && {
      evidence: new Map(
        Object.entries(evidence).map(([id, facts]) => [Number(id), facts]),
      ) as never,
    }),
  }
}

const draftOf = (parts: readonly string[]): PoolDraft =>
  parts.reduce<PoolDraft>(
    (draft, part) => {
      const [, mod = '', index = '', id = ''] = /^([A-Z]+)(\d+) (\d+)$/.exec(part) ?? []
      if (mod === '') return addBucket(draft, part)
      const slot = { mod, index: Number(index), beatmapId: Number(id) }
      return { ...draft, slots: [...draft.slots, slot] }
    },
    { name: '', slots: [] },
  )

/** All that is read of a text, and what each answer to a question makes of its lines. */
export function wholeReading(text: string, options: ImportOptions = {}): string {
  const read = readImport(text, options)
  const answered = answersTo(read).map((answers) => readImport(text, { ...options, answers }))
  return inLines(read, answered, text.split(/\r\n|\r|\n/))
}

/** The same of a file, whose lines are told with their texts. */
export async function wholeFile(bytes: Uint8Array, name: string): Promise<string> {
  const read = await readImportFile(bytes, name)
  const answered: Import[] = []
  for (const answers of answersTo(read)) {
    answered.push(await readImportFile(bytes, name, { answers }))
  }
  return inLines(read, answered, [])
}

const answersTo = ({ questions }: Import): Map<string, string>[] =>
  questions.flatMap(({ id, choices }) => choices.map((choice) => new Map([[id, choice.id]])))

function inLines(read: Import, answered: readonly Import[], source: readonly string[]): string {
  const { shape, notes, understood, questions, others, pools } = read
  const sure = shape.isCertain ? 'certain' : 'not certain'
  const after = [...answered]
  return [
    `${shape.id}, ${sure}: ${shape.why} ${understood.lines} of ${understood.of}`,
    ...pools.flatMap((pool) => wholePool(pool, source, pools.length)),
    ...linesIn(others, source).map((line) => `others ${line}`),
    ...notes.map((note) => `note ${note}`),
    ...questions.flatMap(({ id, text: asked, lines, choices }) => [
      `? ${id}, ${lines.join(' ')}: ${asked}`,
      ...choices.flatMap((choice) => {
        const changed = changes(read, after.shift()!).map((each) => `     ${each}`)
        return [`  ${choice.id}: ${choice.text}`, ...changed]
      }),
    ]),
  ].join('\n')
}

function wholePool(pool: ImportedPool, source: readonly string[], count: number): string[] {
  const { name, lines, draft, round, unread, packKey } = pool
  const buckets = draft.buckets ?? []
  const read = lines.filter(({ outcome }) => outcome === 'slot' || outcome === 'planned')
  return [
    ...(name === null && count === 1 ? [] : [`# ${name ?? ''}`]),
    ...linesIn(lines, source),
    ...(buckets.some(isCustom) ? [`buckets ${buckets.map(bucketWords).join(' ')}`] : []),
    ...(round.slots.length === read.length ? [] : [`${round.slots.length} in the round`]),
    ...(draft.slots.length === round.slots.length ? [] : [`${draft.slots.length} in the pack`]),
    ...(packKey === null ? [] : [`key ${packKey}`]),
    ...(unread.length === 0
      ? []
      : [
          `unread ${unread.map(({ code, index }) => `${code === '' ? '-' : (code ?? '*')}${index ?? ''}`).join(' ')}`,
        ]),
  ]
}

function bucketWords(bucket: Bucket): string {
  const mods = isCustom(bucket) ? bucket.mods : undefined
  if (mods === undefined) return bucket.code
  return `${bucket.code}(${mods.kind === 'free' ? 'free' : mods.set.join('')})`
}

/** What lines say; those that say nothing are left out, and the text of those that are not a whole line is told. */
const linesIn = (lines: readonly ImportedLine[], source: readonly string[]): string[] =>
  lines.flatMap((line) => {
    const said = outcomeOf(line)
    const isWhole = source[line.line - 1]?.trim() === line.text.trim()
    return said === ''
      ? []
      : [`${line.line}: ${said}${isWhole ? '' : ` in ${JSON.stringify(line.text)}`}`]
  })

function outcomeOf(line: ImportedLine): string {
  switch (line.outcome) {
    case 'slot': {
      const { rule, note } = line
      return `${slotLabel(line)} ${line.beatmapId} by ${rule}${note === undefined ? '' : `, ${note}`}`
    }
    case 'planned': {
      const why = line.refusal === undefined ? '' : `, in a pack ${line.refusal}`
      return `${slotLabel(line)} planned: ${slotWords(line.filling)}${why}`
    }
    case 'asked':
      return `? ${line.question}`
    case 'refused':
      return `refused: ${line.reason}`
    default:
      return line.note === undefined ? '' : `skipped, ${line.note}`
  }
}

/** The slots that an answer adds, by round, and the lines that it refuses. */
function changes(before: Import, after: Import): string[] {
  const slots = ({ pools, others }: Import): string[] => [
    ...pools.flatMap(({ name, lines }) =>
      lines.flatMap((line) => {
        const said = outcomeOf(line)
        const isOpen = said === '' || line.outcome === 'asked'
        return isOpen ? [] : [`${name === null ? '' : `# ${name} `}${line.line}: ${said}`]
      }),
    ),
    ...others.flatMap((line) =>
      line.outcome === 'refused' ? [`${line.line}: ${line.reason}`] : [],
    ),
  ]
  const [own, now] = [slots(before), slots(after)]
  return [
    ...now.filter((each) => !own.includes(each)),
    ...own.filter((each) => !now.includes(each)).map((each) => `not ${each}`),
  ]
}
