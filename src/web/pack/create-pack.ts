import { newIdempotencyKey } from '../../client/request.ts'
import { NAME_LENGTH } from '../../contract/bounds.ts'
import type { PackInput, SitePack } from '../../contract/packs.ts'
import { call } from '../api.ts'

/** What was tried last without success, and under which name. */
let tried = { pack: '', key: '' }

/** Saves a new pack. Tried again because an answer was lost, the same one is not saved twice. */
export async function createPack(body: PackInput): Promise<SitePack> {
  const pack = JSON.stringify(body)
  if (tried.pack !== pack) tried = { pack, key: newIdempotencyKey() }
  const saved = await call('createPack', { body, idempotencyKey: tried.key })
  tried = { pack: '', key: '' }
  return saved.pack
}

const SUFFIX = ' (copy)'

/** `Finals (copy)`, within what a name may have (D-19). */
export function copyName(name: string): string {
  const room = NAME_LENGTH - SUFFIX.length
  const cut = name.slice(0, room)
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}${SUFFIX}`
}

/** What to save for a copy that only its owner finds. The words of somebody else are left out. */
export const copyOf = (pack: SitePack): PackInput => ({
  name: pack.isMine ? copyName(pack.name) : pack.name,
  visibility: pack.visibility === 'private' ? 'private' : 'unlisted',
  slots: pack.slots,
  ...(pack.buckets && { buckets: pack.buckets }),
  ...(pack.isMine && pack.description !== undefined && { description: pack.description }),
})
