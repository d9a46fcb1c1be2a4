import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { slotLabel } from '../../src/pool/slots.ts'

// Texts in which labels and numbers stand, and which are no pools: rules, reports, polls, results, schedules.

const linesOf = ({ pools, others }: Import) => [...pools.flatMap((pool) => pool.lines), ...others]

/** What would be saved without a question: all but empty slots, which a template has, and nothing if a line is refused. */
function savedOf(text: string): string[] {
  const read = readImport(text)
  const isOpen = linesOf(read).some(({ outcome }) => outcome === 'refused')
  if (isOpen || read.questions.length > 0) return []
  return read.pools
    .flatMap(({ round }) =>
      round.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId ?? slotWords(slot)}`),
    )
    .filter((slot) => !slot.endsWith(' empty'))
}

const remark = fc.constantFrom(
  'keep',
  'swap',
  'too slow',
  'good choice',
  'red by two',
  'Night Bakers',
  'nobody has to use a mod',
  'for everyone',
  'offset fixed',
  'long and comfortable',
  'bleibt so',
  'что-то медленное',
  '変更なし',
)
describe('rules of buckets', () => {
  const codes = fc.uniqueArray(
    fc.constantFrom('NM', 'HD', 'HR', 'DT', 'FM', 'NoMod', 'Hidden', 'Freemod'),
    { minLength: 0, maxLength: 4 },
  )
  const last = fc.constantFrom('TB', 'Tiebreaker', 'Tie breaker')

  it('are not meant where the tiebreaker is one of the slots of a pool, whatever is around it', () => {
    const above = fc.constantFrom([], ['Finals'], ['Have fun, everybody', ''])
    const below = fc.constantFrom([], ['', 'Have fun, everybody'], ['Be on time.'])
    const pool = fc.constantFrom(
      ['NM1 2417753', 'HD1 2417754'],
      ['NM1 https://osu.ppy.sh/b/2417753'],
    )
    const words = fc.constantFrom('TB: Low Tide', 'TB Low Tide', 'Tiebreaker: something long')
    fc.assert(
      fc.property(above, pool, fc.boolean(), words, below, (before, slots, isFirst, own, after) => {
        const all = isFirst ? [own, ...slots] : [...slots, own]
        const text = [...before, ...all, ...after].join('\n')
        expect(savedOf(text), text).toHaveLength(slots.length + 1)
      }),
    )
  })

  it('plan no tiebreaker, also beside the beatmaps of a pool', () => {
    fc.assert(
      fc.property(codes, last, remark, fc.boolean(), (names, tiebreaker, text, isBeside) => {
        const rules = [...names, tiebreaker].map((name) => `${name}: ${text}`)
        const pool = ['NM1 2417753', 'HD1 2417754']
        const lines = [...(isBeside ? [...pool, '', 'What is played with what', ''] : []), ...rules]
        const planned = readImport(lines.join('\n')).pools.flatMap(({ round }) =>
          round.slots.filter(({ beatmapId }) => beatmapId === undefined),
        )
        expect(planned, lines.join('\n')).toEqual([])
      }),
    )
  })
})

const prose: fc.Arbitrary<string[]> = fc.array(
  fc.constantFrom(
    'I opened this one yesterday and nothing came up.',
    'The page stayed white for me.',
    'Does anyone know more about this?',
    'So something else has to be found for the finals.',
    'Please have a look when you can.',
  ),
  { minLength: 2, maxLength: 6 },
)
const beatmap = fc.constantFrom('2417753', 'https://osu.ppy.sh/b/2417753')
const word = fc.constantFrom('MIT', 'FYI', 'LOL', 'PS:', 'Report:', '[Edit]', '**Steps**')

describe('a report about a beatmap', () => {
  it('is asked about, wherever a word is that may pass for a bucket', () => {
    fc.assert(
      fc.property(prose, beatmap, word, fc.nat(), fc.nat(), (lines, id, name, at, below) => {
        const place = at % (lines.length + 1)
        const text = lines.toSpliced(place, 0, id)
        const whole = text.toSpliced(below % (text.length + 1), 0, name).join('\n')
        expect(savedOf(whole), whole).toEqual([])
      }),
    )
  })

  it('is not of the bucket that is named after its text', () => {
    fc.assert(
      fc.property(
        prose,
        beatmap,
        fc.constantFrom('NM', 'NoMod', '## Hidden'),
        (lines, id, name) => {
          const { pools } = readImport([id, ...lines, name].join('\n'))
          const mods = pools.flatMap(({ round }) => round.slots.map(({ mod }) => mod))
          expect(mods).toEqual([null])
        },
      ),
    )
  })

  it('is one of a pool where the name of the bucket or the label is above it: nothing is asked', () => {
    fc.assert(
      fc.property(
        prose,
        beatmap,
        fc.constantFrom('NM\n', '### NoMod\n', 'NM1 '),
        (lines, id, name) => {
          const text = [name + id, ...lines].join('\n')
          expect(savedOf(text), text).toEqual(['NM1 2417753'])
        },
      ),
    )
  })
})

describe('a link below the only word of a text with prose', () => {
  const link = fc.constantFrom(
    'https://osu.ppy.sh/b/2417753',
    'https://osu.ppy.sh/beatmapsets/120',
    'https://osu.ppy.sh/beatmapsets/120#osu',
  )
  const written = fc.tuple(
    fc.constantFrom('PS:', 'FYI:', 'LOL', 'Edit:', '[Report]', '**Steps**', 'ETA:'),
    link,
    fc.array(prose, { minLength: 1, maxLength: 2 }).map((parts) => parts.flat()),
    fc.integer({ min: 1, max: 4 }),
  )

  it('is asked about, whether it leads to a beatmap or to a set', () => {
    fc.assert(
      fc.property(written, ([name, url, lines, count]) => {
        const text = [name, url, ...lines.slice(0, count)].join('\n')
        expect(savedOf(text), text).toEqual([])
      }),
    )
  })

  it('is a slot where the word is a bucket that is known, or more of them than prose are below it', () => {
    fc.assert(
      fc.property(written, fc.boolean(), ([name, url, [line = '']], isKnown) => {
        const links = isKnown ? [url] : ['https://osu.ppy.sh/b/2417754', url]
        const text = [isKnown ? 'NM:' : name, ...links, line].join('\n')
        expect(savedOf(text), text).toHaveLength(links.length)
      }),
    )
  })
})

const slotNames = fc.uniqueArray(fc.constantFrom('NM1', 'NM2', 'NM3', 'HD1', 'HR1', 'DT1', 'TB'), {
  minLength: 1,
  maxLength: 7,
})
const between = fc.constantFrom(': ', ' - ', ' ', ' | ', ',')

describe('results of a match', () => {
  const side = fc.constantFrom(
    'Kettle',
    'Night Bakers',
    'ada_owl',
    'Kestrel 7',
    'Ünal',
    '빵집',
    'Team A',
  )
  const dash = fc.constantFrom('-', '–', ' - ', ' – ')
  const ways: Record<string, (one: string, other: string, score: string) => string> = {
    'behind the sides': (one, other, score) => `${one} - ${other} ${score}`,
    'in brackets': (one, other, score) => `${one} – ${other} (${score})`,
    'in front of the sides': (one, other, score) => `${score} ${one} - ${other}`,
    'between the sides': (one, other, score) =>
      `${one} ${score.replace(/\s?([-–:])\s?/, ' - ')} ${other}`,
  }

  it.each(Object.entries(ways))('are no songs unasked, with the score %s', (_, write) => {
    const points = fc.array(fc.boolean(), { minLength: 7, maxLength: 7 })
    fc.assert(
      fc.property(
        slotNames,
        between,
        side,
        side,
        fc.oneof(dash, fc.constant(':')),
        points,
        (...given) => {
          const [names, sign, one, other, mark, wins] = given
          const lines = names.map((name, at) => {
            const won = wins.slice(0, at + 1).filter(Boolean).length
            return name + sign + write(one, other, `${won}${mark}${at + 1 - won}`)
          })
          expect(savedOf(lines.join('\n')), lines.join('\n')).toEqual([])
        },
      ),
    )
  })

  it('are songs where somebody says so', () => {
    const answers = new Map([['1', 'b']])
    const { pools } = readImport('NM1: Kettle - Bakers 1-0', { answers })
    expect(pools[0]?.round.slots).toMatchObject([{ details: { title: 'Bakers 1-0' } }])
  })

  it('are not meant by a title with such numbers among others, with its difficulty or beside a beatmap', () => {
    const odd = fc.constantFrom('World 1-1', 'Area 5-2', 'Side 2-1', 'Opening (1-2)')
    const rest = fc.constantFrom(
      ['NM1: Slow Comet - Low Tide', 'NM2: Night Owl - Far Away'],
      ['NM1 2417753'],
      ['NM1: https://osu.ppy.sh/b/2417753'],
    )
    fc.assert(
      fc.property(odd, rest, fc.boolean(), (title, others, isWhole) => {
        const song = `HD1: Owl Club - ${title}`
        const text = isWhole ? `${song} [Extra]` : [...others, song].join('\n')
        expect(savedOf(text), text).toHaveLength(isWhole ? 1 : others.length + 1)
      }),
    )
  })
})

describe('a schedule of matches', () => {
  const code = fc.constantFrom('M', 'R', 'A', 'H', 'QF', 'SF', 'GF', 'LF', 'WF')
  const open = fc.constantFrom('TBD', 'TBA', '???', 'tbd')
  const numbers = fc.integer({ min: 2, max: 8 })
  const ways: Record<string, (rows: readonly (readonly [string, string])[]) => string> = {
    'on lines': (rows) => rows.map((row) => row.join(' ')).join('\n'),
    'behind colons': (rows) => rows.map((row) => row.join(': ')).join('\n'),
    'on one line': (rows) => rows.map((row) => row.join(' ')).join(' / '),
    'below their labels': (rows) => rows.flat().join('\n'),
    'in cells': (rows) => rows.map((row) => row.join('\t')).join('\n'),
    'in a list': (rows) => rows.map((row) => `- ${row.join(' ')}`).join('\n'),
  }

  it.each(Object.entries(ways))(
    'makes no bucket unasked of what is not known yet, %s',
    (_, write) => {
      fc.assert(
        fc.property(code, open, numbers, (name, word, count) => {
          const rows = Array.from({ length: count }, (_, at) => [`${name}${at + 1}`, word] as const)
          expect(savedOf(write(rows)), write(rows)).toEqual([])
        }),
      )
    },
  )

  it('is not meant beside the slots of a usual bucket, below a header, or by a bucket that there is', () => {
    const into = { name: '', slots: [], buckets: [{ code: 'M', color: 1 as const }] }
    fc.assert(
      fc.property(code, open, (name, word) => {
        const own = [`${name}1 ${word}`, `${name}2 ${word}`]
        expect(savedOf(['NM1 TBD', ...own].join('\n'))).toHaveLength(3)
        const table = ['Slot,Map', ...own.map((row) => row.replace(' ', ','))]
        expect(savedOf(table.join('\n'))).toHaveLength(2)
      }),
    )
    expect(readImport('M1 TBD\nM2 TBD', { into }).questions).toEqual([])
  })
})

describe('numbers below a word', () => {
  it('are no beatmaps unasked, where they are no longer than counts', () => {
    const name = fc.constantFrom('options:', 'Answers:', '**Points**', 'Minutes:', 'how many:')
    const numbers = fc.array(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(name, numbers, (title, all) => {
        const text = ['What should we do?', title, ...all].join('\n')
        expect(savedOf(text), text).toEqual([])
      }),
    )
  })
})
