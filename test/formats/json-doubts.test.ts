import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readImport } from '../../src/formats/import/read-import.ts'

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
