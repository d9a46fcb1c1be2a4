import * as fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Stats } from '../../src/contract/packs.ts'
import { type IndexEntry, SearchIndex } from '../../src/contract/search-index.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { createIndexBuilder } from '../../src/operations/search-index.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { MemoryPublicIndex } from '../support/memory-public-index.ts'

const stats = examples.stats as Stats

const aSaved = (changes: Partial<SavedPack> = {}): SavedPack => ({
  ...aNewPack(changes),
  ownerUsername: 'Ada',
  ...changes,
})

const many = (count: number): SavedPack[] =>
  Array.from({ length: count }, (_, at) => aSaved({ createdAt: 1_000 + at, updatedAt: 2_000 + at }))

const rig = (...packs: readonly SavedPack[]) => {
  const store = new MemoryPublicIndex()
  store.save(...packs)
  const build = createIndexBuilder(store, 'Tournament pools')
  let breaths = 0
  const breathe = async () => {
    breaths += 1
  }
  const text = async () => Buffer.concat((await build(breathe)).parts).toString()
  return {
    store,
    build,
    text,
    read: async () => Value.Parse(SearchIndex, JSON.parse(await text())),
    breaths: () => breaths,
  }
}

const slugsOf = ({ packs }: SearchIndex): string[] => packs.map(({ s }) => s)

describe('spec 2.10: the search index', () => {
  it('D-38: is { "v": 1, "packs": [] } when there are none', async () => {
    const { build, text } = rig()
    expect(await text()).toBe('{"v":1,"packs":[]}')
    expect((await build(async () => {})).packs).toBe(0)
  })

  it('lists public packs, newest created first, however late they were updated', async () => {
    const { read } = rig(
      aSaved({ slug: 'second____', createdAt: 2_000, updatedAt: 9_000 }),
      aSaved({ slug: 'third_____', createdAt: 1_000, updatedAt: 9_500 }),
      aSaved({ slug: 'first_____', createdAt: 3_000, updatedAt: 3_000 }),
    )
    expect(slugsOf(await read())).toEqual(['first_____', 'second____', 'third_____'])
  })

  it('D-38: leaves out what is not public and what is hidden', async () => {
    const { read } = rig(
      aSaved({ visibility: 'private' }),
      aSaved({ visibility: 'unlisted' }),
      aSaved({ hiddenAt: 5_000 }),
      aSaved({ slug: 'shown_____' }),
    )
    expect(slugsOf(await read())).toEqual(['shown_____'])
  })

  it('lists 5,000 packs at most: of 5,003 the newest created', async () => {
    const packs = many(5_003)
    const { read, build } = rig(...packs)
    const newest = packs.slice(3).map(({ slug }) => slug)
    expect(slugsOf(await read())).toEqual(newest.toReversed())
    expect((await build(async () => {})).packs).toBe(5_000)
  })

  it.each([1, 99, 100, 101, 200, 250])('is whole JSON with %i packs', async (count) => {
    const { read } = rig(...many(count))
    expect(new Set(slugsOf(await read())).size).toBe(count)
  })

  it('D-28: shows the configured label as the owner of tournament pools', async () => {
    const { read } = rig(aSaved({ ownerId: SYSTEM_ACCOUNT_ID, ownerUsername: null }))
    expect((await read()).packs[0]?.o).toBe('Tournament pools')
  })
})

describe('nobody waits long for a build', () => {
  it('breathes after each portion of at most 100 packs', async () => {
    const { store, build } = rig(...many(450))
    const seen: number[] = []
    await build(async () => {
      seen.push(store.portions.length)
    })
    expect(store.portions).toEqual([100, 100, 100, 100, 50])
    expect(seen).toEqual([1, 2, 3, 4, 5])
  })

  it('ends when breathing fails, and the next build is whole', async () => {
    const { build, read } = rig(...many(250))
    const stopped = new Error('the process ends')
    await expect(build(() => Promise.reject(stopped))).rejects.toBe(stopped)
    expect((await read()).packs).toHaveLength(250)
  })
})

describe('a build after changes shows them all, and reads nothing else', () => {
  const slug = 'q7Jm2_xT0a'
  const other = aSaved({ slug: 'other_____' })
  const before = aSaved({ slug, updatedAt: 1_000, stats })

  const shown = async (change: (store: MemoryPublicIndex) => void): Promise<IndexEntry> => {
    const { store, read } = rig(before, other)
    await read()
    const { length } = store.portions
    change(store)
    const entry = (await read()).packs.find(({ s }) => s === slug)!
    expect(store.portions).toHaveLength(length)
    return entry
  }

  it.each<[string, Partial<SavedPack>, Partial<IndexEntry>]>([
    [
      'a save',
      { name: 'Finals', updatedAt: 1_001 },
      { n: 'Finals', u: '1970-01-01T00:00:01.001Z' },
    ],
    ["the owner's new name", { ownerUsername: 'Peridot' }, { o: 'Peridot' }],
    [
      'new stats',
      { stats: { ...stats, srAvg: 6.9, computedAt: '2026-10-03T19:00:00.000Z' } },
      { a: 6.9 },
    ],
    ['stats completed in the same moment', { stats: { ...stats, complete: false } }, { k: false }],
  ])('%s', async (_what, changes, expected) => {
    expect(await shown((store) => store.change(slug, changes))).toMatchObject(expected)
  })

  it('stats that are gone after other maps were saved', async () => {
    const entry = await shown((store) => store.change(slug, { stats: null, updatedAt: 1_001 }))
    expect(Object.keys(entry)).not.toContain('k')
  })

  it('a pack that was deleted, hidden, or made unlisted', async () => {
    const { store, read } = rig(before, other)
    await read()
    store.remove(slug)
    expect(slugsOf(await read())).toEqual(['other_____'])
    store.save({ ...before, hiddenAt: 1 })
    expect(slugsOf(await read())).toEqual(['other_____'])
    store.save({ ...before, visibility: 'unlisted' })
    expect(slugsOf(await read())).toEqual(['other_____'])
    store.save(before)
    expect(slugsOf(await read())).toContain(slug)
  })

  it('a pack that leaves a full index: only its successor is read', async () => {
    const packs = many(5_002)
    const { store, read } = rig(...packs)
    await read()
    store.portions.length = 0
    store.remove(packs.at(-1)!.slug)
    const slugs = slugsOf(await read())
    expect([slugs.length, slugs.at(-1)]).toEqual([5_000, packs[1]!.slug])
    expect(store.portions).toEqual([1])
  })

  it('a pack that changes while they are read is in the next build', async () => {
    const { store, build, read } = rig(...many(150))
    let missed: SavedPack | null = null
    const { version } = await build(async () => {
      if (missed === null) store.save((missed = aSaved({ createdAt: 9_000 })))
    })
    expect(version).not.toBe(await store.version())
    expect(slugsOf(await read())[0]).toBe(missed!.slug)
  })
})

describe('the index is read whole', () => {
  it('at the start, when the changes are not known, and when there are more than 250', async () => {
    const { store, read } = rig(...many(300))
    const isWhole = async () => {
      store.portions.length = 0
      expect((await read()).packs).toHaveLength(300)
      return store.portions.length === 4
    }
    const touch = (slugs: readonly string[]) =>
      slugs.forEach((slug) => store.change(slug, { name: 'Semifinals' }))
    expect(await isWhole()).toBe(true)
    expect(await isWhole()).toBe(false)
    store.forgetChanges()
    expect(await isWhole()).toBe(true)
    const slugs = slugsOf(await read())
    touch(slugs.slice(0, 250))
    expect(await isWhole()).toBe(false)
    touch(slugs.slice(0, 251))
    expect(await isWhole()).toBe(true)
  })
})

/** What happens to one of a few packs, or between builds. `at` chooses the pack and its values. */
type Step = { readonly act: (typeof acts)[number]; readonly at: number }

const acts = [
  ...(['save', 'save', 'rename', 'stats', 'hide', 'unlist', 'remove', 'move'] as const),
  ...(['forget', 'build', 'build', 'interrupt', 'fail'] as const),
]

describe('whatever changes, a build is to the byte what a build from the start is', () => {
  const PACKS = 12
  const step: fc.Arbitrary<Step> = fc.record({
    act: fc.constantFrom(...acts),
    at: fc.nat(PACKS * 3 - 1),
  })

  const take = (store: MemoryPublicIndex, { act, at }: Step): void => {
    const slug = `pack_${String(at % PACKS).padStart(5, '0')}`
    // Several were created in one moment.
    const createdAt = 1_000 + Math.floor((at % PACKS) / 3)
    const pack = aSaved({ slug, createdAt, name: `Week ${at}` })
    if (act === 'save') store.save(pack)
    if (act === 'rename') store.save({ ...pack, ownerUsername: `Ada ${at}` })
    if (act === 'stats') store.save({ ...pack, stats: { ...stats, srAvg: at } })
    if (act === 'hide') store.save({ ...pack, hiddenAt: 1 })
    if (act === 'unlist') store.save({ ...pack, visibility: 'unlisted' })
    if (act === 'remove') store.remove(slug)
    // As after a restore: a slug that stands elsewhere.
    if (act === 'move') store.save({ ...pack, createdAt: createdAt + at - PACKS })
    if (act === 'forget') store.forgetChanges()
  }

  it.each([
    [1, 2],
    [4, 1],
    [8, 3],
    [8, 100],
    [PACKS, 3],
    [PACKS + 1, 2],
  ])('with room for %i of 12 packs, in chunks of %i', async (maxPacks, maxChunk) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60, size: 'max' }), async (steps) => {
        const store = new MemoryPublicIndex()
        for (let at = 0; at < PACKS; at++) take(store, { act: 'save', at })
        const build = createIndexBuilder(store, 'Tournament pools', maxPacks, maxChunk)
        const expectSame = async () => {
          const whole = createIndexBuilder(store, 'Tournament pools', maxPacks)
          const [one, other] = [await build(async () => {}), await whole(async () => {})]
          expect(Buffer.concat(one.parts).toString()).toBe(Buffer.concat(other.parts).toString())
          expect([one.version, one.packs]).toEqual([other.version, other.packs])
        }
        for (const [index, each] of steps.entries()) {
          take(store, each)
          if (each.act === 'build') await expectSame()
          // Other changes come between two reads of one build.
          const next = steps.slice(index + 1, index + 3)
          if (each.act === 'interrupt') await build(async () => next.forEach((s) => take(store, s)))
          if (each.act === 'fail') await failAt(store, each.at % 3, () => build(async () => {}))
        }
        await expectSame()
      }),
      { numRuns: 300 },
    )
  })

  /** Runs a build whose read number `read` fails, if it comes to that. */
  const failAt = async (store: MemoryPublicIndex, read: number, run: () => Promise<unknown>) => {
    const readPortion = store.readPortion.bind(store)
    let reads = 0
    if (read === 0) store.error = new Error('disk I/O error')
    store.readPortion = async (...place) => {
      if (++reads === read) throw new Error('disk I/O error')
      return readPortion(...place)
    }
    await run().catch(() => {})
    store.error = null
    store.readPortion = readPortion
  }
})

describe('a build that fails', () => {
  it('half-way through the first one leaves nothing behind', async () => {
    const { store, build, read } = rig(...many(250))
    const failing = build(async () => {
      store.error = new Error('disk I/O error')
    })
    await expect(failing).rejects.toThrow('disk I/O error')
    store.error = null
    expect((await read()).packs).toHaveLength(250)
  })

  it('between changes and refill leaves none of them applied', async () => {
    const packs = many(5_050)
    const { store, build, text } = rig(...packs)
    await text()
    for (const { slug } of packs.slice(-40)) store.remove(slug)
    await expect(build(() => Promise.reject(new Error('stopped')))).rejects.toThrow('stopped')
    store.changes.length = 0
    const after = await text()
    expect(store.changes[0]?.gone).toHaveLength(40)
    expect(after).toBe(await rig(...packs.slice(0, -40)).text())
  })
})
