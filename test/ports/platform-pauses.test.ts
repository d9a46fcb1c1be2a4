import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { createPlatform } from '../../src/adapters/platform/platform.ts'
import { PlatformError } from '../../src/domain/platform.ts'
import type { CallBudget } from '../../src/ports/platform.ts'
import { HandClock } from '../support/hand-clock.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'
import { aToken } from './odd-platform.ts'
import { keepsConnections } from '../support/http.ts'

// A platform that is away, throttles and is back in any order, before three processes that are restarted (D-92).

const MINUTE_MS = 60_000
const TICK_MS = 5_000

/** How the platform is, and for how many ticks. */
type Phase = {
  readonly mood: 'well' | 'away' | 'throttles' | 'refuses'
  readonly ticks: number
  readonly retryAfter: string | undefined
}

const phase = fc.record<Phase>({
  mood: fc.constantFrom('well', 'away', 'throttles', 'refuses'),
  ticks: fc.integer({ min: 1, max: 25 }),
  retryAfter: fc.constantFrom(undefined, '1', '3600', '99999999', 'soon'),
})

const tick = fc.record({
  /** Whose token is lost with the process, if any. */
  restarts: fc.option(fc.integer({ min: 0, max: 2 }), { freq: 8 }),
  /** Somebody signs in, with a good code or a forged one. */
  signIn: fc.option(fc.constantFrom('good', 'forged'), { freq: 2 }),
  asksFirst: fc.integer({ min: 0, max: 2 }),
})

type Arrival = {
  readonly at: number
  readonly mood: Phase['mood']
  readonly isSignIn: boolean
  readonly isPlayer: boolean
  readonly isAnswered: boolean
}

/** The platform in one of its moods, and what arrived there. */
const openMoodyPlatform = async (clock: HandClock) => {
  const arrivals: Arrival[] = []
  const state: { phase: Phase } = {
    phase: { mood: 'well', ticks: 0, retryAfter: undefined },
  }
  const server = createServer(keepsConnections, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const isPlayer = request.url === '/api/v2/me'
      const isSignIn = isPlayer || body.includes('authorization_code')
      const { mood, retryAfter } = state.phase
      const isOfToken = request.url === '/oauth/token'
      // Tokens and players have limits of their own.
      const isAnswered = mood === 'well' || (mood !== 'away' && (isOfToken || isSignIn))
      arrivals.push({ at: clock.now(), mood, isSignIn, isPlayer, isAnswered })
      response.setHeader('content-type', 'application/json')
      response.setHeader('x-ratelimit-limit', '1200')
      if (!isAnswered) {
        if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
        response.statusCode = { away: 503, throttles: 429, refuses: 403 }[mood]
        response.end('{"error":"Too Many Attempts."}')
      } else if (isOfToken && body.includes('forged')) {
        response.statusCode = 400
        response.end('{"error":"invalid_request"}')
      } else if (isOfToken) response.end(JSON.stringify(aToken))
      else if (isSignIn) {
        response.end(
          '{"id":1,"username":"Ada","is_restricted":false,"is_deleted":false,"is_bot":false}',
        )
      } else response.end('{"beatmaps":[]}')
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { arrivals, state, url, close }
}

type Story = {
  readonly phases: readonly Phase[]
  readonly ticks: readonly {
    readonly restarts: number | null
    readonly signIn: 'good' | 'forged' | null
    readonly asksFirst: number
  }[]
}

const live = async (budget: CallBudget, { phases, ticks }: Story) => {
  const clock = new HandClock()
  const moody = await openMoodyPlatform(clock)
  const open = () =>
    createPlatform({
      url: moody.url,
      clientId: '42',
      clientSecret: 'shh',
      budget,
      clock,
      timeoutMs: 30_000,
    })
  const processes = [open(), open(), open()]
  let time = 0
  let forgedAt = -Infinity
  try {
    for (const current of phases) {
      moody.state.phase = current
      const begunAt = clock.now()
      let answeredAt: number | null = null
      for (let at = 0; at < current.ticks; at += 1) {
        const { restarts, signIn: drawn, asksFirst } = ticks[time++ % ticks.length]!
        // More of them would be an attack, against which sign-ins wait.
        const isAttack = drawn === 'forged' && clock.now() - forgedAt < MINUTE_MS
        const signIn = isAttack ? 'good' : drawn
        if (signIn === 'forged') forgedAt = clock.now()
        if (restarts !== null) processes[restarts] = open()
        if (signIn !== null) {
          const before = moody.arrivals.length
          const outcome = await processes[asksFirst]!.readPlayer(
            signIn,
            'https://maps.test/',
            `sign-in 198.51.100.${time % 250}`,
          ).catch((error: unknown) => error)
          // It tries at once, whatever pauses.
          expect(moody.arrivals.length).toBeGreaterThan(before)
          if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PlatformError)
          if (current.mood !== 'away') {
            expect(outcome).toEqual(signIn === 'forged' ? null : expect.objectContaining({}))
          }
        }
        // Work always waits, in each process.
        for (let turn = 0; turn < 3; turn += 1) {
          const platform = processes[(asksFirst + turn) % 3]!
          const caller = turn === 2 ? 'account ada' : 'background'
          const outcome = await platform.readBeatmaps([1], caller).catch((error: unknown) => error)
          if (!(outcome instanceof Error)) answeredAt ??= clock.now()
          else expect(outcome).toBeInstanceOf(PlatformError)
        }
        clock.advance(TICK_MS)
      }
      const lastedMs = current.ticks * TICK_MS
      if (current.mood === 'well' && lastedMs > MINUTE_MS + TICK_MS) {
        expect(answeredAt! - begunAt).toBeLessThanOrEqual(MINUTE_MS)
      }
    }
    return moody.arrivals
  } finally {
    moody.close()
  }
}

const story = fc.record<Story>({
  phases: fc.array(phase, { minLength: 2, maxLength: 8 }),
  ticks: fc.array(tick, { minLength: 5, maxLength: 30 }),
})

test('whatever it says: asked again within a minute once it is back, and once a minute until then', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (told) => {
      const budget = new MemoryCallBudget()
      const arrivals = await live(budget, told)

      let refusedAt = -Infinity
      let refusedBy: Phase['mood'] = 'well'
      for (const { at, mood, isSignIn, isPlayer, isAnswered } of arrivals) {
        // Whoever signs in shows that a platform is back that was away, and nothing of other refusals.
        if (isPlayer && isAnswered && refusedBy === 'away') refusedAt = -Infinity
        if (!isAnswered) refusedBy = mood
        if (isAnswered || isSignIn) continue
        expect(at - refusedAt).toBeGreaterThanOrEqual(MINUTE_MS)
        refusedAt = at
      }
      for (const { at } of arrivals) {
        const minute = arrivals.filter((other) => other.at > at - MINUTE_MS && other.at <= at)
        expect(minute.length).toBeLessThanOrEqual(50)
      }
    }),
    { numRuns: 25 },
  )
})

test('a process that is started in a pause, or that dies with its probe, begins no other', async () => {
  const clock = new HandClock()
  const budget = new MemoryCallBudget()
  const moody = await openMoodyPlatform(clock)
  onTestFinished(moody.close)
  moody.state.phase = { mood: 'away', ticks: 0, retryAfter: '3600' }
  const start = () =>
    createPlatform({ url: moody.url, clientId: '42', clientSecret: 'shh', budget, clock })
  const ask = () =>
    start()
      .readBeatmaps([1], 'background')
      .catch(() => 'nothing')
  await ask()
  for (let minute = 0; minute < 3; minute += 1) {
    clock.advance(MINUTE_MS)
    const before = moody.arrivals.length
    for (let each = 0; each < 5; each += 1) await ask()
    expect(moody.arrivals.length - before).toBe(1)
  }
  // Its probe was let through, and never made.
  clock.advance(MINUTE_MS)
  await budget.take('background', clock.now())
  moody.state.phase = { mood: 'well', ticks: 0, retryAfter: undefined }
  expect(await ask()).toBe('nothing')
  clock.advance(MINUTE_MS)
  expect(await ask()).toEqual([])
})
