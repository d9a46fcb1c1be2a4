import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStores } from '../../../src/adapters/storage/sqlite/open.ts'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { NewPack } from '../../../src/domain/packs.ts'
import type { PackFeedEntry } from '../../../src/domain/changes.ts'
import type { FeedPortion } from '../../../src/ports/changes.ts'
import { aNewPack, freshSlug } from '../sample-pack.ts'
import { addOwners, type TempStore, withStore } from '../temp-store.ts'

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

describe('ChangeFeed', () => {
  let store: TempStore
  let one: Stores
  let two: Stores
  /** Before the first change. */
  let start: string

  withStore(beforeEach, async (opened) => {
    ;({ store, one, two } = opened)
    await addOwners(one)
    start = await newest(one)
  })

  const save = async (changes: Partial<NewPack> = {}, { packs } = one): Promise<string> => {
    const creation = await packs.create(aNewPack(changes), null)
    if (creation.outcome !== 'created') throw new Error(creation.outcome)
    return creation.pack.slug
  }

  const hide = (slug: string, at: number, action: 'hide' | 'unhide' = 'hide') =>
    one.packs.moderate(slug, () => ({
      hiddenAt: action === 'hide' ? at : null,
      pinnedRank: null,
      note: { moderatorId: null, reason: null, action, at },
    }))

  /** Everything after a cursor, as another process reads it. */
  const readAll = async (
    after = start,
    limit = 100,
    { changes } = two,
  ): Promise<PackFeedEntry[]> => {
    const all: PackFeedEntry[] = []
    for (let cursor = after; ;) {
      const { entries } = read(await changes.read(cursor, limit))
      all.push(...entries)
      if (entries.length < limit) return all
      cursor = entries.at(-1)!.cursor
    }
  }

  describe('entries', () => {
    it('are written by creating, saving and deleting, with what was and is in the public list', async () => {
      const ownerId = 'owner'
      const slug = await save({ visibility: 'private', createdAt: 1, updatedAt: 1 })
      const replace = (visibility: 'public' | 'unlisted', updatedAt: number) =>
        one.packs.replace(slug, ownerId, (saved) => ({ ...saved, visibility, updatedAt }))
      await replace('public', 2)
      await replace('public', 3)
      await replace('unlisted', 4)
      await replace('public', 5)
      await one.packs.remove(slug, ownerId, 6)
      const of = { slug, ownerId }
      expect(await readAll()).toMatchObject([
        { ...of, at: 1, kind: 'created', wasListed: false, isListed: false },
        { ...of, at: 2, kind: 'changed', wasListed: false, isListed: true },
        { ...of, at: 3, kind: 'changed', wasListed: true, isListed: true },
        { ...of, at: 4, kind: 'changed', wasListed: true, isListed: false },
        { ...of, at: 5, kind: 'changed', wasListed: false, isListed: true },
        { ...of, at: 6, kind: 'deleted', wasListed: true, isListed: false },
      ])
    })

    it('are written when a moderator hides a pack or shows it again, if that changes something', async () => {
      const [listed, unlisted] = [await save(), await save({ visibility: 'unlisted' })]
      const after = await newest(two)
      await hide(listed, 1)
      await hide(listed, 2)
      await hide(unlisted, 3)
      await hide(listed, 4, 'unhide')
      await hide(listed, 5, 'unhide')
      expect(await readAll(after)).toMatchObject([
        { slug: listed, at: 1, kind: 'hidden', wasListed: true, isListed: false },
        { slug: unlisted, at: 3, kind: 'hidden', wasListed: false, isListed: false },
        { slug: listed, at: 4, kind: 'shown', wasListed: false, isListed: true },
      ])
    })

    it('are not written by pins, magnet links, stats and renames, nor by what fails', async () => {
      const slug = await save()
      const after = await newest(two)
      const note = { moderatorId: null, reason: null, action: 'pin', at: 1 } as const
      await one.packs.moderate(slug, () => ({ hiddenAt: null, pinnedRank: 1, note }))
      await one.packs.setPins([slug], note)
      await one.packs.changeExports(slug, 'owner', () => [])
      const pack = (await one.packs.read(slug))!
      await one.statsWork.finish({ pack, lease: 0 }, { stats: null, dueAt: null, attempts: 1 })
      await one.accounts.ensurePlayer({ gameId: 1, username: 'renamed' }, 'unused', 0)
      await one.packs.create(aNewPack({ slug }), null)
      await one.packs.create(aNewPack(), 1)
      await one.packs.remove(slug, 'other', 2)
      const refuse = () => {
        throw new Error('refused')
      }
      await expect(one.packs.replace(slug, 'owner', refuse)).rejects.toThrow('refused')
      await expect(one.packs.remove(slug, 'owner', 3, refuse)).rejects.toThrow('refused')
      expect(await readAll(after)).toEqual([])
    })

    it('of an account that is deleted name nobody, and nothing that others could not read', async () => {
      await one.accounts.ensurePlayer({ gameId: 3, username: 'leaver' }, 'leaver', 0)
      const ownerId = 'leaver'
      const listed = await save({ ownerId, createdAt: 1 })
      const secret = await save({ ownerId, createdAt: 2, visibility: 'private' })
      const others = await save({ createdAt: 3 })
      const [, atSecret] = await readAll()
      await one.accounts.remove(ownerId, 4)
      const gone = { ownerId: null, wasListed: false, isListed: false }
      expect(await readAll()).toMatchObject([
        { ...gone, slug: listed, at: 1, kind: 'created', isListed: true },
        { ...gone, slug: '', at: 2, kind: 'created' },
        {
          slug: others,
          ownerId: 'owner',
          at: 3,
          kind: 'created',
          wasListed: false,
          isListed: true,
        },
        { ...gone, slug: listed, at: 4, kind: 'deleted', wasListed: true },
      ])
      expect(JSON.stringify(await readAll())).not.toContain(secret)
      // Whoever had read as far as there continues.
      expect(await readAll(atSecret!.cursor)).toHaveLength(2)
    })
  })

  describe('cursors', () => {
    it('of the empty feed lead to its first entry', async () => {
      expect(await readAll()).toEqual([])
      const slug = await save()
      expect((await readAll()).map((entry) => entry.slug)).toEqual([slug])
    })

    it('are the same whichever process reads, and after portions of any size', async () => {
      for (let at = 0; at < 7; at += 1) await save()
      const all = await readAll(start, 100, one)
      for (const limit of [1, 2, 3, 7]) expect(await readAll(start, limit, two)).toEqual(all)
      expect(new Set(all.map(({ cursor }) => cursor)).size).toBe(7)
      expect(await newest(two)).toBe(all.at(-1)!.cursor)
      expect(await readAll(all[4]!.cursor)).toEqual(all.slice(5))
    })

    it('reveal nothing, and none can be made up', async () => {
      for (let at = 0; at < 3; at += 1) await save()
      const cursors = [start, ...(await readAll()).map(({ cursor }) => cursor)]
      for (const cursor of cursors) expect(cursor).toMatch(/^[A-Za-z0-9_-]{22}$/)
      const first = cursors.map((cursor) => cursor.slice(0, 6))
      expect(new Set(first).size).toBe(cursors.length)
      const last = cursors.at(-1)!
      const otherSpelling = last.slice(0, -1) + String.fromCharCode(last.charCodeAt(21) + 1)
      const madeUp = Buffer.alloc(16, 1).toString('base64url')
      const wrong = [
        otherSpelling,
        madeUp,
        '',
        last.slice(0, 21),
        `${last}A`,
        `${last}==`,
        'ü'.repeat(22),
      ]
      for (const cursor of wrong) {
        expect(await two.changes.read(cursor, 10), cursor).toEqual({ outcome: 'malformed' })
      }
      for (let at = 0; at < 22; at += 1) {
        const other = last[at] === 'A' ? 'B' : 'A'
        const changed = last.slice(0, at) + other + last.slice(at + 1)
        expect(await two.changes.read(changed, 10)).toEqual({ outcome: 'malformed' })
      }
    })

    it('from after a backup are from the future once it is restored, then gone', async () => {
      for (let at = 0; at < 3; at += 1) await save()
      const kept = await newest(one)
      const oldest = (await readAll())[0]!.cursor
      const file = join(store.folder, 'backups', 'copy.db')
      await mkdir(join(store.folder, 'backups'))
      await one.care.backup(file)
      await save()
      await save()
      const lost = await readAll(kept)
      const restored = await openSqliteStores(file)
      expect(await restored.changes.read(lost[1]!.cursor, 10)).toEqual({ outcome: 'future' })
      const slug = await save({}, restored)
      expect(await restored.changes.read(lost[0]!.cursor, 10)).toEqual({
        outcome: 'gone',
        oldest,
      })
      const other = await restored.changes.readFor('owner', lost[0]!.cursor, 10, 0)
      expect(other).toMatchObject({ outcome: 'gone' })
      expect((await readAll(kept, 10, restored)).map((entry) => entry.slug)).toEqual([slug])
      await restored.care.close()
    })
  })

  describe('forgetting', () => {
    it('deletes what is older, in portions and never the last entry; its cursors are gone', async () => {
      for (let at = 0; at < 1_003; at += 1) await save({ createdAt: at })
      const all = await readAll()
      expect(await one.changes.forget(1_002)).toBe(true)
      expect(await one.changes.read(all[5]!.cursor, 1)).toMatchObject({ outcome: 'gone' })
      expect(await one.changes.forget(1_002)).toBe(true)
      expect(await one.changes.forget(1_002)).toBe(false)
      // What leads to an entry that is young enough is kept with it.
      const oldest = all[1_001]!.cursor
      for (const cursor of [start, all[0]!.cursor, all[1_000]!.cursor]) {
        expect(await two.changes.read(cursor, 10)).toEqual({ outcome: 'gone', oldest })
      }
      expect(await readAll(oldest)).toEqual([all[1_002]])
      expect(await one.changes.forget(5_000)).toBe(true)
      expect(await one.changes.forget(5_000)).toBe(false)
      const newest = all[1_002]!.cursor
      expect(await two.changes.read(oldest, 10)).toEqual({ outcome: 'gone', oldest: newest })
      const slug = await save()
      expect((await readAll(newest)).map((entry) => entry.slug)).toEqual([slug])
    })

    it('stops at the first entry that is young enough, also after the clock was set back', async () => {
      for (const createdAt of [1, 1, 9, 2, 3]) await save({ createdAt })
      const all = await readAll()
      while (await one.changes.forget(5)) continue
      expect(await readAll(all[1]!.cursor)).toEqual(all.slice(2))
      expect(await one.changes.read(all[0]!.cursor, 1)).toMatchObject({ outcome: 'gone' })
    })

    it('is told to who could know of something from before a time, whether it is deleted or not', async () => {
      for (const createdAt of [1, 9]) await save({ createdAt, updatedAt: createdAt })
      const [old, young] = await readAll()
      const readFor = (after: string, since: number) =>
        two.changes.readFor('owner', after, 10, since)
      const all = { outcome: 'read', entries: [old, young], newest: young!.cursor }
      expect(await readFor(start, 1)).toEqual(all)
      expect(await readFor(start, 2)).toEqual({ outcome: 'gone', oldest: old!.cursor })
      expect(await readFor(old!.cursor, 9)).toEqual({ ...all, entries: [young] })
      expect(await readFor(old!.cursor, 10)).toEqual({ outcome: 'gone', oldest: young!.cursor })
    })

    it.each([[[1, 1, 9]], [[1, 2, 3, 4]], [[9, 1, 9]], [[1, 9, 2, 9]], [[1, 2, 3, 9, 9]]])(
      'ends a cursor only for who could know of something behind it that is deleted: %j',
      async (times) => {
        for (const [at, createdAt] of times.entries()) {
          await save({ createdAt, visibility: at % 2 === 0 ? 'public' : 'private' })
        }
        const all = await readAll()
        while (await one.changes.forget(5)) continue
        const young = times.findIndex((at) => at >= 5)
        const kept = young < 0 ? times.length - 1 : Math.max(0, young - 1)
        const newest = all.at(-1)!.cursor
        for (const accountId of ['owner', 'other']) {
          for (const [place, after] of [start, ...all.map(({ cursor }) => cursor)].entries()) {
            const known = all.filter(
              (_, at) => at >= place && (accountId === 'owner' || at % 2 === 0),
            )
            const isGone = known.some((entry) => all.indexOf(entry) < kept)
            expect(
              await two.changes.readFor(accountId, after, 10, 0),
              `${accountId} ${place}`,
            ).toEqual(
              isGone
                ? { outcome: 'gone', oldest: expect.any(String) }
                : { outcome: 'read', entries: known, newest },
            )
          }
        }
      },
    )

    it('runs while others write and read, and no entry is lost by it', async () => {
      const slugs = range(40).map(() => freshSlug())
      await Promise.all([
        ...slugs.map((slug, at) => save({ slug, createdAt: 10 }, at % 2 === 0 ? one : two)),
        ...range(6).map((at) => (at % 2 === 0 ? one : two).changes.forget(5)),
        ...range(6).map(() => readAll()),
      ])
      expect((await readAll()).map(({ slug }) => slug).toSorted()).toEqual(slugs.toSorted())
    })
  })

  describe('while 16 writers write', () => {
    const WRITES = 12

    it('a reader that polls gets each entry once, and those of a pack in their order', async () => {
      const owners = await Promise.all(
        range(16).map(async (at) => {
          const id = freshSlug()
          await one.accounts.ensurePlayer({ gameId: 100 + at, username: id }, id, 0)
          return id
        }),
      )
      let isWriting = true
      const writing = Promise.all(
        owners.map(async (ownerId, at) => {
          const stores = at % 2 === 0 ? one : two
          const slug = await save({ ownerId, createdAt: 0, updatedAt: 0 }, stores)
          for (const updatedAt of range(WRITES).slice(1)) {
            await stores.packs.replace(slug, ownerId, (saved) => ({ ...saved, updatedAt }))
          }
        }),
      ).finally(() => (isWriting = false))
      const poll = async ({ changes }: Stores): Promise<PackFeedEntry[]> => {
        const seen: PackFeedEntry[] = []
        for (let isOver = false; !isOver;) {
          // What comes after the last write was confirmed has to be everything.
          isOver = !isWriting
          await new Promise(setImmediate)
          const { entries } = read(await changes.read(seen.at(-1)?.cursor ?? start, 1_000))
          seen.push(...entries)
        }
        return seen
      }
      const [readers] = await Promise.all([Promise.all([one, two, one].map(poll)), writing])
      const all = await readAll()
      expect(all).toHaveLength(16 * WRITES)
      for (const seen of readers) expect(seen).toEqual(all)
      for (const ownerId of owners) {
        const times = all.filter((entry) => entry.ownerId === ownerId).map(({ at }) => at)
        expect(times).toEqual(range(WRITES))
      }
    })

    it('what was confirmed before a read is read, whoever else reads and counts', async () => {
      const follow = async (at: number): Promise<void> => {
        const [mine, others] = at % 2 === 0 ? [one, two] : [two, one]
        for (let round = 0; round < 5; round += 1) {
          const slug = await save({ createdAt: 10 }, mine)
          await one.publicIndex.version()
          const seen = await readAll(start, 1_000, others)
          expect(seen.map((entry) => entry.slug)).toContain(slug)
        }
      }
      await Promise.all(range(16).map(follow))
    })

    it('the last ones are those that are read after the cursor before them, of the empty feed and of a pruned one, too', async () => {
      const check = async () => {
        for (const limit of [1, 2, 5, 100]) {
          const { entries, before, newest: last } = await two.changes.readLast(limit)
          expect(entries.length).toBeLessThanOrEqual(limit)
          expect(await readAll(before)).toEqual(entries)
          expect(last).toBe(entries.at(-1)?.cursor ?? before)
          expect(last).toBe(await newest(two))
        }
      }
      await check()
      expect((await two.changes.readLast(5)).before).toBe(start)
      for (const at of range(6)) await save({ createdAt: at + 1, updatedAt: at + 1 })
      await check()
      expect((await two.changes.readLast(100)).before).toBe(start)
      while (await one.changes.forget(5)) continue
      await check()
    })

    it('begins now where no cursor is given: after what was confirmed, before all that comes', async () => {
      await save()
      const begin = read(await two.changes.read(null, 10))
      expect(begin.entries).toEqual([])
      const slug = await save()
      expect((await readAll(begin.newest)).map((entry) => entry.slug)).toEqual([slug])
    })
  })

  async function newest({ changes }: Stores): Promise<string> {
    return read(await changes.read(null, 1)).newest
  }
})

function read(portion: FeedPortion<PackFeedEntry>) {
  if (portion.outcome !== 'read') throw new Error(portion.outcome)
  return portion
}
