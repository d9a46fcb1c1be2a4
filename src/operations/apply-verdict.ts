import { noPackToModerate, type Verdict } from '../domain/moderation.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { PackStore } from '../ports/packs.ts'

/** A pack after a moderation action. */
export type Moderated = SavedPack & {
  /** The pack as the action found it. */
  readonly before: SavedPack
}

/**
 * Applies a moderation action to one pack, in one step with reading it.
 *
 * @throws Failure `not_found` for missing and private packs alike (D-30), and whatever `decide` throws.
 */
export const applyVerdict = async (
  packs: PackStore,
  slug: string,
  decide: (saved: SavedPack, pinned: readonly SavedPack[]) => Verdict,
): Promise<Moderated> => {
  let before: SavedPack | undefined
  const pack = await packs.moderate(slug, (saved, pinned) => {
    before = saved
    return decide(saved, pinned)
  })
  if (pack === null || before === undefined) throw noPackToModerate()
  return { ...pack, before }
}
