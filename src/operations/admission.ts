import { type Awaitable, whenKnown } from '../domain/loading.ts'
import type { SiteQuota } from '../contract/accounts.ts'
import { AppError, refusal } from '../contract/errors.ts'
import {
  ACCOUNT_POINTS_PER_MINUTE,
  ADDRESS_POINTS_PER_MINUTE,
  ANONYMOUS_NEW_BEATMAPS_PER_HOUR,
  DAY_MS,
  EDITS_PER_MINUTE,
  FAILURES_PER_MINUTE,
  NEW_BEATMAPS_PER_HOUR,
  NETWORK_POINTS_PER_MINUTE,
} from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { bearerToken, explainToken, isApiKey } from '../domain/keys.ts'
import {
  hourResetSeconds,
  isAccount,
  networkOf,
  minuteResetSeconds,
  presentQuota,
  type QuotaReport,
  reportAccount,
  reportAddress,
  type Requester,
  dayOf,
} from '../domain/quotas.ts'
import type { ApiKeyStore, KeyUse } from '../ports/accounts.ts'
import type { Ports } from '../ports/ports.ts'
import type { ShareName } from '../ports/quotas.ts'

type Admitted = {
  /** The key's owner; null when no valid key was sent. */
  readonly accountId: string | null
  readonly quota: QuotaReport
  /** null when the request is admitted. */
  readonly failure: AppError | null
}

type QuotaPorts = Pick<Ports, 'quotas' | 'clock'>

type AuthAttempt = {
  readonly service: ServiceName
  readonly keyPrefix: string
  readonly otherKeyPrefix: string
  readonly authorization: string | undefined
  readonly isWrite: boolean
  /** Called only when the attempt fails. */
  readonly address: () => string
}

/**
 * Admits a request by its key and spends its quota: the key is checked before the quota (D-3), and a
 * valid key is admitted whatever its address did before (D-5).
 */
export function admitRequest(
  ports: QuotaPorts & Pick<Ports, 'hasher'> & { readonly keyUses: Pick<KeyUses, 'note'> },
  attempt: AuthAttempt,
): Awaitable<Admitted> {
  const { service, isWrite } = attempt
  const token = bearerToken(attempt.authorization)
  if (token === null) return refuseAttempt(ports, attempt, refusal('noKey'))
  const refuse = (): Promise<Admitted> => refuseAttempt(ports, attempt, wrongKey(attempt, token))
  if (!isApiKey(attempt.keyPrefix, token)) return refuse()
  const hash = ports.hasher.sha256(token)
  const now = ports.clock.now()
  return whenKnown(ports.quotas.admit(service, hash, isWrite, now), (admission) => {
    if (admission === null) return refuse()
    ports.keyUses.note(hash, now)
    return {
      accountId: admission.accountId,
      quota: reportAccount(admission.spent, isWrite, admission.resetMs),
      failure: admission.refused && refusal(exhausted[admission.refused]),
    }
  })
}

/** Throws `invalid_api_key` unless the key still is one: a request may have waited since it was admitted (D-76). */
export function readmitRequest(
  { apiKeys, hasher }: Pick<Ports, 'apiKeys' | 'hasher'>,
  attempt: Omit<AuthAttempt, 'isWrite' | 'address'>,
): Awaitable<void> {
  const token = bearerToken(attempt.authorization) ?? ''
  return whenKnown(apiKeys.findOwner(attempt.service, hasher.sha256(token)), (owner) => {
    if (owner === null) throw wrongKey(attempt, token)
  })
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
    quota: reportAddress(failures),
    failure: failures.count > FAILURES_PER_MINUTE ? refusal('tooManyFailures') : failure,
  }
}

function wrongKey(
  { service, keyPrefix, otherKeyPrefix }: Omit<AuthAttempt, 'isWrite' | 'address'>,
  token: string,
): AppError {
  const other = {
    service: service === 'packs' ? 'pools' : 'packs',
    prefix: otherKeyPrefix,
  } as const
  const { reason, message } = explainToken(token, { service, prefix: keyPrefix, other })
  return new AppError(`invalid_api_key:${reason}`, message)
}

/** The failed-attempt quota of an address, for answers that belong to no account; spends nothing (D-10). */
export function describeAddress(
  { quotas, clock }: QuotaPorts,
  service: ServiceName,
  address: string,
): Awaitable<QuotaReport> {
  return whenKnown(quotas.failures(service, address, clock.now()), reportAddress)
}

type OverShare = { readonly quota: QuotaReport; readonly failure: AppError }

/**
 * Spends what a request to the site costs (D-56): of its account, or of its address and, in IPv6, of its /48 (D-75).
 * Returns null when the request is admitted.
 *
 * @param isLate it was admitted before: the share may be overdrawn.
 */
export function spendSiteShare(
  ports: QuotaPorts,
  service: ServiceName,
  requester: Requester,
  points: number,
  isLate = false,
): OverShare | null {
  const network = networkOf(requester)
  const shares = [
    [requester, isAccount(requester) ? ACCOUNT_POINTS_PER_MINUTE : ADDRESS_POINTS_PER_MINUTE],
    ...(network === null ? [] : [[network as Requester, NETWORK_POINTS_PER_MINUTE] as const]),
  ] as const
  const refused = shares.map(([name, limit]) => {
    const share = { kind: 'site', service, name } as const
    return spendMinutely(ports, share, points, isLate ? Infinity : limit, 'requests')
  })
  return refused.find((each) => each !== null) ?? null
}

/** Spends an edit of a tournament on the site (D-64). Returns null when the request is admitted. */
export function spendEdit(
  ports: QuotaPorts,
  service: ServiceName,
  requester: Requester,
): OverShare | null {
  const share = { kind: 'edits', service, name: requester } as const
  return spendMinutely(ports, share, 1, EDITS_PER_MINUTE, 'edits')
}

function spendMinutely(
  { quotas, clock }: QuotaPorts,
  share: ShareName & { readonly name: Requester },
  cost: number,
  limit: number,
  what: string,
): OverShare | null {
  const { isRefused, resetMs } = quotas.spendShare(share, cost, limit, clock.now())
  if (!isRefused) return null
  const resetSeconds = minuteResetSeconds(resetMs)
  const who = isAccount(share.name) ? 'your account' : 'your network'
  const message = `too many ${what} from ${who} in this minute; wait ${resetSeconds} seconds`
  return {
    quota: { limit, remaining: 0, resetSeconds },
    failure: new AppError('rate_limited:share_used', message, resetSeconds),
  }
}

/**
 * Counts beatmaps that a visitor adds to the cache (0 only asks): those who are not signed in have an
 * hourly limit, each address and all together. Returns the seconds to wait; null for none.
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
    ['anonymous', ANONYMOUS_NEW_BEATMAPS_PER_HOUR],
  ] as const
  const [refused] = shares
    .map(([name, limit]) =>
      quotas.spendShare({ kind: 'new_beatmaps', service: 'packs', name }, count, limit, now),
    )
    .filter(({ isRefused }) => isRefused)
  // Both count the same hour.
  return refused === undefined ? null : hourResetSeconds(refused.resetMs)
}

/** Spends a request and a write of the account on the packs service: saving on the site (spec 8, D-8). */
export async function spendWrite(
  { quotas, clock }: QuotaPorts,
  accountId: string,
): Promise<Pick<Admitted, 'quota' | 'failure'>> {
  const { spent, refused, resetMs } = await quotas.spend('packs', accountId, true, clock.now())
  return {
    quota: reportAccount(spent, true, resetMs),
    failure: refused && refusal(exhausted[refused]),
  }
}

/** The refusals by the quota that is used up. */
const exhausted = { requests: 'tooManyRequests', writes: 'tooManyWrites' } as const

/** What is left of the account's quotas on a service in this minute. Spends nothing. */
export async function showQuota(
  { quotas, clock }: QuotaPorts,
  service: ServiceName,
  accountId: string,
): Promise<SiteQuota> {
  const { resetMs, ...spent } = await quotas.spent(service, accountId, clock.now())
  return presentQuota(spent, resetMs)
}

/** More keys per day than these are noted again. */
const MOST_KEYS = 100_000

/**
 * Records the day on which each key of a service was last used (D-40): once per day and key, after
 * the request, several keys in one write. A write that fails is not repeated that day.
 */
export class KeyUses {
  readonly #service: ServiceName
  readonly #apiKeys: Pick<ApiKeyStore, 'noteUses'>
  readonly #onError: (error: unknown) => void
  readonly #noted = new Set<string>()
  #day = Number.NEGATIVE_INFINITY
  #dayEnd = Number.NEGATIVE_INFINITY
  #waiting: KeyUse[] = []
  #isWriting = false

  /** @param onError is called with what the store throws. */
  constructor(
    service: ServiceName,
    apiKeys: Pick<ApiKeyStore, 'noteUses'>,
    onError: (error: unknown) => void,
  ) {
    this.#service = service
    this.#apiKeys = apiKeys
    this.#onError = onError
  }

  /** Records a use of the valid key with this hash. Never throws. */
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
