import { type Command, type CommandEntry, Misuse } from './command.ts'
import { commandHelp, optionsOf, programHelp } from './help.ts'
import { nearWords } from './near-words.ts'

/** A program of several commands. */
export type Program = {
  readonly name: string
  readonly about: string
  readonly version?: string
  readonly commands: readonly CommandEntry[]
  /** What people are told of an error. */
  readonly describe: (error: unknown) => string
  /** The exit code of an error that is no `Misuse`; 1 when left out. */
  readonly exitCodeOf?: (error: unknown) => number
}

const isHelp = (word: string | undefined): boolean => word === '--help' || word === '-h'

/** Help is asked for anywhere in front of `--`. */
const asksForHelp = (args: readonly string[]): boolean => {
  const end = args.indexOf('--')
  return (end < 0 ? args : args.slice(0, end)).some(isHelp)
}

/**
 * Runs the command that the words name. What was asked for goes to stdout, all else to stderr.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong use, or what the program has for an error.
 */
export const runProgram = async (program: Program, words: readonly string[]): Promise<number> => {
  const [name, ...args] = words
  const { describe } = program
  if (name === 'help' && args[0] !== undefined && !isHelp(args[0])) {
    return runProgram(program, [args[0], '--help'])
  }
  const entry = program.commands.find((known) => known.name === name)
  if (isHelp(name) || name === 'help') {
    process.stdout.write(programHelp(program.name, program.about, program.commands))
    return 0
  }
  if (name === '--version' && program.version !== undefined) {
    process.stdout.write(`${program.version}\n`)
    return 0
  }
  if (entry === undefined) {
    const names = [...program.commands.map((known) => known.name), 'help']
    const reason =
      name === undefined
        ? 'no command given'
        : `there is no command "${name}"${suggestion(nearWords(name, names))}`
    return misuse(`${program.name}: ${describe(new Misuse(reason))}`, `${program.name} --help`)
  }
  const command = await entry.load()
  if (asksForHelp(args)) {
    process.stdout.write(commandHelp(program.name, command))
    return 0
  }
  try {
    await command.run(args)
    return 0
  } catch (error) {
    const place = `${program.name} ${command.name}`
    const reason = `${place}: ${describe(error)}`
    if (error instanceof Misuse) {
      return misuse(`${reason}${suggestion(optionsMeant(command, args))}`, `${place} --help`)
    }
    process.stderr.write(`${reason}\n`)
    return program.exitCodeOf?.(error) ?? 1
  }
}

/** The options of the command that those which it does not have are mistyped from. */
const optionsMeant = (command: Command, args: readonly string[]): string[] => {
  const end = args.indexOf('--')
  const known = optionsOf(command)
  return (end < 0 ? args : args.slice(0, end)).flatMap((word) => {
    const [option = ''] = word.split('=')
    return /^--?[a-z]/i.test(option) && !known.includes(option) ? nearWords(option, known) : []
  })
}

const suggestion = (words: readonly string[]): string =>
  words.length === 0 ? '' : `; did you mean ${words.join(' or ')}?`

const misuse = (reason: string, help: string): number => {
  process.stderr.write(`${reason}\nSee ${help}.\n`)
  return 2
}
