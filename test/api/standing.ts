import { expect } from 'vitest'
import { quotaOf, type Reply } from '../support/door.ts'

const seenIds = new Set<string>()

/** Holds an answer to what every answer carries (spec 4, D-9, D-12, D-13). */
export const expectStanding = ({ headers, ...reply }: Reply): void => {
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cache-control')).toBe('private, no-cache')
  const id = headers.get('x-request-id') ?? ''
  expect(id).toMatch(/^[A-Za-z0-9_-]+$/)
  expect(seenIds).not.toContain(id)
  seenIds.add(id)
  const quota = quotaOf({ headers, ...reply })
  expect([10, 20, 60]).toContain(quota.limit)
  expect(Number.isInteger(quota.remaining)).toBe(true)
  expect(quota.remaining).toBeGreaterThanOrEqual(0)
  expect(quota.remaining).toBeLessThanOrEqual(quota.limit)
  expect(Number.isInteger(quota.reset)).toBe(true)
  expect(quota.reset).toBeGreaterThanOrEqual(1)
  expect(quota.reset).toBeLessThanOrEqual(60)
  const cors = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
  expect(cors).toEqual([])
}

/** The field names of an object in the order in which they were sent (D-45). */
export const orderOf = (object: object): string[] => Object.keys(object)
