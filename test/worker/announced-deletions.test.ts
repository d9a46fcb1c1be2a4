import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemRandom } from '../../src/adapters/system.ts'
import type { ChatMessage } from '../../src/domain/chat-messages.ts'
import { sendLeased } from '../../src/operations/announcement-sending.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { deleteTournament } from '../../src/operations/tournaments.ts'
import type { ChatAnswer } from '../../src/ports/announcements.ts'
import { aSavedRound } from '../domain/a-tournament.ts'
import { aChannel, failed500, gone, ScriptedChat } from '../support/chat-scene.ts'
import { changeTournament, makeTournament } from '../support/sample-tournament.ts'
import { type Announcing, LEASE, MINUTE, openAnnouncing, sites } from './announcing.ts'

const names = ['Round 1', 'Round 2', 'Round 3'] as const

let store: Announcing['store']
let stores: Announcing['stores']
let clock: Announcing['clock']
let chat: Announcing['chat']

beforeEach(async () => {
  ;({ store, stores, clock, chat } = await openAnnouncing())
})

afterEach(() => store.remove())

const ports = () => ({ ...stores, clock, chat, random: systemRandom })

/** A tournament with a channel and three rounds. */
const scene = async () => {
  const slug = await makeTournament(stores, 'owner', { visibility: 'public' })
  await changeTournament(stores, slug, () => ({
    discord: aChannel(),
    rounds: names.map((name, at) => ({ ...aSavedRound(), id: `AAAAAAAAA${at}`, name })),
  }))
  const { rounds } = (await stores.tournaments.read(slug))!
  const release = async (round: number, at: 'now' | null = 'now') => {
    clock.advance(1)
    await releaseRound(ports(), 'owner', slug, rounds[round]!.id, { at })
  }
  const remove = () => deleteTournament(ports(), 'owner', slug)
  return { slug, release, remove }
}

/** Once names of beatmaps are not waited for any more. */
const sendOne = async (): Promise<boolean> => {
  clock.advance(MINUTE)
  const [taken] = await stores.announcements.take(clock.now(), LEASE, 1)
  if (taken !== undefined) await sendLeased(ports(), taken, sites)
  return taken !== undefined
}
const sendAll = async (): Promise<void> => {
  for (let rests = 0; rests < 30;) rests = (await sendOne()) ? 0 : rests + 1
}

const embedOf = ({ embeds }: ChatMessage) => embeds[0]!
const kept = async () => [
  ...(await store.query('select url from tournament_chat')),
  ...(await store.query('select name from tournament_message')),
]

/** Which rounds somebody takes for public who has read no more than the channel. */
const believedPublic = (): string[] => {
  const believed = new Set<string>()
  for (const message of chat.posted) {
    const { title, description } = embedOf(message)
    for (const name of names) {
      if (title === `${name} withdrawn`) believed.delete(name)
      else if (title.startsWith(`${name} `)) believed.add(name)
      else if (description.includes(name)) believed.delete(name)
    }
  }
  return [...believed]
}

describe('DELETE /tournaments/{slug}', () => {
  it('is told in the channel with the rounds that were public, and nothing of it is kept then (D-97)', async () => {
    const { release, remove } = await scene()
    await release(0)
    await release(2)
    await sendAll()
    await release(2, null)
    await remove()
    await sendAll()
    expect(embedOf(chat.posted.at(-1)!)).toEqual({
      author: { name: 'Harbour Lights Cup' },
      title: 'Tournament deleted',
      description: 'These rounds are no longer public:\n**Round 3**\n**Round 1**',
      footer: { text: expect.stringMatching(/^Harbour Cups · /) },
    })
    expect(chat.posted).toHaveLength(3)
    expect(await kept()).toEqual([])
    expect(await stores.announcements.backlog()).toEqual({ waiting: 0, oldestAt: null })
  })

  it.each<[string, (scene: { slug: string }) => Promise<unknown>]>([
    ['without a channel', ({ slug }) => changeTournament(stores, slug, () => ({ discord: null }))],
    [
      'whose channel is switched off',
      ({ slug }) =>
        changeTournament(stores, slug, () => ({ discord: { ...aChannel(), off: 'gone' } })),
    ],
    [
      'that a moderator has hidden',
      ({ slug }) => changeTournament(stores, slug, () => ({ hiddenAt: 1, hiddenReason: null })),
    ],
  ])('of a tournament %s is told nowhere, nor kept', async (_, become) => {
    const one = await scene()
    await one.release(0)
    await become(one)
    await one.remove()
    await sendAll()
    expect(chat.posted).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('of a tournament without a public round is told nowhere', async () => {
    const { release, remove } = await scene()
    await release(0)
    await release(0, null)
    await sendAll()
    chat.posted.length = 0
    await remove()
    await sendAll()
    expect(chat.posted).toEqual([])
    expect(await kept()).toEqual([])
  })

  it('is told after what another process is still sending', async () => {
    const { release, remove } = await scene()
    await release(0)
    clock.advance(MINUTE)
    const [taken] = await stores.announcements.take(clock.now(), LEASE, 1)
    await remove()
    expect(await stores.announcements.take(clock.now() + LEASE - 1, LEASE, 1)).toEqual([])
    expect(await stores.announcements.noteSent(taken!, 1, clock.now(), LEASE)).toBe(false)
    expect(await stores.announcements.take(clock.now() + LEASE, LEASE, 1)).toHaveLength(1)
  })

  it('keeps nothing of a channel that does not take it, either', async () => {
    for (const answer of [gone, { kind: 'rejected', status: 400, code: 1 }] as ChatAnswer[]) {
      const { release, remove } = await scene()
      await release(0)
      await remove()
      chat.answers.push({ answer })
      await sendAll()
      expect(await kept()).toEqual([])
    }
    const { release, remove } = await scene()
    await release(0)
    await remove()
    for (let tries = 0; (await kept()).length > 0; tries += 1) {
      expect(tries).toBeLessThan(400)
      chat.answers.splice(0, Infinity, { answer: failed500 })
      await sendOne()
      clock.advance(14 * MINUTE)
    }
    expect(chat.posted).toEqual([])
  })

  it('leaves no round public to those who read the channel alone, whatever was sent before', async () => {
    const anyStep = fc.oneof(
      fc.record({ round: fc.nat({ max: 2 }), at: fc.constantFrom('now' as const, null) }),
      fc.constantFrom('send' as const, 'fail' as const),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 14 }), async (steps) => {
        chat = new ScriptedChat()
        const { release, remove } = await scene()
        for (const step of steps) {
          if (typeof step === 'object') {
            await release(step.round, step.at).catch(() => {})
            continue
          }
          if (step === 'fail') chat.answers.push({ answer: failed500 })
          await sendOne()
          chat.answers.length = 0
        }
        await remove()
        const before = chat.posted.length
        await sendAll()
        expect(believedPublic()).toEqual([])
        expect(chat.posted.length - before).toBeLessThanOrEqual(1)
        expect(await kept()).toEqual([])
      }),
      { numRuns: 30 },
    )
  })
})
