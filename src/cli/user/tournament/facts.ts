import { rulesets } from '../../../contract/mods.ts'
import type { TournamentField, TournamentPatch } from '../../../contract/tournaments.ts'
import { decodeText } from '../../../formats/file-content.ts'
import { CliError, type CommandOption, usageError } from '../../program.ts'
import { readInput } from '../input.ts'
import type { CliContext } from '../user-command.ts'

export const rulesetOption: CommandOption = {
  name: 'ruleset',
  takes: 'RULESET',
  choices: rulesets,
  about: rulesets.join(', '),
}

/** What is set of a tournament, by option; an empty value removes what may be missing. */
const optionOf: Readonly<Record<Exclude<TournamentField, 'name'>, CommandOption>> = {
  shortName: { name: 'short-name', takes: 'TEXT', about: 'abbreviation, for packs' },
  description: { name: 'description', takes: 'TEXT', about: 'what it is' },
  ruleset: rulesetOption,
  year: { name: 'year', takes: 'YEAR', about: 'the year it is played in' },
  rankMin: { name: 'rank-min', takes: 'N', about: 'highest rank that may take part' },
  rankMax: { name: 'rank-max', takes: 'N', about: 'lowest rank that may take part' },
  link: { name: 'link', takes: 'URL', about: 'its own page or forum post, https://…' },
  visibility: {
    name: 'visibility',
    takes: 'WHO',
    choices: ['private', 'public'],
    about: 'private: for the staff alone; public: everybody sees what is released',
  },
  announceRounds: {
    name: 'announce',
    takes: 'SWITCH',
    choices: ['on', 'off'],
    about: 'on: names and times of rounds to come are public, too',
  },
}

export const factOptions = Object.entries(optionOf).map(([field, option]) => ({
  ...option,
  field: field as TournamentField,
}))

/** All that a folder keeps of a tournament. */
export const factNames: readonly TournamentField[] = [
  'name',
  ...factOptions.map(({ field }) => field),
]

const numbers: readonly TournamentField[] = ['year', 'rankMin', 'rankMax']

export function readFacts({ options }: CliContext): TournamentPatch {
  const fields = factOptions.flatMap(({ name, field }): (readonly [string, unknown])[] => {
    const text = options.get(name)
    if (text === undefined) return []
    if (field === 'announceRounds') return [[field, text === 'on']]
    if (text === '') return [[field, null]]
    return [[field, numbers.includes(field) ? readNumber(text, name) : text]]
  })
  return Object.fromEntries(fields)
}

export function readNumber(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text)
  throw usageError(`--${option} "${text}" is no whole number from 1 on`)
}

export const discordOption: CommandOption = {
  name: 'discord',
  takes: 'FILE',
  about: 'announce where this file says, the URL of a webhook; - is stdin',
}

/** The address of a channel: it is a secret, and arguments are kept in the history of a shell. */
export async function readDiscord(
  context: CliContext,
): Promise<Pick<TournamentPatch, 'discordUrl'>> {
  const file = context.options.get('discord')
  if (file === undefined) return {}
  if (file === '') return { discordUrl: null }
  if (/^https?:/i.test(file)) {
    throw usageError('--discord takes a file with the URL, or - for stdin, not the URL itself')
  }
  const discordUrl = decodeText(await readInput(file, context)).trim()
  if (/^\S+$/.test(discordUrl)) return { discordUrl }
  throw new CliError('--discord must name a file with one URL in it, and nothing else')
}
