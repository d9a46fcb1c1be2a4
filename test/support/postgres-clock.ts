import { overConnection } from './postgres-setup.ts'

/** A database whose clock can be set, for those who open it by `url`. */
type SteppedDatabase = {
  readonly url: string
  /** Sets the clock so many ms ahead of the real time, or back when negative. */
  readonly step: (ms: number) => Promise<void>
  readonly restore: () => Promise<void>
}

/**
 * Puts a clock of ours before the one of the system catalogue: what our own statements call
 * `clock_timestamp()` is that, while they stay as they are.
 */
export const stepDatabaseClock = async (databaseUrl: string): Promise<SteppedDatabase> => {
  const run = (statement: string) =>
    overConnection(databaseUrl, async (client) => void (await client.query(statement)))
  await run(`
    drop schema if exists stepped cascade;
    create schema stepped;
    create table stepped.step (ms bigint not null);
    insert into stepped.step values (0);
    create function stepped.clock_timestamp() returns timestamptz language sql volatile as
      'select pg_catalog.clock_timestamp() + ms * interval ''1 millisecond'' from stepped.step'`)
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c search_path=public,stepped,pg_catalog')
  return {
    url: url.href,
    step: (ms) => run(`update stepped.step set ms = ${ms}`),
    restore: () => run('drop schema stepped cascade'),
  }
}
