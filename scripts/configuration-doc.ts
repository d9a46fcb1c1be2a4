import { type Variable, variables } from '../src/main/variables.ts'

const head = `# Configuration

The server and \`npx mapcrate-server\` are configured by environment variables. All of them are
optional. A variable that is set to an empty value is treated as not set. If any value is invalid, the
process does not start, and all errors are reported together.

A secret can be read from a file instead: append \`_FILE\` to the name of the variable and set it to the
path of the file. Leading and trailing white space in the file is ignored. It is an error to set both.

`

const tail = `
If none of \`DATABASE_URL\`, \`PACKS_URL\`, \`POOLS_URL\` and \`SITE_URL\` is set, the first start with an
empty database creates demonstration data: a made-up player with three packs and an API key, which is
printed once.

Messages for people are written to stdout. Log messages are written to stderr, one JSON object per line.
Those of requests contain the request ID, the route, the status and the duration. Keys and cookies are
never logged.

This file is generated from \`src/main/variables.ts\` by \`npm run docs\`.
`

type Row = readonly [string, string, string]

const rowOf = ([name, { fallback, otherwise, about, isSecret }]: [
  string,
  Variable<unknown>,
]): Row => [
  `\`${name}\``,
  fallback === undefined ? (otherwise ?? 'none') : `\`${fallback}\``,
  isSecret ? `${about} \`${name}_FILE\` can name a file that contains it.` : about,
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
  return head + table([['Variable', 'Default', 'Description'], ...rows]) + tail
}
