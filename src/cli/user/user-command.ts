import { type Arguments, type Command, type CommandOption, usageError } from '../program.ts'
import { refusedOptions } from './refused-options.ts'
import type { Environment, Screen } from './screen.ts'

export type UserCommand = Pick<Command, 'details' | 'options' | 'words' | 'examples'> & {
  /** All values that the first word accepts, if they can be listed. */
  readonly firstWords?: readonly string[]
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
        throw refusedOptions(error, command.options ?? [], call) ?? error
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
  /** Milliseconds since 1970. */
  readonly now: () => number
}
