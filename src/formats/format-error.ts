/** Where in a file: `line` and `column` counted from 1, `offset` in bytes from 0. */
export type FilePlace =
  | { readonly line: number; readonly column: number }
  | { readonly offset: number }

/** The one error that reading or editing a file throws. Its message names the place, if any, and the remedy (D-14). */
export class FormatError extends Error {
  readonly place: FilePlace | null

  /** @param remedy to be read after the place: `expected a comma or }`. */
  constructor(remedy: string, place: FilePlace | null = null) {
    super(place === null ? remedy : `${placeName(place)}: ${remedy}`)
    this.name = 'FormatError'
    this.place = place
  }
}

function placeName(place: FilePlace): string {
  return 'offset' in place ? `byte ${place.offset}` : `line ${place.line}, column ${place.column}`
}

/** Line and column, counted from 1, of an offset into a text; columns count UTF-16 units. */
export function placeInText(text: string, offset: number): FilePlace {
  let line = 1
  let start = text.startsWith('\ufeff') ? 1 : 0
  for (const { index, 0: found } of text.matchAll(/\r\n|\n|\r/g)) {
    if (index + found.length > offset) break
    line += 1
    start = index + found.length
  }
  return { line, column: Math.max(1, offset - start + 1) }
}
