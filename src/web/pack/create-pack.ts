import * as texts from '#texts/pool-page'
import { newIdempotencyKey } from '../../client/request.ts'
import { NAME_LENGTH } from '../../contract/bounds.ts'
import type { PackInput, SitePack } from '../../contract/packs.ts'
import { packInputOf } from '../../pool/pack-fields.ts'
import { withoutDirection } from '../../pool/text.ts'
import { call } from '../api.ts'

/** The last pack that was not saved, and its idempotency key. */
let tried = { pack: '', key: '' }

/** Saves a new pack. Tried again because a response was lost, the same one is not saved twice. */
export async function createPack(body: PackInput): Promise<SitePack> {
  const pack = JSON.stringify(body)
  if (tried.pack !== pack) tried = { pack, key: newIdempotencyKey() }
  const saved = await call('createPack', { body, idempotencyKey: tried.key })
  tried = { pack: '', key: '' }
  return saved.pack
}

export async function createAndOpen(body: PackInput): Promise<void> {
  const { slug } = await createPack(body)
  location.assign(`/p/${slug}`)
}

/** `Finals (copy)`, within the bounds of a name (D-19). */
export function copyName(name: string): string {
  const cut = name.slice(0, NAME_LENGTH - texts.nameOfCopy({ name: '' }).length)
  // A name has no directional formatting, which texts surround names with (D-47).
  return withoutDirection(
    texts.nameOfCopy({ name: (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd() }),
  )
}

/** A copy that only its owner finds; of another user's pack, the pool alone. */
export function copyOf(pack: SitePack): PackInput {
  const { name, slots, buckets = null, isMine } = pack
  const visibility = pack.visibility === 'private' ? 'private' : 'unlisted'
  return isMine
    ? packInputOf({ ...pack, name: copyName(name), visibility })
    : packInputOf({ name, slots, buckets, visibility })
}
