import { newIdempotencyKey } from '../client/request.ts'
import type { PackInput, SitePack } from '../contract/packs.ts'
import { call } from './api.ts'

/** What was tried last without success, and under which name. */
let tried = { pack: '', key: '' }

/** Saves a new pack. Tried again because an answer was lost, the same one is not saved twice. */
export const createPack = async (body: PackInput): Promise<SitePack> => {
  const pack = JSON.stringify(body)
  if (tried.pack !== pack) tried = { pack, key: newIdempotencyKey() }
  const saved = await call('createPack', { body, idempotencyKey: tried.key })
  tried = { pack: '', key: '' }
  return saved.pack
}
