import { type Awaitable, whenKnown } from '../domain/awaitable.ts'
import type { SiteQuota } from '../contract/accounts.ts'
import { AppError } from '../contract/errors.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  ADDRESS_POINTS_PER_MINUTE,
  ANONYMOUS_NEW_BEATMAPS_PER_HOUR,
  DAY_MS,
  FAILURES_PER_MINUTE,
  NEW_BEATMAPS_PER_HOUR,
  REQUESTS_PER_MINUTE,
  type SiteCost,
  siteCosts,
  WRITES_PER_MINUTE,
} from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { dayOf } from '../domain/time.ts'
import { bearerToken, explainToken, isApiKey } from '../domain/keys.ts'
import {
  hourResetSeconds,
  isAccount,
  minuteResetSeconds,
  presentQuota,
  type QuotaReport,
  reportAccount,
  reportAddress,
  type Requester,
} from '../domain/quotas.ts'
import type { ApiKeyStore, KeyUse } from '../ports/keys.ts'
import type { Ports } from '../ports/ports.ts'

/** How a request fared at the door. `failure` is null when it may go on. */
type Admitted = {
  /** The key's owner; null when no live key was sent. */
  readonly accountId: string | null
  readonly quota: QuotaReport
  readonly failure: AppError | null
}

type QuotaPorts = Pick<Ports, 'quotas' | 'clock'>

/** An attempt to be let in. */
type AuthAttempt = {
  readonly service: ServiceName
  readonly keyPrefix: string
  readonly otherKeyPrefix: string
  readonly authorization: string | undefined
  readonly isWrite: boolean
  /** Only asked for when the attempt fails: most requests never need it. */
  readonly address: () => string
}

const TOO_MANY_FAILURES = `more than ${FAILURES_PER_MINUTE} failed key attempts from this address in this minute; check the key`

/**
 * Lets a request in by its key and spends its quota: key before quota (D-3), a valid key whatever
 * its address did before (D-5).
 */
export function admitRequest(
  ports: QuotaPorts & Pick<Ports, 'hasher'> & { readonly keyUses: Pick<KeyUses, 'note'> },
  attempt: AuthAttempt,
): Awaitable<Admitted> {
  const { service, isWrite } = attempt
  const now = ports.clock.now()
  const token = bearerToken(attempt.authorization)
  const hash =
    token !== null && isApiKey(attempt.keyPrefix, token) ? ports.hasher.sha256(token) : null
  if (token === null) return refuseAttempt(ports, attempt, noKey())
  if (hash === null) return refuseAttempt(ports, attempt, wrongKey(attempt, token))
  return whenKnown(
    ports.quotas.admit(service, hash, isWrite, now),
    (admission): Awaitable<Admitted> => {
      if (admission === null) return refuseAttempt(ports, attempt, wrongKey(attempt, token))
      ports.keyUses.note(hash, now)
      return {
        accountId: admission.accountId,
        quota: reportAccount(admission.spent, isWrite, admission.resetMs),
        failure: admission.refused && quotaFailure(admission.refused),
      }
    },
  )
}

/** Counts a failed attempt of the address (D-5). */
export async function refuseAttempt(
  { quotas, clock }: QuotaPorts,
  { service, address }: Pick<AuthAttempt, 'service' | 'address'>,
  failure: AppError,
): Promise<Admitted & { readonly failure: AppError }> {
  const failures = await quotas.countFailure(service, address(), clock.now())
  return {
    accountId: null,
    quota: reportAddress(failures.count, failures.resetMs),
    failure:
      failures.count > FAILURES_PER_MINUTE
        ? new AppError('rate_limited', TOO_MANY_FAILURES)
        : failure,
  }
}

const noKey = (): AppError =>
  new AppError('unauthorized', 'send your API key as Authorization: Bearer <key>')

const wrongKey = ({ service, keyPrefix, otherKeyPrefix }: AuthAttempt, token: string): AppError =>
  new AppError(
    'invalid_api_key',
    explainToken(token, {
      service,
      prefix: keyPrefix,
      other: { service: service === 'packs' ? 'pools' : 'packs', prefix: otherKeyPrefix },
    }),
  )

/** The failed-attempt quota of an address, for answers that belong to no account; spends nothing (D-10). */
export async function describeAddress(
  { quotas, clock }: QuotaPorts,
  service: ServiceName,
  address: string,
): Promise<QuotaReport> {
  const { count, resetMs } = await quotas.failures(service, address, clock.now())
  return reportAddress(count, resetMs)
}

/**
 * Spends what a request to the site costs (D-56).
 *
 * @returns null when the request may go on; else what the headers say and what the answer is.
 */
export function spendSiteShare(
  { quotas, clock }: QuotaPorts,
  service: ServiceName,
  requester: Requester,
  cost: SiteCost,
): { readonly quota: QuotaReport; readonly failure: AppError } | null {
  const limit = isAccount(requester) ? ACCOUNT_POINTS_PER_MINUTE : ADDRESS_POINTS_PER_MINUTE
  const share = { kind: 'site', service, name: requester } as const
  const { isRefused, resetMs } = quotas.spendShare(share, siteCosts[cost], limit, clock.now())
  if (!isRefused) return null
  const resetSeconds = minuteResetSeconds(resetMs)
  const who = isAccount(requester) ? 'your account' : 'your network'
  const message = `too many requests from ${who} in this minute; wait ${resetSeconds} seconds`
  return {
    quota: { limit, remaining: 0, resetSeconds },
    failure: new AppError('rate_limited', message, resetSeconds),
  }
}

/** Stands for all who are not signed in. */
const EVERYBODY = 'anonymous'

/**
 * Counts beatmaps that a visitor adds to the cache: those who are not signed in have so many in an
 * hour, each address and all together. A count of 0 only asks.
 *
 * @returns in how many seconds there may be more, when there may be none now; else null.
 */
export function spendNewBeatmaps(
  { quotas, clock }: QuotaPorts,
  requester: Requester,
  count: number,
): number | null {
  if (isAccount(requester)) return null
  const now = clock.now()
  const shares = [
    [requester, NEW_BEATMAPS_PER_HOUR],
    [EVERYBODY, ANONYMOUS_NEW_BEATMAPS_PER_HOUR],
  ] as const
  const refused = shares
    .map(([name, limit]) =>
      quotas.spendShare({ kind: 'new_beatmaps', service: 'packs', name }, count, limit, now),
    )
    .filter(({ isRefused }) => isRefused)
  if (refused.length === 0) return null
  return hourResetSeconds(Math.max(...refused.map(({ resetMs }) => resetMs)))
}

/**
 * Spends what saving on the site costs: a request and a write of the account on the packs service
 * (spec 8, D-8). `failure` is null when the request may go on.
 */
export async function spendWrite(
  { quotas, clock }: QuotaPorts,
  accountId: string,
): Promise<{ readonly quota: QuotaReport; readonly failure: AppError | null }> {
  const spending = await quotas.spend('packs', accountId, true, clock.now())
  const { spent, refused, resetMs } = spending
  return { quota: reportAccount(spent, true, resetMs), failure: refused && quotaFailure(refused) }
}

const messages = {
  requests: `more than ${REQUESTS_PER_MINUTE} requests in this minute; wait for the next`,
  writes: `more than ${WRITES_PER_MINUTE} writes in this minute; wait for the next`,
}

/** What somebody is told whose quota is used up. */
const quotaFailure = (quota: keyof typeof messages): AppError =>
  new AppError('rate_limited', messages[quota])

/** What the account may still do on a service in this minute; looking spends nothing. */
export async function showQuota(
  { quotas, clock }: QuotaPorts,
  service: ServiceName,
  accountId: string,
): Promise<SiteQuota> {
  const { resetMs, ...spent } = await quotas.spent(service, accountId, clock.now())
  return presentQuota(spent, resetMs)
}

/** Keys remembered in one day; beyond it they are noted again. */
const MOST_KEYS = 100_000

/**
 * Notes the day on which each key of a service was last used (D-40): once a day and key, behind the
 * requests, several keys in one write. A note that fails is lost for that day.
 */
export class KeyUses {
  readonly #service: ServiceName
  readonly #apiKeys: Pick<ApiKeyStore, 'noteUses'>
  readonly #onError: (error: unknown) => void
  readonly #noted = new Set<string>()
  #day = Number.NEGATIVE_INFINITY
  /** When the day after it begins. */
  #dayEnd = Number.NEGATIVE_INFINITY
  #waiting: KeyUse[] = []
  #isWriting = false

  /** @param onError hears of what the store throws. */
  constructor(
    service: ServiceName,
    apiKeys: Pick<ApiKeyStore, 'noteUses'>,
    onError: (error: unknown) => void,
  ) {
    this.#service = service
    this.#apiKeys = apiKeys
    this.#onError = onError
  }

  /** A live key with this hash was used. Returns at once and never throws. */
  note(hash: string, now: number): void {
    if (now >= this.#dayEnd || this.#noted.size >= MOST_KEYS) {
      this.#day = Math.max(dayOf(now), this.#day)
      this.#dayEnd = (this.#day + 1) * DAY_MS
      this.#noted.clear()
    }
    if (this.#noted.has(hash)) return
    this.#noted.add(hash)
    this.#waiting.push({ service: this.#service, hash, day: this.#day })
    if (!this.#isWriting) void this.#write()
  }

  async #write(): Promise<void> {
    this.#isWriting = true
    while (this.#waiting.length > 0) {
      const uses = this.#waiting
      this.#waiting = []
      try {
        await this.#apiKeys.noteUses(uses)
      } catch (error) {
        this.#onError(error)
      }
    }
    this.#isWriting = false
  }
}
