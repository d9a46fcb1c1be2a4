import { readArguments } from '../arguments.ts'
import { type Command, type CommandOption, CliError, optionWords } from '../program.ts'
import type { Screen } from './screen.ts'

/** What a command was called with. */
export type Call = {
  /** As many as the command takes. */
  readonly words: readonly string[]
  readonly has: (option: string) => boolean
  readonly value: (option: string) => string | undefined
}

/** A command of `mapcrate`. */
export type UserCommand = Pick<Command, 'name' | 'details' | 'example' | 'moreExamples'> & {
  readonly options: readonly CommandOption[]
  /** What stands behind the options: `SLUG`, `FILE…` for one or more. */
  readonly words: readonly string[]
  /** What the first word may be, where that is a list. */
  readonly firstWords?: readonly string[]
  run(call: Call, around: CliContext): Promise<void>
}

export const jsonOption: CommandOption = { name: 'json', about: 'print JSON, for programs' }
export const yesOption: CommandOption = { name: 'yes', about: 'do it without asking' }

const checkWords = ({ words: names, firstWords }: UserCommand, words: readonly string[]): void => {
  const [first] = words
  if (firstWords !== undefined && first !== undefined && !firstWords.includes(first)) {
    throw new CliError(`"${first}" is not known; give ${firstWords.join(', ')}`, 'misuse')
  }
  const missing = names[words.length]
  if (missing !== undefined) throw new CliError(`${missing.replace('…', '')} is missing`, 'misuse')
  const isOpen = names.at(-1)?.endsWith('…') === true
  const more = words[names.length]
  if (more !== undefined && !isOpen) throw new CliError(`"${more}" is one too many`, 'misuse')
}

/** The command, as the program runs it. */
export const asCommand = (command: UserCommand, around: CliContext): Command => ({
  ...command,
  takes: [...command.options.map((each) => `[${optionWords(each)}]`), ...command.words].join(' '),
  async run(args) {
    const { words, values } = readArguments(args, command.options)
    checkWords(command, words)
    const call = {
      words,
      has: (option: string) => values.has(option),
      value: (option: string) => values.get(option),
    }
    await command.run(call, around)
  },
})

/** What stands around the program: all that a command may know of its machine. */
export type CliContext = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The person's own folder. */
  readonly home: string
  readonly stdin: NodeJS.ReadStream
  readonly screen: Screen
  /** Aborted, when the person presses Ctrl+C. */
  readonly signal: AbortSignal
  /** As if the person had pressed it. */
  readonly interrupt: () => void
  /** Leaves Ctrl+C to another program while the work goes on: to an editor, for example. */
  readonly leaveInterrupts: <T>(work: () => Promise<T>) => Promise<T>
  /** Milliseconds since 1970. */
  readonly now: () => number
}
