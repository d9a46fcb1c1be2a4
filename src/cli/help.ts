import type { Command, CommandEntry, CommandOption } from './command.ts'

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
export const optionsOf = ({ takes, options = [] }: Command): string[] => [
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
export const programHelp = (
  program: string,
  about: string,
  commands: readonly CommandEntry[],
): string => `Usage: ${program} COMMAND …

${about}

${columns(commands.map(({ name, summary }) => [name, summary]))}
${program} help COMMAND shows all about a command, with an example.
`
