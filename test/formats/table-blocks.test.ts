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

describe('columns side by side that share the column of the slots', () => {
  it.each([
    ['Slot,Lower tier,,Upper tier,\n,Map,ID,Map,ID', 'Lower tier', 'Upper tier'],
    [',Finals,,Semifinals,\n,Map,ID,Map,ID', 'Finals', 'Semifinals'],
  ])('are a round each where titles tell them apart: %j', (head, first, second) => {
    const rows = 'NM1,A - B,129891,C - D,129892\nHD1,E - F,129893,,\nTB,,TBA,G - H,129894'
    const read = readImport(`${head}\n${rows}`)
    expect(read.questions).toEqual([])
    expect(slotsOf(read)).toEqual([
      [first, ['HD1 129893', 'NM1 129891']],
      [second, ['NM1 129892', 'TB 129894']],
    ])
  })

  it('keep a slot of which only question marks are known', () => {
    const read = readImport(
      ',Finals,,Semifinals,\n,Map,ID,Map,ID\nNM1,A - B,129891,C - D,129892\nHD1,E - F,129893,???,???\nTB,,TBA,G - H,129894',
    )
    expect(read.pools.map(({ round }) => round.slots.map(slotLabel))).toEqual([
      ['NM1', 'HD1', 'TB'],
      ['NM1', 'HD1', 'TB'],
    ])
  })

  it('are asked about where nothing does', () => {
    const read = readImport(',Map,ID,Map,ID\nNM1,A - B,129891,C - D,129892\nHD1,,129893,,129895')
    expect(read.questions.map(({ text }) => text)).toEqual(['Which of these is the pool?'])
  })

  it.each([
    [
      'NM,HD,HR,TB\n129891,129893,129895,129896\n129892,129894,,',
      'a bucket each, a tiebreaker too',
    ],
    ['NM,HD,TB,HR\n129891,129893,129896,129895\n129892,129894,,', 'in any order'],
  ])('%j (%s)', (text) => {
    expect(slotsOf(readImport(text))).toEqual([
      [null, ['HD1 129893', 'HD2 129894', 'HR1 129895', 'NM1 129891', 'NM2 129892', 'TB 129896']],
    ])
  })

  it('may be of rounds of which less is decided', () => {
    const read = readImport(
      ',RO16,QF,SF\nNM1,129891,129892,129893\nHD1,129894,129895,TBA\nTB,129896,129897,TBA',
    )
    expect(read.questions).toEqual([])
    expect(slotsOf(read)).toEqual([
      ['RO16', ['HD1 129894', 'NM1 129891', 'TB 129896']],
      ['QF', ['HD1 129895', 'NM1 129892', 'TB 129897']],
      ['SF', ['NM1 129893']],
    ])
    const planned = read.pools[2]!.round.slots.filter(({ beatmapId }) => beatmapId === undefined)
    expect(planned.map(slotLabel)).toEqual(['HD1', 'TB'])
  })
})

it('slots and their ids side by side are blocks without names, from id 1000 on', () => {
  // Of more rows, ids that go up by 1 are counts.
  const someIds = fc.uniqueArray(fc.integer({ min: 1001, max: 7_999_999 }), {
    minLength: 3,
    maxLength: 3,
  })
  fc.assert(
    fc.property(someIds, fc.constantFrom('\t', '\t\t'), ([second, third, fourth], gap) => {
      const text = `NM1\t1000${gap}HD1\t${second}\nNM2\t${third}${gap}HD2\t${fourth}`
      const slots = [`HD1 ${second}`, `HD2 ${fourth}`, 'NM1 1000', `NM2 ${third}`]
      expect(slotsOf(readImport(text)), text).toEqual([[null, slots]])
    }),
  )
})

describe('a cell that says two things', () => {
  it.each([
    'slot,id\nQF NM1,129891\nQF HD1,129892\nSF NM1,129893\nSF HD2,',
    'Title,Slot,ID\na,QF - NM1,129891\nb,QF - HD1,129892\nc,SF - NM1,129893\nd,SF - HD2,',
    'QF NM1,129891\nQF HD1,129892\nSF NM1,129893\nSF HD2,',
  ])('has the round in front of the label: %j', (text) => {
    const read = readImport(text)
    expect(slotsOf(read)).toEqual([
      ['QF', ['HD1 129892', 'NM1 129891']],
      ['SF', ['NM1 129893']],
    ])
    expect(read.pools.at(-1)!.round.slots.map(slotLabel)).toEqual(['NM1', 'HD2'])
  })

  it.each([
    'Mod,Map\nNM1,129891 A - B\nNM2,129892 - C - D\nHD1,75 Kettles - E',
    'NM1,129891 A - B\nNM2,129892 - C - D\nHD1,75 Kettles - E',
  ])('has the id in front of the name, in most rows of its column: %j', (text) => {
    expect(slotsOf(readImport(text))).toEqual([[null, ['NM1 129891', 'NM2 129892']]])
  })

  it('has no id where one title alone begins with a number', () => {
    expect(slotsOf(readImport('Mod,Map\nNM1,100000 Fires - B\nNM2,C - D'))).toEqual([])
  })
})

describe('columns that spaces align', () => {
  it.each(['', 'Slot  ID       SR    Map\n'])('are those of a table, below %j', (head) => {
    const rows = [
      'NM1   129891   6.85  A - B (C)',
      'NM2   978850   5.69  D feat. E - F 2',
      'HD1   4656289  5.6   VELVET - G',
    ]
    const read = readImport(head + rows.join('\n'))
    expect(read.questions).toEqual([])
    expect(slotsOf(read)).toEqual([[null, ['HD1 4656289', 'NM1 129891', 'NM2 978850']]])
    expect(read.pools[0]!.lines.at(-1)!.text).toBe(rows[2])
  })
})

describe('a table of scores by slot', () => {
  const scores = 'Player,NM1,NM2,HD1\nAda,1086298,905227,690637\nBo,741419,810237,391510'

  it('has no beatmaps, of whom ever they are', () => {
    for (const text of [scores, scores.replace('Player', 'Team')]) {
      const read = readImport(text)
      expect(slotsOf(read)).toEqual([])
      expect(read.questions).toEqual([])
    }
  })

  it('has them in a row that is called so', () => {
    expect(slotsOf(readImport(scores.replace('Ada,', 'Beatmap ID,')))).toEqual([
      [null, ['HD1 690637', 'NM1 1086298', 'NM2 905227']],
    ])
  })
})

describe('a slot that is in two rows of a table', () => {
  const rows = 'Slot,Map,ID\nNM1,A - B,129891\nNM2,C - D,129892\nHD1,E - F,129893'
  const again = `${rows}\nNM2 (new),G - H,129894`

  it('is asked about, whether the lower row says that it is new or not', () => {
    for (const text of [again, again.replace(' (new)', '')]) {
      const read = readImport(text)
      expect(read.questions.map(({ text }) => text)).toEqual([
        'NM2 appears twice. Which row should be used?',
      ])
      expect(slotsOf(read)).toEqual([[null, ['HD1 129893', 'NM1 129891']]])
      const answered = (answer: 'a' | 'b') =>
        slotsOf(readImport(text, { answers: new Map([['1', answer]]) }))
      expect(answered('a')).toEqual([[null, ['HD1 129893', 'NM1 129891', 'NM2 129894']]])
      expect(answered('b')).toEqual([[null, ['HD1 129893', 'NM1 129891', 'NM2 129892']]])
    }
  })

  it('is one question for all that are', () => {
    const read = readImport(`${again}\nHD1,I - J,129895`)
    expect(read.questions).toHaveLength(1)
    const { questions, ...all } = readImport(`${again}\nHD1,I - J,129895`, {
      answers: new Map([['1', 'a']]),
    })
    expect(questions).toHaveLength(1)
    expect(slotsOf({ questions, ...all })).toEqual([
      [null, ['HD1 129895', 'NM1 129891', 'NM2 129894']],
    ])
  })

  it('is not in two rounds, nor with the same beatmap', () => {
    for (const text of [
      'Round,Slot,ID\nQF,NM1,129891\nSF,NM1,129892',
      'Slot,ID\nNM1,129891\nNM1,129891',
    ]) {
      expect(readImport(text).questions).toEqual([])
    }
  })
})

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

  it('beside a pool begin behind the gap, wherever the names of its columns are said again', () => {
    const rows = [
      'Beatmap ID,Map,Slot,Mapper,,Mod,Beatmap ID,Map,Suggested by',
      '129891,Reef,NM1,Wren,,DT,131564,Owl,Kestrel',
      '129892,Lark,HD1,Wren,,DT,131565,Owl,Kestrel',
    ]
    for (const text of [rows.join('\n'), ['Pool,,,,,候補,,,', ...rows].join('\n')]) {
      const read = readImport(text)
      expect(slotsOf(read)).toEqual([[null, ['HD1 129892', 'NM1 129891']]])
      expect([read.questions, read.notes.join()]).toEqual([
        [],
        expect.stringContaining('columns F to I'),
      ])
    }
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

  it('that have codes alone are asked, too; below one another a single bucket goes on', () => {
    const [one, other] = [
      ['Mod,ID', 'NM,129891', 'HD,129892'],
      ['Mod,ID', 'NM,129895', 'HD,129896'],
    ]
    const beside = one.map((row, at) => `${row},,${other[at]!}`).join('\n')
    const asked = ({ questions }: Import) => questions.map(({ text }) => text)
    expect(asked(readImport(beside))).toEqual(['Which of these is the pool?'])
    expect(asked(readImport([...one, '', '', ...other].join('\n')))).toEqual([
      'Which of these is the pool?',
    ])
    const read = readImport([...one, '', '', ...other.slice(0, 2)].join('\n'))
    expect(asked(read)).toEqual([])
    expect(slotsOf(read)).toEqual([[null, ['HD1 129892', 'NM1 129891', 'NM2 129895']]])
  })

  it('may begin below the names of the other ones', () => {
    const text = 'Slot,ID,,,,\nNM1,129891,,,Mod,Player\nNM2,129892,,,x,Ada\nNM3,129895,,,y,Ben'
    const { pools, notes } = readImport(text)
    expect(notes).toEqual(['A table of players (columns E to F) was left out.'])
    expect(pools[0]?.round.slots.map(slotLabel)).toEqual(['NM1', 'NM2', 'NM3'])
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
    const title = fc.constantFrom('', '', '#REF!', '#N/A')
    const stars = fc.constantFrom('', '', '0.00', '#DIV/0!', '#N/A')
    const rows = fc.array(fc.tuple(fc.constantFrom('NM1', 'TB'), title, fc.constant(''), stars))
    fc.assert(
      fc.property(rows, (empty) => {
        const own = empty.map((cells) => `\n${cells.join(',')}`).join('')
        const read = readImport(`Slot,Map,ID,SR\nNM1,A,129891,6\nTB,B,75,7${own}`)
        expect([own, slotsOf(read)]).toEqual([own, [[null, ['NM1 129891', 'TB 75']]]])
        expect([own, refusals(read)]).toEqual([own, []])
      }),
      {
        examples: [
          [
            [
              ['NM1', '#REF!', '', '#DIV/0!'],
              ['TB', '', '', '0.00'],
            ],
          ],
        ],
      },
    )
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

  it('up to 20 million are, where the column of beatmaps has them', () => {
    const anyLong = fc.integer({ min: 10_000, max: 20_000_000 })
    fc.assert(
      fc.property(anyLong, (number) => {
        const read = readImport(`Slot,Beatmap ID\nNM1,${number}`)
        expect(slotsOf(read)).toEqual([[null, [`NM1 ${number}`]]])
      }),
      { examples: [[20_000_000]] },
    )
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

describe('a row of titles above a pool', () => {
  const anyRow = fc.constantFrom<readonly string[]>(
    ['Maps'],
    ['Map'],
    ['Beatmaps'],
    ['Links'],
    ['Mappool'],
    ['Finals', 'best of 13'],
    ['Finals', 'BO13', '2 bans'],
  )
  const anyNames = fc.constantFrom(
    ['Slot', 'Beatmap ID', 'Title'],
    ['Pick', 'ID', 'Song'],
    ['#', 'Map Link', 'Artist - Title'],
    ['#', 'Map', 'Stars'],
    ['Nr', 'Karte', 'Titel'],
  )
  const anyOrder = fc.constantFrom([0, 1, 2], [0, 1], [0, 2, 1])

  it('takes nothing from the header below it', () => {
    fc.assert(
      fc.property(
        anyRow,
        anyNames,
        anyOrder,
        anyPool,
        anySeparator,
        (row, names, order, pool, by) => {
          const ids = [75, 129_891]
          const cells = [
            names,
            ...pool.map((each, at) => [label(each), `${ids[at] ?? each.beatmapId}`, each.title]),
          ].map((own) => order.map((column) => own[column]))
          const width = Math.max(order.length, row.length)
          const above = Array.from({ length: width }, (_, at) => row[at] ?? '')
          const [own, titled] = [cells, [above, ...cells]].map((all) => separated(all, by))
          const [read, below] = [own!, titled!].map((text) => readImport(text))
          const textsOf = ({ questions }: Import) => questions.map(({ text }) => text)
          expect(
            slotsOf(below!).map(([, slots]) => slots),
            titled,
          ).toEqual(slotsOf(read!).map(([, slots]) => slots))
          expect(textsOf(below!), titled).toEqual(textsOf(read!))
        },
      ),
    )
  })

  it('is called by its words alone where it is asked about', () => {
    const places = fc.constantFrom(
      ['Warm-ups', ''],
      ['', 'Warm-ups'],
      ['Warm-ups:', ''],
      ['', 'Warm-ups:'],
    )
    fc.assert(
      fc.property(places, anySeparator, (row, by) => {
        const pool = [
          ['Slot', 'Beatmap ID'],
          ['NM1', '129891'],
          ['NM2', '75001'],
        ]
        const text = separated([...pool, row, ['WU1', '1872396'], ['WU2', '4392947']], by)
        expect(readImport(text).questions.map((question) => question.text)).toEqual([
          'Are the beatmaps below “Warm-ups” part of the pool?',
        ])
      }),
    )
  })
})

describe('the lines of a table with a column for each round or bucket', () => {
  it('have their text as it is written', () => {
    const anyNames = fc.constantFrom(
      ['Slot', 'Semifinals', 'Finals'],
      ['', 'Qualifiers', 'RO16'],
      ['NM', 'HD', 'HR'],
    )
    fc.assert(
      fc.property(anyNames, anySeparator, fc.integer({ min: 2, max: 4 }), (names, by, count) => {
        const places = ['NM1', 'NM2', 'HD1', 'HD2'].slice(0, count)
        const rows = places.map((place, at) =>
          names.map((name, column) =>
            column === 0 && name !== 'NM' ? place : `${1_400_001 + at * 3 + column}`,
          ),
        )
        const text = separated([names, ...rows], by)
        const { pools, others } = readImport(text)
        const lines = [...pools.flatMap((pool) => pool.lines), ...others]
        const slots = lines.filter(({ outcome }) => outcome === 'slot')
        expect(slots.length, text).toBe(count * (names[0] === 'NM' ? 3 : 2))
        for (const { line, text: own } of lines) expect(own).toBe(text.split('\n')[line - 1])
      }),
    )
  })
})
