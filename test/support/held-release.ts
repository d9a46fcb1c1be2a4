import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { releasedAs, scheduleRound } from './scheduled-round.ts'
import { until } from './until.ts'

/** Workers look each second. */
const LOOKS_MS = 3_000

/**
 * What falls due while running workers may change nothing waits, and is released once when that ends (D-63).
 *
 * @param stores those that the workers use, opened beside them.
 * @param does runs a command of the operator over them.
 */
export const expectHeldRelease = async (
  stores: Pick<Stores, 'accounts' | 'tournaments'>,
  gameId: number,
  does: (...words: string[]) => Promise<unknown>,
): Promise<void> => {
  const { id = '' } = (await stores.accounts.findByGameId(gameId)) ?? {}
  await does('read-only', 'on')
  const round = await scheduleRound(stores, id, Date.now() - 1_000)
  await pause(LOOKS_MS)
  expect(await releasedAs(stores, round)).toBeNull()
  await does('read-only', 'off')
  const { pack } = await until(() => releasedAs(stores, round))
  expect(pack).toMatchObject({ version: 1 })
}
