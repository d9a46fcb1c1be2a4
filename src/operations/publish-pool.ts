import type { PackInput } from '../contract/pack.ts'
import { SYSTEM_ACCOUNT_ID } from '../domain/account.ts'
import { contentOf } from '../domain/pack-content.ts'
import type { SavedPack } from '../domain/saved-pack.ts'
import { type CreatePackPorts, createPack } from './create-pack.ts'
import { replacePack } from './replace-pack.ts'

/**
 * Publishes a tournament pool as a public pack of the system account, whatever visibility it asks
 * for; the account's pack of the same name is replaced (spec 9: such pools are plain packs).
 * Throws `bad_request` for an invalid input.
 */
export const publishPool = async (ports: CreatePackPorts, input: PackInput): Promise<SavedPack> => {
  const pool: PackInput = { ...input, visibility: 'public' }
  const published = await ports.packs.findOwned(SYSTEM_ACCOUNT_ID, contentOf(pool).name)
  return published === null
    ? createPack(ports, SYSTEM_ACCOUNT_ID, pool)
    : replacePack(ports, SYSTEM_ACCOUNT_ID, published.slug, pool)
}
