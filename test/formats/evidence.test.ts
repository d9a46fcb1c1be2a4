import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_BEATMAP_ID } from '../../src/contract/bounds.ts'
import { type Evidence, isDoubt, type LookedUp } from '../../src/formats/import/evidence.ts'
import { type Import, readImport } from '../../src/formats/import/read-import.ts'

const facts = (stars = 6, ruleset: 'base' | 'taiko' | 'fruits' | 'mania' = 'base') => ({
  stars,
  ruleset,
})
const codes = ['NM', 'HD', 'HR', 'DT', 'FM']
/** A pool of so many slots in all buckets, and what the platform knows of it. */
const aPool = fc
  .record({
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 5_999_999 }), { minLength: 8, maxLength: 20 }),
    ruleset: fc.constantFrom(
      'base' as const,
      'taiko' as const,
      'fruits' as const,
      'mania' as const,
    ),
    level: fc.double({ min: 2, max: 9, noNaN: true }),
    spread: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ ids, ruleset, level, spread }) => ({
    ids,
    ruleset,
    text: ids.map((id, at) => `${codes[at % 5]}${Math.floor(at / 5) + 1} ${id}`).join('\n'),
    evidence: new Map<number, LookedUp>(
      ids.map((id, at) => [id, facts(level * (0.75 + ((at * spread) % 1) / 2), ruleset)]),
    ),
  }))
const asks = ({ questions }: Import) => questions.map(({ id }) => id)
const idsOf = ({ pools }: Import) =>
  pools.flatMap(({ draft }) => draft.slots.map(({ beatmapId }) => beatmapId))

describe('evidence for what reads like a beatmap (D-90)', () => {
  it('asks nothing of a pool of beatmaps that are alike, nor of one that was not looked up', () => {
    fc.assert(
      fc.property(aPool, fc.integer({ min: 0, max: 20 }), ({ text, evidence, ids }, count) => {
        const some: Evidence = new Map([...evidence].slice(0, count))
        expect(asks(readImport(text, { evidence: some }))).toEqual([])
        expect(readImport(text, { evidence: some }).beatmapIds).toEqual(ids)
      }),
    )
  })

  it('asks once for all that the platform does not have, and keeps them or leaves their slots open', () => {
    fc.assert(
      fc.property(aPool, fc.integer({ min: 1, max: 5 }), ({ text, evidence, ids }, count) => {
        const gone = ids.slice(0, count)
        const all = { evidence: new Map(evidence) }
        for (const id of gone) all.evidence.set(id, 'gone')
        const read = readImport(text, all)
        expect(asks(read)).toEqual(['unknown'])
        expect(read.questions[0]!.lines).toEqual(gone.map((_, at) => at + 1))
        const used = readImport(text, { ...all, answers: new Map([['unknown', 'b']]) })
        expect(idsOf(used)).toEqual(ids)
        const left = readImport(text, { ...all, answers: new Map([['unknown', 'a']]) })
        expect(idsOf(left)).toEqual(ids.slice(count))
        expect(left.pools[0]!.round.slots).toHaveLength(ids.length)
      }),
    )
  })

  it('asks about the one of another ruleset, and about stars that are far off', () => {
    fc.assert(
      fc.property(aPool, fc.boolean(), ({ text, evidence, ids, ruleset }, isRuleset) => {
        const other = ruleset === 'base' ? 'mania' : 'base'
        const [first = 0] = ids
        const odd = isRuleset ? facts(6, other) : facts(60, ruleset)
        const read = readImport(text, { evidence: new Map([...evidence, [first, odd] as const]) })
        expect(asks(read)).toEqual([isRuleset ? 'ruleset' : 'stars'])
        expect(read.questions[0]!.text).toContain(String(first))
        expect(asks(read).every(isDoubt)).toBe(true)
      }),
    )
  })

  it('asks about one among five or more that is of another ruleset, or has far fewer or more stars', () => {
    const small = fc.record({
      level: fc.double({ min: 4, max: 8, noNaN: true }),
      count: fc.integer({ min: 3, max: 10 }),
      odd: fc.constantFrom(facts(0), facts(1), facts(0, 'mania')),
      place: fc.nat({ max: 2 }),
    })
    fc.assert(
      fc.property(small, ({ level, count, odd, place }) => {
        const ids = Array.from({ length: count }, (_, at) => 1_000_000 + at)
        const text = ids.map((id, at) => `${codes[at % 5]}${Math.floor(at / 5) + 1} ${id}`)
        const stars = odd.stars === 0 ? level * 0.25 : level * 4.2
        const own = odd.ruleset === 'base' ? facts(stars) : facts(level, odd.ruleset)
        const evidence: Evidence = new Map(
          ids.map((id, at) => [id, at === place ? own : facts(level * (0.9 + at / 20))]),
        )
        const read = readImport(text.join('\n'), { evidence })
        // A few show nothing: friends put together what they like.
        const doubt = odd.ruleset === 'base' ? 'stars' : 'ruleset'
        expect(asks(read)).toEqual(count < 5 ? [] : [doubt])
        if (count >= 5) expect(read.questions[0]!.lines).toEqual([place + 1])
      }),
    )
  })

  it('does not compare what has no slot: a collection may hold anything', () => {
    const evidence: Evidence = new Map([
      [11, facts(1)],
      [12, facts(9, 'mania')],
      [13, facts(2, 'taiko')],
      [14, facts(6)],
      [15, facts(7)],
    ])
    const ids = [...evidence.keys()].map((id) => `https://osu.ppy.sh/b/${id}`)
    expect(asks(readImport(ids.join('\n'), { evidence }))).toEqual([])
  })

  it('numbers the other questions as if nothing had been looked up', () => {
    const text = 'NM1 75\nHD1/HD2 https://osu.ppy.sh/b/129891\nDT1 131564'
    const plain = readImport(text)
    const evidence: Evidence = new Map([[75, 'gone' as const]])
    expect(asks(plain)).toEqual(['1'])
    expect(asks(readImport(text, { evidence }))).toEqual(['unknown', '1'])
    expect(['unknown', '1'].map(isDoubt)).toEqual([true, false])
  })
})

it('is asked of each id once that a beatmap may have, whatever is written', () => {
  const ids = fc.array(
    fc.oneof(
      fc.integer({ min: 20_000, max: 6_000_000 }),
      fc.constantFrom(0, 1, MAX_BEATMAP_ID, MAX_BEATMAP_ID + 1, 99_999_999_999),
    ),
    { minLength: 1, maxLength: 8 },
  )
  const forms = fc.constantFrom(
    (slot: string, id: number) => `${slot} ${id}`,
    (slot: string, id: number) => `${slot}: https://osu.ppy.sh/b/${id}`,
    (slot: string, id: number) => `- [${slot}](https://osu.ppy.sh/beatmapsets/1#osu/${id})`,
  )
  fc.assert(
    fc.property(ids, forms, (written, form) => {
      const text = written.map((id, at) => form(`NM${at + 1}`, id)).join('\n')
      const { beatmapIds, pools } = readImport(text)
      const possible = new Set(written.filter((id) => id >= 1 && id <= MAX_BEATMAP_ID))
      const placed = pools.flatMap(({ draft }) => draft.slots.map(({ beatmapId }) => beatmapId))
      expect(new Set(beatmapIds).size).toBe(beatmapIds.length)
      expect(beatmapIds.filter((id) => !possible.has(id))).toEqual([])
      expect(placed.filter((id) => !beatmapIds.includes(id))).toEqual([])
    }),
  )
})
