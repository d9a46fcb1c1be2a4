import { describeTrouble } from '../main/trouble.ts'
import { type CommandEntry, Misuse } from './command.ts'
import { commandHelp, programHelp } from './help.ts'

/** A program of several commands. */
export type Program = {
  readonly name: string
  readonly about: string
  readonly commands: readonly CommandEntry[]
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
 * @returns the exit code: 0 done, 1 failed, 2 wrong use.
 */
export const runProgram = async (program: Program, words: readonly string[]): Promise<number> => {
  const [name, ...args] = words
  const entry = program.commands.find((known) => known.name === name)
  if (isHelp(name) || (name === 'help' && args.length === 0)) {
    process.stdout.write(programHelp(program.name, program.about, program.commands))
    return 0
  }
  if (entry === undefined) {
    const reason = name === undefined ? 'no command given' : `there is no command "${name}"`
    return misuse(`${program.name}: ${reason}`, `${program.name} --help`)
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
    if (error instanceof Misuse) return misuse(`${place}: ${error.message}`, `${place} --help`)
    process.stderr.write(`${place}: ${describeTrouble(error)}\n`)
    return 1
  }
}

const misuse = (reason: string, help: string): number => {
  process.stderr.write(`${reason}\nSee ${help}.\n`)
  return 2
}
