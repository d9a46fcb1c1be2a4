import { parseArgs, type ParseArgsConfig } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** What is wrong with the command line of a program. */
export class UsageError extends Error {}

/**
 * Reads the command line of a program for developers. `--help` prints the usage and ends the program with status 0;
 * an unknown option, or one that misses its value, prints what is wrong and the usage, and ends it with status 2. So
 * does every `UsageError` that `read` throws.
 *
 * @param usage one line
 * @param read makes of options and other arguments what the program needs
 */
export function readArguments<const O extends Options, T>(
  usage: string,
  options: O,
  read: (given: Given<O>) => T,
): T {
  const ended = (status: number, text: string): never => {
    ;(status === 0 ? process.stdout : process.stderr).write(`${text}\n`)
    process.exit(status)
  }
  if (process.argv.includes('--help')) return ended(0, usage)
  try {
    return read(parseArgs({ options, allowPositionals: true }))
  } catch (error) {
    if (!(error instanceof UsageError) && !isOfParser(error)) throw error
    return ended(2, `${error.message}\n${usage}`)
  }
}

type Given<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>

const isOfParser = (error: unknown): error is Error =>
  error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')

/** @throws UsageError unless the text is a whole number in digits. `least` and `most` are allowed. */
export function wholeNumber(name: string, text: string, least = 1, most = 999_999_999): number {
  const number = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new UsageError(`${name} is "${text}"; give a whole number from ${least} to ${most}`)
}

/** @throws UsageError unless the text is one of the choices. */
export function oneOf<const C extends string>(
  name: string,
  text: string | undefined,
  choices: readonly C[],
): C {
  const chosen = choices.find((choice) => choice === text)
  if (chosen !== undefined) return chosen
  const found = text === undefined ? 'missing' : `"${text}"`
  throw new UsageError(`${name} is ${found}; give one of ${choices.join(', ')}`)
}

/** @throws UsageError when there are more arguments than a program takes. */
export function atMost(most: number, positionals: readonly string[]): readonly string[] {
  if (positionals.length <= most) return positionals
  throw new UsageError(`"${positionals[most]}" is one argument too many`)
}

/** What the choice `--engine` of several programs is between. */
export const engines = ['sqlite', 'postgres'] as const

/** What a program draws by; it prints the one that it chose itself, so that the run can be repeated. */
export const seedOf = (name: string, text: string): number =>
  wholeNumber(name, text, 0, Number.MAX_SAFE_INTEGER)

/** How often a test or a bench does something, where a variable of the environment may say otherwise. */
export const countFrom = (variable: string, usual: number): number =>
  wholeNumber(variable, process.env[variable] ?? String(usual))
