import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { signInCaller, spareOfSignIn, type SignInCaller } from '../../src/domain/platform.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'

// Codes of their own making from many addresses beside people who sign in (D-56, D-91): a model of the calls, by the
// time of the model alone.
const START = 1_700_000_000_000
const MINUTE = 60_000

type Attack = {
  readonly addresses: number
  readonly codesPerMinute: number
  /** All codes of a second come at once. */
  readonly isInBursts: boolean
}

type Crowd = {
  readonly known: number
  /** People whose browsers are new here, in the same minute. */
  readonly strangers: number
  readonly latencyMs: number
}

type Came = 'at once' | 'after the retry' | 'not'

/** One minute of people beside an attack of five minutes; each comes again once, when they are told to. */
const simulate = async (attack: Attack, crowd: Crowd, beginsAt: number) => {
  const budget = new MemoryCallBudget()
  const events: { readonly at: number; readonly run: () => Promise<void> }[] = []
  const failed = new Map<number, number>()
  /** The next one last. */
  const at = (time: number, run: () => Promise<void>) => {
    events.splice(events.findLastIndex((event) => event.at > time) + 1, 0, { at: time, run })
  }

  const forge = async (address: number, now: number) => {
    const spent = failed.get(address) ?? 0
    if (spent >= 20) return
    failed.set(address, spent + 1)
    const caller = signInCaller(`10.0.${address >> 8}.${address & 255}`, null)
    const leave = await budget.take(caller, now, 2, spareOfSignIn(spent))
    if (!leave.granted) {
      failed.set(address, spent)
      return
    }
    const [trade = 0, me = 0] = leave.calls
    at(now + crowd.latencyMs, async () => {
      await budget.answered(trade, now + crowd.latencyMs, true)
      await budget.refund(me)
    })
  }

  const came = new Map<SignInCaller, Came>()
  const come = async (caller: SignInCaller, now: number, isAgain: boolean) => {
    const leave = await budget.take(caller, now, 2)
    came.set(caller, leave.granted ? (isAgain ? 'after the retry' : 'at once') : 'not')
    if (!leave.granted) {
      // As the header says it, in whole seconds.
      const again = now + Math.ceil((leave.retryAt - now) / 1000) * 1000
      if (!isAgain) at(again, () => come(caller, again, true))
      return
    }
    for (const [index, call] of leave.calls.entries()) {
      const answeredAt = now + (index + 1) * crowd.latencyMs
      at(answeredAt, () => budget.answered(call, answeredAt))
    }
  }

  const codes: typeof events = []
  const step = MINUTE / attack.codesPerMinute
  for (let code = 0; code < attack.codesPerMinute * 5; code += 1) {
    const time = START + code * step
    const now = attack.isInBursts ? Math.floor(time / 1000) * 1000 : Math.floor(time)
    codes.push({ at: now, run: () => forge(code % attack.addresses, now) })
  }
  events.push(...codes.toReversed())
  const people = [
    ...Array.from({ length: crowd.known }, (_, index) => signInCaller('', `player ${index}`)),
    ...Array.from({ length: crowd.strangers }, (_, index) =>
      signInCaller(`192.0.2.${index}`, null),
    ),
  ]
  for (const [index, caller] of people.entries()) {
    const now = START + beginsAt + Math.floor((index * MINUTE) / people.length)
    at(now, () => come(caller, now, false))
  }
  for (let next = events.pop(); next !== undefined; next = events.pop()) await next.run()
  const share = (callers: readonly SignInCaller[]) =>
    callers.filter((caller) => came.get(caller) !== 'not').length / Math.max(1, callers.length)
  return {
    known: share(people.slice(0, crowd.known)),
    strangers: share(people.slice(crowd.known)),
    busiestMinute: budget.busiestMinute(),
  }
}

const attacks = fc.record({
  addresses: fc.integer({ min: 50, max: 1_000 }),
  codesPerMinute: fc.integer({ min: 500, max: 1_000 }),
  isInBursts: fc.boolean(),
})

describe('1,000 codes a minute from 50 to 1,000 addresses (D-56, D-91)', () => {
  test('9 of 10 who signed in here before come in after at most one retry, whenever it begins', async () => {
    await fc.assert(
      fc.asyncProperty(
        attacks,
        fc.integer({ min: 10, max: 25 }),
        fc.integer({ min: 50, max: 1_000 }),
        fc.integer({ min: 0, max: 90_000 }),
        async (attack, known, latencyMs, beginsAt) => {
          const crowd = { known, strangers: 0, latencyMs }
          const result = await simulate(attack, crowd, beginsAt)
          expect(result.known).toBeGreaterThanOrEqual(0.9)
          expect(result.busiestMinute).toBeLessThanOrEqual(50)
        },
      ),
      { numRuns: 12, endOnFailure: true },
    )
  })

  test('those who are new here come before addresses whose codes were refused', async () => {
    const attack = { addresses: 50, codesPerMinute: 1_000, isInBursts: false }
    const crowd = { known: 10, strangers: 7, latencyMs: 300 }
    const { known, strangers } = await simulate(attack, crowd, 3 * MINUTE)
    expect(known).toBeGreaterThanOrEqual(0.9)
    expect(strangers).toBeGreaterThanOrEqual(0.9)
  })
})

test('without an attack, nobody has to have signed in before', async () => {
  const attack = { addresses: 5, codesPerMinute: 5, isInBursts: false }
  const { strangers } = await simulate(attack, { known: 0, strangers: 18, latencyMs: 300 }, MINUTE)
  expect(strangers).toBe(1)
})
