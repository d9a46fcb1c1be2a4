import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import { hide } from '../../../src/domain/moderation.ts'
import { aNewPack } from '../sample-pack.ts'
import { tempStore, withStore } from '../temp-store.ts'

describe('AccountStore', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  it('has the system account from the start, which is no player (D-28)', async () => {
    const system = {
      id: SYSTEM_ACCOUNT_ID,
      gameId: null,
      username: null,
      isModerator: false,
      createdAt: 0,
      language: null,
    }
    expect(await one.accounts.read(SYSTEM_ACCOUNT_ID)).toEqual(system)
    expect(await one.accounts.countPlayers()).toBe(0)
  })

  it('makes a player once and takes a new name over (D-42)', async () => {
    const player = { gameId: 9_007_199_254_740_991, username: 'first' }
    const made = await one.accounts.ensurePlayer(player, 'id-one', 5)
    const rest = { id: 'id-one', isModerator: false, language: null, createdAt: 5 }
    expect(made).toEqual({ ...rest, ...player })
    const renamed = { ...player, username: 'second' }
    const again = await two.accounts.ensurePlayer(renamed, 'id-two', 6)
    expect(again).toEqual({ ...rest, ...renamed })
    expect(await one.accounts.read('id-one')).toEqual(again)
    expect(await one.accounts.findByGameId(player.gameId)).toEqual(again)
    expect(await one.accounts.read('id-two')).toBeNull()
    expect(await one.accounts.countPlayers()).toBe(1)
  })

  it('gives null for accounts that there are not', async () => {
    expect(await one.accounts.read('nobody')).toBeNull()
    expect(await one.accounts.findByGameId(404)).toBeNull()
  })

  it('names moderators by the player, before and after their first sign-in', async () => {
    expect(await one.accounts.setModerator(31, true, 7)).toBe(true)
    expect(await two.accounts.setModerator(31, true, 8)).toBe(false)
    const early = await one.accounts.ensurePlayer({ gameId: 31, username: 'early' }, 'early', 9)
    expect(early.isModerator).toBe(true)
    const late = await one.accounts.ensurePlayer({ gameId: 32, username: 'late' }, 'late', 9)
    expect(late.isModerator).toBe(false)
    expect(await one.accounts.read('late')).toEqual(late)
    await two.accounts.setModerator(32, true, 9)
    expect(await one.accounts.read('late')).toEqual({ ...late, isModerator: true })
    expect(await one.accounts.findByGameId(32)).toEqual({ ...late, isModerator: true })
    expect(await two.accounts.setModerator(32, false, 9)).toBe(true)
    expect(await two.accounts.setModerator(32, false, 9)).toBe(false)
    expect(await one.accounts.read('late')).toEqual(late)
  })

  it('finds a player by the username in any case, the one created last of several', async () => {
    await one.accounts.ensurePlayer({ gameId: 51, username: 'Paper Crane' }, 'crane-1', 5)
    await one.accounts.ensurePlayer({ gameId: 52, username: 'paper crane' }, 'crane-2', 6)
    expect(await two.accounts.findByUsername('PAPER CRANE')).toMatchObject({ id: 'crane-2' })
    expect(await two.accounts.findByUsername('paper_crane')).toBeNull()
    expect(await two.accounts.findByUsername('paper%')).toBeNull()
    await one.accounts.ensurePlayer({ gameId: 52, username: 'Folded' }, 'x', 7)
    expect(await two.accounts.findByUsername('paper crane')).toMatchObject({ id: 'crane-1' })
  })

  describe('remove', () => {
    const key = (mark: string) => ({ hash: mark.repeat(43), shown: 'abcd', createdAt: 0 })

    it('takes packs, keys, sessions and the office with it, and nothing of others', async () => {
      await one.accounts.ensurePlayer({ gameId: 41, username: 'leaver' }, 'leaver', 0)
      await one.accounts.ensurePlayer({ gameId: 42, username: 'stayer' }, 'stayer', 0)
      await one.accounts.setModerator(41, true, 0)
      const packs = [
        aNewPack({ ownerId: 'leaver', pinnedRank: 1 }),
        aNewPack({ ownerId: 'leaver', visibility: 'private' }),
        aNewPack({ ownerId: 'leaver', hiddenAt: 5 }),
      ]
      for (const pack of packs) await one.packs.create(pack, null)
      const staying = aNewPack({ ownerId: 'stayer' })
      await one.packs.create(staying, null)
      await one.apiKeys.replace('leaver', 'packs', key('x'))
      await one.apiKeys.replace('leaver', 'pools', key('y'))
      await one.apiKeys.replace('stayer', 'packs', key('z'))
      const place = { service: 'packs', device: null } as const
      const session = { ...place, accountId: 'leaver', csrf: 'c', createdAt: 1 }
      await one.sessions.create({ ...session, hash: 'leaver-hash' }, null)
      await one.sessions.create({ ...session, hash: 'stayer-hash', accountId: 'stayer' }, null)

      expect(await two.packs.read(packs[0]!.slug)).not.toBeNull()
      expect(await two.apiKeys.findOwner('packs', key('x').hash)).toBe('leaver')
      const index = await two.publicIndex.version()
      const listed = (await two.packs.listPublic(1, 50)).total
      expect(await one.accounts.remove('leaver', 0)).toBe(true)

      expect(await two.accounts.read('leaver')).toBeNull()
      expect(await two.accounts.findByGameId(41)).toBeNull()
      for (const { slug } of packs) expect(await two.packs.read(slug)).toBeNull()
      expect(await two.packs.listPinned()).toEqual([])
      expect((await two.packs.listPublic(1, 50)).total).toBe(listed - 1)
      expect(await two.publicIndex.version()).not.toBe(index)
      expect(await two.apiKeys.findOwner('packs', key('x').hash)).toBeNull()
      expect(await two.apiKeys.findOwner('pools', key('y').hash)).toBeNull()
      expect(await two.sessions.find('leaver-hash', { seenSince: 0, createdSince: 0 })).toBeNull()

      expect(await two.packs.read(staying.slug)).not.toBeNull()
      expect(await two.apiKeys.findOwner('packs', key('z').hash)).toBe('stayer')
      expect(
        await two.sessions.find('stayer-hash', { seenSince: 0, createdSince: 0 }),
      ).not.toBeNull()

      const again = await one.accounts.ensurePlayer({ gameId: 41, username: 'x' }, 'leaver-2', 0)
      expect(again).toMatchObject({ id: 'leaver-2', isModerator: false })
      expect((await one.packs.listOwned('leaver-2', 1, 50)).total).toBe(0)
      expect(await one.accounts.remove('leaver', 0)).toBe(false)
    })

    it('leaves a list of many blocks whole, on every page (D-16)', async () => {
      const alone = await tempStore()
      const { accounts, packs } = await alone.open()
      const owners = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
      for (const [at, id] of owners.entries()) {
        await accounts.ensurePlayer({ gameId: at + 1, username: id }, id, 0)
      }
      const saved = Array.from({ length: 2_100 }, (_, at) =>
        aNewPack({ ownerId: owners[at % 7] ?? '', updatedAt: (at * 37) % 500 }),
      )
      for (const pack of saved) await packs.create(pack, null)
      for (const id of ['b', 'e']) await accounts.remove(id, 0)
      const left = saved
        .map(({ ownerId, updatedAt, slug }, at) => ({ ownerId, updatedAt, slug, at }))
        .filter(({ ownerId }) => ownerId !== 'b' && ownerId !== 'e')
        .toSorted((x, y) => y.updatedAt - x.updatedAt || y.at - x.at)
      expect(left.length).toBeLessThan(saved.length)
      const found: string[] = []
      for (let page = 1; found.length < left.length; page += 1) {
        const list = await packs.listPublic(page, 50)
        expect(list.total).toBe(left.length)
        expect(list.rows.length).toBeGreaterThan(0)
        found.push(...list.rows.map(({ slug }) => slug))
      }
      expect(found).toEqual(left.map(({ slug }) => slug))
      await alone.remove()
    })

    it('leaves in the log what happened, without names', async () => {
      await one.accounts.ensurePlayer({ gameId: 43, username: 'author' }, 'author', 0)
      await one.accounts.ensurePlayer({ gameId: 44, username: 'mod' }, 'mod', 0)
      const pack = aNewPack({ ownerId: 'author', name: 'Telling' })
      await one.packs.create(pack, null)
      const by = { moderatorId: 'mod', reason: 'off topic' }
      await one.packs.moderate(pack.slug, (saved) => hide(saved, by, 5))
      await one.accounts.remove('author', 0)
      const note = {
        at: 5,
        action: 'hide',
        subject: 'pack',
        slug: pack.slug,
        packName: '',
        reason: 'off topic',
      }
      const newest = async () => (await two.packs.readLog(1, 1)).rows[0]
      expect(await newest()).toEqual({ ...note, by: { username: 'mod' } })
      await one.accounts.remove('mod', 0)
      expect(await newest()).toEqual({ ...note, by: { username: null } })
      expect(await two.packs.readLogAbout('author')).toEqual([])
    })

    it('is nothing for the system account and for one that is not there (D-28)', async () => {
      expect(await one.accounts.remove(SYSTEM_ACCOUNT_ID, 0)).toBe(false)
      expect(await one.accounts.remove('nobody', 0)).toBe(false)
      expect(await one.accounts.read(SYSTEM_ACCOUNT_ID)).not.toBeNull()
    })

    it('leaves no pack behind that is saved at the same moment', async () => {
      await one.accounts.ensurePlayer({ gameId: 45, username: 'racer' }, 'racer', 0)
      const before = (await two.packs.listPublic(1, 1)).total
      const saves = Array.from({ length: 20 }, (_, at) =>
        (at % 2 ? one : two).packs.create(aNewPack({ ownerId: 'racer' }), null),
      )
      await Promise.allSettled([...saves.slice(0, 10), two.accounts.remove('racer', 0), ...saves])
      expect((await one.packs.listOwned('racer', 1, 50)).total).toBe(0)
      expect((await one.packs.listPublic(1, 1)).total).toBe(before)
    })
  })

  it('makes one account of 30 concurrent calls through two doors', async () => {
    const before = await one.accounts.countPlayers()
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        (at % 2 ? one : two).accounts.ensurePlayer(
          { gameId: 777, username: 'racer' },
          `racer-${at}`,
          0,
        ),
      ),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(1)
    expect(await two.accounts.countPlayers()).toBe(before + 1)
  })
})
