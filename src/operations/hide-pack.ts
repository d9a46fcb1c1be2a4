import { asOperator, hide, type Moderating } from '../domain/moderation.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { applyVerdict, type Moderated } from './apply-verdict.ts'

/** Hides a pack from everyone but its owner and removes its pin, in one step (D-30). */
export const hidePack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<Moderated> => applyVerdict(packs, slug, (saved) => hide(saved, by, clock.now()))
