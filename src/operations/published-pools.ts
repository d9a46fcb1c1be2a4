import { AppError } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import { SYSTEM_ACCOUNT_ID } from '../domain/accounts.ts'
import { contentOf, laterSave, type SavedPack } from '../domain/packs.ts'
import type { Ports } from '../ports/ports.ts'
import { createPack, type CreatePackPorts } from './packs.ts'

/** Publishes a pool as a new public pack of the system account (D-57). Throws `bad_request`. */
export function publishPool(ports: CreatePackPorts, input: PackInput): Promise<SavedPack> {
  return createPack(ports, SYSTEM_ACCOUNT_ID, asPublic(input))
}

/** The newest published pool of this name; null when there is none. */
export function findPublished(ports: Pick<Ports, 'packs'>, name: string) {
  return ports.packs.findOwned(SYSTEM_ACCOUNT_ID, name)
}

/** Replaces a published pool whole; it keeps its slug (D-57). Throws `bad_request`, then `not_found`. */
export async function republishPool(
  { packs, clock }: Pick<Ports, 'packs' | 'clock'>,
  slug: string,
  input: PackInput,
): Promise<{ readonly pack: SavedPack; readonly before: SavedPack }> {
  const content = contentOf(asPublic(input))
  let before: SavedPack | undefined
  const pack = await packs.replace(slug, SYSTEM_ACCOUNT_ID, (saved) => {
    before = saved
    return laterSave(saved, content, clock.now())
  })
  if (pack === null || before === undefined) throw noSuchPool(slug)
  return { pack, before }
}

/** Removes a published pool (D-57) and returns it as it was. Throws `not_found`. */
export async function unpublishPool(
  { packs, clock }: Pick<Ports, 'packs' | 'clock'>,
  slug: string,
) {
  const before = await packs.read(slug)
  if (before?.ownerId !== SYSTEM_ACCOUNT_ID) throw noSuchPool(slug)
  if (!(await packs.remove(slug, SYSTEM_ACCOUNT_ID, clock.now()))) throw noSuchPool(slug)
  return before
}

const asPublic = (input: PackInput): PackInput => ({ ...input, visibility: 'public' })

/** The same for a missing pack and for another owner's (D-29). */
function noSuchPool(slug: string): AppError {
  const message = `no published tournament pool has the slug ${slug}; only packs that publish has made can be replaced or unpublished`
  return new AppError('not_found:nothing_visible', message)
}
