import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { createClient } from '../../src/client/packs.ts'
import { errorCodes } from '../../src/contract/errors.ts'

const doc = readFileSync(new URL('../../docs/client.md', import.meta.url), 'utf8')

/** The first cells of the rows of the n-th table of a section, without their marks. */
const cellsOf = (heading: string, table: number): string[] => {
  const section = doc.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? ''
  const tables = section
    .split(/\n(?!\|)/)
    .map((text) => text.trim())
    .filter((text) => text.startsWith('|'))
  const rows = (tables[table] ?? '').split('\n').slice(2)
  return rows.map((row) => /`(\w+)/.exec(row)?.[1] ?? '')
}

it('docs/client.md names every code that an error can have, and no other (spec 7)', () => {
  const own = ['unreachable', 'timed_out', 'unexpected_answer']
  expect(cellsOf('Errors', 1)).toEqual([...Object.keys(errorCodes), ...own])
})

it('docs/client.md names everything that a client has', () => {
  const client = createClient({ baseUrl: 'https://packs.test', key: 'packs_x' })
  expect(cellsOf('Methods', 0).toSorted()).toEqual(Object.keys(client).toSorted())
})
