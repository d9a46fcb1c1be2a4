import { createPack } from '../operations/create-pack.ts'
import { issueKey } from '../operations/issue-key.ts'
import type { Config } from './config.ts'
import { demonstrationPools } from './demonstration-pools.ts'
import type { Ports } from './wire.ts'

/** A made-up player, far above the ids that the platform gives out. */
export const demonstrationPlayer = { gameId: 999_999_999, username: 'Demonstration' } as const

/** Setting a public address or a database means a real deployment. */
export const isDemonstration = ({ publicUrls, databaseUrl }: Config): boolean =>
  databaseUrl === null && Object.values(publicUrls).every((url) => url === null)

/**
 * Fills a fresh store with a made-up player, three real pools as their packs, and a key, through
 * the same operations as everyone's.
 *
 * @returns the key for the packs service; null when this is no demonstration or not its first run.
 */
export const setUpDemonstration = async (ports: Ports, config: Config): Promise<string | null> => {
  if (!isDemonstration(config) || (await ports.accounts.countPlayers()) > 0) return null
  const key = await issueKey(ports, {
    service: 'packs',
    keyPrefix: config.keyPrefixes.packs,
    ...demonstrationPlayer,
  })
  const account = await ports.accounts.findByGameId(demonstrationPlayer.gameId)
  if (account === null) throw new Error('the demonstration account is gone')
  for (const pool of demonstrationPools.toReversed()) {
    await createPack(ports, account.id, pool)
  }
  return key
}
