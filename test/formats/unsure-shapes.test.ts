import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

/** The slots of a text, each with its round, and whether anything is asked or refused. */
const read = (text: string) => {
  const { pools, others, questions, notes } = readImport(text)
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  const slots = pools.flatMap(({ name, draft }) =>
    draft.slots.map((slot) => `${name ?? ''}:${slot.mod ?? ''}${slot.index}=${slot.beatmapId}`),
  )
  const planned = lines.filter(({ outcome }) => outcome === 'planned').length
  const isOpen = questions.length > 0 || lines.some(({ outcome }) => outcome === 'refused')
  return { slots, planned, notes, questions: questions.length, isOpen }
}
const link = (id: number): string => `https://osu.ppy.sh/b/${id}`
const word = fc.stringMatching(/^Q[a-z]{3,7}w$/)
const ids = (count: number): number[] => Array.from({ length: count }, (_, at) => 129_891 + at)
const codes = ['NM', 'HD', 'HR', 'DT', 'FM']

describe('a line of pairs', () => {
  const joins = fc.constantFrom('&', ';', ', ', ' | ', '+')
  const signs = fc.constantFrom('=', ': ')

  it('loses none of them, whatever a key is and where it stands', () => {
    fc.assert(
      fc.property(word, joins, signs, fc.nat(2), (key, join, sign, place) => {
        const pairs = [`NM1${sign}129891`, `HD1${sign}129892`]
        pairs.splice(place, 0, `${key}${sign}129893`)
        const { slots, questions } = read(pairs.join(join))
        expect(slots).toEqual([':NM1=129891', ':HD1=129892'])
        expect(questions).toBe(1)
      }),
    )
  })

  it('may have others beside the slots, as forms send them', () => {
    fc.assert(
      fc.property(fc.constantFrom('page=3', 'seed=4', 'action=save', 'token='), (other) => {
        const { slots, planned } = read(`NM1=129891&HD1=129892&${other}`)
        expect({ slots, planned }).toEqual({ slots: [':NM1=129891', ':HD1=129892'], planned: 0 })
      }),
    )
  })
})

describe('beatmaps below the names of several buckets', () => {
  it('are of none of them for certain', () => {
    const buckets = fc.subarray(codes, { minLength: 2 })
    const writings = fc.constantFrom(
      (code: string) => code,
      (code: string) => `[${code}]`,
      (code: string) => `## ${code}`,
      (code: string) => `${code}:`,
    )
    const gaps = fc.constantFrom('\n', '\n\n')
    fc.assert(
      fc.property(
        buckets,
        writings,
        gaps,
        fc.integer({ min: 1, max: 6 }),
        (all, write, gap, count) => {
          const text = [...all.map(write), ...ids(count).map(link)].join(gap)
          expect(read(text)).toMatchObject({ slots: [], isOpen: true })
        },
      ),
    )
  })
})

describe('beatmaps below a line that names several buckets', () => {
  const buckets = fc.constantFrom(['NM', 'HD'], ['NM', 'HR', 'DT'], ['HD', 'FM', 'TB'])
  const head = fc.constantFrom('', 'Mods: ', '**Buckets:** ', '- ')
  const join = fc.constantFrom(', ', ' / ', '; ', ' | ', ' and ', ', and ')

  it('are of none of them, whatever is between these', () => {
    const property = fc.property(
      buckets,
      head,
      join,
      fc.integer({ min: 1, max: 6 }),
      (all, before, between, count) => {
        const text = [before + all.join(between), ...ids(count)].join('\n')
        expect(read(text), text).toMatchObject({ slots: [], isOpen: true })
      },
    )
    fc.assert(property, { examples: [[['NM', 'HD'], 'Mods: ', ', ', 2]] })
  })

  it('belong to the next bucket again', () => {
    expect(read('Mods: NM, HD\n129891\nHR1 129892\nHR2 129893').slots).toEqual([
      ':HR1=129892',
      ':HR2=129893',
    ])
  })
})

describe('numbers below the name of a column', () => {
  it.each(['Score', 'Player ID', 'Views', 'スコア', 'Team ID'])('%s are asked', (name) => {
    expect(read(`${name}\n129891\n129892`)).toMatchObject({ slots: [], questions: 1 })
    expect(read(`NM\n${name}:\n\n129891`)).toMatchObject({ slots: [], questions: 1 })
  })

  it('that nobody knows are left to be looked at', () => {
    fc.assert(
      fc.property(word, (name) => {
        expect(read(`${name}\n129891\n129892`).isOpen).toBe(true)
      }),
    )
  })

  it.each(['Set ID', 'Mapset IDs:'])('%s are no beatmaps', (name) => {
    expect(read(`${name}\n129891\n129892`)).toMatchObject({ slots: [], isOpen: true })
  })

  it.each(['Beatmap ID', 'Map IDs:', 'osu! IDs', 'maps'])('%s are beatmaps', (name) => {
    const { slots, questions } = read(`${name}\n129891\n129892`)
    expect({ slots, questions }).toEqual({ slots: [':1=129891', ':2=129892'], questions: 0 })
  })
})

describe('keys in data', () => {
  const valueOf = fc.constantFrom(
    (id: number): unknown => id,
    (id: number) => link(id),
    (id: number) => ({ id }),
  )
  const write = fc.constantFrom(
    (all: [string, unknown][]): unknown => Object.fromEntries(all),
    (all: [string, unknown][]) => all.map(([key, value]) => ({ [key]: value })),
    (all: [string, unknown][]) => ({ maps: all.map(([key, value]) => ({ [key]: value })) }),
  )

  it('beside labels are asked, also those of rounds and none', () => {
    const keys = fc.oneof(word, fc.constantFrom('', ' ', 'Finale', 'Finals', 'QF', 'Grand Final'))
    fc.assert(
      fc.property(keys, valueOf, write, fc.nat(2), (key, value, data, place) => {
        const all: [string, unknown][] = [
          ['NM1', value(129_891)],
          ['HD1', value(129_892)],
        ]
        all.splice(place, 0, [key, value(129_893)])
        const { slots, questions } = read(JSON.stringify(data(all)))
        expect(slots).toEqual([':NM1=129891', ':HD1=129892'])
        expect(questions).toBe(1)
      }),
    )
  })

  it('that are around all slots give no name to a round that has one', () => {
    const named = fc.constantFrom(
      (key: string, pool: unknown): unknown => ({ meta: { name: 'Finals' }, [key]: pool }),
      (key: string, pool: unknown) => ({ name: 'Finals', [key]: pool }),
      (key: string, pool: unknown) => ({ Finals: { [key]: pool } }),
    )
    const pools = fc.constantFrom<unknown>(
      {
        maps: [
          { mod: 'NM', id: 129_891 },
          { mod: 'HD', id: 129_892 },
        ],
      },
      { NM1: 129_891, HD1: 129_892 },
      { NM: [129_891], HD: [129_892] },
    )
    fc.assert(
      fc.property(fc.oneof(word, fc.constant('content')), named, pools, (key, name, pool) => {
        const { slots, isOpen } = read(JSON.stringify(name(key, pool)))
        expect({ slots, isOpen }).toEqual({
          slots: ['Finals:NM1=129891', 'Finals:HD1=129892'],
          isOpen: false,
        })
      }),
    )
  })

  it('of mods may have a name and a code, whatever they are called', () => {
    const keys = fc.tuple(fc.constantFrom('name', 'label', 'text', 'long'), word)
    fc.assert(
      fc.property(keys, word, fc.boolean(), ([long, short], name, isFirst) => {
        const modOf = (code: string) =>
          isFirst ? { [long]: name, [short]: code } : { [short]: code, [long]: name }
        const data = codes.map((code, at) => ({ mods: modOf(code), beatmap_id: 129_891 + at }))
        expect(read(JSON.stringify(data)).slots).toEqual(
          codes.map((code, at) => `:${code}1=${129_891 + at}`),
        )
      }),
    )
  })

  it('of sets part slots as any other does', () => {
    const data = ['Gold', 'Silver'].flatMap((set, round) =>
      ['NM', 'HD'].map((mod, at) => ({ mod, set, id: 129_891 + round * 2 + at })),
    )
    expect(read(JSON.stringify(data))).toMatchObject({ slots: [], questions: 1 })
  })
})

describe('what stands beside a pool by its heading', () => {
  const names = fc.constantFrom('Rejected', 'Warmups', 'Suggestions', 'Backups', 'Unused maps')

  it('is asked in lines and posts, and makes no round if it is left out', () => {
    const write = fc.constantFrom(
      (name: string, id: number) => `### ${name}\nNM1 ${id}`,
      (name: string, id: number) => `[heading]${name}[/heading]\nNM1 ${id}`,
    )
    fc.assert(
      fc.property(names, write, (name, section) => {
        const text = `${section('Finals', 129_891)}\n${section(name, 129_892)}`
        const { slots, questions } = read(text)
        expect({ slots, questions }).toEqual({ slots: ['Finals:NM1=129891'], questions: 1 })
        const { pools } = readImport(text, { answers: new Map([['1', 'a']]) })
        expect(pools.map((pool) => pool.name)).toEqual(['Finals'])
      }),
    )
  })

  it('is no beatmap above the label of the next one', () => {
    fc.assert(
      fc.property(names, fc.subarray(codes, { minLength: 1 }), (name, all) => {
        const lines = all.flatMap((code, at) => [`${code}1`, link(129_891 + at)])
        const { slots, questions } = read([name, link(129_890), ...lines].join('\n'))
        expect(slots).toEqual(all.map((code, at) => `:${code}1=${129_891 + at}`))
        expect(questions).toBe(1)
      }),
    )
  })
})

describe('another beatmap in the row of a slot', () => {
  it('is left out with a note, whatever the column and the table', () => {
    const words = fc.constantFrom('alt', 'Backup', 'old', 'substitute', 'reserva', '候補')
    const write = fc.constantFrom(
      (name: string, id: number) => `${name}: ${id}`,
      (name: string, id: number) => `(${name} ${id})`,
    )
    const separators = fc.constantFrom('\t', ',', ' | ')
    fc.assert(
      fc.property(words, write, separators, fc.boolean(), (name, spare, separator, isHeaded) => {
        const header = isHeaded ? [['Slot', 'ID', 'Notes']] : []
        const rows = [
          ...header,
          ['NM1', '129891', spare(name, 129_895)],
          ['NM2', '129892', spare(name, 129_896)],
        ]
        const text = rows.map((row) => row.join(separator)).join('\n')
        const { slots, notes, isOpen } = read(text)
        expect({ slots, isOpen }).toEqual({ slots: [':NM1=129891', ':NM2=129892'], isOpen: false })
        expect(notes.join('\n')).toContain('(129895, 129896)')
      }),
    )
  })

  it.each(['Backup: map 12345', 'Removed: 129895', 'old'])('leaves %s to be asked', (cell) => {
    expect(read(`NM1\t129891\t\nNM2\t129892\t${cell}`)).toMatchObject({
      slots: [':NM1=129891'],
      questions: 1,
    })
  })

  it('is asked where it is a link, and the slot has a number', () => {
    const rows = [129_891, 129_892].map((id, at) => `NM${at + 1}\t${id}\talt ${link(id + 4)}`)
    expect(read(rows.join('\n'))).toMatchObject({ slots: [], questions: 1 })
  })
})

describe('the question about a line', () => {
  const [leave, aside] = ['Leave this line out', 'No, leave it out']

  it.each<[string, string, string[]]>([
    [
      'NM1 Low Tide 129891 129892',
      'This line has two beatmap ids. Which one is NM1?',
      ['NM1 is 129891', 'NM1 is 129892', leave],
    ],
    [
      `NM1/HD2 ${link(75)}`,
      'This line has two slots. Which one is 75?',
      ['It is NM1', 'It is HD2', leave],
    ],
    [
      `NM1 ${link(75)} ${link(76)}`,
      'This line has two beatmaps. Which one is NM1?',
      ['It is 75', 'It is 76', leave],
    ],
    [
      `NM1 1234 ${link(75)}`,
      'The id and the link of this line are different beatmaps. Which one is it?',
      ['The link, 75', 'The id 1234', leave],
    ],
    [
      'NM1 (Ada) 129891',
      'Are these numbers beatmap ids?',
      ['No, leave them out', 'Yes, such as 129891'],
    ],
    [
      'NM1 75\nEDIT NM1 129891',
      'Two lines name different beatmaps for NM1. Which one is it?',
      ['It is 129891', 'It is 75'],
    ],
    [
      `HD\nKes [Low](${link(75)})`,
      'Kes is not a known bucket. Where do its beatmaps belong?',
      [leave, 'It is HD'],
    ],
    [
      'HD\nkestrel: 12345',
      'kestrel is not a known bucket. Where do its beatmaps belong?',
      [leave, 'It is HD', 'In a new bucket kestrel'],
    ],
    [
      'NM1 75\nBackup: 129892',
      'Backup is not a known bucket. Where do its beatmaps belong?',
      [leave, 'In no bucket', 'In a new bucket Backup'],
    ],
    [
      '[NM=129891]\n75',
      'Is 129891 the beatmap of a bucket NM, or is the line a heading?',
      ['It is a heading, leave it out', 'It is beatmap 129891'],
    ],
    [
      'NM1 75 (removed)',
      '“(removed)” says that this is not the pool. Is it the pool?',
      [aside, 'Yes, use it'],
    ],
  ])('says what is unclear, and what it may be: %j', (text, question, choices) => {
    const { questions } = readImport(text)
    expect(
      questions.map((each) => [each.text, ...each.choices.map((choice) => choice.text)]),
    ).toEqual([[question, ...choices]])
  })
})
