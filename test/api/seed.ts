import type { PackInput } from '../../src/contract/packs.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { createPack } from '../../src/operations/packs.ts'
import type { Host, House } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

/** The account behind a host. */
export const accountIdOf = async ({ ports }: House, { gameId }: Host): Promise<string> => {
  const account = await ports.accounts.findByGameId(gameId)
  if (account === null) throw new Error(`no player ${gameId}`)
  return account.id
}

/** Saves packs of the host one after the other, past the door and its quotas; gives their slugs. */
export const seed = async (
  house: House,
  host: Host,
  count: number,
  inputAt: (at: number) => Partial<PackInput> = () => ({}),
): Promise<string[]> => {
  const ownerId = await accountIdOf(house, host)
  const slugs: string[] = []
  for (let at = 0; at < count; at += 1) {
    const { slug } = await createPack(house.ports, ownerId, aPack(inputAt(at)))
    slugs.push(slug)
  }
  return slugs
}

/** Writes what the API cannot, stats and magnet links for example, into a pack's row. */
export const alter = async (
  { ports }: House,
  slug: string,
  change: Partial<Pick<SavedPack, 'stats' | 'exports' | 'updatedAt'>>,
): Promise<void> => {
  const saved = await ports.packs.read(slug)
  if (saved === null) throw new Error(`no pack ${slug}`)
  await ports.packs.replace(slug, saved.ownerId, (pack) => ({ ...pack, ...change }))
}
