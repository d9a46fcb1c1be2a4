import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundInput } from '../../src/contract/rounds.ts'
import { SingleFlight } from '../../src/domain/loading.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { RecentFailures } from '../../src/operations/beatmaps.ts'
import { checkDrafts } from '../../src/operations/checks.ts'
import type { UsageStore } from '../../src/ports/search.ts'
import { aMember, aSavedRound, aTournament } from '../domain/a-tournament.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { statsRig } from '../support/stats-rig.ts'

const never = () => new Promise<void>(() => {})
const atOnce = async (): Promise<void> => {}

const stars = { max: 6.3 }

/** `count` slots of one bucket. */
const slotsOf = (mod: string, count: number, firstId: number): NonNullable<RoundInput['slots']> =>
  Array.from({ length: count }, (_, at) => ({ mod, index: at + 1, beatmapId: firstId + at }))

const aRoundOf = (id: string, input: Partial<RoundInput>) =>
  aSavedRound({ id, input: { name: id, ...input } })

/** Checks of a tournament, with a scripted platform. */
const open = (...rounds: SavedTournament['rounds']) => {
  const rig = statsRig()
  const limited = { ...aMember('tester', 3), accountId: 'limited', rounds: ['round-0001'] }
  const staff = [aMember('host', 1), aMember('referee', 2), limited]
  let tournament = aTournament({ rounds, staff, visibility: 'private' })
  const saveRounds = (changed: SavedTournament['rounds']) => {
    tournament = { ...tournament, rounds: changed }
  }
  const tournaments = {
    read: async (slug: string) => (slug === tournament.slug ? tournament : null),
  }
  const [failures, lookUps] = [new RecentFailures(), new SingleFlight<number>()]
  const asked: [count: number, except: string | null][] = []
  const pooled = new Map<number, object>()
  const answers = new Map<string, ReadonlyMap<number, object>>()
  const usage: Pick<UsageStore, 'last'> = {
    async last(ids, except) {
      asked.push([ids.length, except])
      // As the store does: the same object as long as nothing changes.
      const key = JSON.stringify([ids, [...pooled]])
      const kept = answers.get(key) ?? new Map([...pooled].filter(([id]) => ids.includes(id)))
      answers.set(key, kept)
      return kept as never
    },
  }
  const ports = { ...rig.ports, tournaments, usage } as never
  const check = (
    roundId: string | null = null,
    { accountId = 'host', deadline = never, slug = 'tournament' } = {},
  ) => {
    const requester = `account ${accountId}` as const
    return checkDrafts(ports, { accountId, requester, deadline, failures, lookUps }, slug, roundId)
  }
  return { ...rig, check, asked, pooled, saveRounds }
}

describe('the checks of drafts', () => {
  test('look up what they need: beatmaps, and ratings with mods where stars are a target', async () => {
    const { check, platform } = open(
      aRoundOf('round-0001', { slots: slotsOf('DT', 2, 1), targets: { stars } }),
      aRoundOf('round-0002', { slots: slotsOf('HR', 1, 3) }),
    )
    platform.beatmaps.set(3, 'gone')
    platform.ratings.set('2 base DT', { stars: 6.1 })
    expect(await check()).toMatchObject([
      { kind: 'gone', round: { id: 'round-0002' }, mod: 'HR', index: 1 },
      {
        kind: 'stars',
        mod: 'DT',
        index: 1,
        message: 'DT1 has 6.50 stars with DT, 0.20 more than 6.30',
      },
    ])
    expect(platform.beatmapCalls).toEqual([[1, 2, 3]])
    expect(platform.ratingCalls).toEqual(['1 base DT', '2 base DT'])
    expect(platform.callers).toEqual(new Set(['account host']))
    platform.forgetCalls()
    expect(await check('round-0002')).toMatchObject([{ kind: 'gone' }])
    expect(platform.calls).toBe(0)
  })

  test('D-35: a combination that the platform does not rate counts plain', async () => {
    const { check, platform } = open(
      aRoundOf('round-0001', { slots: slotsOf('DT', 1, 1), targets: { stars } }),
    )
    platform.beatmaps.set(1, aBeatmap(1, { stars: 6.4 }))
    platform.ratings.set('1 base DT', 'refused')
    expect(await check()).toMatchObject([{ kind: 'stars', value: 6.4 }])
  })

  test('what the platform fails to answer is unknown', async () => {
    const { check, platform } = open(aRoundOf('round-0001', { slots: slotsOf('NM', 3, 1) }))
    platform.fails = () => true
    const kinds = (await check()).map(({ kind }) => kind)
    expect(kinds).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('a platform that does not answer in time is not waited for', async () => {
    const { check, platform } = open(aRoundOf('round-0001', { slots: slotsOf('NM', 1, 1) }))
    platform.meanwhile = never
    expect(await check(null, { deadline: atOnce })).toMatchObject([{ kind: 'unknown' }])
  })

  test('16 rounds of 64 slots take a few calls, the unknown first the next time', async () => {
    const rounds = Array.from({ length: 16 }, (_, at) =>
      aRoundOf(`round-00${at + 10}`, { slots: slotsOf('DT', 64, at * 64 + 1), targets: { stars } }),
    )
    const { check, platform, clock } = open(...rounds)
    const unknown = async () => (await check()).filter(({ kind }) => kind === 'unknown').length
    expect(await unknown()).toBe(1024 - 4)
    expect(platform.calls).toBe(8)
    // The account has used its share of this minute.
    clock.advance(60_000)
    expect(await unknown()).toBe(1024 - 8)
    expect(new Set(platform.beatmapCalls.flat()).size).toBe(400)
  })

  test('look up what is unknown before what is old', async () => {
    const { check, platform, clock, beatmapCache } = open(
      ...Array.from({ length: 4 }, (_, at) =>
        aRoundOf(`round-000${at}`, { slots: slotsOf('NM', 64, at * 64 + 1) }),
      ),
    )
    const old = Array.from({ length: 250 }, (_, at) => aBeatmap(at + 1))
    await beatmapCache.keepBeatmaps(old, [], clock.now())
    await beatmapCache.publish(
      old.map(({ id }) => id),
      [],
    )
    clock.advance(366 * 86_400_000)
    expect((await check()).filter(({ kind }) => kind === 'unknown')).toEqual([])
    const asked = platform.beatmapCalls.flat()
    expect(asked.slice(0, 6)).toEqual([251, 252, 253, 254, 255, 256])
    expect(asked).toHaveLength(200)
  })

  test('D-67: name earlier pools, 64 beatmaps at a time, but for the packs of the tournament itself', async () => {
    const { check, asked, pooled } = open(
      aRoundOf('round-0001', { slots: slotsOf('NM', 64, 1) }),
      aRoundOf('round-0002', { slots: slotsOf('NM', 6, 62) }),
    )
    const last = { mod: 'HD', index: 1, packName: 'Spring Cup', round: null }
    pooled.set(66, { total: 2, last })
    const found = (await check()).filter(({ kind }) => kind === 'pooled')
    expect(found).toMatchObject([
      { round: { id: 'round-0002' }, mod: 'NM', index: 5, beatmapId: 66, value: 2 },
    ])
    expect(asked).toEqual([
      [64, 'tournament'],
      [3, 'tournament'],
    ])
  })

  test('D-81: are those of what is known now and of the member who asks, whatever was found before', async () => {
    const id = fc.integer({ min: 1, max: 4 })
    const step = fc.oneof(
      fc.record({
        kind: fc.constant('known' as const),
        id,
        bpm: fc.nat(2),
        isPublic: fc.boolean(),
      }),
      fc.record({ kind: fc.constant('pooled' as const), id, total: fc.nat(2) }),
      fc.record({ kind: fc.constant('saved' as const), id }),
    )
    const asks = fc.constantFrom(
      { accountId: 'host', roundId: 'round-0001' },
      { accountId: 'limited', roundId: 'round-0001' },
      { accountId: 'host', roundId: null },
    )
    const last = { mod: 'HD', index: 1, packName: 'Spring Cup', round: null }
    const property = fc.asyncProperty(
      fc.array(fc.tuple(step, asks), { maxLength: 20, size: 'max' }),
      async (steps) => {
        const rounds = (id = 3): SavedTournament['rounds'] => [
          aRoundOf('round-0001', {
            slots: slotsOf('DT', 3, 1),
            targets: { stars, bpm: { min: 181, max: 181 } },
          }),
          aRoundOf('round-0002', { slots: slotsOf('HR', 2, id) }),
        ]
        const kept = open(...rounds())
        let saved = rounds()
        const known = new Map<number, { readonly bpm: number; readonly isPublic: boolean }>()
        const tell = async ({ ports, clock }: typeof kept, of: number) => {
          const { bpm, isPublic } = known.get(of)!
          await ports.beatmapCache.keepBeatmaps([aBeatmap(of, { bpm: 120 + bpm })], [], clock.now())
          if (isPublic) await ports.beatmapCache.publish([of], [])
        }
        kept.platform.meanwhile = never
        for (const [each, { accountId, roundId }] of steps) {
          if (each.kind === 'pooled') kept.pooled.set(each.id, { total: 1 + each.total, last })
          if (each.kind === 'saved') kept.saveRounds((saved = rounds(each.id)))
          if (each.kind === 'known') {
            known.set(each.id, {
              ...each,
              isPublic: each.isPublic || known.get(each.id)?.isPublic === true,
            })
            await tell(kept, each.id)
          }
          const fresh = open(...saved)
          fresh.platform.meanwhile = never
          for (const [of, value] of kept.pooled) fresh.pooled.set(of, value)
          for (const of of known.keys()) await tell(fresh, of)
          const who = { accountId, deadline: atOnce }
          const anew = await fresh.check(roundId, who)
          expect(await kept.check(roundId, who)).toEqual(anew)
          expect(await kept.check(roundId, who)).toEqual(anew)
        }
      },
    )
    await fc.assert(property, { numRuns: 60 })
  })

  test('several at once ask once', async () => {
    const { check, platform } = open(aRoundOf('round-0001', { slots: slotsOf('NM', 3, 1) }))
    await Promise.all([check(), check(), check('round-0001')])
    expect(platform.calls).toBe(1)
  })

  test('D-60: are for the staff, referees too, and the same 404 for all others', async () => {
    const { check } = open(aRoundOf('round-0001', { slots: slotsOf('NM', 1, 1) }))
    expect(await check(null, { accountId: 'referee' })).toEqual([])
    const refused = await Promise.allSettled([
      check(null, { accountId: 'stranger' }),
      check('round-0001', { accountId: 'stranger' }),
      check('round-0009'),
      check(null, { slug: 'nobodyhas1' }),
    ])
    const reason = { code: 'not_found', message: expect.stringContaining('no such tournament') }
    expect(refused).toMatchObject(refused.map(() => ({ status: 'rejected', reason })))
  })
})
