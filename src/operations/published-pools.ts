import { AppError } from '../contract/errors.ts'
import type { PackInput } from '../contract/packs.ts'
import { SYSTEM_ACCOUNT_ID } from '../domain/accounts.ts'
import { contentOf, laterSave, type SavedPack } from '../domain/packs.ts'
import type { Ports } from '../ports/ports.ts'
import { createPack, type CreatePackPorts } from './packs.ts'

/**
 * Publishes a tournament pool as a new public pack of the system account, whatever visibility it
 * asks for and whatever other pools are called (D-57). Throws `bad_request` for an invalid input.
 */
export const publishPool = (ports: CreatePackPorts, input: PackInput): Promise<SavedPack> =>
  createPack(ports, SYSTEM_ACCOUNT_ID, asPublic(input))

/** The newest published pool of this name; null when there is none. */
export const findPublished = (
  { packs }: Pick<Ports, 'packs'>,
  name: string,
): Promise<SavedPack | null> => packs.findOwned(SYSTEM_ACCOUNT_ID, name)

/**
 * Replaces a published pool whole; it keeps its slug (D-57). Throws `bad_request` for an invalid
 * input, then `not_found` when no published pool has this slug.
 *
 * @returns the pack as it is now, and as it was.
 */
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

/**
 * Removes a published pool (D-57). Throws `not_found` when no published pool has this slug.
 *
 * @returns the pack as it was.
 */
export async function unpublishPool(
  { packs }: Pick<Ports, 'packs'>,
  slug: string,
): Promise<SavedPack> {
  const before = await packs.read(slug)
  if (before?.ownerId !== SYSTEM_ACCOUNT_ID) throw noSuchPool(slug)
  if (!(await packs.remove(slug, SYSTEM_ACCOUNT_ID))) throw noSuchPool(slug)
  return before
}

const asPublic = (input: PackInput): PackInput => ({ ...input, visibility: 'public' })

/** A pack that belongs to somebody else is not told from a missing one (D-29). */
const noSuchPool = (slug: string): AppError =>
  new AppError(
    'not_found',
    `no published tournament pool has the slug ${slug}; only packs that publish has made can be replaced or unpublished`,
  )
