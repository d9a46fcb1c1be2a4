import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { bodies, endpoints, expectSiteError, pathFor } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { expectDeclared } from '../support/site-watch.ts'

// An account is deleted in another window in the very moment between the door and the deed.
let meanwhile: (() => Promise<unknown>) | null = null

/** Runs what happens meanwhile ahead of the next thing that is asked of this store. */
const interrupted = <T extends object>(store: T): T =>
  new Proxy(store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return async (...asked: unknown[]) => {
        const first = meanwhile
        meanwhile = null
        await first?.()
        return method.apply(target, asked)
      }
    },
  })

const withPorts = (ports: DoorPorts): DoorPorts => ({
  ...ports,
  packs: interrupted(ports.packs),
  accounts: interrupted(ports.accounts),
  apiKeys: interrupted(ports.apiKeys),
})

let house: SiteHouse
let owner: Browser
let accountId: string
let slug: string
let valid: Readonly<Record<string, unknown>>

beforeAll(async () => {
  house = await openSiteHouse({ withPorts })
})
afterAll(() => house.close())

beforeEach(async () => {
  house.clock.nextMinute()
  await house.ports.accounts.setModerator(7003, true, 0)
  owner = await house.signedIn(7003)
  accountId = owner.viewer?.id ?? ''
  slug = await house.save(owner, aPack({ visibility: 'public' }))
  const { packKey, updatedAt } = (await owner.ask('GET', `/session/packs/${slug}`)).json.pack
  valid = bodies(packKey, updatedAt)
})

/** Nothing of the account is left, in no list and no row. */
const expectNothingLeft = async (): Promise<void> => {
  const { packs, apiKeys, accounts, sessions } = house.ports
  expect(await accounts.read(accountId)).toBeNull()
  expect((await packs.listOwned(accountId, 1, 50)).total).toBe(0)
  expect((await packs.listPublic(1, 50)).total).toBe(0)
  expect(await apiKeys.read(accountId, 'packs')).toBeNull()
  expect(await sessions.list(accountId, { seenSince: 0, createdSince: 0 })).toEqual([])
}

const personal = endpoints.filter(([, { who }]) => who !== 'anyone')
type Named = readonly [string, Endpoint]

describe('an account that is deleted while it does something leaves nothing behind (spec 5, D-14)', () => {
  test.each(personal)('%s: never 500', async (...[name, endpoint]: Named) => {
    meanwhile = () => house.ports.accounts.remove(accountId, 0)
    const reply = await owner.ask(endpoint.method, pathFor(endpoint, slug), valid[name])
    await meanwhile?.()
    meanwhile = null
    expectDeclared(reply, endpoint)
    await expectNothingLeft()
    const next = await owner.ask(endpoint.method, pathFor(endpoint, slug), valid[name])
    expectSiteError(next, 'not_signed_in')
  })
})

describe('what cannot be done any more is told as what it is: 401 not_signed_in', () => {
  const creating = personal.filter(([name]) =>
    ['createPack', 'makeKey', 'getMyData'].includes(name),
  )

  test.each(creating)('%s', async (...[name, endpoint]: Named) => {
    meanwhile = () => house.ports.accounts.remove(accountId, 0)
    const reply = await owner.ask(endpoint.method, pathFor(endpoint, slug), valid[name])
    expectSiteError(reply, 'not_signed_in', 'sign in to do this')
  })

  const verdicts = endpoints.filter(([name]) => /^(?:hide|unhide|pin|unpin)Pack$/.test(name))

  test.each(verdicts)('%s, of somebody else’s pack: all stays as it was', async (...[name, to]) => {
    const host = await house.signedIn(7001)
    const theirs = await house.save(host, aPack({ visibility: 'public' }))
    if (name === 'unhidePack') {
      await owner.ask('POST', `/session/moderation/packs/${theirs}/hide`, { reason: 'copied' })
    }
    if (name === 'unpinPack') await owner.ask('POST', `/session/moderation/packs/${theirs}/pin`, {})
    const before = await house.ports.packs.readModerated(theirs)
    meanwhile = () => house.ports.accounts.remove(accountId, 0)
    const reply = await owner.ask(to.method, pathFor(to, theirs), valid[name])
    expectSiteError(reply, 'not_signed_in')
    expect((await house.ports.packs.readModerated(theirs))?.pack).toEqual(before?.pack)
    await host.ask('DELETE', `/session/packs/${theirs}`)
  })

  test('a store that fails is told as what it is, too: 500 internal_error', async () => {
    meanwhile = () => Promise.reject(new Error('the disk is gone'))
    const reply = await owner.ask('GET', '/session/my-data')
    expectSiteError(reply, 'internal_error')
    expect(reply.text).not.toContain('disk')
  })
})
