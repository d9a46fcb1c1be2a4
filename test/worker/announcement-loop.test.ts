import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRandom } from '../../src/adapters/system.ts'
import { ChatAddress } from '../../src/domain/chat-address.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import type { Chat, ChatAnswer } from '../../src/ports/announcements.ts'
import { startAnnouncementLoop } from '../../src/worker/announcements.ts'
import { changeTournament, makeTournament } from '../support/sample-tournament.ts'
import { type Announcing, openAnnouncing } from './announcing.ts'

let store: Announcing['store']
let stores: Announcing['stores']
let clock: Announcing['clock']

beforeEach(async () => {
  ;({ store, stores, clock } = await openAnnouncing())
})

afterEach(() => store.remove())

const token = 'x'.repeat(68)
const addressOf = (channel: number) =>
  ChatAddress.parse(`https://discord.com/api/webhooks/${10n ** 17n + BigInt(channel)}/${token}`)!
const channelOf = (address: ChatAddress): number =>
  Number(BigInt(address.reveal().split('/').at(-2)!) - 10n ** 17n)

/** Releases a round of a tournament with a channel of its own; what changes is another slot each time. */
const announcing = async (channel: number) => {
  const slug = await makeTournament(stores, 'owner', { visibility: 'public' })
  await changeTournament(stores, slug, () => ({
    discord: { address: addressOf(channel), off: null },
  }))
  const roundId = (await stores.tournaments.read(slug))!.rounds[0]!.id
  let beatmapId = 100
  return async (at: 'now' | null = 'now') => {
    beatmapId += 1
    await changeTournament(stores, slug, ({ rounds }) => ({
      rounds: rounds.map((round) => ({ ...round, slots: [{ mod: 'NM', index: 1, beatmapId }] })),
    }))
    await releaseRound({ ...stores, clock, random: systemRandom }, 'owner', slug, roundId, { at })
  }
}

/** A chat some of whose channels answer when they are told to. */
class SlowChat implements Chat {
  readonly posted: number[] = []
  readonly open = new Map<number, (answer: ChatAnswer) => void>()
  mostOpen = 0
  readonly #isSlow: (channel: number) => boolean

  constructor(isSlow: (channel: number) => boolean) {
    this.#isSlow = isSlow
  }

  async post(address: ChatAddress): Promise<ChatAnswer> {
    const channel = channelOf(address)
    this.posted.push(channel)
    if (!this.#isSlow(channel)) return { kind: 'sent', pauseMs: 0 }
    const { promise, resolve } = Promise.withResolvers<ChatAnswer>()
    this.open.set(channel, resolve)
    this.mostOpen = Math.max(this.mostOpen, this.open.size)
    return promise
  }

  answer(channel: number): void {
    const resolve = this.open.get(channel)
    this.open.delete(channel)
    resolve?.({ kind: 'sent', pauseMs: 0 })
  }
}

const start = (chat: Chat) => {
  clock.advance(60_000)
  return startAnnouncementLoop(
    { ...stores, clock, chat },
    {
      operator: { current: { notice: null, readOnly: null } },
      sites: { name: 'Harbour Cups', tournamentsUrl: null, packsUrl: null },
      log: { warn: () => {}, error: () => {} },
    },
  )
}
const within = { timeout: 20_000, interval: 5 }

describe('channels', () => {
  it('are independent: while one does not answer, another gets all of its messages', async () => {
    const slow = await announcing(0)
    await slow()
    const quick = await announcing(1)
    for (let times = 0; times < 4; times += 1) await quick()
    const chat = new SlowChat((channel) => channel === 0)
    const loop = start(chat)
    await vi.waitFor(() => expect(chat.posted.filter((at) => at === 1)).toHaveLength(4), within)
    expect([...chat.open.keys()]).toEqual([0])
    // Also what is announced only now; a withdrawal waits for no names of beatmaps.
    await quick(null)
    await vi.waitFor(() => expect(chat.posted.filter((at) => at === 1)).toHaveLength(5), within)
    expect([...chat.open.keys()]).toEqual([0])
    await slow(null)
    chat.answer(0)
    await vi.waitFor(() => expect(chat.open.has(0)).toBe(true), within)
    chat.answer(0)
    await loop.stop()
    expect(chat.posted.filter((at) => at === 0)).toHaveLength(2)
  })

  it('beyond 32 that do not answer wait for one of them, and not for all', async () => {
    for (let channel = 0; channel < 36; channel += 1) await (await announcing(channel))()
    const chat = new SlowChat(() => true)
    const loop = start(chat)
    await vi.waitFor(() => expect(chat.open.size).toBe(32), within)
    chat.answer(chat.posted[7]!)
    await vi.waitFor(() => expect(chat.posted).toHaveLength(33), within)
    expect(chat.open.size).toBe(32)
    while (new Set(chat.posted).size < 36) {
      const before = chat.posted.length
      chat.answer([...chat.open.keys()][0]!)
      await vi.waitFor(() => expect(chat.posted.length).toBeGreaterThan(before), within)
    }
    for (const channel of chat.open.keys()) chat.answer(channel)
    await loop.stop()
    expect(chat.mostOpen).toBe(32)
    expect(chat.posted.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 36 }, (_, at) => at))
  })
})

it('the end of a process waits for the answers to what it has sent, and notes them', async () => {
  const slow = await announcing(0)
  await slow()
  const chat = new SlowChat(() => true)
  const loop = start(chat)
  await vi.waitFor(() => expect(chat.open.has(0)).toBe(true), within)
  const stopping = loop.stop()
  chat.answer(0)
  await stopping
  expect(await stores.announcements.backlog()).toEqual({ waiting: 0, oldestAt: null })
})
