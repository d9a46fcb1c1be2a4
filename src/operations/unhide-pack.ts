import { asOperator, type Moderating, unhide } from '../domain/moderation.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { applyVerdict, type Moderated } from './apply-verdict.ts'

/** Gives a hidden pack back to those who could see it before (D-30). */
export const unhidePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<Moderated> => applyVerdict(packs, slug, (saved) => unhide(saved, by, clock.now()))
