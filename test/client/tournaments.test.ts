import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { createPoolsClient } from '../../src/client/tournaments.ts'
import type { Round } from '../../src/contract/rounds.ts'
import type { StaffMember } from '../../src/contract/staff.ts'
import type { Tournament, TournamentPage } from '../../src/contract/tournaments.ts'
import { openHouse } from '../support/house.ts'
import { openFaultProxy } from './fault-proxy.ts'

const house = await openHouse()
const proxy = await openFaultProxy(house.doors.pools.url)
afterAll(async () => {
  await proxy.close()
  await house.close()
})

const open = async () => {
  house.clock.nextMinute()
  const host = await house.host('pools')
  const client = createPoolsClient({ baseUrl: proxy.url, key: host.key, timeout: 3_000_000 })
  return { host, client }
}

const slots = [
  { mod: 'NM', index: 1, beatmapId: 75 },
  { mod: 'NM', index: 2, beatmapId: 76 },
]

/** A tournament with one round. */
const draft = async () => {
  const { host, client } = await open()
  const { slug } = await client.createTournament({ name: 'Harbour Lights Cup' })
  const call = client.createRound(slug, { name: 'Finals', slots })
  const { data: round, etag } = await call.withResponse()
  return { host, client, slug, id: round.id, round, ifMatch: etag }
}

describe('a client of the tournament-pools service', () => {
  it('makes, reads, changes, lists and deletes tournaments (D-60)', async () => {
    const { client } = await open()
    const made = await client.createTournament({ name: 'Autumn & Winter', year: 2041 })
    expectTypeOf(made).toEqualTypeOf<Tournament>()
    expect(await client.getTournament(made.slug)).toEqual(made)
    const patch = { year: 2042, visibility: 'public', link: null } as const
    expect(await client.updateTournament(made.slug, patch)).toMatchObject({ year: 2042 })
    const page = await client.listTournaments({ search: 'n & w', year: 2042, rank: 5 })
    expectTypeOf(page).toEqualTypeOf<TournamentPage>()
    expect(page).toMatchObject({ total: 1, tournaments: [{ slug: made.slug }] })
    const slugs = async (list: AsyncIterable<{ slug: string }>) => {
      const found: string[] = []
      for await (const { slug } of list) found.push(slug)
      return found
    }
    expect(await slugs(client.iterateTournaments({ year: 2042 }))).toEqual([made.slug])
    expect(await slugs(client.iterateMyTournaments())).toEqual([made.slug])
    expect((await client.listMyTournaments({ page: 2 })).tournaments).toEqual([])
    const stale = client.deleteTournament(made.slug, { ifMatch: '"another"' })
    await expect(stale).rejects.toMatchObject({ code: 'precondition_failed' })
    expect(await client.deleteTournament(made.slug)).toBeUndefined()
    await expect(client.getTournament(made.slug)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('reads and follows what happens, each change once (D-89)', async () => {
    const { client, slug, id } = await draft()
    const { cursor } = await client.getChanges()
    const following = client.followChanges({ after: cursor })
    const coming = following.next()
    const { packSlug } = await client.releaseRound(slug, id, 'now')
    const { value: released } = await coming
    expect(released).toMatchObject({ kind: 'released', tournament: slug, round: id, packSlug })
    await client.addRemark(slug, id, { text: 'good' })
    expect((await following.next()).value).toMatchObject({ kind: 'remark', round: id })
    const page = await client.getChanges({ after: cursor })
    expect(page.changes.map(({ kind }) => kind)).toEqual(['released', 'remark'])
    const late = await client.getChanges({ after: page.cursor, wait: 1 })
    expect(late).toEqual({ changes: [], cursor: page.cursor, more: false })
    await following.return?.()
  })

  it('replaces and deletes rounds as they were read, a weakened ETag too (D-62)', async () => {
    const { client, slug, id, round, ifMatch } = await draft()
    const weak = { ifMatch: `W/${ifMatch}` }
    const call = client.replaceRound(slug, id, { ...round, bestOf: 11 }, weak)
    const { data: replaced, etag, ignoredFields } = await call.withResponse()
    expectTypeOf(replaced).toEqualTypeOf<Round>()
    expect(replaced).toMatchObject({ bestOf: 11, slots })
    expect(ignoredFields).toEqual([])
    const late = client.replaceRound(slug, id, { name: 'Late' }, { ifMatch })
    await expect(late).rejects.toMatchObject({ code: 'precondition_failed', status: 412 })
    const whole = await client.getTournament(slug).withResponse()
    const rounds = [{ name: 'Qualifiers' }, replaced]
    const arranged = await client.replaceRounds(slug, rounds, { ifMatch: whole.etag })
    expect(arranged.rounds.map(({ name }) => name)).toEqual(['Qualifiers', 'Finals'])
    expect(arranged.rounds[1]).toMatchObject({ id, bestOf: 11 })
    expect(await client.deleteRound(slug, id, { ifMatch: etag })).toBeUndefined()
    await expect(client.getRound(slug, id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.deleteRound(slug, id, { ifMatch: null })).rejects.toMatchObject({
      code: 'precondition_required',
      status: null,
    })
    // @ts-expect-error -- a write of a whole round needs to know what was read
    expectTypeOf(client.deleteRound).toBeCallableWith(slug, id, {})
  })

  it('changes slots; a conflict says what is there now (D-62)', async () => {
    const { client, slug, id } = await draft()
    const change = { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { placeholder: 'soon' } }
    const changed = await client.changeSlots(slug, id, [change])
    expect(changed.slots[0]).toEqual({ mod: 'NM', index: 1, placeholder: 'soon' })
    await expect(client.changeSlots(slug, id, [change])).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
      slots: [{ mod: 'NM', index: 1, placeholder: 'soon' }],
    })
    await expect(client.getTournament('AAAAAAAAAA')).rejects.toMatchObject({ slots: null })
  })

  it('releases rounds and withdraws them (D-63)', async () => {
    const { client, slug, id } = await draft()
    const at = '2026-12-01T18:00:00.000Z'
    expect((await client.releaseRound(slug, id, at)).releaseAt).toBe(at)
    expect((await client.releaseRound(slug, id, 'now')).packSlug).toMatch(/^[\w-]{10}$/)
    expect(await client.releaseRound(slug, id, null)).not.toHaveProperty('packSlug')
  })

  it('releases a round as it is, and reads it as everybody does (D-78, D-84)', async () => {
    const { client, slug, id } = await draft()
    await client.updateTournament(slug, { visibility: 'public' })
    const to = { placeholder: 'soon' }
    await client.changeSlots(slug, id, [{ mod: 'NM', index: 3, from: 'none', to }])
    await expect(client.releaseRound(slug, id, 'now')).rejects.toMatchObject({ code: 'conflict' })
    const { packSlug } = await client.releaseRound(slug, id, 'now', { incomplete: true })
    const change = { mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 99 } }
    await client.changeSlots(slug, id, [change])
    const shown = await client.getRound(slug, id, { as: 'public' })
    expect(shown).toMatchObject({ packSlug, slots: [...slots, { mod: 'NM', index: 3, ...to }] })
    const { role, rounds } = await client.getTournament(slug, { as: 'public' })
    expect([role, rounds]).toEqual([undefined, [shown]])
  })

  it('lists deleted rounds and restores them (D-82)', async () => {
    const { client, slug, id, round, ifMatch } = await draft()
    await client.deleteRound(slug, id, { ifMatch })
    expect(await client.listDeletedRounds(slug)).toMatchObject([{ id, name: 'Finals' }])
    const restored = await client.restoreRound(slug, id)
    expectTypeOf(restored).toEqualTypeOf<Round>()
    expect(restored).toMatchObject({ id, slots: round.slots })
    expect(await client.listDeletedRounds(slug)).toEqual([])
  })

  it('limits roles to rounds (D-81)', async () => {
    const { client, slug, id } = await draft()
    const { host } = await open()
    const limited = await client.setRole(slug, host.gameId, 'pooler', { rounds: [id] })
    expect(limited).toMatchObject({ role: 'pooler', rounds: [id] })
    expect(await client.setRole(slug, host.gameId, 'pooler')).not.toHaveProperty('rounds')
  })

  it('sets roles; what a role does not allow is forbidden (D-61)', async () => {
    const { client, slug, id } = await draft()
    const { host, client: other } = await open()
    const member = await client.setRole(slug, host.gameId, 'referee')
    expectTypeOf(member).toEqualTypeOf<StaffMember>()
    expect(await client.listStaff(slug)).toContainEqual(member)
    await expect(other.releaseRound(slug, id, 'now')).rejects.toMatchObject({
      code: 'forbidden',
      status: 403,
    })
    expect(await client.removeMember(slug, host.gameId)).toBeUndefined()
    await expect(other.listStaff(slug)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('asks nobody for what is no slug, round or game id', async () => {
    const { client } = await open()
    proxy.expect()
    for (const asked of [
      client.getTournament('../me'),
      client.getRound('AAAAAAAAAA', 'x'),
      client.removeRemark('AAAAAAAAAA', 'AAAAAAAAAA', ''),
      client.setRole('AAAAAAAAAA', 0, 'host'),
      client.removeMember('AAAAAAAAAA', 1.5),
    ]) {
      await expect(asked).rejects.toMatchObject({ code: 'not_found', status: null })
    }
    expect(proxy.seen).toEqual([])
  })
})

describe('an answer that is lost', () => {
  it('is asked for again where that is safe', async () => {
    const { host } = await open()
    type Made = Awaited<ReturnType<typeof draft>>
    const calls: readonly (readonly [reads: number, call: (made: Made) => Promise<unknown>])[] = [
      [0, ({ client, slug, id }) => client.getRound(slug, id)],
      [0, ({ client, slug }) => client.updateTournament(slug, { name: 'Other Cup' })],
      [0, ({ client, slug }) => client.setRole(slug, host.gameId, 'tester')],
      // Whether it is gone, or only out of sight.
      [1, ({ client, slug }) => client.removeMember(slug, host.gameId)],
      [1, ({ client, slug, id, ifMatch }) => client.deleteRound(slug, id, { ifMatch })],
    ]
    for (const [reads, call] of calls) {
      // Each with a key of its own: a client that has spent its writes waits for a minute.
      const made = await draft()
      await made.client.setRole(made.slug, host.gameId, 'referee')
      proxy.expect('lose')
      await call(made)
      expect(proxy.seen).toHaveLength(2 + reads)
    }
  })

  it('of something that was made is the same the second time, and that is made once (D-86)', async () => {
    type Made = Awaited<ReturnType<typeof draft>>
    type Making = readonly [
      name: string,
      make: (made: Made) => Promise<unknown>,
      count: (made: Made) => Promise<number>,
    ]
    const rounds = async ({ client, slug }: Made) =>
      (await client.getTournament(slug)).rounds.length
    const makings: readonly Making[] = [
      [
        'createTournament',
        ({ client }) => client.createTournament({ name: 'Other Cup' }),
        async ({ client }) => (await client.listMyTournaments()).total,
      ],
      ['createRound', ({ client, slug }) => client.createRound(slug, { name: 'Finals 2' }), rounds],
      [
        'addRemark',
        ({ client, slug, id }) => client.addRemark(slug, id, { text: 'Too long' }),
        async ({ client, slug, id }) => (await client.listRemarks(slug, id)).total,
      ],
      [
        'proposeCandidate',
        ({ client, slug, id }) =>
          client.proposeCandidate(slug, id, { mod: 'NM', index: 1, beatmapId: 129_891 }),
        async ({ client, slug, id }) => (await client.listCandidates(slug, id)).total,
      ],
      [
        'proposeCandidates',
        async ({ client, slug, id }) => {
          const sent = [{ mod: 'NM', index: 1, beatmapId: 129_891 }]
          expect(await client.proposeCandidates(slug, id, sent)).toMatchObject(sent)
        },
        async ({ client, slug, id }) => (await client.listCandidates(slug, id)).total,
      ],
    ]
    for (const [name, make, count] of makings) {
      // As above.
      const made = await draft()
      const before = await count(made)
      proxy.expect('lose')
      await make(made)
      expect(proxy.seen, name).toHaveLength(2)
      expect(await count(made), name).toBe(before + 1)
    }
    const made = await draft()
    await made.client.deleteRound(made.slug, made.id, { ifMatch: made.ifMatch })
    proxy.expect('lose')
    expect(await made.client.restoreRound(made.slug, made.id)).toMatchObject({ id: made.id })
    expect(proxy.seen).toHaveLength(2)
  })

  it('is none where a second attempt would act twice, or be refused because of the first', async () => {
    const { client, slug, id, ifMatch } = await draft()
    const { etag } = await client.getTournament(slug).withResponse()
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: null }]
    for (const call of [
      () => client.changeSlots(slug, id, changes),
      () => client.replaceRound(slug, id, { name: 'Finals' }, { ifMatch }),
      () => client.replaceRounds(slug, [], { ifMatch: etag }),
    ]) {
      proxy.expect('lose')
      await expect(call()).rejects.toMatchObject({ code: 'unreachable' })
      expect(proxy.seen).toHaveLength(1)
    }
  })
})
