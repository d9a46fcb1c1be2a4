import type { PackStore } from '../ports/packs.ts'

/** The packs, calling `wake` whenever one was saved. */
export const wakeOnSave = (packs: PackStore, wake: () => void): PackStore => {
  const heard = async <T>(saving: Promise<T>): Promise<T> => {
    const saved = await saving
    wake()
    return saved
  }
  return {
    ...packs,
    create: (pack, limit, once) => heard(packs.create(pack, limit, once)),
    replace: (slug, ownerId, change) => heard(packs.replace(slug, ownerId, change)),
  }
}
