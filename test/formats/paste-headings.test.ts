import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { pasted, readRoundsPaste } from './pasted-text.ts'

describe('a heading', () => {
  it.each(['NM', 'nm', 'NM:', '[NM]', '== NM ==', '**NM**', '- NM', 'NoMod', 'No Mod', 'No-mod:'])(
    'names the bucket of what is below it: %s',
    (heading) => {
      expect(pasted(`${heading}\n\n10\nhttps://osu.ppy.sh/b/11`)).toEqual(['NM1=10', 'NM2=11'])
    },
  )

  it.each([
    ['Hidden', 'HD'],
    ['Hard Rock', 'HR'],
    ['DoubleTime:', 'DT'],
    ['[Free Mod]', 'FM'],
    ['- Long Note', 'LN'],
    ['Mixed Mods:', 'MM'],
    ['히든', 'HD'],
  ])('may be a full name: %s', (heading, code) => {
    expect(pasted(`${heading}\n10`)).toEqual([`${code}1=10`])
  })

  it('gives numbered lines their bucket', () => {
    expect(pasted('HD\n2 10\n1. 11')).toEqual(['HD2=10', 'HD1=11'])
  })

  it('counts on from what its bucket has, however it writes its code', () => {
    expect(pasted('NM1 9\nnm:\n1. 75\n2. 76')).toEqual(['NM1=9', 'NM2=75', 'NM3=76'])
  })

  it('may be of a new bucket when it is in capitals, in brackets or before a colon', () => {
    expect(pasted('RC\n10\n[Mix]\n11\nEasy:\n12')).toEqual(['RC1=10', 'Mix1=11', 'EZ1=12'])
  })

  it('keeps its bucket for a list of a forum post, whose tags are no lines of their own', () => {
    const list = '[list=1]\n[*]10\n[*][b]11[/b]\n[/list]\n[/box]'
    expect(pasted(`[centre][b]HD[/b][/centre]\n${list}`)).toEqual(['HD1=10', 'HD2=11'])
    expect(pasted(`[heading]HD[/heading]\n[list]\n10\n[/list]`)).toEqual(['HD1=10'])
  })

  it('is no bucket for being one word in a script without capitals: it may name a round', () => {
    for (const name of ['세미파이널', '準決勝リーグ', '十六强', 'รอบรอง']) {
      expect(pasted(`NM\n10\n### ${name}\nNM\n11`)).toEqual(['NM1=10', 'NM1=11'])
      expect(pasted(`NM\n10\n【${name}】\nHD\n11`)).toEqual(['NM1=10', 'HD1=11'])
    }
  })

  it('makes no bucket when nothing is below it', () => {
    expect(pasted('RC\nNM\n10')).toEqual(['NM1=10'])
  })

  it('is over at the next, and at what may be one', () => {
    expect(pasted('NM\n10\nHD\n11\nSecond Chances\n12')).toEqual([
      'NM1=10',
      'HD1=11',
      '5: No beatmap id or link found. Example: “NM1 129891”.',
      '1=12',
    ])
  })

  it('keeps the number of a title without a link among titles with links', () => {
    const link = 'https://osu.ppy.sh/b/'
    const text = `NoMod\nA - B ${link}10\nC - D\nE - F ${link}11\nHidden\nG - H\nI - J ${link}12`
    expect(pasted(text)).toEqual(['NM1=10', 'NM2: C - D', 'NM3=11', 'HD1: G - H', 'HD2=12'])
  })

  it('is over when a line names another bucket', () => {
    expect(pasted('NM\n10\nNM4 11\n12\nHD1 13\n14')).toEqual([
      'NM1=10',
      'NM4=11',
      'NM2=12',
      'HD1=13',
      '1=14',
    ])
  })

  it('of a single slot takes one beatmap', () => {
    expect(pasted('NM3:\nhttps://osu.ppy.sh/b/10\n11\nHD1\n12')).toEqual([
      'NM3=10',
      '1=11',
      'HD1=12',
    ])
  })

  it('of a single slot that gets none is an empty slot among labels, and refused in prose (D-77)', () => {
    const reason = 'No beatmap id or link found. Example: “NM1 129891”.'
    expect(pasted('NM1\nNM2\n5\nHD1')).toEqual(['NM1: empty', 'NM2=5', `4: ${reason}`])
    expect(pasted('NM1')).toEqual([`1: ${reason}`])
    expect(pasted('we play\nNM1\nthen HD1')).toEqual([`2: ${reason}`])
  })
})

describe('a bucket that comes again', () => {
  const anyTitles = fc.oneof(
    ...[
      ['Pool A', 'Pool B', 'Pool C'],
      ['4K Finals', '7K Finals', '10K Finals'],
      ['Top 16', 'Top 8', 'Top 4'],
      ['UBSF', 'LBF', 'UBGF'],
      ['1. Finals', '2. Semifinals', '3. Quarterfinals'],
      ['Stage: Finals', 'Stage: Semifinals', 'Stage: Groups'],
      ['osu!taiko', 'osu!catch', 'osu!mania'],
      ['**The Harbour**', '**The Lighthouse**', '**The Sea**'],
      ['[b]Harbour[/b]', '[b]Lighthouse[/b]', '[b]Sea[/b]'],
    ].map((titles) => fc.shuffledSubarray(titles, { minLength: 2 })),
  )
  const anyBuckets = fc
    .shuffledSubarray(['Hidden', 'Hard Rock', 'RC'], { minLength: 0 })
    .map((buckets) => ['NoMod', ...buckets])
  const codes: Readonly<Record<string, string>> = {
    NoMod: 'NM',
    Hidden: 'HD',
    'Hard Rock': 'HR',
    RC: 'RC',
  }
  type Pool = { readonly lines: readonly string[]; readonly slots: readonly string[] }
  const poolOf = (buckets: readonly string[], first: number): Pool => ({
    lines: buckets.flatMap((bucket, at) => [bucket, `https://osu.ppy.sh/b/${first + at}`]),
    slots: buckets.map((bucket, at) => `${codes[bucket]}1 ${first + at}`),
  })
  const read = (lines: readonly string[]) => {
    const { pools } = readImport(lines.join('\n'))
    const isRefused = pools.some((pool) => pool.lines.some(({ outcome }) => outcome === 'refused'))
    const slots = pools.map(({ draft }) =>
      draft.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`).toSorted(),
    )
    return { slots, isRefused }
  }

  it('below a line of words is that of another pool, where each pool has such a line above it', () => {
    const property = fc.property(
      anyTitles,
      anyBuckets,
      fc.boolean(),
      (titles, buckets, isApart) => {
        const pools = titles.map((_, at) => poolOf(buckets, 3_000_000 + at * 10))
        const gap = isApart ? [''] : []
        const lines = pools.flatMap((pool, at) => [...gap, titles[at]!, ...gap, ...pool.lines])
        expect(read(lines)).toEqual({
          slots: pools.map(({ slots }) => slots.toSorted()),
          isRefused: false,
        })
      },
    )
    fc.assert(property)
  })

  it('never goes on silently below words, where it cannot be told', () => {
    const anyWords = fc.constantFrom(
      'Extra',
      'and also',
      'Pool B',
      'UBSF',
      'Good luck!',
      'Finals 7K',
    )
    const property = fc.property(anyBuckets, anyWords, fc.boolean(), (buckets, words, isRound) => {
      const [one, two] = [poolOf(buckets, 3_000_000), poolOf(buckets, 4_000_000)]
      const head = isRound ? ['Finals'] : []
      const { slots, isRefused } = read([...head, ...one.lines, words, ...two.lines])
      const mixed = slots.filter((own) => {
        const known = own.filter((slot) => !slot.startsWith('null'))
        return (
          known.some((slot) => slot.includes(' 3')) && known.some((slot) => slot.includes(' 4'))
        )
      })
      expect(mixed).toEqual([])
      expect(isRefused || slots.length > 1).toBe(true)
    })
    fc.assert(property)
  })

  it('goes on where nothing but slots is between', () => {
    const { lines } = poolOf(['NoMod', 'Hidden'], 3_000_000)
    const { slots, isRefused } = read([...lines, 'NoMod', 'https://osu.ppy.sh/b/3000002'])
    expect(slots).toEqual([['HD1 3000001', 'NM1 3000000', 'NM2 3000002']])
    expect(isRefused).toBe(false)
  })
})

describe('the name of a round alone above slots that are written as YAML writes values', () => {
  const read = (text: string) =>
    readRoundsPaste(text).rounds.map(({ name, lines }) => [
      name,
      lines.flatMap((line) => (line.outcome === 'slot' ? [line.beatmapId] : [])),
    ])
  const wanted = (one: string, other: string) => [
    [one, [129891, 129892]],
    [other, [129893]],
  ]

  it.each([
    ['Semifinals', 'Finals'],
    ['Viertelfinale', 'Halbfinale'],
    ['Demi-finales', 'Finale'],
    ['Cuartos de final', 'Semifinal'],
    ['Полуфинал', 'Финал'],
    ['준결승', '결승'],
    ['準決勝', '決勝'],
    ['半决赛', '决赛'],
  ])('is theirs, and no key without a value: %s', (one, other) => {
    for (const colon of [':', ' :', '：']) {
      const lists = [
        ['NM1: 129891', 'HD 1: 129892', 'NM1: 129893'],
        ['NM1 : https://osu.ppy.sh/b/129891', 'TB: 129892', 'NM1: 129893'],
        ['NM:\n- 129891\n- 129892', '', 'NM:\n- 129893'],
      ]
      for (const [first, second, third] of lists)
        expect(read(`${one}${colon}\n${first}\n${second}\n\n${other}${colon}\n${third}`)).toEqual(
          wanted(one, other),
        )
    }
    expect(read(`${one}:\n  NM1: 129891\n  HD1: 129892\n${other}:\n  NM1: 129893`)).toEqual(
      wanted(one, other),
    )
  })
})

describe('a heading right above that of a round', () => {
  const rounds = (text: string) => readRoundsPaste(text).rounds.map(({ name }) => name)
  const below = (...names: string[]): string =>
    names.map((name, at) => `${name}\nNM1 ${129891 + at}\n`).join('\n')

  it.each([
    ['Division 1', 'Division 2'],
    ['# Division A', '# Division B'],
    ['## osu!taiko', '## osu!mania'],
    ['4K', '7K'],
    ['## Rookies', '## Veterans'],
  ])('is the division of all below it where both have a round of one name: %s', (one, other) => {
    const text = `${one}\n${below('Finals', 'Semifinals')}\n${other}\n\n${below('Finals')}`
    const [first, second] = [one, other].map((name) => name.replace(/^#+ /, ''))
    const wanted = [`${first} Finals`, `${first} Semifinals`, `${second} Finals`]
    expect(rounds(text)).toEqual(wanted)
    expect(readRoundsPaste(text).others.some(({ outcome }) => outcome === 'refused')).toBe(false)
  })

  it.each([
    ['osu!', 'osu!taiko', 'osu!mania'],
    ['osu!', 'osu!catch'],
    ['## osu!', '## osu!taiko'],
  ])('is a mode of the game, where it has slots of its own: %s', (...modes) => {
    const wanted = modes.map((name) => name.replace('## ', ''))
    expect(rounds(below(...modes))).toEqual(wanted)
    const distinct = modes.map((name, at) => `${name}\nNM${at + 1} ${129891 + at}`)
    expect(rounds(distinct.join('\n'))).toEqual(wanted)
  })

  it.each([
    ['announced', `Quarterfinals\n${below('Semifinals', 'Finals')}`],
    ['above other names', `Division 1\n${below('Finals')}Division 2\n${below('Semifinals')}`],
    [
      'not above all',
      `${below('Finals')}Division 1\n${below('Semifinals')}Division 2\n${below('Semifinals')}`,
    ],
  ])('is a round of its own where it is %s', (_, text) => {
    expect(rounds(text).some((name) => /Division. |s .*s$/.test(name ?? ''))).toBe(false)
  })
})
