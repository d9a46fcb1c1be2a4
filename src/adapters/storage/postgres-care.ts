import { sql } from 'kysely'
import { type StoreCare, StoreUnavailable } from '../../ports/store.ts'
import type { Engine } from './engine.ts'
import type { PostgresLender } from './postgres-pool.ts'
import { asUnavailable, probeRoom } from './store-check.ts'

const FORGETFUL =
  'DATABASE_URL leads to a pooler that forgets prepared statements; set DATABASE_PREPARED=off'

/** Looks after a store in a PostgreSQL database. */
export const createPostgresCare = (
  { db, write }: Pick<Engine, 'db' | 'write'>,
  lender: PostgresLender,
  backup: (file: string) => Promise<void>,
): StoreCare => ({
  async check() {
    try {
      // To lock a row is to write, without a new version of it; a server that only reads refuses.
      const { rows } =
        await sql`select id from account where game_id is null for no key update`.execute(db)
      if (rows.length !== 1) throw new Error('The store has lost its system account')
      if (await lender.isForgetful()) throw new StoreUnavailable(FORGETFUL)
      if (!lender.isDiskFull) return
      await probeRoom({ write })
      lender.noteRoom()
    } catch (error) {
      throw asUnavailable(error)
    }
  },

  connections: () => lender.usage,

  backup,

  close: () => lender.close(),
})
