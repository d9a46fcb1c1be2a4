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
  const text = async () => (await build(breathe)).pieces.join('')
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

  it('gives the text in pieces, none of more than one portion', async () => {
    const { build } = rig(...many(450))
    const { pieces } = await build(async () => {})
    const entriesIn = (piece: string) => piece.split('"s":').length - 1
    expect(Math.max(...pieces.map(entriesIn))).toBe(100)
  })

  it('ends when breathing fails, and the next build is whole', async () => {
    const { build, read } = rig(...many(250))
    const stopped = new Error('the process ends')
    await expect(build(() => Promise.reject(stopped))).rejects.toBe(stopped)
    expect((await read()).packs).toHaveLength(250)
  })
})

describe('a build after changes shows them all', () => {
  const slug = 'q7Jm2_xT0a'
  const other = aSaved({ slug: 'other_____' })
  const before = aSaved({ slug, updatedAt: 1_000, stats })

  const shown = async (change: (store: MemoryPublicIndex) => void): Promise<IndexEntry> => {
    const { store, read } = rig(before, other)
    await read()
    change(store)
    return (await read()).packs.find(({ s }) => s === slug)!
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

  it('writes down again only what changed', async () => {
    const { store, build } = rig(before, { ...other, stats })
    const pieces = async () => (await build(async () => {})).pieces.join('')
    const first = await pieces()
    // Nothing that the entry is kept by: the text it had is used.
    store.change('other_____', { stats: { ...stats, srMin: 1 } })
    expect(await pieces()).toBe(first)
  })

  it('keeps the old one whole when the store fails half-way', async () => {
    const { store, build, read } = rig(...many(250))
    const first = await read()
    const failing = build(async () => {
      store.error = new Error('disk I/O error')
    })
    await expect(failing).rejects.toThrow('disk I/O error')
    store.error = null
    expect(await read()).toEqual(first)
  })
})
