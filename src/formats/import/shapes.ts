/** How a text or a file is made, found before anything of it is read. */
export type Shape = {
  readonly id: ShapeId
  /** Whether it can be nothing else. */
  readonly isCertain: boolean
  /** What shows it. */
  readonly why: string
}

export const shapeNames = {
  table: 'Table',
  transposed: 'Table with a column for each slot',
  list: 'List',
  blocks: 'Blocks of lines',
  json: 'JSON',
  program: 'Program text',
  packKey: 'Pack key',
  bracket: 'Bracket',
  collection: 'Collection',
  workbook: 'Spreadsheet file',
} as const

export type ShapeId = keyof typeof shapeNames

/** Decides by the text alone, in time proportional to it, what it is. Never fails: what is nothing else is a list. */
export function recogniseShape(text: string): Shape {
  const start = text.replace(/^[\ufeff\s]+/, '').charAt(0)
  if (start === '{' || start === '[') {
    // Left to the reader of JSON, which decides whether it is.
  }
  return { id: 'list', isCertain: false, why: 'Nothing shows another shape.' }
}
