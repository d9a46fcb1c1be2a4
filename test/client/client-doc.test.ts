import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createClient, createReader } from '../../src/client/packs.ts'
import { createPoolsClient } from '../../src/client/tournaments.ts'
import { poolsErrorCodes } from '../../src/contract/errors.ts'

const doc = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8')

/** The first cells of the rows of the n-th table of a section, without their marks. */
const cellsOf = (heading: string, table: number): string[] => {
  const section = doc.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const tables = section
    .split(/\n(?!\|)/)
    .map((text) => text.trim())
    .filter((text) => text.startsWith('|'))
  const rows = (tables[table] ?? '').split('\n').slice(2)
  return rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`(\w+)/g)].map(([, name = '']) => name),
  )
}

it('docs/client.md names every code that an error can have, and no other (spec 7)', () => {
  const own = ['unreachable', 'timed_out', 'unexpected_answer']
  expect(cellsOf('Errors', 1)).toEqual([...Object.keys(poolsErrorCodes), ...own])
})

it('docs/client.md names everything that a client has', () => {
  const client = createClient({ baseUrl: 'https://packs.test', key: 'packs_x' })
  expect(cellsOf('Methods', 0).toSorted()).toEqual(Object.keys(client).toSorted())
})

it('and everything that a reader has, all of which a client has, too', () => {
  const options = { baseUrl: 'https://packs.test', key: 'packs_x' }
  const names = Object.keys(createReader(options))
  const [, list = ''] = /`createReader`[^:]*:([^.]*)\./.exec(doc) ?? []
  const named = Array.from(list.matchAll(/`(\w+)`/g), ([, name = '']) => name)
  expect(named.toSorted()).toEqual(names.toSorted())
  expect(Object.keys(createClient(options))).toEqual(expect.arrayContaining(names))
})

it('and everything that a client of tournaments has', () => {
  const pools = createPoolsClient({ baseUrl: 'https://pools.test', key: 'pools_x' })
  expect(cellsOf('Tournaments', 0).toSorted()).toEqual(Object.keys(pools).toSorted())
})
