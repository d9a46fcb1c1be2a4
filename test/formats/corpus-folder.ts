import { readdirSync, readFileSync } from 'node:fs'
import { isAbsolute, join, normalize, relative } from 'node:path'
import { FormatError } from '../../src/formats/format-error.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import type { Import, ImportedLine } from '../../src/formats/import/read-import.ts'
import { foldCode } from '../../src/pool/slots.ts'

/** What is right for a file, by the README of a corpus; slots by their labels, `TB1` for a bucket of one, `-1` for the first in no bucket. */
type ExpectedFile = {
  /** `ask`: a question is as good as the slots; `none`: no slot may be saved unasked. */
  readonly kind: 'read' | 'ask' | 'none'
  readonly note?: string
  readonly pools: readonly {
    readonly name: string | null
    readonly slots: Readonly<Record<string, number>>
    /** Texts of the slots that have no beatmap yet. */
    readonly placeholders?: Readonly<Record<string, string>>
  }[]
}

/**
 * `part`: some slots are read and the rest is refused, which saves nothing unless it is wanted; `unlabelled`: the
 * beatmaps are read without their places; `wrong`: a slot would be saved that is not there, or a place is lost.
 */
type FileVerdict = (typeof verdicts)[number]

export const verdicts = ['right', 'part', 'asked', 'refused', 'unlabelled', 'wrong'] as const

export type FileResult = {
  readonly verdict: FileVerdict
  /** What differs, `NM1 75 is missing`, and what is asked. */
  readonly details: readonly string[]
  readonly slots: number
  readonly planned: number
  /** Of them, those that are read as planned. */
  readonly plannedRead: number
}

/** What is wrong with a folder or with its `expected.json`, in a sentence. */
export class CorpusError extends Error {}

/**
 * The files of a corpus with what is right for each, by `expected.json` in its folder.
 *
 * @throws CorpusError where it is not of that form.
 */
export function expectedOf(folder: string): ReadonlyMap<string, ExpectedFile> {
  const file = join(folder, 'expected.json')
  const all = parsed(new TextDecoder().decode(bytesAt(file)), file)
  if (!isRecord(all))
    throw new CorpusError(`${file} must be an object from paths to what is right.`)
  return new Map(Object.entries(all).map(([path, own]) => [path, checked(path, own)]))
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CorpusError(`${file} is no JSON.`)
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function checked(path: string, own: unknown): ExpectedFile {
  const inside = normalize(path)
  if (isAbsolute(inside) || inside.split(/[/\\]/).includes('..')) {
    throw new CorpusError(`${path} leads out of the folder.`)
  }
  const { kind, pools = [] } = isRecord(own) ? own : {}
  if (kind !== 'read' && kind !== 'ask' && kind !== 'none') {
    throw new CorpusError(
      `${path}: “kind” must be read, ask or none, and is ${JSON.stringify(kind)}.`,
    )
  }
  const isPool = (pool: unknown): boolean =>
    isRecord(pool) &&
    isRecord(pool['slots']) &&
    Object.values(pool['slots']).every((id) => typeof id === 'number')
  if (!Array.isArray(pools) || !pools.every(isPool)) {
    throw new CorpusError(
      `${path}: each of “pools” must have “slots”, from labels to ids as numbers.`,
    )
  }
  return { ...(own as ExpectedFile), pools }
}

function bytesAt(file: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(file))
  } catch {
    throw new CorpusError(`${file} cannot be read.`)
  }
}

/** The files in a corpus that `expected.json` does not list, but for a README. */
export function unlistedIn(folder: string, listed: ReadonlyMap<string, unknown>): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((path) => !listed.has(path) && !/^(?:expected\.json|README\.md)$/.test(path))
    .toSorted()
}

/** Reads a file of a corpus as an import does, without looking anything up, and compares it with what is right. */
export async function judgeFile(
  folder: string,
  path: string,
  expected: ExpectedFile,
): Promise<FileResult> {
  const bytes = bytesAt(join(folder, path))
  const planned = expected.pools.flatMap(({ placeholders = {} }) => Object.keys(placeholders))
  const wanted = expected.pools.map(({ slots }) => slotsOf(slots))
  const counts = { slots: wanted.flat().length, planned: planned.length, plannedRead: 0 }
  try {
    const read = await readImportFile(bytes, path)
    return { ...counts, ...judgeRead(read, expected, wanted) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { ...counts, verdict: refusalOf(expected), details: [error.message] }
  }
}

const refusalOf = ({ kind }: ExpectedFile): FileVerdict => (kind === 'read' ? 'refused' : 'right')

function judgeRead(
  read: Import,
  expected: ExpectedFile,
  wanted: Pools,
): Omit<FileResult, 'slots' | 'planned'> {
  const plannedRead = plansRead(read, expected)
  const open = read.questions.filter(({ answer }) => answer === null)
  if (open.length > 0) {
    const verdict = expected.kind === 'read' ? 'asked' : 'right'
    return { verdict, details: open.map(({ text }) => `asked: ${text}`), plannedRead }
  }
  const found = read.pools.map((pool) => slotsOfLines(pool.lines)).filter((pool) => pool.length > 0)
  const refusals = [...read.pools.flatMap((pool) => pool.lines), ...read.others].flatMap((line) =>
    line.outcome === 'refused'
      ? [`refused: ${line.line}, ${line.text.slice(0, 50)}: ${line.reason}`]
      : [],
  )
  const faults = differences(wanted, found).map((fault) =>
    expected.kind === 'none' ? fault.replace(NOT_THERE, 'should not have been read') : fault,
  )
  const details = [...faults, ...refusals]
  if (found.length === 0) {
    const isRight = faults.length === 0 || expected.kind !== 'read'
    return { verdict: isRight ? 'right' : 'refused', details, plannedRead }
  }
  if (faults.length === 0) {
    return { verdict: refusals.length > 0 ? 'part' : 'right', details, plannedRead }
  }
  const isWrong = faults.some((fault) => !fault.endsWith('is missing')) || refusals.length === 0
  const verdict = isUnlabelled(wanted, found) ? 'unlabelled' : isWrong ? 'wrong' : 'part'
  return { verdict, details, plannedRead }
}

const NOT_THERE = 'is not in the file'

function isUnlabelled(wanted: Pools, found: Pools): boolean {
  const ids = (pools: Pools): string =>
    pools
      .flat()
      .map((slot) => slot.slice(slot.lastIndexOf(' ') + 1))
      .toSorted()
      .join()
  return found.flat().every((slot) => slot.startsWith('-')) && ids(found) === ids(wanted)
}

type Pools = readonly (readonly string[])[]

/** The pools matched by what they hold, whatever they are called. */
function differences(wanted: Pools, found: Pools): string[] {
  const left = [...found]
  const faults: string[] = []
  for (const slots of wanted) {
    if (slots.length === 0) continue
    const shares = left.map((pool) => pool.filter((slot) => slots.includes(slot)).length)
    const at = shares.indexOf(Math.max(0, ...shares))
    const [own = []] = at < 0 || shares[at] === 0 ? [] : left.splice(at, 1)
    for (const slot of slots) if (!own.includes(slot)) faults.push(`${slot} is missing`)
    for (const slot of own) if (!slots.includes(slot)) faults.push(`${slot} ${NOT_THERE}`)
  }
  for (const slot of left.flat()) faults.push(`${slot} ${NOT_THERE}`)
  return faults
}

/** Other words for the same bucket. */
const synonyms: Readonly<Record<string, string>> = {
  RICE: 'RC',
  'LONG NOTE': 'LN',
  LONGNOTE: 'LN',
  HYBRID: 'HB',
  EXTREME: 'EX',
  'MIXED MOD': 'MM',
  MIXEDMOD: 'MM',
}

function labelOf(code: string, index: number | string): string {
  const fold = foldCode(code)
  return `${synonyms[fold] ?? fold} ${index}`
}

function slotsOf(slots: Readonly<Record<string, number>>): string[] {
  return Object.entries(slots).map(([label, id]) => `${splitLabel(label)} ${id}`)
}

function splitLabel(label: string): string {
  const [, code = label, index = '1'] = /^(.*?)(\d+)$/u.exec(label.trim()) ?? []
  return labelOf(code.trim(), index)
}

function slotsOfLines(lines: readonly ImportedLine[]): string[] {
  return lines.flatMap((line) => {
    if (line.outcome !== 'slot') return []
    return [`${labelOf(line.mod ?? '-', line.index)} ${line.beatmapId}`]
  })
}

function plansRead(read: Import, { pools }: ExpectedFile): number {
  const found = read.pools.flatMap(({ round }) =>
    round.slots.flatMap(({ beatmapId, mod, index }) =>
      beatmapId === undefined ? [labelOf(mod ?? '-', index)] : [],
    ),
  )
  const wanted = pools.flatMap(({ placeholders = {} }) => Object.keys(placeholders).map(splitLabel))
  return wanted.filter((label) => {
    const at = found.indexOf(label)
    if (at >= 0) found.splice(at, 1)
    return at >= 0
  }).length
}
