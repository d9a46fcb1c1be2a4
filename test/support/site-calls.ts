import { Value } from 'typebox/value'
import { expect } from 'vitest'
import { type SiteErrorCode, siteErrorCodes } from '../../src/contract/errors.ts'
import { sessionApi } from '../../src/contract/session-api.ts'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { Reply } from './door.ts'
import { aPack } from './samples.ts'

/** Every session endpoint by its name. */
export const endpoints = Object.entries(sessionApi) as [keyof typeof sessionApi, Endpoint][]

export const aLink = (number: number): string =>
  `magnet:?xt=urn:btih:${number.toString(16).padStart(40, '0')}`

/** A body that each endpoint takes, for a pack with this key and time. */
export const bodies = (packKey: string, updatedAt: string): Readonly<Record<string, unknown>> => ({
  signOut: {},
  setLanguage: { language: null },
  endSession: { id: 'A'.repeat(16) },
  createPack: aPack(),
  replacePack: { pack: aPack({ name: 'Finals' }), basedOn: updatedAt },
  recordMagnet: { url: aLink(1), packKey },
  removeMagnet: { url: aLink(1) },
  setHistoryPublic: { public: true },
  lookAtBeatmaps: { beatmaps: [{ id: 75, mods: [] }] },
  deleteAccount: { username: 'maple_keeper' },
  hidePack: { reason: 'copied from another host' },
  unhidePack: { reason: 'a mistake' },
  pinPack: {},
  unpinPack: {},
  orderPins: { slugs: [] },
  suspendPlayer: { reason: 'advertising' },
  unsuspendPlayer: { reason: 'a mistake' },
})

/** The path of an endpoint for this pack, and its first version. */
export const pathFor = ({ path }: Endpoint, slug: string): string =>
  path
    .replace('{slug}', slug)
    .replace('{version}', '1')
    .replace('{id}', '75')
    .replace('{gameId}', '4711') + (path.endsWith('/beatmaps/usage') ? '?ids=75' : '')

/** Holds an answer to spec 2.9 and to the site's own table of codes. */
export const expectSiteError = (
  reply: Reply,
  code: SiteErrorCode,
  message: string | RegExp = /./,
): void => {
  // Pages are told the reason, too (D-87), and what is wrong with what they sent.
  const { problems, ...error } = reply.json.error
  expect({ ...reply.json, error }).toEqual({
    error: { code, message: expect.any(String), reason: expect.any(String) },
  })
  if (problems !== undefined) {
    const { reason } = error
    expect(['invalid_field', 'invalid_query', 'slur', 'invalid_pool']).toContain(reason)
    expect(problems).toEqual(
      problems.map(() => ({ place: expect.any(String), what: expect.any(String) })),
    )
  }
  expect(reply.status).toBe(siteErrorCodes[code].status)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  if (typeof message === 'string') expect(reply.json.error.message).toBe(message)
  else expect(reply.json.error.message).toMatch(message)
}

/** Holds a success to the endpoint's own status and schema. */
export const expectSuccess = (reply: Reply, name: keyof typeof sessionApi): void => {
  const { success, download }: Endpoint = sessionApi[name]
  expect(reply.status, reply.text).toBe(success.status)
  const disposition = download === undefined ? null : `attachment; filename="${download}"`
  expect(reply.headers.get('content-disposition')).toBe(disposition)
  if (success.schema === null) expect(reply.text).toBe('')
  else expect([...Value.Errors(success.schema, reply.json)]).toEqual([])
}
