import { LONGEST_TEXT } from '../../src/formats/import/read-import.ts'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/formats/format-table.ts'
import type { Slot } from '../../src/contract/pools.ts'
import { foldCode, slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { completePool, findProblems } from '../../src/pool/checks.ts'
import type { Pool } from '../../src/pool/pool.ts'
import { poolRows } from '../../src/standin/library.ts'
import { anyCode, anyName, anyPool, anyText, withLikelyIds } from '../pool/pool-arbitrary.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { expectLinear } from '../support/linear.ts'
import { emptyDraft, readPaste, readRoundsPaste } from './pasted-text.ts'

/** Each round by its name, null as `-`: its slots, and what is refused in it as `7: reason`. */
const roundsOf = (text: string): Record<string, string[]> =>
  Object.fromEntries(
    readRoundsPaste(text).rounds.map(({ name, draft, lines }) => [
      name ?? '-',
      [
        ...draft.slots.map((slot) => `${slotLabel(slot)}=${slot.beatmapId}`),
        ...lines.flatMap((line) =>
          line.outcome === 'refused' ? [`${line.line}: ${line.reason}`] : [],
        ),
      ],
    ]),
  )

const othersOf = (text: string): string[] =>
  readRoundsPaste(text).others.map(
    (line) => `${line.line}: ${line.outcome === 'refused' ? line.reason : line.outcome}`,
  )

describe('a column for rounds', () => {
  it.each(['Round', 'rounds', 'STAGE', 'Round name', 'Stage name', 'Phase', 'Week'])(
    'is one that is headed %s',
    (header) => {
      const text = `Slot,${header},Beatmap ID\nNM1,The First,5\nNM1,The Last,6\n`
      expect(roundsOf(text)).toEqual({ 'The First': ['NM1=5'], 'The Last': ['NM1=6'] })
    },
  )

  it('has merged cells: an empty one continues the round above', () => {
    const text =
      'Round\tMod\tMap ID\nQualifiers\tNM1\t5\n\tHD1\t6\n\t\t\nFinals\t\t\n\tNM1\t7\n\tNM2\t8\n'
    expect(roundsOf(text)).toEqual({
      Qualifiers: ['NM1=5', 'HD1=6'],
      Finals: ['NM1=7', 'NM2=8'],
    })
  })

  it('names rounds in order of first appearance, ignoring case', () => {
    const text = 'Round,Slot,ID\nFinals,NM1,5\nSemis,NM1,6\nFINALS,NM2,7\n'
    expect(roundsOf(text)).toEqual({ Finals: ['NM1=5', 'NM2=7'], Semis: ['NM1=6'] })
  })

  it('has headings of buckets in it that apply to their round alone', () => {
    const text = 'Round,Slot,ID\nFinals,NoMod,\nFinals,,5\nFinals,,6\nSemis,,7\n'
    expect(roundsOf(text)).toEqual({ Finals: ['NM1=5', 'NM2=6'], Semis: ['1=7'] })
  })

  it('does not end with a row that has no beatmap', () => {
    const text = 'Round,Mod,ID\nFinals,NM,5\nFinals,,osu.ppy.sh/s/1\nFinals,,6\n'
    expect(roundsOf(text)).toEqual({
      Finals: ['NM1=5', 'NM3=6'],
    })
  })

  it('may name rounds as comments are written, numbers or buckets', () => {
    const text = 'Round,Slot,ID\n#1,NM1,5\nNM,NM1,6\n2,NM1,7\n# a remark\n'
    expect(roundsOf(text)).toEqual({ 2: ['NM1=7'], '#1': ['NM1=5'], NM: ['NM1=6'] })
  })
})

describe('a heading of a round', () => {
  const usual = [
    'Qualifiers, quals, Group Stage, Group A, Swiss Stage, Swiss Round 2, Round of 16, RO16, ro 32',
    'Quarterfinals, Quarter-Finals, QUARTER FINALS, QF, Semifinals, Finals, FINAL, Grand Finals, GF',
    "Week 2, Round 1, Stage 3, Losers Round 2, Winners' Finals, Lower Bracket Semifinals, Play-ins",
    'Playoffs, Losers Bracket Round 10, Upper Bracket Final, Matchday 4, Qualification, Phase 1',
  ].flatMap((line) => line.split(', '))

  it.each(usual)('is a usual name in its own line: %s', (name) => {
    const text = `NM1 5\n${name}\nNM1 6\n`
    expect(roundsOf(text)).toEqual({ '-': ['NM1=5'], [name]: ['NM1=6'] })
  })

  it.each([
    ['Quarterfinals:', 'Quarterfinals'],
    ['  **Quarterfinals**', 'Quarterfinals'],
    ['=== Quarterfinals ===', 'Quarterfinals'],
    ['[Quarterfinals]', '[Quarterfinals]'],
    ['Quarterfinals Mappool', 'Quarterfinals'],
    ['Week 1 - Finals', 'Week 1 - Finals'],
    ['Quarterfinals (best of 9)', 'Quarterfinals (best of 9)'],
    ['# Quarterfinals', 'Quarterfinals'],
    ['### Quarterfinals ###', 'Quarterfinals'],
    ['[b]Quarterfinals[/b]', 'Quarterfinals'],
    ['[centre][size=150]Quarterfinals[/size][/centre]', 'Quarterfinals'],
    ['[heading]Quarterfinals[/heading]', 'Quarterfinals'],
    ['[box=Quarterfinals]', 'Quarterfinals'],
    ['Quarterfinals\tBO9', 'Quarterfinals'],
    ['Quarterfinals\t\t\t', 'Quarterfinals'],
  ])('may be marked or have a remark: %j', (line, name) => {
    expect(roundsOf(`${line}\nNM1\t5\t\n`)).toEqual({ [name]: ['NM1=5'] })
  })

  it.each([
    ['## The Last Stand', 'The Last Stand'],
    ['#### \\*A\\* \\[b\\]', '*A* [b]'],
    ['[heading]The Last Stand[/heading]', 'The Last Stand'],
    ['[box=The Last Stand]', 'The Last Stand'],
  ])('is any name that is marked as one: %s', (line, name) => {
    expect(roundsOf(`${line}\nNM1 5\n`)).toEqual({ [name]: ['NM1=5'] })
  })

  it('that could be of anything is one only if slots follow', () => {
    const text = '## Mappools\n\n### Finals\n\nNM1 5\n\n## Prizes\n'
    expect(roundsOf(text)).toEqual({ Finals: ['NM1=5'] })
    expect(othersOf(text)).toEqual(['1: skipped', '2: skipped', '7: skipped'])
  })

  it('with a usual name is a round even without slots', () => {
    expect(roundsOf('Semifinals\n\nFinals\nNM1 5')).toEqual({ Semifinals: [], Finals: ['NM1=5'] })
  })

  it('ends the headings of buckets above it', () => {
    expect(roundsOf('Semifinals\nHD\n5\nFinals\n6')).toEqual({
      Semifinals: ['HD1=5'],
      Finals: ['1=6'],
    })
    expect(roundsOf('Semifinals\nHD1:\nFinals\nNM1 6')).toEqual({
      Semifinals: ['2: No beatmap id or link found. Example: “NM1 129891”.'],
      Finals: ['NM1=6'],
    })
  })

  it.each([
    'NM1 5 - Finals',
    'Finals NM1 5',
    'Round 1: 129891',
    'Finals: https://osu.ppy.sh/b/75',
    'NoMod',
    'RC',
    '## NoMod',
    '# a remark',
    '# Finals, not decided yet',
    'The Last Stand',
    '[b]The Last Stand[/b]',
    'Finals have the best maps',
    `Finals - ${'a '.repeat(20)}`,
    `${'= '.repeat(100)}Finals`,
    'Quarterfinals\tNM3\tTBD',
    'Finals https://osu.ppy.sh/beatmapsets/1',
  ])('is not %j', (line) => {
    const { rounds } = readRoundsPaste(`${line}\nNM7\t7\n`)
    expect(rounds.map(({ name }) => name)).toEqual([null])
  })

  it('stands between tables, in a row of its own or in the corner of a header', () => {
    const text =
      'Semifinals\t\t\nSlot\tTitle\tBeatmap ID\nNM1\tFinals\t129891\n\t\t\nGrand Finals\tSlot\tBeatmap ID\n\tNM1\t129892\n'
    expect(roundsOf(text)).toEqual({
      Semifinals: ['NM1=129891'],
      'Grand Finals': ['NM1=129892'],
    })
  })
})

describe('a text without rounds', () => {
  it('is one round without a name, as one pool is read', () => {
    const text = '# a remark\nNM1 5\nno slot\nNM1 6'
    const [round, ...others] = readRoundsPaste(text).rounds
    expect(round).toEqual({ name: null, ...readPaste(text, emptyDraft) })
    expect(others).toEqual([])
    expect(readRoundsPaste('')).toEqual({
      rounds: [{ name: null, lines: [], draft: emptyDraft, packKey: null }],
      others: [],
    })
  })
})

describe('what is around the rounds', () => {
  it('is a round without a name if it has slots, else reported apart', () => {
    expect(roundsOf('NM1 5\nFinals\nNM1 6')).toEqual({ '-': ['NM1=5'], Finals: ['NM1=6'] })
    const title = 'Harbour Cup\n\nFinals\nNM1 6'
    expect(roundsOf(title)).toEqual({ Finals: ['NM1=6'] })
    expect(othersOf(title)).toEqual(['1: skipped', '2: skipped'])
  })

  it('opens a pack key for its own round alone', () => {
    const { rounds } = readRoundsPaste('Semifinals\npk1.AQFhAQICrAKFPA\nFinals\nNM1 5')
    expect(rounds.map(({ name, packKey }) => [name, packKey])).toEqual([
      ['Semifinals', 'pk1.AQFhAQICrAKFPA'],
      ['Finals', null],
    ])
    expect(rounds.map(({ draft }) => draft.name)).toEqual(['Semifinals', 'Finals'])
    expect(rounds[0]?.draft.slots).not.toEqual([])
  })
})

describe('bounds', () => {
  it('a round beyond 16 is refused line by line', () => {
    const text = Array.from({ length: 18 }, (_, at) => `Week ${at + 1}\nNM1 5\n`).join('\n')
    const { rounds } = readRoundsPaste(text)
    expect(rounds.map(({ name }) => name)).toEqual(
      Array.from({ length: 16 }, (_, at) => `Week ${at + 1}`),
    )
    const reason =
      'A tournament can have at most 16 rounds. Remove one, then paste this line again.'
    expect(othersOf(text)).toEqual([
      `49: ${reason}`,
      `50: ${reason}`,
      '51: skipped',
      `52: ${reason}`,
      `53: ${reason}`,
    ])
  })

  it('a slot beyond 64 in a round is refused; the other rounds have their own 64', () => {
    const slots = Array.from({ length: 65 }, (_, at) => `NM${at + 1} 5\n`).join('')
    const { rounds } = readRoundsPaste(`Semifinals\n${slots}Finals\n${slots}`)
    for (const { draft, lines } of rounds) {
      expect(draft.slots).toHaveLength(64)
      expect(lines.at(-1)).toMatchObject({
        text: 'NM65 5',
        reason: 'A pool can have at most 64 slots. Remove one, then paste this line again.',
      })
    }
  })

  it('a text over 1 MB is refused whole', () => {
    expect(readRoundsPaste(`Finals\n${' '.repeat(LONGEST_TEXT)}`)).toMatchObject({
      rounds: [],
      others: [{ line: 1, text: 'Finals', outcome: 'refused' }],
    })
  })

  const numbered = (write: (at: number) => string): string =>
    Array.from({ length: 8000 }, (_, at) => write(at)).join('')

  it.each([
    numbered((at) => `## a${at} b\n`),
    numbered((at) => `## a${at} b\nNM1 5\n`),
    `Round,Slot,ID\n${numbered((at) => `${at},NM1,5\n`)}`,
    '[box='.repeat(12_000),
    `${'# '.repeat(30_000)}a`,
    '*'.repeat(60_000),
    `Finals -${' -'.repeat(30_000)}`,
    'Finals\nNM\n5\nSemifinals\n'.repeat(2500),
    '[heading]'.repeat(7000),
  ])('takes time in proportion to the text (%#)', (text) => {
    expectLinear(text, readRoundsPaste)
  })
})

const names =
  'Qualifiers,Round of 64,Round of 32,Round of 16,Quarterfinals,Semifinals,Finals,Grand Finals'.split(
    ',',
  )
/** Real beatmaps, their titles full of what lines are made of, in eight pools of six. */
const rows = poolRows.slice(0, 48).map(([id, set, artist, title, mapper, version], at) => {
  const slot = ['NM1', 'NM2', 'HD1', 'HR1', 'DT1', 'TB'][at % 6] ?? ''
  const round = names[Math.floor(at / 6)] ?? ''
  return { round, slot, id, cells: [`${artist} - ${title} [${version}]`, mapper, set], at: at % 6 }
})
const whole = Object.fromEntries(
  names.map((name) => [
    name,
    rows.filter(({ round }) => round === name).map(({ slot, id }) => `${slot}=${id}`),
  ]),
)
type Row = (typeof rows)[number]

describe('a sheet of eight rounds', () => {
  const header = ['Slot', 'Song', 'Mapper', 'Set ID', 'Beatmap ID'].join('\t')
  const sheets: Record<string, (row: Row) => string> = {
    'a column for rounds': ({ round, slot, id, cells, at }) =>
      `${at + id === rows[0]?.id ? `Round\t${header}\n` : ''}${[round, slot, ...cells, id].join('\t')}`,
    'merged cells': ({ round, slot, id, cells, at }) =>
      `${at + id === rows[0]?.id ? `Round\t${header}\n` : ''}${[at === 0 ? round : '', slot, ...cells, id].join('\t')}`,
    'headings over tables': ({ round, slot, id, cells, at }) =>
      `${at === 0 ? `\n${round}\t\t\t\t\n${header}\n` : ''}${[slot, ...cells, id].join('\t')}`,
    'Markdown headings': ({ round, slot, id, cells, at }) =>
      `${at === 0 ? `\n### ${round}\n\n` : ''}- **${slot}** [${cells[0]}](https://osu.ppy.sh/b/${id})`,
    'a forum post': ({ round, slot, id, cells, at }) =>
      `${at === 0 ? `[heading]${round}[/heading]\n` : ''}[*][b]${slot}[/b]: [url=https://osu.ppy.sh/b/${id}]${cells[0]}[/url]`,
    'a chat': ({ round, slot, id, at }) => `${at === 0 ? `${round}:\n` : ''}${slot} ${id}`,
  }
  it.each(Object.entries(sheets))('is read from %s', (_, write) => {
    expect(roundsOf(rows.map(write).join('\n'))).toEqual(whole)
  })
})

describe('a tournament that was posted', () => {
  const rounds = [...names.slice(0, 7), 'The *Last* [b]'].map((name, at) => {
    const own = poolRows.slice(at * 6, at * 6 + 6)
    const slots = own.map(([beatmapId], place) => {
      const mod = ['NM', 'NM', 'HD', 'HR', 'RC', 'TB'][place] ?? null
      // Every other round lacks NM2.
      return { mod, index: place === 1 ? 2 + (at % 2) : 1, beatmapId }
    })
    const known = own.map(([id, setId, artist, title, mapper, difficulty], place) => {
      const details = aBeatmap(id, { setId, artist, title, mapper, difficulty })
      return [place, { details, stars: 5 }] as const
    })
    const pool = completePool({ name, buckets: [{ code: 'RC', color: 0 }], slots })
    return { name, pool, details: new Map(known.toSpliced(at % 6, 1)) }
  })
  const slotsOf = (slots: readonly Slot[]): string[] =>
    slots.map((slot) => `${slotLabel(slot)}=${slot.beatmapId}`).toSorted()

  it.each(['wiki', 'bbcode'] as const)('as %s is read with its rounds and slots', async (id) => {
    const { content } = await formats[id].write({ name: 'any', rounds }, { savedAt: 0 })
    const read = readRoundsPaste(content as string)
    // Articles have the newest round first.
    const inOrder = id === 'wiki' ? rounds.toReversed() : rounds
    expect(read.rounds.map(({ name, draft }) => [name, slotsOf(draft.slots)])).toEqual(
      inOrder.map(({ name, pool }) => [name, slotsOf(pool.slots)]),
    )
    const lines = [...read.others, ...read.rounds.flatMap((round) => round.lines)]
    expect(lines.filter(({ outcome }) => outcome === 'refused')).toEqual([])
  })
})

/** Rounds with names that are unique ignoring case, each with a pool that has slots. */
const anyRounds = fc
  .uniqueArray(anyName, { minLength: 1, maxLength: 16, selector: foldCode })
  .chain((all) =>
    fc.tuple(
      ...all.map((name) =>
        anyPool
          .filter(({ slots }) => slots.length > 0)
          .map((pool) => ({ name, pool: withLikelyIds(pool) })),
      ),
    ),
  )

const detailsOf = ({ slots }: Pool, title: string) =>
  new Map(
    slots.flatMap(({ beatmapId }, at) =>
      at % 3 === 0 ? [] : [[at, { details: aBeatmap(beatmapId, { title }), stars: 5 }] as const],
    ),
  )

describe('rounds that were written', () => {
  it.each(['csv', 'tsv'] as const)('as %s read back as the same rounds', async (format) => {
    const property = fc.asyncProperty(anyRounds, anyText, async (all, title) => {
      const sheet = all.map((round) => ({ ...round, details: detailsOf(round.pool, title) }))
      const { content } = await formats[format].write(
        { name: 'any', rounds: sheet },
        { savedAt: 0 },
      )
      const { rounds, others } = readRoundsPaste(content as string)
      expect(rounds.map(({ name, draft }) => [name, draft.name, draft.slots])).toEqual(
        all.map(({ name, pool }) => [name, name, slotsInPoolOrder(pool)]),
      )
      expect(others).toMatchObject([{ line: 1, outcome: 'skipped' }])
    })
    await fc.assert(property, { numRuns: 200 })
  })
})

const piece = fc.oneof(
  fc.constantFrom('\n', '\n', '\n', '\r\n', ',', '\t', '# ', '## ', '[heading]', '[/heading]'),
  fc.constantFrom('Round,Slot,ID', 'Stage\tMod\tMap ID', 'NM1 5', 'HD', ',NM2,6', 'Finals,NM,7'),
  fc.constantFrom('Finals', 'Week 2', 'RO16', 'Round of 16', '[box=a]', 'pk1.AQFhAQICrAKFPA', '"'),
  anyCode,
  anyText,
)
const anyPaste = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''))

describe('whatever is pasted', () => {
  it('throws nothing; drafts are valid, and their names those of the rounds', () => {
    const property = fc.property(anyPaste, (text) => {
      for (const { name, draft, packKey } of readRoundsPaste(text).rounds) {
        expect(findProblems({ ...draft, name: name ?? 'any' }, 0)).toEqual([])
        if (packKey === null) expect(draft.name).toBe(name ?? '')
      }
    })
    fc.assert(property, { numRuns: 2000 })
  })

  /** Without the marks of posts and all that is between letters. */
  const letters = (text: string): string =>
    text.replaceAll(/\[\/?(?:heading|b)\]/g, '').replaceAll(/[^\p{L}\p{N}]/gu, '')

  /** Each of these parts of a line is at a place of its own: the longest has fewest. */
  const inOrder = (whole: string, parts: readonly string[]): string[] => {
    let rest = whole
    const placed = parts
      .toSorted((a, b) => b.length - a.length)
      .map((part) => {
        const at = rest.indexOf(part)
        if (at >= 0)
          rest = rest.slice(0, at) + '\n'.repeat(part.length) + rest.slice(at + part.length)
        return { at, part }
      })
    return placed.toSorted((a, b) => a.at - b.at).map(({ part }) => part)
  }

  it('each of its lines is reported once, in a round or apart, but for the name of its own round', () => {
    const property = fc.property(anyPaste, (text) => {
      const { rounds, others } = readRoundsPaste(text)
      fc.pre(rounds.every(({ packKey }) => packKey === null))
      const inRounds = rounds.flatMap(({ name, lines }) => lines.map((line) => ({ ...line, name })))
      const lines = [...inRounds, ...others.map((line) => ({ ...line, name: null }))]
      const all = text.replace(/^\ufeff/, '').replaceAll(/\r\n|\r/g, '\n')
      const written = (all.endsWith('\n') ? all.slice(0, -1) : all).split('\n')
      // A line of several parts, as of a box and what is in it, is reported by each.
      const parts = Map.groupBy(lines, ({ line }) => line)
      const reported = [...parts.keys()]
        .toSorted((a, b) => a - b)
        .map((line): string => {
          const whole = written[line - 1] ?? ''
          const own = parts.get(line)!.map((part) => part.text.replaceAll(/\r\n|\r/g, '\n'))
          const joined = inOrder(whole, own).join('')
          // `Finals NM1 5` is in the round Finals, as `NM1 5`.
          const names = parts.get(line)!.map(({ name }) => name ?? '')
          return names.some((name) => letters(whole) === letters(name + joined)) ? whole : joined
        })
      expect(reported.join('\n')).toBe(written.join('\n'))
    })
    fc.assert(property, {
      numRuns: 1000,
      examples: [
        ['Finals NM1 5'],
        ['Week 2[box=a]2'],
        ['NM1 5\nFinals[/heading]HD1 7'],
        ['[box=a]\u0000'],
      ],
    })
  })
})
