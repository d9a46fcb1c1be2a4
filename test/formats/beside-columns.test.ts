import * as fc from 'fast-check'
import { writeOds } from 'hucre/ods'
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import {
  type Import,
  type ImportOptions,
  readImport,
} from '../../src/formats/import/read-import.ts'

const roundsOf = ({ pools }: Import) =>
  pools.map(({ name, draft }) => [
    name ?? '',
    ...draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`).toSorted(),
  ])
const read = (
  rows: readonly (readonly (string | number)[])[],
  separator = ',',
  more: ImportOptions = {},
) => readImport(rows.map((row) => row.join(separator)).join('\n'), more)
const answered = (answer: string) => ({ answers: new Map([['*', answer]]) })

/** Words in which nothing says what they are. */
const aWord = fc
  .array(fc.constantFrom('ba', 'ke', 'li', 'mo', 'ru', 'vo', 'zu'), { minLength: 3, maxLength: 5 })
  .map((parts) => parts.join(''))
const aName = fc.option(aWord, { nil: null })
const aSeparator = fc.constantFrom(',', '\t', ';', '|')
const someIds = (count: number) =>
  fc.uniqueArray(fc.integer({ min: 1_100_000, max: 5_900_000 }), {
    minLength: count,
    maxLength: count,
  })
/** The columns of a table in any order, below its header if it has names. */
const inOrder = (
  names: readonly (string | null)[],
  rows: readonly (readonly (string | number)[])[],
  order: readonly number[],
) => {
  const head = names.every((name) => name !== null) ? [names] : []
  return [...head, ...rows].map((row) => order.map((at) => row[at]!))
}
const anOrder = (count: number) =>
  fc.shuffledSubarray([...Array(count).keys()], { minLength: count })

describe('a column that parts the rows', () => {
  const buckets = ['NM', 'NM', 'HD', 'HR', 'DT', 'TB']
  const aTable = fc.record({
    ids: someIds(buckets.length * 3),
    rounds: fc.uniqueArray(aWord, { minLength: 2, maxLength: 3 }),
    separator: aSeparator,
    order: anOrder(3),
  })
  const rowsOf = (ids: readonly number[], rounds: readonly string[]) =>
    rounds.flatMap((round, at) =>
      buckets.map((mod, place) => [round, mod, ids[at * buckets.length + place]!] as const),
    )
  const wanted = (ids: readonly number[], rounds: readonly string[]) =>
    rounds.map((name, at) => {
      const own = ids.slice(at * buckets.length)
      const labels = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB1']
      return [name, ...labels.map((label, place) => `${label} ${own[place]}`).toSorted()]
    })

  it('never makes one pool of several: it is asked, or its name says what it is', () => {
    const aRoundName = fc.constantFrom('Session', 'Group', 'Season', 'Edition', 'Pool Name', 'Leg')
    fc.assert(
      fc.property(
        aTable,
        fc.oneof(aName, aRoundName),
        fc.boolean(),
        ({ ids, rounds, separator, order }, name, isMerged) => {
          const names = [name, name === null ? null : 'Mod', name === null ? null : 'ID']
          const all = rowsOf(ids, rounds).map(([round, mod, id], at) => {
            return [isMerged && at % buckets.length > 0 ? '' : round, mod, id] as const
          })
          const rows = inOrder(names, all, name === null ? [0, 1, 2] : order)
          const isTold = !['Session', 'Group', 'Season', 'Edition', 'Pool Name', 'Leg'].every(
            (each) => each !== name,
          )
          const own = read(rows, separator)
          expect(own.questions.length, rows.join('\n')).toBe(isTold ? 0 : 1)
          const sure = isTold ? own : read(rows, separator, answered('a'))
          expect(roundsOf(sure)).toEqual(wanted(ids, rounds))
        },
      ),
    )
  })

  it('is asked where the rows are in the order of their mods, and makes one pool of them if that is the answer', () => {
    fc.assert(
      fc.property(aTable, aWord, ({ ids, rounds, separator, order }, name) => {
        const all = rowsOf(ids, rounds)
        const sorted = buckets.flatMap((_, place) =>
          rounds.map((_, at) => all[at * buckets.length + place]!),
        )
        const rows = inOrder([name, 'Mod', 'ID'], sorted, order)
        expect(read(rows, separator).questions).toHaveLength(1)
        expect(roundsOf(read(rows, separator, answered('a')))).toEqual(wanted(ids, rounds))
        expect(read(rows, separator, answered('b')).pools).toHaveLength(1)
      }),
    )
  })

  it('parts each round of a table by itself', () => {
    fc.assert(
      fc.property(aTable, aWord, fc.boolean(), ({ ids, rounds, separator }, name, isHeaded) => {
        const all = rowsOf(ids, rounds)
        const rows = isHeaded
          ? [['Finals'], [name, 'Mod', 'ID'], ...all]
          : [['Round', name, 'Mod', 'ID'], ...all.map((row) => ['Finals', ...row])]
        expect(read(rows, separator).questions).toHaveLength(1)
        expect(roundsOf(read(rows, separator, answered('a')))).toEqual(
          wanted(ids, rounds).map(([round, ...slots]) => [`Finals ${round}`, ...slots]),
        )
      }),
    )
  })

  it('makes nothing of pickers and skills, each with some of the slots', () => {
    const rows = ['NM Ada', 'NM Bob', 'HD Ada', 'HD Bob', 'HR Ada', 'TB Bob'].map((row, at) => {
      return [...row.split(' '), 129_891 + at]
    })
    const own = read([['Mod', 'Picked', 'ID'], ...rows])
    expect([own.questions, own.pools.length]).toEqual([[], 1])
  })

  it('asks where its values are numbers, too', () => {
    const one = read([
      ['Foo', 'Mod', 'ID'],
      [1, 'NM', 129_891],
      [1, 'HD', 129_892],
      [2, 'NM', 129_893],
      [2, 'HD', 129_894],
    ])
    expect(one.questions).toHaveLength(1)
  })
})

describe('a column that counts', () => {
  const sizes = fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 1, maxLength: 3 })
  const codes = ['NM', 'HD', 'HR']
  /** Rows of buckets whose numbers are in another order. */
  const aTable = sizes.chain((own) =>
    fc.record({
      groups: fc.tuple(
        ...own.map((size, at) =>
          fc
            .shuffledSubarray([...Array(size).keys()], { minLength: size })
            .map((numbers) => numbers.map((number) => [codes[at]!, number + 1] as const)),
        ),
      ),
      ids: someIds(own.reduce((sum, size) => sum + size, 0)),
      separator: aSeparator,
      order: anOrder(4),
    }),
  )
  const numbered = (rows: readonly (readonly [string, number])[], ids: readonly number[]) =>
    rows.map(([code, number], at) => `${code}${number} ${ids[at]}`).toSorted()

  it('is never passed over where it contradicts the order of the rows', () => {
    const aSign = fc.constantFrom('', '#', 'Map ', 'no. ')
    fc.assert(
      fc.property(aTable, aName, aSign, ({ groups, ids, separator, order }, name, sign) => {
        const all = groups.flat()
        const rows = inOrder(
          [name && 'Mod', name && 'Title', name, name && 'ID'],
          all.map(([code, number], at) => [code, 'Slow Comet', `${sign}${number}`, ids[at]!]),
          name === null ? [0, 1, 2, 3] : order,
        )
        const own = read(rows, separator)
        const sure = own.questions.length > 0 ? read(rows, separator, answered('a')) : own
        expect(roundsOf(sure)[0]!.slice(1), rows.join('\n')).toEqual(numbered(all, ids))
      }),
    )
  })

  it('is believed if its name says that it counts', () => {
    const aCount = fc.constantFrom('Position', 'Pos', 'Map #', 'Mod #', 'Idx', 'No. in bucket')
    fc.assert(
      fc.property(aTable, aCount, ({ groups, ids, separator, order }, name) => {
        const all = groups.flat()
        const rows = inOrder(
          ['Mod', 'Title', name, 'ID'],
          all.map(([code, number], at) => [code, 'Slow Comet', number, ids[at]!]),
          order,
        )
        const own = read(rows, separator)
        expect(own.questions).toEqual([])
        expect(roundsOf(own)[0]!.slice(1), rows.join('\n')).toEqual(numbered(all, ids))
      }),
    )
  })

  it('is asked where it counts through the pool in another order than that of the rows', () => {
    const aPool = fc.record({
      numbers: fc.shuffledSubarray([1, 2, 3, 4, 5, 6], { minLength: 6 }),
      ids: someIds(6),
      name: fc.oneof(aWord, fc.constantFrom('Pick', '#', 'Order', 'Position')),
      hasTitle: fc.boolean(),
    })
    fc.assert(
      fc.property(aPool, ({ numbers, ids, name, hasTitle }) => {
        const mods = ['NM', 'NM', 'HD', 'HD', 'HR', 'TB']
        const title = hasTitle ? ['Slow Comet'] : []
        const rows = [
          [name, ...(hasTitle ? ['Title'] : []), 'Mod', 'ID'],
          ...mods.map((mod, at) => [numbers[at]!, ...title, mod, ids[at]!]),
        ]
        const ranks = mods.map((mod, at) => {
          const lower = mods.filter((each, to) => each === mod && numbers[to]! < numbers[at]!)
          return [mod, lower.length + 1] as const
        })
        const own = read(rows)
        const sure = own.questions.length > 0 ? read(rows, ',', answered('a')) : own
        expect(roundsOf(sure)[0]!.slice(1), rows.join('\n')).toEqual(numbered(ranks, ids))
      }),
    )
  })
})

describe('a cell that says that its row is out', () => {
  const labels = ['NM1', 'NM2', 'HD1', 'HR1']

  it('is asked, whatever its column is called, and wherever it is', () => {
    const aRemark = fc.constantFrom(
      'removed',
      'Banned',
      '(unused)',
      'not in the pool',
      'dropped on 3 May',
      'cut - too hard',
      'eliminado',
      'entfernt',
      '已删除',
      '削除',
      '제외',
    )
    fc.assert(
      fc.property(
        someIds(4),
        aName,
        aRemark,
        fc.nat(3),
        aSeparator,
        anOrder(3),
        (ids, name, remark, out, separator, order) => {
          const rows = labels.map((label, at) => [label, ids[at]!, at === out ? remark : ''])
          const own = read(
            inOrder([name && 'Slot', name && 'ID', name], rows, name === null ? [0, 1, 2] : order),
            separator,
          )
          expect(own.questions).toHaveLength(1)
          expect(own.questions[0]!.lines).toEqual([out + (name === null ? 1 : 2)])
        },
      ),
    )
  })

  it('is asked where its name and a mark say so', () => {
    const aMark = fc.constantFrom(
      ['Banned', 'yes', 'no'],
      ['Removed?', 'x', ''],
      ['Active', 'FALSE', 'TRUE'],
      ['In pool', '❌', '✅'],
      ['Pool?', 'no', 'yes'],
      ['Enabled', '0', '1'],
    )
    fc.assert(
      fc.property(someIds(4), aMark, fc.nat(3), (ids, [name, isOut, isIn], out) => {
        const rows = labels.map((label, at) => [label, ids[at]!, at === out ? isOut : isIn])
        const own = read([['Slot', 'ID', name], ...rows])
        expect(own.questions.map(({ lines }) => lines)).toEqual([[out + 2]])
      }),
    )
  })

  it('is a title where its column says so', () => {
    const own = readImport('Slot,Title,ID\nNM1,Removed,129891\nNM2,Old,129892')
    expect([own.questions, roundsOf(own)[0]]).toEqual([[], ['', 'NM1 129891', 'NM2 129892']])
  })
})

describe('a cell with the label beside a title', () => {
  const titles = ['Slow Comet - Kaze', 'Moss Cathedral - Denwa', 'Okita - Gulls Sleep']

  it('gives its slot, in front by the words for its mods, or behind in brackets', () => {
    const aForm = fc.constantFrom<(label: string, title: string) => string>(
      (label, title) => `${label}: ${title}`,
      (label, title) => `${label} - ${title}`,
      (label, title) => `${label} | ${title}`,
      (label, title) => `[${label}] ${title}`,
    )
    const words = fc.constantFrom(
      ['NoMod 1', 'Hidden 1', 'Hard Rock 1'],
      ['No Mod #1', 'Hidden #1', 'Hard Rock #1'],
      ['NM1', 'HD1', 'HR1'],
    )
    const isHeaded = fc.boolean()
    fc.assert(
      fc.property(someIds(3), aForm, words, isHeaded, (ids, write, names, headed) => {
        const rows = titles.map((title, at) => [write(names[at]!, title), ids[at]!])
        const own = read([...(headed ? [['Beatmap', 'ID']] : []), ...rows], '\t')
        expect(own.questions).toEqual([])
        expect(roundsOf(own)[0]!.slice(1)).toEqual(
          ['NM1', 'HD1', 'HR1'].map((label, at) => `${label} ${ids[at]}`).toSorted(),
        )
      }),
    )
    const behind = 'Slow Comet - Kaze (NM1),1018247\nOkita - Gulls (NM2),1018248'
    expect(roundsOf(readImport(behind))[0]!.slice(1)).toEqual(['NM1 1018247', 'NM2 1018248'])
    const round = '1018247\tSlow Comet\tFinals NM1\n1018248\tOkita\tFinals NM2'
    expect(roundsOf(readImport(round))).toEqual([['Finals', 'NM1 1018247', 'NM2 1018248']])
  })

  it('is never lost without a word', () => {
    const aForm = fc.constantFrom('NoMod1 T', '1. NM T', 'NM T', 'NM1 T', 'Hard Rock 2 T')
    fc.assert(
      fc.property(someIds(3), aForm, (ids, form) => {
        const rows = titles.map((title, at) => [form.replace('T', title), ids[at]!])
        const { pools, questions } = read([['Beatmap', 'ID'], ...rows])
        const bare = pools.flatMap(({ draft }) => draft.slots.filter(({ mod }) => mod === null))
        expect([questions.length > 0 || bare.length === 0, bare]).toEqual([true, []])
      }),
    )
  })
})

describe('a cell with two labels', () => {
  it('is asked, whatever stands between them', () => {
    const marks = fc.string({
      unit: fc.constantFrom(...Array.from(' /&+-~=·、→>()')),
      minLength: 1,
      maxLength: 3,
    })
    const between = fc.oneof(
      marks,
      fc.constantFrom(' or ', ' et ', ' und ', ' y ', ' (also '),
      fc.constantFrom('\t', '\tSlow Comet - Kaze\t'),
    )
    fc.assert(
      fc.property(someIds(2), between, ([one, other], mark) => {
        const { questions, pools } = readImport(`NM1${mark}HD1\t${one}\nHR1\t${other}`)
        expect(questions.map(({ lines }) => lines)).toEqual([[1]])
        expect(pools[0]!.draft.slots.map(({ mod }) => mod)).toEqual(['HR'])
      }),
    )
  })
})

describe('numbers that may be scores or sets', () => {
  const scores = fc.array(fc.integer({ min: 400_001, max: 1_000_000 }), {
    minLength: 6,
    maxLength: 6,
  })

  it('are asked below names of players, in lines and in rows', () => {
    const names = fc.uniqueArray(aWord, { minLength: 2, maxLength: 2 })
    fc.assert(
      fc.property(names, scores, fc.constantFrom('', '**', '- '), ([one, other], own, mark) => {
        const lines = ['NM1', 'HD1', 'HR1'].map((label, at) => `${label} ${own[at]}`)
        const more = ['NM1', 'HD1', 'HR1'].map((label, at) => `${label} ${own[at + 3]}`)
        const end = mark.trim() === '**' ? mark : ''
        const text = [`${mark}${one}${end}`, ...lines, `${mark}${other}${end}`, ...more].join('\n')
        expect(readImport(text).pools.flatMap(({ draft }) => draft.slots)).toEqual([])
        const table = `${one},NM1,HD1,HR1\n${other},${own.slice(0, 3).join(',')}`
        expect(readImport(table).questions).toHaveLength(1)
      }),
    )
  })

  it('are asked below a name with a word for beatmaps and one that is not known', () => {
    fc.assert(
      fc.property(
        aWord,
        fc.constantFrom('beatmap', 'map', 'карт'),
        fc.boolean(),
        (word, map, is) => {
          const name = is ? `${word} ${map} ID` : `ID ${map} ${word}`
          expect(readImport(`Slot,${name}\nNM1,542902`).questions).toHaveLength(1)
        },
      ),
    )
    const known = [
      'Beatmap ID',
      'osu! beatmap ID',
      'Beatmap ID or link',
      'ID del mapa',
      'Map ID (NM)',
    ]
    for (const name of known) {
      expect(readImport(`Slot,${name}\nNM1,542902`).questions, name).toEqual([])
    }
  })
})

describe('a spreadsheet file', () => {
  const parts = ['X NM 1', 'X HD 2', 'Y NM 3', 'Y HD 4'].map((row) => row.split(' '))
  const tables: readonly (readonly (readonly [string, ...(string | number)[]])[])[] = [
    [
      ['Foo', 'Mod', 'ID'],
      ...parts.map(
        ([part = '', mod = '', id = '']) => [part, mod, 1_290_000 + Number(id)] as const,
      ),
    ],
    [
      ['Mod', 'Title', 'Foo', 'ID'],
      ['NM', 'A', 2, 1_290_001],
      ['NM', 'B', 1, 1_290_002],
    ],
    [
      ['Slot', 'ID', 'Foo'],
      ['NM1', 1_290_001, ''],
      ['NM2', 1_290_002, 'removed'],
    ],
  ]

  it.each(['xlsx', 'ods'] as const)(
    '(.%s) is asked about as the same cells in a text are',
    async (kind) => {
      for (const rows of tables) {
        const sheet = { name: 'Pool', rows: rows.map((row) => [...row]) }
        const bytes =
          kind === 'xlsx'
            ? await writeXlsx({ sheets: [sheet] })
            : await writeOds({ sheets: [sheet] })
        const file = await readImportFile(bytes, `pool.${kind}`)
        expect(file.questions.map(({ text }) => text)).toEqual(
          read(rows).questions.map(({ text }) => text),
        )
        expect(file.questions).toHaveLength(1)
      }
    },
  )
})

describe('the slots of a table that a column of rounds parts', () => {
  const buckets = ['NM', 'HD', 'DT']
  const labels: Readonly<Record<string, (code: string, at: number) => string>> = {
    'the code in each row': (code) => code,
    'the code in a cell that is merged over its rows': (code, at) => (at === 0 ? code : ''),
    'the code with the number in its round': (code) => `${code}1`,
  }
  it.each(Object.entries(labels))('are in its rounds, with %s', (_, labelOf) => {
    const title = fc.constantFrom('Session', 'Group')
    fc.assert(
      fc.property(title, aSeparator, someIds(6), (name, separator, ids) => {
        const slots = buckets.flatMap((code, place) =>
          [0, 1].map((at) => ({ code, at, round: 'AB'.charAt(at), id: ids[place * 2 + at]! })),
        )
        const rows = slots.map(({ code, at, round, id }) => [labelOf(code, at), round, id])
        const expected = ['A', 'B'].map((round) =>
          slots
            .filter((slot) => slot.round === round)
            .map(({ code, id }) => `${code}1 ${id}`)
            .toSorted(),
        )
        const found = read([['Mod', name, 'Beatmap ID'], ...rows], separator)
        expect(found.questions).toEqual([])
        expect(roundsOf(found).map(([__, ...own]) => own)).toEqual(expected)
      }),
    )
  })

  it('are of one pool where each has a number of its own', () => {
    fc.assert(
      fc.property(aSeparator, someIds(6), (separator, ids) => {
        const rows = ids.map((id, at) => {
          return [`${buckets[Math.floor(at / 2)]}${(at % 2) + 1}`, 'AB'.charAt(at % 2), id]
        })
        const found = read([['Slot', 'Session', 'Beatmap ID'], ...rows], separator)
        expect(found.questions).toEqual([])
        expect(roundsOf(found)).toEqual([
          ['', ...rows.map(([slot, , id]) => `${slot} ${id}`).toSorted()],
        ])
      }),
    )
  })
})

describe('a number of a word in a tab beside that of the pool', () => {
  const named = [
    ['Slot', 'Beatmap ID'],
    ['NM1', 3_141_001],
    ['NM2', 3_141_002],
  ]
  it.each([
    ['is asked about below what may be a label', ['Ada', 'QZ', 'Kestrel1'], 1],
    ['is none below two words', ['Kestrel Ada', 'Prize pool', 'Slot 1'], 0],
  ])('%s', async (_, words, asked) => {
    for (const word of words) {
      const sheets = [
        { name: 'Pool', rows: named },
        { name: 'Other', rows: [[word, 3_141_009]] },
      ]
      const found = await readImportFile(new Uint8Array(await writeXlsx({ sheets })))
      expect(found.questions.length, word).toBe(asked)
      expect(roundsOf(found)[0]!.slice(1), word).toEqual(['NM1 3141001', 'NM2 3141002'])
    }
  })
})
