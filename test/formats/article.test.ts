import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { slotWords } from '../../src/pool/round-fields.ts'
import { slotLabel } from '../../src/pool/slots.ts'

/** What is read of each round: its slots in words, in order. */
const roundsOf = (text: string) => {
  const { pools, questions, others } = readImport(text)
  const refused = [...pools.flatMap(({ lines }) => lines), ...others].filter(
    ({ outcome }) => outcome === 'refused',
  )
  expect(questions).toEqual([])
  return {
    refused: refused.map(({ line }) => line),
    rounds: pools
      .filter(({ round }) => round.slots.length > 0)
      .map(({ name, round, roundFields: links }) => ({
        name,
        links,
        slots: round.slots.map((slot) => `${slotLabel(slot)} ${slotWords(slot)}`),
      })),
  }
}

/** Names of rounds in the languages in which there are articles, usual ones and others. */
const roundNames = [
  'Grand Finals',
  'Round of 16',
  "Winner's Bracket & Loser's Bracket Finals",
  'The Last Stand',
  '세미파이널',
  '그랜드 파이널',
  '16강',
  '半决赛',
  '十六强',
  '8 強',
  '準々決勝',
  'Гранд-финал',
  '1/24 раунда',
  'Gran Final',
  'Octavos de final',
  'Büyük Final',
  'Ćwierćfinały',
  'Babak 16 Besar',
  'Vòng loại',
  'รอบชิงชนะเลิศ',
  'Demi-finales',
  'Achtelfinale',
]
/** Names of buckets, with their codes. */
const bucketNames: readonly (readonly [name: string, code: string])[] = [
  ['No Mod', 'NM'],
  ['NoMod', 'NM'],
  ['NoMod (played in order)', 'NM'],
  ['**Hidden**', 'HD'],
  ['HardRock:', 'HR'],
  ['Double Time', 'DT'],
  ['FreeMod', 'FM'],
  ['Mixed Mod', 'MM'],
  ['**MM**', 'MM'],
  ['Rice', 'RC'],
  ['Long Note', 'LN'],
  ['LN', 'LN'],
  ['Hybrid', 'HB'],
  ['노모드', 'NM'],
  ['히든', 'HD'],
  ['隐藏', 'HD'],
  ['Special', 'Special'],
  ['Streams & Stamina', 'SS'],
  ['Tiebreaker', 'TB'],
]
const titles = [
  'Artist - Title (Mapper) \\[Diff\\]',
  'HD2 - NM1 (Mapper) \\[TB\\]',
  'A - B (Cut Ver.) (\\[GS\\]x, y) \\[FM1\\]',
  '千代紙 - 夜明け (m) \\[12345678\\]',
]

type Item = { readonly text: string; readonly words: string }

const anyItem: fc.Arbitrary<Item> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.integer({ min: 1, max: 6_000_000 }), fc.constantFrom(...titles), fc.boolean())
      .map(([id, title, isBold]) => {
        const link = `[${title}](https://osu.ppy.sh/beatmapsets/7#osu/${id})`
        return { text: isBold ? `**${link}**` : link, words: String(id) }
      }),
  },
  { weight: 1, arbitrary: fc.constant({ text: 'TBA', words: '“TBA”' }) },
  {
    weight: 1,
    arbitrary: fc.constant({ text: 'A - B (c) \\[d\\]', words: 'A - B [d] by c' }),
  },
  {
    weight: 1,
    arbitrary: fc.constant({
      text: '[A - B (c) \\[d\\]](https://osu.ppy.sh/beatmapsets/9)',
      words: 'A - B [d] by c, https://osu.ppy.sh/beatmapsets/9',
    }),
  },
)

/** Twice in a bucket, a beatmap is refused. */
const anyItems = fc.uniqueArray(anyItem, {
  selector: ({ words }) => (/^[0-9]+$/.test(words) ? words : Symbol(words)),
  minLength: 1,
  maxLength: 4,
})

const anyRound = fc.record({
  name: fc.constantFrom(...roundNames),
  hasPack: fc.boolean(),
  hasShowcase: fc.boolean(),
  buckets: fc
    .uniqueArray(fc.constantFrom(...bucketNames), {
      selector: ([, code]) => code,
      minLength: 1,
      maxLength: 6,
    })
    .chain((names) => fc.tuple(...names.map((name) => fc.tuple(fc.constant(name), anyItems))))
    // A list of which nothing is known shows nothing.
    .filter((buckets) => buckets.some(([, items]) => /^[0-9]/.test(items[0]!.words))),
})

const anyArticle = fc.record({
  rounds: fc.uniqueArray(anyRound, { selector: ({ name }) => name, minLength: 1, maxLength: 4 }),
  layout: fc.constantFrom('numbers', 'bullets', 'headings', 'one-column tables'),
  lineBreak: fc.constantFrom('\n', '\r\n'),
  section: fc.constantFrom('## Mappools', '## 맵풀', '## 图池', '## Маппулы', 'Map Havuzları\n---'),
})

const pack = 'https://packs.ppy.sh/P1%20-%20Finals.zip'
const showcase = 'https://www.twitch.tv/videos/2802199850'

/** What other sections of an article hold: people, schedules, rules. */
const before = `# Some World Cup

## Participants

| Country | Members |
| :-- | :-- |
| ![][flag_DE] **Germany** | [a](https://osu.ppy.sh/users/1234567), [b](https://osu.ppy.sh/users/2345678) |

## Schedule

### Finals

| Match | Time |
| --: | :-- |
| 12345678 | 2026-11-20 (18:00) |
`
const after = `## Rules

1. Each pool has 18 beatmaps.
   - A map that was banned is not played.
2. Warm-ups, such as [this one](https://osu.ppy.sh/b/75), take 5 minutes.

[flag_DE]: /wiki/shared/flag/DE.gif
`

describe('an article', () => {
  it('has a section for each round, a list of buckets in it, and below each its beatmaps in order', () => {
    fc.assert(
      fc.property(anyArticle, ({ rounds, layout, lineBreak, section }) => {
        const text = [
          before,
          section,
          ...rounds.flatMap(({ name, buckets, hasPack, hasShowcase }) => [
            '',
            `### ${name}`,
            '',
            ...(hasPack ? [`**[Download it here (232 MB)](${pack})**\\`] : []),
            ...(hasShowcase ? [`[쇼케이스](${showcase})`] : []),
            '',
            ...buckets.flatMap(([[bucket], items]) => {
              switch (layout) {
                case 'numbers':
                  return [`- ${bucket}`, ...items.map((each, at) => `  ${at + 1}. ${each.text}`)]
                case 'bullets':
                  return [`- ${bucket}`, ...items.map((each) => `  - ${each.text}`)]
                case 'headings':
                  return [`#### ${bucket}`, '', ...items.map((each) => `1. ${each.text}`), '']
                default:
                  return [`| ${bucket} |`, '|:--|', ...items.map((each) => `| ${each.text} |`), '']
              }
            }),
          ]),
          '',
          after,
        ].join(lineBreak)
        fc.pre(layout !== 'headings' || isAllKnown(rounds.flatMap(({ buckets }) => buckets)))
        const read = roundsOf(text.replaceAll(/\r?\n/g, lineBreak))
        expect(read).toEqual({
          refused: [],
          rounds: rounds.map(({ name, buckets, hasPack, hasShowcase }) => ({
            name,
            links: {
              ...(hasPack && { mapPackUrl: pack }),
              ...(hasShowcase && { showcaseUrl: showcase }),
            },
            slots: buckets.flatMap(([[, code], items]) =>
              items.map(({ words }, at) => `${slotLabel({ mod: code, index: at + 1 })} ${words}`),
            ),
          })),
        })
      }),
      { numRuns: 60 },
    )
  })

  const isAllKnown = (
    buckets: readonly (readonly [readonly [string, string], unknown])[],
  ): boolean => buckets.every(([[, code]]) => code.length <= 2)

  const list =
    '- NoMod\n  1. [A](https://osu.ppy.sh/b/75)\n- Tiebreaker\n  1. [B](https://osu.ppy.sh/b/76)'

  /** Slots of one round with labels of their own, wherever the list has its name from. */
  const anyLabelled = fc.record({
    buckets: fc
      .uniqueArray(fc.constantFrom(...bucketNames), {
        selector: ([, code]) => code,
        minLength: 1,
        maxLength: 4,
      })
      .chain((names) =>
        fc.tuple(
          ...names.map(([name, code]) =>
            fc.record({
              name: fc.constant(name),
              code: fc.constant(code),
              numbers: fc.uniqueArray(fc.integer({ min: 1, max: 9 }), {
                minLength: 1,
                maxLength: 4,
              }),
            }),
          ),
        ),
      ),
    mark: fc.constantFrom('- ', '* ', '1. ', '- **'),
    colon: fc.constantFrom(': ', ' ', ' - '),
    isHeaded: fc.boolean(),
    // One that looks like a label may be one, where what is before it is not known.
    title: fc.constantFrom(...titles.filter((title) => !title.startsWith('HD2'))),
    // One item of another bucket, which nothing else names.
    stray: fc.option(fc.nat({ max: 15 }), { nil: null }),
  })

  it('puts a beatmap that has a label into no other slot: there, or it is refused', () => {
    fc.assert(
      fc.property(anyLabelled, ({ buckets, mark, colon, isHeaded, title, stray }) => {
        const bold = mark === '- **' ? '**' : ''
        let count = 0
        const written = buckets.map(({ name, code, numbers }) => {
          const items = numbers.map((number) => {
            const own = count === stray ? 'XQ' : code
            count += 1
            const [label, id] = [`${own}${number}`, 100_000 + count]
            const link = `[${title}](https://osu.ppy.sh/beatmapsets/7#osu/${id})`
            return { slot: `${label} ${id}`, line: `${mark}${label}${bold}${colon}${link}` }
          })
          const indent = isHeaded ? '' : '  '
          const lines = [
            isHeaded ? `#### ${name}\n` : `- ${name}`,
            ...items.map(({ line }) => indent + line),
          ]
          return { slots: items.map(({ slot }) => slot), text: lines.join('\n') }
        })
        const text = `### Finals\n\n${written.map((each) => each.text).join('\n')}\n`
        const { pools } = readImport(text)
        const read = pools.flatMap(({ round }) =>
          round.slots.map(({ mod, index, beatmapId }) => `${mod}${index} ${beatmapId}`),
        )
        const all = written.flatMap(({ slots }) => slots)
        expect(all).toEqual(expect.arrayContaining(read))
        // A heading may be of anything.
        const isSure = !isHeaded && (stray === null || stray >= count)
        if (isSure) expect(new Set(read)).toEqual(new Set(all))
      }),
      { numRuns: 300 },
    )
  })

  it('has the replacement of a beatmap that is struck through', () => {
    const text = list.replace('[A]', '~~[C](https://osu.ppy.sh/b/77)~~ [A]')
    expect(roundsOf(`### Finals\n\n${text}`)).toEqual(roundsOf(`### Finals\n\n${list}`))
  })

  it('may have the text of a link in two lines, however the second one begins', () => {
    const whole = '1. [Nine Rivers - Harbour](https://osu.ppy.sh/b/77)'
    for (const part of ['\n', '\n\n', '\n - ', '\n# ', '\n  1. ']) {
      const text = `### Finals\n\n${list}\n- Hidden\n  ${whole.replace(' - ', part)}`
      expect(roundsOf(text).rounds[0]!.slots).toEqual(['NM1 75', 'TB 76', 'HD1 77'])
    }
  })

  it.each([
    [
      [1, 2],
      ['NM1 75', 'NM2 76'],
    ],
    [
      [1, 3],
      ['NM1 75', 'NM3 76'],
    ],
    [
      [2, 3],
      ['NM1 75', 'NM2 76'],
    ],
    [
      [2, 4],
      ['NM1 75', 'NM3 76'],
    ],
    [
      [1, 1],
      ['NM1 75', 'NM2 76'],
    ],
  ])(
    'counts the beatmaps of a bucket by the numbers of its list, from its first one: %j',
    (numbers, slots) => {
      const items = numbers.map((each, at) => `  ${each}. [A](https://osu.ppy.sh/b/${75 + at})`)
      const text = [
        '### Finals',
        '',
        '- NoMod',
        ...items,
        '- Tiebreaker',
        '  1. [B](https://osu.ppy.sh/b/77)',
      ]
      expect(roundsOf(text.join('\n')).rounds[0]!.slots).toEqual([...slots, 'TB 77'])
    },
  )

  const anyRounds = fc.uniqueArray(
    fc.record({
      name: fc.constantFrom(...roundNames),
      buckets: fc.uniqueArray(fc.constantFrom('NoMod', 'Hidden', 'SV'), { minLength: 1 }),
    }),
    { selector: ({ name }) => name, minLength: 1, maxLength: 4 },
  )
  const listOf = (buckets: readonly string[], round: number): string =>
    buckets
      .map((bucket, at) => {
        const ids = [1, 2].map((n) => 100_000 + round * 100 + at * 10 + n)
        const items = ids.map((id, n) => `  ${n + 1}. [A - B](https://osu.ppy.sh/b/${id})\n`)
        return `- ${bucket}\n${items.join('')}`
      })
      .join('')

  it.each(['> ', '>', '    ', '      ', '> > ', '   > '])(
    'says the same in a quotation or further to the right: %j',
    (mark) => {
      const property = fc.property(anyRounds, fc.boolean(), (rounds, isIntroduced) => {
        const text = rounds
          .map(({ name, buckets }, at) => `### ${name}\n\n${listOf(buckets, at)}`)
          .join('\n')
        const marked = text.replaceAll(/^/gm, mark)
        const isQuote = mark.includes('>')
        const written = isIntroduced && isQuote ? `Here it is:\n\n${marked}` : marked
        expect(roundsOf(written)).toEqual(roundsOf(text))
      })
      fc.assert(property, { numRuns: 30 })
    },
  )

  it('may have its rounds in a list with those of their buckets below them', () => {
    const property = fc.property(anyRounds, fc.constantFrom('- ', '* '), (rounds, mark) => {
      const [headed, nested] = ['### ', mark].map((sign) =>
        rounds
          .map(({ name, buckets }, at) => {
            const own = listOf(buckets, at)
            return `${sign}${name}\n${sign === mark ? own.replaceAll(/^(?=.)/gm, '  ') : own}`
          })
          .join(''),
      )
      expect(roundsOf(nested!)).toEqual(roundsOf(headed!))
    })
    fc.assert(property, { numRuns: 50 })
  })

  it('may have the same rounds in several divisions', () => {
    const division = (name: string) => `## ${name}\n\n### Finals\n\n${list}\n`
    expect(roundsOf(division('Open') + division('Elite')).rounds.map(({ name }) => name)).toEqual([
      'Open Finals',
      'Elite Finals',
    ])
  })

  it('tells rounds of one name in any case apart by the nearest headings above that differ', () => {
    const anyWord = fc.constantFrom('Open', 'open', 'Elite', 'Finals', 'FINALS', 'Fase de grupos')
    const anyPath = fc.tuple(anyWord, anyWord, anyWord)
    fc.assert(
      fc.property(
        fc.uniqueArray(anyPath, {
          selector: (path) => path.join(' ').toLowerCase(),
          minLength: 1,
          maxLength: 5,
        }),
        (paths) => {
          const headed = ([one, two, three]: (typeof paths)[number]): string =>
            `# ${one}\n\n## ${two}\n\n### ${three}\n\n${list}\n`
          const names = roundsOf(paths.map(headed).join('\n')).rounds.map(({ name }) => name ?? '')
          expect(names).toHaveLength(paths.length)
          expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(paths.length)
          for (const [at, path] of paths.entries()) expect(path.join(' ')).toContain(names[at])
        },
      ),
    )
  })

  it('never gives a slot for what is above a list of players, of rules or of results', () => {
    const lists = [
      '- Team Blue\n  - [a](https://osu.ppy.sh/users/75)\n  - [b](https://osu.ppy.sh/users/76)',
      '- Rules\n  1. Each team has 8 players.\n  2. Be there 15 minutes before.',
      '- Results\n  - [A vs. B](https://osu.ppy.sh/community/matches/116886609)',
    ]
    fc.assert(
      fc.property(fc.shuffledSubarray(lists), fc.constantFrom(...roundNames), (own, name) => {
        const text = `## Teams\n\n${own.join('\n')}\n\n### ${name}\n\n${list}\n`
        expect(roundsOf(text).rounds.map(({ slots }) => slots)).toEqual([['NM1 75', 'TB 76']])
      }),
    )
  })

  it('has slots without a bucket in a numbered list above its buckets', () => {
    const own = '1. [C](https://osu.ppy.sh/b/77)\n2. TBA\n\n'
    expect(roundsOf(`### Finals\n\n${own}${list}`).rounds[0]!.slots).toEqual([
      '1 77',
      '2 “TBA”',
      'NM1 75',
      'TB 76',
    ])
    const rules = '1. Bring [C](https://osu.ppy.sh/b/77)\n2. Be there\n\n'
    expect(roundsOf(`### Finals\n\n${rules}${list}`)).toMatchObject({
      refused: [3],
      rounds: [{ slots: ['NM1 75', 'TB 76'] }],
    })
  })

  it('refuses a beatmap in the section of a round that belongs to none of its lists', () => {
    const text = `### Finals\n\n${list}\n\nSee [C](https://osu.ppy.sh/b/77).\n`
    expect(roundsOf(text).refused).toEqual([8])
    expect(
      roundsOf(`### Finals\n\n${list}\n- HD1: [C](https://osu.ppy.sh/b/77)`).rounds,
    ).toMatchObject([{ slots: ['NM1 75', 'TB 76', 'HD1 77'] }])
  })

  it('takes time in proportion to its length', () => {
    // Each is 20,000 characters of what could be searched again and again.
    const hostile = [
      '- a\n',
      '- a\n\n',
      '# ',
      '#### #\n',
      '- [',
      ' ',
      '\n',
      '| a |\n',
      '  - x\n',
      '* * ',
    ]
    for (const part of hostile) {
      const { pools } = readImport(part.repeat(Math.ceil(20_000 / part.length)))
      expect(pools.flatMap(({ draft }) => draft.slots)).toEqual([])
    }
  })
})

describe('what an article has beside its lists', () => {
  const list = ['- NoMod', '  1. [A - B](https://osu.ppy.sh/beatmapsets/1#osu/129891)']
  /** Another pool in each of the shapes of a text that is no article. */
  const others: Readonly<Record<string, readonly string[]>> = {
    lines: ['NM1 129892', 'HD1 129893', 'TB 129894'],
    'lines with colons': ['NM1: 129892', 'HD1: 129893', 'TB: 129894'],
    'lines with links': [2, 3, 4].map(
      (n) => `${['NM1', 'HD1', 'TB'][n - 2]} https://osu.ppy.sh/b/12989${n}`,
    ),
    'names of links': [
      'NM1 [A - B](https://osu.ppy.sh/b/129892)',
      'HD1: [A - B](https://osu.ppy.sh/b/129893)',
      'TB: [A - B](https://osu.ppy.sh/b/129894)',
    ],
    'a table': [
      '| Slot | ID |',
      '| --- | --- |',
      '| NM1 | 129892 |',
      '| HD1 | 129893 |',
      '| TB | 129894 |',
    ],
    'cells by commas': ['Slot,ID', 'NM1,129892', 'HD1,129893', 'TB,129894'],
    bullets: ['- NM1 129892', '- HD1 129893', '- Tiebreaker 129894'],
  }
  const slots = ['NM1 129892', 'HD1 129893', 'TB 129894']
  const shape = fc.constantFrom(...Object.values(others))

  it('is a round, above it and below it', () => {
    fc.assert(
      fc.property(shape, fc.boolean(), fc.constantFrom(...roundNames), (other, isAbove, name) => {
        const [own, another] = [
          ['### Pool of the lists', '', ...list, ''],
          [`### ${name}`, '', ...other, ''],
        ]
        const { rounds, refused } = roundsOf(
          (isAbove ? [...another, ...own] : [...own, ...another]).join('\n'),
        )
        const found = rounds.map((round) => [round.name, round.slots.map(plainWords)])
        expect(refused).toEqual([])
        expect(new Map(found as [string, string[]][])).toEqual(
          new Map([
            ['Pool of the lists', ['NM1 129891']],
            [name, slots],
          ]),
        )
      }),
    )
  })

  it('is of no round above the first heading', () => {
    fc.assert(
      fc.property(shape, (other) => {
        const { rounds } = roundsOf([...other, '', '### Finals', '', ...list].join('\n'))
        expect(rounds.map((round) => [round.name, round.slots.map(plainWords)])).toEqual([
          [null, slots],
          ['Finals', ['NM1 129891']],
        ])
      }),
    )
  })

  it('is never passed over where it is a slot by itself', () => {
    const line = fc.constantFrom(
      ...Object.values(others)
        .flat()
        .filter((each) => /12989/.test(each)),
    )
    const article = [
      'Welcome to the cup.',
      '',
      '## Mappools',
      '',
      '### Finals',
      '',
      ...list,
      '- HardRock',
      '  1. [C - D](https://osu.ppy.sh/b/129899)',
      '',
      '## Rules',
      '',
      '1. Be kind.',
      '',
      '| Place | Player |',
      '| :-: | :-- |',
      '| 1st | Ada |',
      '',
    ]
    fc.assert(
      fc.property(line, fc.nat(article.length), (own, at) => {
        const text = [...article.slice(0, at), '', own, '', ...article.slice(at)].join('\n')
        const { pools, others: apart } = readImport(text)
        const [id] = /12989[0-9]/.exec(own)!
        const outcomes = [...pools.flatMap((pool) => pool.lines), ...apart].filter((each) =>
          each.text.includes(id),
        )
        expect(outcomes.map(({ outcome }) => outcome)).not.toContain('skipped')
        expect(outcomes).not.toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('goes on below its lists', () => {
    for (const line of ['TB 129892', 'TB: 129892', '- Tiebreaker 129892', '- Tiebreaker: 129892']) {
      for (const name of ['### Finals', 'Finals', '**Finals**']) {
        expect(roundsOf([name, ...list, line].join('\n')).rounds).toMatchObject([
          {
            name: 'Finals',
            slots: [expect.stringMatching(/^NM1 129891/), expect.stringMatching(/^TB 129892/)],
          },
        ])
      }
    }
  })

  it('is asked where a list has a number for a link, or is removed', () => {
    const text = ['### Finals', ...list, '- Hidden', '  1. 129895', '  2. C - D - 129896'].join(
      '\n',
    )
    expect(readImport(text).questions).toHaveLength(1)
    const removed = [
      '### Finals',
      ...list,
      '- Removed',
      '  1. [E](https://osu.ppy.sh/b/129893)',
    ].join('\n')
    expect(readImport(removed).questions).toHaveLength(1)
    expect(readImport(removed).pools[0]!.draft.slots).toHaveLength(1)
  })

  it('is refused as an item with a bullet in a numbered list', () => {
    const text = ['### Finals', ...list, '  - Backup: [C](https://osu.ppy.sh/b/129892)'].join('\n')
    expect(roundsOf(text).refused).toEqual([4])
    expect(readImport(text).pools[0]!.draft.slots).toHaveLength(1)
  })

  it('may have its line breaks doubled, and spaces of no width at their ends', () => {
    const table = [
      '### Finals',
      '',
      '| NoMod |',
      '| :-- |',
      '| [A](https://osu.ppy.sh/b/129891) |',
      '| [B](https://osu.ppy.sh/b/129892) |',
      '',
      '| Hidden |',
      '| :-- |',
      '| [C](https://osu.ppy.sh/b/129893) |',
      '',
      '### Semifinals',
      '',
      ...list,
    ]
    const plain = roundsOf(table.join('\n')).rounds
    expect(plain.map(({ slots: { length } }) => length)).toEqual([3, 1])
    for (const lineBreak of ['\n\n', '\u200b\n', ' \u200b\n', '\n\u200b\n', '\r\n\r\n']) {
      expect(roundsOf(table.join(lineBreak)).rounds).toEqual(plain)
    }
  })
})

const plainWords = (slot: string): string => slot.split(' ').slice(0, 2).join(' ')

describe('items below others', () => {
  it('are as far to the right with a tab as with four spaces', () => {
    const anyIndents = fc.array(fc.constantFrom('\t', '    '), { minLength: 4, maxLength: 4 })
    const textOf = (indents: readonly string[]): string => {
      const items = indents.map((indent, at) => `${indent}- https://osu.ppy.sh/b/${1_400_001 + at}`)
      return ['- NoMod', ...items.slice(0, 2), '- Hidden', ...items.slice(2)].join('\n')
    }
    const slots = ['NM1 1400001', 'NM2 1400002', 'HD1 1400003', 'HD2 1400004']
    fc.assert(
      fc.property(anyIndents, (indents) => {
        const text = textOf(indents)
        expect(
          readImport(text).pools.flatMap(({ draft }) =>
            draft.slots.map((slot) => `${slotLabel(slot)} ${slot.beatmapId}`),
          ),
          text,
        ).toEqual(slots)
      }),
    )
  })
})
