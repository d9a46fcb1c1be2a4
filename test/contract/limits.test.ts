import { expect, test } from 'vitest'
import * as bounds from '../../src/contract/bounds.ts'
import { isWrite } from '../../src/contract/endpoint.ts'
import * as quotas from '../../src/contract/quotas.ts'

/** The table of spec 8, and D-25, D-30. */
test('the bounds are those of spec 8', () => {
  expect(bounds).toMatchObject({
    MAX_BODY_BYTES: 16_384,
    MAX_PACKS: 200,
    NAME_LENGTH: 64,
    MAX_SLOTS: 64,
    DESCRIPTION_LENGTH: 500,
    MAX_CUSTOM_BUCKETS: 8,
    MAX_BUCKETS: 14,
    MAX_EXPORTS: 10,
    EXPORT_URL_LENGTH: 2048,
    MAX_PAGE: 999_999,
    PAGE_SIZE: 50,
    MAX_SLOT_INDEX: 99,
    MAX_BEATMAP_ID: 2_147_483_647,
    MAX_COLOR: 9,
    MAX_FORCED_MODS: 3,
    MAX_PINNED: 6,
    MAX_INDEX_PACKS: 5000,
    INDEX_DESCRIPTION_LENGTH: 140,
  })
})

test('the quotas are those of spec 8, in windows of a minute and an hour', () => {
  expect(quotas).toMatchObject({
    REQUESTS_PER_MINUTE: 60,
    WRITES_PER_MINUTE: 10,
    FAILURES_PER_MINUTE: 20,
    NEW_KEYS_PER_HOUR: 10,
    MINUTE_MS: 60_000,
    HOUR_MS: 3_600_000,
  })
})

test('POST, PUT, PATCH and DELETE are writes, whatever the path (spec 8, D-8)', () => {
  const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']
  expect(methods.filter(isWrite)).toEqual(['POST', 'PUT', 'PATCH', 'DELETE'])
})

test.each(['1', '9', '10', '999999'])('page %s is one (D-15)', (page) => {
  expect(page).toMatch(new RegExp(bounds.PAGE_PATTERN))
})

test.each(['', '0', '01', '-1', '+1', '1.5', '1e3', ' 1', '1000000', '１'])(
  'page %j is none (D-15)',
  (page) => {
    expect(page).not.toMatch(new RegExp(bounds.PAGE_PATTERN))
  },
)
