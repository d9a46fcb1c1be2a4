import { asOperator, type Moderating, unpin } from '../domain/moderation.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { applyVerdict, type Moderated } from './apply-verdict.ts'

/** Takes a pack out of the pinned row (D-30). */
export const unpinPack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<Moderated> => applyVerdict(packs, slug, (saved) => unpin(saved, by, clock.now()))
