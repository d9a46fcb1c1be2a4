import { describe, expect, test } from 'vitest'
import { buildOpenapi } from '../../src/contract/openapi/document.ts'
import {
  FAILURES_PER_MINUTE,
  REQUESTS_PER_MINUTE,
  WRITES_PER_MINUTE,
} from '../../src/contract/quotas.ts'
import { documents } from './documents.ts'

const guideOf = (service: 'packs' | 'pools') => documents[service].info['description'] as string

describe.each(['packs', 'pools'] as const)('the head of the %s document', (service) => {
  const { openapi, info, servers, components } = documents[service]

  test('is OpenAPI 3.1 and says version 1 (spec 1, spec 9)', () => {
    expect(openapi).toBe('3.1.0')
    expect(info['version']).toBe('1')
    expect(info['license']).toEqual({ name: 'MIT', identifier: 'MIT' })
  })

  test('says where the service answers', () => {
    const port = service === 'packs' ? 8080 : 8081
    expect(servers.map((server) => server['url'])).toEqual([`http://127.0.0.1:${port}/api/v1`])
  })

  test('describes the key: prefix, underscore, 43 characters (spec 5, D-1, D-40)', () => {
    expect(components['securitySchemes']?.['apiKey']).toMatchObject({
      type: 'http',
      scheme: 'bearer',
      description: expect.stringMatching(new RegExp(`\`${service}_\` followed by 43 characters`)),
    })
  })

  test('tells the quotas as they are enforced (spec 8)', () => {
    expect(guideOf(service)).toContain(`${REQUESTS_PER_MINUTE} requests a minute`)
    expect(guideOf(service)).toContain(`${WRITES_PER_MINUTE} of them may be writes`)
    expect(guideOf(service)).toContain(`${FAILURES_PER_MINUTE} failed key attempts a minute`)
    expect(guideOf(service)).toContain('top of each minute')
  })

  test('says that PATCH is a write like the others (spec 8, D-8)', () => {
    expect(guideOf(service)).toContain('POST, PUT, PATCH, DELETE')
  })

  test('says what no operation lists: 404, 405, HEAD, OPTIONS, no CORS (D-12)', () => {
    expect(guideOf(service)).toMatch(/unknown path is 404 `not_found`/)
    expect(guideOf(service)).toMatch(/another method 405 `method_not_allowed` with `Allow`/)
    expect(guideOf(service)).toMatch(/HEAD is GET without the body/)
    expect(guideOf(service)).toMatch(/OPTIONS is answered 204 with `Allow`/)
    expect(guideOf(service)).toMatch(/no CORS headers/)
  })
})

test('only the packs document tells of pack keys, the index and writes on the site (spec 2, 8)', () => {
  for (const text of ['/k#', '/packs/index.json', 'on the site counts toward the same writes']) {
    expect(guideOf('packs')).toContain(text)
    expect(guideOf('pools')).not.toContain(text)
  }
})

test('the packs document has what the operator configured, without doubled slashes', () => {
  const text = JSON.stringify(
    buildOpenapi('packs', {
      apiUrl: 'https://api.packs.test/',
      siteUrl: 'https://packs.test/',
      keyPrefix: 'mapcrate_live',
    }),
  )
  expect(text).toContain('"https://api.packs.test/api/v1"')
  expect(text).toContain('https://packs.test/packs/index.json')
  expect(text).toContain('mapcrate_live_')
  expect(text).not.toContain('127.0.0.1')
})

test('a document is made afresh and equal each time', () => {
  const options = { apiUrl: 'https://a.test', siteUrl: 'https://b.test', keyPrefix: 'packs' }
  const first = buildOpenapi('packs', options)
  const second = buildOpenapi('packs', options)
  expect(second).not.toBe(first)
  expect(JSON.stringify(second)).toBe(JSON.stringify(first))
})
