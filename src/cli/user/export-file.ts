import { readFile } from 'node:fs/promises'
import type { Pack } from '../../contract/packs.ts'
import { roundNames } from '../../formats/bracket/read-bracket.ts'
import { mergeRound, type RulesetById, writeRound } from '../../formats/bracket/write-bracket.ts'
import * as collectionDb from '../../formats/collection/collection-db.ts'
import { mergeCollection, mergeOsdb } from '../../formats/collection/merge-collection.ts'
import { osdbOf, readOsdb, writeOsdb } from '../../formats/collection/osdb.ts'
import { decodeText, editText } from '../../formats/file-content.ts'
import type { FormatId } from '../../formats/format-table.ts'
import { refereeJson, refereeLines, writeIds, writeLinks } from '../../formats/lists.ts'
import { writeCodes, writeOverlay } from '../../formats/picks.ts'
import { writeBbcode, writeWiki } from '../../formats/posts.ts'
import { type PoolOfRound, writeCsv, writeTsv } from '../../formats/tables.ts'
import type { Pool } from '../../pool/pool.ts'
import { nearNames } from '../near-words.ts'
import { CliError, usageError } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { fileError } from './errors.ts'
import { askLetter } from './input.ts'
import type { PoolDetails } from './look-up.ts'
import { plain } from './screen.ts'
import type { CliContext } from './user-command.ts'

export type Source = {
  readonly pool: Pool
  readonly pack: Pack
  readonly details: PoolDetails
  /** May lack beatmaps. */
  readonly rulesets: RulesetById
  /** Milliseconds since 1970. */
  readonly now: number
  /** The name of the round or collection; undefined for that of the pack. */
  readonly round: string | undefined
}

/** A file, and how many slots are left out because their beatmaps are unknown. */
export type Written = { readonly content: string | Uint8Array; readonly leftOut: number }

/** Writes a pack as a new file, or puts it into the content of one. */
type Exporter = (source: Source, into: Uint8Array | null) => Written | Promise<Written>

export const exporters: Readonly<Record<FormatId, Exporter>> = {
  bracket({ pool, round: name, rulesets }, into) {
    if (into === null) return whole(writeRound(pool, { name }, rulesets))
    return whole(editText(into, (text) => mergeRound(text, pool, { name })))
  },
  csv: ({ pool, details }) => whole(writeCsv(pool, details.bySlot)),
  tsv: ({ pool, details }) => whole(writeTsv(pool, details.bySlot)),
  referee: ({ pool, rulesets }) => whole(refereeLines(pool, rulesets)),
  'referee-json': ({ pool }) => whole(refereeJson(pool)),
  codes: ({ pool }) => whole(writeCodes(pool)),
  overlay: ({ pool }) => whole(writeOverlay(pool)),
  wiki: (source) => whole(writeWiki([roundOf(source)])),
  bbcode: (source) => whole(writeBbcode([roundOf(source)])),
  collection(source, into) {
    const { collection, leftOut } = collectionDb.collectionOf(named(source), source.details.byId)
    const content =
      into === null
        ? collectionDb.writeCollections(collectionDb.COLLECTION_VERSION, [collection])
        : mergeCollection(into, collection)
    return { content, leftOut: leftOut.length }
  },
  async osdb(source, into) {
    const { collection, leftOut } = osdbOf(named(source), source.details.byId)
    const content =
      into === null
        ? await writeOsdb([collection], { savedAt: source.now, editor: 'Mapcrate' })
        : await mergeOsdb(into, collection)
    return { content, leftOut: leftOut.length }
  },
  ids: ({ pool }) => whole(writeIds(pool)),
  links: ({ pool }) => whole(writeLinks(pool)),
  key: ({ pack }) => whole(`${pack.packKey}\n`),
}

function whole(content: Written['content']): Written {
  return { content, leftOut: 0 }
}

function roundOf({ pool, details }: Source): PoolOfRound {
  return { name: pool.name, pool, details: details.bySlot }
}

/** The pool with the name of its round or collection. */
function named({ pool, round = pool.name }: Source): Pool {
  return { ...pool, name: round.trim() }
}

/** The formats of files that a pack can be merged into, and what they call a pool. */
export const nouns = { bracket: 'round', collection: 'collection', osdb: 'collection' } as const
type Mergeable = keyof typeof nouns

export const isMergeable = (id: FormatId): id is Mergeable => Object.hasOwn(nouns, id)

export type MergedFile = Written & {
  readonly before: Uint8Array
  readonly outcome: 'added' | 'replaced' | 'unchanged'
  readonly noun: (typeof nouns)[Mergeable]
  readonly name: string
  /** The names of all rounds or collections, in order. */
  readonly names: readonly string[]
}

/**
 * Replaces the round or collection of the pack's name in an existing file, or adds it after the others.
 * Nothing else in the file changes.
 *
 * @throws CliError if the file has a similar name and there is no terminal to ask on.
 */
export async function mergeInto(
  format: Mergeable,
  file: string,
  source: Source,
  context: CliContext,
): Promise<MergedFile> {
  const before = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, 'read', file)
    throw new CliError(`there is no ${file}; write a new one by --out ${file}`)
  })
  const noun = nouns[format]
  const names = await namesIn(format, before)
  const name = await chooseName(named(source).name, { file, noun, names }, context)
  const isNew = !names.includes(name)
  const { content, leftOut } = await exporters[format]({ ...source, round: name }, before)
  if (leftOut > 0 && !isNew && !context.options.has('force')) {
    throw new CliError(
      `nothing was written: ${leftOut} of the beatmaps are not known, and would be missing from the collection ${plain(name)} that is there; try again later, or say --force`,
    )
  }
  const isSame = Buffer.from(content).equals(before)
  const outcome = isSame ? 'unchanged' : isNew ? 'added' : 'replaced'
  return { content, leftOut, before, outcome, noun, name, names: isNew ? [...names, name] : names }
}

async function namesIn(format: Mergeable, bytes: Uint8Array): Promise<string[]> {
  if (format === 'bracket') return roundNames(decodeText(bytes))
  const { collections } =
    format === 'osdb' ? await readOsdb(bytes) : collectionDb.readCollections(bytes)
  return collections.map(({ name }) => name)
}

/** Returns the name wanted, or a similar one of the file if that is meant. */
async function chooseName(
  name: string,
  { file, noun, names }: Pick<MergedFile, 'noun' | 'names'> & { readonly file: string },
  context: CliContext,
): Promise<string> {
  const isAdded = context.options.has('add')
  if (names.includes(name)) {
    if (!isAdded) return name
    throw usageError(`${file} has a ${noun} ${quoted(name)}; leave --add out to replace it`)
  }
  const [near] = nearNames(name, names)
  if (near === undefined || isAdded) return name
  const finding = `${file} has no ${noun} ${quoted(name)}, but ${quoted(near)}`
  if (!context.stdin.isTTY) {
    throw usageError(
      `${finding}; say --round ${quoted(near)} to replace it, or --add for a new ${noun} (there are: ${namesText(names)})`,
    )
  }
  context.screen.note(`${finding}.`)
  const question = 'Replace it, add a new one, or stop?'
  const letter = await askLetter(question, ['r', 'a', 's'], context)
  if (letter === 's') throw new CliError('nothing was written')
  return letter === 'r' ? near : name
}

function quoted(name: string): string {
  return `"${plain(name)}"`
}

const MAX_NAMES = 20

/** The names in a list; of very many, the last ones. */
export function namesText(names: readonly string[]): string {
  const shown = names.slice(-MAX_NAMES).map((name) => plain(name))
  return (names.length > MAX_NAMES ? ['…', ...shown] : shown).join(', ')
}
