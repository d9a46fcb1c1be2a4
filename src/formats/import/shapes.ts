import { shown } from '../draft-builder.ts'
import { type ImportMessage, say } from './import-message.ts'

/** How a text or a file is made, found before anything of it is read. */
export type Shape<Why extends string = string> = {
  readonly id: ShapeId
  /** Whether it can be nothing else. */
  readonly isCertain: boolean
  /** What shows it. */
  readonly why: Why
}

export type FoundShape = Shape<ImportMessage>

export const shapeNames = {
  table: 'Table',
  transposed: 'Table with a column for each slot',
  list: 'List',
  blocks: 'Blocks of lines',
  article: 'Wiki article',
  json: 'JSON',
  yaml: 'YAML',
  toml: 'TOML',
  sections: 'Sections',
  program: 'Program text',
  packKey: 'Pack key',
  bracket: 'Bracket',
  collection: 'Collection',
  workbook: 'Spreadsheet file',
} as const

export type ShapeId = keyof typeof shapeNames

const statement =
  /^\s*(?:import\s.+from\s|import\s+['"\w]|insert\s+into\s|INSERT\s+INTO\s|CREATE\s+TABLE\s|create\s+table\s|from\s+\S+\s+import\b|export\s|(?:const|let|var)\s+\w+|(?:async\s+)?function\b|def\s+\w+\s*\(|class\s+\w+|return\b|#include\b|using\s+\w|package\s+\w|(?:public|private|static|interface|type|enum|struct|fn|func|local)\s+\w|["']use strict["']|(?:if|for|while|switch)\s*\(|print\(|console\.|(?:\w+\s*:?=\s*)?map\[\w+\]|\w+\s*=\s*\{\s*\[['"])/
const codeEnd = /(?:[;{}()[\],]|=>|:)\s*$/
const LONGEST_SAMPLE = 200

/** Whether a text is the source of a program: it has statements, and most of its lines end as code does. */
export function isProgram(text: string): boolean {
  const lines = text
    .slice(0, 20_000)
    .split(/\r\n|\r|\n/)
    .filter((line) => line.trim() !== '')
    .slice(0, LONGEST_SAMPLE)
  const statements = lines.filter((line) => statement.test(line.slice(0, LONGEST_SAMPLE))).length
  return (
    statements > 0 &&
    lines.filter((line) => codeEnd.test(line.slice(-20))).length * 2 >= lines.length
  )
}

const pageTags =
  /^(?:[abipsu]|em|h[1-6]|font|span|small|big|center|strong|details|summary|br|img|div|pre|code)$/i

/** Whether a text is XML, which is no page: one element with others in it. */
export function isXml(text: string): boolean {
  const [, root = ''] =
    /^\s*(?:<[?!][^<>]{0,500}>\s*){0,4}<([a-z][\w:.-]{0,60})(?:\s[^<>]{0,500})?>\s*</i.exec(
      text.slice(0, 4000),
    ) ?? []
  return root !== '' && !pageTags.test(root) && text.trimEnd().endsWith(`</${root}>`)
}

/** Whether keys in quotes show that nothing else can be meant. */
export function isPlainlyData(text: string): boolean {
  const isDeep = /^\s*(?:[[{(]\s*){257}/.test(text)
  return isDeep || (/^\s*[{[]/.test(text) && /["'][\w .-]{1,60}["']\s*:/.test(text.slice(0, 2000)))
}

const holds = { slot: 'holdsSlot', beatmap: 'holdsBeatmap', round: 'holdsRound' } as const

/** Why data is read as it is: the fields that were used, by what they hold. */
export function whyOf(used: Readonly<Record<keyof typeof holds, ReadonlySet<string>>>) {
  const parts = (['slot', 'beatmap', 'round'] as const).flatMap((what) => {
    const items = [...used[what]].slice(0, 3).map((key) => shown(key))
    return items.length === 0 ? [] : { message: say(holds[what], { keys: { items, how: 'or' } }) }
  })
  return parts.length === 0
    ? say('isData')
    : say('isDataOf', { parts: { items: parts, how: 'unit' } })
}
