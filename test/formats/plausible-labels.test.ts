import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'

const pool = ['NM1 3141001', 'NM2 3141002', 'HD1 3141003', 'TB 3141004']
const slots = ['NM1 3141001', 'NM2 3141002', 'HD1 3141003', 'TB1 3141004']

/** All that would be saved. */
const labels = (read: Import): string[] =>
  read.pools.flatMap(({ draft }) =>
    draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
  )

const usual =
  /^(?:RC|LN|HB|SV|EX|MM|MX|XM|SP|NM|HD|HR|DT|EZ|HT|FL|FM|TB|NF|SD|PF|NC|SO|MD|AP|RX|CM|CL|SV|BL|ST|TP|WU|WD|DC|MU|MR|IN|HO|CO|DS|AC|TC|RD|AL|SG|DP)$/
const anyTitle = fc
  .record({
    code: fc.stringMatching(/^[A-Z]{3,4}$/).filter((code) => !usual.test(code.slice(0, 2))),
    number: fc.oneof(fc.integer({ min: 2007, max: 2099 }), fc.integer({ min: 1, max: 100 })),
    form: fc.constantFrom('C N', 'C: N', 'C #N', '*C N*', 'C N - Finals', '**C N**'),
  })
  .map(({ code, number, form }) => form.replace('C', code).replace('N', String(number)))

describe('the time of a match or of a map', () => {
  const anyTime = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map(([first, second]) => `${first}:${String(second).padStart(2, '0')}`)
  const anyCode = fc.constantFrom('GL', 'UTC', 'QWX', 'NM', 'HD', 'TB', 'RC1', 'Kick-off')

  it('is no slot, and beside an id it is no id', () => {
    fc.assert(
      fc.property(anyCode, anyTime, (code, time) => {
        expect(labels(readImport(`${code} ${time}`))).toEqual([])
        const own = code.replace('-', '')
        const [first = ''] = labels(readImport(`${own} 1 1298910 (${time})`))
        expect(first.replace(' ', '')).toMatch(new RegExp(`^${own.replace('1', '1 ?')}`, 'i'))
        expect(first).toMatch(/ 1298910$/)
      }),
    )
  })

  it('is no beatmap in a cell beside a code, nor asked to be one', () => {
    const shape = fc.constantFrom('C\tT', 'C\t\tT', 'T\tC', 'C | T |', '\tC\t\tT\t', 'C ?,,T')
    fc.assert(
      fc.property(anyCode, anyTime, shape, (code, time, row) => {
        const { pools, questions } = readImport(row.replace('C', code).replace('T', time))
        expect([pools.flatMap(({ draft }) => draft.slots), questions]).toEqual([[], []])
      }),
    )
  })
})

describe('a code that ends in a digit', () => {
  it('takes its number behind a space or a colon, which is no time then', () => {
    const code = fc.constantFrom('A1', 'K2', 'RC1', 'SV3')
    const mark = fc.constantFrom(' ', ':', ': ', ' #')
    const property = fc.property(
      code,
      mark,
      fc.integer({ min: 1, max: 60 }),
      (code, mark, index) => {
        const number = String(index).padStart(mark === ':' ? 2 : 1, '0')
        const [slot] = readImport(`${code}${mark}${number} 1298910`).pools[0]!.draft.slots
        expect(slot).toEqual({ mod: code, index, beatmapId: 1_298_910 })
      },
    )
    fc.assert(property)
  })
})

describe('the letter or the stage of a match', () => {
  it.each(['A B C', 'QF SF GF', 'TEAM GROUP'])('without a number is a bucket: %s', (codes) => {
    const read = readImport(
      codes.replaceAll(/\w+/g, '$& 1299010').replaceAll(' ', '\n').replaceAll('\n129', ' 129'),
    )
    expect(read.questions).toEqual([])
    expect(labels(read)).toEqual(codes.split(' ').map((code) => `${code}1 1299010`))
  })
})

describe('a code with a number above a pool', () => {
  it('is its title, and no slot', () => {
    fc.assert(
      fc.property(anyTitle, fc.boolean(), (title, isApart) => {
        const read = readImport([title, ...(isApart ? [''] : []), ...pool].join('\n'))
        expect(labels(read)).toEqual(slots)
        expect(read.questions).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('is none in a table either', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2007, max: 2099 }), (year) => {
        const rows = ['Slot,Song,ID', 'NM1,Tin Larks,3141001', 'HD1,Oak,3141003']
        const read = readImport([`QWX ${year},,`, ...rows].join('\n'))
        expect(labels(read)).toEqual(['NM1 3141001', 'HD1 3141003'])
        expect(read.pools).toHaveLength(1)
      }),
      { numRuns: 20 },
    )
  })

  it('that may as well be an old beatmap is asked', () => {
    const read = readImport(['QWX 4321', ...pool].join('\n'))
    expect(read.questions.map(({ text }) => text)).toEqual([
      'Is 4321 the beatmap of a bucket QWX, or is the line a heading?',
    ])
    expect(labels(read)).toEqual(slots)
  })

  it('stays a bucket where it has two beatmaps', () => {
    const read = readImport(['QWX 1075', 'QWX 1076', ...pool].join('\n'))
    expect(labels(read)).toEqual(['QWX1 1075', 'QWX2 1076', ...slots])
  })

  it('begins another pool where it comes again with another number', () => {
    const read = readImport(['GRP 1', 'NM1 3141001', 'GRP 2', 'NM1 3141002'].join('\n'))
    expect(read.pools.map(({ name, draft }) => [name, draft.slots[0]?.beatmapId])).toEqual([
      ['GRP 1', 3141001],
      ['GRP 2', 3141002],
    ])
  })
})

describe('counts of beatmaps by bucket', () => {
  it('are no beatmaps, where two buckets or more are counted', () => {
    const anyCounts = fc
      .uniqueArray(fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM'), { minLength: 2 })
      .chain((codes) =>
        fc.tuple(...codes.map((code) => fc.integer({ min: 1, max: 9 }).map((n) => `${code} ${n}`))),
      )
    fc.assert(
      fc.property(anyCounts, (counts) => {
        expect(labels(readImport([...counts, ...pool].join('\n')))).toEqual(slots)
      }),
      { examples: [[['NM 5', 'HD 3']]] },
    )
  })
})

describe('the value of a section', () => {
  const anySections = fc.uniqueArray(
    fc.constantFrom(
      ['NoMod', 'NM'],
      ['Hidden', 'HD'],
      ['hardrock', 'HR'],
      ['DoubleTime', 'DT'],
      ['HDDT', 'HDDT'],
      ['RC', 'RC'],
    ),
    { selector: ([, code]) => code, minLength: 1 },
  )

  it('is no beatmap, whatever it is, and its name is a heading', () => {
    const property = fc.property(
      anySections,
      fc.nat({ max: 9999 }),
      fc.constantFrom('=', ' = '),
      fc.constantFrom('', 'https://osu.ppy.sh/b/'),
      (sections, value, sign, link) => {
        const lines = sections.flatMap(([name], at) => [
          `[${name}${sign}${value}]`,
          ...[0, 1].map((n) => `${link}${3_000_000 + at * 10 + n}`),
        ])
        expect(labels(readImport(lines.join('\n'))).toSorted()).toEqual(
          sections
            .flatMap(([, code], at) =>
              [0, 1].map((n) => `${code}${n + 1} ${3_000_000 + at * 10 + n}`),
            )
            .toSorted(),
        )
      },
    )
    fc.assert(property, { examples: [[[['DoubleTime', 'DT']], 64, '=', '']] })
  })

  it.each(['DT - 64', 'DT - 576', 'DT-64', 'DT (64)', 'HDDT: 72', 'EZ 2', 'HD-8'])(
    'that is the number of its mods makes a heading without brackets, too: %s',
    (line) => {
      const [code] = line.match(/^[A-Z]+/)!
      const read = readImport([line, '3141001', '3141002'].join('\n'))
      expect(labels(read)).toEqual([`${code}1 3141001`, `${code}2 3141002`])
    },
  )

  it('that may be an id is asked above others, and refused alone', () => {
    const above = readImport('[HD=3141003]\n3141001')
    expect(above.questions.map(({ lines }) => lines)).toEqual([[1]])
    const alone = readImport('[HD=4321]')
    expect(labels(alone)).toEqual([])
    expect(alone.pools[0]?.lines).toMatchObject([{ outcome: 'refused' }])
    expect(labels(readImport('[NM1=3141001]\n[HD=3141003]'))).toEqual([
      'NM1 3141001',
      'HD1 3141003',
    ])
  })
})

describe('a time above a pool', () => {
  it.each(['18:30', 'UTC 18:30', 'Sunday 18:30', 'Sat 20:00 UTC'])('is no slot: %s', (time) => {
    const read = readImport([time, ...pool].join('\n'))
    expect(labels(read)).toEqual(slots)
    expect(read.understood).toEqual({ lines: 4, of: 4 })
  })
})

describe('a labelled number above 20 million', () => {
  it.each(['NM1', 'FM2', 'QF1'])('is asked at %s', (label) => {
    fc.assert(
      fc.property(fc.integer({ min: 20_000_001, max: 2_147_483_647 }), (number) => {
        const read = readImport(`${label} ${number}`)
        expect(read.questions.length > 0 ? [] : labels(read)).toEqual([])
      }),
      { numRuns: 20 },
    )
  })
})

describe('a link that its line ends', () => {
  const address = fc.constantFrom(
    'https://osu.ppy.sh/b/',
    'osu.ppy.sh/beatmapsets/77#osu/',
    'https://osu.ppy.sh/beatmaps/',
  )

  it('is asked with the digits of the next line, and is the joined one first', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_000, max: 7_999_999 }),
        fc.integer({ min: 2, max: 5 }),
        address,
        (id, at, start) => {
          const text = `NM1 ${start}${String(id).slice(0, at)}\n${String(id).slice(at)}\nNM2 ${start}3141002`
          fc.pre(!String(id).slice(at).startsWith('0'))
          const read = readImport(text)
          expect(read.questions).toHaveLength(1)
          const answered = readImport(text, { answers: new Map([['*', 'a']]) })
          expect(labels(answered)).toEqual([`NM1 ${id}`, 'NM2 3141002'])
        },
      ),
      { numRuns: 50 },
    )
  })

  it('is whole where a whole id follows', () => {
    const read = readImport('NM1 https://osu.ppy.sh/b/3141001\n3141002')
    expect(read.questions).toEqual([])
  })

  it('is whole where more of the address follows its id', () => {
    for (const rest of ['/edit', '/b/4393066', '?m=0', '/'])
      expect(readImport(`NM1 https://osu.ppy.sh/b/43${rest}\n84629`).questions).toEqual([])
  })
})

describe('addresses without their host', () => {
  const form = fc.constantFrom('7#osu/ID', '3141009#taiko/ID', 'b/ID')

  it('lead to the beatmap, not to its set', () => {
    fc.assert(
      fc.property(
        fc.array(form, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (forms, isTable) => {
          const rows = forms.map(
            (each, at) =>
              `NM${at + 1}${isTable ? ',' : ' '}${each.replace('ID', String(3141001 + at))}`,
          )
          const read = readImport((isTable ? ['Slot,ID', ...rows] : rows).join('\n'))
          expect(labels(read)).toEqual(forms.map((_, at) => `NM${at + 1} ${3141001 + at}`))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe('labels with a sign before their number', () => {
  it.each(['-', '.', '_'])('are labels: NM%s1', (sign) => {
    const parted = pool.map((line) => line.replace(/(?<=^[A-Z]+)(?=[0-9])/, sign))
    expect(labels(readImport(parted.join('\n')))).toEqual(slots)
    const table = ['Slot,ID', ...parted.map((line) => line.replace(' ', ','))]
    expect(labels(readImport(table.join('\n')))).toEqual(slots)
  })
})

describe('rounds in plain lines', () => {
  it.each([
    ['Ottavi di finale', 'Quarti di finale'],
    ['1回戦', '2回戦'],
    ['Ćwierćfinały', 'Półfinały'],
    ['Babak Penyisihan', 'Perempat Final'],
  ])('%s and %s stay apart', (first, second) => {
    const read = readImport([first, 'NM1 3141001', second, 'NM1 3141002'].join('\n'))
    expect(read.pools.map(({ name }) => name)).toEqual([first, second])
  })
})

describe('statements of a database', () => {
  it('are program text', () => {
    const read = readImport(
      "INSERT INTO pool (slot, id) VALUES\n('NM1', 3141001),\n('HD1', 3141003);",
    )
    expect(read.shape.id).toBe('program')
  })
})

describe('how many beatmaps each bucket has', () => {
  const counts = ['NM 5', 'HD 3', 'HR 3', 'DT 3', 'TB 1'].join('\n')

  it('are no beatmaps', () => {
    expect(labels(readImport(counts))).toEqual([])
  })

  it('are the headings of what is below them', () => {
    const read = readImport('NM 2\n3141001\n3141002\nHD 1\n3141003')
    expect(labels(read)).toEqual(['NM1 3141001', 'NM2 3141002', 'HD1 3141003'])
  })
})

describe('seats of groups and matches', () => {
  const anySeat = fc.constantFrom('A', 'B', 'H', 'QF', 'SF', 'GF', 'WB', 'LB', 'M')
  const rowsOf = fc.uniqueArray(fc.tuple(anySeat, fc.integer({ min: 1, max: 8 })), {
    minLength: 2,
    maxLength: 8,
    selector: ([code, index]) => `${code}${index}`,
  })
  const form = fc.constantFrom(' ', ',', '\t', ': ', ',Kestrel,')

  it('are asked where no usual bucket stands beside them', () => {
    fc.assert(
      fc.property(rowsOf, form, fc.integer({ min: 100_000, max: 7_000_000 }), (rows, gap, id) => {
        const text = rows.map(([code, index], at) => `${code}${index}${gap}${id + at}`).join('\n')
        const read = readImport(text)
        expect(read.questions.length > 0 ? [] : labels(read)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('are buckets beside others', () => {
    const read = readImport('NM1 3141001\nA1 3141002')
    expect(labels(read)).toEqual(['NM1 3141001', 'A1 3141002'])
    expect(read.questions).toEqual([])
  })
})

describe('a code with a small number above beatmaps', () => {
  const anyCount = fc.integer({ min: 2, max: 40 })
  const textOf = (code: string, count: number): string => `${code} ${count}\n3141001\n3141002`

  it('says how many they are where it is that of a bucket', () => {
    fc.assert(
      fc.property(fc.constantFrom('NM', 'HD', 'EZ', 'HDHR', 'RC'), anyCount, (code, count) => {
        const found = readImport(textOf(code, count))
        expect(found.questions).toEqual([])
        expect(labels(found)).toEqual([`${code}1 3141001`, `${code}2 3141002`])
      }),
    )
  })

  it('is asked about where no bucket is called so', () => {
    fc.assert(
      fc.property(fc.constantFrom('RCX', 'QZ', 'WVY', 'KLMN'), anyCount, (code, count) => {
        const { questions } = readImport(textOf(code, count))
        expect(questions.map(({ text }) => text)).toEqual([expect.stringContaining(code)])
      }),
    )
  })
})
