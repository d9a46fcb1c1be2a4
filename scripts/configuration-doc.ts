import { type Variable, variables } from '../src/main/variables.ts'

const head = `# Configuration

The environment configures the server and \`npx mapcrate-server\`. Nothing has to be set. An empty
variable counts as not set. A value that cannot be used keeps the process from starting, and all
problems are told at once.

A secret may stand in a file instead, as containers and systemd hand secrets over: set the variable with
\`_FILE\` behind its name to the file's path. White space around what the file holds does not count.
Setting both is an error.

`

const tail = `
As long as none of \`PACKS_URL\`, \`POOLS_URL\` and \`SITE_URL\` is set, the first start on an empty store
makes a demonstration: a made-up player with three packs and an API key, which is printed once.

Lines for people go to stdout. Log lines go to stderr: one JSON object each, with the request's id,
route, status and duration, never a key or a cookie.

This file is written by \`npm run docs\` from \`src/main/variables.ts\`.
`

type Row = readonly [string, string, string]

const rowOf = ([name, { fallback, otherwise, about, isSecret }]: [
  string,
  Variable<unknown>,
]): Row => [
  `\`${name}\``,
  fallback === undefined ? (otherwise ?? 'none') : `\`${fallback}\``,
  isSecret ? `${about} Or \`${name}_FILE\`: the file that holds it.` : about,
]

const table = (rows: readonly Row[]): string => {
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (cells: readonly string[], fill = ' ') =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column]!, fill)).join(' | ')} |\n`
  const [top, ...others] = rows
  return [line(top!), line(['', '', ''], '-'), ...others.map((row) => line(row))].join('')
}

/** What stands in `docs/configuration.md`. */
export const configurationDoc = (): string => {
  const rows = Object.entries<Variable<unknown>>(variables).map(rowOf)
  return head + table([['Variable', 'Default', 'What it is'], ...rows]) + tail
}
