import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { Bucket } from '../../src/contract/pools.ts'
import { completePool, findProblems } from '../../src/pool/checks.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { anyDraft } from './pool-arbitrary.ts'
import { refusalOf } from './refusal.ts'

test('of three that are the same, each later one is told of the first', () => {
  const draft: PoolDraft = {
    name: 'Finals',
    buckets: [
      { code: 'HD' },
      { code: 'RC', color: 0 },
      { code: 'HD' },
      { code: 'rc', color: 0 },
      { code: 'HD' },
      { code: 'rc', color: 0 },
    ].map((bucket): Bucket => bucket as Bucket),
    slots: [1, 2, 3].map((beatmapId) => ({ mod: 'NM', index: 1, beatmapId })),
  }
  const caseOnly = 'must be another code: rc and RC of buckets[1] differ only in case'
  const sameSlot = 'must be another number: slots[0] has the same mod and index'
  expect(findProblems(draft)).toEqual([
    { place: 'buckets[2].code', remedy: 'must be another code: buckets[0] is HD already' },
    { place: 'buckets[3].code', remedy: caseOnly },
    { place: 'buckets[4].code', remedy: 'must be another code: buckets[0] is HD already' },
    { place: 'buckets[5].code', remedy: caseOnly },
    { place: 'slots[1].index', remedy: sameSlot },
    { place: 'slots[2].index', remedy: sameSlot },
  ])
})

describe('an editor sees every problem at once', () => {
  const broken: PoolDraft = {
    name: ' ',
    buckets: [
      { code: 'RC', color: 12, mods: { kind: 'forced', set: ['EZ', 'HR'] } },
      { code: 'rc', color: 0 },
      { code: 'HD' },
    ],
    slots: [
      { mod: 'NM', index: 0, beatmapId: 0 },
      { mod: 'nm', index: 1, beatmapId: 1 },
      { mod: 'HD', index: 1, beatmapId: 1 },
      { mod: 'HD', index: 1, beatmapId: 2 },
    ],
  }

  it('each with its place', () => {
    expect(findProblems(broken).map((problem) => problem.place)).toEqual([
      'name',
      'buckets[0].color',
      'buckets[0].mods.set',
      'buckets[1].code',
      'slots[0].index',
      'slots[0].beatmapId',
      'slots[1].mod',
      'slots[3].index',
    ])
  })

  it('and a save is refused with the first of them', () => {
    expect(refusalOf(() => completePool(broken))).toBe('bad_request: name must not be empty')
  })

  it('names each new code that finds no room, and each only once', () => {
    const codes = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I', 'J', 'J']
    const slots = codes.map((mod, n) => ({ mod, index: n + 1, beatmapId: 1 }))
    const places = findProblems({ name: 'a', slots }).map((problem) => problem.place)
    expect(places).toEqual(['slots[8].mod', 'slots[9].mod'])
  })
})

describe('a draft without problems', () => {
  it('is exactly one that completes', () => {
    fc.assert(
      fc.property(anyDraft, (draft) => {
        expect(findProblems(draft, 0)).toEqual([])
      }),
    )
  })

  it('may be empty only where no save is asked for (spec 2.8)', () => {
    const empty: PoolDraft = { name: 'a', slots: [] }
    expect(findProblems(empty, 0)).toEqual([])
    expect(findProblems(empty)).toEqual([{ place: 'slots', remedy: 'must hold at least 1 slot' }])
  })
})
