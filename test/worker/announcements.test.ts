import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { systemRandom } from '../../src/adapters/system.ts'
import type { ChatAddress } from '../../src/domain/chat-address.ts'
import type { ChatMessage } from '../../src/domain/chat-messages.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { sendLeased, type SendingPorts } from '../../src/operations/announcement-sending.ts'
import type { ChatAnswer } from '../../src/ports/announcements.ts'
import type { OperatorState } from '../../src/ports/store.ts'
import { startAnnouncementLoop } from '../../src/worker/announcements.ts'
import { aBeatmap } from '../support/a-beatmap.ts'
import {
  aChannel,
  failed500,
  gone,
  idIn,
  ScriptedChat,
  SECRET_TOKEN,
} from '../support/chat-scene.ts'
import { changeTournament, makeTournament } from '../support/sample-tournament.ts'
import { type Announcing, LEASE, MINUTE, openAnnouncing, sites } from './announcing.ts'

const DAY = 24 * 60 * MINUTE

let store: Announcing['store']
let stores: Announcing['stores']
let clock: Announcing['clock']
let chat: Announcing['chat']

const ports = (): SendingPorts => ({ ...stores, clock, chat })

beforeEach(async () => {
  ;({ store, stores, clock, chat } = await openAnnouncing())
})

afterEach(async () => {
  vi.useRealTimers()
  await store.remove()
})

/** A tournament with a channel and a round. */
const scene = async () => {
  const slug = await makeTournament(stores, 'owner', { visibility: 'public' })
  await changeTournament(stores, slug, () => ({ discord: aChannel() }))
  const roundId = (await stores.tournaments.read(slug))!.rounds[0]!.id
  const releasing = { ...stores, clock, random: systemRandom }
  const release = (at: 'now' | null = 'now') =>
    releaseRound(releasing, 'owner', slug, roundId, { at })
  const put = (...ids: readonly number[]) =>
    changeTournament(stores, slug, (saved) => ({
      rounds: saved.rounds.map((round) => ({
        ...round,
        slots: ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId })),
      })),
    }))
  const log = () => stores.announcements.list(slug, 100)
  return { slug, roundId, release, put, log }
}

/** Sends what is due, as long as anything is; names of beatmaps are not waited for. */
const sendAll = async (): Promise<number> => {
  let sent = 0
  for (;;) {
    const taken = await stores.announcements.take(clock.now(), LEASE, 8)
    for (const each of taken) await sendLeased(ports(), each, sites)
    if (taken.length === 0) return sent
    sent += taken.length
  }
}

/** Until names of beatmaps are not waited for any more. */
const afterNames = () => clock.advance(MINUTE)

describe('an announcement', () => {
  it('waits a minute for the names of beatmaps, then goes without', async () => {
    const { release, log } = await scene()
    await release()
    await sendAll()
    expect(chat.posted).toEqual([])
    expect((await log())[0]).toMatchObject({ state: 'waiting', attempts: 0, problem: null })
    afterNames()
    await sendAll()
    expect(chat.posted[0]!.embeds[0]!.description).toContain('beatmap 11')
    expect((await log())[0]).toMatchObject({ state: 'sent', attempts: 1 })
  })

  it('of a withdrawal waits for no names, since it has none', async () => {
    const { release } = await scene()
    await release()
    await release(null)
    await sendAll()
    expect(chat.posted.map(({ embeds }) => embeds[0]!.title)).toEqual(['Quarterfinals withdrawn'])
  })

  it('names beatmaps that everybody may know', async () => {
    const { release, put } = await scene()
    await put(75)
    await release()
    const found = aBeatmap(75, { artist: 'xi', title: 'Blue', difficulty: 'Hard' })
    await stores.beatmapCache.keepBeatmaps([found], [], clock.now())
    await store.query('update beatmap set is_public = 1')
    await sendAll()
    expect(chat.posted[0]!.embeds[0]!.description).toContain(String.raw`xi – Blue \[Hard\]`)
    expect(chat.posted[0]!.embeds[0]!.image!.url).toMatch(
      /^https:\/\/packs\.test\/p\/.{10}\/pool\.png/,
    )
  })

  it('goes on with the part that was not sent, and says the same as before', async () => {
    const { release, put } = await scene()
    await put(...Array.from({ length: 64 }, (_, at) => 1_000_000_000 + at))
    const name = vi.spyOn(stores.beatmapCache, 'readBeatmaps')
    const long = { artist: '*'.repeat(100), title: '*'.repeat(100), difficulty: 'x' }
    name.mockImplementation(async (ids) =>
      Promise.resolve(
        new Map(ids.map((id) => [id, { beatmap: { ...long, id }, isPublic: true } as never])),
      ),
    )
    await release()
    chat.answers.push({ answer: { kind: 'sent', pauseMs: 0 } }, { answer: failed500 })
    await sendAll()
    expect(chat.posted).toHaveLength(1)
    name.mockRestore()
    clock.advance(5_000)
    await sendAll()
    const parts = chat.posted.map(({ embeds }) => embeds[0]!.footer.text.split(' · ').at(-1))
    const count = Number(parts[0]!.split('/')[1])
    expect(count).toBeGreaterThan(2)
    expect(parts).toEqual(Array.from({ length: count }, (_, at) => `${at + 1}/${count}`))
    expect(new Set(chat.ids).size).toBe(1)
  })

  it('of what is no longer public is not sent; the withdrawal is', async () => {
    const one = await scene()
    await one.release()
    await one.release(null)
    afterNames()
    await sendAll()
    expect(chat.posted.map(({ embeds }) => embeds[0]!.title)).toEqual(['Quarterfinals withdrawn'])
    expect((await one.log()).map(({ state, problem }) => [state, problem])).toEqual([
      ['sent', null],
      ['given-up', 'hidden'],
    ])
    const two = await scene()
    await two.release()
    const { rounds } = (await stores.tournaments.read(two.slug))!
    await hidePack({ ...stores, clock }, rounds[0]!.released!.packSlug)
    afterNames()
    await sendAll()
    expect((await two.log())[0]).toMatchObject({ state: 'given-up', problem: 'hidden' })
  })

  it('of a release that was withdrawn is not sent after the round was released again', async () => {
    const { release, put, log } = await scene()
    await release()
    await release(null)
    clock.advance(1)
    await put(99)
    await release()
    afterNames()
    await sendAll()
    expect((await log()).map(({ kind, state, problem }) => [kind, state, problem])).toEqual([
      ['release', 'sent', null],
      ['withdrawal', 'sent', null],
      ['release', 'given-up', 'hidden'],
    ])
    const [withdrawn, released] = chat.posted.map(({ embeds }) => embeds[0]!)
    expect(withdrawn!.title).toBe('Quarterfinals withdrawn')
    expect(released!.description).toContain('beatmap 99')
  })

  it('shows no picture that the chat has kept of an earlier release', async () => {
    const { release, put } = await scene()
    await release()
    afterNames()
    await sendAll()
    await release(null)
    clock.advance(1)
    await put(99)
    await release()
    afterNames()
    await sendAll()
    const pictures = chat.posted.flatMap(({ embeds }) => embeds[0]!.image?.url ?? [])
    expect(pictures).toHaveLength(2)
    expect(pictures[0]).not.toBe(pictures[1])
    expect(new URL(pictures[0]!).pathname).toBe(new URL(pictures[1]!).pathname)
  })

  it('of a map pack or a showcase that a released round gets later has the link that leads there now', async () => {
    const { slug, release, log } = await scene()
    const link = ({ mapPackUrl = '', showcaseUrl = '' }) =>
      stores.tournaments.change(slug, null, 100, clock.now(), (saved) => ({
        ...saved,
        rounds: saved.rounds.map((round) => ({
          ...round,
          mapPackUrl: mapPackUrl || null,
          showcaseUrl: showcaseUrl || null,
        })),
      }))
    const mapPackUrl = 'https://files.test/pack.zip'
    // Of a draft, nobody knows.
    await link({ mapPackUrl: 'https://files.test/draft.zip' })
    expect(await log()).toEqual([])
    await link({})
    await release()
    afterNames()
    await sendAll()
    await link({ mapPackUrl: 'https://files.test/wrong.zip' })
    await link({ mapPackUrl })
    await sendAll()
    const [, found] = chat.posted.map(({ embeds }) => embeds[0]!)
    expect(chat.posted).toHaveLength(2)
    expect(found).toMatchObject({
      title: 'Quarterfinals: map pack',
      description: `[Map pack](${mapPackUrl})`,
    })
    expect(found).not.toHaveProperty('image')
    await link({ mapPackUrl, showcaseUrl: 'https://video.test/x' })
    await sendAll()
    expect(chat.posted.at(-1)!.embeds[0]).toMatchObject({
      title: 'Quarterfinals: showcase',
      description: '[Showcase](https://video.test/x)',
    })
    // That one is taken away is no news, nor what a round has that is withdrawn by then.
    await link({ showcaseUrl: 'https://video.test/x' })
    await link({ mapPackUrl, showcaseUrl: 'https://video.test/y' })
    await release(null)
    await sendAll()
    expect(chat.posted.map(({ embeds }) => embeds[0]!.title)).toEqual([
      'Quarterfinals released',
      'Quarterfinals: map pack',
      'Quarterfinals: showcase',
      'Quarterfinals withdrawn',
    ])
    expect((await log()).map(({ kind, state }) => [kind, state])).toEqual([
      ['withdrawal', 'sent'],
      ['links', 'given-up'],
      ['links', 'sent'],
      ['links', 'sent'],
      ['links', 'given-up'],
      ['release', 'sent'],
    ])
  })

  it('is given up after three days and an hour, and one that the chat cannot take at once', async () => {
    const { release, put, log } = await scene()
    await release()
    clock.advance(3 * DAY + 60 * MINUTE + 1)
    await put(77)
    await release()
    afterNames()
    chat.answers.push({ answer: { kind: 'rejected', status: 400, code: 50_006 } })
    await sendAll()
    expect(chat.posted).toEqual([])
    expect((await log()).map(({ problem }) => problem)).toEqual(['rejected', 'too-old'])
  })

  it.each<[string, ChatAnswer]>([
    ['gone', gone],
    ['rejected', { kind: 'rejected', status: 400, code: 50_006 }],
    ['status', failed500],
  ])('that is not taken has in the log what the chat has answered: %s', async (problem, answer) => {
    const { release, log } = await scene()
    await release()
    afterNames()
    chat.answers.push({ answer })
    await sendAll()
    const { status, code } = answer as Extract<ChatAnswer, { status: unknown }>
    expect(await log()).toMatchObject([{ problem, status, code }])
  })

  it('waits as long as a limit says; what it makes too old is given up', async () => {
    const tooOld = 3 * DAY + 60 * MINUTE
    const anyWait = fc.oneof(
      fc.integer({ min: 1, max: 2 * 60 * MINUTE }),
      fc.integer({ min: 1, max: 20 * DAY }),
    )
    await fc.assert(
      fc.asyncProperty(anyWait, async (retryInMs) => {
        const { release, log } = await scene()
        await release()
        afterNames()
        chat.answers.push({ answer: { kind: 'limited', retryInMs } })
        await sendAll()
        const wait = Math.min(retryInMs, tooOld)
        const [limited] = await log()
        expect(limited).toMatchObject({ problem: 'limited', nextAttemptAt: clock.now() + wait })
        const before = chat.posted.length
        clock.advance(wait - 1)
        expect(await sendAll()).toBe(0)
        clock.advance(1)
        expect(await sendAll()).toBe(1)
        const isSent = MINUTE + wait <= tooOld
        expect(chat.posted.length - before).toBe(isSent ? 1 : 0)
        const [ended] = await log()
        expect(ended).toMatchObject(
          isSent ? { state: 'sent' } : { state: 'given-up', problem: 'too-old' },
        )
      }),
      { numRuns: 20, examples: [[7_200_000], [999_999_999_000]] },
    )
  })

  it('is tried later each time, up to a quarter of an hour', async () => {
    const { release } = await scene()
    await release()
    afterNames()
    const waits: number[] = []
    for (let tries = 0; tries < 10; tries += 1) {
      chat.answers.push({ answer: { kind: 'failed', problem: 'no-answer', reason: 'cut' } })
      const before = clock.now()
      while (chat.answers.length > 0) {
        await sendAll()
        if (chat.answers.length > 0) clock.advance(1_000)
      }
      waits.push((clock.now() - before) / 1_000)
    }
    expect(waits).toEqual([0, 5, 10, 20, 40, 80, 160, 320, 640, 900])
  })
})

describe('a channel that only fails', () => {
  it('is switched off three days after its first failure, whatever is released when', async () => {
    const anyReleases = fc.array(fc.integer({ min: 0, max: 70 }), { maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(anyReleases, async (hours) => {
        const { slug, put, release, log } = await scene()
        const start = clock.now()
        let beatmap = 100
        const off = async () => (await stores.tournaments.read(slug))!.discord!.off
        await release()
        const waiting = hours.toSorted((a, b) => a - b)
        const always = { kind: 'failed', problem: 'no-answer', reason: 'cut' } as const
        while (clock.now() - start < 4 * DAY && (await off()) === null) {
          while (clock.now() - start >= (waiting[0] ?? Infinity) * 60 * MINUTE) {
            waiting.shift()
            await put((beatmap += 1))
            await release()
          }
          chat.answers.splice(0, Infinity, { answer: always }, { answer: always })
          await sendAll()
          clock.advance(20 * MINUTE)
        }
        expect(await off()).toBe('failing')
        expect(clock.now() - start).toBeGreaterThan(3 * DAY)
        expect(clock.now() - start).toBeLessThan(3 * DAY + 90 * MINUTE)
        // What was announced first is known to the hosts as not sent.
        // None of it is tried again, nor what comes after.
        await put((beatmap += 1))
        await release()
        const all = await log()
        expect(all.at(-1)).toMatchObject({ state: 'waiting', problem: 'no-answer' })
        expect(all.filter(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([])
        await changeTournament(stores, slug, () => ({ discord: null }))
      }),
      { numRuns: 4 },
    )
  })
})

describe('the loop', () => {
  const undecided: OperatorState = { notice: null, readOnly: null }
  const start = () => {
    const lines: unknown[] = []
    const note = (details: object, message: string) => void lines.push([details, message])
    const operator = { current: undecided }
    const attempts: string[] = []
    const loop = startAnnouncementLoop(ports(), {
      operator,
      sites,
      log: { warn: note, error: note },
      onAttempt: ({ end }) => void attempts.push(end.kind),
    })
    return { loop, lines, operator, attempts }
  }

  it('sends what is announced, logs failures without the address, and counts attempts', async () => {
    const { release, slug } = await scene()
    await release()
    afterNames()
    chat.answers.push({ answer: gone })
    const { loop, lines, attempts } = start()
    await vi.waitFor(() => expect(attempts).toEqual(['gone']), { timeout: 30_000 })
    await vi.waitFor(() => expect(lines).toHaveLength(2), { timeout: 30_000 })
    await loop.stop()
    const text = JSON.stringify(lines)
    expect(text).toContain(slug)
    expect(text).not.toContain(SECRET_TOKEN)
  })

  it('sends nothing while the operator lets nothing be changed', async () => {
    const { release } = await scene()
    await release()
    afterNames()
    const take = vi.spyOn(stores.announcements, 'take')
    const { loop, operator } = start()
    await vi.waitFor(() => expect(take).toHaveBeenCalled(), { timeout: 30_000 })
    await vi.waitFor(() => expect(chat.posted).toHaveLength(1), { timeout: 30_000 })
    await loop.stop()
    operator.current = { ...undecided, readOnly: { reason: null, since: 0 } }
    take.mockClear()
    const second = startAnnouncementLoop(ports(), {
      operator,
      sites,
      log: { warn: () => {}, error: () => {} },
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(take).not.toHaveBeenCalled()
    await second.stop()
  })
})

/** What ends a process in the middle of sending. */
class Killed extends Error {}

/** A chat that counts what comes sooner than it has said. */
class PausingChat extends ScriptedChat {
  quietUntil = 0
  tooSoon = 0

  override async post(address: ChatAddress, message: ChatMessage): Promise<ChatAnswer> {
    const now = clock.now()
    if (now < this.quietUntil) this.tooSoon += 1
    const answer = await super.post(address, message)
    if (answer.kind === 'sent') this.quietUntil = now + answer.pauseMs
    if (answer.kind === 'limited') this.quietUntil = now + answer.retryInMs
    return answer
  }
}

const answerOf: Readonly<Record<string, { answer: ChatAnswer; taken?: boolean }>> = {
  sent: { answer: { kind: 'sent', pauseMs: 0 } },
  paused: { answer: { kind: 'sent', pauseMs: 2_000 } },
  limited: { answer: { kind: 'limited', retryInMs: 7_000 } },
  failed: { answer: failed500 },
  unsaid: { answer: { kind: 'failed', problem: 'no-answer', reason: 'cut' }, taken: true },
}

const anyStep = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('announce' as const),
      releases: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('send' as const),
      answers: fc.array(fc.constantFrom(...Object.keys(answerOf)), { maxLength: 3 }),
      /** After so many of its steps, each a call to the store or the chat, the process is killed; 0: it is not. */
      killAt: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 6 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.integer({ min: 1, max: 40_000 }),
    }),
  },
)

describe('of any order of releases, answers and kills', () => {
  it('nothing is lost or too soon, each announcement begins after the one before has ended, and copies have its id', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 40 }), async (steps) => {
        const pausing = new PausingChat()
        chat = pausing
        const { put, release, log } = await scene()
        let [beatmap, mayRepeat] = [100, 0]
        for (const step of steps) {
          if (step.kind === 'wait') clock.advance(step.ms)
          for (let made = 0; step.kind === 'announce' && made < step.releases; made += 1) {
            await put((beatmap += 1))
            clock.advance(1)
            await release()
          }
          if (step.kind !== 'send') continue
          chat.answers.push(...step.answers.map((name) => answerOf[name]!))
          mayRepeat += step.answers.filter((name) => name === 'unsaid').length
          let calls = 0
          /** The port of a process that ends before or after one of its calls. */
          const dying = <T extends object>(port: T): T =>
            new Proxy(port, {
              get: (target, name) => {
                const method = Reflect.get(target, name) as (...args: unknown[]) => unknown
                return async (...args: unknown[]) => {
                  calls += 1
                  if (calls === step.killAt) throw new Killed()
                  return method.apply(target, args)
                }
              },
            })
          const [taken] = await stores.announcements.take(clock.now(), LEASE, 1)
          if (taken !== undefined) {
            const dyingPorts = {
              ...ports(),
              chat: dying<ScriptedChat>(chat),
              announcements: dying(stores.announcements),
            }
            const ending = sendLeased(dyingPorts, taken, sites)
            await ending.catch((error: unknown) => {
              if (!(error instanceof Killed)) throw error
              mayRepeat += 1
              // What it was told dies with the process.
              pausing.quietUntil = 0
            })
          }
          chat.answers.length = 0
        }
        for (let rounds = 0; rounds < 200; rounds += 1) {
          clock.advance(15 * MINUTE)
          if ((await sendAll()) === 0) break
        }
        const all = (await log()).toReversed()
        expect(all.filter(({ state }) => state !== 'sent')).toEqual([])
        expect(pausing.tooSoon).toBe(0)
        const wanted = all.map(({ id }) => id)
        // Without copies: in the order of the releases, and all of them.
        expect(chat.ids.filter((id, at) => id !== chat.ids[at - 1])).toEqual(wanted)
        expect(chat.ids.length - wanted.length).toBeLessThanOrEqual(mayRepeat)
        expect(chat.posted.every((message: ChatMessage) => wanted.includes(idIn(message)))).toBe(
          true,
        )
      }),
      { numRuns: 25 },
    )
  })
})
