import type { ModerationNote } from '../../domain/moderation.ts'
import type { PackStore } from '../../ports/packs.ts'
import type { Db, Engine } from './engine.ts'
import type { ListKeeper } from './list-keeper.ts'
import { publicKey } from './list-key.ts'
import { moderationQueries } from './moderation-queries.ts'
import { type PackRow, toSavedPack } from './pack-row.ts'

type ModerationWrites = Pick<PackStore, 'moderate' | 'setPins'>

/** What moderators do to packs; each act is written down in the same transaction. */
export const moderationWrites = ({ db, write }: Engine, lists: ListKeeper): ModerationWrites => {
  const queries = moderationQueries(db)

  const log = (tx: Db, pack: PackRow, { at, moderatorId, action, reason }: ModerationNote) =>
    queries.log(tx, {
      at,
      moderator_id: moderatorId,
      by_operator: moderatorId === null ? 1 : 0,
      action,
      slug: pack.slug,
      pack_name: pack.name,
      owner_id: pack.owner_id,
      reason,
    })

  return {
    moderate: (slug, change) =>
      write('packs', async (tx) => {
        const [before] = await queries.bySlug(tx, { slug })
        if (before === undefined) return null
        const others = (await queries.pinned(tx, {})).filter(({ id }) => id !== before.id)
        const verdict = change(toSavedPack(before), others.map(toSavedPack))
        const after = {
          ...before,
          hidden_at: verdict.hiddenAt,
          hidden_reason: verdict.hiddenReason ?? null,
          pinned_rank: verdict.pinnedRank,
        }
        await queries.setVerdict(tx, after)
        await lists.move(tx, publicKey(before), publicKey(after))
        if (verdict.note !== undefined) await log(tx, after, verdict.note)
        return toSavedPack(after)
      }),

    setPins: (slugs, note) =>
      write('packs', async (tx) => {
        const before = await queries.pinned(tx, {})
        const row = slugs.flatMap((slug) => before.find((pack) => pack.slug === slug) ?? [])
        const isSameSet = slugs.length === before.length && new Set(row).size === before.length
        if (!isSameSet) return false
        for (const [at, pack] of row.entries()) {
          await queries.setVerdict(tx, { ...pack, pinned_rank: at + 1 })
          await lists.move(tx, publicKey(pack), publicKey(pack))
          if (pack !== before[at]) await log(tx, pack, { ...note, action: 'move' })
        }
        return true
      }),
  }
}
