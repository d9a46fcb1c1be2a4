import type { MyData } from '../contract/accounts.ts'
import { MAX_PACKS } from '../contract/bounds.ts'
import type { ServiceName } from '../contract/services.ts'
import { UNKNOWN_PLAYER } from '../domain/accounts.ts'
import { presentKey } from '../domain/keys.ts'
import { presentNote } from '../domain/moderation.ts'
import { presentPack } from '../domain/packs.ts'
import { type Session, sessionLimits } from '../domain/sessions.ts'
import { timestamp } from '../domain/time.ts'
import type { AccountStore } from '../ports/accounts.ts'
import type { ApiKeyStore } from '../ports/keys.ts'
import type { PackStore } from '../ports/packs.ts'
import type { SessionStore } from '../ports/sessions.ts'
import type { Clock } from '../ports/system.ts'

export type MyDataPorts = {
  readonly accounts: AccountStore
  readonly apiKeys: ApiKeyStore
  readonly packs: PackStore
  readonly sessions: SessionStore
  readonly clock: Clock
}

/** Everything that is kept about the viewer's account. */
export const gatherMyData = async (
  { accounts, apiKeys, packs, sessions, clock }: MyDataPorts,
  { accountId }: Session,
  poolsOwnerName: string,
): Promise<MyData> => {
  const account = await accounts.read(accountId)
  if (account?.gameId == null) throw new Error('a session without a player')
  const keyOf = async (service: ServiceName) => {
    const key = await apiKeys.read(accountId, service)
    return key && presentKey(key)
  }
  const mine = await packs.listOwned(accountId, 1, MAX_PACKS)
  const signedIn = await sessions.list(accountId, sessionLimits(clock.now()))
  const notes = await packs.readLogAbout(accountId)
  return {
    account: {
      id: account.id,
      gameId: account.gameId,
      username: account.username ?? UNKNOWN_PLAYER,
      createdAt: timestamp(account.createdAt),
      isModerator: account.isModerator,
    },
    keys: { packs: await keyOf('packs'), pools: await keyOf('pools') },
    packs: mine.packs.map((pack) => presentPack(pack, poolsOwnerName)),
    sessions: signedIn.map(({ service, device, createdAt, lastSeenAt }) => ({
      service,
      device,
      createdAt: timestamp(createdAt),
      lastSeenAt: timestamp(lastSeenAt),
    })),
    moderation: notes.map(presentNote),
  }
}
