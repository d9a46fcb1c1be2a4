import { afterAll, describe, expect, it } from 'vitest'
import { buildOpenapi } from '../../src/contract/openapi/document.ts'
import { type ServiceName, serviceNames } from '../../src/contract/services.ts'
import { expectError, quotaOf, type Reply } from '../support/door.ts'
import { openHouse } from '../support/house.ts'
import { sendRaw } from './raw.ts'
import { expectStanding, orderOf } from './standing.ts'

const house = await openHouse()
afterAll(() => house.close())

const ask = (service: ServiceName, key?: string, method = 'GET'): Promise<Reply> =>
  house.doors[service].ask(method, '/openapi.json', { key })

describe.each(serviceNames)('the %s service', (service) => {
  describe('200 the document', () => {
    it('needs no key (D-11)', async () => {
      const reply = await ask(service)
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expectStanding(reply)
      const options = { apiUrl: `http://${service}.test`, siteUrl: 'http://site.test' }
      const document = buildOpenapi(service, { ...options, keyPrefix: service })
      expect(reply.text).toBe(JSON.stringify(document))
      expect(orderOf(reply.json).slice(0, 2)).toEqual(['openapi', 'info'])
      expect(reply.json.openapi).toMatch(/^3\.1\./)
      expect(reply.json.info.version).toBe('1')
    })

    it('tells the failed attempts of the address, and spends none (D-10)', async () => {
      house.clock.nextMinute()
      await house.doors[service].ask('GET', '/me')
      for (const key of [undefined, 'wrong']) {
        expect(quotaOf(await ask(service, key))).toMatchObject({ limit: 20, remaining: 19 })
      }
    })

    it('spends nothing of a key’s owner either, and has no use for the key (D-11)', async () => {
      const host = await house.host(service)
      expect(quotaOf(await ask(service, host.key)).limit).toBe(20)
      expect(quotaOf(await host.get('/me'))).toMatchObject({ limit: 60, remaining: 59 })
    })

    it('is there for an address that has failed too often (D-5, D-11)', async () => {
      house.clock.nextMinute()
      for (let count = 0; count < 21; count += 1) await house.doors[service].ask('GET', '/me')
      const reply = await ask(service)
      expect(reply.status).toBe(200)
      expect(quotaOf(reply)).toMatchObject({ limit: 20, remaining: 0 })
    })

    it('has a strong ETag; sent back it gives 304 without a body (D-13)', async () => {
      const etag = (await ask(service)).headers.get('etag') ?? ''
      expect(etag).toMatch(/^"[^"]+"$/)
      const headers = { 'If-None-Match': etag }
      const again = await house.doors[service].ask('GET', '/openapi.json', { headers })
      expect(again).toMatchObject({ status: 304, text: '' })
      expectStanding(again)
    })

    it('answers HEAD with the same headers and no body (D-12)', async () => {
      const [get, head] = [await ask(service), await ask(service, undefined, 'HEAD')]
      expect(head).toMatchObject({ status: 200, text: '' })
      expect(head.headers.get('etag')).toBe(get.headers.get('etag'))
      expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'))
    })
  })

  describe('400 bad_request', () => {
    it.each([
      ['send one Host header', ['GET /api/v1/openapi.json HTTP/1.1', 'Host: other.test']],
      ['the request is not valid HTTP/1.1', ['GET /api/v1/openapi.json HTTP/1.1', 'no colon']],
    ])('%s (D-10)', async (message, lines) => {
      const reply = await sendRaw(house.doors[service].url, lines)
      expectError(reply, 'bad_request', message)
      expectStanding(reply)
      expect(quotaOf(reply).limit).toBe(20)
    })
  })

  describe('500 internal_error', () => {
    it('says nothing of the cause, and is over with it (D-14)', async () => {
      let isBroken = true
      const siteUrl = {
        replace: () => {
          if (isBroken) throw new Error('secret cause')
          return 'http://site.test'
        },
      } as unknown as string
      const broken = await openHouse({ settings: { siteUrl } })
      const reply = await broken.doors[service].ask('GET', '/openapi.json')
      expectError(reply, 'internal_error', 'something failed on our side; try again later')
      expectStanding(reply)
      isBroken = false
      expect((await broken.doors[service].ask('GET', '/openapi.json')).status).toBe(200)
      await broken.close()
    })
  })
})
