import { basename, join } from 'node:path'
import { MAX_DELETED_ROUNDS } from '../../../contract/bounds.ts'
import type { TournamentField } from '../../../contract/tournaments.ts'
import { CliError } from '../../program.ts'
import { parseJson, readIfThere, writeWhole } from '../files.ts'
import { linesJson } from '../pack-text.ts'
import { factNames } from './facts.ts'
import type { RoundDraft } from './round-text.ts'

export const INDEX = 'tournament.json'

export type FactValues = { readonly [F in TournamentField]?: unknown }

/** A file and its round. */
export type PulledRound = {
  readonly file: string
  readonly id: string
  /** What both were when they were last equal, part by part; null or left out if that is not known. */
  readonly draft?: RoundDraft | null
}

/** The content of `tournament.json`. */
export type Index = FactValues & {
  /** The files in the order of their rounds. */
  readonly rounds: readonly string[]
  readonly pulled: {
    readonly site: string
    readonly slug: string
    readonly etag: string
    readonly facts: FactValues
    readonly rounds: readonly PulledRound[]
    /** Rounds that were removed, the last one last: their files are kept, and theirs again if they are restored (D-82). */
    readonly gone?: readonly PulledRound[]
  }
}

export const factsOf = (from: FactValues): FactValues =>
  Object.fromEntries(
    factNames.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])),
  )

/** With the content of the file that it was read from. */
export type IndexFile = { readonly index: Index; readonly bytes: Buffer }

/** null if there is none; throws if it is damaged, or of another tournament. */
export async function readIndex(
  folder: string,
  place: { readonly site: string; readonly slug: string } | null,
): Promise<IndexFile | null> {
  const file = join(folder, INDEX)
  const bytes = await readIfThere(file, ['ENOENT'])
  if (bytes === null) return null
  const index = parseJson(bytes) as Partial<Index> | null
  const { rounds, pulled } = index ?? {}
  const isNames = Array.isArray(rounds) && rounds.every((name) => typeof name === 'string')
  if (!isNames || !Array.isArray(pulled?.rounds) || typeof pulled.facts !== 'object') {
    throw new CliError(
      `${file} is damaged: it must be JSON with "rounds", a list of files, and "pulled" as it was written; pull into another folder`,
    )
  }
  const { gone = [] } = pulled
  const files = [...rounds, ...[...pulled.rounds, ...gone].map((round) => round?.file)]
  const outside = files.filter((name) => !isInFolder(name))
  if (outside.length > 0) {
    throw new CliError(`${file} is damaged: ${JSON.stringify(outside[0])} is no file of its folder`)
  }
  if (place !== null && (pulled.slug !== place.slug || pulled.site !== place.site)) {
    throw new CliError(
      `${folder} holds another tournament (${pulled.slug} of ${pulled.site}); give another folder`,
    )
  }
  return { index: index as Index, bytes }
}

/** Others may have written the index: their names must not lead out of the folder. */
const isInFolder = (name: unknown): boolean =>
  typeof name === 'string' && !['', '.', '..'].includes(name) && basename(name) === name

/** The rounds that are gone, once these are there. */
export function goneAfter(
  index: Index | null,
  files: readonly PulledRound[],
): readonly PulledRound[] {
  const { gone = [], rounds = [] } = index?.pulled ?? {}
  const used = new Set(files.flatMap(({ id, file }) => [id, file]))
  const left = [...gone, ...rounds].filter(({ id, file }) => !used.has(id) && !used.has(file))
  return left.slice(-MAX_DELETED_ROUNDS)
}

/** Throws if the file is not as it was read: its owner may write into it meanwhile. */
export function writeIndex(folder: string, index: Index, before: IndexFile | null): Promise<void> {
  const { rounds, pulled } = index
  const content = linesJson({ ...factsOf(index), rounds, pulled })
  return writeWhole(join(folder, INDEX), content, { existing: before?.bytes ?? 'refuse' })
}
