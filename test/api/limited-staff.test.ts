import { afterAll, describe, expect, it } from 'vitest'
import { staffRoles, type StaffRole } from '../../src/contract/tournaments.ts'
import { expectError } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { ScriptedPlatform } from '../support/scripted-platform.ts'
import { newScene } from './tournament-scene.ts'

const house = await openHouse({
  withPorts: (ports) => ({ ...ports, platform: new ScriptedPlatform(ports) as never }),
})
afterAll(() => house.close())

const limitedRoles = staffRoles.filter((role) => role !== 'host')

/** A tournament of two rounds, whose member is limited to the second one. */
async function limitedScene(role: StaffRole, facts: object = {}) {
  const scene = await newScene(house, facts)
  const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 90 }] }
  const { round } = (await scene.host.ask('POST', `${scene.path}/rounds`, { body })).json
  const member = await house.host('pools')
  const limit = { role, rounds: [round.id] }
  const reply = await scene.host.ask('PUT', `${scene.path}/staff/${member.gameId}`, { body: limit })
  expect([reply.status, reply.json.member]).toMatchObject([200, limit])
  const stranger = await house.host('pools')
  return { scene, member, stranger, inside: `${scene.path}/rounds/${round.id}`, id: round.id }
}

const answer = async (by: Host, method: string, path: string, sent: object = {}) => {
  const { status, text } = await by.ask(method, path, sent)
  return [status, text]
}

describe('a member who is limited to rounds (D-81)', () => {
  it.each(limitedRoles)(
    '%s: reads them, and of the others gets what strangers get',
    async (role) => {
      const { scene, member, stranger, inside, id } = await limitedScene(role)
      const missing = await stranger.get('/tournaments/AAAAAAAAAA')
      const outside = scene.roundPath
      for (const end of ['', '/candidates', '/remarks', '/checks', '/history', '/history/1']) {
        expect((await member.get(inside + end)).status, end).toBe(200)
        expect(await answer(member, 'GET', outside + end), end).toEqual([404, missing.text])
      }
      const { tournament } = (await member.get(scene.path)).json
      expect(tournament.rounds.map((round: { id: string }) => round.id)).toEqual([id])
      expect(tournament.limitedTo).toEqual([id])
      expect(JSON.stringify(tournament)).not.toContain(scene.id)
      expect((await member.get(`${scene.path}/checks`)).text).not.toContain(scene.id)
      expect((await member.get(`${scene.path}/staff`)).text).not.toContain(scene.id)
      expect((await member.get('/me/tournaments')).json.total).toBe(1)
    },
  )

  it.each(limitedRoles)('%s: changes of the others are the 404 of strangers', async (role) => {
    const { scene, member, stranger } = await limitedScene(role)
    const headers = await scene.as(scene.roundPath)
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null }]
    const before = await scene.read()
    for (const [method, end, sent] of [
      ['PATCH', '/slots', { body: { changes } }],
      ['PUT', '', { body: { name: 'Mine' }, headers }],
      ['DELETE', '', { headers }],
      ['PUT', '/release', { body: { at: 'now' } }],
      ['POST', '/candidates', { body: { mod: 'NM', index: 1, beatmapId: 5 } }],
      ['POST', '/remarks', { body: { text: 'Hello' } }],
    ] as const) {
      const refused = await answer(member, method, scene.roundPath + end, sent)
      expect(refused).toEqual(await answer(stranger, method, scene.roundPath + end, sent))
      expect(refused[0], `${method} ${end}`).toBe(method === 'PATCH' ? 404 : refused[0])
      expect([404, 412]).toContain(refused[0])
    }
    expect(await scene.read()).toBe(before)
  })

  it('a pooler drafts in them, and neither adds rounds nor arranges all', async () => {
    const { scene, member, inside, id } = await limitedScene('pooler')
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 90 }, to: { beatmapId: 91 } }]
    expect((await member.ask('PATCH', `${inside}/slots`, { body: { changes } })).status).toBe(200)
    const body = { name: 'Semifinals' }
    expectError(await member.ask('POST', `${scene.path}/rounds`, { body }), 'forbidden')
    const tag = (await member.get(scene.path)).headers.get('etag') ?? ''
    const rounds = { rounds: [{ id, name: 'Finals' }] }
    const sent = { body: rounds, headers: { 'if-match': tag } }
    expectError(await member.ask('PUT', `${scene.path}/rounds`, sent), 'forbidden')
  })

  it('reads what is released of the others, as everybody', async () => {
    const { scene, member, stranger, id } = await limitedScene('tester', { visibility: 'public' })
    await scene.release()
    const seen = (await stranger.get(scene.roundPath)).text
    expect((await member.get(scene.roundPath)).text).toBe(seen)
    const { rounds, limitedTo } = (await member.get(scene.path)).json.tournament
    expect(limitedTo).toEqual([id])
    for (const reader of [scene.host, stranger]) {
      expect((await reader.get(scene.path)).json.tournament).not.toHaveProperty('limitedTo')
    }
    expect(rounds.map((round: { id: string }) => round.id)).toEqual([scene.id, id])
    expect(rounds[0]).toEqual(JSON.parse(seen).round)
  })

  it('deletes and restores their own round alone', async () => {
    const { scene, member, inside, id } = await limitedScene('pooler')
    for (const path of [inside, scene.roundPath]) {
      await scene.host.ask('DELETE', path, { headers: await scene.as(path) })
    }
    const deleted = `${scene.path}/deleted-rounds`
    const { rounds } = (await member.get(deleted)).json
    expect(rounds.map((round: { id: string }) => round.id)).toEqual([id])
    expectError(await member.ask('POST', `${deleted}/${scene.id}/restore`), 'not_found')
    expect((await member.ask('POST', `${deleted}/${id}/restore`)).status).toBe(200)
    expect((await member.get(inside)).status).toBe(200)
  })

  it.each(staffRoles.flatMap((from) => limitedRoles.map((to) => [from, to] as const)))(
    'from %s to %s, with each limit that a member can have (D-82)',
    async (from, to) => {
      const scene = await newScene(house)
      const { host, path } = scene
      const add = async (name: string): Promise<string> =>
        (await host.ask('POST', `${path}/rounds`, { body: { name, slots: [] } })).json.round.id
      const [kept, gone] = [await add('Kept'), await add('Gone')]
      const drop = async () =>
        host.ask('DELETE', `${path}/rounds/${gone}`, {
          headers: await scene.as(`${path}/rounds/${gone}`),
        })
      const limits = [undefined, [kept], [gone], [kept, gone]]
      const members = await Promise.all(
        limits.map(async (rounds) => ({ rounds, who: await house.host('pools') })),
      )
      const put = (who: Host, role: StaffRole, rounds: readonly string[] | undefined) => {
        // Ten writes of a minute are too few.
        house.clock.nextMinute()
        const body = { role, ...(rounds && { rounds }) }
        return host.ask('PUT', `${path}/staff/${who.gameId}`, { body })
      }
      const own = members.filter(({ rounds }) => from !== 'host' || rounds === undefined)
      for (const { who, rounds } of own) expect((await put(who, from, rounds)).status).toBe(200)
      await drop()
      const limitOf = async (who: Host) => {
        const { staff } = (await host.get(`${path}/staff`)).json
        return staff.find(({ gameId }: { gameId: number }) => gameId === who.gameId)?.rounds
      }
      for (const { who, rounds } of own) {
        const shown = await limitOf(who)
        expect(shown).toEqual(rounds?.filter((id) => id === kept))
        // What was read is taken as it is, with another role; nobody sees more by that.
        const reply = await put(who, to, shown)
        expect([reply.status, reply.json.member?.role, reply.json.member?.rounds]).toEqual([
          200,
          to,
          shown,
        ])
        // None at all is a limit only of who has that already.
        if (shown === undefined || shown.length > 0) {
          expectError(await put(who, to, []), 'bad_request', 'rounds must have 1 to 16 items')
        }
      }
      await host.ask('POST', `${path}/deleted-rounds/${gone}/restore`)
      for (const { who, rounds } of own) expect(await limitOf(who)).toEqual(rounds)
    },
  )

  it('400: a host, a round that is not there, and no round at all; left out, all rounds again', async () => {
    const { scene, member, inside, id } = await limitedScene('referee')
    const put = (body: object) =>
      scene.host.ask('PUT', `${scene.path}/staff/${member.gameId}`, { body })
    for (const [message, body] of [
      [
        'rounds must be left out: a host cannot be limited to rounds',
        { role: 'host', rounds: [id] },
      ],
      [
        'rounds[1] must be the id of a round of the tournament',
        { role: 'tester', rounds: [id, 'AAAAAAAAAA'] },
      ],
      ['rounds must have 1 to 16 items', { role: 'tester', rounds: [] }],
    ] as const) {
      expectError(await put(body), 'bad_request', message)
    }
    expect((await member.get(scene.roundPath)).status).toBe(404)
    expect((await put({ role: 'referee' })).json.member).not.toHaveProperty('rounds')
    expect((await member.get(scene.roundPath)).status).toBe(200)
    expect((await member.get(inside)).status).toBe(200)
  })
})
