import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotLabel } from '../../src/pool/slots.ts'

/** The pools of a text: `Pool A: NM1=75 4?`; a line that is refused or asked is its number. */
const pools = (...lines: string[]): string[] =>
  readImport(lines.join('\n')).pools.map(({ name, lines: own }) => {
    const told = own.flatMap((line) => {
      if (line.outcome === 'slot') return [`${slotLabel(line)}=${line.beatmapId}`]
      return line.outcome === 'skipped'
        ? []
        : [`${line.line}${line.outcome === 'asked' ? '?' : ''}`]
    })
    return `${name ?? ''}: ${told.join(' ')}`.trim()
  })

describe('a line of words above a bucket that comes again', () => {
  const again = ['Pool A: NM1=129891 HD1=129892', 'Pool B: NM1=129893 HD1=129894']
  const list = (first: number): string[] => ['NoMod', `${first}`, 'Hidden', `${first + 1}`]
  const labelled = (first: number): string[] => [`NM ${first}`, `HD ${first + 1}`]

  it.each([
    ['above each', ['Pool A', ...list(129891), 'Pool B', ...list(129893)]],
    ['behind empty lines', ['Pool A', '', ...list(129891), '', 'Pool B', '', ...list(129893)]],
    [
      'above slots with a bucket each',
      ['Pool A', ...labelled(129891), '', 'Pool B', ...labelled(129893)],
    ],
    ['as items', ['- Pool A', ...list(129891), '- Pool B', ...list(129893)]],
    ['in marks', ['**Pool A**', ...list(129891), '== Pool B ==', ...list(129893)]],
    ['with colons', ['Pool A:', ...list(129891), 'Pool B:', ...list(129893)]],
    ['above words', ['Pool A', 'by Ada', ...list(129891), '', 'Pool B', 'by Bo', ...list(129893)]],
  ])('begins another pool, where there is one %s', (_, lines) => {
    expect(pools(...lines)).toEqual(again)
  })

  it('begins another pool, whatever remarks stand between the buckets of the first one', () => {
    const remark = fc.constantFrom('warm up first', 'played last', 'Ada chose it')
    fc.assert(
      fc.property(fc.array(remark, { maxLength: 2 }), (remarks) => {
        const first = ['NM 129891', ...remarks, 'HD 129892']
        expect(pools('Pool A', ...first, 'Pool B', ...labelled(129893))).toEqual(again)
      }),
    )
  })

  it.each([
    ['Div 1:', 'Div 2:', ['Div 1: NM1=75', 'Div 2: NM1=76']],
    ['**Set 1**', '**Set 2**', ['Set 1: NM1=75', 'Set 2: NM1=76']],
    ['UBSF', 'UBF', ['UBSF: NM1=75', 'UBF: NM1=76']],
    ['a b c d e f', 'A b c d e g', ['a b c d e f: NM1=75', 'A b c d e g: NM1=76']],
  ])('may be that of a part of an event, or a code: %s', (first, second, rounds) => {
    expect(pools(first, 'NM', '75', '', second, 'NM', '76')).toEqual(rounds)
  })

  it.each([
    [
      'none above the first',
      ['NoMod', '75', 'Hidden', '76', '', 'Pool B', ...list(77)],
      '7 1=77 9 2=78',
    ],
    ['none at all', ['NoMod', '75', 'Hidden', '76', ...list(77)], '5 1=77 7 2=78'],
  ])('is missed where there is %s: the pool may as well go on', (_, lines, rest) => {
    expect(pools(...lines)).toEqual([`: NM1=75 HD1=76 ${rest}`])
  })

  it.each([
    ['an item above one alone', '- Pool A', 'Pool B'],
    ['the same name twice', 'Pool A', 'POOL A'],
    ['a sentence', 'Pool A', 'a b c d e f g'],
    ['a stop', 'Pool A', 'and so on.'],
  ])('is no title where there is %s', (_, first, second) => {
    expect(pools(first, 'NM', '75', '', second, 'NM', '76')).toEqual([': NM1=75 6 1=76'])
  })

  it('is refused in a round that has its name', () => {
    expect(pools('Finals', ...list(75), ...list(77))).toEqual([
      'Finals: NM1=75 HD1=76 6 1=77 8 2=78',
    ])
  })

  it('is not looked for where only one bucket goes on', () => {
    expect(pools('Pool A', 'NoMod', '75', 'NoMod', '76')).toEqual([': NM1=75 NM2=76'])
  })

  it('is asked about where it may be a player, and the numbers scores', () => {
    const players = (most: number) => [
      'Ada',
      'NM 400000',
      'HD 500000',
      '',
      'Bo',
      'NM 600000',
      `HD ${most}`,
    ]
    expect(pools(...players(1_000_000))).toEqual(['Ada: 2? 3?', 'Bo: 6? 7?'])
    expect(pools(...players(1_000_001))).toEqual([
      'Ada: NM1=400000 HD1=500000',
      'Bo: NM1=600000 HD1=1000001',
    ])
    expect(pools('Ada', 'NM 399999', 'HD 399998', '', 'Bo', 'NM 600000', 'HD 700000')).toEqual([
      'Ada: NM1=399999 HD1=399998',
      'Bo: NM1=600000 HD1=700000',
    ])
  })
})

const link = (id: number): string => `https://osu.ppy.sh/b/${id}`

describe('cells that are each on a line', () => {
  const figures = fc.subarray(['6.12', '180', '2:31', '4', '9.5', '(5)'], { minLength: 1 })
  const lists = fc.constantFrom(
    { starts: ['NM1', 'NM2', 'TB'], slots: ['NM1', 'NM2', 'TB'], head: [] },
    { starts: ['NM 1', 'NM 2', 'HD 1'], slots: ['NM1', 'NM2', 'HD1'], head: [] },
    { starts: ['1', '2', '3'], slots: ['NM1', 'NM2', 'NM3'], head: ['NoMod'] },
    { starts: ['3', '1', '2'], slots: ['HD3', 'HD1', 'HD2'], head: ['Hidden'] },
  )

  it('are the slot, its figures and its beatmap', () => {
    fc.assert(
      fc.property(lists, figures, fc.boolean(), (list, cells, isLinked) => {
        const lines = list.starts.flatMap((start, at) => {
          const id = 129_891 + at
          return [start, 'Kestrel - Lantern [Hard]', ...cells, isLinked ? link(id) : `${id}`]
        })
        const slots = list.slots.map((slot, at) => `${slot}=${129_891 + at}`)
        expect(pools(...list.head, ...lines)).toEqual([`: ${slots.join(' ')}`])
      }),
      { numRuns: 60 },
    )
  })
})

describe('ids below a bucket', () => {
  const old = fc.uniqueArray(fc.integer({ min: 50, max: 999 }), { minLength: 1, maxLength: 5 })

  it('are all read, whichever one of them is not as old as the others', () => {
    fc.assert(
      fc.property(old, fc.nat(5), (before, place) => {
        const ids = before.toSpliced(place, 0, 129_891)
        const slots = ids.map((id, at) => `HR${at + 1}=${id}`)
        expect(pools('HR', ...ids.map(String))).toEqual([`: ${slots.join(' ')}`])
      }),
      { numRuns: 60 },
    )
  })
})

describe('a number alone that may be an old id', () => {
  const both = fc.tuple(fc.integer({ min: 50, max: 999 }), fc.integer({ min: 50, max: 999 }))
  const told = (text: string[]): { pool: string[]; asked: string[]; notes: readonly string[] } => {
    const { questions, notes } = readImport(text.join('\n'))
    return { pool: pools(...text), asked: questions.map(({ text: question }) => question), notes }
  }

  it('is asked at each id of a bucket, where nothing else says what it is', () => {
    fc.assert(
      fc.property(both, ([one, other]) => {
        const text = ['NM', `${one}`, '129891', `${other}`, '129892']
        expect(told(text)).toEqual({
          pool: [': 2? NM2=129891 4? NM4=129892'],
          asked: ['Are these numbers beatmap ids?'],
          notes: [],
        })
      }),
      { numRuns: 20 },
    )
  })

  it.each<[string, string[], RegExp | null]>([
    ['below a label', ['NM1', '129891', '185', '9'], /^Line 3: The number 185, /],
    ['below labels', ['NM1', '75', '129891', 'NM2', '180', '129892'], /^Line 2: 2 .*75.*180/],
    ['of several at each', ['HD', '185', '9', '75', '170', '8', '76000'], null],
    ['below the place of an item', ['HD', '1', '129891', '185', '2', '129892', '5'], null],
    [
      'of two at each',
      ['HD', '185', '99', '129891', '170', '98', '129892'],
      /^Line 2: 4 .*185.*99.*170.*98/,
    ],
  ])('is named in a note where it is left out %s', (_, text, note) => {
    const { pool, notes } = told(text)
    if (note !== null) expect(notes).toEqual([expect.stringMatching(note)])
    // Whatever is no slot is in a question, refused, or in a note.
    const numbers = text.filter((each) => Number(each) >= 50)
    const lost = numbers.filter((each) => ![...pool, ...notes].join(' ').includes(each))
    expect(lost).toEqual([])
  })

  it('is not named below the oldest id: it is a figure', () => {
    expect(told(['NM1', '49', '129891', 'NM2', '9', '129892'])).toEqual({
      pool: [': NM1=129891 NM2=129892'],
      asked: [],
      notes: [],
    })
  })
})

describe('a number alone', () => {
  it.each<[string, string[], string]>([
    ['the year of a pool', ['2026', 'NoMod', '129891'], ': NM1=129891'],
    ['the year above labels', ['OWC', '2026', 'NM1 129891'], ': NM1=129891'],
    [
      'the year above a header',
      ['2026', 'Slot,ID', 'NM1,129891', 'NM2,129892'],
      ': NM1=129891 NM2=129892',
    ],
    ['a beatmap above no slots', ['2026', '129891'], ': 1=2026 2=129891'],
    ['a beatmap below a bucket', ['NoMod', '2026', '129891'], ': NM1=2026 NM2=129891'],
    ['a beatmap, where it is no year', ['2006', 'NM1 129891'], ': 1=2006 NM1=129891'],
    [
      'the place of the item below',
      ['NoMod', '2', '129891', '1', '129892'],
      ': NM2=129891 NM1=129892',
    ],
    [
      'the place of linked items',
      ['HD', '1', 'osu.ppy.sh/b/129891', '2', 'osu.ppy.sh/b/129892'],
      ': HD1=129891 HD2=129892',
    ],
    [
      'perhaps the end of a link',
      ['HD', 'osu.ppy.sh/b/12989', '1', 'osu.ppy.sh/b/129892'],
      ': 2? 3? HD3=129892',
    ],
    [
      'the place of an item whose title is below it',
      ['HD', '2', 'Low - Tide', link(129891), '1', 'Kestrel - Lantern', link(129892)],
      ': HD2=129891 HD1=129892',
    ],
    ['no figure of two labels', ['NM1', 'NM2', '129891', '75'], ': NM1=129891 NM2=75'],
    ['no figure, where it may be an old id', ['NM1', '129891', '1000'], ': NM1=129891 1=1000'],
    ['no beatmap beside slots', ['NM1 129891', '2', 'HD1 129892'], ': NM1=129891 2 HD1=129892'],
  ])('is %s', (_, lines, pool) => {
    expect(pools(...lines)).toEqual([pool])
  })
})

describe('the number of a heading', () => {
  it.each<[string, string[], string]>([
    ['the bits of a mod', ['[DoubleTime=64]', '129891', '129892'], ': DT1=129891 DT2=129892'],
    ['the bits of several', ['DT - 64', '129891', 'HR - 16', '129892'], ': DT1=129891 HR1=129892'],
    ['the bits of NC', ['DT - 576', '129891', 'HD - 8', '129892'], ': DT1=129891 HD1=129892'],
    ['the bits of two mods', ['HDDT - 72', '129891', 'HR - 16', '75'], ': HDDT1=129891 HR1=75'],
    ['low, above several beatmaps', ['HD 8', '129891', '129892'], ': HD1=129891 HD2=129892'],
    [
      'a count',
      ['NoMod - 2', '129891', '129892', 'Hidden - 1', '75'],
      ': NM1=129891 NM2=129892 HD1=75',
    ],
    ['that of a slot', ['NoMod - 2', '129891', 'Hidden - 2', '129892'], ': NM2=129891 HD2=129892'],
    ['that of a slot, behind a code', ['EZ 2', '75', 'EZ 1', '76'], ': EZ2=75 EZ1=76'],
    ['that of a slot, above a song', ['EZ 2', 'Low - Tide [Hard]', '75'], ': EZ2=75'],
    ['that of a slot among labels', ['NM1 75', 'NM 3'], ': NM1=75 2'],
    ['that of a beatmap, alone', ['NM 75'], ': NM1=75'],
    ['nothing, alone', ['HD = 8'], ': 1'],
    ['nothing, alone, without a sign', ['EZ 8'], ': 1'],
    ['a count, given for one', ['NM: 3', '75', 'HD: 1', '76'], ': NM1=75 HD1=76'],
    [
      'a count above labels',
      ['NM 2', 'NM1 75', 'NM2 76', 'EZ = 1', 'EZ1 77'],
      ': NM1=75 NM2=76 EZ1=77',
    ],
    ['that of a slot above others', ['NM 1', 'NM2 76'], ': 1 NM2=76'],
    ['counts of several buckets', ['NM 5', 'EZ 2', '', 'HR1 75'], ': HR1=75'],
    ['too low to be a beatmap', ['[NM=49]', '129891'], ': NM1=129891'],
    ['hardly a beatmap, above others', ['[NM=9999]', '129891'], ': NM1=129891'],
    ['hardly a beatmap, alone', ['[NM=9999]'], ': 1'],
    ['that of a beatmap, alone', ['[NM=10000]'], ': NM1=10000'],
    ['doubtful above others', ['[NM=10000]', '129891'], ': 1? 1=129891'],
    ['that of a labelled beatmap', ['[NM1=129891]'], ': NM1=129891'],
    [
      'bits in a list, with none below',
      ['DT=576', 'HD=8', 'HDDT=72', 'KES=4', 'HR 129891'],
      ': 4 HR1=129891',
    ],
  ])('is %s', (_, lines, pool) => {
    expect(pools(...lines)).toEqual([pool])
  })
})
