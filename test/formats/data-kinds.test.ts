import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_BRACKET, mayBeBracket } from '../../src/formats/import/data/bracket-rounds.ts'
import { readImport } from '../../src/formats/import/read-import.ts'

const codes = ['NM', 'HD', 'HR', 'DT', 'FM', 'RC', 'LN']
const anyId = fc.integer({ min: 10_000, max: 5_999_999 })
/** Slots in pool order, numbered in their buckets. */
const anySlots = fc
  .uniqueArray(anyId, { minLength: 3, maxLength: 16 })
  .chain((ids) =>
    fc.tuple(...ids.map((id) => fc.tuple(fc.constantFrom(...codes), fc.constant(id)))),
  )
  .map((slots) => {
    const counts = new Map<string, number>()
    const inOrder = slots.toSorted(([a], [b]) => codes.indexOf(a) - codes.indexOf(b))
    return inOrder.map(([code, id]) => {
      const index = (counts.get(code) ?? 0) + 1
      counts.set(code, index)
      return { code, index, label: `${code}${index}`, id }
    })
  })
const texts = ({ label, id }: { label: string; id: number }) => `${label}=${id}`

const read = (value: unknown, answers: readonly (readonly [string, string])[] = []) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 1)
  const { pools, questions, others } = readImport(text, { answers: new Map(answers) })
  const lines = [...pools.flatMap((pool) => pool.lines), ...others]
  return {
    rounds: pools.map(({ name, round }) => ({
      name,
      slots: round.slots.map(
        ({ mod, index, beatmapId }) => `${mod ?? '-'}${index}=${beatmapId ?? ''}`,
      ),
    })),
    questions: questions.length,
    refused: lines.filter(({ outcome }) => outcome === 'refused').length,
  }
}

const anyNumbers = fc.array(fc.integer({ min: 1, max: 200_000_000 }), { maxLength: 8 })
const aTeam = fc.record({
  FullName: fc.string(),
  Acronym: fc.constantFrom('JP', 'KR', 'NM1'),
  Seed: fc.constantFrom('1', '2'),
  SeedingResults: fc.array(
    fc.record({
      Mod: fc.constantFrom(...codes),
      Beatmaps: fc.array(fc.record({ ID: anyId, Score: anyId, Seed: fc.nat(32) })),
    }),
    { maxLength: 3 },
  ),
  Players: fc.array(fc.record({ id: anyId, Username: fc.string() }), { maxLength: 4 }),
})

describe('a bracket.json of the tournament client', () => {
  it('may be four times as long as any other text, which opens with no brace', () => {
    for (const before of ['', '\ufeff', ' \n\t', '\u200b\u2060']) {
      expect(mayBeBracket(`${before}{"Rounds": [`)).toBe(true)
    }
    expect(LONGEST_BRACKET).toBe(4_000_000)
    const tooLong = readImport('x'.repeat(1_000_001))
    for (const before of ['see: ', '[', '\u0007', '!mp map 75\n']) {
      const text = `${before}{"Rounds": [`.padEnd(1_000_001)
      const { shape, pools } = readImport(text)
      expect([shape.why, pools.length]).toEqual([tooLong.shape.why, 0])
    }
  })

  it('is its rounds, whatever stands beside them', () => {
    const bracket = fc
      .record({
        rounds: fc.array(anySlots, { minLength: 1, maxLength: 4 }),
        matches: anyNumbers,
        teams: fc.array(aTeam, { maxLength: 3 }),
        empty: fc.nat(2),
      })
      .map(({ rounds, matches, teams, empty }) => ({
        rounds,
        empty,
        file: {
          Ruleset: { ShortName: 'mania', OnlineID: 3 },
          Matches: matches.map((ID) => ({
            ID,
            Team1Acronym: 'JP',
            PicksBans: [{ BeatmapID: ID }],
          })),
          Rounds: rounds.map((slots, at) => ({
            Name: `Round ${at + 1}`,
            BestOf: 9,
            BanCount: 2,
            Matches: matches,
            Beatmaps: [
              ...slots.map(({ code, id }) => ({
                ID: id,
                Mods: code,
                BeatmapInfo: { OnlineID: id + 1 },
              })),
              ...Array.from({ length: empty }, () => ({})),
            ],
          })),
          Teams: teams,
          Progressions: matches.map((SourceID) => ({ SourceID, TargetID: SourceID })),
        },
      }))
    fc.assert(
      fc.property(bracket, ({ rounds, empty, file }) => {
        const open = Array.from({ length: empty }, (_, at) => `-${at + 1}=`)
        expect(read(file)).toEqual({
          rounds: rounds.map((slots, at) => ({
            name: `Round ${at + 1}`,
            slots: [...slots.map(texts), ...open],
          })),
          questions: 0,
          refused: 0,
        })
      }),
    )
  })
})

describe('data about something else', () => {
  const aName = fc.constantFrom('Kestrel', 'まろん', '556', 'f529677571', 'ne ko')
  const kinds = {
    'players and their numbers': fc.array(
      fc.record({ team_name: aName, player_ids: anyNumbers, player_names: fc.array(aName) }),
      { minLength: 1 },
    ),
    'results of teams': fc.array(
      fc.record({
        teamName: aName,
        players: anyNumbers,
        maps: fc.array(
          fc.record({ pick: fc.constantFrom('Stage 1', 'NM1'), beatmapID: anyId, score: anyId }),
        ),
      }),
      { minLength: 1 },
    ),
    scores: fc.array(fc.record({ beatmapId: anyId, playerId: anyId, score: anyId }), {
      minLength: 1,
    }),
    'names by team': fc.dictionary(
      fc.constantFrom('安徽A', 'Team B'),
      fc.array(aName, { minLength: 2 }).map((names) => ['Caraa', ...names]),
      { minKeys: 1 },
    ),
  }

  it.each(Object.entries(kinds))('gives no slot: %s', (_, kind: fc.Arbitrary<unknown>) => {
    fc.assert(
      fc.property(kind, (value) => {
        const { rounds, questions } = read(value)
        const slots = rounds.flatMap((round) => round.slots)
        expect(questions === 0 ? slots : []).toEqual([])
      }),
    )
  })
})

const bucketOf = ({ label }: { readonly label: string }): string => label.replace(/[0-9]+$/, '')

describe('a pool in other forms of data', () => {
  const forms = {
    'rows with a header': (slots) => [
      ['Slot', 'Title', 'Beatmap ID'],
      ...slots.map(({ label, id }) => [label, 'Reef Lights', id]),
    ],
    'rows without one': (slots) => slots.map(({ label, id }) => [label, id, 'Reef Lights']),
    'two lists in the same order': (slots) => ({
      labels: slots.map(({ label }) => label),
      ids: slots.map(({ id }) => id),
    }),
    'keys in another language': (slots) => ({
      图池: slots.map(({ label, id }) => ({ 位置: label, 谱面ID: id, 标题: '第九把伞' })),
    }),
    'buckets with their lists, in pairs': (slots) =>
      [...Map.groupBy(slots, bucketOf)].map(([code, own]) => [code, own.map(({ id }) => id)]),
    'objects in another one, under a key that is called as buckets are': (slots) =>
      slots.map(({ label, id }, at) =>
        at % 2 ? { group: { slot: label, id } } : { slot: label, id },
      ),
    'mods as a program writes them': (slots) =>
      slots.map((slot) => {
        return { mods: bucketOf(slot) === 'NM' ? 'None' : bucketOf(slot), beatmap_id: slot.id }
      }),
    'rows with their mods so': (slots) =>
      ['Mods,Map ID']
        .concat(slots.map((slot) => `${bucketOf(slot)},${slot.id}`.replace('NM', 'None')))
        .join('\n'),
    'rows of a database': (slots) =>
      slots.map(({ label, id }, at) => ({ id: 4000 + at, label, beatmap_id: id })),
    'behind comments': (slots) =>
      `// as of Sunday\n${JSON.stringify(slots.map(({ label, id }) => ({ slot: label, id })))}`,
  } satisfies Record<string, (slots: readonly { label: string; id: number }[]) => unknown>

  /** Numbers without a name that are mostly as large as scores, and none above a million, are asked. */
  const mayBeScores = (slots: readonly { readonly id: number }[]): boolean =>
    slots.every(({ id }) => id <= 1_000_000) &&
    slots.filter(({ id }) => id >= 400_000).length * 2 > slots.length

  it.each(Object.entries(forms))('%s', (name, write) => {
    const areScores = [400_000, 500_001, 10_000, 1_000_000].map((id, at) => {
      return { code: 'NM', index: at + 1, label: `NM${at + 1}`, id }
    })
    fc.assert(
      fc.property(anySlots, (slots) => {
        const { questions, refused } = read(write(slots))
        const isAsked = name === 'rows without one' && mayBeScores(slots)
        expect([questions, refused]).toEqual([isAsked ? 1 : 0, 0])
        const { rounds } = read(write(slots), isAsked ? [['*', 'b']] : [])
        expect(rounds.flatMap((round) => round.slots)).toEqual(slots.map(texts))
      }),
      { examples: [[areScores]] },
    )
  })

  it('keeps the place of a beatmap that is not there yet', () => {
    expect(read([{ id: 4, label: 'NM1', beatmap_id: null }]).rounds[0]?.slots).toEqual(['NM1='])
    expect(read({ NM: { 1: 75, 2: null } }).rounds[0]?.slots).toEqual(['NM1=75', 'NM2='])
    const nested = [{ slot: 'NM1', beatmap: { id: null, set: 7 } }]
    expect(read(nested).rounds[0]?.slots).toEqual(['NM1='])
  })

  it.each([
    [[{ beatmapId: 75, pick: 'HiS1' }], 'HiS1=75'],
    [[{ beatmapId: 75, pick: 'MD' }], 'MD1=75'],
    [[{ beatmapId: 75, identifier: 'PRE', mods: 'NM' }], 'PRE1=75'],
    [{ round: 'QUARTERFINALS', NM1: 75 }, 'NM1=75'],
  ])('takes a label as it is: %j', (value, slot) => {
    const { rounds, questions } = read(value)
    expect([rounds[0]?.slots, questions]).toEqual([[slot], 0])
  })

  it('asks where a label that is no known form belongs, and names a round of pairs', () => {
    expect(read([{ beatmapId: 75, modId: '1EZDT' }]).questions).toBe(1)
    expect(read({ round: 'QUARTERFINALS', NM1: 75 }).rounds[0]?.name).toBe('QUARTERFINALS')
  })
})
