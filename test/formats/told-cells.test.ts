import { writeXlsx } from 'hucre/xlsx'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { anyPool, anySeparator, below, label, type Row, separated, titled } from './table-shapes.ts'

// What a row of a table says in other cells than those of its slot and its beatmap.

const slotsOf = ({ pools }: Import): string[] =>
  pools
    .flatMap(({ name, draft }) =>
      draft.slots.map((slot) => `${name ?? ''} ${slot.mod}${slot.index} ${slot.beatmapId}`),
    )
    .toSorted()
const expected = (rows: readonly Row[], round = ''): string[] =>
  rows.map((row) => `${round} ${label(row)} ${row.beatmapId}`).toSorted()
const refusedIn = ({ pools }: Import): number =>
  pools.flatMap(({ lines }) => lines.filter(({ outcome }) => outcome === 'refused')).length
const questionsOf = ({ questions }: Import): string[] => questions.map(({ text }) => text)

describe('a label in front of a title', () => {
  const before = fc.constantFrom(
    (each: string) => `${each} `,
    (each: string) => `[${each}] `,
    (each: string) => `${each}: `,
    (each: string) => `${each} - `,
    (each: string) => `(${each}) `,
  )
  const header = fc.constantFrom(
    null,
    ['Map', 'SR', 'Length', 'Beatmap ID'],
    ['Title', 'SR', 'Length', 'Beatmap ID'],
    ['Song', 'SR', 'Length', 'ID'],
  )

  it('is that of the beatmap in another cell, in whatever order the columns are', () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 })
    fc.assert(
      fc.property(
        anyPool,
        before,
        header,
        order,
        fc.constantFrom('\t', '|', ';'),
        (pool, mark, names, columns, separator) => {
          const rows = pool.map((row, at) => [
            `${mark(label(row))}Unit 31B - Paper Zeppelin ${at}`,
            `${at % 9}.${10 + at}`,
            `${1 + (at % 4)}:${10 + at}`,
            String(row.beatmapId),
          ])
          const text = [...(names === null ? [] : [names]), ...rows]
            .map((cells) => columns.map((column) => cells[column]).join(separator))
            .join('\n')
          const read = readImport(text)
          expect([text, questionsOf(read), slotsOf(read)]).toEqual([text, [], expected(pool)])
        },
      ),
    )
  })

  it('is asked where it may be the beginning of the title', () => {
    const cells = fc.constantFrom('TB Artist', 'EZ DO DANCE', 'SPEED1 Artist', 'HD Artist - Song')
    fc.assert(
      fc.property(cells, fc.integer({ min: 1_400_000, max: 6_000_000 }), (cell, id) => {
        const text = `Title,Beatmap ID\nOther - Song,${id + 1}\n${cell},${id}`
        const read = readImport(text)
        expect(questionsOf(read)).toEqual([
          `Cells begin like slots, such as ${cell.split(' ')[0]}. Are these the slots of their beatmaps?`,
        ])
        expect(slotsOf(read)).toEqual([` null1 ${id + 1}`])
      }),
    )
  })
})

it('long codes with numbers are labels in any cell, beside those of mods', () => {
  const codes = fc.subarray(['SPEED', 'TECH', 'STREAM', 'FINGERS', 'JUMPS', 'NM', 'HD'], {
    minLength: 2,
  })
  const order = fc.shuffledSubarray([0, 1, 2], { minLength: 3 })
  const count = fc.integer({ min: 1, max: 3 })
  fc.assert(
    fc.property(codes, order, count, fc.constantFrom('\t', ';'), (own, columns, most, mark) => {
      const labels = own.flatMap((code) =>
        Array.from({ length: most }, (_, at) => `${code}${at + 1}`),
      )
      const rows = labels.map((each, at) => ['Kite - Lamp', String(1_500_000 + at), each])
      const text = rows.map((row) => columns.map((column) => row[column]).join(mark)).join('\n')
      const read = readImport(text)
      expect([text, questionsOf(read), slotsOf(read)]).toEqual([
        text,
        [],
        labels.map((each, at) => ` ${each} ${1_500_000 + at}`).toSorted(),
      ])
    }),
  )
})

describe('numbers beside the mods', () => {
  const shuffled = anyPool.chain((pool) =>
    fc.shuffledSubarray(pool, { minLength: pool.length, maxLength: pool.length }),
  )
  const isCounted = (pool: readonly Row[]): boolean => pool.some(({ index }) => index > 1)
  /** Each in one run of rows, they may number groups. */
  const areGroups = (pool: readonly Row[]): boolean => {
    const runs = pool.filter(({ index }, at) => index !== pool[at - 1]?.index)
    return runs.length === new Set(pool.map(({ index }) => index)).size
  }

  it('are those of the slots, in whatever order the rows are', () => {
    const name = fc.constantFrom(null, '#', 'No', 'No.', 'Number', 'Número', 'Nr.', '番号')
    fc.assert(
      fc.property(
        shuffled.filter((pool) => isCounted(pool) && !areGroups(pool)),
        name,
        fc.boolean(),
        anySeparator,
        (pool, title, isBefore, mark) => {
          const rows = pool.map(({ code, index, beatmapId }, at) => {
            const own = isBefore ? [String(index), code] : [code, String(index)]
            return [...own, `Kite - Lamp ${at}`, String(beatmapId)]
          })
          const own = isBefore ? [title ?? '', 'Mod'] : ['Mod', title ?? '']
          const header = title === null ? [] : [[...own, 'Title', 'ID']]
          const text = separated([...header, ...rows], mark)
          const read = readImport(text)
          expect([text, questionsOf(read), slotsOf(read)]).toEqual([text, [], expected(pool)])
        },
      ),
    )
  })

  it('are none where they come again in a mod, or count the rows', () => {
    const rows = ['NM,1,a,1400001', 'NM,1,b,1400002', 'HD,1,c,1400003']
    const numbered = ['NM,1,a,1400001', 'NM,2,b,1400002', 'HD,3,c,1400003']
    for (const table of [rows, numbered]) {
      const read = readImport(['Mod,#,Title,ID', ...table].join('\n'))
      expect(slotsOf(read)).toEqual([' HD1 1400003', ' NM1 1400001', ' NM2 1400002'])
    }
    const read = readImport('Pick,Mod,ID\n1,NM,1400001\n2,HD,1400002\n3,NM,1400003')
    expect([slotsOf(read), read.questions.length]).toEqual([[], 1])
  })

  it('are those of the slots below a merged cell of a spreadsheet, too', async () => {
    const rows = [
      ['Mod', '#', 'Title', 'ID'],
      ['NoMod', 2, 'a', 1_400_001],
      [null, 1, 'b', 1_400_002],
      ['Hidden', 1, 'c', 1_400_003],
    ]
    const merges = [{ startRow: 1, endRow: 2, startCol: 0, endCol: 0 }]
    const file = await writeXlsx({ sheets: [{ name: 'Pool', rows, merges }] })
    const read = await readImportFile(file)
    expect(slotsOf(read)).toEqual([' HD1 1400003', ' NM1 1400002', ' NM2 1400001'])
  })
})

it('tables with titles and headers of their own are rounds, also where their slots do not clash', () => {
  const anyTwo = fc.tuple(anyPool, anyPool, fc.boolean(), anySeparator)
  const names = ['Gold bracket', 'Silver bracket'] as const
  fc.assert(
    fc.property(anyTwo, ([first, second, isNumbered, mark]) => {
      const table = (pool: readonly Row[]) => [
        ['Mod', 'Map ID', 'Title'],
        ...pool.map((row) => [isNumbered ? label(row) : row.code, `${row.beatmapId}`, 'Lamp']),
      ]
      const shared = second.filter(({ code }) => first.some((row) => row.code === code))
      fc.pre(shared.length > 0)
      const text = separated(
        below([titled(names[0], table(first)), titled(names[1], table(second))]),
        mark,
      )
      expect([text, slotsOf(readImport(text))]).toEqual([
        text,
        [...expected(first, names[0]), ...expected(second, names[1])].toSorted(),
      ])
    }),
  )
})

it('numbers of players below labels are asked, with nothing in the corner', () => {
  const players = fc.subarray(['Kestrel', 'foo', 'えいら', '- Guaka -'], { minLength: 1 })
  const score = fc.integer({ min: 100_000, max: 1_000_000 })
  fc.assert(
    fc.property(players, fc.array(score, { minLength: 12, maxLength: 12 }), (own, scores) => {
      const rows = own.map((name, at) => [name, ...scores.slice(at * 3, at * 3 + 3)].join('\t'))
      const read = readImport(['\tNM1\tNM2\tHD1', ...rows].join('\n'))
      expect(slotsOf(read)).toEqual([])
      for (const { choices } of read.questions)
        expect(choices[0]?.text).toMatch(/^(?:No, leave them out|Use none of it)$/)
    }),
  )
  const read = readImport('\tNM1\tNM2\tHD1\nMap ID\t952486\t877496\t777777')
  expect(slotsOf(read)).toHaveLength(3)
})

it('a link behind a title that is another beatmap than the id beside it is asked', async () => {
  const target = 'https://osu.ppy.sh/beatmapsets/1#osu/129891'
  const rows = [
    ['Slot', 'Title', 'ID'],
    ['NM1', 'Lamp', 129_892],
  ]
  const cells = new Map([['1,1', { value: 'Lamp', hyperlink: { target } }]])
  const file = await writeXlsx({ sheets: [{ name: 'Pool', rows, cells }] })
  const read = await readImportFile(file)
  expect([questionsOf(read), slotsOf(read)]).toEqual([
    ['The id and the link of this line are different beatmaps. Which one is it?'],
    [],
  ])
})

it('a mod that differs from the label of its row is told', () => {
  const mods = fc.constantFrom('HD', 'Hidden', 'HR', 'Hard Rock', 'NM', 'nomod', 'DT')
  const codes: Readonly<Record<string, string>> = { hidden: 'HD', 'hard rock': 'HR', nomod: 'NM' }
  fc.assert(
    fc.property(mods, fc.constantFrom('NM', 'HD', 'HR'), (mod, code) => {
      const { notes, pools } = readImport(`Mod,Slot,ID\n${mod},${code}1,129892`)
      const isSame = (codes[mod.toLowerCase()] ?? mod) === code
      expect(notes).toEqual(
        isSame ? [] : [`Line 2: “Mod” says ${mod}; the label ${code}1 was used instead.`],
      )
      expect(pools[0]?.draft.slots).toMatchObject([{ mod: code, index: 1 }])
    }),
  )
})

it('two labels of a row are never one slot unasked, whatever is between them', () => {
  const between = fc.constantFrom('/', ' / ', ' & ', '&', ' + ', '\t', ' and ')
  const rest = fc.constantFrom('\t', '\tArtist - Title\t', '\tx\t')
  fc.assert(
    fc.property(anyPool, between, rest, (rows, sign, cells) => {
      const [first, second] = rows.map(label)
      fc.pre(second !== undefined && first !== second)
      const text = `${first}${sign}${second}${cells}1234567`
      const read = readImport(text)
      const lines = [...read.pools.flatMap((pool) => pool.lines), ...read.others]
      const isRefused = lines.some(({ outcome }) => outcome === 'refused')
      expect([slotsOf(read), isRefused || read.questions.length > 0]).toEqual([[], true])
    }),
  )
})

describe('words that name no bucket, in a cell beside a link', () => {
  const words = fc.constantFrom('Warm-ups', 'Lament (v2)', 'Slow Comet', 'Unit 31B', 'see: here')
  const link = (id: number): string => `https://osu.ppy.sh/b/${id}`

  it('are refused or asked among slots, and never one of no bucket', () => {
    fc.assert(
      fc.property(anyPool, words, fc.nat(8), anySeparator, (pool, title, at, separator) => {
        const rows = pool.map((row) => [label(row), link(row.beatmapId)])
        const text = separated(rows.toSpliced(at, 0, [title, link(19)]), separator)
        const read = readImport(text)
        expect([text, slotsOf(read)]).toEqual([text, expected(pool)])
        expect(questionsOf(read).length + refusedIn(read)).toBe(1)
      }),
    )
  })
})

describe('numbers in a column that is called by another thing', () => {
  const between = fc.constantFrom('Title', 'Slot', 'Maps', 'Mapper', 'Good luck', '')

  it('are no beatmaps unasked, whatever single word stands in a row between them', () => {
    fc.assert(
      fc.property(
        anyPool,
        fc.constantFrom('Views', 'BPM', 'Score'),
        between,
        fc.nat(8),
        anySeparator,
        (pool, name, word, at, separator) => {
          const rows = pool.map((row, place) => [label(row), `${row.beatmapId}`, `Tide ${place}`])
          const table = [['Slot', name, 'Note'], ...rows.toSpliced(at, 0, [word, '', ''])]
          const text = separated(table, separator)
          expect([text, slotsOf(readImport(text))]).toEqual([text, []])
        },
      ),
    )
  })
})

describe('the error of a formula in a cell', () => {
  const errors = ['#N/A', '#REF!', '#VALUE!', '#NAME?', '#DIV/0!', '#NUM!', '#NULL!', '#ERROR!']
  const columns = ['Title', 'Artist', 'Difficulty', 'Mapper', 'Beatmap ID']
  const twoRows = (['DT', 'FM'] as const).map((code, at) => ({
    code,
    index: 1,
    beatmapId: 20_000 + at,
    title: 'Unit 31B',
    mapper: 'Kestrel1',
  }))
  const titleAndArtist = [0, 1].map((column) => ({ row: 0, column, error: '#REF!' }))

  it('is read as an empty cell, in whatever columns it is', () => {
    const cell = fc.record({ row: fc.nat(5), column: fc.nat(4), error: fc.constantFrom(...errors) })
    fc.assert(
      fc.property(anyPool, fc.array(cell, { minLength: 1 }), fc.nat(8), (pool, cells, open) => {
        const rows = pool.map((row, at) => [
          label(row),
          `Low Tide ${at}`,
          'Kestrel',
          'Hard',
          row.mapper,
          // From there on, the beatmaps are not chosen yet.
          at < open ? `${row.beatmapId}` : '',
        ])
        const textWith = (of: (error: string) => string): string => {
          const own = rows.map((row, at) =>
            row.map(
              (each, column) =>
                cells
                  .filter((one) => one.row === at && one.column + 1 === column)
                  .map(({ error }) => of(error))[0] ?? each,
            ),
          )
          return separated([['Slot', ...columns], ...own], '\t')
        }
        const told = (text: string) => {
          const { pools, questions } = readImport(text)
          return [pools.map(({ round }) => round.slots), questions.map((each) => each.text)]
        }
        const text = textWith((error) => error)
        expect([text, told(text)]).toEqual([text, told(textWith(() => ''))])
      }),
      { examples: [[twoRows, titleAndArtist, 0]] },
    )
  })
})
