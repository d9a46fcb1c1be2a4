import { beforeAll, describe, expect, inject, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { MAX_VERSIONS } from '../../../src/contract/bounds.ts'
import { type PackContent, contentOf, firstSave, laterSave } from '../../../src/domain/packs.ts'
import { hide, unhide } from '../../../src/domain/moderation.ts'
import type { PackHistory } from '../../../src/domain/history.ts'
import { slots } from '../../support/samples.ts'
import { freshSlug } from '../sample-pack.ts'
import { addOwners, type TempStore, tempStore, withStore } from '../temp-store.ts'

/** How large the table of versions is, with all that belongs to it. */
const bytesOf = async (store: TempStore): Promise<number> => {
  const [row] = await store.query(
    inject('engine') === 'sqlite'
      ? "select sum(pgsize) as bytes from dbstat where name = 'pack_version'"
      : "select pg_total_relation_size('pack_version')::integer as bytes",
  )
  return Number(row?.['bytes'])
}

const moderator = { moderatorId: null, reason: null }

describe('PackStore.readHistory', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const content = (changes: Partial<Parameters<typeof contentOf>[0]> = {}): PackContent =>
    contentOf({
      name: 'Grand Finals',
      visibility: 'public',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'HD', index: 1, beatmapId: 76 },
      ],
      ...changes,
    })

  const create = async (ownerId = 'owner', first = content()): Promise<string> => {
    const slug = freshSlug()
    await one.packs.create(firstSave(first, { slug, ownerId, now: 1_000 }), null)
    return slug
  }
  const save = (slug: string, next: PackContent, now = 2_000, through = one) =>
    through.packs.replace(slug, 'owner', (saved) => laterSave(saved, next, now))
  const history = async (slug: string): Promise<PackHistory> => {
    const found = await two.packs.readHistory(slug)
    if (found === null) throw new Error('no history')
    return found
  }
  const numbers = async (slug: string) => (await history(slug)).versions.map((each) => each.version)

  it('has the pack as it is as the only version of a new pack (D-71)', async () => {
    const first = content({ description: 'two\nlines' })
    const slug = await create('owner', first)
    const { pack, versions } = await history(slug)
    expect(pack).toEqual(await one.packs.read(slug))
    const { visibility, description, packKey } = first
    expect(versions).toEqual([
      { version: 1, savedAt: 1_000, visibility, isHidden: false, description, packKey },
    ])
    expect(await one.packs.readHistory('nobodyhas1')).toBeNull()
  })

  it('keeps each state that a save replaces, newest first (D-71)', async () => {
    const states = [
      content(),
      content({ name: 'É "quoted" \\ 🏆' }),
      content({ name: 'É "quoted" \\ 🏆', description: 'why' }),
      content({ visibility: 'private' }),
      content({ slots: [{ mod: null, index: 9, beatmapId: 2_147_483_647 }] }),
    ]
    const slug = await create('owner', states[0])
    for (const [at, state] of states.slice(1).entries()) await save(slug, state, 2_000 + at)
    const saved = states.map(({ visibility, description, packKey }, at) => ({
      version: at + 1,
      savedAt: at === 0 ? 1_000 : 1_999 + at,
      visibility,
      isHidden: false,
      description,
      packKey,
    }))
    const { pack, versions } = await history(slug)
    expect(versions).toEqual(saved.toReversed())
    expect(pack).toMatchObject({ version: 5, versionAt: 2_003, updatedAt: 2_003 })
  })

  it('is the same object until the pack changes, through whichever process', async () => {
    const slug = await create()
    const changes = [
      () => save(slug, content({ name: 'Next' })),
      () => one.packs.moderate(slug, (saved) => hide(saved, moderator, 2_500)),
      () => one.packs.setHistoryPublic(slug, 'owner', true),
      () => save(slug, content(), 3_000, two),
    ]
    await one.packs.readHistory(slug)
    for (const change of changes) {
      const before = await history(slug)
      expect(await history(slug)).toBe(before)
      await change()
      const after = await history(slug)
      expect(after).not.toBe(before)
      expect(after.pack).toEqual(await one.packs.read(slug))
      expect(after).toEqual(await one.packs.readHistory(slug))
    }
  })

  it('makes no version of a save that changes nothing, nor of another order of slots (D-71)', async () => {
    const slug = await create()
    await save(slug, content())
    const { slots } = content()
    await save(slug, content({ slots: slots.toReversed() }), 3_000)
    const { pack, versions } = await history(slug)
    expect(pack.slots).toEqual(slots.toReversed())
    expect(pack).toMatchObject({ version: 1, versionAt: 1_000, updatedAt: 3_000 })
    expect(versions).toMatchObject([{ version: 1, savedAt: 1_000 }])
    await save(slug, content({ name: 'Next' }), 4_000)
    expect((await history(slug)).versions).toMatchObject([
      { version: 2, savedAt: 4_000 },
      { version: 1, savedAt: 1_000 },
    ])
  })

  it('makes no version of what moderators, magnets and the switch do, and knows what was saved while hidden (D-70, D-71)', async () => {
    const slug = await create()
    await one.packs.moderate(slug, (saved) => hide(saved, moderator, 1_500))
    await one.packs.changeExports(slug, 'owner', () => [{ url: 'magnet:?x', createdAt: 1 }])
    await one.packs.setHistoryPublic(slug, 'owner', true)
    expect(await numbers(slug)).toEqual([1])
    await save(slug, content({ name: 'While hidden' }), 2_000)
    await one.packs.moderate(slug, (saved) => unhide(saved, moderator, 2_500))
    await save(slug, content({ name: 'While hidden' }), 2_600)
    expect(await one.packs.read(slug)).toMatchObject({ version: 2, versionHidden: true })
    await save(slug, content({ name: 'Shown again' }), 3_000)
    const { versions } = await history(slug)
    expect(versions.map(({ version, isHidden }) => [version, isHidden])).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ])
  })

  it('makes of 40 saves at once through two doors 40 versions in the order of their commits', async () => {
    const slug = await create()
    const saved = await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        save(slug, content({ name: `save ${at}` }), 2_000, at % 2 ? one : two),
      ),
    )
    const { pack, versions } = await history(slug)
    expect(versions.map((each) => each.version)).toEqual(
      Array.from({ length: 41 }, (_, at) => 41 - at),
    )
    // Each save moves the time on (D-26): the order of the numbers is that of the commits.
    const times = versions.map(({ savedAt }) => savedAt)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const newest = saved.toSorted((a, b) => b!.updatedAt - a!.updatedAt)
    expect(versions.slice(0, 40).map(({ packKey }) => packKey)).toEqual(
      newest.map((each) => each!.packKey),
    )
    expect(pack.packKey).toBe(newest[0]!.packKey)
  })

  it('keeps the newest 100, and goes on counting (D-71)', async () => {
    const slug = await create()
    const newest = MAX_VERSIONS + 3
    for (let at = 2; at <= newest; at += 1) await save(slug, content({ name: `save ${at}` }))
    const kept = Array.from({ length: MAX_VERSIONS }, (_, at) => newest - at)
    expect(await numbers(slug)).toEqual(kept)
  })

  it('writes neither the save nor a version when the change throws', async () => {
    const slug = await create()
    const refused = one.packs.replace(slug, 'owner', () => {
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    const others = one.packs.replace(slug, 'other', (saved) => laterSave(saved, content(), 1))
    expect(await others).toBeNull()
    expect(await numbers(slug)).toEqual([1])
  })

  it('writes neither the save nor a version when the store fails in between', async () => {
    const slug = await create()
    await save(slug, content({ name: 'Next' }))
    const before = await history(slug)
    const failing = (changes: object) =>
      one.packs.replace(slug, 'owner', (saved) => ({
        ...laterSave(saved, content({ name: 'Lost' }), 3_000),
        ...changes,
      }))
    // The version is kept before the row is saved, which the store refuses.
    await expect(failing({ visibility: 'everyone' })).rejects.toThrow(/constraint/i)
    expect(await history(slug)).toEqual(before)
    // The version of this number is there already.
    await failing({ version: 1 })
    const twice = await history(slug)
    await expect(failing({ version: 9 })).rejects.toThrow(/constraint/i)
    expect(await history(slug)).toEqual(twice)
  })

  it('is gone with the pack, and with the account (D-71)', async () => {
    const slug = await create()
    await save(slug, content({ name: 'Next' }))
    await one.packs.remove(slug, 'owner', 0)
    expect(await two.packs.readHistory(slug)).toBeNull()

    await one.accounts.ensurePlayer({ gameId: 77, username: 'leaver' }, 'leaver', 0)
    const left = await create('leaver')
    const next = content({ name: 'Next' })
    await one.packs.replace(left, 'leaver', (saved) => laterSave(saved, next, 2_000))
    expect(await numbers(left)).toEqual([2, 1])
    await one.accounts.remove('leaver', 0)
    expect(await two.packs.readHistory(left)).toBeNull()
    expect(await numbers(await create())).toEqual([1])
  })

  it('never mixes two packs', async () => {
    const [first, second] = [await create(), await create()]
    await save(first, content({ name: 'Next' }))
    expect(await numbers(first)).toEqual([2, 1])
    expect(await numbers(second)).toEqual([1])
  })

  it('takes at most 60 KB for 100 versions of 22 maps', async () => {
    const alone = await tempStore()
    const { accounts, packs } = await alone.open()
    await accounts.ensurePlayer({ gameId: 1, username: 'mapper' }, 'owner', 0)
    const pool = (at: number) =>
      content({
        description: 'Best of 13, two bans each.',
        slots: slots(22).map((slot) => ({ ...slot, beatmapId: slot.beatmapId + at * 22 })),
      })
    const fill = async () => {
      const slug = freshSlug()
      await packs.create(firstSave(pool(0), { slug, ownerId: 'owner', now: 1_000 }), null)
      for (let at = 1; at < 100; at += 1) {
        await packs.replace(slug, 'owner', (saved) => laterSave(saved, pool(at), 2_000))
      }
      expect((await packs.readHistory(slug))?.versions).toHaveLength(100)
    }
    // A table that is not empty any more has pages that belong to no row.
    await fill()
    const before = await bytesOf(alone)
    await fill()
    const taken = (await bytesOf(alone)) - before
    expect(taken).toBeGreaterThan(10_000)
    expect(taken).toBeLessThanOrEqual(60_000)
    await alone.remove()
  })

  describe('setHistoryPublic', () => {
    it('opens and closes the history, and moves neither time nor version (D-70)', async () => {
      const slug = await create()
      const before = await two.packs.read(slug)
      expect(await one.packs.setHistoryPublic(slug, 'owner', true)).toBe(true)
      expect(await two.packs.read(slug)).toEqual({ ...before, historyPublic: true })
      expect((await history(slug)).pack.historyPublic).toBe(true)
      const page = await two.packs.listOwned('owner', 1, 200)
      expect(page.rows.find((pack) => pack.slug === slug)?.historyPublic).toBe(true)
      expect(await one.packs.setHistoryPublic(slug, 'owner', true)).toBe(true)
      await save(slug, content({ name: 'Next' }))
      expect(await two.packs.read(slug)).toMatchObject({ historyPublic: true, version: 2 })
      expect(await one.packs.setHistoryPublic(slug, 'owner', false)).toBe(true)
      expect((await two.packs.read(slug))?.historyPublic).toBe(false)
    })

    it('shows on the public list at once, whose version changes only then', async () => {
      const slug = await create()
      const onList = async () => {
        const { rows: packs } = await two.packs.listPublic(1, 200)
        return packs.find((pack) => pack.slug === slug)?.historyPublic
      }
      expect(await onList()).toBe(false)
      const before = await two.publicIndex.version()
      await one.packs.setHistoryPublic(slug, 'owner', false)
      expect(await two.publicIndex.version()).toBe(before)
      await one.packs.setHistoryPublic(slug, 'owner', true)
      expect(await onList()).toBe(true)
      expect(await two.publicIndex.version()).not.toBe(before)
    })

    it('is false for a missing pack and another’s; a check sees the history, and can refuse (D-48)', async () => {
      const slug = await create()
      await save(slug, content({ name: 'Next' }))
      const reason = new Error('refused')
      const refuse = (found: PackHistory): never => {
        expect(found.versions.map((each) => each.version)).toEqual([2, 1])
        throw reason
      }
      await expect(one.packs.setHistoryPublic(slug, 'owner', true, refuse)).rejects.toBe(reason)
      expect(await one.packs.setHistoryPublic(slug, 'other', true, refuse)).toBe(false)
      expect(await one.packs.setHistoryPublic('nobodyhas1', 'owner', true, refuse)).toBe(false)
      expect((await two.packs.read(slug))?.historyPublic).toBe(false)
      expect(await one.packs.setHistoryPublic(slug, 'owner', true, () => {})).toBe(true)
    })
  })
})
