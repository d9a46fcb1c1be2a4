import type { SavedPack } from '../../src/domain/packs.ts'
import type { PackStore } from '../../src/ports/packs.ts'

type House = { readonly ports: { readonly packs: Pick<PackStore, 'read' | 'replace'> } }

/** Gives a pack texts that saving refuses by now, as if they had been stored before. */
export const storeText = async (
  { ports }: House,
  slug: string,
  text: Partial<Pick<SavedPack, 'name' | 'description'>>,
): Promise<void> => {
  const pack = await ports.packs.read(slug)
  if (pack === null) throw new Error(`there is no pack ${slug}`)
  await ports.packs.replace(slug, pack.ownerId, (saved) => ({
    ...saved,
    ...text,
    updatedAt: saved.updatedAt + 1,
  }))
}
