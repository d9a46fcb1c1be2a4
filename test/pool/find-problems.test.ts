import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completePool, findProblems } from '../../src/pool/checks.ts'
import type { PoolDraft } from '../../src/pool/pool.ts'
import { anyDraft } from './pool-arbitrary.ts'
import { refusalOf } from './refusal.ts'

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
