import type { Stats } from '../../contract/stats.ts'

const saysTheSame = (a: Stats, b: Stats): boolean =>
  JSON.stringify({ ...a, computedAt: '' }) === JSON.stringify({ ...b, computedAt: '' })

/**
 * The stats to store for a pack: null to leave those that it has. Complete ones are not given up
 * for incomplete ones, for a pack has only stats of the slots that it has now; and a try that
 * brought nothing is no reason to write.
 */
export const betterStats = (old: Stats | null, fresh: Stats): Stats | null => {
  if (old === null || fresh.complete) return fresh
  return old.complete || saysTheSame(old, fresh) ? null : fresh
}
