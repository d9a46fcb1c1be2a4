import { basename } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { fitName } from '../../formats/draft-builder.ts'
import { FormatError } from '../../formats/format-error.ts'
import type { ImportedLine } from '../../formats/import/read-import.ts'
import { readImportFile } from '../../formats/import/read-import-file.ts'
import { completePool } from '../../pool/checks.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { type Call, CliError, type CommandOption } from '../program.ts'

export type FilePool = {
  readonly draft: PoolDraft
  /** Whether the file names it. */
  readonly isNamed: boolean
  /** null if the file has none. */
  readonly visibility: Visibility | null
  readonly description: string | null
  /** What cannot be read: the place and the reason. */
  readonly refused: readonly string[]
}

/** The buckets of the pack to be replaced, for files that have none. */
type Ground = Pick<PoolDraft, 'buckets'>

/** The one pool, or that of `round`, which must be readable whole: no slot may silently be missing. */
export async function readPool(
  bytes: Uint8Array,
  file: string,
  { round, ...ground }: Ground & { readonly round?: string | undefined } = {},
): Promise<FilePool> {
  const pools = await readPools(bytes, file, ground)
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
 * The pools of a file of any format: each round of a bracket, each collection of an .osdb, one of others.
 *
 * @throws FormatError if nothing of it can be read.
 */
export async function readPools(bytes: Uint8Array, file: string, ground: Ground = {}) {
  const pools = await readAny(bytes, file, ground)
  const filled = pools.filter(({ draft, refused }) => draft.slots.length + refused.length > 0)
  if (filled.length === 0) throw new FormatError('there is no beatmap in it')
  return filled
}

async function readAny(bytes: Uint8Array, file: string, ground: Ground): Promise<FilePool[]> {
  const empty = { name: '', slots: [] }
  const onGround = await readImportFile(bytes, file, { into: { ...ground, ...empty } })
  // A pack key brings its own buckets.
  const hasKey = onGround.pools.some(({ packKey }) => packKey !== null)
  const { pools, others } = hasKey ? await readImportFile(bytes, file) : onGround
  return pools.map(({ draft, name, packKey, lines, visibility, description }, at) => ({
    draft: { ...draft, name: draft.name || nameOf(file) },
    isNamed: name !== null || packKey !== null,
    visibility,
    description,
    refused: [...lines, ...(at === 0 ? others : [])].flatMap((line) =>
      line.outcome === 'refused' ? [refusedLine(line)] : [],
    ),
  }))
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
export function packInput(pool: FilePool, options?: Call['options'], before?: Pack): PackToSave {
  const name = options?.get('name') ?? (pool.isNamed ? undefined : before?.name) ?? pool.draft.name
  const chosen = visibilities.find((each) => each === options?.get('visibility'))
  const description = pool.description ?? before?.description ?? ''
  return {
    ...completePool({ ...pool.draft, name }),
    visibility: chosen ?? pool.visibility ?? before?.visibility ?? 'unlisted',
    ...(description !== '' && { description }),
  }
}
