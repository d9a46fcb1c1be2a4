import { expect } from 'vitest'
import type { SiteErrorCode } from '../../src/contract/errors.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Browser } from './browser.ts'
import type { Reply } from './door.ts'
import { expectSiteError } from './site-calls.ts'

/** What every answer of the site carries, whatever it is (D-13). */
export const expectSiteHeaders = (headers: Headers): void => {
  expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('referrer-policy')).toBe('same-origin')
  expect(headers.get('permissions-policy')).toContain('camera=()')
  expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy')).toMatch(/^(?:same|cross)-origin$/)
  expect(headers.get('x-request-id')).toMatch(/^[\w-]+$/)
  expect(headers.get('cache-control')).not.toBeNull()
  expect(headers.get('access-control-allow-origin')).toBeNull()
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers.get(`ratelimit-${name}`)).toMatch(/^\d+$/)
  }
}

/** Holds an answer to what its endpoint may say: a success, or one of its errors but 500. */
export const expectDeclared = (reply: Reply, { success, errors }: Endpoint): void => {
  expectSiteHeaders(reply.headers)
  if (reply.status === success.status) return
  const declared: readonly number[] = errors.filter((status) => status !== 500)
  expect(declared, reply.text).toContain(reply.status)
  const code = reply.json?.error?.code as SiteErrorCode
  expectSiteError(reply, code)
}

/** All that somebody's requests could have changed, as they and a moderator see it. */
export const everythingOf = async (from: Browser): Promise<unknown> => {
  const { sessions: _, ...mine } = (await from.ask('GET', '/session/my-data')).json
  return {
    mine,
    moderated: (await from.ask('GET', '/session/moderation/packs')).json,
    log: (await from.ask('GET', '/session/moderation/log')).json,
  }
}
