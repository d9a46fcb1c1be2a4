import { Failure } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import { DAY_MS } from '../contract/quotas.ts'
import {
  contentOf,
  firstSave,
  newSlug,
  type PackContent,
  packLimitOf,
  type SavedPack,
} from '../domain/packs.ts'
import type { Once, PackStore } from '../ports/packs.ts'
import type { Clock, Hasher, Random } from '../ports/system.ts'
import { accountGone } from './account-gone.ts'

export type CreatePackPorts = {
  readonly packs: PackStore
  readonly clock: Clock
  readonly random: Random
  readonly hasher: Hasher
}

/** Of 60 random bits, five collisions in a row are no accident. */
const SLUG_ATTEMPTS = 5

/**
 * The same pack however it was written down: the order of fields, white space and what is ignored
 * (D-17) make no other one, and what is answered follows from it.
 */
const onceFor = (key: string, content: PackContent, { clock, hasher }: CreatePackPorts): Once => ({
  key,
  fingerprint: hasher.sha256(JSON.stringify(content)),
  since: clock.now() - DAY_MS,
})

/**
 * Saves a new pack of the account (spec 3). Throws `bad_request` for an invalid input and
 * `conflict` when the owner already has as many packs as they may (D-28), `invalid_api_key` when the
 * account was deleted a moment ago.
 *
 * @param idempotencyKey the account's name for this creation: under it, within 24 hours, the same
 *   input gives what it gave the first time, and another is a `bad_request`. null for none.
 */
export const createPack = async (
  ports: CreatePackPorts,
  ownerId: string,
  input: PackInput,
  idempotencyKey: string | null = null,
): Promise<SavedPack> => {
  const { packs, clock, random } = ports
  const content = contentOf(input)
  const limit = packLimitOf(ownerId)
  const once = idempotencyKey === null ? null : onceFor(idempotencyKey, content, ports)
  for (let attempt = 0; attempt < SLUG_ATTEMPTS; attempt++) {
    const pack = firstSave(content, { slug: newSlug(random), ownerId, now: clock.now() })
    const creation = await packs.create(pack, limit, once)
    if ('pack' in creation) return creation.pack
    if (creation.outcome === 'no_owner') throw accountGone()
    if (creation.outcome === 'full') {
      throw new Failure('conflict', `you already have ${limit} saved packs; delete one first`)
    }
    if (creation.outcome === 'key_taken') {
      throw new Failure(
        'bad_request',
        'Idempotency-Key was used for another body in the last 24 hours; use a new key for each pack',
      )
    }
  }
  throw new Error('no free slug found')
}
