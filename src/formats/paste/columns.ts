import type { KnownCodes } from './known-codes.ts'
import { findTargets } from '../../pool/beatmap-links.ts'
import { readWhole, tidy } from './words.ts'

/** What a column holds; `other` is anything that says neither slot nor beatmap. */
type Role = 'slot' | 'mod' | 'index' | 'id' | 'link' | 'vague' | 'other'

/** The columns that a header names, by position. */
export type Columns = {
  /** The label, or a part of it. */
  readonly slot: number | null
  readonly mod: number | null
  readonly index: number | null
  /** Columns of ids and links. */
  readonly beatmap: readonly number[]
  /** Columns of ids, links, titles or labels: their heads do not say which. */
  readonly vague: readonly number[]
  /** Columns whose heads say what is in them. */
  readonly named: ReadonlySet<number>
}

/** The columns of a table without a header. */
export const noColumns: Columns = {
  slot: null,
  mod: null,
  index: null,
  beatmap: [],
  vague: [],
  named: new Set(),
}

const names: Readonly<Record<Role, string>> = {
  slot: 'slot pick picks mapslot modslot',
  mod: 'mod mods bucket code category',
  index: 'index slotindex slotnumber modindex modnumber',
  id: 'beatmapid beatmapids mapid mapids bid difficultyid diffid',
  link: 'link links url beatmaplink maplink beatmapurl mapurl',
  // Sheets head titles with these as often as ids.
  vague: 'id ids beatmap beatmaps map maps',
  other:
    'artist title song metadata version difficulty difficultyname diff diffname mapper creator host ' +
    'stars star starrating sr length time duration drain draintime bpm cs ar od hp combo maxcombo ' +
    'set setid beatmapset beatmapsetid mapset mapsetid comment comments note notes style skillset type',
}
const roles = new Map(
  Object.entries(names).flatMap(([role, words]) =>
    words.split(' ').map((word): [string, Role] => [word, role as Role]),
  ),
)

/** The columns when the row is a header: it names two of them, or one and nothing else. */
export function readHeader(cells: readonly string[], codes: KnownCodes): Columns | null {
  const found = cells.map((cell) => {
    const role = roleOf(cell)
    return role !== undefined && codes.find(tidy(cell)) === null ? role : undefined
  })
  const count = found.filter((role) => role !== undefined).length
  if (count === 0 || cells.some(isData)) return null
  const filled = cells.filter((cell) => tidy(cell) !== '')
  const isOne = count === 1 && filled.length === 1 && !found.some((role) => role === 'other')
  return count >= 2 || isOne ? columnsOf(found) : null
}

function columnsOf(found: readonly (Role | undefined)[]): Columns {
  const all = (role: Role): number[] =>
    found.flatMap((each, column) => (each === role ? [column] : []))
  const first = (role: Role): number | null => all(role)[0] ?? null
  return {
    slot: first('slot'),
    mod: first('mod'),
    index: first('index'),
    beatmap: [...all('id'), ...all('link')],
    vague: all('vague'),
    named: new Set(
      found.flatMap((role, column) => (role === undefined || role === 'vague' ? [] : [column])),
    ),
  }
}

const LONGEST_NAME = 40

const roleOf = (cell: string): Role | undefined =>
  cell.length > LONGEST_NAME
    ? undefined
    : roles.get(
        tidy(cell)
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}]/gu, ''),
      )

const isData = (cell: string): boolean =>
  readWhole(tidy(cell)) !== null || findTargets(cell).length > 0
