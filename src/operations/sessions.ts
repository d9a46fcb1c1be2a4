import type { ServiceName } from '../contract/services.ts'
import { newAccountId, takeUsername } from '../domain/accounts.ts'
import {
  describeDevice,
  isSeenAnew,
  isToken,
  makeToken,
  type Session,
  sessionLimits,
  TOKEN_BYTES,
} from '../domain/sessions.ts'
import type { Platform } from '../ports/platform.ts'
import type { Ports } from '../ports/ports.ts'

type SignInPorts = Pick<Ports, 'accounts' | 'sessions' | 'clock' | 'random' | 'hasher'> & {
  readonly platform: Pick<Platform, 'readPlayer'>
}

/** The request of a browser that the platform has sent back. */
type Arrival = {
  readonly service: ServiceName
  readonly code: string
  /** Where the platform sent it, exactly as it was asked to. */
  readonly redirectUri: string
  /** The token of the session that this browser has already; it ends. */
  readonly formerToken: string | null
  readonly userAgent: string | undefined
}

/** Only `signed_in` has created a session. The token itself is not stored. */
export type SignIn =
  | { readonly outcome: 'signed_in'; readonly token: string }
  | { readonly outcome: 'bad_code' | 'restricted' | 'deleted' }

/**
 * Signs a player in (D-42): creates their account if there is none, updates their username, and creates
 * a session with a new token. Throws `PlatformError` if the platform cannot be reached.
 */
export async function signIn(
  { platform, accounts, sessions, clock, random, hasher }: SignInPorts,
  { service, code, redirectUri, formerToken, userAgent }: Arrival,
): Promise<SignIn> {
  const player = await platform.readPlayer(code, redirectUri)
  if (player === null) return { outcome: 'bad_code' }
  if (player.isDeleted) return { outcome: 'deleted' }
  if (player.isRestricted) return { outcome: 'restricted' }
  const now = clock.now()
  const account = await accounts.ensurePlayer(
    { gameId: player.gameId, username: takeUsername(player.username) },
    newAccountId(random),
    now,
  )
  const token = makeToken(random.bytes(TOKEN_BYTES))
  await sessions.create(
    {
      hash: hasher.sha256(token),
      accountId: account.id,
      service,
      device: describeDevice(userAgent),
      csrf: makeToken(random.bytes(TOKEN_BYTES)),
      createdAt: now,
    },
    formerToken !== null && isToken(formerToken) ? hasher.sha256(formerToken) : null,
  )
  await sessions.removeExpired(sessionLimits(now))
  return { outcome: 'signed_in', token }
}

/** The service's session with this token or null; each use extends it by 30 days, to at most 90 in all. */
export async function findViewer(
  { sessions, clock, hasher }: Pick<Ports, 'sessions' | 'clock' | 'hasher'>,
  service: ServiceName,
  token: string | null,
): Promise<Session | null> {
  if (token === null || !isToken(token)) return null
  const now = clock.now()
  const session = await sessions.find(hasher.sha256(token), sessionLimits(now))
  // Browsers send cookies to every port of a host: this one may have come from the other service.
  if (session?.service !== service) return null
  if (isSeenAnew(session, now)) await sessions.touch(session.hash, now)
  return session
}

/** Ends the viewer's session, or all sessions of their account. */
export async function signOut(
  { sessions }: Pick<Ports, 'sessions'>,
  viewer: Session,
  everywhere: boolean,
): Promise<void> {
  await (everywhere ? sessions.endAll(viewer.accountId, null) : sessions.end(viewer.hash))
}
