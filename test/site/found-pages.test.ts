import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PackInput } from '../../src/contract/packs.ts'
import { type Browser, pageDataOf } from '../support/browser.ts'
import { SYSTEM_ACCOUNT_ID } from '../../src/domain/accounts.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { takeOver } from '../support/usage-scene.ts'

let house: SiteHouse
let owner: Browser
let stranger: Browser
let name: string

const pool: PackInput = {
  name: 'Harbour Cup',
  visibility: 'public',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 101 },
    { mod: 'DT', index: 1, beatmapId: 101 },
    { mod: 'HD', index: 1, beatmapId: 102 },
  ],
}

/** Saved in a minute of its own, and taken over by the worker. */
const save = async (input: Partial<PackInput> = {}): Promise<string> => {
  house.clock.nextMinute()
  const slug = await house.save(owner, { ...pool, ...input })
  await takeOver(house.ports)
  return slug
}
const open = (path: string) => stranger.open(path)
const shown = async (path: string) => pageDataOf(await open(path))
const shownAt = (username = '') => shown(`/u/${encodeURIComponent(username)}`)

beforeAll(async () => {
  house = await openSiteHouse({ hasRealPages: true })
  owner = await house.signedIn(7001)
  stranger = house.browser()
  name = owner.viewer?.username ?? ''
})
afterAll(() => house.close())

describe('GET /maps/{id} (D-66)', () => {
  test('shows where a beatmap was pooled, as what, and with what, without a script', async () => {
    const slug = await save()
    const { map } = await shown('/maps/101')
    expect(map).toMatchObject({ id: 101, usage: { total: 2, page: 1, pageCount: 1 } })
    expect(map?.usage.uses.map(({ mod, index, slug: of }) => [of, mod, index])).toEqual([
      [slug, 'NM', 1],
      [slug, 'DT', 1],
    ])
    expect(map?.played.map(({ mods }) => mods)).toEqual([[], ['DT']])
    expect(map?.pooledWith).toMatchObject([{ id: 102, packs: 1 }])
    const { status, text } = await open('/maps/101')
    expect(status).toBe(200)
    expect(text).toContain('Pooled 2 times')
    expect(text).toContain(`href="/p/${slug}"`)
    expect(text).toContain(`href="/u/${encodeURIComponent(name)}"`)
    expect(text).not.toContain('name="robots"')
    const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(text) ?? []
    expect(JSON.parse(json)).toMatchObject({
      '@type': 'CreativeWork',
      isPartOf: [
        { name: expect.stringContaining('Harbour Cup'), url: `${house.urls.packs}/p/${slug}` },
      ],
    })
  })

  test.each(['0', '01', '-1', '1.5', 'abc', '2147483648', '99999999999', '101%20', '%00'])(
    'is the page that nothing is at, for what is no id: %s',
    async (id) => {
      expect((await open(`/maps/${id}`)).status).toBe(404)
    },
  )

  test('D-74: leads to the platform where no public pack has the beatmap, whatever is cached of it', async () => {
    await house.ports.beatmapCache.keepBeatmaps([aBeatmap(987654)], [987655], 0)
    const drafted = { visibility: 'private', slots: [{ mod: 'NM', index: 1, beatmapId: 987654 }] }
    await save(drafted as Partial<PackInput>)
    for (const by of [stranger, owner]) {
      const pages = await Promise.all([987653, 987654, 987655].map((id) => by.open(`/maps/${id}`)))
      for (const [at, { status, text }] of pages.entries()) {
        expect(status).toBe(404)
        expect(text).toContain('Not in any public pack')
        expect(text).toContain(`href="https://osu.ppy.sh/beatmaps/${987653 + at}"`)
        expect(text.replaceAll(String(987653 + at), '')).toBe(
          pages[0]!.text.replaceAll('987653', ''),
        )
      }
    }
  })

  test.each(['private', 'unlisted'] as const)(
    'names no %s pack, nor counts it',
    async (visibility) => {
      const id = visibility === 'private' ? 301 : 302
      await save({ visibility, slots: [{ mod: 'NM', index: 1, beatmapId: id }] })
      expect((await open(`/maps/${id}`)).status).toBe(404)
    },
  )

  test('names a pack no longer as soon as it is hidden, deleted or not public', async () => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 303 }]
    const leave: ((slug: string) => Promise<unknown>)[] = [
      (slug) => owner.ask('DELETE', `/session/packs/${slug}`),
      async (slug) => {
        await house.ports.accounts.setModerator(7003, true, 0)
        const moderator = await house.signedIn(7003)
        await moderator.ask('POST', `/session/moderation/packs/${slug}/hide`, { reason: 'x' })
      },
    ]
    for (const go of leave) {
      const slug = await save({ slots })
      expect((await shown('/maps/303')).map?.usage.total).toBe(1)
      house.clock.nextMinute()
      await go(slug)
      // The worker has not looked since.
      expect((await open('/maps/303')).status).toBe(404)
    }
  })

  test('has pages of 50 uses, and says where the last one is', async () => {
    const slots = Array.from({ length: 60 }, (_, at) => ({
      mod: 'NM',
      index: at + 1,
      beatmapId: 304,
    }))
    await save({ slots })
    const { map } = await shown('/maps/304?page=2')
    expect(map?.usage).toMatchObject({ page: 2, pageCount: 2, total: 60 })
    expect(map?.usage.uses).toHaveLength(10)
    expect((await open('/maps/304?page=9')).text).toContain('No packs on this page')
    expect((await shown('/maps/304?page=zero')).map?.usage.page).toBe(1)
  })

  test('shows hostile names as text', async () => {
    const evil = '</script><img src=x onerror=alert(1)>'
    await save({ name: evil, slots: [{ mod: 'NM', index: 1, beatmapId: 305 }] })
    const { text } = await open('/maps/305')
    expect(text).not.toContain('<img src=x')
    expect(text).toContain('&lt;img src=x')
  })
})

describe('GET /u/{username} (D-66)', () => {
  test('shows the public packs of an owner, without a script', async () => {
    const slug = await save({ name: 'Of an owner' })
    const hidden = await save({ name: 'Not for all', visibility: 'unlisted' })
    const reply = await open(`/u/${encodeURIComponent(name)}`)
    expect(reply.status).toBe(200)
    expect(reply.text).toContain(`href="/p/${slug}"`)
    expect(reply.text).not.toContain(hidden)
    expect(pageDataOf(reply).owner?.packs[0]).toMatchObject({ s: slug, n: 'Of an owner', o: name })
  })

  test('leads to the name as it is written', async () => {
    const reply = await open(`/u/${encodeURIComponent(name.toUpperCase())}`)
    expect(reply.status).toBe(302)
    expect(reply.headers.get('location')).toBe(`/u/${encodeURIComponent(name)}`)
  })

  test('is the page that nothing is at for nobody, and for players without anything public', async () => {
    const quiet = await house.signedIn(7002)
    const nobody = await open('/u/nobody-at-all')
    const silent = await open(`/u/${encodeURIComponent(quiet.viewer?.username ?? '')}`)
    expect([nobody.status, silent.status]).toEqual([404, 404])
    expect(silent.text).toBe(nobody.text)
  })

  test('shows the pools of the installation under the name that it gives their owner', async () => {
    const pack = aNewPack({ ownerId: SYSTEM_ACCOUNT_ID, visibility: 'public', name: 'Its own' })
    await house.ports.packs.create(pack, null)
    house.clock.nextMinute()
    const shown = pageDataOf(await open('/u/Tournament%20pools')).owner
    expect(shown).toMatchObject({ name: 'Tournament pools', tournaments: [] })
    expect(shown?.packs.map(({ s, o }) => [s, o])).toEqual([[pack.slug, 'Tournament pools']])
    const { status, headers } = await open('/u/tournament%20POOLS')
    expect([status, headers.get('location')]).toEqual([302, '/u/Tournament%20pools'])
  })

  test('shows the public tournaments of whoever hosts them, without any pack', async () => {
    const host = await house.signedIn(7003, 'pools')
    const facts = { name: 'Harbour Cup', acronym: 'HC', visibility: 'public' }
    const made = await host.ask('POST', '/session/tournaments', facts)
    expect(made.status).toBe(201)
    house.clock.nextMinute()
    const { owner: shown } = await shownAt(host.viewer?.username)
    expect(shown?.packs).toEqual([])
    expect(shown?.tournaments).toMatchObject([{ name: 'Harbour Cup' }])
  })

  test('names a pack no longer as soon as it is not public', async () => {
    const slug = await save({ name: 'Soon gone' })
    const path = `/u/${encodeURIComponent(name)}`
    expect((await open(path)).text).toContain(slug)
    house.clock.nextMinute()
    await owner.ask('DELETE', `/session/packs/${slug}`)
    expect((await open(path)).text).not.toContain(slug)
  })
})
