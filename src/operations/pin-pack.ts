import { asOperator, type Moderating, pin } from '../domain/moderation.ts'
import type { PackStore } from '../ports/packs.ts'
import type { Clock } from '../ports/system.ts'
import { applyVerdict, type Moderated } from './apply-verdict.ts'

/** Pins a public pack at the end of the row of at most six (D-30). */
export const pinPack = async (
  { packs, clock }: { packs: PackStore; clock: Clock },
  slug: string,
  by: Moderating = asOperator(),
): Promise<Moderated> => applyVerdict(packs, slug, (saved, row) => pin(saved, row, by, clock.now()))
