import { basename } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { readBracket } from '../../formats/bracket/read-bracket.ts'
import { readCollections } from '../../formats/collection/collection-db.ts'
import { draftOfOsdb, readOsdb } from '../../formats/collection/osdb.ts'
import { fitName } from '../../formats/draft-builder.ts'
import { decodeText, recogniseFormat } from '../../formats/file-content.ts'
import { FormatError } from '../../formats/format-error.ts'
import type { PastedLine } from '../../formats/paste/placement.ts'
import { readPaste } from '../../formats/read-paste.ts'
import { readPoolJson } from '../../formats/read-pool-json.ts'
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

const NO_IDS =
  'a collection.db names beatmaps by checksums alone; save it as .osdb in Collection Manager, which has ids'
const unsaid = { visibility: null, description: null }

async function readAny(bytes: Uint8Array, file: string, ground: Ground): Promise<FilePool[]> {
  switch (recogniseFormat(bytes, file)) {
    case 'text':
      return [fromText(decodeText(bytes).replace(/^\ufeff/, ''), file, ground)]
    case 'json':
      return [fromJson(decodeText(bytes), file)]
    case 'bracket':
      return fromBracket(decodeText(bytes))
    case 'osdb':
      return (await readOsdb(bytes)).collections.map((each) => {
        const { draft, leftOut } = draftOfOsdb(each)
        return { draft, isNamed: true, ...unsaid, refused: leftOut }
      })
    default:
      readCollections(bytes)
      throw new FormatError(NO_IDS)
  }
}

function fromText(text: string, file: string, ground: Ground): FilePool {
  const empty = { name: '', slots: [] }
  const onGround = readPaste(text, { ...ground, ...empty })
  // A pack key brings its own buckets.
  const { draft, lines, packKey } = onGround.packKey === null ? onGround : readPaste(text, empty)
  const refused = lines.flatMap((each) => (each.outcome === 'refused' ? [refusedLine(each)] : []))
  const name = draft.name || nameOf(file)
  return { draft: { ...draft, name }, isNamed: packKey !== null, ...unsaid, refused }
}

type RefusedLine = PastedLine & { readonly outcome: 'refused' }

/** Where a line is that cannot be read, and why. */
export const refusedLine = ({ line, text, reason }: RefusedLine): string =>
  `line ${line}, ${shorten(text)}: ${reason}`

const SHOWN = 60

function shorten(text: string): string {
  const line = text.trim().replaceAll('\t', ' ')
  return `“${line.length > SHOWN ? `${line.slice(0, SHOWN).toWellFormed()}…` : line}”`
}

function nameOf(file: string): string {
  return file === '-' ? 'Pool' : fitName(basename(file).replace(/(?<=.)\.[^.]*$/, ''), 'Pool')
}

/** A name that no pool has: a character for private use. */
const NAMELESS = '\u{E000}'

function fromJson(text: string, file: string): FilePool {
  const { draft, visibility, description } = readPoolJson(text, NAMELESS)
  const isNamed = draft.name !== NAMELESS
  const name = isNamed ? draft.name : nameOf(file)
  return { draft: { ...draft, name }, isNamed, visibility, description, refused: [] }
}

function fromBracket(text: string): FilePool[] {
  const { rounds, refused } = readBracket(text)
  return rounds.map((draft) => ({
    draft,
    isNamed: true,
    ...unsaid,
    refused: refused
      .filter(({ round }) => round === draft.name)
      .map(({ round, position, reason }) => {
        const beatmap = position === null ? '' : `, beatmap ${position}`
        return `round ${round}${beatmap}: ${reason}`
      }),
  }))
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
