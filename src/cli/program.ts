import { nearWords } from './near-words.ts'

/** An option of a command: `--out FILE`, or `--json` where nothing follows. */
export type CommandOption = {
  /** Without its hyphens. */
  readonly name: string
  /** What follows it; left out where nothing does. */
  readonly takes?: string
  readonly about: string
  /** What may follow, where that is a list. */
  readonly choices?: readonly string[]
}

/** One command of a program. */
export type Command = {
  readonly name: string
  /** What follows the name: `--game-id N`. Empty when nothing does. */
  readonly takes: string
  /** Everything that its user should know, as paragraphs. */
  readonly details: string
  readonly options?: readonly CommandOption[]
  /** A call that works, without the program's name. */
  readonly example: string
  /** More of them, as whole lines of a shell. */
  readonly moreExamples?: readonly string[]
  /**
   * Does it. Throws a `CliError` where the person can mend it, anything else when it fails.
   *
   * @param args what follows the name.
   */
  run(args: readonly string[]): Promise<void>
}

/** A command in the list: loaded when it is called, for each needs other parts of the software. */
export type CommandEntry = {
  readonly name: string
  /** What it does, in a few words. */
  readonly summary: string
  readonly load: () => Promise<Command>
}

/** How a command can end other than well, and with which exit code. */
const exitCodes = { failed: 1, misuse: 2, 'in part': 3, interrupted: 130 } as const

/**
 * Ends a command; its message tells the person what and how to mend it. `misuse`: the command line
 * cannot be read. `in part`: done, but something was refused or left alone. `interrupted`: Ctrl+C.
 */
export class CliError extends Error {
  readonly kind: keyof typeof exitCodes

  constructor(message: string, kind: keyof typeof exitCodes = 'failed', options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** A program of several commands. */
type Program = {
  readonly name: string
  readonly about: string
  readonly version?: string
  readonly commands: readonly CommandEntry[]
  /** What people are told of an error. */
  readonly describe: (error: unknown) => string
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
 * @returns the exit code: 0 done, or that of the error; 1 for one that nobody expected.
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
    return misuse(
      `${program.name}: ${describe(new CliError(reason, 'misuse'))}`,
      `${program.name} --help`,
    )
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
    const { kind } = error instanceof CliError ? error : { kind: 'failed' as const }
    if (kind === 'misuse') {
      return misuse(`${reason}${suggestion(optionsMeant(command, args))}`, `${place} --help`)
    }
    process.stderr.write(`${reason}\n`)
    return exitCodes[kind]
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

const line = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

const columns = (rows: readonly (readonly [left: string, right: string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}

/** How an option is written: `--out FILE`. */
export const optionWords = ({ name, takes }: CommandOption): string =>
  takes === undefined ? `--${name}` : `--${name} ${takes}`

const optionHelp = (options: readonly CommandOption[]): string =>
  options.length === 0
    ? ''
    : `\nOptions:\n${columns(options.map((option) => [optionWords(option), option.about]))}`

/** All options that a command takes, with their hyphens. */
const optionsOf = ({ takes, options = [] }: Command): string[] => [
  ...new Set([
    ...options.map(({ name }) => `--${name}`),
    ...(takes.match(/--[a-z][a-z-]*/g) ?? []),
    '--help',
  ]),
]

/** The help of one command. */
export const commandHelp = (program: string, command: Command): string => {
  const { name, takes, details, options = [], example, moreExamples = [] } = command
  const examples = [line(program, example), ...moreExamples]
  return `Usage: ${line(program, name, takes)}

${details}
${optionHelp(options)}
${examples.length > 1 ? 'Examples' : 'Example'}:
${examples.map((each) => `  ${each}\n`).join('')}`
}

/** The help of a program: its commands, and what holds for all. */
const programHelp = (
  program: string,
  about: string,
  commands: readonly CommandEntry[],
): string => `Usage: ${program} COMMAND …

${about}

${columns(commands.map(({ name, summary }) => [name, summary]))}
${program} help COMMAND shows all about a command, with an example.
`
