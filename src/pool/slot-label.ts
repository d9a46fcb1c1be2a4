import type { Slot } from '../contract/slot.ts'

/**
 * What people call the slot: `NM1`; `RC1 2` when the code ends in a digit; `TB` for the first
 * tiebreaker, as every sheet has it; the number alone for a slot without a bucket.
 */
export function slotLabel({ mod, index }: Pick<Slot, 'mod' | 'index'>): string {
  if (mod === null) return String(index)
  if (mod === 'TB' && index === 1) return mod
  return /\p{N}$/u.test(mod) ? `${mod} ${index}` : `${mod}${index}`
}
