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
/** Zero in scripts of which the digits follow it: Arabic, Persian, Devanagari, Bengali, Thai and full-width ones. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10]
const digitsOf = (text: string, turn: number): string =>
  text.replaceAll(/[0-9]/g, (digit) =>
    String.fromCodePoint(zeros[turn % zeros.length]! + Number(digit)),
  )

/** The same numbers in digits of another script, with the number of the slot in its cell or in one of its own. */
const otherDigits = (turn: number): readonly Column[] => {
  const ids: Column = {
    name: 'Beatmap ID',
    of: ({ beatmapId }) => digitsOf(`${beatmapId}`, turn),
  }
  return turn % 2 === 0
    ? [{ name: 'Slot', of: (pick) => digitsOf(slot(pick), turn) }, ids]
    : [
        { name: 'Mod', of: ({ code }) => code },
        { name: 'Index', of: ({ index }) => digitsOf(`${index}`, turn) },
        ids,
      ]
}

/** Sheets with a header, in any order of columns. */
export const sheetShapes: readonly PoolShape[] = [
  ...[',', ';', '\t'].map((mark): PoolShape => ({
    id: `sheet separated by ${JSON.stringify(mark)}`,
    hasRounds: true,
    hasCustom: true,
    write: (rounds, turn) => separated(sheet(rounds, columns, turn), mark),
  })),
  {
    id: 'sheet with digits of another script',
    hasRounds: true,
    write: (rounds, turn) =>
      separated(sheet(rounds, otherDigits(turn), turn), ',\t'.charAt(turn % 2)),
  },
  {
    id: 'cells without a header and with digits of another script',
    write: ([round], turn) =>
      separated(
        round!.picks.map((pick) => [slot(pick), digitsOf(`${pick.beatmapId}`, turn)]),
        '\t',
      ),
  },
]
