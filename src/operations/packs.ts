import { type Awaitable, whenKnown } from '../domain/loading.ts'
import { AppError, refusal } from '../contract/errors.ts'
import type { MagnetInput, PackInput } from '../contract/packs.ts'
import { DAY_MS } from '../contract/quotas.ts'
import { accountGone } from '../domain/accounts.ts'
import { canonicalMagnet, withExport, withoutExport } from '../domain/magnets.ts'
import {
  contentOf,
  firstSave,
  laterSave,
  mayRead,
  maySee,
  type PackContent,
  packLimitOf,
  type SavedPack,
} from '../domain/packs.ts'
import { isSlug, withFreeSlug } from '../domain/keys.ts'
import type { Precondition } from '../domain/reading/requests.ts'
import type { Session } from '../domain/sessions.ts'
import { timestamp } from '../domain/quotas.ts'
import type { IdempotencyToken } from '../ports/store.ts'
import type { Ports } from '../ports/ports.ts'

export type CreatePackPorts = Pick<Ports, 'packs' | 'clock' | 'random' | 'hasher'>

/**
 * Saves a new pack of the account (spec 3). Throws `bad_request` for an invalid input, `conflict` when
 * the owner has as many packs as they may (D-28), `invalid_api_key` when the account was just deleted.
 *
 * @param idempotencyKey within 24 hours, the same input with it returns what it returned the first time,
 *   and another input is a `bad_request`. null for none.
 */
export async function createPack(
  ports: CreatePackPorts,
  ownerId: string,
  input: PackInput,
  idempotencyKey: string | null = null,
): Promise<SavedPack> {
  const { packs, clock, random } = ports
  const content = contentOf(input)
  const limit = packLimitOf(ownerId)
  const once = idempotencyKey === null ? null : onceFor(idempotencyKey, content, ports)
  return withFreeSlug(random, async (slug) => {
    const pack = firstSave(content, { slug, ownerId, now: clock.now() })
    const creation = await packs.create(pack, limit, once)
    if ('pack' in creation) return creation.pack
    if (creation.outcome === 'no_owner') throw accountGone()
    if (creation.outcome === 'full') throw refusal('tooManyPacks')
    if (creation.outcome === 'key_taken') throw refusal('idempotencyKeyUsed')
    return null
  })
}

/** By content: the order of fields, white space and ignored fields (D-17) make no difference. */
function onceFor(
  key: string,
  content: PackContent,
  { clock, hasher }: CreatePackPorts,
): IdempotencyToken {
  const fingerprint = hasher.sha256(JSON.stringify(content))
  return { key, fingerprint, since: clock.now() - DAY_MS }
}

/**
 * Replaces the account's own pack whole (spec 4.1 rule 3). Throws `bad_request` for an invalid
 * input, then `not_found` when the pack is missing or not theirs (D-3), then what `check` throws.
 *
 * @param check throws unless the pack may be replaced in its current state, in one step with the write
 *   (D-48). Called with null when the pack is missing or not theirs.
 */
export async function replacePack(
  { packs, clock }: Pick<Ports, 'packs' | 'clock'>,
  ownerId: string,
  slug: string,
  input: PackInput,
  check?: Precondition<SavedPack>,
): Promise<SavedPack> {
  const content = contentOf(input)
  const pack = await packs.replace(slug, ownerId, (saved) => {
    check?.(saved)
    return laterSave(saved, content, clock.now())
  })
  return pack ?? notFound(check)
}

/** A precondition that throws `conflict` unless the pack was last saved at `updatedAt`, where the edit began. */
export function savedLast(updatedAt: string): Precondition<SavedPack> {
  return (saved) => {
    if (saved === null || updatedAt === timestamp(saved.updatedAt)) return
    const message = 'the pack was changed after you started editing; nothing was saved'
    throw new AppError('conflict:pack_changed', message)
  }
}

/**
 * Deletes the account's own pack; `not_found` when it is missing or not theirs (spec 4.1 rule 5).
 *
 * @param check throws unless the pack may be deleted in its current state (D-48).
 */
export async function deletePack(
  { packs, clock }: Pick<Ports, 'packs' | 'clock'>,
  accountId: string,
  slug: string,
  check?: Precondition<SavedPack>,
): Promise<void> {
  if (!(await packs.remove(slug, accountId, clock.now(), check))) notFound(check)
}

/**
 * Records a magnet link of the account's own pack in its canonical form (D-43); `updatedAt` stays. Throws
 * `bad_request` for an invalid link, then `not_found` when the pack is missing or not theirs, then
 * `conflict` for another pack key, the same link again, or an 11th.
 */
export async function recordMagnet(
  { packs, clock }: Pick<Ports, 'packs' | 'clock'>,
  ownerId: string,
  slug: string,
  { url, packKey }: MagnetInput,
): Promise<SavedPack> {
  const link = { url: canonicalMagnet(url), packKey }
  const change = (saved: SavedPack) => withExport(saved, link, clock.now())
  return (await packs.changeExports(slug, ownerId, change)) ?? notFound()
}

/**
 * Removes a magnet link of the account's own pack, however it is spelt (D-43); `updatedAt` stays. Throws
 * `bad_request` for an invalid link, `not_found` when the pack is missing, not theirs, or without it.
 */
export async function removeMagnet(
  { packs }: Pick<Ports, 'packs'>,
  ownerId: string,
  slug: string,
  url: string,
): Promise<SavedPack> {
  const canonical = canonicalMagnet(url)
  const change = (saved: SavedPack) => withoutExport(saved, canonical)
  return (await packs.changeExports(slug, ownerId, change)) ?? notFound()
}

/** Throws what `check(null)` throws, else `not_found`. */
function notFound(check?: Precondition<SavedPack>): never {
  check?.(null)
  throw refusal('packNotFound')
}

/** A pack that the account may read; `not_found` otherwise (spec 4.1 rule 6). */
export function getPack(
  { packs }: Pick<Ports, 'packs'>,
  accountId: string,
  slug: string,
): Awaitable<SavedPack> {
  return whenKnown(packs.read(slug), (pack) =>
    pack !== null && mayRead(pack, accountId) ? pack : notFound(),
  )
}

/** A pack that the viewer may see on the site; `not_found` otherwise (D-29, D-30). */
export function openPack(
  { packs }: Pick<Ports, 'packs'>,
  viewer: Session | null,
  slug: string,
): Awaitable<SavedPack> {
  return whenKnown(isSlug(slug) ? packs.read(slug) : null, (pack) =>
    pack !== null && maySee(pack, viewer) ? pack : notFound(),
  )
}
