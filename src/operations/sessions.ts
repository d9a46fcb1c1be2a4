import { FAILED_CODES_PER_ADDRESS, FAILED_CODES_PER_NETWORK } from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { newAccountId } from '../domain/keys.ts'
import { takeUsername } from '../domain/accounts.ts'
import { signInCaller, spareOfSignIn } from '../domain/platform.ts'
import { failedCodesResetSeconds, networkOf, requesterOf } from '../domain/quotas.ts'
import {
  describeDevice,
  HAND_OVER_MS,
  isSeenAnew,
  isToken,
  makeToken,
  type Session,
  sessionLimits,
  TOKEN_BYTES,
} from '../domain/sessions.ts'
import type { Platform } from '../ports/platform.ts'
import type { Ports } from '../ports/ports.ts'

type SignInPorts = Pick<
  Ports,
  'accounts' | 'suspensions' | 'sessions' | 'clock' | 'random' | 'hasher'
> & {
  readonly platform: Pick<Platform, 'readPlayer'>
}

/** The request of a browser that the platform has redirected back. */
type Arrival = {
  readonly service: ServiceName
  readonly code: string
  /** The redirect address, exactly as it was sent to the platform. */
  readonly redirectUri: string
  /** As `clientAddress`. */
  readonly address: string
  /** How many codes from this address have failed lately (D-91). */
  readonly failedCodes: number
  /** The player who has signed in with this browser before, and not failed lately; null: none. */
  readonly known: string | null
  /** The token of the session that this browser already has, which ends; null for none. */
  readonly formerToken: string | null
  readonly userAgent: string | undefined
}

/** Only `signed_in` has created a session. The token itself is not stored. */
export type SignIn =
  | { readonly outcome: 'signed_in'; readonly token: string; readonly accountId: string }
  | { readonly outcome: 'bad_code' | 'restricted' | 'deleted' | 'disabled' }
  | { readonly outcome: 'suspended'; readonly reason: string }

/**
 * Signs a player in (D-42): creates their account if there is none, updates their username, and creates
 * a session with a new token. Suspended players are not signed in, and get no account (D-76). Throws
 * `PlatformError` if the platform neither accepts nor refuses the code.
 */
export async function signIn(
  { platform, accounts, suspensions, sessions, clock, random, hasher }: SignInPorts,
  { service, code, redirectUri, address, failedCodes, known, formerToken, userAgent }: Arrival,
): Promise<SignIn> {
  const caller = signInCaller(networkOf(address) ?? address, known)
  const spare = known === null ? spareOfSignIn(failedCodes) : 0
  const player = await platform.readPlayer(code, redirectUri, caller, spare)
  if (player === null) return { outcome: 'bad_code' }
  if (player === 'disabled') return { outcome: 'disabled' }
  if (player.isDeleted) return { outcome: 'deleted' }
  if (player.isRestricted) return { outcome: 'restricted' }
  const suspension = await suspensions.readSuspension(player.gameId)
  if (suspension !== null) return { outcome: 'suspended', reason: suspension.reason }
  const now = clock.now()
  const account = await accounts.ensurePlayer(
    { gameId: player.gameId, username: takeUsername(player.username) },
    newAccountId(random),
    now,
  )
  const token = makeToken(random.bytes(TOKEN_BYTES))
  const suspendedFor = await sessions.create(
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
  // Just now.
  if (suspendedFor !== null) return { outcome: 'suspended', reason: suspendedFor }
  await sessions.removeExpired(sessionLimits(now))
  return { outcome: 'signed_in', token, accountId: account.id }
}

type SessionPorts = Pick<Ports, 'sessions' | 'clock' | 'random' | 'hasher'>

/**
 * Makes a code that hands the viewer's sign-in to the other service `to`: the browser whose secret has this SHA-256 can
 * redeem it there, once. Returns null if the session has just ended.
 */
export async function offerHandOver(
  { sessions, clock, random, hasher }: SessionPorts,
  viewer: Session,
  to: ServiceName,
  challenge: string,
): Promise<string | null> {
  const [code, now] = [makeToken(random.bytes(TOKEN_BYTES)), clock.now()]
  const handOver = { hash: hasher.sha256(code), service: to, challenge }
  const isKept = await sessions.offer(handOver, viewer.hash, now, now - HAND_OVER_MS)
  return isKept ? code : null
}

/** Invalidates a code that reached a browser which did not ask for it: its address may have leaked. */
export const refuseHandOver = (
  { sessions, hasher }: Pick<Ports, 'sessions' | 'hasher'>,
  code: string,
): Promise<void> => sessions.discard(hasher.sha256(code))

/** A browser that comes back from the other service. */
type HandedOver = Pick<Arrival, 'service' | 'code' | 'formerToken' | 'userAgent'> & {
  /** The secret in its cookie. */
  readonly secret: string
}

/** `gone`: the code is unknown, used or expired, or belongs to another service, another browser or an ended session. */
export type HandOverEnding =
  | (Extract<SignIn, { outcome: 'signed_in' }> & Pick<Session, 'createdAt'>)
  | { readonly outcome: 'gone' }
  | Extract<SignIn, { outcome: 'suspended' }>

/** Signs in the player for whom the other service made this code, in a session of this service. The code is used up. */
export async function acceptHandOver(
  { sessions, clock, random, hasher }: SessionPorts,
  { service, code, secret, formerToken, userAgent }: HandedOver,
): Promise<HandOverEnding> {
  const now = clock.now()
  const token = makeToken(random.bytes(TOKEN_BYTES))
  const redeemed = await sessions.redeem(
    { hash: hasher.sha256(code), service, challenge: hasher.sha256(secret) },
    { since: now - HAND_OVER_MS, until: now + HAND_OVER_MS },
    sessionLimits(now),
    {
      hash: hasher.sha256(token),
      device: describeDevice(userAgent),
      csrf: makeToken(random.bytes(TOKEN_BYTES)),
    },
    now,
    formerToken !== null && isToken(formerToken) ? hasher.sha256(formerToken) : null,
  )
  if (redeemed === null) return { outcome: 'gone' }
  if ('suspendedFor' in redeemed) return { outcome: 'suspended', reason: redeemed.suspendedFor }
  return { outcome: 'signed_in', token, ...redeemed }
}

type CodePorts = Pick<Ports, 'quotas' | 'clock'>

/** Whether a code may be tried; if not, the whole seconds to wait. */
type CodeAttempt =
  | {
      readonly retryAfter: null
      readonly failed: number
      /** Who has signed in with this browser before, unless a code has failed lately in it, or is being tried. */
      readonly known: string | null
    }
  | { readonly retryAfter: number }

/**
 * Whether codes of sign-ins from this address may be tried, and how many failed lately (D-91). Spends nothing.
 *
 * @param address as `clientAddress`.
 * @param known the player who has signed in with this browser before; null: none.
 */
export function lookAtCodes(
  ports: CodePorts,
  address: string,
  known: string | null = null,
): CodeAttempt {
  const shares = spendCodes(ports, address, 0)
  const refused = shares.filter(({ isRefused }) => isRefused)
  if (refused.length === 0) {
    const failed = Math.max(...shares.map(({ spent }) => spent))
    const isTried = known !== null && spendCodesOf(ports, known, 0).spent > 0
    return { retryAfter: null, failed, known: isTried ? null : known }
  }
  return { retryAfter: failedCodesResetSeconds(Math.max(...refused.map(({ resetMs }) => resetMs))) }
}

/**
 * Counts a code as failed before it is tried, or any number could be tried at once: `returnCode` takes that back.
 * Spends nothing when it must not be tried.
 */
export function takeCode(ports: CodePorts, address: string, known: string | null): CodeAttempt {
  const attempt = lookAtCodes(ports, address, known)
  if (attempt.retryAfter !== null) return attempt
  spendCodes(ports, address, 1)
  if (known !== null) spendCodesOf(ports, known, 1)
  return attempt
}

/** Takes back a failure that was counted in advance: the code was accepted. */
export function returnCode(ports: CodePorts, address: string, known: string | null): void {
  spendCodes(ports, address, -1)
  if (known !== null) spendCodesOf(ports, known, -1)
}

/** Of those who have signed in before: without limit, since what they lose is to be known. */
function spendCodesOf({ quotas, clock }: CodePorts, known: string, cost: number) {
  const share = { kind: 'failed_codes', service: 'packs', name: `known ${known}` } as const
  return quotas.spendShare(share, cost, Infinity, clock.now())
}

/** A code counts the same on either service, because both share one budget of calls to the platform. */
function spendCodes({ quotas, clock }: CodePorts, address: string, cost: number) {
  const network = networkOf(address)
  const shares = [
    [requesterOf(null, address), FAILED_CODES_PER_ADDRESS],
    ...(network === null ? [] : [[requesterOf(null, network), FAILED_CODES_PER_NETWORK] as const]),
  ] as const
  return shares.map(([name, limit]) => {
    const share = { kind: 'failed_codes', service: 'packs', name } as const
    const most = cost < 0 ? Infinity : limit
    return quotas.spendShare(share, cost, most, clock.now())
  })
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
