import type { Session } from '../../src/domain/sessions.ts'
import { findViewer, type SignIn, signIn } from '../../src/operations/sessions.ts'
import type { PlatformPlayer } from '../../src/ports/platform.ts'
import type { House } from './house.ts'

/** A player as the platform knows them; fields given replace its own. */
export const aPlayer = (changes: Partial<PlatformPlayer> = {}): PlatformPlayer => ({
  gameId: 4711,
  username: 'Ada',
  isRestricted: false,
  isDeleted: false,
  isBot: false,
  ...changes,
})

/** What a sign-in takes, the address aside. */
export const anArrival = {
  service: 'packs',
  code: 'code',
  address: '192.0.2.1',
  failedCodes: 0,
  known: null,
  formerToken: null,
  userAgent: undefined,
} as const

/** Somebody comes back from the platform, which knows them as this player, or not at all. */
export const arrive = (
  { ports }: Pick<House, 'ports'>,
  player: PlatformPlayer | null,
  formerToken: string | null = null,
): Promise<SignIn> => {
  const platform = { readPlayer: async () => player }
  return signIn(
    { ...ports, platform },
    { ...anArrival, redirectUri: 'http://site.test/sign-in/callback', formerToken },
  )
}

/** Signs a player in; gives the token and who they are now. */
export const signedIn = async (
  house: Pick<House, 'ports'>,
  changes: Partial<PlatformPlayer> = {},
): Promise<{ token: string; viewer: Session }> => {
  const arrival = await arrive(house, aPlayer(changes))
  if (arrival.outcome !== 'signed_in') throw new Error(arrival.outcome)
  return { token: arrival.token, viewer: await viewerOf(house, arrival.token) }
}

/** Who is signed in with this token now. */
export const viewerOf = async (
  { ports }: Pick<House, 'ports'>,
  token: string,
): Promise<Session> => {
  const viewer = await findViewer(ports, 'packs', token)
  if (viewer === null) throw new Error('nobody is signed in')
  return viewer
}

/** A signed-in moderator. */
export const moderator = async (
  house: Pick<House, 'ports'>,
  { gameId = 99, username = 'Peridot' } = {},
): Promise<Session> => {
  await house.ports.accounts.setModerator(gameId, true, 0)
  return (await signedIn(house, { gameId, username })).viewer
}
