import { readFileSync } from 'node:fs'
import { SLUG_PATTERN } from '../contract/bounds.ts'
import { nearWords } from '../pool/near-words.ts'
import { ACTED_ON, escaped } from '../pool/terminal.ts'
import { CLEAR } from './progress-line.ts'

/** An option of a command: `--out FILE`, or `--json`, which takes no value. */
export type CommandOption = {
  /** Without its hyphens. */
  readonly name: string
  /** What its value is called; left out of flags. */
  readonly takes?: string
  /** What its value looks like if it can be left out: only a word that matches is one. */
  readonly optional?: RegExp
  /** Shown in the usage line; commands check it. */
  readonly isRequired?: true
  readonly about: string
  /** All values that are accepted, if they can be listed. */
  readonly choices?: readonly string[]
  /** What the service calls it where it refuses its value: `targets.stars`. */
  readonly field?: string
}

export type Arguments = {
  /** The positional arguments. */
  readonly words: readonly string[]
  /** Values by option; the value of a flag is empty. */
  readonly options: ReadonlyMap<string, string>
}

/** What a command reads and writes besides its store: that of the process, unless several commands share it. */
export type ProcessIo = Readonly<Record<'stdout' | 'stderr', OutputStream>> & {
  readonly env: Readonly<Record<string, string | undefined>>
}

type OutputStream = {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
}

export type Command = {
  readonly details: string
  readonly options?: readonly CommandOption[]
  /** What follows the options: `SLUG`, `FILE…` for one or more. */
  readonly words?: readonly string[]
  /** Lines of a shell. */
  readonly examples: readonly string[]
  /** Throws a `CliError` if the user can correct it, anything else if it fails otherwise. */
  run(call: Arguments, io: ProcessIo): Promise<void>
}

/** A command in the list of commands. Its module is loaded when it is called. */
export type CommandEntry<C = Command> = {
  readonly name: string
  readonly summary: string
  readonly load: () => Promise<C>
}

/** Commands that share a first word: `tournament list`. */
export type CommandGroup<C = Command> = {
  readonly name: string
  readonly summary: string
  readonly about: string
  readonly commands: readonly CommandEntry<C>[]
  /** Left out: that of the program. */
  readonly describe?: (error: unknown) => string
}

type ExportOf<N extends string> = N extends `${infer First}-${infer Second}`
  ? `${First}${Capitalize<Second>}Command`
  : `${N}Command`

/** `load` imports the module that exports the command as `nameCommand`, of a name of two words as `twoWordsCommand`. */
export function commandEntry<N extends string, C>(
  name: N,
  summary: string,
  load: () => Promise<{ readonly [K in ExportOf<N>]: C }>,
): CommandEntry<C> {
  const word = name.replace(/-./, ([, letter = '']) => letter.toUpperCase())
  return { name, summary, load: async () => (await load())[`${word}Command` as ExportOf<N>] }
}

const exitCodes = { failed: 1, usage: 2, partial: 3, interrupted: 130 } as const

/** Ends a command. `partial`: it is done, but something was refused or left alone. */
export class CliError extends Error {
  readonly kind: keyof typeof exitCodes

  constructor(message: string, kind: keyof typeof exitCodes = 'failed', options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

export const usageError = (message: string): CliError => new CliError(message, 'usage')

export type Program = {
  readonly name: string
  readonly about: string
  readonly commands: readonly (CommandEntry | CommandGroup)[]
  readonly describe: (error: unknown) => string
  /**
   * Are all arguments single lines, and is all output for people or JSON? Then the former are refused, and the latter is
   * escaped, where a terminal would act on it.
   */
  readonly isPlain?: true
}

/** Runs the command that the words name, and returns the exit code. Only results go to stdout. */
export async function runProgram(
  program: Program,
  words: readonly string[],
  given: ProcessIo = process,
): Promise<number> {
  const io = program.isPlain ? escaping(given) : given
  const [name, ...args] = words
  const [topic] = args
  const print = (text: string): number => {
    io.stdout.write(text)
    return 0
  }
  if (name === 'help' && topic !== undefined && !isHelp(topic)) {
    return runProgram(program, [...args, '--help'], io)
  }
  if (name === 'help' || isHelp(name)) return print(programHelp(program))
  if (isVersion(name)) return print(`${packageVersion()}\n`)
  const entry = program.commands.find((each) => each.name === name)
  const place = entry === undefined ? program.name : `${program.name} ${entry.name}`
  if (entry !== undefined && 'commands' in entry) {
    return runProgram({ describe: program.describe, ...entry, name: place }, args, io)
  }
  let hint = ''
  try {
    refuseGarbled(words, program.isPlain ? CONTROLS : NOT_UTF8)
    if (entry === undefined) throw unknownCommand(name, program)
    const command = await entry.load()
    if (beforeEnd(args).some(isHelp)) return print(commandHelp(program.name, entry.name, command))
    hint = suggestion(optionsMeant(command, args))
    await command.run(readArguments(args, command.options ?? []), io)
    return 0
  } catch (error) {
    const { kind } = error instanceof CliError ? error : { kind: 'failed' as const }
    const remedy = kind === 'usage' ? `${hint}\nSee ${place} --help.` : ''
    io.stderr.write(`${place}: ${program.describe(error)}${remedy}\n`)
    return exitCodes[kind]
  }
}

/** U+FFFD is what Node puts in place of bytes that are not UTF-8 (D-18): a name would be saved, or a file written, so. */
const NOT_UTF8 = /\uFFFD/
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\uFFFD]/u

function refuseGarbled(words: readonly string[], garbled: RegExp): void {
  const word = words.find((each) => garbled.test(each))
  if (word === undefined) return
  const why = NOT_UTF8.test(word)
    ? 'is not valid UTF-8; check the encoding of the terminal'
    : 'has line breaks or control characters; leave them out'
  throw usageError(`the argument "${escaped(word)}" ${why}`)
}

const IN_LINES = new RegExp(`(?!\\n)${ACTED_ON.source}`, 'gu')

/** The start of a text that shows progress is the only one that a terminal is to act on. */
function escaping({ stdout, stderr, env }: ProcessIo): ProcessIo {
  const over = (stream: OutputStream): OutputStream => ({
    ...(stream.isTTY !== undefined && { isTTY: stream.isTTY }),
    get columns() {
      return stream.columns
    },
    write: (text) => {
      const start = text.startsWith(CLEAR) ? CLEAR : ''
      return stream.write(start + escaped(text.slice(start.length), IN_LINES))
    },
  })
  return { stdout: over(stdout), stderr: over(stderr), env }
}

function isHelp(word: string | undefined): boolean {
  return word === '--help' || word === '-h'
}

function isVersion(word: string | undefined): boolean {
  return word === '--version' || word === '-V' || word === 'version'
}

function beforeEnd(args: readonly string[]): readonly string[] {
  const end = args.indexOf('--')
  return end < 0 ? args : args.slice(0, end)
}

function packageVersion(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { readonly version: string }).version
}

function unknownCommand(name: string | undefined, { commands }: Program): CliError {
  if (name === undefined) return usageError('no command given')
  const meant = nearWords(name, [...commands.map((each) => each.name), 'help', 'version'])
  return usageError(`there is no command "${name}"${suggestion(meant)}`)
}

/** The options that unknown ones are probably misspellings of. */
function optionsMeant({ options = [] }: Command, args: readonly string[]): string[] {
  const known = [...options.map(({ name }) => `--${name}`), '--help']
  return beforeEnd(args).flatMap((word) => {
    const [option = ''] = word.split('=')
    return /^--?[a-z]/i.test(option) && !known.includes(option) ? nearWords(option, known) : []
  })
}

function suggestion(words: readonly string[]): string {
  return words.length === 0 ? '' : `; did you mean ${words.join(' or ')}?`
}

const SLUG = new RegExp(SLUG_PATTERN)

/** Parses arguments. Options are accepted anywhere before `--`, as `--out FILE` or `--out=FILE`. */
export function readArguments(args: readonly string[], known: readonly CommandOption[]): Arguments {
  const words: string[] = []
  const options = new Map<string, string>()
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') return { words: [...words, ...rest], options }
    const [, name = '', , given] = /^--([a-z-]+)(=(.*))?$/s.exec(word) ?? []
    const option = known.find((each) => each.name === name)
    if (option !== undefined) {
      if (options.has(name)) throw usageError(`--${name} is given twice`)
      options.set(name, valueOf(option, given, rest))
      // A slug may begin with hyphens.
    } else if (word.startsWith('-') && word !== '-' && !SLUG.test(word)) {
      throw usageError(`there is no option "${word}"`)
    } else words.push(word)
  }
  return { words, options }
}

function valueOf(option: CommandOption, given: string | undefined, rest: string[]): string {
  const { name, takes, choices } = option
  if (takes === undefined) {
    if (given !== undefined) throw usageError(`--${name} takes no value`)
    return ''
  }
  if (given === undefined && option.optional?.test(rest[0] ?? '') === false) return ''
  const value = given ?? rest.shift()
  if (option.optional?.test(value ?? '') === false) {
    throw usageError(`--${name} "${value}" is not understood; see --help`)
  }
  if (value === undefined || value === '--') throw usageError(`--${name} has no value`)
  if (choices !== undefined && !choices.includes(value)) {
    const meant = suggestion(nearWords(value, choices))
    throw usageError(`--${name} "${value}" is not known; give ${choices.join(', ')}${meant}`)
  }
  return value
}

/** The options in the usage line; more are listed below it alone. */
const LONGEST_USAGE = 95

export function commandHelp(program: string, name: string, command: Command): string {
  const { details, options = [], words = [], examples } = command
  const required = options.filter((each) => each.isRequired).map(written)
  const whole = options.map((each) => (each.isRequired ? written(each) : `[${written(each)}]`))
  const usage = whole.join(' ').length > LONGEST_USAGE ? [...required, '[OPTION…]'] : whole
  const listed = options.map((option) => [written(option), option.about] as const)
  return `Usage: ${[program, name, ...usage, ...words].join(' ')}

${details}
${listed.length === 0 ? '' : `\nOptions:\n${columns(listed)}`}
${examples.length > 1 ? 'Examples' : 'Example'}:
${examples.map((each) => `  ${each}\n`).join('')}`
}

function written({ name, takes, optional }: CommandOption): string {
  if (takes === undefined) return `--${name}`
  return optional === undefined ? `--${name} ${takes}` : `--${name} [${takes}]`
}

function programHelp({ name: program, about, commands }: Program): string {
  return `Usage: ${program} COMMAND …

${about}

${columns(commands.map(({ name, summary }) => [name, summary]))}
Run "${program} help COMMAND" for the options of a command and examples.
`
}

function columns(rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}\n`).join('')
}
