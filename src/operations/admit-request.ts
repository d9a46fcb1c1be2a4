import { Failure } from '../contract/errors.ts'
import { FAILURES_PER_MINUTE } from '../contract/quotas.ts'
import type { ServiceName } from '../contract/services.ts'
import { bearerToken, explainToken, isApiKey } from '../domain/keys.ts'
import { type QuotaReport, reportAccount, reportAddress } from '../domain/quotas.ts'
import type { QuotaStore } from '../ports/quotas.ts'
import type { Clock, Hasher } from '../ports/system.ts'
import type { KeyUses } from './key-uses.ts'
import { quotaFailure } from './quota-failure.ts'

/** How a request fared at the door. `failure` is null when it may go on. */
export type Admitted = {
  /** The key's owner; null when no live key was sent. */
  readonly accountId: string | null
  readonly quota: QuotaReport
  readonly failure: Failure | null
}

type Ports = {
  quotas: QuotaStore
  hasher: Hasher
  clock: Clock
  keyUses: Pick<KeyUses, 'note'>
}

type Knock = {
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
export const admitRequest = async (ports: Ports, knock: Knock): Promise<Admitted> => {
  const { service, isWrite } = knock
  const now = ports.clock.now()
  const token = bearerToken(knock.authorization)
  const hash =
    token !== null && isApiKey(knock.keyPrefix, token) ? ports.hasher.sha256(token) : null
  const admission = hash === null ? null : await ports.quotas.admit(service, hash, isWrite, now)
  if (hash === null || admission === null) {
    return refuseAttempt(ports, knock, token === null ? noKey() : wrongKey(knock, token))
  }
  ports.keyUses.note(hash, now)
  return {
    accountId: admission.accountId,
    quota: reportAccount(admission.spent, isWrite, admission.resetMs),
    failure: admission.refused && quotaFailure(admission.refused),
  }
}

/** Counts a failed attempt of the address (D-5). */
export const refuseAttempt = async (
  { quotas, clock }: Pick<Ports, 'quotas' | 'clock'>,
  { service, address }: Pick<Knock, 'service' | 'address'>,
  failure: Failure,
): Promise<Admitted & { readonly failure: Failure }> => {
  const failures = await quotas.countFailure(service, address(), clock.now())
  return {
    accountId: null,
    quota: reportAddress(failures.count, failures.resetMs),
    failure:
      failures.count > FAILURES_PER_MINUTE
        ? new Failure('rate_limited', TOO_MANY_FAILURES)
        : failure,
  }
}

const noKey = (): Failure =>
  new Failure('unauthorized', 'send your API key as Authorization: Bearer <key>')

const wrongKey = ({ service, keyPrefix, otherKeyPrefix }: Knock, token: string): Failure =>
  new Failure(
    'invalid_api_key',
    explainToken(token, {
      service,
      prefix: keyPrefix,
      other: { service: service === 'packs' ? 'pools' : 'packs', prefix: otherKeyPrefix },
    }),
  )
