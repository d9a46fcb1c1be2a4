import { readFile } from 'node:fs/promises'
import type { Pack } from '../../contract/packs.ts'
import { roundNames } from '../../formats/bracket/read-bracket.ts'
import { mergeRound, type RulesetById, writeRound } from '../../formats/bracket/write-bracket.ts'
import {
  COLLECTION_VERSION,
  collectionOf,
  readCollections,
  writeCollections,
} from '../../formats/collection/collection-db.ts'
import { mergeCollection, mergeOsdb } from '../../formats/collection/merge-collection.ts'
import { osdbOf, writeOsdb } from '../../formats/collection/osdb.ts'
import { readOsdb } from '../../formats/collection/read-osdb.ts'
import { decodeText, isUtf16 } from '../../formats/file-content.ts'
import type { FormatId } from '../../formats/format-table.ts'
import { refereeJson, refereeLines, writeIds, writeLinks } from '../../formats/lists.ts'
import { writeCsv, writeTsv } from '../../formats/tables.ts'
import type { Pool } from '../../pool/pool.ts'
import { nearNames } from '../near-words.ts'
import { CliError } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { askLetter } from './input.ts'
import type { Known } from './look-up.ts'
import { plain } from './screen.ts'
import { fileError } from './errors.ts'
import type { CliContext } from './user-command.ts'

/** What a file is written from. */
export type Source = {
  readonly pool: Pool
  readonly pack: Pack
  readonly known: Known
  /** As far as they are known. */
  readonly rulesets: RulesetById
  /** Milliseconds since 1970. */
  readonly now: number
  /** What a round or a collection is called; left out, like the pack. */
  readonly round: string | undefined
}

/** A file, and how many slots are not in it because too little is known of their beatmaps. */
export type Written = { readonly content: string | Uint8Array; readonly leftOut: number }

const whole = (content: string): Written => ({ content, leftOut: 0 })

/** The pool under the name that its round or collection gets. */
const named = ({ pool, round }: Pick<Source, 'pool' | 'round'>): Pool => ({
  ...pool,
  name: (round ?? pool.name).trim(),
})

/** The ruleset of every beatmap where the pack's stats name one alone; null where beatmaps must be looked up. */
export const rulesetsOfStats = ({ stats, slots }: Pack): RulesetById | null => {
  const [ruleset, more] = stats?.modes ?? []
  if (ruleset === undefined || more !== undefined || stats?.complete !== true) return null
  return new Map(slots.map(({ beatmapId }) => [beatmapId, { ruleset }]))
}

/** How a pack is written in each format of the format table. */
export const exporters: Readonly<Record<FormatId, (source: Source) => Written | Promise<Written>>> =
  {
    bracket: (source) => whole(writeRound(source.pool, { name: source.round }, source.rulesets)),
    csv: ({ pool, known }) => whole(writeCsv(pool, known.bySlot)),
    tsv: ({ pool, known }) => whole(writeTsv(pool, known.bySlot)),
    referee: ({ pool, rulesets }) => whole(refereeLines(pool, rulesets)),
    'referee-json': ({ pool }) => whole(refereeJson(pool)),
    collection(source) {
      const { collection, leftOut } = collectionOf(named(source), source.known.byId)
      const content = writeCollections(COLLECTION_VERSION, [collection])
      return { content, leftOut: leftOut.length }
    },
    async osdb(source) {
      const { collection, leftOut } = osdbOf(named(source), source.known.byId)
      const content = await writeOsdb([collection], { savedAt: source.now, editor: 'Mapcrate' })
      return { content, leftOut: leftOut.length }
    },
    ids: ({ pool }) => whole(writeIds(pool)),
    links: ({ pool }) => whole(writeLinks(pool)),
    key: ({ pack }) => whole(`${pack.packKey}\n`),
  }

/** The formats of files that a pack can be merged into. */
export const mergeable = ['bracket', 'collection', 'osdb'] as const
export type Mergeable = (typeof mergeable)[number]

/** A file with a pack in it. */
export type MergedFile = Written & {
  /** What was read of the file. */
  readonly before: Uint8Array
  readonly outcome: 'added' | 'replaced' | 'unchanged'
  /** What the round or collection is called. */
  readonly name: string
  /** All rounds or collections that there are now, in order. */
  readonly names: readonly string[]
}

type Rules = {
  /** Whether a new one is wanted beside those of a similar name. */
  readonly isAdded: boolean
  /** Whether beatmaps of which nothing is known may go missing from a collection that is replaced. */
  readonly isForced: boolean
}

export const nouns: Readonly<Record<Mergeable, string>> = {
  bracket: 'round',
  collection: 'collection',
  osdb: 'collection',
}

/**
 * Puts a pack into a file that is there: in place of the round or collection of its name, or after the
 * others. Nothing else in the file changes.
 *
 * @throws CliError when a similar name is there and nobody can be asked which is meant.
 */
export const mergeInto = async (
  format: Mergeable,
  file: string,
  source: Source,
  rules: Rules,
  around: CliContext,
): Promise<MergedFile> => {
  const before = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw fileError(error, 'read', file)
    throw new CliError(`there is no ${file}; write a new one by --out ${file}`)
  })
  const names = await namesIn(format, before)
  const wanted = named(source).name
  const name = await chooseName({ format, file, wanted, names }, rules, around)
  const isNew = !names.includes(name)
  const { content, leftOut } = await merge(format, before, { ...source, round: name })
  if (leftOut > 0 && !isNew && !rules.isForced) {
    throw new CliError(
      `nothing was written: ${leftOut} of the beatmaps are not known, and would be missing from the collection ${plain(name)} that is there; try again later, or say --force`,
    )
  }
  const isSame = Buffer.from(content).equals(before)
  const outcome = isSame ? 'unchanged' : isNew ? 'added' : 'replaced'
  return { content, leftOut, before, outcome, name, names: isNew ? [...names, name] : names }
}

async function namesIn(format: Mergeable, bytes: Uint8Array): Promise<string[]> {
  if (format === 'bracket') return roundNames(decodeText(bytes))
  const { collections } = format === 'osdb' ? await readOsdb(bytes) : readCollections(bytes)
  return collections.map(({ name }) => name)
}

async function merge(
  format: Mergeable,
  before: Uint8Array,
  source: Source,
): Promise<{ readonly content: Uint8Array; readonly leftOut: number }> {
  if (format === 'bracket') {
    const text = mergeRound(decodeText(before), source.pool, { name: source.round })
    const content = isUtf16(before) ? Buffer.from(text, 'utf16le') : Buffer.from(text)
    return { content, leftOut: 0 }
  }
  const { byId } = source.known
  if (format === 'collection') {
    const { collection, leftOut } = collectionOf(named(source), byId)
    return { content: mergeCollection(before, collection), leftOut: leftOut.length }
  }
  const { collection, leftOut } = osdbOf(named(source), byId)
  return { content: await mergeOsdb(before, collection), leftOut: leftOut.length }
}

/** The name to write under: the one wanted, or a similar one that is there and is meant. */
async function chooseName(
  place: {
    readonly format: Mergeable
    readonly file: string
    readonly wanted: string
    readonly names: readonly string[]
  },
  { isAdded }: Rules,
  around: CliContext,
): Promise<string> {
  const { format, file, wanted, names } = place
  const noun = nouns[format]
  if (names.includes(wanted)) {
    if (!isAdded) return wanted
    throw new CliError(
      `${file} has a ${noun} ${quoted(wanted)}; leave --add out to replace it`,
      'misuse',
    )
  }
  const [near] = nearNames(wanted, names)
  if (near === undefined || isAdded) return wanted
  const finding = `${file} has no ${noun} ${quoted(wanted)}, but ${quoted(near)}`
  if (!around.stdin.isTTY) {
    throw new CliError(
      `${finding}; say --round ${quoted(near)} to replace it, or --add for a new ${noun} (there are: ${namesText(names)})`,
      'misuse',
    )
  }
  around.screen.note(`${finding}.`)
  const question = 'Replace it, add a new one, or stop?'
  const letter = await askLetter(question, ['r', 'a', 's'], around)
  if (letter === 's') throw new CliError('nothing was written')
  return letter === 'r' ? near : wanted
}

const quoted = (name: string): string => `"${plain(name)}"`

const MOST_NAMES = 20

/** The names in a list; of very many, the last ones. */
export const namesText = (names: readonly string[]): string => {
  const shown = names.slice(-MOST_NAMES).map((name) => plain(name))
  return (names.length > MOST_NAMES ? ['…', ...shown] : shown).join(', ')
}
