import { expect, test } from 'vitest'
import { MAX_BODY_BYTES, MAX_PACKS } from '../../src/contract/bounds.ts'
import { codesOf, errorCodes } from '../../src/contract/errors.ts'
import { serviceNames } from '../../src/contract/services.ts'
import { documents } from './documents.ts'

/** The table of spec 7, and the codes that D-12, D-48, D-73 and D-116 add. */
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
  unavailable: 503,
}

test('the error codes are those of spec 7, D-12, D-48, D-73 and D-116, each with its status', () => {
  const codes = Object.entries(errorCodes).map(([code, { status }]) => [code, status])
  expect(Object.fromEntries(codes)).toEqual(specified)
})

test.each(serviceNames)('error.code is one of its own in the %s document (spec 2.9)', (service) => {
  const codes = Object.keys(codesOf[service])
  expect(codes).toEqual(expect.arrayContaining(Object.keys(specified)))
  expect(documents[service].components['schemas']?.['ErrorReply']).toMatchObject({
    properties: { error: { properties: { code: { enum: codes } } } },
  })
})

test('only refusals of changes of slots have slots (D-62)', () => {
  const fieldsOf = (service: 'packs' | 'pools') => {
    const schema = documents[service].components['schemas']?.['ErrorReply']
    return Object.keys((schema as { properties: object }).properties)
  }
  expect(fieldsOf('packs')).toEqual(['error'])
  expect(fieldsOf('pools')).toEqual(['error', 'slots'])
})

test('what the codes mean says the bounds as they are enforced (spec 8)', () => {
  expect(errorCodes.conflict.meaning).toContain(`${MAX_PACKS} saved packs`)
  expect(errorCodes.too_large.meaning).toContain(`${MAX_BODY_BYTES / 1024} KB`)
})
