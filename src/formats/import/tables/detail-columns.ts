import { tidy } from '../words/labels.ts'

/** Columns whose cells are details of a map. */
const detailColumns: ReadonlyMap<string, 'artist' | 'title' | 'difficulty' | 'mapper'> = new Map([
  ...'artist アーティスト 曲师 artista'.split(' ').map((name) => [name, 'artist'] as const),
  ...'title song songname songtitle'.split(' ').map((name) => [name, 'title'] as const),
  ...'version difficulty difficultyname diff diffname'
    .split(' ')
    .map((name) => [name, 'difficulty'] as const),
  ...'mapper mappers creator mapset host'.split(' ').map((name) => [name, 'mapper'] as const),
])

type Details = readonly (ReturnType<typeof detailColumns.get> | undefined)[]

/** The details by their columns; all rows below a header ask for the same. */
export function detailsNamed(titles: readonly string[]): Details {
  if (titles === lastNamed.titles) return lastNamed.details
  const details = titles.map((title) =>
    detailColumns.get(
      tidy(title)
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}]/gu, ''),
    ),
  )
  lastNamed = { titles, details }
  return details
}

let lastNamed: { readonly titles: readonly string[]; readonly details: Details } = {
  titles: [],
  details: [],
}

/** Whether a column of this name has details of a map, which are no labels whatever they are. */
export function holdsDetails(titles: readonly string[], column: number): boolean {
  return detailsNamed(titles)[column] !== undefined
}

/** The titles that `writeTable` gives these columns. */
const ownTitles = 'Slot,Beatmap ID,Set ID,Artist,Title,Version,Mapper,Stars,Length,BPM,CS,AR'

/** Where a row of a table that is ours begins; -1 in others. */
export function ownColumn(titles: readonly string[]): number {
  const at = titles.indexOf('Slot')
  const width = ownTitles.split(',').length
  return titles.slice(at, at + width).join() === ownTitles ? at : -1
}
