import type { Command, CommandEntry } from './command.ts'

const line = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' ')

/** The help of one command. */
export const commandHelp = (program: string, command: Command): string =>
  `Usage: ${line(program, command.name, command.takes)}

${command.details}

Example:
  ${line(program, command.example)}
`

/** The help of a program: its commands, and what holds for all. */
export const programHelp = (
  program: string,
  about: string,
  commands: readonly CommandEntry[],
): string => {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const list = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Usage: ${program} COMMAND …

${about}

${list.join('\n')}

${program} COMMAND --help tells more of a command, with an example.
`
}
