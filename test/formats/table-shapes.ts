import * as fc from 'fast-check'
import type { Separator } from '../../src/formats/tables.ts'

/** Rows of cells, as sheets have them. */
export type Cells = readonly (readonly string[])[]

/** A slot with its beatmap, `NM1`, and what sheets say of it besides. */
export type Row = {
  readonly code: string
  readonly index: number
  readonly beatmapId: number
  readonly title: string
  readonly mapper: string
}

const names = [
  'Kestrel',
  'えいらえな',
  'Нет Кегвен',
  '松山星松',
  '- Guaka -',
  'cdep_',
  '고차도나모',
  'Nm2x',
  'TB fan',
]
const anyPerson = fc
  .tuple(fc.constantFrom(...names), fc.integer({ min: 1, max: 999 }))
  .map(([name, number]) => `${name}${number}`)
const anyTitle = fc.constantFrom(
  'Unit 31B - Paper Zeppelin',
  'Marrow Lane - 1999 Buttons',
  'ねこ型扇風機 - 夜明けの自販機',
  'Тихий Трамвай - Вальс зонтов',
  'Lament',
)

/** The rows of a pool: each bucket numbered from 1, each beatmap once. */
export const anyPool: fc.Arbitrary<Row[]> = fc
  .record({
    counts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }),
    codes: fc.subarray(['NM', 'HD', 'HR', 'DT', 'FM', 'TB'], { minLength: 2 }),
    ids: fc.uniqueArray(fc.integer({ min: 20_000, max: 5_900_000 }), {
      minLength: 24,
      maxLength: 24,
    }),
    titles: fc.array(anyTitle, { minLength: 24, maxLength: 24 }),
    mapper: fc.array(anyPerson, { minLength: 24, maxLength: 24 }),
  })
  .map(({ counts, codes, ids, titles, mapper }) =>
    codes
      .flatMap((code, at) =>
        Array.from({ length: code === 'TB' ? 1 : counts[at]! }, (_, index) => ({
          code,
          index: index + 1,
        })),
      )
      .map((place, at) => ({
        ...place,
        beatmapId: ids[at]!,
        title: titles[at]!,
        mapper: mapper[at]!,
      })),
  )

export const label = ({ code, index }: Row): string => `${code}${index}`

/** What hosts call the columns of slots, ids, titles and mappers, by language. */
const words: readonly (readonly [slot: string, id: string, title: string, mapper: string])[] = [
  ['Slot', 'Beatmap ID', 'Map', 'Mapper'],
  ['Pick', 'ID', 'Song', 'Creator'],
  ['Mod', 'Map Link', 'Artist - Title', 'Mapper(s)'],
  ['Platz', 'ID', 'Titel', 'Mapper'],
  ['スロット', 'ビートマップID', '曲名', '作者'],
  ['슬롯', '비트맵 ID', '곡명', '매퍼'],
  ['位置', '谱面ID', '歌曲', '谱师'],
  ['Слот', 'ID карты', 'Название', 'Маппер'],
  ['Emplacement', 'Lien', 'Titre', 'Mappeur'],
  ['Posición', 'ID beatmap', 'Título', 'Mapper'],
]

/** A pool as one table with a header, its columns in any order. */
export const anyPoolTable = (pool: readonly Row[]): fc.Arbitrary<Cells> =>
  fc
    .tuple(fc.constantFrom(...words), fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }))
    .map(([header, order]): Cells =>
      [
        header,
        ...pool.map((row) => [label(row), String(row.beatmapId), row.title, row.mapper]),
      ].map((cells) => order.map((column) => cells[column]!)),
    )

type Column = readonly [
  name: string,
  of: (at: number, pick: (least: number, most: number) => number, name: string) => string,
]

const person: Column = ['Username', (_, __, name) => name]
const account: Column = ['User ID', (_, pick) => String(pick(124_493, 39_000_000))]
/** Tables of other things, each with the columns that show what it is. */
const others: Readonly<Record<string, readonly Column[]>> = {
  players: [
    ['Seed', (at) => String(at + 1)],
    person,
    account,
    ['Discord', (_, __, name) => `${name}#1`],
  ],
  accounts: [
    ['Player', (_, __, name) => name],
    ['Player ID', (_, pick) => String(pick(1_000_000, 9_000_000))],
  ],
  jugadores: [
    ['Jugador', (_, __, name) => name],
    ['ID', (_, pick) => String(pick(1_000_000, 6_000_000))],
    ['País', () => 'CL'],
  ],
  選手: [
    ['選手名', (_, __, name) => name],
    ['ID', (_, pick) => String(pick(1_000_000, 6_000_000))],
    ['シード', (at) => String(at + 1)],
  ],
  игроки: [
    ['Ник', (_, __, name) => name],
    ['ID игрока', (_, pick) => String(pick(1_000_000, 6_000_000))],
  ],
  teams: [
    ['Team', (_, __, name) => `Team ${name}`],
    ['Captain', (_, __, name) => name],
    ['Captain ID', (_, pick) => String(pick(1_000_000, 9_000_000))],
    ['Player 2', (_, __, name) => name],
    ['Player 2 ID', (_, pick) => String(pick(1_000_000, 9_000_000))],
  ],
  schedule: [
    ['Match ID', (at) => String(112_600_000 + at)],
    ['Team A', (_, __, name) => name],
    ['Team B', (_, __, name) => `${name}2`],
    ['Date', () => '2026-05-01'],
    ['Referee', (_, __, name) => name],
  ],
  lobbies: [
    ['Lobby', (at) => `Q${at + 1}`],
    ['Player', (_, __, name) => name],
    ['ID', (_, pick) => String(pick(1_000_000, 6_000_000))],
  ],
  scores: [
    ['Player', (_, __, name) => name],
    ['Map', (at) => `NM${(at % 4) + 1}`],
    ['Score', (_, pick) => String(pick(100_000, 1_200_000))],
    ['Accuracy', () => '97.21'],
  ],
  results: [
    ['match_id', () => '113190435'],
    ['beatmap_id', (at) => String([5_000_635, 4_240_719][at % 2])],
    ['user_id', (_, pick) => String(pick(1_000_000, 9_000_000))],
    ['score', (_, pick) => String(pick(100_000, 1_200_000))],
    ['pick', (at) => `NM${(at % 2) + 1}`],
  ],
  staff: [
    ['Position', () => 'Referee'],
    ['Name', (_, __, name) => name],
    ['osu! ID', (_, pick) => String(pick(1_000_000, 6_000_000))],
  ],
  bans: [
    ['Match', (at) => String(at + 1)],
    ['Team', (_, __, name) => name],
    ['Ban 1', (at) => `NM${(at % 4) + 1}`],
    ['Pick 1', (at) => `HD${(at % 2) + 1}`],
  ],
}

/** A table that is no pool, of any kind, its columns in any order. */
export const anyOtherTable: fc.Arbitrary<Cells> = fc
  .record({
    kind: fc.constantFrom(...Object.keys(others)),
    turn: fc.nat(4),
    people: fc.array(anyPerson, { minLength: 3, maxLength: 9 }),
    numbers: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 }),
  })
  .map(({ kind, turn, people, numbers }) => {
    const columns = others[kind]!
    const order = [...columns.keys()].map((at) => columns[(at + turn) % columns.length]!)
    let next = 0
    const pick = (least: number, most: number): number =>
      Math.floor(least + numbers[next++ % numbers.length]! * (most - least))
    return [
      order.map(([name]) => name),
      ...people.map((name, at) => order.map(([, of]) => of(at, pick, name))),
    ]
  })

/** Proposed maps, with who proposed them. */
export const anySuggestions: fc.Arbitrary<Cells> = fc
  .array(
    fc.tuple(
      fc.constantFrom('NM', 'HD', 'HR', 'DT'),
      fc.integer({ min: 20_000, max: 5_900_000 }),
      anyTitle,
      anyPerson,
    ),
    { minLength: 3, maxLength: 9 },
  )
  .map((rows) => [
    ['Mod', 'Beatmap ID', 'Map', 'Suggested by'],
    ...rows.map(([code, id, title, by]) => [code, String(id), title, by]),
  ])

export const widthOf = (cells: Cells): number => Math.max(0, ...cells.map((row) => row.length))

/** Tables side by side, with `gap` empty columns between them. */
export function beside(tables: readonly Cells[], gap = 1): Cells {
  const height = Math.max(...tables.map((table) => table.length))
  const pad = (row: readonly string[], width: number): readonly string[] => [
    ...row,
    ...Array.from({ length: width - row.length }, () => ''),
  ]
  return Array.from({ length: height }, (_, at) =>
    tables.flatMap((table, place) =>
      pad(table[at] ?? [], widthOf(table) + (place === tables.length - 1 ? 0 : gap)),
    ),
  )
}

/** Tables below one another, with an empty row between them. */
export const below = (tables: readonly Cells[]): Cells =>
  tables.flatMap((table, at) => (at === 0 ? table : [[''], ...table]))

export const titled = (title: string, table: Cells): Cells => [[title], ...table]

/** Cells as spreadsheet programs write them. */
export function separated(rows: Cells, mark: Separator): string {
  const quoted = (cell: string): string =>
    cell.includes(mark) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return rows.map((row) => row.map(quoted).join(mark)).join('\n')
}

export const anySeparator = fc.constantFrom<Separator>(',', ';', '\t')
