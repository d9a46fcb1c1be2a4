import {
  aboutOf,
  type Format,
  type FormatNeed,
  type PackPart,
  packParts,
} from '../src/formats/format.ts'
import { formats } from '../src/formats/format-table.ts'
import { markdownTable } from './markdown-table.ts'

const head = `# What each format carries

Packs, and all rounds of a tournament or one of them, can be written in each of these formats: on the site, by
\`mapcrate export\` and \`mapcrate tournament export\`, and by \`formats\` of \`@mapcrate/client/formats\`. A file of one pack
contains that pack; a file of rounds contains each round with its name. Formats with "yes" under Read can be imported
again. In the columns after that, "yes" means that the file contains it, and that it is read back unchanged where the
format can be read; "partly" that the file contains a part of it, or that it is not read back. Anything else is lost.
Formats are detected by the content of a file, not by its name.

`

const tail = `
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
      ['Format', 'Name', 'What it is', 'File', 'Read', 'Needs'],
      ...entries.map(([id, format]) => [
        `\`${id}\``,
        format.label,
        aboutOf(format, 'rounds'),
        `\`${format.ending}\``,
        yes(format.read !== undefined),
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
