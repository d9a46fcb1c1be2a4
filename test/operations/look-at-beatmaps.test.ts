import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { createMemoryQuotaStore } from '../../src/adapters/counters/memory.ts'
import { BeatmapLookReply } from '../../src/contract/beatmaps.ts'
import type { ForcedMod } from '../../src/contract/mods.ts'
import type { SavedPack } from '../../src/domain/packs.ts'
import { requesterOf } from '../../src/domain/quotas.ts'
import type { Session } from '../../src/domain/sessions.ts'
import { SingleFlight } from '../../src/domain/loading.ts'
import { lookAtBeatmaps } from '../../src/operations/beatmap-look.ts'
import { RecentFailures } from '../../src/operations/beatmaps.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import { HandClock } from '../support/hand-clock.ts'
import { statsRig } from '../support/stats-rig.ts'

const DAY = 86_400_000
const bob = { accountId: 'bob', isModerator: false } as Session
const ada = { accountId: 'ada', isModerator: false } as Session
const never = () => new Promise<void>(() => {})
const checked = Compile(BeatmapLookReply)

/** A question: `[1, 'HR', 'HD']` is beatmap 1 with HR and HD. */
type Question = readonly [id: number, ...mods: ForcedMod[]]

const open = (pack: Partial<SavedPack> = {}) => {
  const rig = statsRig()
  const saved: SavedPack = { ...aNewPack(pack), ownerUsername: 'Ada' }
  const packs = { read: async (slug: string) => (slug === saved.slug ? saved : null) }
  const staff = [ada, bob].map(({ accountId }) => ({ accountId, role: 'pooler', rounds: null }))
  const tournaments = {
    read: async () => ({ slug: 'cup0000000', staff, hiddenAt: null, visibility: 'private' }),
  }
  const failures = new RecentFailures()
  const lookUps = new SingleFlight<number>()
  const quotas = createMemoryQuotaStore({ findOwner: () => null })
  const look = async (
    questions: readonly Question[],
    {
      viewer = ada,
      deadline = never,
      slug = '',
      tournament = '',
      address = '192.0.2.1',
    }: {
      viewer?: Session | null
      deadline?: () => Promise<void>
      slug?: string
      tournament?: string
      address?: string
    } = {},
  ) => {
    const ports = { ...rig.ports, packs, tournaments, quotas } as never
    const requester = requesterOf(viewer?.accountId ?? null, address)
    const reply = await lookAtBeatmaps(
      ports,
      { viewer, requester, deadline, failures, lookUps },
      {
        beatmaps: questions.map(([id, ...mods]) => ({ id, mods })),
        ...(slug && { slug }),
        ...(tournament && { tournament }),
      },
    )
    expect([...checked.Errors(reply)]).toEqual([])
    return reply
  }
  return { ...rig, look, slug: saved.slug }
}

describe('what a page learns of its beatmaps', () => {
  it('details and stars, in the order asked, as often as asked', async () => {
    const { look, platform } = open()
    platform.beatmaps.set(2, 'gone')
    platform.beatmaps.set(3, aBeatmap(3, { stars: 5.705 }))
    const { beatmaps, retryAfter } = await look([[3], [2], [1, 'DT'], [3]])
    expect(beatmaps).toEqual([
      { id: 3, state: 'known', details: aBeatmap(3, { stars: 5.705 }), stars: 5.705 },
      { id: 2, state: 'gone' },
      { id: 1, state: 'known', details: aBeatmap(1), stars: 6.5 },
      { id: 3, state: 'known', details: aBeatmap(3, { stars: 5.705 }), stars: 5.705 },
    ])
    expect(retryAfter).toBeNull()
    expect(platform.callers).toEqual(new Set(['account ada']))
  })

  it('what they have asked for, and what public packs have, is there at once and without a call', async () => {
    const { look, platform, beatmapCache } = open()
    const first = await look([[1], [2, 'HR']])
    platform.forgetCalls()
    expect(await look([[1], [2, 'HR']])).toEqual(first)
    expect(platform.calls).toBe(0)
    await beatmapCache.publish([1, 2], [{ beatmapId: 2, ruleset: 'base', mods: ['HR'] }])
    expect(await look([[1], [2, 'HR']], { viewer: null })).toEqual(first)
    expect(platform.calls).toBe(0)
  })

  it('D-94: HD is asked for as the game rates it, alone and in a set; sets in any order are one', async () => {
    const { look, platform } = open()
    platform.ratings.set('1 base HD', { stars: 5.254 })
    const { beatmaps } = await look([
      [1, 'HD'],
      [1, 'DT', 'HD'],
      [1, 'HD', 'DT'],
    ])
    expect(beatmaps.map(({ stars }) => stars)).toEqual([5.254, 6.5, 6.5])
    expect(platform.ratingCalls).toEqual(['1 base HD', '1 base HDDT'])
  })

  it('D-35, D-93: a rating that the platform refuses or does not have is the plain one', async () => {
    const { look, platform } = open()
    platform.ratings.set('1 base EZ', 'refused')
    platform.ratings.set('1 base HD', { stars: 0 })
    const { beatmaps, retryAfter } = await look([[1, 'EZ'], [1, 'HD'], [1, 'DT'], [1]])
    const found = beatmaps.map(({ stars, noRating = false }) => [stars, noRating])
    expect(found).toEqual([
      [5, true],
      [5, true],
      [6.5, false],
      [5, false],
    ])
    expect(retryAfter).toBeNull()
  })

  it('mods that no slot can force are refused, naming their place (D-23)', async () => {
    const { look, platform } = open()
    await expect(look([[1], [2, 'EZ', 'HR']])).rejects.toMatchObject({
      code: 'bad_request',
      message: 'beatmaps[1].mods must not hold both EZ and HR',
    })
    expect(platform.calls).toBe(0)
  })
})

describe('D-74: what others have looked up', () => {
  const eve = { accountId: 'eve', isModerator: false } as Session
  const slots = [{ mod: 'DT', index: 1, beatmapId: 1 }]
  const stats = { complete: true } as SavedPack['stats']
  const questions = [[1, 'DT'], [2, 'HR'], [3]] as const

  it.each([
    ['an account', eve],
    ['nobody signed in', null],
  ])('is asked for again, at the price of what nobody has looked up: %s', async (_, viewer) => {
    const [cold, warm] = [open(), open()]
    await warm.look(questions)
    await warm.look([[1, 'DT']], { viewer: null, address: '198.51.100.7' })
    warm.platform.forgetCalls()
    expect(await warm.look(questions, { viewer })).toEqual(await cold.look(questions, { viewer }))
    expect(warm.platform.beatmapCalls).toEqual(cold.platform.beatmapCalls)
    expect(warm.platform.ratingCalls).toEqual(cold.platform.ratingCalls)
    expect(warm.platform.calls).toBeGreaterThan(0)
  })

  it('spends what a visitor may add to the cache in an hour', async () => {
    const { look, beatmapCache, clock } = open()
    const ids = Array.from({ length: 704 }, (_, at) => at + 1)
    await beatmapCache.keepBeatmaps(
      ids.map((id) => aBeatmap(id)),
      [],
      clock.now(),
    )
    const states: string[] = []
    let wait: number | null = null
    for (let at = 0; at < ids.length; at += 64) {
      clock.advance(60_000)
      const questions = ids.slice(at, at + 64).map((id) => [id] as const)
      const { beatmaps, retryAfter } = await look(questions, { viewer: null })
      states.push(...beatmaps.map(({ state }) => state))
      wait = retryAfter
    }
    expect(states).toEqual(ids.map((id) => (id <= 640 ? 'known' : 'pending')))
    expect(wait).toBe(3600 - (Math.floor(clock.now() / 1000) % 3600))
  })

  it('and failed to get delays nobody else', async () => {
    const { look, platform } = open()
    platform.fails = () => true
    await look([[1]])
    platform.fails = () => false
    expect((await look([[1]], { viewer: eve })).beatmaps[0]?.state).toBe('known')
  })

  it('for a pack is there for all who may read it, as far as the pack has it', async () => {
    const { look, platform, slug } = open({ slots, visibility: 'unlisted' })
    await look([[1, 'DT'], [2]], { slug })
    platform.forgetCalls()
    const { beatmaps } = await look([[1, 'DT']], { viewer: null, slug })
    expect(beatmaps).toMatchObject([{ stars: 6.5 }])
    expect(platform.calls).toBe(0)
    await look([[2]], { viewer: null, slug })
    expect(platform.beatmapCalls).toEqual([[2]])
  })

  it('with HD, which is looked up after the stats, is there three minutes after the save at the earliest', async () => {
    const hidden = [{ mod: 'HD', index: 1, beatmapId: 1 }]
    for (const [ageMs, stars] of [
      [179_999, null],
      [180_000, 5.25],
    ] as const) {
      const updatedAt = new HandClock().now() - ageMs
      const pack = { slots: hidden, stats, visibility: 'unlisted', updatedAt } as const
      const { look, slug, beatmapCache, platform } = open(pack)
      await beatmapCache.keepBeatmaps([aBeatmap(1)], [], new HandClock().now())
      const key = { beatmapId: 1, ruleset: 'base', mods: ['HD'] } as const
      await beatmapCache.keepRating(key, { stars: 5.25 }, new HandClock().now())
      platform.fails = () => true
      const { beatmaps } = await look([[1, 'HD']], { viewer: null, slug })
      expect(beatmaps).toMatchObject([{ stars }])
    }
  })

  it('for the stats of a pack is there once they are complete, under its mods only', async () => {
    const { look, platform, slug, beatmapCache } = open({ slots, stats, visibility: 'unlisted' })
    await beatmapCache.keepBeatmaps([aBeatmap(1)], [], 0)
    for (const mods of [['DT'], ['HR']] as const) {
      await beatmapCache.keepRating({ beatmapId: 1, ruleset: 'base', mods }, { stars: 6.5 }, 0)
    }
    const { beatmaps } = await look(
      [
        [1, 'DT'],
        [1, 'HR'],
      ],
      { viewer: null, slug },
    )
    expect(beatmaps).toMatchObject([{ stars: 6.5 }, { stars: null }])
    expect(platform.ratingCalls).toEqual([])
  })

  it('for the drafts of a tournament is there for its staff, and for nobody else', async () => {
    const { look, platform } = open()
    const tournament = 'cup0000000'
    await look([[1, 'DT']], { tournament })
    platform.forgetCalls()
    await look([[1, 'DT']], { viewer: bob, tournament })
    expect(platform.calls).toBe(0)
    await look([[1, 'DT']], { viewer: eve, tournament })
    expect(platform.calls).toBe(2)
  })
})

describe('how far one page goes', () => {
  const many = (count: number, ...mods: ForcedMod[]): Question[] =>
    Array.from({ length: count }, (_, at) => [at + 1, ...mods])

  it('two calls for 64 beatmaps, four for ratings; the rest comes when it asks again', async () => {
    const { look, platform } = open()
    const first = await look(many(64, 'HR'))
    expect(platform.beatmapCalls).toHaveLength(2)
    expect(platform.ratingCalls).toHaveLength(4)
    expect(first.beatmaps.filter(({ stars }) => stars === null)).toHaveLength(60)
    expect(first.retryAfter).toBe(5)
    platform.forgetCalls()
    const second = await look(many(64, 'HR'))
    expect(platform.beatmapCalls).toHaveLength(0)
    expect(platform.ratingCalls).toHaveLength(4)
    expect(second.beatmaps.filter(({ stars }) => stars === null)).toHaveLength(56)
  })

  it('nobody signed in: no ratings, and no reason to ask again', async () => {
    const { look, platform } = open()
    const { beatmaps, retryAfter } = await look([[1, 'HR'], [2]], { viewer: null })
    expect(beatmaps).toMatchObject([
      { id: 1, state: 'known', stars: null },
      { id: 2, state: 'known', stars: 5 },
    ])
    expect(retryAfter).toBeNull()
    expect(platform.ratingCalls).toEqual([])
  })

  it('nobody signed in: the ratings of a public pack that shows them, and no others', async () => {
    const { look, platform, slug } = open({ slots: [{ mod: 'DT', index: 1, beatmapId: 1 }] })
    const { beatmaps } = await look(
      [
        [1, 'DT'],
        [1, 'HR'],
        [2, 'DT'],
      ],
      { viewer: null, slug },
    )
    expect(beatmaps.map(({ stars }) => stars)).toEqual([6.5, null, null])
    expect(platform.ratingCalls).toEqual(['1 base DT'])
  })

  it.each([
    ['private', { visibility: 'private' as const }],
    ['hidden', { hiddenAt: 5 }],
  ])('nobody signed in: a %s pack opens nothing', async (_, state) => {
    const { look, platform, slug } = open({
      slots: [{ mod: 'DT', index: 1, beatmapId: 1 }],
      ...state,
    })
    await look([[1, 'DT']], { viewer: null, slug })
    expect(platform.ratingCalls).toEqual([])
  })
})

describe('when the platform is slow or down', () => {
  it('a page waits no longer than its deadline; the answer is there the next time', async () => {
    const { look, platform } = open()
    const { promise, resolve } = Promise.withResolvers<void>()
    platform.meanwhile = () => promise
    const reply = await look([[1]], { deadline: async () => {} })
    expect(reply).toEqual({ beatmaps: [{ id: 1, state: 'pending' }], retryAfter: 5 })
    resolve()
    await look([[1]])
    platform.forgetCalls()
    expect((await look([[1]])).beatmaps[0]).toMatchObject({ state: 'known', stars: 5 })
    expect(platform.calls).toBe(0)
  })

  it('what failed is asked for again later, not by the next page', async () => {
    const { look, platform, clock } = open()
    platform.fails = () => true
    const reply = await look([[1]])
    expect(reply).toEqual({ beatmaps: [{ id: 1, state: 'pending' }], retryAfter: 45 })
    platform.forgetCalls()
    await look([[1]])
    expect(platform.calls).toBe(0)
    clock.advance(45_000)
    platform.fails = () => false
    expect((await look([[1]])).beatmaps[0]?.state).toBe('known')
  })

  it('without calls left it says when there will be some', async () => {
    const { look, ports, clock } = open()
    for (let calls = 0; calls < 50; calls += 1) await ports.callBudget.take('sign-in', clock.now())
    for (let calls = 0; calls < 4; calls += 1) await ports.callBudget.take('visitor', clock.now())
    clock.advance(42_700)
    const reply = await look([[1]])
    expect(reply).toEqual({ beatmaps: [{ id: 1, state: 'pending' }], retryAfter: 18 })
  })

  it('while the platform pauses it says when the next call may be made (D-92)', async () => {
    const { look, ports, clock } = open()
    const failure = { call: 'GET /', trouble: 'down', reason: 'away' } as const
    const stops = { calls: 'all', askedUntil: clock.now() + 3_600_000 } as const
    await ports.callBudget.fail(failure, clock.now(), stops)
    clock.advance(42_700)
    const reply = await look([[1]])
    expect(reply).toEqual({ beatmaps: [{ id: 1, state: 'pending' }], retryAfter: 18 })
  })

  it('what is old is shown at once, and asked for again behind it', async () => {
    const { look, platform, clock, beatmapCache } = open()
    await look([[1]])
    clock.advance(DAY)
    platform.beatmaps.set(1, aBeatmap(1, { title: 'Harbour (new)' }))
    const { promise, resolve } = Promise.withResolvers<void>()
    platform.meanwhile = () => promise
    expect((await look([[1]])).beatmaps[0]?.details?.title).toBe('Harbour')
    resolve()
    await expect.poll(() => beatmapCache.beatmaps.get(1)?.at).toBe(clock.now())
    expect((await look([[1]])).beatmaps[0]?.details?.title).toBe('Harbour (new)')
  })

  it('old knowledge stays when the platform is down', async () => {
    const { look, platform, clock } = open()
    await look([[1, 'HR']])
    clock.advance(31 * DAY)
    platform.fails = () => true
    const reply = await look([[1, 'HR']])
    expect(reply.beatmaps[0]).toMatchObject({ state: 'known', stars: 6.5 })
    expect(reply.retryAfter).toBeNull()
  })
})
