import {
  type Format,
  type FormatNeed,
  formats,
  type PackPart,
  packParts,
} from '../src/formats/format-table.ts'
import { markdownTable } from './markdown-table.ts'

const head = `# What each format carries

A pool can be written in each of these formats and, except for three, read from it. "yes": the file
contains it, and it is read back unchanged; "partly": the file contains part of it, or it is not read
back; otherwise it is lost. Formats are detected by the content of a file, not by its name.

`

const tail = `
JSON files may also contain a pack as the API returns or accepts it.

<!-- Written by \`npm run docs\` from \`src/formats/format-table.ts\`. -->
`

const needs: Readonly<Record<FormatNeed, string>> = {
  nothing: 'nothing',
  details: 'details, where known',
  rulesets: 'rulesets, where known',
  checksums: 'checksums',
}

const yes = (holds: boolean): string => (holds ? 'yes' : '—')

const parts = Object.keys(packParts) as PackPart[]

const carried = ({ carries, partly }: Format): string[] =>
  parts.map((part) => (partly.includes(part) ? 'partly' : yes(carries.includes(part))))

const entries = Object.entries<Format>(formats)

/** The text of `docs/format-table.md`. */
export const formatTableDoc = (): string =>
  [
    head,
    markdownTable([
      ['Format', 'Name', 'Ends in', 'Read', 'Written', 'Needs'],
      ...entries.map(([id, format]) => [
        `\`${id}\``,
        format.label,
        `\`${format.extension}\``,
        yes(format.reads),
        yes(true),
        needs[format.needs],
      ]),
    ]),
    '\n',
    markdownTable([
      ['Format', ...Object.values(packParts)],
      ...entries.map(([id, format]) => [`\`${id}\``, ...carried(format)]),
    ]),
    '\n',
    ...entries.map(([id, { note }]) => `- \`${id}\`: ${note}\n`),
    tail,
  ].join('')
