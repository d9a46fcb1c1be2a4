import { expect } from 'vitest'
import { orderOf } from './standing.ts'

const fields = [
  'slug',
  'name',
  'visibility',
  'description',
  'slots',
  'buckets',
  'exports',
  'hiddenAt',
  'historyPublic',
  'stats',
  'createdAt',
  'updatedAt',
  'packKey',
  'ownerName',
]
const optional = new Set(['description', 'buckets', 'hiddenAt', 'historyPublic', 'stats'])
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * Holds a pack to its fields and their order: those that are always there, and of the others
 * exactly the ones named here (spec 2.2, D-45, D-46).
 */
export const expectPackShape = (pack: Record<string, unknown>, present: readonly string[]) => {
  const expected = fields.filter((field) => !optional.has(field) || present.includes(field))
  expect(orderOf(pack)).toEqual(expected)
  expect(pack['slug']).toMatch(/^[A-Za-z0-9_-]{10}$/)
  expect(pack['createdAt']).toMatch(TIMESTAMP)
  expect(pack['updatedAt']).toMatch(TIMESTAMP)
  for (const slot of pack['slots'] as object[]) {
    expect(orderOf(slot)).toEqual(['mod', 'index', 'beatmapId'])
  }
}
