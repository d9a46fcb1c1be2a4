import {
  type Arguments,
  CliError,
  type Command,
  type CommandOption,
  usageError,
} from '../program.ts'
import { hasCode } from './errors.ts'
import type { Environment, Screen } from './screen.ts'

export type UserCommand = Pick<Command, 'details' | 'options' | 'words' | 'examples'> & {
  /** All values that the first word accepts, if they can be listed. */
  readonly firstWords?: readonly string[]
  /** The words and options whose values the service calls by these names where it refuses them. */
  readonly fields?: Readonly<Record<string, string>>
  run(context: CliContext): Promise<void>
}

export const jsonOption: CommandOption = { name: 'json', about: 'print JSON' }
export const yesOption: CommandOption = { name: 'yes', about: 'do not ask for confirmation' }
export const noDetailsOption: CommandOption = {
  name: 'no-details',
  about: 'do not request data of beatmaps',
}

export function asCommand(command: UserCommand, machine: Machine): Command {
  return {
    ...command,
    async run(call) {
      checkWords(command, call.words)
      await command.run({ ...machine, ...call }).catch((error: unknown) => {
        // What was being done is no part of the message.
        machine.screen.clear()
        throw refusedValues(error, command, call) ?? error
      })
    },
  }
}

function checkWords({ words: names = [], firstWords }: UserCommand, words: readonly string[]) {
  const [first] = words
  if (firstWords !== undefined && first !== undefined && !firstWords.includes(first)) {
    throw usageError(`"${first}" is not known; give ${firstWords.join(', ')}`)
  }
  const missing = names[words.length]
  // A word in brackets may be left out.
  if (missing !== undefined && !missing.startsWith('['))
    throw usageError(`${missing.replace('…', '')} is missing`)
  const more = words[names.length]
  if (more !== undefined && !names.at(-1)?.endsWith('…')) {
    throw usageError(`"${more}" is one too many`)
  }
}

/** The bounds of a range, of which people give both as one value. */
const BOUND = String.raw`(?:\.(?:min|max))?`

/**
 * Of a refusal of the service that calls values by its own names, one that calls them by the words and options that they
 * were given by; null for anything else.
 */
function refusedValues(
  error: unknown,
  { options: known = [], fields = {} }: UserCommand,
  { options }: Arguments,
): CliError | null {
  if (!hasCode(error, 'bad_request')) return null
  const given = known
    .filter(({ name, field = '' }) => (isWord(field) ? options.has(name) : field !== ''))
    .map(({ name, field = '' }) => [field, `--${name}`] as const)
  const named = [...given, ...Object.entries(fields)].reduce(
    (text, [field, name]) => renamed(text, field, name),
    error.message,
  )
  if (named === error.message) return null
  const problems = new Set(named.split('; '))
  return new CliError([...problems].join('; '), 'failed', { cause: error })
}

/** Such a field may be a word of a sentence, too, and is one only where a problem begins. */
const isWord = (field: string): boolean => /^[a-z]+$/.test(field)

function renamed(text: string, field: string, name: string): string {
  const path = String.raw`(?:\w+\[\d+\]\.)?` + field.replaceAll('.', String.raw`\.`) + BOUND
  const start = isWord(field) ? '(?<=^|; )' : String.raw`(?<![\w.])`
  return text.replaceAll(new RegExp(String.raw`${start}${path}(?![\w.[])`, 'g'), name)
}

/** A call with as many words as the command takes, and the machine. */
export type CliContext = Arguments & Machine

/** All that a command may know of its machine. */
export type Machine = {
  readonly env: Environment
  readonly platform: NodeJS.Platform
  readonly home: string
  readonly stdin: NodeJS.ReadStream
  readonly screen: Screen
  /** Aborted by Ctrl+C. */
  readonly signal: AbortSignal
  /** Does what Ctrl+C does. */
  readonly interrupt: () => void
  /** Leaves Ctrl+C to another program during the work: to an editor, for example. */
  readonly ignoreInterrupts: <T>(work: () => Promise<T>) => Promise<T>
  /** From now on the program has no other end than that its output is closed, or Ctrl+C. */
  readonly endUnread: () => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}
