import { inject } from 'vitest'
import { overConnection, withDatabase } from './postgres-setup.ts'

/** A database that nobody else uses, as a store is when it is new. */
export type Database = {
  readonly url: string
  /** Gives it to the next test. All connections to it must be closed. */
  giveBack(): Promise<void>
}

// Making a database takes longer than most tests: each one is used many times.
const free: string[] = []
let made = 0

export const takeDatabase = async (): Promise<Database> => {
  const run = inject('postgres')
  const name = free.pop() ?? (await makeDatabase())
  const url = withDatabase(run.url, name)
  return {
    url,
    async giveBack() {
      await overConnection(url, (client) => client.query(AS_NEW))
      free.push(name)
    },
  }
}

const makeDatabase = async (): Promise<string> => {
  const { url, template, prefix } = inject('postgres')
  made += 1
  const name = `${prefix}${process.pid}_${made}`
  await overConnection(url, async (client) => {
    // Two copies of one database cannot be made at once.
    await client.query('select pg_advisory_lock(1)')
    await client.query(`create database ${name} template ${template}`)
  })
  return name
}

const AS_NEW = `
  delete from moderation_log;
  delete from session;
  delete from api_key;
  delete from pack;
  delete from moderator;
  delete from account where game_id is not null;
  delete from public_block where first_id > 0 or first_updated_at > 0;
  update public_block set size = 0;
  update shared_number set value = case name when 'index_version' then 1 else 0 end;
  delete from beatmap;
  delete from rating;
  delete from platform_call;
  delete from quota;
  delete from published_index;
  delete from lease;
  alter sequence pack_id_seq restart;
  alter sequence moderation_log_id_seq restart;
`
