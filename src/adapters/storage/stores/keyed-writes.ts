import { sql } from 'kysely'
import type { WriteOnce } from '../../../ports/store.ts'
import type { Db, Engine } from '../engine.ts'
import { prepareQueries } from '../query.ts'

/** Writes of the past that each new one removes: more than come, and few enough not to be felt. */
const SWEPT_EACH_TIME = 8

type Named = Pick<WriteOnce, 'accountId' | 'key' | 'since'>
type Earlier = { readonly fingerprint: string; readonly made: string }

/** What was made under idempotency keys (D-86), noted in the transactions that make it. */
export function keyedWrites({ db, skipLocked }: Pick<Engine, 'db' | 'skipLocked'>) {
  const queries = prepareQueries({
    byKey: ({ accountId, key, since }: Named) => sql<Earlier>`
      select fingerprint, made from keyed_write
      where account_id = ${accountId} and idempotency_key = ${key} and created_at >= ${since}`,

    // A write at the same moment is waited for.
    insert: ({ accountId, key, fingerprint, made, at, since }: WriteOnce) => sql<Earlier>`
      insert into keyed_write (account_id, idempotency_key, fingerprint, made, created_at)
      values (${accountId}, ${key}, ${fingerprint}, ${made}, ${at})
      on conflict (account_id, idempotency_key) do update
      set fingerprint = excluded.fingerprint, made = excluded.made, created_at = excluded.created_at
      where keyed_write.created_at < ${since}
      returning fingerprint, made`,

    sweep: ({ since }: { since: number }) => sql`
      with old as materialized (
        select account_id, idempotency_key from keyed_write
        where created_at < ${since} order by created_at limit ${SWEPT_EACH_TIME} ${skipLocked}
      )
      delete from keyed_write where (account_id, idempotency_key) in (select * from old)`,
  })

  return {
    async find(once: Named): Promise<Earlier | null> {
      const [earlier] = await queries.byKey(db, once)
      return earlier ?? null
    },

    /**
     * Before the write: throws what `repeat` does if it was made before. Another one under the key is refused after it,
     * so that it reveals nothing that its reader may not see (D-60).
     */
    async refuseRepeated(tx: Db, once: WriteOnce): Promise<void> {
      const [earlier] = await queries.byKey(tx, once)
      if (earlier?.fingerprint === once.fingerprint) once.repeat(earlier)
    },

    /** After the write. */
    async note(tx: Db, once: WriteOnce): Promise<void> {
      const [noted] = await queries.insert(tx, once)
      const [earlier] = noted === undefined ? await queries.byKey(tx, once) : []
      if (earlier !== undefined) once.repeat(earlier)
      // Last: nothing waits for another write while it holds rows of other accounts.
      await queries.sweep(tx, { since: once.since })
    },
  }
}
