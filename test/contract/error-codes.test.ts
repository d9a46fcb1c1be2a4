import { expect, test } from 'vitest'
import { MAX_BODY_BYTES, MAX_PACKS } from '../../src/contract/bounds.ts'
import { errorCodes } from '../../src/contract/errors.ts'
import { documents } from './documents.ts'

/** The table of spec 7, and the codes that D-12, D-48 and D-73 add. */
const specified = {
  bad_request: 400,
  unauthorized: 401,
  invalid_api_key: 401,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
}

test('the error codes are those of spec 7, D-12, D-48 and D-73, each with its status', () => {
  const codes = Object.entries(errorCodes).map(([code, { status }]) => [code, status])
  expect(Object.fromEntries(codes)).toEqual(specified)
})

test('error.code is one of them in both documents (spec 2.9)', () => {
  for (const { components } of Object.values(documents)) {
    expect(components['schemas']?.['ErrorReply']).toMatchObject({
      properties: { error: { properties: { code: { enum: Object.keys(specified) } } } },
    })
  }
})

test('what the codes mean says the bounds as they are enforced (spec 8)', () => {
  expect(errorCodes.conflict.meaning).toContain(`${MAX_PACKS} saved packs`)
  expect(errorCodes.too_large.meaning).toContain(`${MAX_BODY_BYTES / 1024} KB`)
})
