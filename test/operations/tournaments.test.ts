import { describe, expect, onTestFinished, test } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import { refusals } from '../../src/contract/errors.ts'
import { asOperator } from '../../src/domain/moderation.ts'
import { presentTournament } from '../../src/domain/tournament-views.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import {
  changeSlots,
  createRound,
  deleteRound,
  getRound,
  replaceRound,
  replaceRounds,
} from '../../src/operations/rounds.ts'
import { listStaff, removeMember, setRole } from '../../src/operations/staff.ts'
import {
  createTournament,
  deleteTournament,
  getTournament,
  moderateTournament,
  type RoundInTournament,
  updateTournament,
} from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openScene } from './tournament-scene.ts'

const notFound = { code: 'not_found', message: refusals.tournamentNotFound[1] }
const forbidden = { code: 'forbidden', message: refusals.roleForbids[1] }
class Stale extends Error {}
/** A precondition that nothing meets; keeps what it was called with. */
const staleCheck = <T>() => {
  const seen: (T | null)[] = []
  const check = (current: T | null): void => {
    seen.push(current)
    throw new Stale()
  }
  return { seen, check }
}
const fine = (): void => {}
const emptySlot = { slots: [{ mod: 'NM', index: 1 }] }

describe('createTournament', () => {
  test('makes a private tournament whose only member is its host', async () => {
    const { ports, clock, gameIds } = await openScene()
    const made = await createTournament(ports, 'host', { name: ' Harbour Lights Cup ' })
    expect(made).toMatchObject({
      name: 'Harbour Lights Cup',
      visibility: 'private',
      rounds: [],
      staff: [{ accountId: 'host', gameId: gameIds.host, username: 'A host', role: 'host' }],
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    expect(made.slug).toMatch(/^[A-Za-z0-9_-]{10}$/)
    expect(await getTournament(ports, 'host', made.slug)).toEqual(made)
  })

  test('20 that an account hosts, exactly, however many it makes at the same time', async () => {
    const { ports } = await openScene()
    const make = () => createTournament(ports, 'host', { name: 'Cup' })
    const made = await Promise.allSettled(Array.from({ length: 23 }, make))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    await expect(make()).rejects.toMatchObject({
      code: 'conflict',
      message: 'you already host 20 tournaments; delete one first',
    })
    const [first] = (await ports.tournaments.listOfMember('host', 1, 50)).rows
    await deleteTournament(ports, 'host', first!.slug)
    await make()
  })

  test('an account that was just deleted makes none', async () => {
    const { ports } = await openScene()
    const made = createTournament(ports, 'deleted', { name: 'Cup' })
    await expect(made).rejects.toMatchObject({ code: 'invalid_api_key' })
  })

  test('D-26: a slug that is taken is drawn again', async () => {
    const { ports } = await openScene()
    const drawn = [1, 1, 2]
    const random = { bytes: (count: number) => new Uint8Array(count).fill(drawn.shift() ?? 3) }
    const first = await createTournament({ ...ports, random }, 'host', { name: 'One' })
    const second = await createTournament({ ...ports, random }, 'host', { name: 'Two' })
    expect([first.slug, second.slug]).toEqual(['BBBBBBBBBB', 'CCCCCCCCCC'])
  })
})

describe('the order of refusals (D-3): content, access, precondition, state', () => {
  test('content comes before the tournament is looked for', async () => {
    const { ports } = await openScene()
    const bad = { code: 'bad_request' }
    const { check, seen } = staleCheck<unknown>()
    const none = ['host', 'aaaaaaaaaa'] as const
    const name = ' '
    await expect(updateTournament(ports, ...none, { name }, check)).rejects.toMatchObject(bad)
    await expect(createRound(ports, ...none, { name })).rejects.toMatchObject(bad)
    const rounds = [{ name }]
    await expect(replaceRounds(ports, ...none, { rounds }, check)).rejects.toMatchObject(bad)
    const round = [...none, 'bbbbbbbbbb'] as const
    await expect(replaceRound(ports, ...round, { name }, check)).rejects.toMatchObject(bad)
    const slot = { mod: 'NM', index: 1, from: null, to: null }
    const changes = [slot, slot]
    await expect(changeSlots(ports, ...round, { changes })).rejects.toMatchObject(bad)
    const at = '2020-02-30T00:00:00.000Z'
    await expect(releaseRound(ports, ...round, { at }, check)).rejects.toMatchObject(bad)
    expect(seen).toEqual([])
  })

  test('access comes before the precondition: forbidden is not told what has changed', async () => {
    const { ports, make } = await openScene()
    const { slug, roundId } = await make({ state: 'public', round: 'released' })
    const { check, seen } = staleCheck<unknown>()
    const who = 'referee'
    const calls = [
      () => updateTournament(ports, who, slug, { year: 2026 }, check),
      () => deleteTournament(ports, who, slug, check),
      () => replaceRounds(ports, who, slug, { rounds: [] }, check),
      () => replaceRound(ports, who, slug, roundId, aRound(), check),
      () => deleteRound(ports, who, slug, roundId, check),
      () => releaseRound(ports, who, slug, roundId, { at: 'now' }, check),
    ]
    for (const call of calls) await expect(call()).rejects.toMatchObject(forbidden)
    expect(seen).toEqual([])
  })

  test('D-48: what is not there for the caller is null for the precondition, then not found', async () => {
    const { ports, make } = await openScene()
    const { slug, roundId } = await make({ state: 'public', round: 'released' })
    for (const [who, where] of [
      ['stranger', slug],
      ['host', 'aaaaaaaaaa'],
    ] as const) {
      const calls = (check: (current: unknown) => void) => [
        () => updateTournament(ports, who, where, { year: 2026 }, check),
        () => deleteTournament(ports, who, where, check),
        () => replaceRounds(ports, who, where, { rounds: [] }, check),
        () => replaceRound(ports, who, where, roundId, aRound(), check),
        () => deleteRound(ports, who, where, roundId, check),
        () => releaseRound(ports, who, where, roundId, { at: 'now' }, check),
      ]
      const { check, seen } = staleCheck<unknown>()
      for (const call of calls(check)) await expect(call()).rejects.toBeInstanceOf(Stale)
      expect(seen).toEqual([null, null, null, null, null, null])
      for (const call of calls(fine)) await expect(call()).rejects.toMatchObject(notFound)
    }
    const { check, seen } = staleCheck<unknown>()
    const missing = replaceRound(ports, 'host', slug, 'aaaaaaaaaa', aRound(), check)
    await expect(missing).rejects.toBeInstanceOf(Stale)
    expect(seen).toEqual([null])
  })

  test('the precondition comes before what the state refuses, and sees what the caller sees', async () => {
    const { ports, make, read } = await openScene()
    const { slug, roundId } = await make({ round: 'scheduled' })
    const saved = (await read(slug))!
    const whole = staleCheck<SavedTournament>()
    const rounds = [aRound(emptySlot)]
    const sheet = replaceRounds(ports, 'host', slug, { rounds }, whole.check)
    await expect(sheet).rejects.toBeInstanceOf(Stale)
    const patch = updateTournament(ports, 'host', slug, { year: 2026 }, whole.check)
    await expect(patch).rejects.toBeInstanceOf(Stale)
    await expect(deleteTournament(ports, 'host', slug, whole.check)).rejects.toBeInstanceOf(Stale)
    expect(whole.seen).toEqual([saved, saved, saved])
    const one = staleCheck<RoundInTournament>()
    const edit = replaceRound(ports, 'host', slug, roundId, aRound(emptySlot), one.check)
    await expect(edit).rejects.toBeInstanceOf(Stale)
    await expect(deleteRound(ports, 'host', slug, roundId, one.check)).rejects.toBeInstanceOf(Stale)
    const release = releaseRound(ports, 'host', slug, roundId, { at: null }, one.check)
    await expect(release).rejects.toBeInstanceOf(Stale)
    const seen = { tournament: saved, round: saved.rounds[0] }
    expect(one.seen).toEqual([seen, seen, seen])
    const refused = replaceRound(ports, 'host', slug, roundId, aRound(emptySlot), fine)
    await expect(refused).rejects.toMatchObject({ code: 'conflict' })
    expect(await read(slug)).toEqual(saved)
  })
})

describe('changes of a tournament', () => {
  test('a patch changes what it has; ranks are compared with those that are saved', async () => {
    const { ports, make, clock, read } = await openScene()
    const { slug } = await make()
    clock.advance(1000)
    const made = await updateTournament(ports, 'host', slug, { rankMax: 99, link: null })
    expect(made).toMatchObject({ rankMax: 99, link: null, updatedAt: clock.now() })
    const refused = updateTournament(ports, 'host', slug, { rankMin: 100 })
    await expect(refused).rejects.toMatchObject({ code: 'bad_request' })
    expect(await read(slug)).toEqual(made)
  })

  test('D-98: an address of Discord is a conflict where nothing says that it is sent to', async () => {
    const { ports, make, read } = await openScene()
    const { slug } = await make()
    const patch = (sends?: boolean) =>
      updateTournament(ports, 'host', slug, { discordUrl: DISCORD_URL_EXAMPLE }, undefined, sends)
    for (const sends of [undefined, false]) {
      await expect(patch(sends)).rejects.toMatchObject({ code: 'conflict' })
      expect(await read(slug)).toMatchObject({ discord: null })
    }
    expect(await patch(true)).toMatchObject({ discord: { off: null } })
  })

  test('deleting one deletes the packs of its rounds, and no other', async () => {
    const { ports, make } = await openScene()
    const first = await make({ state: 'public', round: 'released' })
    const second = await make({ state: 'public', round: 'released' })
    const packOf = async ({ slug }: { slug: string }) =>
      (await ports.tournaments.read(slug))?.rounds[0]?.released?.packSlug ?? ''
    const [gone, kept] = [await packOf(first), await packOf(second)]
    await deleteTournament(ports, 'host', first.slug)
    expect(await ports.packs.read(gone)).toBeNull()
    expect(await ports.packs.read(kept)).not.toBeNull()
    expect(await ports.tournaments.read(first.slug)).toBeNull()
  })

  test('D-60: a moderator hides a public one from strangers, and shows it again', async () => {
    const { ports, make } = await openScene()
    const { slug, roundId } = await make({ state: 'public', round: 'released' })
    const before = presentTournament(await getTournament(ports, 'stranger', slug), 'stranger')
    await moderateTournament(ports, slug, 'hide', asOperator('spam'))
    await expect(async () => getTournament(ports, 'stranger', slug)).rejects.toMatchObject(notFound)
    await expect(async () => getRound(ports, 'stranger', slug, roundId)).rejects.toMatchObject(
      notFound,
    )
    expect(await getTournament(ports, 'referee', slug)).toMatchObject({ hiddenReason: 'spam' })
    await moderateTournament(ports, slug, 'unhide', asOperator())
    const after = presentTournament(await getTournament(ports, 'stranger', slug), 'stranger')
    expect(after).toEqual({ ...before, updatedAt: after.updatedAt })
    const { slug: secret } = await make()
    for (const missing of [secret, 'aaaaaaaaaa']) {
      const hiding = moderateTournament(ports, missing, 'hide', asOperator())
      await expect(hiding).rejects.toMatchObject(notFound)
    }
  })
})

describe('rounds', () => {
  test('a new one has an id like a slug, and comes last', async () => {
    const { ports, make } = await openScene()
    const { slug, roundId } = await make()
    const made = await createRound(ports, 'pooler', slug, aRound({ name: 'Finals' }))
    expect(made.round.id).toMatch(/^[A-Za-z0-9_-]{10}$/)
    expect(made.tournament.rounds.map(({ id }) => id)).toEqual([roundId, made.round.id])
    expect(await getRound(ports, 'referee', slug, made.round.id)).toEqual(made)
    const taken = createRound(ports, 'pooler', slug, aRound({ name: 'FINALS' }))
    await expect(taken).rejects.toMatchObject({ code: 'conflict' })
  })

  test('at most 16, however many come at the same time', async () => {
    const { ports, make, read } = await openScene()
    const { slug } = await make()
    const adds = Array.from({ length: 18 }, (_, at) =>
      createRound(ports, 'pooler', slug, aRound({ name: `Round ${at}` })),
    )
    const made = await Promise.allSettled(adds)
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(15)
    expect((await read(slug))?.rounds).toHaveLength(16)
  })

  test('versions say who drafted them; a release makes none', async () => {
    const { ports, make, clock } = await openScene()
    const { slug, roundId } = await make()
    clock.advance(1000)
    await replaceRound(ports, 'pooler', slug, roundId, aRound({ bans: 2 }), fine)
    clock.advance(1000)
    await replaceRound(ports, 'host', slug, roundId, aRound({ bans: 2 }), fine)
    await releaseRound(ports, 'host', slug, roundId, { at: 'now' })
    const versions = await ports.tournaments.readVersions(slug, roundId)
    expect(versions.map(({ version, savedBy }) => [version, savedBy?.accountId])).toEqual([
      [2, 'pooler'],
      [1, 'host'],
    ])
  })

  test('a whole sheet in one write, once for a state of the tournament', async () => {
    const { ports, make, read } = await openScene()
    const { slug, roundId } = await make()
    const { updatedAt } = (await read(slug))!
    const unchanged = (current: SavedTournament | null): void => {
      if (current?.updatedAt !== updatedAt) throw new Stale()
    }
    const sheets = ['One', 'Two', 'Three'].map((name) => ({
      rounds: [aRound({ name }), { ...aRound({ bestOf: 9 }), id: roundId }],
    }))
    const writes = await Promise.allSettled(
      sheets.map((sheet) => replaceRounds(ports, 'pooler', slug, sheet, unchanged)),
    )
    expect(writes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const [first, second] = (await read(slug))!.rounds
    expect(['One', 'Two', 'Three']).toContain(first?.name)
    expect(second).toMatchObject({ id: roundId, bestOf: 9, version: 2 })
  })

  test('deleting a released one deletes its pack', async () => {
    const { ports, make, read } = await openScene()
    const { slug, roundId } = await make({ round: 'released' })
    const packSlug = (await read(slug))!.rounds[0]!.released!.packSlug
    await deleteRound(ports, 'host', slug, roundId, fine)
    expect(await ports.packs.read(packSlug)).toBeNull()
    expect((await read(slug))?.rounds).toEqual([])
  })
})

describe('D-62: slots', () => {
  test('what several people in two processes change at the same time is lost nowhere', async () => {
    const { ports, make, again, read } = await openScene()
    const { slug, roundId } = await make()
    const other = await again()
    onTestFinished(() => other.care.close())
    const processes = [ports, { ...ports, ...other }]
    const places = Array.from({ length: 24 }, (_, at) => ({ mod: 'HD', index: at + 1 }))
    const changed = await Promise.allSettled(
      places.map((place, at) =>
        changeSlots(processes[at % 2]!, at % 3 ? 'pooler' : 'host', slug, roundId, {
          changes: [{ ...place, from: 'none', to: { beatmapId: at + 1 } }],
        }),
      ),
    )
    expect(changed.filter(({ status }) => status === 'rejected')).toEqual([])
    const slots = (await read(slug))!.rounds[0]!.slots.filter(({ mod }) => mod === 'HD')
    expect(slots.toSorted((a, b) => a.index - b.index)).toEqual(
      places.map((place, at) => ({ ...place, beatmapId: at + 1 })),
    )
  })

  test('no edit is lost of people who read, change and try again, whatever comes between', async () => {
    const { ports, make, again } = await openScene()
    const { slug, roundId } = await make()
    const other = await again()
    onTestFinished(() => other.care.close())
    /** Counts the slot up by one, ten times. */
    const count = async (on: typeof ports): Promise<void> => {
      for (let done = 0; done < 10;) {
        const { round } = await getRound(on, 'pooler', slug, roundId)
        const { beatmapId = 0 } = round.slots.find(({ mod }) => mod === 'NM') ?? {}
        const to = { beatmapId: beatmapId + 1 }
        const changes = [{ mod: 'NM', index: 1, from: { beatmapId }, to }]
        try {
          await changeSlots(on, 'pooler', slug, roundId, { changes })
          done += 1
        } catch (error) {
          expect(error).toMatchObject({ code: 'conflict' })
        }
      }
    }
    await Promise.all([ports, { ...ports, ...other }, ports, { ...ports, ...other }].map(count))
    const { round } = await getRound(ports, 'pooler', slug, roundId)
    expect(round.slots[0]).toEqual({ mod: 'NM', index: 1, beatmapId: 11 + 40 })
    expect(round.version).toBe(1 + 40)
  })

  test('of changes of one slot from one state exactly one is made; the others learn of it', async () => {
    const { ports, make, again, read } = await openScene()
    const { slug, roundId } = await make()
    const other = await again()
    onTestFinished(() => other.care.close())
    const processes = [ports, { ...ports, ...other }]
    const changed = await Promise.allSettled(
      [21, 22, 23, 24, 25, 26].map((beatmapId, at) =>
        changeSlots(processes[at % 2]!, 'pooler', slug, roundId, {
          changes: [
            { mod: 'NM', index: 1, from: { beatmapId: 11 }, to: { beatmapId } },
            { mod: 'HR', index: at + 1, from: 'none', to: { beatmapId } },
          ],
        }),
      ),
    )
    expect(changed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const { slots } = (await read(slug))!.rounds[0]!
    expect(slots, 'all or none').toHaveLength(3)
    const now = slots.find(({ mod }) => mod === 'NM')
    for (const each of changed) {
      if (each.status === 'fulfilled') continue
      expect(each.reason).toMatchObject({ code: 'conflict', details: { slots: [now] } })
    }
  })
})

describe('staff', () => {
  test('a player with an account gets a role; one without is not found', async () => {
    const { ports, make, gameIds, clock } = await openScene()
    const { slug } = await make()
    clock.advance(1000)
    const { member } = await setRole(ports, 'host', slug, gameIds.stranger, { role: 'tester' })
    expect(member).toEqual({
      accountId: 'stranger',
      gameId: gameIds.stranger,
      username: 'A stranger',
      role: 'tester',
      rounds: null,
      since: clock.now(),
      seenAt: null,
    })
    const unknown = setRole(ports, 'host', slug, 999_999, { role: 'tester' })
    await expect(unknown).rejects.toMatchObject({
      code: 'not_found',
      message: 'no player with this game id has an account here; invite them with a link',
    })
    const asking = setRole(ports, 'referee', slug, 999_999, { role: 'tester' })
    await expect(asking, 'access comes first').rejects.toMatchObject(forbidden)
    const names = (await listStaff(ports, 'referee', slug)).staff.map(({ username }) => username)
    expect(names).toEqual(
      ['host', 'pooler', 'tester', 'stranger', 'referee'].map((it) => `A ${it}`),
    )
  })

  test('nobody is made the host of a 21st tournament', async () => {
    const { ports, make, gameIds, read } = await openScene()
    const { slug } = await make()
    for (let count = 0; count < 20; count++) {
      await createTournament(ports, 'pooler', { name: 'Cup' })
    }
    const before = await read(slug)
    const refused = setRole(ports, 'host', slug, gameIds.pooler, { role: 'host' })
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: 'they already host 20 tournaments; give them another role',
    })
    expect(await read(slug)).toEqual(before)
    await setRole(ports, 'host', slug, gameIds.pooler, { role: 'tester' })
  })

  test('everybody may leave but the last host, also when two hosts leave at the same time', async () => {
    const { ports, make, gameIds, read } = await openScene()
    const { slug } = await make()
    await removeMember(ports, 'tester', slug, gameIds.tester)
    await expect(removeMember(ports, 'host', slug, gameIds.host)).rejects.toMatchObject({
      code: 'conflict',
    })
    await setRole(ports, 'host', slug, gameIds.pooler, { role: 'host' })
    const left = await Promise.allSettled([
      removeMember(ports, 'host', slug, gameIds.host),
      removeMember(ports, 'pooler', slug, gameIds.pooler),
    ])
    expect(left.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await read(slug))?.staff.filter(({ role }) => role === 'host')).toHaveLength(1)
  })

  test('who is not on the staff is not found, and who has left is a stranger', async () => {
    const { ports, make, gameIds } = await openScene()
    const { slug } = await make()
    const absent = removeMember(ports, 'host', slug, gameIds.stranger)
    await expect(absent).rejects.toMatchObject(notFound)
    await removeMember(ports, 'host', slug, gameIds.referee)
    await expect(async () => getTournament(ports, 'referee', slug)).rejects.toMatchObject(notFound)
  })
})
