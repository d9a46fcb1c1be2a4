import type { Pack } from '../../contract/packs.ts'
import { FormatError } from '../../formats/format-error.ts'
import type { Format, WrittenFile } from '../../formats/format.ts'
import type { DetailsBySlot, RoundPool, RulesetById } from '../../formats/sheet.ts'
import { nearNames } from '../../pool/near-words.ts'
import { CliError, usageError } from '../program.ts'
import { readIfThere } from './files.ts'
import { askLetter } from './input.ts'
import { lookUp } from './look-up.ts'
import { poolOf } from './pack-text.ts'
import { plain } from './screen.ts'
import type { CliContext } from './user-command.ts'

/** The pack with what the site knows of its beatmaps, if the format needs it. */
export async function readSource(
  format: Format,
  pack: Pack,
  site: string,
  context: CliContext,
): Promise<RoundPool> {
  if (!isLookedUp(format, pack, context)) return sourceOf(pack, new Map(), context)
  const { bySlot, gap } = await lookUp(site, pack, context)
  if (gap !== null) noteGap(gap, context)
  return sourceOf(pack, bySlot, context)
}

/** Whether the format needs more of the beatmaps than the pack says, and may ask for it. */
export function isLookedUp({ needs }: Format, pack: Pack, { options }: CliContext): boolean {
  if (needs === 'nothing' || options.has('no-details')) return false
  return needs !== 'rulesets' || rulesetsOfStats(pack) === undefined
}

export function noteGap(gap: string, { screen }: CliContext): void {
  screen.note(`Not all is known of the beatmaps: ${gap}.`)
}

/** The pack, by the name that the call gives its round or collection. */
export function sourceOf(
  pack: Pack,
  details: DetailsBySlot,
  { options }: Pick<CliContext, 'options'>,
): RoundPool {
  const pool = poolOf(pack)
  const name = (options.get('round') ?? pool.name).trim()
  return { name, pool, details, saved: pack, rulesets: rulesetsOfStats(pack) }
}

/** The ruleset of every beatmap if the pack's stats name only one. */
function rulesetsOfStats({ stats, slots }: Pack): RulesetById | undefined {
  const [ruleset, more] = stats?.modes ?? []
  if (ruleset === undefined || more !== undefined || stats?.complete !== true) return undefined
  return new Map(slots.map(({ beatmapId }) => [beatmapId, { ruleset }]))
}

/** Writes a pack as a new file, or puts it into the content of one. */
export function writePack(
  format: Format,
  pack: RoundPool,
  { now }: CliContext,
  into?: Uint8Array,
): Promise<WrittenFile> {
  return format.write({ kind: 'pack', rounds: [pack] }, { savedAt: now(), into })
}

type Merge = NonNullable<Format['merge']>

/** The names of the rounds or collections in a file. @throws CliError that names the file, beside which there is a pack. */
export async function namesIn({ names }: Merge, content: Uint8Array, file: string) {
  try {
    return await names(content)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    throw new CliError(`${file}: ${error.message}`, 'failed', { cause: error })
  }
}

export type MergedFile = WrittenFile & {
  readonly before: Uint8Array
  readonly outcome: 'added' | 'replaced' | 'unchanged'
  readonly noun: Merge['noun']
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
  format: Format,
  merge: Merge,
  file: string,
  pack: RoundPool,
  context: CliContext,
): Promise<MergedFile> {
  const before = await readIfThere(file)
  if (before === null) {
    throw new CliError(`there is no ${file}; write a new one by --out ${file}`)
  }
  const { noun } = merge
  const names = await namesIn(merge, before, file)
  const name = await chooseName(pack.name, { file, noun, names }, context)
  const isNew = !names.includes(name)
  const written = await writePack(format, { ...pack, name }, context, before)
  const { content, incomplete } = written
  if (incomplete > 0 && !isNew && !context.options.has('force')) {
    throw new CliError(
      `nothing was written: ${incomplete} of the beatmaps are not known, and would be missing from the collection ${plain(name)} that is there; try again later, or say --force`,
    )
  }
  const isSame = Buffer.from(content).equals(before)
  const outcome = isSame ? 'unchanged' : isNew ? 'added' : 'replaced'
  return { ...written, before, outcome, noun, name, names: isNew ? [...names, name] : names }
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
