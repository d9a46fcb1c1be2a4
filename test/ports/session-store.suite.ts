import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/account.ts'
import type { NewSession } from '../../src/ports/session-store.ts'
import { addOwners, type TempStore } from './temp-store.ts'

let made = 0

const aSession = (changes: Partial<NewSession> = {}): NewSession => ({
  hash: `hash-${(made += 1)}`,
  accountId: 'owner',
  csrf: 'c'.repeat(43),
  createdAt: 1_000,
  ...changes,
})

/** What every SessionStore does. */
export const sessionStoreSuite = (engine: string, newStore: () => Promise<TempStore>): void => {
  describe(`SessionStore on ${engine}`, () => {
    let store: TempStore
    let one: Stores
    let two: Stores

    beforeAll(async () => {
      store = await newStore()
      one = await store.open()
      two = await store.open()
      await addOwners(one)
    })

    afterAll(() => store.remove())

    const begin = async (changes: Partial<NewSession> = {}) => {
      const session = aSession(changes)
      await one.sessions.create(session, null)
      return session
    }

    it('tells whose session it is, with everything about them, in one read', async () => {
      const session = await begin({ createdAt: 5_000 })
      const expected = {
        ...session,
        gameId: 1,
        username: 'mapper',
        isModerator: false,
        lastSeenAt: 5_000,
      }
      expect(await one.sessions.find(session.hash, 0)).toEqual(expected)
      expect(await two.sessions.find(session.hash, 0)).toEqual(expected)
      expect(await one.sessions.find('nobody', 0)).toBeNull()
    })

    it('knows a new name and a new moderator at once, in every process (D-42)', async () => {
      const { hash } = await begin({ accountId: 'other' })
      expect(await two.sessions.find(hash, 0)).toMatchObject({ username: 'somebody' })
      await one.accounts.ensurePlayer({ gameId: 2, username: 'renamed' }, 'x', 0)
      expect(await two.sessions.find(hash, 0)).toMatchObject({ username: 'renamed' })
      await one.accounts.setModerator(2, true, 0)
      expect(await two.sessions.find(hash, 0)).toMatchObject({ isModerator: true })
      await one.accounts.setModerator(2, false, 0)
      expect(await two.sessions.find(hash, 0)).toMatchObject({ isModerator: false })
    })

    it('begins one in place of another, in one step', async () => {
      const before = await begin()
      const after = aSession()
      await one.sessions.create(after, before.hash)
      expect(await two.sessions.find(before.hash, 0)).toBeNull()
      expect(await two.sessions.find(after.hash, 0)).toMatchObject({ hash: after.hash })
      await one.sessions.create(aSession(), 'nobody')
    })

    it('keeps the session that there is when the new one cannot begin', async () => {
      const before = await begin()
      const orphan = aSession({ accountId: 'nobody' })
      await expect(one.sessions.create(orphan, before.hash)).rejects.toThrow()
      expect(await two.sessions.find(before.hash, 0)).not.toBeNull()
      expect(await two.sessions.find(orphan.hash, 0)).toBeNull()
    })

    it('finds none that has been idle for too long', async () => {
      const { hash } = await begin({ createdAt: 7_000 })
      expect(await one.sessions.find(hash, 7_000)).not.toBeNull()
      expect(await one.sessions.find(hash, 7_001)).toBeNull()
      await two.sessions.touch(hash, 9_000)
      expect(await one.sessions.find(hash, 9_000)).toMatchObject({
        createdAt: 7_000,
        lastSeenAt: 9_000,
      })
    })

    it('never moves the time of last use back, nor brings a session back', async () => {
      const { hash } = await begin({ createdAt: 7_000 })
      await one.sessions.touch(hash, 9_000)
      await one.sessions.touch(hash, 8_000)
      expect(await one.sessions.find(hash, 0)).toMatchObject({ lastSeenAt: 9_000 })
      await one.sessions.end(hash)
      await one.sessions.touch(hash, 10_000)
      expect(await one.sessions.find(hash, 0)).toBeNull()
    })

    it('ends one session for those who knew it already, and no other', async () => {
      const [here, there] = [await begin(), await begin()]
      expect(await two.sessions.find(here.hash, 0)).not.toBeNull()
      expect(await one.sessions.end(here.hash)).toBe(true)
      expect(await one.sessions.end(here.hash)).toBe(false)
      expect(await two.sessions.find(here.hash, 0)).toBeNull()
      expect(await two.sessions.find(there.hash, 0)).not.toBeNull()
    })

    it("ends all of an account's sessions, and nobody else's", async () => {
      await one.sessions.endAll('owner')
      const [a, b] = [await begin(), await begin()]
      const other = await begin({ accountId: 'other' })
      expect(await two.sessions.find(a.hash, 0)).not.toBeNull()
      expect(await one.sessions.endAll('owner')).toBe(2)
      expect(await two.sessions.find(a.hash, 0)).toBeNull()
      expect(await two.sessions.find(b.hash, 0)).toBeNull()
      expect(await two.sessions.find(other.hash, 0)).not.toBeNull()
      expect(await one.sessions.endAll('owner')).toBe(0)
    })

    it("lists an account's live sessions, newest first", async () => {
      await one.sessions.endAll('owner')
      await begin({ createdAt: 100 })
      await begin({ createdAt: 300 })
      const { hash } = await begin({ createdAt: 200 })
      await one.sessions.touch(hash, 900)
      expect(await two.sessions.list('owner', 300)).toEqual([
        { createdAt: 300, lastSeenAt: 300 },
        { createdAt: 200, lastSeenAt: 900 },
      ])
      expect(await two.sessions.list('owner', 0)).toHaveLength(3)
    })

    it('forgets what has been idle for too long', async () => {
      await one.sessions.removeIdle(Number.MAX_SAFE_INTEGER)
      const old = await begin({ createdAt: 100 })
      const used = await begin({ createdAt: 100 })
      await one.sessions.touch(used.hash, 500)
      expect(await one.sessions.removeIdle(500)).toBe(1)
      expect(await one.sessions.removeIdle(500)).toBe(0)
      expect(await two.sessions.find(old.hash, 0)).toBeNull()
      expect(await two.sessions.find(used.hash, 0)).not.toBeNull()
    })

    it('signs nobody in as the system account (D-28)', async () => {
      const { hash } = await begin({ accountId: SYSTEM_ACCOUNT_ID })
      expect(await one.sessions.find(hash, 0)).toBeNull()
    })

    it('loses none of 40 that begin at once through two doors', async () => {
      await one.sessions.endAll('owner')
      const sessions = Array.from({ length: 40 }, () => aSession())
      await Promise.all(
        sessions.map((session, at) => (at % 2 ? one : two).sessions.create(session, null)),
      )
      expect(await one.sessions.list('owner', 0)).toHaveLength(40)
    })
  })
}
