import * as fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import { asOperator, asOperatorFor } from '../../src/domain/moderation.ts'
import { timestamp } from '../../src/domain/quotas.ts'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { unpublishPool } from '../../src/operations/published-pools.ts'
import { releaseDue, releaseRound } from '../../src/operations/releases.ts'
import { replaceRound } from '../../src/operations/rounds.ts'
import { moderateTournament } from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'
import { openTournament } from '../support/public-tournament.ts'

const house = await openHouse()
const { clock, ports } = house
const stranger = await house.host()
const poolsStranger = await house.host('pools')
const host = await house.host('pools')
const hostId = (await ports.accounts.findByGameId(host.gameId))!.id
const packsHost = await house.hostOf(host.gameId, host.username)
const ownPack = await packsHost.save(aPack({ visibility: 'public' }))
let other = await house.again()
afterAll(async () => {
  await other.care.close()
  await house.close()
})

const HOUR = 3_600_000
const ROUNDS = [0, 1] as const

/** What strangers are to see of a round, in the words of D-63 and D-76. */
type Model = {
  isHidden: boolean
  /** The only host, whose every pack is hidden then. */
  isSuspended: boolean
  readonly rounds: {
    readonly id: string
    /** Of its first pack. */
    slug: string | null
    packSlug: string | null
    /** Of the pack that it has, and of the next one. */
    isPackHidden: boolean
    releaseAt: number | null
  }[]
}

/** As often as sequences need that lead somewhere: released, hidden, withdrawn, released. */
const steps = {
  'hide tournament': 1,
  'show tournament': 2,
  'hide pack': 3,
  'show pack': 1,
  schedule: 2,
  'release now': 4,
  withdraw: 3,
  unpublish: 1,
  suspend: 1,
  lift: 2,
  edit: 1,
  'time passes': 2,
  restart: 1,
} as const
type Step = { readonly what: keyof typeof steps; readonly at: 0 | 1; readonly onOther: boolean }

const aStep = fc.record({
  what: fc.oneof(
    ...Object.entries(steps).map(([what, weight]) => {
      return { arbitrary: fc.constant(what as keyof typeof steps), weight }
    }),
  ),
  at: fc.constantFrom(...ROUNDS),
  onOther: fc.boolean(),
})

const isDone = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    (error: { code?: string }) => {
      if (error.code === 'conflict') return false
      throw error
    },
  )

/** What the worker of a process does when it looks. */
const releaseAllDue = async (on: typeof ports): Promise<void> => {
  const { rounds } = await on.tournaments.due(clock.now(), 50)
  for (const round of rounds) await releaseDue(on, round)
}

async function take(slug: string, model: Model, { what, at, onOther }: Step): Promise<void> {
  const on = { ...ports, ...(onOther ? (other satisfies Stores) : {}) }
  const round = model.rounds[at]!
  const { packSlug } = round
  const put = (when: string | null) => releaseRound(on, hostId, slug, round.id, { at: when })
  const packOf = async () => {
    const saved = (await on.tournaments.read(slug))!.rounds.find(({ id }) => id === round.id)!
    return saved.released?.pack?.slug ?? null
  }
  const by = (action: 'suspend' | 'unsuspend') =>
    ({ ...asOperatorFor('spam'), action, at: clock.now() }) as const
  const isStopped = model.isHidden || model.isSuspended
  if (what === 'suspend') {
    await on.suspensions.suspend(host.gameId, by('suspend'))
    model.isSuspended = true
  } else if (what === 'lift') {
    await on.suspensions.unsuspend(host.gameId, by('unsuspend'))
    model.isSuspended = false
  } else if (what === 'hide tournament') {
    await moderateTournament(on, slug, 'hide', asOperator('why'))
    model.isHidden = true
  } else if (what === 'show tournament') {
    await moderateTournament(on, slug, 'unhide', asOperator('why'))
    model.isHidden = false
  } else if (what === 'hide pack' || what === 'show pack') {
    if (packSlug === null) return
    await (what === 'hide pack' ? hidePack : unhidePack)(on, packSlug, asOperator('why'))
    round.isPackHidden = what === 'hide pack'
  } else if (what === 'schedule') {
    const time = clock.now() + HOUR
    expect(await isDone(put(timestamp(time)))).toBe(!isStopped)
    if (!isStopped) round.releaseAt = time
  } else if (what === 'release now') {
    expect(await isDone(put('now'))).toBe(!isStopped)
    if (isStopped) return
    round.releaseAt = null
    releasedAs(round, await packOf())
  } else if (what === 'withdraw') {
    await put(null)
    if (round.releaseAt !== null) round.releaseAt = null
    else forget(round)
  } else if (what === 'unpublish') {
    if (packSlug === null) return
    await unpublishPool(on, packSlug)
    forget(round)
  } else if (what === 'edit') {
    const name = `Round ${at + 1}`
    const slots = [{ mod: 'NM', index: 1, beatmapId: 1 + (clock.now() % 1000) }]
    await replaceRound(on, hostId, slug, round.id, aRound({ name, slots }), () => {})
  } else if (what === 'time passes') {
    clock.advance(2 * HOUR)
    await releaseAllDue(on)
    if (isStopped) return
    for (const each of model.rounds) {
      if (each.releaseAt === null) continue
      each.releaseAt = null
      const saved = (await on.tournaments.read(slug))!.rounds.find(({ id }) => id === each.id)!
      releasedAs(each, saved.released?.packSlug ?? null)
    }
  } else {
    await other.care.close()
    other = await house.again()
  }
}

function forget(round: Model['rounds'][number]): void {
  round.packSlug = null
}

/** A round keeps the slug of its first pack (D-63). */
function releasedAs(round: Model['rounds'][number], slug: string | null): void {
  expect(slug, 'released').not.toBeNull()
  expect(slug).toBe(round.slug ?? slug)
  round.packSlug = round.slug = slug
}

/** A stranger's answers equal what the model says. */
async function compare(slug: string, { rounds, ...model }: Model): Promise<void> {
  const { isSuspended } = model
  const isHidden = model.isHidden || isSuspended
  // So that no quota is used up.
  clock.nextMinute()
  const isShown = (round: Model['rounds'][number]) => !round.isPackHidden && !isSuspended
  const shown = rounds.filter((round) => round.packSlug !== null && isShown(round))
  const tournament = await poolsStranger.get(`/tournaments/${slug}`)
  expect(tournament.status).toBe(isHidden ? 404 : 200)
  const seen: { id: string; packSlug: string }[] = isHidden ? [] : tournament.json.tournament.rounds
  const expected = isHidden ? [] : shown.map(({ id, packSlug }) => ({ id, packSlug }))
  expect(seen.map(({ id, packSlug }) => ({ id, packSlug }))).toEqual(expected)
  const list = (await stranger.get('/packs')).json.packs.map((pack: { slug: string }) => pack.slug)
  const own = isSuspended ? [] : [ownPack]
  expect(new Set(list)).toEqual(new Set([...own, ...shown.map(({ packSlug }) => packSlug)]))
  expect((await packsHost.get('/me')).status).toBe(isSuspended ? 401 : 200)
  for (const round of rounds) {
    if (round.packSlug === null) continue
    const { status } = await stranger.get(`/packs/${round.packSlug}`)
    expect(status).toBe(isShown(round) ? 200 : 404)
  }
  for (const each of rounds) {
    if (each.slug !== null && each.packSlug === null) {
      expect(await ports.packs.read(each.slug)).toBeNull()
    }
  }
}

test('D-63, D-76: whatever hosts, moderators, the clock and restarts do, strangers see what the rules say', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { minLength: 12, maxLength: 30, size: 'max' }),
      async (taken) => {
        const names = ROUNDS.map((at) => ({ name: `Round ${at + 1}` }))
        const { slug, rounds } = await openTournament(ports, hostId, {}, names)
        const made = rounds.map(({ id }) => ({
          id,
          slug: null,
          packSlug: null,
          isPackHidden: false,
          releaseAt: null,
        }))
        const model: Model = { isHidden: false, isSuspended: false, rounds: made }
        for (const step of taken) {
          await take(slug, model, step)
          await compare(slug, model)
        }
        await take(slug, model, { what: 'lift', at: 0, onOther: false })
        await compare(slug, model)
        // The next sequence begins with a store that shows nothing.
        await ports.tournaments.changeWithPacks(slug, null, clock.now(), (saved) => ({
          content: null,
          packs: saved.rounds.flatMap(({ released }) =>
            released?.pack ? [{ kind: 'remove', slug: released.packSlug }] : [],
          ),
        }))
      },
    ),
    { numRuns: 30 },
  )
})
