import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { replacePack } from '../../src/operations/packs.ts'
import type { Browser } from '../support/browser.ts'
import type { Reply } from '../support/door.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let owner: Browser
let slug: string
let path: string

beforeEach(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
  slug = await house.save(owner, aPack({ visibility: 'public' }))
  path = `/session/packs/${slug}/history`
})
afterEach(() => house.close())

const save = async (input: Parameters<typeof aPack>[0]): Promise<void> => {
  const account = await house.ports.accounts.findByGameId(7001)
  const body = aPack({ visibility: 'public', ...input })
  await replacePack(house.ports, account?.id ?? '', slug, body)
}
const open = (isPublic: boolean) => owner.ask('PUT', path, { public: isPublic })
const numbersOf = (reply: Reply): number[] =>
  reply.json.versions.map(({ version }: { version: number }) => version)

describe('the history of a pack', () => {
  test('is what the API gives, to the owner and to others (D-72)', async () => {
    await save({ name: 'Two', visibility: 'private' })
    await save({ name: 'Three', description: 'Best of 13' })
    expectSuccess(await open(true), 'setHistoryPublic')
    const hosts = [await house.hostOf(7001, 'Peridot'), await house.hostOf(7002, 'maple_keeper')]
    const browsers = [owner, await house.signedIn(7002)]
    for (const [at, host] of hosts.entries()) {
      const reply = await browsers[at]!.ask('GET', path)
      expectSuccess(reply, 'getHistory')
      expect(reply.json).toEqual((await host.get(`/packs/${slug}/history`)).json)
      const one = await browsers[at]!.ask('GET', `${path}/3`)
      expectSuccess(one, 'getVersion')
      expect(one.json).toEqual((await host.get(`/packs/${slug}/history/3`)).json)
    }
  })

  test('has 50 versions a page (D-15)', async () => {
    for (let at = 2; at <= 51; at += 1) await save({ name: `save ${at}` })
    const second = await owner.ask('GET', `${path}?page=2`)
    expect(second.json).toMatchObject({ page: 2, pageCount: 2, total: 51 })
    expect(numbersOf(second)).toEqual([1])
    expectSiteError(await owner.ask('GET', `${path}?page=0`), 'bad_request', /page/)
  })

  test('is open to visitors and moderators as to others, and to moderators no wider (D-70)', async () => {
    await house.ports.accounts.setModerator(7003, true, 0)
    const readers = [house.browser(), await house.signedIn(7002), await house.signedIn(7003)]
    await save({ name: 'Two', visibility: 'private' })
    await hideAndSave()
    const expectClosed = async () => {
      for (const reader of readers) {
        expectSiteError(await reader.ask('GET', path), 'not_found')
        expectSiteError(await reader.ask('GET', `${path}/1`), 'not_found')
      }
    }
    await expectClosed()
    await open(true)
    for (const reader of readers) {
      expect(numbersOf(await reader.ask('GET', path))).toEqual([5, 3, 1])
      const missing = await reader.ask('GET', `${path}/99`)
      for (const version of ['2', '4', 'x']) {
        expect((await reader.ask('GET', `${path}/${version}`)).text).toBe(missing.text)
      }
    }
    await hidePack(house.ports, slug, { moderatorId: null, reason: null })
    await expectClosed()
    expect(numbersOf(await owner.ask('GET', path))).toEqual([5, 4, 3, 2, 1])
    await unhidePack(house.ports, slug)
    await open(false)
    await expectClosed()
  })

  /** Versions 3, 4 (saved while hidden) and 5. */
  const hideAndSave = async (): Promise<void> => {
    await save({ name: 'Three' })
    await hidePack(house.ports, slug, { moderatorId: null, reason: null })
    await save({ name: 'Four' })
    await unhidePack(house.ports, slug)
    await save({ name: 'Five' })
  }

  test('404s do not differ by a byte, whatever the reason and the verb (D-29)', async () => {
    const [player, stranger] = [await house.signedIn(7002), house.browser()]
    const texts = new Set<string>()
    for (const each of [slug, 'AAAAAAAAAA', 'nonsense', 'ü']) {
      const there = `/session/packs/${each}/history`
      for (const reply of [
        await player.ask('GET', there),
        await player.ask('GET', `${there}/1`),
        await player.ask('PUT', there, { public: true }),
        await stranger.ask('GET', there),
        await player.ask('GET', '/session/packs/AAAAAAAAAA'),
      ]) {
        expectSiteError(reply, 'not_found')
        texts.add(reply.text)
      }
    }
    expect(texts.size).toBe(1)
  })
})

describe('opening and closing it', () => {
  test('shows on the pack, and only its owner does it (D-70)', async () => {
    const read = async () => (await owner.ask('GET', `/session/packs/${slug}`)).json.pack
    const before = await read()
    expectSuccess(await open(true), 'setHistoryPublic')
    expect(await read()).toEqual({ ...before, historyPublic: true })
    const player = await house.signedIn(7002)
    expectSiteError(await player.ask('PUT', path, { public: false }), 'not_found')
    expect(await read()).toMatchObject({ historyPublic: true })
    await open(false)
    expect(await read()).toEqual(before)
  })

  test('refuses a body without public, in the words of the API (D-14)', async () => {
    const host = await house.hostOf(7001, 'Peridot')
    for (const body of [{}, { public: 'yes' }]) {
      const reply = await owner.ask('PUT', path, body)
      expectSiteError(reply, 'bad_request', /^public (is missing|must be true or false)$/)
      const { json } = await host.ask('PUT', `/packs/${slug}/history`, { body })
      const more = { reason: 'invalid_field', problems: expect.any(Array) }
      expect(reply.json.error).toEqual({ ...json.error, ...more })
    }
  })
})
