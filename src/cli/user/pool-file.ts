import { basename } from 'node:path'
import { AppError } from '../../contract/errors.ts'
import type { Pack, Visibility } from '../../contract/packs.ts'
import { readBracket } from '../../formats/bracket/read-bracket.ts'
import { readCollections } from '../../formats/collection/collection-db.ts'
import { draftOfOsdb } from '../../formats/collection/osdb.ts'
import { readOsdb } from '../../formats/collection/read-osdb.ts'
import { fitName } from '../../formats/draft-builder.ts'
import { decodeText, recogniseFormat } from '../../formats/file-content.ts'
import { FormatError } from '../../formats/format-error.ts'
import { readPaste } from '../../formats/read-paste.ts'
import { readPoolJson } from '../../formats/read-pool-json.ts'
import { completePool } from '../../pool/checks.ts'
import type { Pool, PoolDraft } from '../../pool/pool.ts'
import { CliError, type CommandOption } from '../program.ts'
import type { Call } from './user-command.ts'

/** A pool out of a file, and what of the file is not in it. */
export type FilePool = {
  readonly draft: PoolDraft
  /** Whether the file says what it is called. */
  readonly isNamed: boolean
  /** null where the file does not say. */
  readonly visibility: Visibility | null
  readonly description: string | null
  /** What could not be taken: the place and the reason. */
  readonly refused: readonly string[]
}

/** What a pool is made onto, where the file says nothing of buckets: those of the pack that it replaces. */
export type Ground = Pick<PoolDraft, 'buckets'>

const NO_IDS =
  'a collection.db names beatmaps by checksums alone; save it as .osdb in Collection Manager, which has ids'
const SHOWN = 60
/** What nobody calls a pool: a character for private use. */
const NAMELESS = '\u{E000}'

const unsaid = { visibility: null, description: null }

/** What a pool is called that is not named otherwise: like its file. */
export const nameOfFile = (file: string): string =>
  file === '-' ? 'Pool' : fitName(basename(file).replace(/(?<=.)\.[^.]*$/, ''), 'Pool')

/**
 * The pools of a file, whatever format it has (`formats/format-table.ts`); a text, a key or a JSON
 * pool is one, a bracket has one for each round and an .osdb one for each collection.
 *
 * @throws FormatError where nothing can be read of it.
 */
export const readPools = async (
  bytes: Uint8Array,
  file: string,
  ground: Ground = {},
): Promise<FilePool[]> => {
  const pools = await readAny(bytes, file, ground)
  const filled = pools.filter(({ draft, refused }) => draft.slots.length + refused.length > 0)
  if (filled.length === 0) throw new FormatError('there is no beatmap in it')
  return filled
}

const readAny = async (bytes: Uint8Array, file: string, ground: Ground): Promise<FilePool[]> => {
  switch (recogniseFormat(bytes, file)) {
    case 'text':
      return [fromText(decodeText(bytes).replace(/^\ufeff/, ''), file, ground)]
    case 'json':
      return [fromJson(decodeText(bytes), file)]
    case 'bracket':
      return fromBracket(decodeText(bytes))
    case 'osdb': {
      const { collections } = await readOsdb(bytes)
      return collections.map((each) => {
        const { draft, leftOut } = draftOfOsdb(each)
        return { draft, isNamed: true, ...unsaid, refused: leftOut }
      })
    }
    default: {
      readCollections(bytes)
      throw new FormatError(NO_IDS)
    }
  }
}

const fromText = (text: string, file: string, ground: Ground): FilePool => {
  const empty = { name: '', slots: [] }
  const onGround = readPaste(text, { ...ground, ...empty })
  // A pack key brings its own buckets.
  const { draft, lines, packKey } = onGround.packKey === null ? onGround : readPaste(text, empty)
  const refused = lines.flatMap((each) =>
    each.outcome === 'refused' ? [`line ${each.line}, ${shown(each.text)}: ${each.reason}`] : [],
  )
  const name = draft.name === '' ? nameOfFile(file) : draft.name
  return { draft: { ...draft, name }, isNamed: packKey !== null, ...unsaid, refused }
}

const shown = (text: string): string => {
  const line = text.trim().replaceAll('\t', ' ')
  return `“${line.length > SHOWN ? `${line.slice(0, SHOWN).toWellFormed()}…` : line}”`
}

const fromJson = (text: string, file: string): FilePool => {
  const { draft, visibility, description } = readPoolJson(text, NAMELESS)
  const isNamed = draft.name !== NAMELESS
  const name = isNamed ? draft.name : nameOfFile(file)
  return { draft: { ...draft, name }, isNamed, visibility, description, refused: [] }
}

const fromBracket = (text: string): FilePool[] => {
  const { rounds, refused } = readBracket(text)
  return rounds.map((draft) => ({
    draft,
    isNamed: true,
    ...unsaid,
    refused: refused
      .filter(({ round }) => round === draft.name)
      .map(({ round, position, reason }) =>
        position === null
          ? `round ${round}: ${reason}`
          : `round ${round}, beatmap ${position}: ${reason}`,
      ),
  }))
}

const visibilities: readonly Visibility[] = ['private', 'unlisted', 'public']

export const nameOption: CommandOption = {
  name: 'name',
  takes: 'NAME',
  about: "what the pack is called; left out, what the file says, or the file's own name",
}
export const visibilityOption: CommandOption = {
  name: 'visibility',
  takes: 'WHO',
  choices: visibilities,
  about: 'private, unlisted or public; left out, what the file says, or unlisted',
}
export const roundOption: CommandOption = {
  name: 'round',
  takes: 'NAME',
  about: 'which round or collection of the file, where it holds several',
}

/** A whole pack, as it is sent. */
export type PackToSave = Pool & {
  readonly visibility: Visibility
  readonly description?: string
}

/** What the options of a call say of the pack. */
export type PackOptions = {
  readonly name: string | undefined
  readonly visibility: Visibility | undefined
}

export const packOptionsOf = (call: Call): PackOptions => ({
  name: call.value('name'),
  visibility: visibilities.find((each) => each === call.value('visibility')),
})

/**
 * What is to be saved: what the options say goes before what the file says, and that before what the
 * pack says that it replaces. A pool that cannot be is refused here, before anything is sent.
 */
export const packInput = (pool: FilePool, wishes: PackOptions, before?: Pack): PackToSave => {
  const name = wishes.name ?? (pool.isNamed ? undefined : before?.name) ?? pool.draft.name
  const description = pool.description ?? before?.description ?? ''
  return {
    ...completePool({ ...pool.draft, name }),
    visibility: wishes.visibility ?? pool.visibility ?? before?.visibility ?? 'unlisted',
    ...(description !== '' && { description }),
  }
}

/** The one pool that is meant. */
export const choosePool = (pools: readonly FilePool[], round: string | undefined): FilePool => {
  const names = pools.map(({ draft }) => draft.name)
  const meant = round === undefined ? pools : pools.filter(({ draft }) => draft.name === round)
  const [pool, more] = meant
  if (pool === undefined)
    throw new CliError(`there is no round "${round}"; there are: ${names.join(', ')}`)
  if (more === undefined) return pool
  throw new CliError(
    round === undefined
      ? `it holds ${pools.length} pools (${names.join(', ')}); say which one by --round`
      : `it holds several rounds named "${round}"; rename one of them`,
  )
}

/** For what must be whole: a slot that was refused would silently be missing. */
export const insistOnAll = ({ refused }: FilePool): void => {
  if (refused.length > 0)
    throw new AppError('bad_request', `nothing was saved: ${refused.join('\n')}`)
}
