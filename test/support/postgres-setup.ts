import { randomBytes } from 'node:crypto'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { openPostgresStores } from '../../src/adapters/storage/postgres/open.ts'
import { startCluster } from './postgres-cluster.ts'

/** Where the tests of this run find their databases. */
type PostgresRun = {
  /** Of a database from which others can be made. */
  readonly url: string
  /** The one that all tests begin with. */
  readonly template: string
  /** What the names of all databases of this run begin with. */
  readonly prefix: string
}

declare module 'vitest' {
  interface ProvidedContext {
    engine: 'sqlite' | 'postgres'
    postgres: PostgresRun
  }
}

/** The same server, another database. */
export const withDatabase = (url: string, name: string): string => {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

/** Does something over one connection. */
export const overConnection = async <T>(
  url: string,
  use: (client: Client) => Promise<T>,
): Promise<T> => {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}

/**
 * Before the tests of a run: one PostgreSQL for all of them, that of `TEST_DATABASE_URL` or a fresh
 * one, with a database to copy. Its user must be allowed to make databases.
 */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const given = process.env['TEST_DATABASE_URL']
  const cluster = given ? null : await startCluster({ isFirst: true })
  const url = given || cluster!.url
  const prefix = `mapcrate_test_${randomBytes(4).toString('hex')}_`
  const template = `${prefix}template`
  await overConnection(url, (client) => client.query(`create database ${template}`))
  await (await openPostgresStores(withDatabase(url, template), { timeoutMs: null })).care.close()
  project.provide('postgres', { url, template, prefix })

  return async () => {
    if (cluster) return cluster.stop()
    await overConnection(url, async (client) => {
      const all = await client.query('select datname as name from pg_database')
      for (const { name } of all.rows as { name: string }[]) {
        if (name.startsWith(prefix)) await client.query(`drop database ${name} with (force)`)
      }
    })
  }
}
