import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { systemRandom } from '../../../src/adapters/system.ts'
import type { ChatMessage } from '../../../src/domain/chat-messages.ts'
import { trialOf } from '../../../src/domain/announcements.ts'
import { removals } from '../../../src/domain/tournament-changes.ts'
import { releaseRound } from '../../../src/operations/releases.ts'
import type { AttemptEnd } from '../../../src/ports/announcements.ts'
import { aChannel } from '../../support/chat-scene.ts'
import { changeTournament, makeTournament } from '../../support/sample-tournament.ts'
import { freshSlug } from '../sample-pack.ts'
import { withStore } from '../temp-store.ts'

const LEASE = 15_000
const DAY = 86_400_000
const part = { embeds: [] } satisfies ChatMessage
const failed: AttemptEnd = {
  kind: 'failed',
  inMs: 5_000,
  offAfterMs: 3 * DAY,
  problem: 'no-answer',
}

describe('AnnouncementStore', () => {
  let one: Stores
  let two: Stores
  let players = 0

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  /** A tournament with a channel, and a round that is released or changed at a time. */
  const scene = async () => {
    const accountId = freshSlug()
    const player = { gameId: (players += 1), username: `player ${players}` }
    await one.accounts.ensurePlayer(player, accountId, 0)
    const slug = await makeTournament(one, accountId, { visibility: 'public' })
    const discord = aChannel()
    await changeTournament(one, slug, () => ({ discord }))
    const { rounds } = (await one.tournaments.read(slug))!
    const roundId = rounds[0]!.id
    const release = (now: number, at: 'now' | null = 'now') => {
      const ports = { ...one, clock: { now: () => now }, random: systemRandom }
      return releaseRound(ports, accountId, slug, roundId, { at })
    }
    const change = (beatmapId: number) =>
      changeTournament(one, slug, (saved) => ({
        rounds: saved.rounds.map((round) => ({
          ...round,
          slots: [{ mod: 'NM' as const, index: 1, beatmapId }],
        })),
      }))
    const trial = (now: number) => one.announcements.add(slug, now, trialOf)
    const take = async (now: number, stores = one) =>
      (await stores.announcements.take(now, LEASE, 100)).filter((each) => each.slug === slug)
    const finish = async (now: number, end: AttemptEnd) => {
      const [taken] = await take(now)
      return one.announcements.finish(taken!, end, now)
    }
    const log = (limit = 100) => one.announcements.list(slug, limit)
    return { slug, roundId, accountId, release, change, trial, take, finish, log }
  }

  it('has what a release, a change and a withdrawal have written, in their order, and nothing else', async () => {
    const { slug, roundId, release, change, take, finish, log } = await scene()
    expect(await take(10_000)).toEqual([])
    await release(10_000)
    await change(77)
    await release(11_000)
    await release(12_000)
    await release(13_000, null)
    const kinds = (await log()).map(({ kind, at, state }) => [kind, at, state])
    expect(kinds).toEqual([
      ['withdrawal', 13_000, 'waiting'],
      ['change', 11_000, 'waiting'],
      ['release', 10_000, 'waiting'],
    ])
    const [taken] = await take(13_000)
    expect(taken).toMatchObject({ slug, ageMs: 3_000, parts: null, sentParts: 0, failures: 0 })
    expect(taken!.news).toMatchObject({ kind: 'release', roundId, content: { before: null } })
    expect(taken!.address.reveal()).toBe(aChannel().address.reveal())
    expect(JSON.stringify(taken)).not.toContain(aChannel().address.reveal())
    await one.announcements.finish(taken!, { kind: 'sent', pauseMs: 0 }, 13_000)
    await finish(13_000, { kind: 'sent', pauseMs: 0 })
    await finish(13_000, { kind: 'given-up', problem: 'rejected' })
    expect(await take(99_000)).toEqual([])
    expect((await log()).map(({ state, attempts, problem }) => [state, attempts, problem])).toEqual(
      [
        ['given-up', 1, 'rejected'],
        ['sent', 1, null],
        ['sent', 1, null],
      ],
    )
  })

  it('writes nothing where there is no channel, and nothing of a release that is refused', async () => {
    const { slug, release, log, change } = await scene()
    await changeTournament(one, slug, () => ({ discord: null }))
    await release(10_000)
    expect(await log()).toEqual([])
    await changeTournament(one, slug, () => ({ discord: aChannel() }))
    await change(78)
    const broken = one.tournaments.changeWithPacks(slug, null, 20_000, () => {
      throw new Error('broken')
    })
    await expect(broken).rejects.toThrow('broken')
    expect(await log()).toEqual([])
  })

  it('leases a channel to one process at a time, until the lease expires', async () => {
    const { release, take } = await scene()
    await release(10_000)
    const both = await Promise.all([take(10_000), take(10_000, two)])
    expect(both.flat()).toHaveLength(1)
    const [first] = both.flat()
    expect(await take(10_000 + LEASE - 1, two)).toEqual([])
    const [second] = await take(10_000 + LEASE, two)
    expect(second!.id).toBe(first!.id)
    expect(await one.announcements.noteSent(first!, 1, 26_000, LEASE)).toBe(false)
    expect(await one.announcements.keepParts(first!, [part])).toBe(false)
    expect(await one.announcements.finish(first!, { kind: 'gone' }, 26_000)).toBeNull()
    expect(await two.announcements.noteSent(second!, 1, 26_000, LEASE)).toBe(true)
  })

  it('keeps the messages of an announcement and how many were sent; each renews the lease', async () => {
    const { release, take } = await scene()
    await release(10_000)
    const [taken] = await take(10_000)
    expect(await one.announcements.keepParts(taken!, [part, part])).toBe(true)
    expect(await one.announcements.noteSent(taken!, 1, 20_000, LEASE)).toBe(true)
    expect(await take(30_000)).toEqual([])
    const [again] = await take(20_000 + LEASE, two)
    expect(again).toMatchObject({ id: taken!.id, parts: [part, part], sentParts: 1 })
  })

  it('waits after a failure, and switches the channel off after three days of them', async () => {
    const { slug, release, take, finish, log, trial } = await scene()
    await release(10_000)
    expect(await finish(10_000, failed)).toBeNull()
    expect(await take(14_999)).toEqual([])
    const [second] = await take(15_000)
    expect(second!.failures).toBe(1)
    expect(await one.announcements.finish(second!, failed, 15_000)).toBeNull()
    expect(await finish(10_000 + 3 * DAY, failed)).toBe('failing')
    expect((await two.tournaments.read(slug))!.discord!.off).toBe('failing')
    // Another change of the tournament leaves it off.
    await changeTournament(one, slug, () => ({ name: 'Renamed' }))
    expect((await two.tournaments.read(slug))!.discord!.off).toBe('failing')
    expect(await take(10 * DAY)).toEqual([])
    expect((await log())[0]).toMatchObject({ state: 'waiting', attempts: 3, problem: 'no-answer' })
    // What is tried by hand goes on where it was.
    await trial(10 * DAY)
    expect((await one.tournaments.read(slug))!.discord!.off).toBeNull()
    expect((await take(10 * DAY))[0]).toMatchObject({ failures: 0 })
  })

  describe.each([
    ['an hour', 3_600_000],
    ['a week', 7 * DAY],
    ['a year', 365 * DAY],
  ])('a clock that was %s ahead and is put right (D-53)', (_, ahead) => {
    it('holds up neither what has failed meanwhile nor what comes later', async () => {
      const { release, change, finish, take } = await scene()
      await release(10_000 + ahead)
      await finish(10_000 + ahead, failed)
      await change(77)
      await release(20_000)
      const [first] = await take(20_000)
      expect(first).toMatchObject({ news: { kind: 'release' }, failures: 1 })
      await one.announcements.finish(first!, { kind: 'sent', pauseMs: 0 }, 20_000)
      expect((await take(20_000, two))[0]!.news.kind).toBe('change')
    })

    it('switches the channel off after three days of failures', async () => {
      const { release, finish } = await scene()
      await release(10_000 + ahead)
      await finish(10_000 + ahead, failed)
      expect(await finish(20_000, failed)).toBeNull()
      expect(await finish(20_000 + 3 * DAY - 1, failed)).toBeNull()
      expect(await finish(20_000 + 3 * DAY + 900_000, failed)).toBe('failing')
    })

    it('keeps limits and leases for no longer than there are any', async () => {
      const { release, take, finish } = await scene()
      await release(10_000 + ahead)
      await finish(10_000 + ahead, { kind: 'postponed', inMs: 5_000, problem: 'limited' })
      const isFree = ahead > 3 * DAY + 3_600_000
      expect(await take(20_000)).toHaveLength(isFree ? 1 : 0)
      await take(20_000 + ahead)
      expect(await take(30_000, two)).toHaveLength(isFree ? 1 : 0)
    })
  })

  it('obeys a limit of days, however much later its end is than any other attempt', async () => {
    const { release, take, finish } = await scene()
    await release(10_000)
    await finish(10_000, { kind: 'postponed', inMs: 3 * DAY, problem: 'limited' })
    expect(await take(9_999 + 3 * DAY)).toEqual([])
    expect(await take(10_000 + 3 * DAY)).toHaveLength(1)
  })

  it('forgets failures with a message that was sent', async () => {
    const { release, change, finish } = await scene()
    await release(10_000)
    await finish(10_000, failed)
    await change(77)
    await release(20_000)
    await finish(20_000, { kind: 'sent', pauseMs: 0 })
    expect(await finish(10_000 + 4 * DAY, failed)).toBeNull()
  })

  it('counts failures on after an end for which the chat was not asked, while another message is waiting', async () => {
    const { release, trial, take, finish } = await scene()
    await release(10_000)
    await trial(10_000)
    await finish(10_000, failed)
    await finish(15_000, { kind: 'postponed', inMs: 0, problem: null })
    await finish(15_000, { kind: 'given-up', problem: 'too-old' })
    expect((await take(15_000))[0]).toMatchObject({ news: { kind: 'trial' }, failures: 1 })
    expect(await finish(10_000 + 3 * DAY, failed)).toBe('failing')
  })

  it('forgets failures when nothing is waiting any more', async () => {
    const { release, trial, take, finish } = await scene()
    await release(10_000)
    await finish(10_000, failed)
    await finish(15_000, { kind: 'given-up', problem: 'too-old' })
    await trial(10_000 + 4 * DAY)
    expect((await take(10_000 + 4 * DAY))[0]).toMatchObject({ failures: 0 })
    expect(await finish(10_000 + 5 * DAY, failed)).toBeNull()
  })

  it('takes no other message while the channel is limited, and counts that as no attempt', async () => {
    const { release, trial, take, finish, log } = await scene()
    await release(10_000)
    await finish(10_000, { kind: 'postponed', inMs: 60_000, problem: 'limited' })
    await trial(11_000)
    expect(await take(69_999)).toEqual([])
    await finish(70_000, { kind: 'sent', pauseMs: 30_000 })
    expect(await take(99_999)).toEqual([])
    expect((await take(100_000))[0]!.news.kind).toBe('trial')
    expect((await log()).at(-1)).toMatchObject({ state: 'sent', attempts: 1 })
  })

  it('switches a channel off at once that is gone, and goes on with another address', async () => {
    const { slug, release, take, finish, log } = await scene()
    await release(10_000)
    expect(await finish(10_000, { kind: 'gone' })).toBe('gone')
    expect((await log())[0]).toMatchObject({ state: 'waiting', problem: 'gone' })
    expect(await take(20_000)).toEqual([])
    await changeTournament(one, slug, () => ({ discord: aChannel() }))
    expect(await take(20_000)).toHaveLength(1)
  })

  it('gives up what is waiting when the address is removed', async () => {
    const { slug, release, take, log } = await scene()
    await release(10_000)
    await changeTournament(one, slug, () => ({ discord: null }))
    expect(await take(20_000)).toEqual([])
    expect((await log())[0]).toMatchObject({ state: 'given-up', problem: 'removed' })
    await changeTournament(one, slug, () => ({ discord: aChannel() }))
    expect(await take(20_000)).toEqual([])
  })

  it('waits while a moderator has hidden the tournament', async () => {
    const { slug, release, take } = await scene()
    await release(10_000)
    await changeTournament(one, slug, () => ({ hiddenAt: 1, hiddenReason: null }))
    expect(await take(20_000)).toEqual([])
    await changeTournament(one, slug, () => ({ hiddenAt: null }))
    expect(await take(20_000)).toHaveLength(1)
  })

  it('sends an announcement again under the same id', async () => {
    const { slug, release, take, finish } = await scene()
    await release(10_000)
    const [taken] = await take(10_000)
    await one.announcements.keepParts(taken!, [part])
    await one.announcements.noteSent(taken!, 1, 10_000, LEASE)
    await one.announcements.finish(taken!, { kind: 'sent', pauseMs: 0 }, 10_000)
    expect(await one.announcements.add(slug, 20_000, () => ({ again: freshSlug() }))).toBeNull()
    await one.announcements.add(slug, 20_000, () => ({ again: taken!.id }))
    expect((await take(20_000))[0]).toMatchObject({ id: taken!.id, sentParts: 0, parts: [part] })
    await finish(50_000, { kind: 'sent', pauseMs: 0 })
  })

  it('adds nothing where the caller refuses it, or there is no channel', async () => {
    const { slug, log } = await scene()
    const refused = one.announcements.add(slug, 0, () => {
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    await changeTournament(one, slug, () => ({ discord: null }))
    expect(await one.announcements.add(slug, 0, trialOf)).toBeNull()
    expect(await one.announcements.add(freshSlug(), 0, trialOf)).toBeNull()
    expect(await log()).toEqual([])
  })

  it('tells what the chat has answered, and when the first one that waits is tried again', async () => {
    const { release, trial, take, finish, log } = await scene()
    await release(10_000)
    await trial(10_000)
    const refusal = { status: 503, code: null }
    await finish(10_000, {
      kind: 'failed',
      inMs: 5_000,
      offAfterMs: DAY,
      problem: 'status',
      refusal,
    })
    const answered = (all: Awaited<ReturnType<typeof log>>) =>
      all.map(({ status, code, nextAttemptAt }) => [status, code, nextAttemptAt])
    expect(answered(await log())).toEqual([
      [null, null, null],
      [503, null, 15_000],
    ])
    // A limit of the chat holds up what is asked for by hand, too.
    await finish(15_000, { kind: 'postponed', inMs: 60_000, problem: 'limited' })
    expect(answered(await log())[1]).toEqual([null, null, 75_000])
    const [taken] = await take(75_000)
    // While it is being sent.
    expect(answered(await log())[1]).toEqual([null, null, null])
    const rejected = { status: 400, code: 220_001 }
    const end: AttemptEnd = { kind: 'given-up', problem: 'rejected', refusal: rejected }
    await one.announcements.finish(taken!, end, 75_000)
    expect(answered(await log())).toEqual([
      [null, null, 75_000],
      [400, 220_001, null],
    ])
    await one.announcements.add(taken!.slug, 90_000, () => ({ again: taken!.id }))
    expect(answered(await log())[1]).toEqual([null, null, 90_000])
  })

  it('tells who adds one by hand when the last was, and what waits', async () => {
    const { slug, release, finish } = await scene()
    const asked: unknown[] = []
    const ids: string[] = []
    const add = (now: number) =>
      one.announcements.add(slug, now, (saved, { isWaiting, ...rest }) => {
        asked.push({ ...rest, waiting: ids.filter(isWaiting) })
        return trialOf(saved)
      })
    await release(10_000)
    ids.push(...(await one.announcements.list(slug, 9)).map(({ id }) => id))
    await add(11_000)
    const trial = (await one.announcements.list(slug, 9)).find(({ kind }) => kind === 'trial')!.id
    ids.push(trial)
    await finish(11_000, { kind: 'sent', pauseMs: 0 })
    await add(12_000)
    await finish(12_000, { kind: 'sent', pauseMs: 0 })
    await finish(12_000, { kind: 'sent', pauseMs: 0 })
    await add(13_000)
    expect(asked).toEqual([
      { at: null, now: 11_000, trial: null, waiting: [ids[0]] },
      { at: 11_000, now: 12_000, trial, waiting: [trial] },
      { at: 12_000, now: 13_000, trial: null, waiting: [] },
    ])
  })

  it('keeps the newest hundred of a tournament, and five trials apart from them', async () => {
    const { trial, log, release, change } = await scene()
    for (let at = 1; at <= 103; at += 1) {
      await change(at)
      await release(at)
    }
    for (let at = 104; at <= 113; at += 1) await trial(at)
    expect((await log(200)).map(({ kind, at }) => (kind === 'trial' ? at : -at))).toEqual([
      ...Array.from({ length: 5 }, (_, at) => 113 - at),
      ...Array.from({ length: 100 }, (_, at) => at - 103),
    ])
    const { waiting, oldestAt } = await one.announcements.backlog()
    expect(waiting).toBeGreaterThanOrEqual(100)
    expect(oldestAt).not.toBeNull()
  })

  it('keeps of a tournament that is deleted what announces that, until it is sent', async () => {
    const { slug, release, trial, take, log } = await scene()
    await release(10_000)
    await trial(11_000)
    await one.tournaments.changeWithPacks(slug, null, 12_000, ({ rounds }) => ({
      content: null,
      packs: removals(rounds),
    }))
    expect((await log()).map(({ kind, state }) => [kind, state])).toEqual([['deletion', 'waiting']])
    const [taken] = await take(12_000, two)
    expect(taken).toMatchObject({
      news: { kind: 'deletion', roundId: null, content: { rounds: ['Quarterfinals'] } },
    })
    expect(taken!.address.equals(aChannel().address)).toBe(true)
    expect(await two.announcements.finish(taken!, failed, 12_000)).toBeNull()
    const [again] = await take(17_000)
    expect(again).toMatchObject({ id: taken!.id, failures: 1 })
    await one.announcements.finish(again!, { kind: 'sent', pauseMs: 5_000 }, 17_000)
    expect(await log()).toEqual([])
    expect(await take(99_000)).toEqual([])
  })

  it('forgets what announces a deletion after a time, where nothing is sent', async () => {
    const { slug, release, take, log } = await scene()
    await release(10_000)
    await one.tournaments.changeWithPacks(slug, null, 12_000, ({ rounds }) => ({
      content: null,
      packs: removals(rounds),
    }))
    await one.announcements.forgetDeletions(12_000)
    expect(await log()).toHaveLength(1)
    expect(await one.announcements.forgetDeletions(12_001)).toBe(true)
    expect(await one.announcements.forgetDeletions(12_001)).toBe(false)
    expect(await log()).toEqual([])
    expect(await take(99_000)).toEqual([])
  })

  it('keeps nothing of a tournament that goes with its only host', async () => {
    const { slug, accountId, release, take, log } = await scene()
    await release(10_000)
    await one.accounts.remove(accountId, 11_000)
    expect(await one.tournaments.read(slug)).toBeNull()
    expect(await log()).toEqual([])
    expect(await take(99_000)).toEqual([])
  })
})
