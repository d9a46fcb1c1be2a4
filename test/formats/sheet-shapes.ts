import { plain, type Pick, type PoolShape, type Round, slot } from './made-rounds.ts'

type Cells = readonly (readonly string[])[]

/** Cells as spreadsheet programs write them. */
function separated(rows: Cells, mark: string): string {
  const quoted = (cell: string): string =>
    cell.includes(mark) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return rows.map((row) => row.map(quoted).join(mark)).join('\n')
}

type Column = {
  readonly name: string
  readonly of: (pick: Pick, at: number, round: Round) => string
}

/** A sheet with a header, its columns turned round by some. */
function sheet(rounds: readonly Round[], columns: readonly Column[], turn: number): Cells {
  const by = turn % columns.length
  const turned = [...columns.slice(by), ...columns.slice(0, by)]
  const own: readonly Column[] =
    rounds[0]?.name == null
      ? turned
      : [{ name: 'Round', of: (_, __, round) => round.name ?? '' }, ...turned]
  const rows = rounds.flatMap((round) =>
    round.picks.map((pick, at) => own.map(({ of }) => of(pick, at, round))),
  )
  return [own.map((column) => column.name), ...rows]
}

const columns: readonly Column[] = [
  { name: 'Slot', of: slot },
  { name: 'Artist', of: ({ artist }) => plain(artist) },
  { name: 'Title', of: ({ title }) => plain(title) },
  { name: 'Beatmap ID', of: ({ beatmapId }) => `${beatmapId}` },
  { name: 'BPM', of: ({ index }) => `${150 + index}` },
]
/** Sheets with a header, in any order of columns. */
export const sheetShapes: readonly PoolShape[] = [',', ';', '\t'].map((mark) => ({
  id: `sheet separated by ${JSON.stringify(mark)}`,
  hasRounds: true,
  hasCustom: true,
  write: (rounds, turn) => separated(sheet(rounds, columns, turn), mark),
}))
