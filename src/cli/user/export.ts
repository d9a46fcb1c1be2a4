import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { rulesetName } from '../../formats/bracket/read-bracket.ts'
import { rulesetNames, rulesetOfMost } from '../../formats/bracket/write-bracket.ts'
import { decodeText } from '../../formats/file-content.ts'
import { aboutOf, type Format, type WrittenFile } from '../../formats/format.ts'
import { type FormatId, formatIds, formats } from '../../formats/format-table.ts'
import { type RoundPool, rulesetsOf, type Sheet } from '../../formats/sheet.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { CliError, type CommandOption, usageError } from '../program.ts'
import { type MergedFile, mergeInto, namesText, readSource, writePack } from './export-file.ts'
import { fileExists, writeWhole } from './files.ts'
import { bytesPrint, count, firstOf } from './pack-text.ts'
import { type Lock, withLock } from './lock.ts'
import { plain } from './screen.ts'
import { connect } from './service.ts'
import { type CliContext, noDetailsOption, type UserCommand } from './user-command.ts'

export const formatLines = (kind: NonNullable<Sheet['kind']>): string =>
  formatIds
    .map((id) => `  ${id.padEnd(13)}  ${formats[id].label}: ${aboutOf(formats[id], kind)}`)
    .join('\n')

export const asOption: CommandOption = {
  name: 'as',
  takes: 'FORMAT',
  choices: formatIds,
  isRequired: true,
  about: 'output format',
}

/** Where `writeOutput` writes to. */
export const fileOptions: readonly CommandOption[] = [
  { name: 'out', takes: 'FILE', about: 'write to FILE, which must not exist' },
  { name: 'force', about: 'overwrite an existing FILE' },
  { name: 'merge', takes: 'FILE', about: 'write into FILE, or with --out, into a copy of it' },
]

export const exportCommand: UserCommand = {
  details: `Write a pack in another format, to stdout or a file:

${formatLines('pack')}

--merge writes into an existing bracket.json, collection.db or .osdb: the round or collection of the same
name is replaced, or a new one is added at the end. The rest of the file is unchanged, and so are the data
of beatmaps that remain: in a bracket.json with the same mods, in an .osdb with the same checksum; with
another one, only their comment stays. If only a similar name exists ("Semi Finals" for "Semifinals"),
export asks which one is meant; without a terminal it changes nothing and exits with 2: use --round or --add.

A new bracket has the ruleset of most beatmaps, an existing one keeps its own; beatmaps of other rulesets
are listed on stderr. Data of beatmaps are requested from the site; unknown data are left empty. If beatmaps
are left out because they are unknown, the exit status is 3.`,
  options: [
    asOption,
    ...fileOptions,
    {
      name: 'round',
      takes: 'NAME',
      about: 'name of the round or collection (default: that of the pack)',
    },
    { name: 'add', about: 'with --merge, add it even if a similar name exists' },
    noDetailsOption,
  ],
  words: ['SLUG'],
  examples: [
    'mapcrate export q7Jm2_xT0a --as bracket --merge bracket.json',
    'mapcrate export q7Jm2_xT0a --as csv --out finals.csv',
    'mapcrate export q7Jm2_xT0a --as collection --merge collection.db',
    'mapcrate export q7Jm2_xT0a --as referee | pbcopy',
  ],
  async run(context) {
    const id = readFormat(context, ['merge', 'round', 'add'], ({ merges }) => merges)
    const into = context.options.get('merge')
    await refuseExisting(context)
    const { client, site, slug } = await connect(context)
    const pack = await client.getPack(slug())
    const format = formats[id]
    const source = await readSource(format, pack, site, context)
    const { merge } = format
    const isMerged = into !== undefined && merge !== undefined
    const merged = isMerged ? await mergeInto(format, merge, into, source, context) : null
    const written = merged ?? (await writePack(format, source, context))
    const leftOut = format.isLeftOut ? written.incomplete : 0
    if (leftOut === pack.slots.length) {
      throw new CliError('nothing was written: of none of the beatmaps is anything known')
    }
    if (id === 'bracket') noteRulesets(source, merged, context)
    await deliver(format, written, merged, context)
    if (leftOut > 0) {
      const slots = count(leftOut, 'slot')
      throw new CliError(`${slots} left out: nothing is known of the beatmaps`, 'partial')
    }
  },
}

/**
 * The format that `--as` names.
 *
 * @param own the options that are for formats that can be merged into alone.
 * @throws CliError (usage) if there is none, or it is not for the other options.
 */
export function readFormat(
  { options }: CliContext,
  own: readonly string[],
  merges: (format: Format) => boolean,
): FormatId {
  const id = formatIds.find((each) => each === options.get('as'))
  if (id === undefined) throw usageError(`--as is missing; give ${formatIds.join(', ')}`)
  const wrong = own.find((option) => options.has(option))
  if (wrong !== undefined && !merges(formats[id])) {
    const mergeable = formatIds.filter((each) => merges(formats[each]))
    throw usageError(`--${wrong} is for --as ${mergeable.join(', ')}`)
  }
  if (options.has('add') && !options.has('merge')) throw usageError('--add is for --merge')
  return id
}

/** Checks before a look-up, which may take a minute; `writeWhole` checks again. */
export async function refuseExisting({ options }: CliContext): Promise<void> {
  const out = options.get('out')
  if (out === undefined || out === '-' || options.has('force') || isInPlace(options)) return
  const old = await stat(out).catch(() => null)
  if (old?.isFile()) throw fileExists(out)
}

/** Whether the file that is merged into is to be replaced. */
export function isInPlace(options: CliContext['options']): boolean {
  const [out, into] = [options.get('out'), options.get('merge')]
  return into !== undefined && (out === undefined || resolve(out) === resolve(into))
}

/** Names the beatmaps of another ruleset than the bracket's: it will not play them as they are. */
function noteRulesets(source: RoundPool, bracket: MergedFile | null, { screen }: CliContext): void {
  const { pool } = source
  const rulesets = rulesetsOf(source)
  const ofFile = bracket === null ? null : rulesetName(decodeText(bracket.before))
  const own = ofFile ?? rulesetNames[rulesetOfMost(pool, rulesets)]
  const others = slotsInPoolOrder(pool).flatMap((slot) => {
    const ruleset = rulesets.get(slot.beatmapId)?.ruleset
    if (ruleset === undefined || rulesetNames[ruleset] === own) return []
    return [`${slotLabel(slot)} (${rulesetNames[ruleset]})`]
  })
  if (others.length === 0) return
  const reason = ofFile === null ? 'as most of its beatmaps are' : 'and stays so'
  const labels = firstOf(others)
  screen.note(`The bracket is for ${plain(own)}, ${reason}; of another ruleset: ${labels}.`)
}

async function deliver(
  { isText }: Format,
  { content }: WrittenFile,
  merged: MergedFile | null,
  context: CliContext,
): Promise<void> {
  const { options, screen } = context
  const isUnchanged = merged?.outcome === 'unchanged' && isInPlace(options)
  if (!isUnchanged) {
    await writeOutput(content, isText, merged?.before ?? null, context)
  }
  if (merged === null) return
  screen.note(mergedText(merged, options.get('out') ?? options.get('merge') ?? '-'))
}

/**
 * Writes to stdout or a file, as the options say.
 *
 * @param before what the file that is merged into held; null if none is.
 */
export async function writeOutput(
  content: string | Uint8Array,
  isText: boolean,
  before: Uint8Array | null,
  { options, screen }: CliContext,
): Promise<void> {
  const file = options.get('out') ?? options.get('merge') ?? '-'
  if (file === '-') {
    if (!isText && screen.isTerminal) {
      throw usageError('this format is no text; give --out FILE')
    }
    screen.out(content)
  } else if (before !== null && isInPlace(options)) {
    // Between two that find the same content, the later one would undo the earlier.
    const lock = await lockOf(file)
    await withLock(lock, () => writeWhole(file, content, { existing: before }))
  } else {
    await writeWhole(file, content, { existing: options.has('force') ? 'replace' : 'refuse' })
    if (before === null) screen.note(`Wrote ${file}`)
  }
}

async function lockOf(file: string): Promise<Lock> {
  const target = await realpath(file).catch(() => resolve(file))
  const print = bytesPrint(Buffer.from(basename(target))).slice(0, 12)
  const name = `.mapcrate-${print}.lock`
  return { folder: dirname(target), name, message: `${file} is being written already` }
}

function mergedText({ outcome, noun, name, names }: MergedFile, file: string): string {
  const what = `the ${noun} ${plain(name)}`
  if (outcome === 'unchanged') {
    return `Nothing to change: ${what} of ${file} holds these beatmaps already.`
  }
  const verb = outcome === 'added' ? `Added ${what} to` : `Replaced ${what} in`
  return `${verb} ${file}; its ${noun}s are: ${namesText(names)}`
}
