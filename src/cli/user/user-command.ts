import { type Command, type CommandOption, Misuse } from '../command.ts'
import { optionWords } from '../help.ts'
import { readWords } from './read-words.ts'
import type { Surroundings } from './surroundings.ts'

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
  run(call: Call, around: Surroundings): Promise<void>
}

export const jsonOption: CommandOption = { name: 'json', about: 'print JSON, for programs' }
export const yesOption: CommandOption = { name: 'yes', about: 'do it without asking' }

const checkWords = ({ words: names, firstWords }: UserCommand, words: readonly string[]): void => {
  const [first] = words
  if (firstWords !== undefined && first !== undefined && !firstWords.includes(first)) {
    throw new Misuse(`"${first}" is not known; give ${firstWords.join(', ')}`)
  }
  const missing = names[words.length]
  if (missing !== undefined) throw new Misuse(`${missing.replace('…', '')} is missing`)
  const isOpen = names.at(-1)?.endsWith('…') === true
  const more = words[names.length]
  if (more !== undefined && !isOpen) throw new Misuse(`"${more}" is one too many`)
}

/** The command, as the program runs it. */
export const asCommand = (command: UserCommand, around: Surroundings): Command => ({
  ...command,
  takes: [...command.options.map((each) => `[${optionWords(each)}]`), ...command.words].join(' '),
  async run(args) {
    const { words, values } = readWords(args, command.options)
    checkWords(command, words)
    const call = {
      words,
      has: (option: string) => values.has(option),
      value: (option: string) => values.get(option),
    }
    await command.run(call, around)
  },
})
