import { expect, it } from 'vitest'
import { failureOf } from '../../src/domain/reading/requests.ts'

const thrown = (code: string): Error => Object.assign(new Error('of the HTTP server'), { code })

it.each([
  ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 'bad_request', /Content-Length/],
  ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type', /application\/json/],
  ['FST_ERR_CTP_BODY_TOO_LARGE', 'too_large', /bytes|KB|MB/],
])('%s of the HTTP server is answered with %s', (code, expected, message) => {
  const failure = failureOf(thrown(code), 'packs')
  expect(failure?.code).toBe(expected)
  expect(failure?.message).toMatch(message)
})

it('any other error is a failure of the service', () => {
  for (const error of [thrown(''), thrown('EIO'), new Error('x'), 'x', null, undefined]) {
    expect(failureOf(error, 'packs')).toBeNull()
  }
})
