import { sql } from 'kysely'
import { MAX_VERSIONS } from '../../../contract/bounds.ts'
import { type PackHistory, type SavedVersion, versionOf } from '../../../domain/history.ts'
import type { SavedPack } from '../../../domain/packs.ts'
import type { Db } from '../engine.ts'
import { prepareQueries } from '../query.ts'
import type { Tables } from '../tables.ts'

/**
 * The versions of packs (D-71). The newest is the row of the pack, so that a creation writes no other;
 * a save that makes a version keeps the state that it replaces.
 */
export function createVersions(db: Db) {
  const queries = prepareQueries({
    keep: (row: Tables['pack_version']) => db.insertInto('pack_version').values(row),

    prune: ({ packId, upTo }: { packId: number; upTo: number }) => sql`
      delete from pack_version where pack_id = ${packId} and version <= ${upTo}`,

    replaced: ({ packId }: { packId: number }) => sql<VersionRow>`
      select version, saved_at as "savedAt", visibility, is_hidden as "isHidden", description,
        pack_key as "packKey"
      from pack_version where pack_id = ${packId} order by version desc`,
  })

  return {
    /** Keeps the state that the next version replaces, in the transaction that saves that. */
    async archive(tx: Db, packId: number, before: SavedPack): Promise<void> {
      const { version, savedAt, isHidden, packKey, ...rest } = versionOf(before)
      await queries.keep(tx, {
        ...rest,
        pack_id: packId,
        version,
        saved_at: savedAt,
        is_hidden: isHidden ? 1 : 0,
        pack_key: packKey,
      })
      const upTo = version + 1 - MAX_VERSIONS
      if (upTo > 0) await queries.prune(tx, { packId, upTo })
    },

    /** The history of a pack that was read in the same transaction. */
    async read(tx: Db, packId: number, pack: SavedPack): Promise<PackHistory> {
      const replaced = await queries.replaced(tx, { packId })
      return Object.freeze({ pack, versions: [versionOf(pack), ...replaced.map(toVersion)] })
    },
  }
}

type VersionRow = Omit<SavedVersion, 'isHidden'> & { readonly isHidden: 0 | 1 }

function toVersion(row: VersionRow): SavedVersion {
  return { ...row, isHidden: row.isHidden === 1 }
}
