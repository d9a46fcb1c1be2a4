import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PackInput } from '../../src/contract/packs.ts'
import { sessionEndpointsOf } from '../../src/contract/session-api.ts'
import type { Browser } from '../support/browser.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

const input: PackInput = { name: 'Cup', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] }
let house: SiteHouse
let owner: Browser

beforeAll(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
})
afterAll(() => house.close())
afterEach(() => vi.unstubAllGlobals())

/**
 * The calls as a page of this browser makes them, over the wire to the real site.
 *
 * @param browser what it is by the time that it makes them.
 */
const pageOf = async (of: Browser, browser = of) => {
  const textContent = JSON.stringify({ viewer: of.viewer })
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) })
  vi.stubGlobal('fetch', async (path: string, { method, headers, body }: RequestInit) => {
    const sent = { ...(headers as Record<string, string>), 'sec-fetch-site': 'same-origin' }
    const reply = await browser.send(method ?? 'GET', path, { body, headers: sent })
    return new Response(reply.text === '' ? null : reply.text, reply)
  })
  vi.resetModules()
  const { call } = await import('../../src/web/api.ts')
  return call
}

const aPrivatePack = async (own: Browser) => ({
  slug: await house.save(own, { ...input, visibility: 'private' }),
  version: 1,
})

const aDraft = async (own: Browser) => {
  const { json } = await own.ask('POST', '/session/tournaments', { name: 'Cup' })
  const { slug } = json.tournament as { slug: string }
  const round = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] }
  const made = await own.ask('POST', `/session/tournaments/${slug}/rounds`, round)
  return { slug, round: (made.json.round as { id: string }).id, version: 1 }
}

/** `found`, or the code of what a read throws. */
const outcomeOf = async (name: string, read: object, of: Browser, browser = of) => {
  const call = await pageOf(of, browser)
  const { poolsCall } = await import('../../src/web/pools-api.ts')
  const get = (of.url === house.urls.packs ? call : poolsCall) as (
    name: string,
    read: object,
  ) => Promise<unknown>
  try {
    await get(name, read)
    return 'found'
  } catch (error) {
    return (error as { readonly code: string }).code
  } finally {
    vi.unstubAllGlobals()
  }
}

describe('a call of a page', () => {
  it('gives what the endpoint answers', async () => {
    const call = await pageOf(owner)
    expect((await call('getSession')).viewer?.username).toBe(owner.viewer?.username)
  })

  it('proves by the token that the page itself asks', async () => {
    const create = await pageOf(owner)
    const { pack } = await create('createPack', { body: input })
    expect(pack.name).toBe('Cup')

    const list = await pageOf(owner)
    expect((await list('listMyPacks', { query: { page: 2 } })).page).toBe(2)

    const remove = await pageOf(owner)
    expect(await remove('deletePack', { slug: pack.slug })).toBeUndefined()
  })

  it('fails with the code, the status and a whole sentence', async () => {
    const call = await pageOf(owner)
    await expect(call('getPack', { slug: 'AAAAAAAAAA' })).rejects.toMatchObject({
      name: 'CallFailure',
      code: 'not_found',
      status: 404,
      retryAfter: null,
      message: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  it('fails where nobody is signed in', async () => {
    const call = await pageOf(house.browser())
    const failure = { code: 'not_signed_in', status: 401 }
    await expect(call('createPack', { body: input })).rejects.toMatchObject(failure)
  })

  it.each(['nobody', 'somebody else'])(
    'says that the session has ended where %s is signed in by now, and not that nothing is found',
    async (who) => {
      for (const service of ['packs', 'pools'] as const) {
        const own = await house.signedIn(7003, service)
        const there = service === 'packs' ? await aPrivatePack(own) : await aDraft(own)
        const later =
          who === 'nobody' ? house.browser(service) : await house.signedIn(7001, service)
        const found: string[] = []
        for (const [name, { method, path }] of Object.entries(sessionEndpointsOf[service])) {
          const needed = [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => part!)
          const isOfThese = needed.length > 0 && needed.every((part) => part in there)
          if (method !== 'GET' || !isOfThese || name === 'followWorkspace') continue
          if ((await outcomeOf(name, there, own)) !== 'found') continue
          found.push(name)
          expect(['found', 'not_signed_in'], name).toContain(
            await outcomeOf(name, there, own, later),
          )
        }
        expect(found).toEqual(
          expect.arrayContaining(service === 'packs' ? ['getPack'] : ['getTournament', 'getRound']),
        )
      }
    },
  )

  it('says how long to wait where a quota is used up (spec 8)', async () => {
    const busy = await house.signedIn(7002)
    for (let writes = 0; writes < 10; writes += 1) await house.save(busy, input)
    const call = await pageOf(busy)
    await expect(call('createPack', { body: input })).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      retryAfter: expect.any(Number),
    })
  })
})

describe('what went wrong', () => {
  const failureOf = async (answer: () => Promise<Response>) => {
    vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"viewer":null}' }) })
    vi.stubGlobal('fetch', answer)
    vi.resetModules()
    const { call } = await import('../../src/web/api.ts')
    return call('getSession').then(
      () => null,
      (error: unknown) => error,
    )
  }

  it('can be that nothing answered', async () => {
    const failure = await failureOf(() => Promise.reject(new TypeError('Failed to fetch')))
    expect(failure).toMatchObject({ code: 'unreachable', status: 0 })
    expect(String(failure)).toContain('Check your connection')
  })

  it('is told in a sentence, with how long to wait and how to go on', async () => {
    const { CallFailure, explain } = await import('../../src/web/site-failure.ts')
    const told = (code: 'rate_limited' | 'not_signed_in', message: string, retryAfter = 23) =>
      explain(new CallFailure(code, message, { retryAfter }))
    expect(told('rate_limited', 'Too much.')).toBe('Too much. Try again in 23 seconds.')
    expect(told('not_signed_in', 'Sign in first.')).toContain('Your session has ended.')
    expect(explain(new TypeError('x is undefined'))).not.toContain('undefined')
  })

  it('can be that something else answered', async () => {
    const failure = await failureOf(
      async () => new Response('<h1>Bad gateway</h1>', { status: 502 }),
    )
    expect(failure).toMatchObject({ code: 'unreadable', status: 502 })
  })
})
