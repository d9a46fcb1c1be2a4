import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { presentPublic } from '../../src/domain/tournament-views.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { unpublishPool } from '../../src/operations/published-pools.ts'
import { aChange, newScene } from '../api/tournament-scene.ts'
import { expectError } from '../support/door.ts'
import { type Host, type House, openHouse } from '../support/house.ts'

let house: House
let stranger: Host
beforeAll(async () => {
  house = await openHouse()
  stranger = await house.host('pools')
})
afterAll(() => house.close())

const role = (host: Host, path: string, member: Host, wanted: string) =>
  host.ask('PUT', `${path}/staff/${member.gameId}`, { body: { role: wanted } })

const accountOf = async ({ gameId }: Host): Promise<string> =>
  (await house.ports.accounts.findByGameId(gameId))!.id

describe('D-61: at once', () => {
  it('two hosts who take the role from one another leave one', async () => {
    for (let attempt = 0; attempt < 6; attempt++) {
      const { host, path, staff } = await newScene(house)
      const other = await staff('host')
      const demotes = attempt % 2 === 0
      const replies = await Promise.all(
        [[host, other] as const, [other, host] as const].map(([one, two]) =>
          demotes
            ? role(one, path, two, 'tester')
            : one.ask('DELETE', `${path}/staff/${two.gameId}`),
        ),
      )
      const statuses = replies.map(({ status }) => status).toSorted((a, b) => a - b)
      expect(statuses).toEqual(demotes ? [200, 403] : [204, 404])
      const reader = replies[0]!.status < 300 ? host : other
      const { staff: left } = (await reader.get(`${path}/staff`)).json
      const hosts = left.filter((member: { role: string }) => member.role === 'host')
      expect(hosts).toEqual([expect.objectContaining({ gameId: reader.gameId })])
    }
  })

  it('two hosts who leave at once: one stays', async () => {
    const { host, path, staff } = await newScene(house)
    const other = await staff('host')
    const replies = await Promise.all(
      [host, other].map((each) => each.ask('DELETE', `${path}/staff/${each.gameId}`)),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 409])
  })

  it('whose role is taken between two requests gets the 404 of what is not there', async () => {
    const { host, path, roundPath, staff } = await newScene(house)
    const pooler = await staff('pooler')
    const { status } = await pooler.ask('PATCH', `${roundPath}/slots`, { body: aChange })
    expect(status).toBe(200)
    expect((await host.ask('DELETE', `${path}/staff/${pooler.gameId}`)).status).toBe(204)
    const missing = await pooler.get('/tournaments/AAAAAAAAAA')
    for (const at of [path, roundPath, `${path}/staff`, `${roundPath}/candidates`]) {
      const reply = await pooler.get(at)
      expect([reply.status, reply.text]).toEqual([404, missing.text])
    }
    const refused = await pooler.ask('PATCH', `${roundPath}/slots`, { body: aChange })
    expect([refused.status, refused.text]).toEqual([404, missing.text])
  })

  it('of a tournament that is deleted while its staff write, nothing is left', async () => {
    const { host, path, slug, roundPath, staff, release } = await newScene(house)
    await release()
    const packSlug = (await host.get(roundPath)).json.round.packSlug
    const poolers = [await staff('pooler'), await staff('pooler'), await staff('pooler')]
    const writes = poolers.flatMap((pooler, person) =>
      [1, 2, 3].map((index) => {
        const change = { mod: 'DT', index: person * 3 + index, from: 'none', to: { beatmapId: 5 } }
        return pooler.ask('PATCH', `${roundPath}/slots`, { body: { changes: [change] } })
      }),
    )
    const [deleted, ...replies] = await Promise.all([host.ask('DELETE', path), ...writes])
    expect(deleted?.status).toBe(204)
    for (const { status } of replies) expect([200, 404]).toContain(status)
    expectError(await host.get(path), 'not_found')
    const elsewhere = await house.again()
    try {
      expect(await elsewhere.tournaments.read(slug)).toBeNull()
      expect(await elsewhere.tournaments.readVersions(slug, roundPath.slice(-10))).toEqual([])
      expect(await elsewhere.packs.read(packSlug)).toBeNull()
      expect(await elsewhere.tournaments.findByPack(packSlug)).toBeNull()
    } finally {
      await elsewhere.care.close()
    }
  })

  it('when the only host deletes the account during a release, a pack stays or is never made, and nothing dangles', async () => {
    for (let attempt = 0; attempt < 4; attempt++) {
      const { host, path, slug, roundPath } = await newScene(house)
      const id = await accountOf(host)
      const release = host.ask('PUT', `${roundPath}/release`, { body: { at: 'now' } })
      const [reply, removed] = await Promise.all([
        release,
        house.ports.accounts.remove(id, house.clock.now()),
      ])
      expect(removed).toBe(true)
      expect([200, 401, 404]).toContain(reply.status)
      expect(await house.ports.tournaments.read(slug)).toBeNull()
      expectError(await stranger.get(path), 'not_found')
      if (reply.status !== 200) continue
      const { packSlug } = reply.json.round
      expect(await house.ports.packs.read(packSlug)).toMatchObject({ visibility: 'public' })
      expect(await house.ports.tournaments.findByPack(packSlug)).toBeNull()
    }
  })
})

describe('D-60: a released round whose pack is', () => {
  it('hidden by a moderator is gone for others at once, in every process, and comes back with it', async () => {
    const { host, path, slug, roundPath, release, publish } = await newScene(house)
    await publish()
    await release()
    const { packSlug } = (await host.get(roundPath)).json.round
    const elsewhere = await house.again()
    try {
      const shown = async () => presentPublic((await elsewhere.tournaments.read(slug))!)?.rounds
      const missing = await stranger.get(`${path}/rounds/AAAAAAAAAA`)
      expect(await shown()).toHaveLength(1)
      expect((await stranger.get(roundPath)).status).toBe(200)
      await hidePack(house.ports, packSlug)
      expect(await shown()).toEqual([])
      const reply = await stranger.get(roundPath)
      expect([reply.status, reply.text]).toEqual([404, missing.text])
      expect((await stranger.get(path)).json.tournament.rounds).toEqual([])
      await unhidePack(house.ports, packSlug)
      expect(await shown()).toHaveLength(1)
      expect((await stranger.get(path)).json.tournament.rounds).toHaveLength(1)
    } finally {
      await elsewhere.care.close()
    }
  })

  it('removed by the operator is not released for others, and can be released again under its slug (D-63)', async () => {
    const { host, path, roundPath, release, publish } = await newScene(house)
    await publish()
    await release()
    const { packSlug } = (await host.get(roundPath)).json.round
    await unpublishPool(house.ports, packSlug)
    expectError(await stranger.get(roundPath), 'not_found')
    expect((await stranger.get(path)).json.tournament.rounds).toEqual([])
    expect((await host.get(roundPath)).json.round).not.toHaveProperty('packSlug')
    await release()
    const again = (await stranger.get(roundPath)).json.round.packSlug
    expect(again).toBe(packSlug)
    await release(null)
    expectError(await stranger.get(roundPath), 'not_found')
  })
})
