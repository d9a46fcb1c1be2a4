import { readFile } from 'node:fs/promises'
import { roundNames } from '../../formats/bracket/find-rounds.ts'
import { mergeRound } from '../../formats/bracket/merge-round.ts'
import { collectionOf } from '../../formats/collection/collection-of.ts'
import { mergeCollection, mergeOsdb } from '../../formats/collection/merge-collection.ts'
import { osdbOf } from '../../formats/collection/osdb-of.ts'
import { readCollections } from '../../formats/collection/read-collections.ts'
import { readOsdb } from '../../formats/collection/read-osdb.ts'
import { decodeText, isUtf16 } from '../../formats/decode-text.ts'
import { Misuse } from '../command.ts'
import { nearNames } from '../near-words.ts'
import { systemCode } from '../system-error.ts'
import { askLetter } from './ask.ts'
import { named, type Source, type Written } from './exporters.ts'
import { plain } from './plain.ts'
import type { Surroundings } from './surroundings.ts'
import { fileTrouble, Trouble } from './trouble.ts'

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
 * @throws Misuse when a similar name is there and nobody can be asked which is meant.
 */
export const mergeInto = async (
  format: Mergeable,
  file: string,
  source: Source,
  rules: Rules,
  around: Surroundings,
): Promise<MergedFile> => {
  const before = await readFile(file).catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw fileTrouble(error, 'read', file)
    throw new Trouble(`there is no ${file}; write a new one by --out ${file}`)
  })
  const names = await namesIn(format, before)
  const wanted = named(source).name
  const name = await chooseName({ format, file, wanted, names }, rules, around)
  const isNew = !names.includes(name)
  const { content, leftOut } = await merge(format, before, { ...source, round: name })
  if (leftOut > 0 && !isNew && !rules.isForced) {
    throw new Trouble(
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
  around: Surroundings,
): Promise<string> {
  const { format, file, wanted, names } = place
  const noun = nouns[format]
  if (names.includes(wanted)) {
    if (!isAdded) return wanted
    throw new Misuse(`${file} has a ${noun} ${quoted(wanted)}; leave --add out to replace it`)
  }
  const [near] = nearNames(wanted, names)
  if (near === undefined || isAdded) return wanted
  const finding = `${file} has no ${noun} ${quoted(wanted)}, but ${quoted(near)}`
  if (!around.stdin.isTTY) {
    throw new Misuse(
      `${finding}; say --round ${quoted(near)} to replace it, or --add for a new ${noun} (there are: ${namesText(names)})`,
    )
  }
  around.screen.note(`${finding}.`)
  const question = 'Replace it, add a new one, or stop?'
  const letter = await askLetter(question, ['r', 'a', 's'], around)
  if (letter === 's') throw new Trouble('nothing was written')
  return letter === 'r' ? near : wanted
}

const quoted = (name: string): string => `"${plain(name)}"`

const MOST_NAMES = 20

/** The names in a list; of very many, the last ones. */
export const namesText = (names: readonly string[]): string => {
  const shown = names.slice(-MOST_NAMES).map((name) => plain(name))
  return (names.length > MOST_NAMES ? ['…', ...shown] : shown).join(', ')
}
