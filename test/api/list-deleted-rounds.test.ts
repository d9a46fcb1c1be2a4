import { describe } from 'vitest'
import { openFaultyHouse, refusalsOf } from './tournament-refusals.ts'

// What is in the list is tested with the restoration.

const { house, faults } = await openFaultyHouse()
const refuses = refusalsOf(faults, {
  house,
  method: 'GET',
  ask: ({ path }) => ({ path: `${path}/deleted-rounds` }),
})

describe('401 unauthorized, invalid_api_key', () => refuses.strangers())

describe('404 not_found', () => refuses.hidden())

describe('429 rate_limited', () => refuses.overQuota())

describe('500 internal_error', () => refuses.faults())
