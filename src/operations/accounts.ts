import type { SessionFacts, User } from '../contract/accounts.ts'
import { MAX_PACKS, PAGE_SIZE } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import type { KeyFacts } from '../contract/keys.ts'
import type { MyData } from '../contract/my-data.ts'
import type { ServiceName } from '../contract/services.ts'
import type { StaffRole } from '../contract/tournaments.ts'
import { wrong } from '../pool/input-words.ts'
import { invalidInput } from '../domain/invalid-input.ts'
import { type Account, accountGone, UNKNOWN_PLAYER } from '../domain/accounts.ts'
import { presentOwn } from '../domain/discussion.ts'
import { presentKept } from '../domain/history.ts'
import { presentKey } from '../domain/keys.ts'
import { type Moderator, presentNote } from '../domain/moderation.ts'
import { presentPack, type SavedPack } from '../domain/packs.ts'
import { presentSession, presentViewer, type Session, sessionLimits } from '../domain/sessions.ts'
import { timestamp } from '../domain/quotas.ts'
import type { SavedTournament } from '../domain/tournaments.ts'
import type { Ports } from '../ports/ports.ts'
import type { Page } from '../ports/store.ts'

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
    throw invalidInput([{ place: 'username', what: wrong('otherUsername') }])
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
      ...(account.language !== null && { language: account.language }),
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
  const found = await allPages(
    (page) => tournaments.listOfMember(accountId, page, PAGE_SIZE),
    PAGE_SIZE,
  )
  return found.map(({ slug, name, role }) => ({ slug, name, role }))
}

/**
 * Makes a player a moderator, or revokes that, by their id on the platform, and notes it in the log; without an account yet, from
 * their first sign-in on. Returns whether anything changed, and the account if there is one.
 */
export async function nameModerator(
  { accounts, clock }: Pick<Ports, 'accounts' | 'clock'>,
  { gameId, isModerator, by }: { gameId: number; isModerator: boolean; by: Moderator },
): Promise<{ readonly changed: boolean; readonly account: Account | null }> {
  return {
    changed: await accounts.setModerator(gameId, isModerator, clock.now(), by),
    account: await accounts.findByGameId(gameId),
  }
}

/** What an operator sees of a player, by the id on the platform; times as they are shown. */
export type PlayerFacts = {
  readonly gameId: number
  /** null when none is known. */
  readonly username: string | null
  /** null when there is no account, as before the first sign-in. */
  readonly account: { readonly id: string; readonly createdAt: string } | null
  readonly isModerator: boolean
  readonly suspension: {
    readonly since: string
    /** null: the operator. */
    readonly by: string | null
    readonly reason: string
  } | null
  /** Nothing of the keys themselves. */
  readonly keys: Readonly<Record<ServiceName, Omit<KeyFacts, 'shown'> | null>>
  readonly sessions: readonly Omit<SessionFacts, 'id' | 'isCurrent'>[]
  /** Most recently updated first, as the tournaments. */
  readonly packs: readonly (Pick<SavedPack, 'slug' | 'name' | 'visibility'> & {
    readonly isHidden: boolean
  })[]
  readonly tournaments: readonly (Pick<SavedTournament, 'slug' | 'name' | 'visibility'> & {
    readonly role: StaffRole
    readonly isHidden: boolean
    /** It has no other host, and goes with the account. */
    readonly isOnlyHost: boolean
  })[]
}

/** What is stored of a player; null when nothing is. */
export async function describePlayer(
  ports: MyDataPorts & Pick<Ports, 'suspensions'>,
  who: { readonly gameId: number } | { readonly username: string },
): Promise<PlayerFacts | null> {
  const { accounts, apiKeys, sessions, suspensions, clock } = ports
  const account = await ('gameId' in who
    ? accounts.findByGameId(who.gameId)
    : accounts.findByUsername(who.username))
  const gameId = 'gameId' in who ? who.gameId : (account?.gameId ?? null)
  if (gameId === null) return null
  const suspension = await suspensions.readSuspension(gameId)
  const isModerator = (await accounts.listModerators()).some((each) => each.gameId === gameId)
  if (account === null && suspension === null && !isModerator) return null
  const keyOf = async (service: ServiceName) => {
    const key = account && (await apiKeys.read(account.id, service))
    if (key === null) return null
    const { createdAt, lastUsedOn } = presentKey(key)
    return { createdAt, lastUsedOn }
  }
  const signedIn = account ? await sessions.list(account.id, sessionLimits(clock.now())) : []
  return {
    gameId,
    username: account?.username ?? null,
    account: account && { id: account.id, createdAt: timestamp(account.createdAt) },
    isModerator,
    suspension: suspension && {
      since: timestamp(suspension.at),
      by: suspension.by === 'operator' ? null : (suspension.by.username ?? UNKNOWN_PLAYER),
      reason: suspension.reason,
    },
    keys: { packs: await keyOf('packs'), pools: await keyOf('pools') },
    sessions: signedIn.map((session) => {
      const { id: _, isCurrent: __, ...facts } = presentSession(session, '')
      return facts
    }),
    packs: account ? await packsOf(ports, account.id) : [],
    tournaments: account ? await tournamentsOf(ports, account.id) : [],
  }
}

async function packsOf({ packs }: Pick<Ports, 'packs'>, accountId: string) {
  const found = await allPages((page) => packs.listOwned(accountId, page, MAX_PACKS), MAX_PACKS)
  return found.map(({ slug, name, visibility, hiddenAt }) => {
    return { slug, name, visibility, isHidden: hiddenAt !== null }
  })
}

async function tournamentsOf({ tournaments }: Pick<Ports, 'tournaments'>, accountId: string) {
  const found = await allPages(
    (page) => tournaments.listOfMember(accountId, page, PAGE_SIZE),
    PAGE_SIZE,
  )
  return Promise.all(
    found.map(async ({ slug, name, visibility, hiddenAt, role }) => {
      const staff = (await tournaments.read(slug))?.staff ?? []
      const others = staff.filter((each) => each.role === 'host' && each.accountId !== accountId)
      const isOnlyHost = role === 'host' && others.length === 0
      return { slug, name, visibility, role, isHidden: hiddenAt !== null, isOnlyHost }
    }),
  )
}

async function allPages<T>(read: (page: number) => Promise<Page<T>>, pageSize: number) {
  const found: T[] = []
  for (let page = 1; ; page += 1) {
    const { rows, total } = await read(page)
    found.push(...rows)
    if (page * pageSize >= total) return found
  }
}

/**
 * Deletes a player's account on request, as they could by themselves, and notes it in the log. Throws `not_found`
 * when there is none.
 */
export async function deleteAccountOf(
  { accounts, clock }: Pick<Ports, 'accounts' | 'clock'>,
  gameId: number,
  by: Moderator,
): Promise<void> {
  const account = await accounts.findByGameId(gameId)
  if (account !== null && (await accounts.remove(account.id, clock.now(), by))) return
  throw new AppError(
    'not_found:no_such_player',
    `no player with the game id ${gameId} has an account here`,
  )
}
