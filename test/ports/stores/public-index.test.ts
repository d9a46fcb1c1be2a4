import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { NewPack, SavedPack, IndexedPack } from '../../../src/domain/packs.ts'
import { toIndexedPack } from '../../support/memory-public-index.ts'
import { aNewPack } from '../sample-pack.ts'
import { updateAll } from '../search-steps.ts'
import { addOwners, withStore } from '../temp-store.ts'

describe('PublicIndex', () => {
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const save = async (changes: Partial<NewPack> = {}): Promise<SavedPack> => {
    const creation = await one.packs.create(aNewPack(changes), null)
    if (creation.outcome !== 'created') throw new Error(creation.outcome)
    return creation.pack
  }
  const readAll = async (limit: number): Promise<string[]> => {
    const slugs: string[] = []
    let last: IndexedPack | null = null
    for (;;) {
      const portion: readonly IndexedPack[] = await two.publicIndex.readPortion(last, limit)
      slugs.push(...portion.map(({ slug }) => slug))
      last = portion.at(-1) ?? null
      if (portion.length < limit) return slugs
    }
  }

  it('reads public packs that are not hidden, newest created first (spec 2.10)', async () => {
    const old = await save({ createdAt: 1_000, updatedAt: 9_000 })
    const young = await save({ createdAt: 3_000, updatedAt: 3_000 })
    await save({ createdAt: 4_000, visibility: 'unlisted' })
    await save({ createdAt: 5_000, visibility: 'private' })
    await save({ createdAt: 6_000, hiddenAt: 7_000 })
    expect(await two.publicIndex.readPortion(null, 10)).toEqual([young, old].map(toIndexedPack))
  })

  it('reads in portions, each pack once though many were made in one moment', async () => {
    for (let at = 0; at < 25; at++) await save({ createdAt: 1_000 + (at >> 3) })
    const all = await readAll(100)
    expect(new Set(all).size).toBe(25)
    expect(await readAll(1)).toEqual(all)
    expect(await readAll(5)).toEqual(all)
    expect(await readAll(7)).toEqual(all)
  })

  it('reads the public packs of a time, oldest created first, from any place on', async () => {
    const packs: SavedPack[] = []
    for (const createdAt of [1_000, 2_000, 2_000, 2_000, 3_000]) {
      packs.push(await save({ createdAt, updatedAt: createdAt + 1 }))
      await save({ createdAt, visibility: 'unlisted' })
      await save({ createdAt, hiddenAt: 7_000 })
    }
    const isBefore = (a: SavedPack, b: SavedPack): boolean =>
      a.createdAt === b.createdAt ? a.slug < b.slug : a.createdAt < b.createdAt
    const expected = packs
      .toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
      .map(({ slug, createdAt, updatedAt }) => ({ slug, createdAt, updatedAt }))
    const { publicIndex } = two
    const start = { createdAt: 0, slug: '' }
    const all = { after: start, before: 9_000, skip: 0, limit: 10 }
    expect(await publicIndex.readCreated(all)).toEqual(expected)
    const month = { after: { createdAt: 2_000, slug: '' }, before: 3_000, skip: 0, limit: 10 }
    expect(await publicIndex.readCreated(month)).toEqual(expected.slice(1, 4))
    expect(await publicIndex.readCreated({ ...month, skip: 1, limit: 1 })).toEqual([expected[2]])
    const rest = { ...all, after: expected[2]! }
    expect(await publicIndex.readCreated(rest)).toEqual(expected.slice(3))
  })

  it('has another version and state after each change that the index shows', async () => {
    const states = () => Promise.all([one, two].map(async ({ publicIndex }) => publicIndex.state()))
    const changes: [string, () => Promise<unknown>][] = []
    const pack = await save({ ownerId: 'owner' })
    const replace = (change: Partial<SavedPack>) => () =>
      one.packs.replace(pack.slug, 'owner', (before) => ({ ...before, ...change }))
    const moderate = (hiddenAt: number | null) => () =>
      one.packs.moderate(pack.slug, () => ({ hiddenAt, pinnedRank: null }))
    changes.push(
      ['a new public pack', () => save()],
      ['a new description', replace({ description: 'Other', updatedAt: 2_000 })],
      ['made unlisted', replace({ visibility: 'unlisted', updatedAt: 3_000 })],
      ['made public', replace({ visibility: 'public', updatedAt: 4_000 })],
      ['hidden', moderate(5_000)],
      ['shown again', moderate(null)],
      [
        'the owner renamed',
        () => one.accounts.ensurePlayer({ gameId: 1, username: 'renamed' }, 'x', 0),
      ],
      ['deleted', () => one.packs.remove(pack.slug, 'owner', 0)],
    )
    for (const [what, change] of changes) {
      const before = await two.publicIndex.version()
      const [ofOne, ofTwo] = await states()
      expect((await states())[0], 'nothing was written').toBe(ofOne)
      await change()
      await nextTurn()
      expect(await two.publicIndex.version(), what).not.toBe(before)
      const [nextOfOne, nextOfTwo] = await states()
      expect(nextOfOne, what).not.toBe(ofOne)
      expect(nextOfTwo, what).not.toBe(ofTwo)
    }
  })

  it('has another version when stats of a public pack have come', async () => {
    const pack = await save()
    const before = await two.publicIndex.version()
    const result = { dueAt: null, attempts: 0 }
    await one.statsWork.finish({ pack, lease: 0 }, { ...result, stats: null })
    expect(await two.publicIndex.version()).toBe(before)
    const stats = {
      srMin: null,
      srMax: null,
      srAvg: null,
      lenMin: null,
      lenMax: null,
      bpmMin: null,
      bpmMax: null,
      mods: [],
      modes: [],
      count: 2,
      complete: false,
      computedAt: '2026-01-01T00:00:00.000Z',
    }
    await one.statsWork.finish({ pack, lease: 0 }, { ...result, stats })
    expect(await two.publicIndex.version()).not.toBe(before)
  })

  /** What has changed since, as a process that has counted nothing is told; sorted. */
  const changesSince = async (since: string, limit = 100) => {
    const version = await one.publicIndex.version()
    const changes = await two.publicIndex.readChanges(since, limit)
    if (changes === null) return null
    expect(changes.version).toBe(version)
    return {
      changed: changes.changed.map(({ slug }) => slug).toSorted(),
      gone: changes.gone.toSorted(),
    }
  }

  it('reports which packs have changed since a version, each once, and which are gone', async () => {
    const [kept, edited, hidden, removed, moved] = [
      await save(),
      await save(),
      await save(),
      await save(),
      await save({ ownerId: 'other' }),
    ]
    const since = await one.publicIndex.version()
    expect(await changesSince(since)).toEqual({ changed: [], gone: [] })

    const added = await save()
    const edit = { name: 'Other', updatedAt: 3_000 }
    await one.packs.replace(edited.slug, 'owner', (pack) => ({ ...pack, ...edit }))
    await one.packs.changeExports(edited.slug, 'owner', () => [])
    const between = await one.publicIndex.version()
    await one.packs.moderate(hidden.slug, () => ({ hiddenAt: 5_000, pinnedRank: null }))
    await one.packs.remove(removed.slug, 'owner', 0)
    await save({ visibility: 'unlisted' })
    const passing = await save()
    await one.packs.remove(passing.slug, 'owner', 0)
    await one.accounts.ensurePlayer({ gameId: 2, username: 'renamed' }, 'unused', 0)

    const gone = [hidden.slug, removed.slug, passing.slug].toSorted()
    expect(await changesSince(since)).toEqual({
      changed: [edited.slug, moved.slug, added.slug].toSorted(),
      gone,
    })
    expect(await changesSince(between)).toEqual({ changed: [moved.slug], gone })
    const { changed = [] } = (await two.publicIndex.readChanges(since, 100)) ?? {}
    const shown = await two.publicIndex.readPortion(null, 100)
    for (const pack of changed) expect(shown).toContainEqual(pack)
    expect(shown.map(({ slug }) => slug)).toContain(kept.slug)
  })

  it('tells of the very first changes, too', async () => {
    const first = await one.publicIndex.version()
    const { slug } = await save()
    expect((await changesSince(first))?.changed).toEqual([slug])
  })

  it('tells nothing of changes since a version that it does not know, or of more than asked for', async () => {
    await save()
    const since = await one.publicIndex.version()
    for (let at = 0; at < 4; at += 1) await save()
    expect((await changesSince(since, 4))?.changed).toHaveLength(4)
    expect(await changesSince(since, 3)).toBeNull()
    const [number = ''] = since.split('.')
    expect(await changesSince(`${number}.another`)).toBeNull()
    expect(await changesSince(`${Number(number) + 1}.another`)).toBeNull()
    expect(await changesSince(`${Number(number) + 100}.another`)).toBeNull()
  })

  it('tells what the newest 10,000 changes were, and forgets the others', async () => {
    const PACKS = 100
    for (let at = 0; at < PACKS; at += 1) await save()
    const rename = async (at: number) => {
      await one.accounts.ensurePlayer({ gameId: 1, username: `name ${at}` }, 'unused', 0)
      return one.publicIndex.version()
    }
    const first = await rename(0)
    let recent = first
    for (let at = 1; at <= 101; at += 1) {
      const version = await rename(at)
      if (at === 2) recent = version
    }
    expect((await changesSince(recent, PACKS))?.changed).toHaveLength(PACKS)
    // What the search has not taken over is kept for it.
    expect((await changesSince(first, PACKS))?.changed).toHaveLength(PACKS)
    await updateAll(two, 500)
    await rename(102)
    expect((await changesSince(recent, PACKS))?.changed).toHaveLength(PACKS)
    expect(await changesSince(first, PACKS)).toBeNull()
  })

  it('keeps its version when nothing changed that it shows', async () => {
    const before = await two.publicIndex.version()
    const quiet = await save({ visibility: 'unlisted' })
    await save({ visibility: 'private' })
    await save({ hiddenAt: 1 })
    await one.packs.replace(quiet.slug, 'owner', (pack) => ({ ...pack, updatedAt: 2_000 }))
    await one.packs.remove(quiet.slug, 'owner', 0)
    await one.accounts.ensurePlayer({ gameId: 1, username: 'mapper' }, 'x', 0)
    await one.accounts.ensurePlayer({ gameId: 77, username: 'new' }, 'y', 0)
    expect(await two.publicIndex.version()).toBe(before)
  })
})
