import { describe, expect, it } from 'vitest'
import type { Caller } from '../../src/domain/platform.ts'
import {
  afterFailure,
  afterProbe,
  afterResume,
  afterSuccess,
  type Failure,
  type Pause,
  pauseAt,
  type PlatformState,
  probeAt,
  reportAt,
  stopOf,
  tokenAt,
  unknownState,
} from '../../src/domain/platform-state.ts'

const MINUTE = 60_000
const now = 10 * MINUTE
const failure: Failure = { call: 'GET /beatmaps', trouble: 'down', reason: 'no answer' }
const pause: Pause = {
  since: now,
  trouble: 'down',
  reason: 'no answer',
  askedUntil: null,
  probedAt: now,
}
const paused: PlatformState = { ...unknownState, pause }
const stopped: PlatformState = { ...unknownState, tokensStoppedAt: now }

describe('what keeps a caller waiting (D-92)', () => {
  it.each<[string, PlatformState, Caller, boolean, number, number | null]>([
    ['nothing', unknownState, 'visitor', true, now, null],
    ['a pause', paused, 'visitor', false, now, now + MINUTE],
    ['a pause', paused, 'background', false, now + MINUTE - 1, now + MINUTE],
    ['a pause until its probe', paused, 'visitor', false, now + MINUTE, null],
    ['no pause, at sign-in', paused, 'sign-in', false, now, null],
    [
      'a probe before',
      afterProbe(paused, pause, now + MINUTE),
      'visitor',
      false,
      now + MINUTE,
      now + 2 * MINUTE,
    ],
    ['tokens that were refused', stopped, 'visitor', true, now, now + MINUTE],
    ['tokens, for a minute', stopped, 'visitor', true, now + MINUTE, null],
    ['tokens, who needs none', stopped, 'visitor', false, now, null],
    ['tokens, not at sign-in', stopped, 'sign-in', true, now, null],
    // The clock was set back since (D-53).
    ['a pause that is to come', paused, 'visitor', false, now - 1, null],
    ['tokens that are to be refused', stopped, 'visitor', true, now - 1, null],
  ])('is %s: %#', (_what, state, caller, isForToken, at, until) => {
    const stop = stopOf(state, caller, isForToken, at)
    expect(stop?.until ?? null).toBe(until)
    if (state.pause !== null && until !== null) {
      expect(stop!.by).toEqual({ trouble: 'down', reason: 'no answer' })
    } else if (until !== null) expect(stop!.by.trouble).toBe('throttled')
  })

  it('a probe that was noted by a clock ahead counts as none (D-53)', () => {
    const ahead = { ...pause, since: now - 5, probedAt: now + 1 }
    expect(probeAt(ahead, now)).toBe(now - 5 + MINUTE)
    expect(probeAt({ ...ahead, probedAt: now }, now)).toBe(now + MINUTE)
    expect(tokenAt(stopped, now)).toBe(now + MINUTE)
    expect(tokenAt(unknownState, now)).toBe(now)
  })
})

describe('a call that has failed', () => {
  it('is remembered, and pauses nothing by itself', () => {
    expect(afterFailure(unknownState, failure, null, now)).toEqual({
      ...unknownState,
      lastFailure: { ...failure, at: now },
    })
  })

  it('begins a pause; one that goes on keeps its beginning and its probe', () => {
    const stops = { calls: 'all', askedUntil: now + 5 } as const
    const begun = afterFailure(unknownState, failure, stops, now)
    expect(begun.pause).toEqual({ ...pause, askedUntil: now + 5 })
    const probed = afterProbe(begun, begun.pause!, now + MINUTE)
    const blocked = { ...failure, trouble: 'blocked', reason: 'by a proxy' } as const
    expect(
      afterFailure(probed, blocked, { ...stops, askedUntil: null }, now + MINUTE + 1).pause,
    ).toEqual({
      since: now,
      trouble: 'blocked',
      reason: 'by a proxy',
      askedUntil: null,
      probedAt: now + MINUTE,
    })
    // One that a clock ahead has begun is begun anew.
    expect(afterFailure(paused, failure, stops, now - 1).pause).toMatchObject({
      since: now - 1,
      probedAt: now - 1,
    })
  })

  it('that was for a token stops tokens for a minute from the first', () => {
    const stops = { calls: 'tokens', askedUntil: null } as const
    const first = afterFailure(unknownState, failure, stops, now)
    expect(first).toMatchObject({ tokensStoppedAt: now, pause: null })
    expect(afterFailure(first, failure, stops, now + MINUTE - 1).tokensStoppedAt).toBe(now)
    expect(afterFailure(first, failure, stops, now + MINUTE).tokensStoppedAt).toBe(now + MINUTE)
  })
})

describe('a call that was answered', () => {
  const over = { ...unknownState, lastSuccessAt: now }
  const still = { ...paused, lastSuccessAt: now }
  const throttled = { ...paused, pause: { ...pause, trouble: 'throttled' as const } }
  it.each<[string, PlatformState, Caller, number | null, PlatformState]>([
    ['ends the pause in which it began', paused, 'visitor', now, over],
    ['ends no later one', paused, 'visitor', null, still],
    ['ends no other one', paused, 'background', now - 1, still],
    ['of sign-in ends one of a platform that was away', paused, 'sign-in', now, over],
    ['of sign-in ends no other', throttled, 'sign-in', now, { ...throttled, lastSuccessAt: now }],
    ['of others ends any', throttled, 'background', now, over],
    ['is noted where there is no pause', unknownState, 'sign-in', null, over],
  ])('%s', (_what, state, caller, begunIn, after) => {
    expect(afterSuccess(state, caller, begunIn, now)).toEqual(after)
  })

  it('an operator ends what the answers have stopped', () => {
    expect(afterResume({ ...stopped, pause }, now)).toEqual({ ...unknownState, resumedAt: now })
  })
})

describe('what operators may know of the calls', () => {
  const calls = (count: number, caller: Caller) =>
    Array.from({ length: count }, () => ({ at: now, caller }))

  it('is how many were made for whom, and how many are left of 50', () => {
    const recent = [
      ...calls(3, 'background'),
      ...calls(2, 'account ada'),
      ...calls(1, 'address 192.0.2.1'),
      ...calls(4, 'sign-in 192.0.2.1'),
    ]
    expect(reportAt(unknownState, recent, now)).toEqual({
      ...unknownState,
      now,
      taken: { background: 3, visitor: 3, 'sign-in': 4 },
      left: 40,
    })
    expect(reportAt(unknownState, calls(51, 'sign-in'), now).left).toBe(0)
  })

  it('is the pause and the tokens that are stopped now', () => {
    const both = { ...stopped, pause }
    expect(reportAt(both, [], now)).toMatchObject({ pause, tokensStoppedAt: now })
    expect(reportAt(both, [], now + MINUTE)).toMatchObject({ pause, tokensStoppedAt: null })
    expect(reportAt(both, [], now - 1)).toMatchObject({ pause: null, tokensStoppedAt: null })
    expect(pauseAt(both, now)).toBe(pause)
  })
})
