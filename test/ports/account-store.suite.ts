import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/account.ts'
import type { TempStore } from './temp-store.ts'

/** What every AccountStore does. */
export const accountStoreSuite = (engine: string, newStore: () => Promise<TempStore>): void => {
  describe(`AccountStore on ${engine}`, () => {
    let store: TempStore
    let one: Stores
    let two: Stores

    beforeAll(async () => {
      store = await newStore()
      one = await store.open()
      two = await store.open()
    })

    afterAll(() => store.remove())

    it('has the system account from the start, which is no player (D-28)', async () => {
      const system = {
        id: SYSTEM_ACCOUNT_ID,
        gameId: null,
        username: null,
        isModerator: false,
        createdAt: 0,
      }
      expect(await one.accounts.read(SYSTEM_ACCOUNT_ID)).toEqual(system)
      expect(await one.accounts.countPlayers()).toBe(0)
    })

    it('makes a player once and takes a new name over (D-42)', async () => {
      const player = { gameId: 9_007_199_254_740_991, username: 'first' }
      const made = await one.accounts.ensurePlayer(player, 'id-one', 5)
      const rest = { id: 'id-one', isModerator: false, createdAt: 5 }
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
}
