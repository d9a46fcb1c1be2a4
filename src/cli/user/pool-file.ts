import { basename } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import { forcedMods } from '../../contract/mods.ts'
import type { Pack, Visibility } from '../../contract/packs.ts'
import type { BucketMods } from '../../contract/pools.ts'
import { fitName } from '../../formats/draft-builder.ts'
import { FormatError } from '../../formats/format-error.ts'
import type { ImportedLine, ImportedPool, ImportOptions } from '../../formats/import/read-import.ts'
import { rules } from '../../formats/import/readings.ts'
import { readImportFile } from '../../formats/import/read-import-file.ts'
import {
  checkForcedSet,
  foldCode,
  isBuiltinCode,
  isCode,
  isCustom,
  wholeTable,
} from '../../pool/buckets.ts'
import { completePool } from '../../pool/checks.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { slotLabel } from '../../pool/slots.ts'
import { type Call, CliError, type CommandOption, usageError } from '../program.ts'
import { type FileQuestion, openError, openQuestions, questionLines } from './questions.ts'

export type FilePool = {
  readonly draft: PoolDraft
  /** Whether the file names it. */
  readonly isNamed: boolean
  /** null if the file has none. */
  readonly visibility: Visibility | null
  readonly description: string | null
  /** What cannot be read: the place and the reason. */
  readonly refused: readonly string[]
  /** Why each slot was read so, in a sentence, by its label. */
  readonly rules: ReadonlyMap<string, string>
}

/** What a file holds. Nothing of it may be saved while a question is open. */
export type FileImport = {
  readonly file: string
  /** With slots, or with something refused. */
  readonly pools: readonly FilePool[]
  readonly questions: readonly FileQuestion[]
  readonly notes: readonly string[]
}

export type FileOptions = Pick<ImportOptions, 'answers' | 'mods'> & {
  /** The buckets of the pack to be replaced, for files that have none. */
  readonly buckets?: PoolDraft['buckets'] | undefined
}

/**
 * The one pool, or that of `round`, which must be certain and readable whole: no slot may silently be missing.
 *
 * @throws CliError (partial) that lists the questions while one is open.
 */
export async function readPool(
  bytes: Uint8Array,
  file: string,
  { round, ...options }: FileOptions & { readonly round?: string | undefined } = {},
): Promise<FilePool> {
  const { pools, questions } = await readFileImport(bytes, file, options)
  const open = openQuestions(questions)
  if (open.length > 0) {
    throw new CliError(
      [...open.flatMap(questionLines), openError(open).message].join('\n'),
      'partial',
    )
  }
  const names = pools.map(({ draft }) => draft.name).join(', ')
  const meant = round === undefined ? pools : pools.filter(({ draft }) => draft.name === round)
  const [pool, more] = meant
  if (pool === undefined) throw new CliError(`there is no round "${round}"; there are: ${names}`)
  if (more !== undefined) {
    throw new CliError(
      round === undefined
        ? `it holds ${pools.length} pools (${names}); say which one by --round`
        : `it holds several rounds named "${round}"; rename one of them`,
    )
  }
  if (pool.refused.length === 0) return pool
  throw new AppError('bad_request', `nothing was saved: ${pool.refused.join('\n')}`)
}

/**
 * The pools of a file of any format: its rounds, tabs or collections.
 *
 * @throws FormatError if nothing of it can be read.
 */
export async function readFileImport(
  bytes: Uint8Array,
  file: string,
  { buckets, ...options }: FileOptions = {},
): Promise<FileImport> {
  const into = { name: '', slots: [], ...(buckets !== undefined && { buckets }) }
  const onGround = await readImportFile(bytes, file, { ...options, into })
  // A pack key brings its own buckets.
  const hasKey = onGround.pools.some(({ packKey }) => packKey !== null)
  const read = hasKey ? await readImportFile(bytes, file, options) : onGround
  const lines = [...read.pools.flatMap((pool) => pool.lines), ...read.others]
  const textOf = new Map(lines.toReversed().map(({ line, text }) => [line, text]))
  const pools = read.pools.map((pool, at) => filePool(pool, at === 0 ? read.others : [], file))
  const reasons = pools.length > 0 ? [] : refusals(read.others)
  const filled = pools.filter(({ draft, refused }) => draft.slots.length + refused.length > 0)
  const questions = read.questions.map((question) => ({
    ...question,
    file,
    source: textOf.get(question.lines[0] ?? 0) ?? '',
  }))
  if (filled.length === 0 && questions.length === 0) {
    throw new FormatError(['there is no beatmap in it', ...reasons].join('\n'))
  }
  return { file, pools: filled, questions, notes: read.notes }
}

function filePool(
  { draft, name, packKey, lines, visibility, description }: ImportedPool,
  others: readonly ImportedLine[],
  file: string,
): FilePool {
  const slots = lines.flatMap((line) => (line.outcome === 'slot' ? [line] : []))
  return {
    draft: { ...draft, name: draft.name || nameOf(file) },
    isNamed: name !== null || packKey !== null,
    visibility,
    description,
    refused: refusals([...lines, ...others]),
    rules: new Map(slots.map((slot) => [slotLabel(slot), rules[slot.rule]])),
  }
}

function refusals(lines: readonly ImportedLine[]): string[] {
  return lines.flatMap((line) => (line.outcome === 'refused' ? [refusedLine(line)] : []))
}

type RefusedLine = ImportedLine & { readonly outcome: 'refused' }

/** Where a line is that cannot be read, and why. */
export const refusedLine = ({ line, text, reason }: RefusedLine): string =>
  text === '' ? reason : `line ${line}, ${shorten(text)}: ${reason}`

const SHOWN = 60

function shorten(text: string): string {
  const line = text.trim().replaceAll('\t', ' ')
  return `“${line.length > SHOWN ? `${line.slice(0, SHOWN).toWellFormed()}…` : line}”`
}

function nameOf(file: string): string {
  return file === '-' ? 'Pool' : fitName(basename(file).replace(/(?<=.)\.[^.]*$/, ''), 'Pool')
}

export const modsOption: CommandOption = {
  name: 'mods',
  takes: 'MODS',
  about: 'mods of custom buckets, such as RC=HD+HR,SV=free',
}

/** @throws CliError (usage) for what no bucket can force. */
export function readMods(value: string | undefined): Map<string, BucketMods | null> {
  const parts = value === undefined ? [] : value.split(',')
  return new Map(
    parts.map((part) => {
      const [, code = '', mods = ''] = /^\s*([^=\s]+)\s*=\s*(\S+)\s*$/.exec(part) ?? []
      const read = modsOf(mods.toUpperCase().replaceAll('+', ''))
      if (!isCode(code) || isBuiltinCode(foldCode(code)) || read === undefined) {
        throw usageError(
          `--mods "${part}" must be the code of a custom bucket and its mods: RC=HD+HR, RC=free or RC=none (mods: ${forcedMods.join(', ')}; at most 3, not EZ with HR nor DT with HT)`,
        )
      }
      return [code, read]
    }),
  )
}

/** null for none; undefined for what is no set of mods. */
function modsOf(text: string): BucketMods | null | undefined {
  if (text === 'NONE') return null
  if (text === 'FREE') return { kind: 'free' }
  const parts: readonly string[] = text.match(/../g) ?? []
  const set = forcedMods.filter((mod) => parts.includes(mod))
  const isWhole = set.length === parts.length && text.length === 2 * parts.length
  return isWhole && checkForcedSet(set) === null ? { kind: 'forced', set } : undefined
}

/** @throws CliError (usage) if mods are given for a bucket that no pool has. */
export function insistOnBuckets(
  mods: ReadonlyMap<string, unknown>,
  pools: readonly Pick<FilePool, 'draft'>[],
): void {
  const codes = pools.flatMap(({ draft }) =>
    wholeTable(draft)
      .filter(isCustom)
      .map(({ code }) => code),
  )
  const folds = new Set(codes.map(foldCode))
  const wrong = [...mods.keys()].find((code) => !folds.has(foldCode(code)))
  if (wrong === undefined) return
  const there =
    codes.length === 0
      ? 'there are no custom buckets'
      : `there are: ${[...new Set(codes)].join(', ')}`
  throw usageError(`--mods ${wrong}: ${there}`)
}

const visibilities: readonly Visibility[] = ['private', 'unlisted', 'public']

export const nameOption: CommandOption = {
  name: 'name',
  takes: 'NAME',
  about: 'name of the pack (default: that in the file, or the name of the file)',
}
export const visibilityOption: CommandOption = {
  name: 'visibility',
  takes: 'WHO',
  choices: visibilities,
  about: 'private, unlisted or public (default: that in the file, or unlisted)',
}
export const roundOption: CommandOption = {
  name: 'round',
  takes: 'NAME',
  about: 'round or collection to read, if the file has several',
}

export type PackToSave = Pool & {
  readonly visibility: Visibility
  readonly description?: string
}

/** The pack to be saved: `options` take precedence over the file, and the file over `before`. */
export function packInput(
  pool: Omit<FilePool, 'refused' | 'rules'>,
  options?: Call['options'],
  before?: Pack,
): PackToSave {
  const name = options?.get('name') ?? (pool.isNamed ? undefined : before?.name) ?? pool.draft.name
  const chosen = visibilities.find((each) => each === options?.get('visibility'))
  const description = pool.description ?? before?.description ?? ''
  return {
    ...completePool({ ...pool.draft, name }),
    visibility: chosen ?? pool.visibility ?? before?.visibility ?? 'unlisted',
    ...(description !== '' && { description }),
  }
}
