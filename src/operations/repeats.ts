import { AppError, refusal } from '../contract/errors.ts'
import { DAY_MS } from '../contract/quotas.ts'
import type { Ports } from '../ports/ports.ts'
import type { WriteOnce } from '../ports/store.ts'

export type RepeatPorts = Pick<Ports, 'clock' | 'hasher'> & {
  readonly tournaments: Pick<Ports['tournaments'], 'findWrite'>
}

/** A request that may come again. */
export type Repeatable = {
  readonly accountId: string
  /** null: each one is a write of its own. */
  readonly key: string | null
  /** What makes it the same request: the operation, where, and what it was sent. */
  readonly of: readonly unknown[]
}

/**
 * Makes a write once in 24 hours under its key (D-86). Throws `bad_request` when the account has made another one under
 * the key, whatever else is wrong with this one; one that failed is forgotten.
 *
 * @param write makes something with this id or slug; everything that depends on what is saved is asked here.
 * @param read what was made before, as it is now; throws when it is gone.
 */
export async function makeOnce<T>(
  { clock, hasher, tournaments }: RepeatPorts,
  { accountId, key, of }: Repeatable,
  made: string,
  write: (once: WriteOnce | null) => Promise<T>,
  read: (made: string) => Promise<T> | T,
): Promise<T> {
  if (key === null) return write(null)
  const fingerprint = hasher.sha256(JSON.stringify(of))
  const at = clock.now()
  const repeat: WriteOnce['repeat'] = (earlier) => {
    if (earlier.fingerprint !== fingerprint) throw refusal('idempotencyKeyOfAnother')
    throw new Repeated(earlier.made)
  }
  const once = { accountId, key, fingerprint, since: at - DAY_MS, made, at, repeat }
  try {
    return await write(once)
  } catch (error) {
    if (error instanceof Repeated) return read(error.made)
    if (!(error instanceof AppError) || error.code === 'invalid_api_key') throw error
    // Only now, and whatever the refusal is, so that it reveals nothing of what is there (D-60).
    const earlier = await tournaments.findWrite(once)
    if (earlier === null) throw error
    if (earlier.fingerprint !== fingerprint) throw refusal('idempotencyKeyOfAnother')
    return read(earlier.made)
  }
}

class Repeated extends Error {
  readonly made: string

  constructor(made: string) {
    super('This write was made before')
    this.made = made
  }
}
