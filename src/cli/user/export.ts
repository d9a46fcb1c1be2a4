import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { rulesetName } from '../../formats/bracket/read-bracket.ts'
import {
  type RulesetById,
  rulesetNames,
  rulesetOfMost,
} from '../../formats/bracket/write-bracket.ts'
import { decodeText } from '../../formats/file-content.ts'
import { type Format, type FormatId, formats } from '../../formats/format-table.ts'
import type { Pool } from '../../pool/pool.ts'
import { slotLabel, slotsInPoolOrder } from '../../pool/slots.ts'
import { CliError } from '../program.ts'
import {
  exporters,
  type Mergeable,
  mergeable,
  type MergedFile,
  mergeInto,
  namesText,
  nouns,
  rulesetsOfStats,
  type Source,
  type Written,
} from './export-file.ts'
import { type Known, lookUp } from './look-up.ts'
import { count, poolOf } from './pack-text.ts'
import { plain } from './screen.ts'
import { connect } from './service.ts'
import type { Call, CliContext, UserCommand } from './user-command.ts'
import { fileExists, writeWhole } from './write-file.ts'

const entries = Object.entries<Format>(formats) as [FormatId, Format][]
const ids: readonly FormatId[] = entries.map(([id]) => id)
const nothingKnown: Known = { bySlot: new Map(), byId: new Map(), gap: null }

const asMergeable = (id: FormatId): Mergeable | undefined => mergeable.find((each) => each === id)

const formatOf = (call: Call): FormatId => {
  const id = ids.find((each) => each === call.value('as'))
  if (id === undefined) throw new CliError(`--as is missing; give ${ids.join(', ')}`, 'misuse')
  if (asMergeable(id) === undefined) {
    const wrong = ['merge', 'round', 'add'].find((option) => call.has(option))
    if (wrong !== undefined)
      throw new CliError(`--${wrong} is for --as ${mergeable.join(', ')}`, 'misuse')
  }
  if (call.has('add') && !call.has('merge')) throw new CliError('--add is for --merge', 'misuse')
  return id
}

/** Asks the site what the format needs to know of the beatmaps. */
const know = async (
  id: FormatId,
  source: Omit<Source, 'known' | 'rulesets'>,
  site: string,
  isAsked: boolean,
  around: CliContext,
): Promise<Source> => {
  const { pack, pool } = source
  const { needs } = formats[id]
  const ofStats = rulesetsOfStats(pack)
  const isKnown = needs === 'nothing' || (needs === 'rulesets' && ofStats !== null)
  const known = isKnown || !isAsked ? nothingKnown : await lookUp(site, pack.slug, pool, around)
  if (known.gap !== null) {
    around.screen.note(`Not all is known of the beatmaps: ${known.gap}.`)
  }
  const rulesets = known.byId.size > 0 ? known.byId : (ofStats ?? known.byId)
  return { ...source, known, rulesets }
}

const MOST_LABELS = 10

/** Names the beatmaps of another ruleset than the bracket is for: it will not play them as they are. */
const noteRulesets = (
  pool: Pool,
  rulesets: RulesetById,
  bracket: MergedFile | null,
  { screen }: CliContext,
): void => {
  const ofFile = bracket === null ? null : rulesetName(decodeText(bracket.before))
  const own = ofFile ?? rulesetNames[rulesetOfMost(pool, rulesets)]
  const others = slotsInPoolOrder(pool).flatMap((slot) => {
    const ruleset = rulesets.get(slot.beatmapId)?.ruleset
    if (ruleset === undefined || rulesetNames[ruleset] === own) return []
    return [`${slotLabel(slot)} (${rulesetNames[ruleset]})`]
  })
  if (others.length === 0) return
  const more = others.length - MOST_LABELS
  const labels = others.slice(0, MOST_LABELS).join(', ') + (more > 0 ? ` and ${more} more` : '')
  const reason = ofFile === null ? 'as most of its beatmaps are' : 'and stays so'
  screen.note(`The bracket is for ${plain(own)}, ${reason}; of another ruleset: ${labels}.`)
}

const mergedText = ({ outcome, name, names }: MergedFile, id: Mergeable, file: string): string => {
  const what = `the ${nouns[id]} ${plain(name)}`
  if (outcome === 'unchanged')
    return `Nothing to change: ${what} of ${file} holds these beatmaps already.`
  const all = `; its ${nouns[id]}s are: ${namesText(names)}`
  return outcome === 'added'
    ? `Added ${what} to ${file}${all}`
    : `Replaced ${what} in ${file}${all}`
}

const isInPlace = (out: string | undefined, into: string | undefined): boolean =>
  into !== undefined && (out === undefined || resolve(out) === resolve(into))

/** Before anything is looked up, which may take a minute; writing itself refuses, too. */
const refuseExisting = async (call: Call): Promise<void> => {
  const [out, into] = [call.value('out'), call.value('merge')]
  if (out === undefined || out === '-' || call.has('force') || isInPlace(out, into)) return
  const there = await stat(out).catch(() => null)
  if (there?.isFile()) throw fileExists(out)
}

/** Writes it where it was asked for. */
const deliver = async (
  written: Written | MergedFile,
  id: FormatId,
  call: Call,
  { screen }: CliContext,
): Promise<void> => {
  const [out, into] = [call.value('out'), call.value('merge')]
  const merged = 'outcome' in written ? written : null
  const { content } = written
  const file = out ?? into
  if (file === undefined || file === '-') {
    if (typeof content !== 'string' && id !== 'bracket' && screen.isTerminal) {
      throw new CliError('this format is no text; give --out FILE', 'misuse')
    }
    screen.out(content)
  } else if (merged !== null && isInPlace(out, into)) {
    if (merged.outcome !== 'unchanged') await writeWhole(file, content, { existing: merged.before })
  } else {
    await writeWhole(file, content, { existing: call.has('force') ? 'replace' : 'refuse' })
    if (merged === null) screen.note(`Wrote ${file}`)
  }
  const mergeableId = asMergeable(id)
  if (merged !== null && mergeableId !== undefined) {
    screen.note(mergedText(merged, mergeableId, file ?? '-'))
  }
}

export const exportCommand: UserCommand = {
  name: 'export',
  details: `Writes a pack in another format, to stdout or to a file:

${entries.map(([id, { label }]) => `  ${id.padEnd(12)}  ${label}`).join('\n')}

--out never overwrites a file unless --force is given. With --merge the pack is put into a bracket.json, a
collection.db or an .osdb that is there already: the round or collection of the same name is replaced, or
one is added after the others, and nothing else in the file changes. Beatmaps that were there with the
same mods keep all that the file says of them. Where the file has only a similar name ("Semi Finals" for
"Semifinals"), it asks which is meant; without a terminal it changes nothing and the exit code is 2: say
the exact name by --round, or --add.

A new bracket is for the ruleset of most beatmaps, one that is merged into keeps its own; beatmaps of
others are named on stderr. What a format needs to know of beatmaps is asked of the site; what is not
known stays empty, and the exit code is 3 where beatmaps are left out for it.`,
  options: [
    { name: 'as', takes: 'FORMAT', choices: ids, about: 'one of those above' },
    { name: 'out', takes: 'FILE', about: 'write to a new FILE, whole or not at all' },
    { name: 'force', about: 'overwrite FILE if it exists' },
    {
      name: 'merge',
      takes: 'FILE',
      about: 'put the round or collection into FILE; with --out, leave FILE as it is',
    },
    {
      name: 'round',
      takes: 'NAME',
      about: "what the round or collection is called; left out, the pack's name",
    },
    { name: 'add', about: 'with --merge, add it although the file has a similar name' },
    { name: 'no-details', about: 'ask nothing of beatmaps' },
  ],
  words: ['SLUG'],
  example: 'export q7Jm2_xT0a --as bracket --merge bracket.json',
  moreExamples: [
    'mapcrate export q7Jm2_xT0a --as csv --out finals.csv',
    'mapcrate export q7Jm2_xT0a --as collection --merge collection.db',
    'mapcrate export q7Jm2_xT0a --as referee | pbcopy',
  ],
  async run(call, around) {
    const [word = ''] = call.words
    const id = formatOf(call)
    await refuseExisting(call)
    const { client, site, slugOf } = await connect(around)
    const pack = await client.getPack(slugOf(word))
    const bare = { pool: poolOf(pack), pack, round: call.value('round'), now: around.now() }
    const source = await know(id, bare, site, !call.has('no-details'), around)
    const into = call.value('merge')
    const format = asMergeable(id)
    const rules = { isAdded: call.has('add'), isForced: call.has('force') }
    const merged =
      into === undefined || format === undefined
        ? null
        : await mergeInto(format, into, source, rules, around)
    const written = merged ?? (await exporters[id](source))
    if (written.leftOut === pack.slots.length) {
      throw new CliError('nothing was written: of none of the beatmaps is anything known')
    }
    if (id === 'bracket') noteRulesets(source.pool, source.rulesets, merged, around)
    await deliver(written, id, call, around)
    if (written.leftOut > 0) {
      throw new CliError(
        `${count(written.leftOut, 'slot')} left out: nothing is known of the beatmaps`,
        'in part',
      )
    }
  },
}
