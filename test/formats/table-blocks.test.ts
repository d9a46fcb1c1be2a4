import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import {
  anyOtherTable,
  anyPool,
  anyPoolTable,
  anySeparator,
  anySuggestions,
  below,
  beside,
  type Cells,
  label,
  type Row,
  separated,
  titled,
} from './table-shapes.ts'

const slotsOf = ({ pools }: Import): [string | null, string[]][] =>
  pools.flatMap(({ name, lines }): [string | null, string[]][] => {
    const slots = lines.flatMap((line) =>
      line.outcome === 'slot' ? [`${slotLabel(line)} ${line.beatmapId}`] : [],
    )
    return slots.length > 0 ? [[name, slots.toSorted()]] : []
  })

const wanted = (pool: readonly Row[]): string[] =>
  pool.map((row) => `${row.code === 'TB' ? 'TB' : label(row)} ${row.beatmapId}`).toSorted()

const refusals = ({ pools, others }: Import): string[] =>
  [...pools.flatMap(({ lines }) => lines), ...others].flatMap((line) =>
    line.outcome === 'refused' ? [`${line.line}: ${line.reason}`] : [],
  )

const anyPoolWithTable = anyPool.chain((pool) =>
  fc.record({ pool: fc.constant(pool), table: anyPoolTable(pool) }),
)
const isBeside = fc.boolean()
const isFirst = fc.boolean()

const arranged = (tables: readonly Cells[], side: boolean): Cells =>
  side ? beside(tables) : below(tables)

describe('a table that is no pool', () => {
  it('gives no slot, whatever its language, columns and separator', () => {
    fc.assert(
      fc.property(anyOtherTable, anySeparator, (table, mark) => {
        const read = readImport(separated(table, mark))
        expect(slotsOf(read)).toEqual([])
        expect(read.questions).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('is named in a note beside or below a pool, which is read without a question', () => {
    fc.assert(
      fc.property(
        anyPoolWithTable,
        anyOtherTable,
        isBeside,
        isFirst,
        anySeparator,
        ({ pool, table }, other, side, first, mark) => {
          const text = separated(arranged(first ? [table, other] : [other, table], side), mark)
          const read = readImport(text)
          expect(read.questions, text).toEqual([])
          expect(slotsOf(read), text).toEqual([[null, wanted(pool)]])
          expect(refusals(read), text).toEqual([])
          expect(
            read.notes.filter((note) => note.endsWith('was left out.')),
            text,
          ).toHaveLength(1)
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    ['Seed,Username,User ID\n1,Kestrel,1314159', 'A table of players (lines 1 to 2) was left out.'],
    ['Team,Player 1,Player 2\nOwls,Kestrel,Wren', 'A table of teams (lines 1 to 2) was left out.'],
  ])('%j', (text, note) => {
    expect(readImport(text).notes).toContain(note)
  })

  it('may be named by its title alone, and end below the pool beside it', () => {
    const text = [
      'Players,,,Semifinals,',
      'Name,User ID,,Slot,ID',
      'Kestrel,1314159,,NM1,129891',
      'Wren,4141590,,NM2,131564',
      'Owl,2123456,,,',
    ].join('\n')
    const read = readImport(text)
    expect(slotsOf(read)).toEqual([['Semifinals', ['NM1 129891', 'NM2 131564']]])
    expect(read.questions).toEqual([])
    expect(slotsOf(readImport('Teams,\nOwls,1314159\nLarks,4141590'))).toEqual([])
  })

  it('may have its counts and scores in a pool', () => {
    const text = [
      'Slot,Map,ID,Picks,Bans,Player,Top score',
      'NM1,A - B,129891,12,3,Kestrel,998123',
      'HD1,C - D,131564,10,4,Wren,888123',
    ].join('\n')
    expect(slotsOf(readImport(text))).toEqual([[null, ['HD1 131564', 'NM1 129891']]])
  })

  it('ends where the lines of a pool begin', () => {
    const read = readImport('Referee, Date\nKestrel, 2026-05-01\n\nNM1 129891\nHD1 75')
    expect(slotsOf(read)).toEqual([[null, ['HD1 75', 'NM1 129891']]])
  })
})

describe('suggestions', () => {
  it('beside or below a pool are left out with a note', () => {
    fc.assert(
      fc.property(
        anyPoolWithTable,
        anySuggestions,
        fc.constantFrom('Suggestions', 'Candidatos', '候補', 'Old pool', ''),
        isBeside,
        isFirst,
        anySeparator,
        ({ pool, table }, suggestions, title, side, first, mark) => {
          const other = title === '' ? suggestions : titled(title, suggestions)
          const own = title === '' ? table : titled('Pool', table)
          const text = separated(arranged(first ? [own, other] : [other, own], side), mark)
          const read = readImport(text)
          expect(read.questions, text).toEqual([])
          expect(slotsOf(read), text).toEqual([[null, wanted(pool)]])
          expect(refusals(read), text).toEqual([])
          expect(read.notes.join(), text).toContain('Suggestions (')
        },
      ),
      { numRuns: 300 },
    )
  })

  it('alone are asked, and left out by the first answer', () => {
    const text = 'Suggestions,,\nSlot,Beatmap ID,Map\nNM1,129891,A\nHD1,75,B'
    const { questions } = readImport(text)
    expect(questions.map((question) => question.text)).toEqual([
      'This looks like suggestions: “Suggestions” (lines 1 to 4, 2 slots). Is it the pool?',
    ])
    expect(slotsOf(readImport(text, { answers: new Map([['*', 'a']]) }))).toEqual([])
    expect(slotsOf(readImport(text, { answers: new Map([['*', 'b']]) }))).toEqual([
      [null, ['HD1 75', 'NM1 129891']],
    ])
  })
})

const anyPools = fc.tuple(anyPool, anyPool).chain(([one, other]) =>
  fc.record({
    pools: fc.constant([one, other] as const),
    tables: fc.tuple(anyPoolTable(one), anyPoolTable(other)),
  }),
)
const collide = (one: readonly Row[], other: readonly Row[]): boolean =>
  one.some((row) => other.some((each) => label(each) === label(row)))

describe('several pools', () => {
  it.each([
    ['Quarterfinals', 'Semifinals'],
    ['準決勝', '決勝'],
    ['Cuartos de final', 'Final'],
    ['Pool A', 'Pool B'],
    ['Tier 1', 'Tier 2'],
  ])('are rounds by their titles, %s and %s', (...titles) => {
    fc.assert(
      fc.property(anyPools, isBeside, anySeparator, ({ pools, tables }, side, mark) => {
        fc.pre(collide(...pools))
        const own = tables.map((table, at) => titled(titles[at]!, table))
        const text = separated(arranged(own, side), mark)
        const read = readImport(text)
        expect(read.questions, text).toEqual([])
        expect(slotsOf(read), text).toEqual(pools.map((pool, at) => [titles[at]!, wanted(pool)]))
      }),
      { numRuns: 60 },
    )
  })

  it('without titles are asked once, and each answer gives one of them', () => {
    fc.assert(
      fc.property(anyPools, isBeside, anySeparator, ({ pools, tables }, side, mark) => {
        fc.pre(collide(...pools))
        const text = separated(arranged(tables, side), mark)
        const { questions } = readImport(text)
        expect(
          questions.map((question) => question.text),
          text,
        ).toEqual(['Which of these is the pool?'])
        expect(slotsOf(readImport(text)), text).toEqual([])
        for (const [at, answer] of ['a', 'b'].entries()) {
          const read = readImport(text, { answers: new Map([['1', answer]]) })
          expect(slotsOf(read), text).toEqual([[null, wanted(pools[at]!)]])
        }
      }),
      { numRuns: 100 },
    )
  })

  it('the question names title, columns and slots', () => {
    const text = 'Maps,,,Map pool,\nSlot,ID,,Slot,ID\nNM1,129891,,NM1,75\nHD1,76,,,'
    expect(readImport(text).questions[0]?.choices.map((choice) => choice.text)).toEqual([
      '“Maps” (columns A to C, 2 slots)',
      '“Map pool” (columns D to E, 1 slot)',
    ])
  })

  it('that share no slot are one pool in several blocks', () => {
    const text = 'Slot,ID,,Slot,ID\nNM1,129891,,HD1,75\nNM2,131564,,HD2,76'
    expect(slotsOf(readImport(text))).toEqual([
      [null, ['HD1 75', 'HD2 76', 'NM1 129891', 'NM2 131564']],
    ])
  })

  it('need no header to be told apart', () => {
    const text =
      'Quarterfinals,,,Semifinals,\nNM1,129891,,NM1,131564\nNM2,725198,,NM2,1872396\nHD1,58970,,HD1,2116202'
    expect(slotsOf(readImport(text))).toEqual([
      ['Quarterfinals', ['HD1 58970', 'NM1 129891', 'NM2 725198']],
      ['Semifinals', ['HD1 2116202', 'NM1 131564', 'NM2 1872396']],
    ])
  })

  it.each([
    [
      'columns of rounds',
      'Slot,Semifinals,Finals\nNM1,129891,131564\nHD1,725198,1872396',
      [
        ['Semifinals', ['HD1 725198', 'NM1 129891']],
        ['Finals', ['HD1 1872396', 'NM1 131564']],
      ],
    ],
    [
      'columns of buckets',
      'NM,HD\n129891,131564\n725198,1872396',
      [[null, ['HD1 131564', 'HD2 1872396', 'NM1 129891', 'NM2 725198']]],
    ],
  ])('may be %s', (_, text, slots) => {
    expect(slotsOf(readImport(text))).toEqual(slots)
  })

  it('below one header, each beginning with the first slot, are told apart by their titles or asked', () => {
    const rows = ['Slot,ID', 'Алые,', 'NM1,129891', 'HD1,75', '', 'Синие,', 'NM1,131564', 'HD1,76']
    expect(slotsOf(readImport(rows.join('\n')))).toEqual([
      ['Алые', ['HD1 75', 'NM1 129891']],
      ['Синие', ['HD1 76', 'NM1 131564']],
    ])
    const untitled = rows.map((row) => (/^\p{L}+,$/u.test(row) ? ',' : row)).join('\n')
    expect(readImport(untitled).questions[0]?.choices.map((choice) => choice.text)).toEqual([
      'Lines 1 to 6, 2 slots',
      'Lines 7 to 8, 2 slots',
    ])
  })

  it('may be a row for each round, below the slots', () => {
    const text = 'Round,NM1,HD1\nQuarterfinals,129891,75\nSemifinals,131564,76'
    expect(slotsOf(readImport(text))).toEqual([
      ['Quarterfinals', ['HD1 75', 'NM1 129891']],
      ['Semifinals', ['HD1 76', 'NM1 131564']],
    ])
  })

  it('may have a heading of a round, and lines with links between it and the table', () => {
    const round = (name: string, at: number) =>
      `### ${name}\n\n**[Get it](https://drive.google.com/file/d/1/view)**\\\n[Watch it](https://www.twitch.tv/videos/1)\n\n| Mod | Map |\n| :-: | :-- |\n| NM1 | [A - B](https://osu.ppy.sh/b/${at}) |\n| TB1 | [C - D](https://osu.ppy.sh/b/${at + 1}) |\n`
    const read = readImport(`## Mappool\n\n${round('Erste', 75)}\n${round('Zweite', 77)}`)
    expect(read.questions).toEqual([])
    expect(slotsOf(read)).toEqual([
      ['Erste', ['NM1 75', 'TB 76']],
      ['Zweite', ['NM1 77', 'TB 78']],
    ])
  })

  it.each(['|', '\t', ','])('may have a column for each bucket, separated by %j', (mark) => {
    const rows = (at: number) => [
      ['NoMod', 'Hidden'],
      [`https://osu.ppy.sh/b/${at}`, `https://osu.ppy.sh/b/${at + 1}`],
      [`https://osu.ppy.sh/b/${at + 2}`, ''],
    ]
    const round = (name: string, at: number) =>
      `### ${name}\n\n${rows(at)
        .map((cells) => cells.join(mark))
        .join('\n')}`
    const read = readImport(`${round('Semifinals', 1075)}\n\n${round('Finals', 1175)}`)
    expect(slotsOf(read)).toEqual([
      ['Semifinals', ['HD1 1076', 'NM1 1075', 'NM2 1077']],
      ['Finals', ['HD1 1176', 'NM1 1175', 'NM2 1177']],
    ])
  })

  it('of a division each are rounds of their own', () => {
    const text = [
      'Round,Division,Slot,Beatmap ID',
      'Finals,Gold,NM1,129891',
      ',Silver,NM1,75',
      'Grand Finals,Gold,NM1,76',
      'Qualifiers,,NM1,77',
    ].join('\n')
    expect(slotsOf(readImport(text))).toEqual([
      ['Finals Gold', ['NM1 129891']],
      ['Finals Silver', ['NM1 75']],
      ['Grand Finals Gold', ['NM1 76']],
      ['Qualifiers', ['NM1 77']],
    ])
  })
})

describe('rows that are no slots', () => {
  it.each([
    'Average,,6.31,198',
    ',Promedio,6.31,198',
    '平均,1554180,6.2,',
    'Total,946016293,6.2,1234567',
    'Durchschnitt:,,,',
  ])('sums and averages are skipped: %s', (row) => {
    const text = `Slot,Beatmap ID,SR,BPM\nNM1,129891,6.1,180\nNM2,75,6.2,190\n${row}`
    const read = readImport(text)
    expect(slotsOf(read)).toEqual([[null, ['NM1 129891', 'NM2 75']]])
    expect([refusals(read), read.questions]).toEqual([[], []])
  })

  it('rows of a template whose slots are there already are skipped', () => {
    const text = 'Slot,Map,ID,SR\nNM1,A,129891,6\nTB,B,75,7\nNM1,#REF!,,#DIV/0!\nTB,,,0.00'
    const read = readImport(text)
    expect(slotsOf(read)).toEqual([[null, ['NM1 129891', 'TB 75']]])
    expect(refusals(read)).toEqual([])
  })
})

describe('numbers that are no beatmaps', () => {
  it('above 20 million are not taken, whatever the column is called', () => {
    const anyLarge = fc.integer({ min: 20_000_001, max: 2_147_483_647 })
    fc.assert(
      fc.property(anyLarge, fc.constantFrom('Beatmap ID', 'ID', 'Score'), (number, name) => {
        const read = readImport(`Slot,${name}\nNM1,${number}`)
        expect(slotsOf(read)).toEqual([])
      }),
    )
    const [refusal = ''] = refusals(readImport('Slot,Beatmap ID\nNM1,119142520'))
    expect(refusal).toContain('too large for a beatmap id')
  })

  it('make a column of them, beside which titles are planned', () => {
    const text =
      'NM1|Unit 31B - Buttons|56464248\nNM2|Lane - Kettle|9115385\nHD1|Owl - Lament|119142520'
    const { pools } = readImport(text)
    expect(pools[0]?.lines.map(({ outcome }) => outcome)).toEqual(['planned', 'planned', 'planned'])
  })

  it('that count the rows are not taken beside links', () => {
    const rows = ['381,NM1,4794190', '382,NM2,4941216', '383,HD1,2096523', '384,TB1,3647284']
    const read = readImport(rows.join('\n'))
    expect(slotsOf(read)).toEqual([
      [null, ['HD1 2096523', 'NM1 4794190', 'NM2 4941216', 'TB 3647284']],
    ])
  })

  it.each([
    ['a row without a label and a header', 'Kestrel,1314159\nWren,4141590'],
    ['a place in front of each', '1,1314159\n2,4141590'],
    ['lines with a word beside each', 'Kestrel: 1314159\nWren: 4141590\nOwl: 2123456'],
    ['a header that does not say of what', 'id,name\n1314159,Owls\n4141590,Larks'],
    ['a list with a number too large', '129891\n131564\n9172811'],
    ['rows of several numbers', '1314159 4141590\n131564 725198'],
  ])('are asked, and left out by the first answer: %s', (_, text) => {
    const { questions } = readImport(text)
    expect(questions.map((question) => question.text)).toEqual(['Are these numbers beatmap ids?'])
    const ask = (answer: string) => readImport(text, { answers: new Map([['1', answer]]) })
    expect(slotsOf(ask('a'))).toEqual([])
    expect(slotsOf(ask('b'))).toHaveLength(1)
  })

  it.each([
    ['most are too large', '11690784\n12305377\n6248691\n13161995'],
    [
      'they are given again and again',
      '3764599 287958\n3764599 498521\n3764599 579534\n3764599 473205',
    ],
    ['words with a year', 'OWC,2025\nBWC,2026'],
  ])('are none where %s', (_, text) => {
    const read = readImport(text)
    expect([slotsOf(read), read.questions]).toEqual([[], []])
    expect(refusals(read)).not.toEqual([])
  })

  it.each([
    ['a song beside each', '129891,Unit 31B - Buttons\n131564,Lane - Kettle'],
    ['the heading of a bucket', 'NM,,\n,A,129891\n,B,131564'],
    ['a list of nothing else', '129891\n131564\n725198'],
  ])('are read where there is %s', (_, text) => {
    const read = readImport(text)
    expect(read.questions).toEqual([])
    expect(slotsOf(read)[0]?.[1]).toHaveLength(
      text.split('\n').filter((line) => /\d{6}/.test(line)).length,
    )
  })
})
