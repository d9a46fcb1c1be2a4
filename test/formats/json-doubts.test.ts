import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'
import { wholeReading } from './whole-reading.ts'

const read = (data: unknown) => {
  const { pools, questions, notes } = readImport(JSON.stringify(data))
  const rounds = pools.map(({ name, draft }) => ({
    name,
    slots: draft.slots.map(({ mod, index, beatmapId }) => `${mod ?? '-'}${index} ${beatmapId}`),
  }))
  return { rounds, questions: questions.map(({ text }) => text), notes }
}
/** Names that no program could know. */
const anyField = fc.stringMatching(/^q[a-z]{0,7}w$/)
const shuffled = (count: number) =>
  fc.shuffledSubarray(
    Array.from({ length: count }, (_, at) => at + 1),
    { minLength: count },
  )

describe('fields of slots in data', () => {
  it('are asked about where they number the slots of each bucket in another order, whatever they are called', () => {
    const write = fc.constantFrom(
      (number: number): unknown => number,
      (number: number) => `${number}`,
      (number: number) => `#${number}`,
      (number: number) => `Map ${number}`,
      (number: number) => ({ at: number }),
    )
    const property = fc.property(anyField, write, shuffled(4), shuffled(3), (key, of, nm, hd) => {
      const rows = [...nm.map((number) => ['NM', number]), ...hd.map((number) => ['HD', number])]
      const { rounds, questions } = read(
        rows.map(([mod, number], at) => ({ mod, [key]: of(number as number), id: 1_300_000 + at })),
      )
      const isOrdered = [nm, hd].every((each) => each.every((number, at) => number === at + 1))
      expect(questions.length).toBe(isOrdered ? 0 : 1)
      expect(rounds[0]!.slots.length).toBe(isOrdered ? 7 : 0)
    })
    fc.assert(property)
  })

  it('are asked about, or the slot is left out with a note, where they say that it is in the pool no more', () => {
    const field = fc.constantFrom<Record<string, unknown>>(
      { status: 'removed' },
      { state: 'Banned' },
      { remark: 'not used' },
      { note: 'removed on 3 May' },
      { banned: true },
      { is_banned: 'yes' },
      { unused: 1 },
      { active: false },
      { enabled: 'no' },
      { in_pool: false },
      { backup: true },
      { info: { active: false } },
      { deleted: true },
      { removed: true },
    )
    const property = fc.property(field, fc.boolean(), fc.boolean(), (out, isKeyed, isBare) => {
      const rows = ['NM1', 'NM2', 'HD1'].map((label, at) => ({
        label,
        row: { id: 1_300_000 + at, ...(at === 1 && out) },
      }))
      const data = isKeyed
        ? Object.fromEntries(rows.map(({ label, row }) => [label, row]))
        : rows.map(({ label, row }) =>
            isBare ? { mod: label.slice(0, 2), ...row } : { slot: label, ...row },
          )
      const { rounds, questions, notes } = read(data)
      expect(rounds.flatMap(({ slots }) => slots).some((slot) => slot.endsWith('1300001'))).toBe(
        false,
      )
      expect(questions.length + notes.length).toBeGreaterThan(0)
    })
    fc.assert(property)
  })

  it('that all slots have alike are asked about by no question', () => {
    const { rounds, questions } = read([
      { slot: 'NM1', id: 1_300_000, used: false },
      { slot: 'HD1', id: 1_300_001, used: false },
    ])
    expect([rounds[0]!.slots.length, questions]).toEqual([2, []])
  })

  it('name a player or a team beside numbers that may be scores', () => {
    const who = fc.constantFrom('team', 'player_id', 'username', 'user')
    const scores = fc.array(fc.integer({ min: 10_000, max: 1_200_000 }), {
      minLength: 2,
      maxLength: 5,
    })
    const property = fc.property(who, scores, fc.boolean(), (key, all, isList) => {
      const own = Object.fromEntries(all.map((score, at) => [`NM${at + 1}`, score]))
      const row = { [key]: 'foo', ...own }
      const { rounds, questions } = read(isList ? [row] : row)
      expect(rounds.flatMap(({ slots }) => slots)).toEqual([])
      expect(questions.length).toBe(1)
    })
    fc.assert(property)
    expect(read({ foo: { NM1: 777_777, HD1: 888_888 } }).questions.length).toBe(1)
  })

  it('name two rulesets, of which each has all buckets: one of them is asked', () => {
    const rows = ['osu', 'taiko'].flatMap((ruleset, n) =>
      ['NM', 'HD'].map((mod, at) => ({ ruleset, mod, id: 1_300_000 + n * 10 + at })),
    )
    const { rounds, questions } = read(rows)
    expect([rounds.flatMap(({ slots }) => slots), questions.length]).toEqual([[], 1])
  })

  it('name another beatmap beside that of a slot, which is left out with a note', () => {
    const { rounds, notes } = read({
      NM1: { id: 1_300_000, alt: { id: 1_300_009 } },
      HD1: { id: 1_300_001 },
    })
    expect(rounds[0]!.slots).toEqual(['NM1 1300000', 'HD1 1300001'])
    expect(notes.length).toBe(1)
  })
})

describe('pools in data', () => {
  const pool = (first: number) =>
    ['NM', 'NM', 'HD', 'TB'].map((mod, at) => ({ mod, id: first + at }))
  const wanted = (first: number) =>
    ['NM1', 'NM2', 'HD1', 'TB1'].map((label, at) => `${label} ${first + at}`)

  it('are never one where their buckets begin again, named or not', () => {
    const write = fc.constantFrom(
      (one: unknown[], other: unknown[]): unknown => [one, other],
      (one, other) => [{ maps: one }, { maps: other }],
      (one, other) => [
        { pool_name: 'A', maps: one },
        { pool_name: 'B', maps: other },
      ],
      (one, other) => ({ pools: [{ beatmaps: one }, { beatmaps: other }] }),
    )
    const property = fc.property(write, (of) => {
      const { rounds } = read(of(pool(1_300_000), pool(1_400_000)))
      expect(rounds.map(({ slots }) => slots)).toEqual([wanted(1_300_000), wanted(1_400_000)])
    })
    fc.assert(property)
  })

  it('are parted by a field for the pool, in any order of the rows', () => {
    const field = fc.constantFrom(
      'pool',
      'group',
      'league',
      'session',
      'pool_name',
      'week_no',
      'division',
    )
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8 })
    const property = fc.property(field, order, (key, at) => {
      const rows = [1_300_000, 1_400_000].flatMap((first, n) =>
        pool(first).map((row) => ({ [key]: 'AB'[n], ...row })),
      )
      const { rounds } = read(at.map((each) => rows[each]))
      expect(rounds.map(({ slots }) => slots.length)).toEqual([4, 4])
      for (const { slots } of rounds) {
        expect(new Set(slots.map((slot) => slot.split(' ')[1]!.slice(0, 2))).size).toBe(1)
      }
    })
    fc.assert(property)
  })

  it('go on in the pages of a list', () => {
    const [one, two] = [pool(1_300_000).slice(0, 1), pool(1_300_000).slice(1)]
    expect(read([one, two]).rounds.map(({ slots }) => slots)).toEqual([wanted(1_300_000)])
  })

  it('have no rounds that are named by a word beside the names of buckets', () => {
    const anyWord = fc.stringMatching(/^Q[a-z]{2,8}w$/)
    const property = fc.property(anyWord, fc.integer({ min: 0, max: 2 }), (word, at) => {
      const names = ['NoMod', 'Hidden', 'Tiebreaker']
      names.splice(at, 0, word)
      const { rounds, questions } = read(names.map((name, n) => ({ name, maps: [1_300_000 + n] })))
      expect(rounds.length).toBe(1)
      expect(questions.length).toBe(1)
    })
    fc.assert(property)
  })
})

describe('fields that say a slot is out', () => {
  it.each<[string, string, string[]]>([
    [
      'leave it out with a note where it is removed, and say so once for all',
      '[{"slot":"NM1","id":75001},{"slot":"HD1","id":75002,"removed":true},{"slot":"HR1","id":75003,"deleted":1},{"mod":"DT","id":75004,"archived":true},{"slot":"FM1","id":75005,"archived":false}]',
      [
        'NM1 75001, FM1 75005',
        '* HD1 (“removed: true”), HR1 (“deleted: 1”), DT (“archived: true”) was left out.',
      ],
    ],
    [
      'are asked where they say so by a word, a date, a name or a reason',
      '[{"slot":"NM1","id":75001,"status":"banned"},{"slot":"NM2","id":75002,"status":"ok"}]',
      [
        'NM2 75002',
        '? “status: banned” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'are asked where they say so by a word, a date, a name or a reason',
      '[{"slot":"NM1","id":75001,"removed_at":"2026-01-01"},{"slot":"NM2","id":75002,"removed_at":null}]',
      [
        'NM2 75002',
        '? “removed_at: 2026-01-01” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'are asked where they say so by a word, a date, a name or a reason',
      '[{"slot":"NM1","id":75001,"removed":{"by":"Ada"}},{"slot":"NM2","id":75002}]',
      [
        'NM2 75002',
        '? “removed: Ada” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'are asked where they say so by a word, a date, a name or a reason',
      '[{"slot":"NM1","id":75001,"state":{"name":"removed"}},{"slot":"NM2","id":75002,"state":{"name":"final"}}]',
      [
        'NM2 75002',
        '? “state: removed” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'are asked where they say so by a word, a date, a name or a reason',
      '[{"slot":"NM1","id":75001,"in_pool":false},{"slot":"NM2","id":75002,"in_pool":true}]',
      [
        'NM2 75002',
        '? “in_pool: false” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'are asked where they say so by a word, a date, a name or a reason',
      '[{"slot":"NM1","id":75001,"disabledAt":1767225600},{"slot":"NM2","id":75002}]',
      [
        'NM2 75002',
        '? “disabledAt: 1767225600” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'are none where a number counts, where all have it, or where it is about another beatmap',
      '[{"slot":"NM1","id":75001,"banned":3},{"slot":"NM2","id":75002,"banned":1}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'are none where a number counts, where all have it, or where it is about another beatmap',
      '[{"slot":"NM1","id":75001,"used":false},{"slot":"NM2","id":75002,"used":false}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'are none where a number counts, where all have it, or where it is about another beatmap',
      '[{"slot":"NM1","id":75001,"title":"Removed"},{"slot":"NM2","id":75002,"title":"x"}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'are none where a number counts, where all have it, or where it is about another beatmap',
      '[{"slot":"NM1","id":75001,"removed":75009},{"slot":"NM2","id":75002}]',
      ['NM1 75001, NM2 75002', '* “removed” was left out.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('numbers in a field that contradict the places of slots', () => {
  it.each<[string, string, string[]]>([
    [
      'are asked where they count in each bucket, or through all',
      '[{"mods":"NM","qq":2,"id":75001},{"mods":"NM","qq":1,"id":75002},{"mods":"HD","qq":1,"id":75003}]',
      [
        '? The fields “qq” and “NM” name different slots. Which one is it? | The one in “qq” | It is NM1',
      ],
    ],
    [
      'are asked where they count in each bucket, or through all',
      '[{"mods":"NM","qq":3,"id":75001},{"mods":"NM","qq":2,"id":75002},{"mods":"HD","qq":1,"id":75003}]',
      [
        '? The fields “qq” and “NM” name different slots. Which one is it? | The one in “qq” | It is NM1',
      ],
    ],
    [
      'are asked where they count in each bucket, or through all',
      '[{"mods":"NM","qq":"Map 2","id":75001},{"mods":"NM","qq":"Map 1","id":75002}]',
      [
        '? The fields “qq” and “NM” name different slots. Which one is it? | The one in “qq” | It is NM1',
      ],
    ],
    [
      'are none where they are the places, where one is missing or twice, or where they begin above 1',
      '[{"mods":"NM","qq":1,"id":75001},{"mods":"NM","qq":2,"id":75002},{"mods":"HD","qq":1,"id":75003}]',
      ['NM1 75001, NM2 75002, HD1 75003'],
    ],
    [
      'are none where they are the places, where one is missing or twice, or where they begin above 1',
      '[{"mods":"NM","qq":2,"id":75001},{"mods":"NM","qq":2,"id":75002},{"mods":"HD","qq":1,"id":75003}]',
      ['NM1 75001, NM2 75002, HD1 75003'],
    ],
    [
      'are none where they are the places, where one is missing or twice, or where they begin above 1',
      '[{"mods":"NM","qq":2,"id":75001},{"mods":"NM","id":75002},{"mods":"HD","qq":1,"id":75003}]',
      ['NM1 75001, NM2 75002, HD1 75003'],
    ],
    [
      'are none where they are the places, where one is missing or twice, or where they begin above 1',
      '[{"mods":"NM","qq":4,"id":75001},{"mods":"NM","qq":3,"id":75002}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'are none where they are the places, where one is missing or twice, or where they begin above 1',
      '[{"mods":"NM","qq":5,"id":75001},{"mods":"NM","qq":1,"id":75002}]',
      ['NM1 75001, NM2 75002'],
    ],
    [
      'are none beside labels that have numbers of their own',
      '[{"slot":"NM1","qq":2,"id":75001},{"slot":"NM2","qq":1,"id":75002}]',
      ['NM1 75001, NM2 75002'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('a field that parts slots into groups with all buckets each', () => {
  it.each<[string, string, string[]]>([
    [
      'is asked: they may be of as many rounds',
      '[{"ruleset":"osu","mod":"NM","id":75001},{"ruleset":"osu","mod":"HD","id":75002},{"ruleset":"mania","mod":"NM","id":75003},{"ruleset":"mania","mod":"HD","id":75004}]',
      [
        '? In “ruleset”, the rows are of several groups with the same buckets. Is each group a round? | Yes, such as “osu” | No, they are one pool',
      ],
    ],
    [
      'is asked: they may be of as many rounds',
      '[{"mode":0,"mod":"NM","id":75001},{"mode":0,"mod":"HD","id":75002},{"mode":1,"mod":"NM","id":75003},{"mode":1,"mod":"HD","id":75004}]',
      [
        '? In “mode”, the rows are of several groups with the same buckets. Is each group a round? | Yes, such as “osu” | No, they are one pool',
      ],
    ],
    [
      'is asked: they may be of as many rounds',
      '[{"zone":"x","mod":"NM","id":75001},{"zone":"x","mod":"HD","id":75002},{"zone":"y","mod":"NM","id":75003},{"zone":"y","mod":"HD","id":75004}]',
      [
        '? In “zone”, the rows are of several groups with the same buckets. Is each group a round? | Yes, such as “x” | No, they are one pool',
      ],
    ],
    [
      'is none where a group lacks a bucket, or where it is a detail of the beatmap',
      '[{"zone":"x","mod":"NM","id":75001},{"zone":"x","mod":"HD","id":75002},{"zone":"y","mod":"NM","id":75003},{"zone":"y","mod":"NM","id":75004}]',
      ['NM1 75001, HD1 75002, NM2 75003, NM3 75004'],
    ],
    [
      'is none where a group lacks a bucket, or where it is a detail of the beatmap',
      '[{"bpm":180,"mod":"NM","id":75001},{"bpm":180,"mod":"HD","id":75002},{"bpm":190,"mod":"NM","id":75003},{"bpm":190,"mod":"HD","id":75004}]',
      ['NM1 75001, HD1 75002, NM2 75003, HD2 75004'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('what is below a key that says it is not the pool', () => {
  it.each<[string, string, string[]]>([
    [
      'is left out beside a pool, with a note',
      '{"pool":{"NM1":75001},"old_pool":{"HD1":75002},"suggestions":[{"slot":"HR1","id":75003}]}',
      ['NM1 75001', '* “old_pool” was left out.', '* “suggestions” was left out.'],
    ],
    [
      'is asked where it is all there is',
      '{"suggestions":{"NM1":75001,"HD1":75002}}',
      [
        '? “suggestions” says that this is not the pool. Is it the pool? | No, leave it out | Yes, use it',
      ],
    ],
    [
      'is any other beatmap of a slot',
      '[{"slot":"NM1","id":75001,"alt":75009},{"slot":"HD1","id":75002,"replacement":"75008"},{"slot":"HR1","id":75003,"video":"https://osu.ppy.sh/b/75007"},{"slot":"DT1","id":75004,"spare":5}]',
      [
        'NM1 75001, HD1 75002, HR1 75003, DT1 75004',
        '* “alt” was left out.',
        '* “replacement” was left out.',
        '* “video” was left out.',
      ],
    ],
    [
      'is any other beatmap of a slot',
      '{"NM1":{"id":75001,"alt":75009},"HD1":75002,"backup":75003}',
      ['NM1 75001, HD1 75002', '* “alt” was left out.', '* “backup” was left out.'],
    ],
  ])('%s', (_, text, read) => expect(wholeReading(text)).toEqual(read))
})

describe('a key of signs alone beside keys of slots', () => {
  it('is asked about, since its number may be a beatmap', () => {
    const key = fc.stringMatching(/^[-_#?*.!~]{0,4}$/)
    const property = fc.property(key, fc.integer({ min: 100_000, max: 5_000_000 }), (key, id) => {
      const { questions, rounds } = read({ NM1: 129_891, [key]: id, HD1: 129_892 })
      expect(rounds[0]!.slots).toEqual(['NM1 129891', 'HD1 129892'])
      expect([key, questions]).toEqual([key, [`Are the numbers in “${key}” beatmap ids?`]])
    })
    fc.assert(property, { numRuns: 40 })
  })
})
