import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { IndexEntry } from '../../src/contract/search-index.ts'
import { createOrders, readColumns, readEntries } from '../../src/web/browse/columns.ts'
import { findPacks } from '../../src/web/browse/find-packs.ts'
import { anything, type Criteria, orderOf } from '../../src/web/browse/search-state.ts'
import { madeUpIndex } from '../support/made-up-index.ts'

/** A pack whose stats are not computed yet. */
const bare = (s: string): IndexEntry => ({
  s,
  n: s,
  o: 'Ada',
  c: 12,
  d: '',
  u: '2026-10-01T00:00:00.000Z',
  t: '2026-10-01T00:00:00.000Z',
})

const known = {
  l: [90, 240],
  b: [160, 240],
  m: 'NM,HD',
  g: 'base',
  k: true,
} satisfies Partial<IndexEntry>

const pack = (s: string, changes: Partial<IndexEntry> = {}): IndexEntry => ({
  ...bare(s),
  ...known,
  r: [5, 7],
  a: 6,
  ...changes,
})

const look = (packs: readonly IndexEntry[], wanted: Partial<Criteria>) => {
  const columns = readColumns(packs)
  const criteria = { ...anything, ...wanted }
  const order = createOrders(columns)(orderOf(criteria), criteria.isReversed)
  const found = findPacks(columns, order, criteria)
  return { ...found, slugs: [...found.rows].map((row) => packs[row]?.s) }
}

describe('ranges', () => {
  const packs = [
    pack('low', { r: [3, 5.5], a: 4, l: [60, 120], b: [100, 160], c: 4 }),
    pack('mid'),
    pack('high', { r: [6.5, 9], a: 8, l: [200, 400], b: [200, 320], c: 30 }),
  ]

  it.each<[Partial<Criteria>, string[]]>([
    [{ stars: [6, 6] }, ['mid']],
    [{ stars: [6.01, null] }, ['high']],
    [{ stars: [null, 6] }, ['low', 'mid']],
    [{ length: [90, 240] }, ['mid']],
    [{ length: [null, 239] }, ['low']],
    [{ length: [91, null] }, ['high']],
    [{ bpm: [160, null] }, ['mid', 'high']],
    [{ bpm: [null, 319] }, ['low', 'mid']],
    [{ beatmaps: [5, 30] }, ['mid', 'high']],
    [{ stars: [5, null], beatmaps: [null, 12] }, ['mid']],
  ])('%j hold the average stars, every length and BPM, and the number of maps', (wanted, slugs) => {
    expect(look(packs, wanted).slugs).toEqual(slugs)
  })
})

describe('mods and rulesets', () => {
  const packs = [
    pack('a', { m: 'NM,HD,DT', g: 'base' }),
    pack('b', { m: 'NM,EZ', g: 'taiko,mania' }),
    pack('c', { m: '', g: '' }),
  ]

  it.each<[Partial<Criteria>, string[]]>([
    [{ mods: ['NM'] }, ['a', 'b']],
    [{ mods: ['NM', 'DT'] }, ['a']],
    [{ mods: ['FL'] }, []],
    [{ rulesets: ['base', 'mania'] }, ['a', 'b']],
    [{ rulesets: ['taiko'], mods: ['EZ'] }, ['b']],
  ])('%j: all mods, any ruleset', (wanted, slugs) => {
    expect(look(packs, wanted).slugs).toEqual(slugs)
  })
})

describe('packs without stats', () => {
  const unknownStars = { ...bare('no-stars'), ...known }
  const packs = [pack('known'), bare('bare'), unknownStars]

  it('are there like others while no filter asks for stats', () => {
    const { slugs, unrated } = look(packs, { beatmaps: [12, 12] })
    expect([slugs, unrated]).toEqual([['known', 'bare', 'no-stars'], 0])
  })

  it('are counted when one does, and left out', () => {
    const { slugs, unrated } = look(packs, { stars: [5, 7] })
    expect([slugs, unrated]).toEqual([['known'], 2])
  })

  it('are judged by what is known of them', () => {
    expect(look(packs, { mods: ['HD'] }).slugs).toEqual(['known', 'no-stars'])
    expect(look(packs, { stars: [5, 7], bpm: [500, null] }).unrated).toBe(1)
  })

  it('are shown when one wants to see them', () => {
    const { slugs, unrated } = look(packs, { stars: [5, 7], showsUnrated: true })
    expect([slugs, unrated]).toEqual([['known', 'bare', 'no-stars'], 2])
  })
})

describe('histograms', () => {
  const packs = [pack('a', { a: 2 }), pack('b', { a: 6 }), pack('c', { a: 6.1 }), bare('d')]
  const filled = (bars: Uint16Array) =>
    [...bars].flatMap((count, bin) => (count === 0 ? [] : [[bin, count]]))

  it('count each pack at its average stars, a quarter star a bar', () => {
    expect(filled(look(packs, {}).histograms.stars)).toEqual([
      [8, 1],
      [24, 2],
    ])
  })

  it('count a pack in every bar that its lengths or BPM reach', () => {
    const { length } = look([pack('a', { l: [30, 61] })], {}).histograms
    expect(filled(length)).toEqual([
      [2, 1],
      [3, 1],
      [4, 1],
    ])
  })

  it('hold what lies beyond the scale in the outer bars', () => {
    const { stars, length } = look([pack('a', { a: 12.5, l: [700, 5000] })], {}).histograms
    expect([filled(stars), filled(length)]).toEqual([[[39, 1]], [[39, 1]]])
  })

  it('leave their own filter out, and no other', () => {
    const byStars = look(packs, { stars: [6, null] }).histograms
    expect(filled(byStars.stars)).toEqual([
      [8, 1],
      [24, 2],
    ])
    expect(filled(byStars.beatmaps).map(([, count]) => count)).toEqual([2])
    expect(filled(look(packs, { beatmaps: [13, null] }).histograms.stars)).toEqual([])
  })
})

describe('orders', () => {
  const packs = [
    pack('b', { n: 'Cup 10', u: '2026-10-03T00:00:00.000Z', a: 5, c: 9, l: [1, 90], b: [1, 300] }),
    pack('a', { n: 'cup 9', u: '2026-10-05T00:00:00.000Z', a: 7, c: 4, l: [2, 80], b: [2, 310] }),
    bare('Z'),
    pack('c', { n: 'Bowl', u: '2026-10-04T00:00:00.000Z', a: 6, c: 5, l: [3, 70], b: [3, 320] }),
  ]

  it.each([
    ['created', ['b', 'a', 'Z', 'c']],
    ['updated', ['a', 'c', 'b', 'Z']],
    ['name', ['c', 'a', 'b', 'Z']],
    ['stars', ['a', 'c', 'b', 'Z']],
    ['length', ['b', 'a', 'c', 'Z']],
    ['bpm', ['c', 'a', 'b', 'Z']],
    ['beatmaps', ['Z', 'b', 'c', 'a']],
  ] as const)('by %s', (sort, slugs) => {
    expect(look(packs, { sort }).slugs).toEqual(slugs)
  })

  it.each([
    ['created', ['c', 'Z', 'a', 'b']],
    ['name', ['Z', 'b', 'a', 'c']],
    ['stars', ['b', 'c', 'a', 'Z']],
  ] as const)('by %s reversed: what is not known stays last', (sort, slugs) => {
    expect(look(packs, { sort, isReversed: true }).slugs).toEqual(slugs)
  })
})

describe('5,000 packs', () => {
  it('cost less to go through at each step of a slider than twenty searches of their text', () => {
    const { packs } = madeUpIndex(5_000)
    const columns = readColumns(packs)
    const order = createOrders(columns)('stars', false)
    const text = JSON.stringify(packs).toLowerCase()
    const took = (work: () => unknown) => {
      const begun = process.threadCpuUsage()
      work()
      const { user, system } = process.threadCpuUsage(begun)
      return user + system
    }
    const rounds = Array.from({ length: 15 }, (_, at) => {
      const criteria = { ...anything, stars: [4 + at / 10, 7] as const }
      return [
        took(() => findPacks(columns, order, criteria)),
        took(() => {
          for (let time = 0; time < 20; time += 1) text.includes(`nowhere ${at} ${time}`)
        }),
      ]
    })
    const [finding, searching] = [0, 1].map(
      (which) => rounds.map((round) => round[which]!).toSorted((a, b) => a - b)[7],
    )
    expect(finding).toBeLessThan(searching!)
  })
})

describe('the index is read', () => {
  it('as JSON is, whatever names say', async () => {
    const evil = fc.stringMatching(/^[[\]{},:"\\sn]{0,12}$/)
    const entry = fc.tuple(evil, evil).map(([n, d]) => ({ ...bare('abc'), n, d: d.repeat(900) }))
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { maxLength: 30 }), async (packs) => {
        expect(await readEntries(JSON.stringify({ v: 1, packs }))).toEqual(packs)
      }),
      { numRuns: 50 },
    )
  })

  it('also when its parts come in another order', async () => {
    const packs = [{ n: 'Autumn Cup', s: 'abc' }]
    expect(await readEntries(JSON.stringify({ packs, v: 1 }))).toEqual(packs)
  })

  it('in portions: the page answers after each 64 KB', async () => {
    const index = madeUpIndex(2_000)
    const text = JSON.stringify(index)
    let answers = 0
    let isRead = false
    const answer = (): void => {
      answers += 1
      if (!isRead) setImmediate(answer)
    }
    setImmediate(answer)
    expect(await readEntries(text)).toEqual(index.packs)
    isRead = true
    expect(answers).toBeGreaterThanOrEqual(Math.floor(text.length / 70_000) - 1)
  })
})
