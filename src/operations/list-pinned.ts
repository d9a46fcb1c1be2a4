import type { SavedPack } from '../domain/packs.ts'
import type { PackStore } from '../ports/packs.ts'

/** The pinned row in its order, for whoever looks (D-30). */
export const listPinned = ({ packs }: { packs: PackStore }): Promise<readonly SavedPack[]> =>
  packs.listPinned()
