import type { User } from '../contract/accounts.ts'
import { MAX_PACKS, PAGE_SIZE } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import type { MyData } from '../contract/my-data.ts'
import type { ServiceName } from '../contract/services.ts'
import { type Account, accountGone, UNKNOWN_PLAYER } from '../domain/accounts.ts'
import { presentOwn } from '../domain/discussion.ts'
import { presentKept } from '../domain/history.ts'
import { presentKey } from '../domain/keys.ts'
import { presentNote } from '../domain/moderation.ts'
import { presentPack } from '../domain/packs.ts'
import { presentViewer, type Session, sessionLimits } from '../domain/sessions.ts'
import { timestamp } from '../domain/quotas.ts'
import type { Ports } from '../ports/ports.ts'

/** The account of a key (spec 2.1). Throws `invalid_api_key` if it was just deleted. */
export async function getMe(ports: Pick<Ports, 'accounts'>, accountId: string): Promise<User> {
  const account = await ports.accounts.read(accountId)
  // Keys belong to players only.
  if (account?.gameId == null) throw accountGone()
  return { id: account.id, gameId: account.gameId, username: account.username ?? UNKNOWN_PLAYER }
}

/**
 * Deletes the viewer's account with its packs, keys and sessions permanently. Throws `bad_request`
 * unless `typedUsername` is their username.
 */
export async function deleteAccount(
  { accounts, clock }: Pick<Ports, 'accounts' | 'clock'>,
  viewer: Session,
  typedUsername: string,
): Promise<void> {
  if (typedUsername.trim() !== presentViewer(viewer).username) {
    throw new AppError('bad_request:invalid_field', 'username must match your own username exactly')
  }
  await accounts.remove(viewer.accountId, clock.now())
}

type MyDataPorts = Pick<
  Ports,
  'accounts' | 'apiKeys' | 'packs' | 'tournaments' | 'discussion' | 'sessions' | 'clock'
>

/** Everything that is stored about the viewer's account. */
export async function collectMyData(
  { accounts, apiKeys, packs, tournaments, discussion, sessions, clock }: MyDataPorts,
  { accountId }: Session,
  poolsOwnerName: string,
): Promise<MyData> {
  const account = await accounts.read(accountId)
  if (account?.gameId == null) throw new Error('a session without a player')
  const keyOf = async (service: ServiceName) => {
    const key = await apiKeys.read(accountId, service)
    return key && presentKey(key)
  }
  const mine = await packs.listOwned(accountId, 1, MAX_PACKS)
  const versions: MyData['versions'] = []
  for (const { slug } of mine.rows) {
    const history = await packs.readHistory(slug)
    versions.push(
      ...(history?.versions ?? []).map((version) => ({ slug, ...presentKept(version) })),
    )
  }
  const signedIn = await sessions.list(accountId, sessionLimits(clock.now()))
  const notes = await packs.readLogAbout(accountId)
  const discussed = await discussion.readOf(accountId)
  return {
    account: {
      id: account.id,
      gameId: account.gameId,
      username: account.username ?? UNKNOWN_PLAYER,
      createdAt: timestamp(account.createdAt),
      isModerator: account.isModerator,
    },
    keys: { packs: await keyOf('packs'), pools: await keyOf('pools') },
    packs: mine.rows.map((pack) => presentPack(pack, poolsOwnerName)),
    versions,
    sessions: signedIn.map(({ service, device, createdAt, lastSeenAt }) => ({
      service,
      device,
      createdAt: timestamp(createdAt),
      lastSeenAt: timestamp(lastSeenAt),
    })),
    moderation: notes.map(presentNote),
    tournaments: await membershipsOf(tournaments, accountId),
    ...presentOwn(discussed),
  }
}

async function membershipsOf(
  tournaments: Ports['tournaments'],
  accountId: string,
): Promise<MyData['tournaments']> {
  const found: MyData['tournaments'] = []
  for (let page = 1; ; page += 1) {
    const list = await tournaments.listOfMember(accountId, page, PAGE_SIZE)
    found.push(...list.rows.map(({ slug, name, role }) => ({ slug, name, role })))
    if (page * PAGE_SIZE >= list.total) return found
  }
}

/**
 * Makes a player a moderator, or revokes that, by their id on the platform; without an account yet, from
 * their first sign-in on. Returns whether anything changed, and the account if there is one.
 */
export async function nameModerator(
  { accounts, clock }: Pick<Ports, 'accounts' | 'clock'>,
  { gameId, isModerator }: { gameId: number; isModerator: boolean },
): Promise<{ readonly changed: boolean; readonly account: Account | null }> {
  return {
    changed: await accounts.setModerator(gameId, isModerator, clock.now()),
    account: await accounts.findByGameId(gameId),
  }
}
