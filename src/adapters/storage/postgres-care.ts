import { sql } from 'kysely'
import type { StoreCare } from '../../ports/store-care.ts'
import type { Engine } from './engine.ts'
import type { PostgresLender } from './postgres-pool.ts'

/** Looks after a store in a PostgreSQL database. */
export const createPostgresCare = (
  { db }: Pick<Engine, 'db'>,
  lender: PostgresLender,
  backup: (file: string) => Promise<void>,
): StoreCare => ({
  async check() {
    // To lock a row is to write, without a new version of it; a server that only reads refuses.
    const { rows } =
      await sql`select id from account where game_id is null for no key update`.execute(db)
    if (rows.length !== 1) throw new Error('The store has lost its system account')
  },

  backup,

  close: () => lender.close(),
})
