import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { EMPTY_POSTGRES } from './empty-stores.ts'
import { overConnection, withDatabase } from './postgres-setup.ts'

/** A database that nobody else uses, as a store is when it is new. */
export type Database = {
  readonly url: string
  /** Gives it to the next test. All connections to it must be closed. */
  giveBack(): Promise<void>
}

// Making a database takes longer than most tests: each one is used many times.
const free: string[] = []

/**
 * A name that no other database of this run has. It counts nothing: a worker may load this module again, and would count
 * anew.
 */
const newName = (): string => `${inject('postgres').prefix}${randomBytes(6).toString('hex')}`

export const takeDatabase = async (): Promise<Database> => {
  const run = inject('postgres')
  const name = free.pop() ?? (await makeDatabase())
  const url = withDatabase(run.url, name)
  return {
    url,
    async giveBack() {
      await overConnection(url, (client) => client.query(EMPTY_POSTGRES.join(';')))
      free.push(name)
    },
  }
}

const makeDatabase = async (): Promise<string> => {
  const { url, template } = inject('postgres')
  const name = newName()
  await overConnection(url, async (client) => {
    // Two copies of one database cannot be made at once.
    await client.query('select pg_advisory_lock(1)')
    await client.query(`create database ${name} template ${template}`)
  })
  return name
}

/** A database with nothing in it, or one made with other words, that goes away with the test. */
export const emptyDatabase = async (words = ''): Promise<string> => {
  const { url } = inject('postgres')
  const name = newName()
  await overConnection(url, (client) => client.query(`create database ${name} ${words}`))
  onTestFinished(async () => {
    await overConnection(url, (client) => client.query(`drop database ${name} with (force)`))
  })
  return withDatabase(url, name)
}
