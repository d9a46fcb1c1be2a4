import { expect, test } from 'vitest'
import {
  callerKind,
  callMayBeginAt,
  type Caller,
  isCallerKind,
  isOfOwnShare,
  type PastCall,
  PlatformError,
  refusedCaller,
  signInCaller,
  spareOfSignIn,
} from '../../src/domain/platform.ts'

const NOW = 1_700_000_000_000

/** How many calls these callers are given in one moment, one after the other, until one is refused. */
const taken = (callers: Iterable<Caller>, recent: readonly PastCall[] = [], spare = 0): number => {
  const calls = [...recent]
  for (const caller of callers) {
    if (callMayBeginAt(calls, { caller, calls: 1, spare, now: NOW }) > NOW) break
    calls.push({ caller, at: NOW })
  }
  return calls.length - recent.length
}

const always = (caller: Caller): Caller[] => Array.from({ length: 60 }, () => caller)
const accounts = Array.from({ length: 60 }, (_, at): Caller => `account ${at}`)
const addresses = Array.from({ length: 60 }, (_, at): Caller => `address 192.0.2.${at}`)
const made = (callers: readonly Caller[]): PastCall[] =>
  callers.map((caller) => ({ caller, at: NOW - 1 }))

test.each([
  ['those who sign in', always('sign-in'), 50],
  ['background work', always('background'), 40],
  ['visitors with accounts', accounts, 22],
  ['visitors who are not signed in', addresses, 16],
  ['one account', always('account ada'), 11],
  ['one address', always('address 192.0.2.1'), 5],
])('%s, while nobody else asks, have of the 50 calls (D-56): %#', (_, callers, most) => {
  expect(taken(callers)).toBe(most)
})

test('an address beside two others has 4: each call of it needs 4 more that are free (D-56)', () => {
  const [one = 'visitor', ...others] = addresses
  expect(taken(always(one), made(others.slice(0, 2)))).toBe(4)
})

test('background work leaves 12 calls to visitors once one has asked, what they take of them included (D-56)', () => {
  const left = Array.from({ length: 23 }, (_, visits) =>
    taken(always('background'), made(accounts.slice(0, visits))),
  )
  const sharing = left.slice(1)
  expect(sharing).toEqual(sharing.map((_, at) => 32 - Math.max(12, at + 1)))
  expect(left[0]).toBe(40)
})

test('visitors find 12 calls however much background work there was, once one has asked (D-56)', () => {
  for (let visits = 1; visits <= 12; visits += 1) {
    const first = made(accounts.slice(0, visits))
    const work = made(always('background').slice(0, taken(always('background'), first)))
    expect(visits + taken(accounts.slice(visits), [...first, ...work])).toBe(12)
  }
})

test('background work has 10 calls, and 4 while people sign in without a pause, whoever else asks (D-56)', () => {
  for (let signIns = 0; signIns <= 46; signIns += 1) {
    for (const visits of [0, 1, 11, 22]) {
      const others = made([...always('sign-in').slice(0, signIns), ...accounts.slice(0, visits)])
      const free = 50 - others.length
      const least = others.length <= 22 ? 10 : Math.min(4, Math.max(0, free))
      expect(taken(always('background'), others)).toBeGreaterThanOrEqual(least)
    }
  }
})

test('of what others leave to sign-ins, strangers have 40 % during an attack, what was refused included, and 20 % once refused (D-91)', () => {
  const strangers = Array.from({ length: 60 }, (_, at) => signInCaller(`198.51.100.${at}`, null))
  const known = Array.from({ length: 60 }, (_, at) => signInCaller('', `player ${at}`))
  for (let others = 0; others <= 32; others += 1) {
    const work = always('background').slice(0, others)
    for (const networks of [5, 6]) {
      const refused = made([...work, ...strangers.slice(0, networks).map(refusedCaller)])
      const left = 50 - others
      const share = (part: number) => (networks < 6 ? left : Math.floor((left * part) / 10))
      const rest = strangers.slice(networks)
      expect(taken(rest, refused)).toBe(share(4) - networks)
      expect(taken(known, refused)).toBe(left - networks)
      const spare = spareOfSignIn(1)
      const most = networks < 6 ? Math.min(left, 50 - spare) : share(2) - spare
      expect(taken(rest, refused, spare)).toBe(Math.max(0, most - networks))
    }
  }
})

test('who is refused comes again when enough of the last minute has passed; who signs in during an attack a minute later (D-91)', () => {
  const begin = (caller: Caller, networks: number) => {
    const refused = Array.from({ length: networks }, (_, at) =>
      refusedCaller(signInCaller(`198.51.100.${at}`, null)),
    )
    const recent = [...refused, ...always('sign-in').slice(networks, 50)].map(
      (each, at): PastCall => ({ caller: each, at: NOW - 30_000 + at }),
    )
    return callMayBeginAt(recent, { caller, calls: 1, spare: 0, now: NOW }) - NOW
  }
  const signIn = signInCaller('192.0.2.1', 'ada')
  expect([begin(signIn, 0), begin(signIn, 5), begin(signIn, 6)]).toEqual([30_000, 30_000, 60_000])
  expect(begin('background', 6)).toBe(30_000)
})

test('a sign-in waits for its own share where a known browser could sign in, and nobody else does (D-91)', () => {
  const failed = signInCaller('192.0.2.1', null)
  const isOwn = (caller: Caller, calls: number): boolean =>
    isOfOwnShare(made(always('sign-in').slice(0, calls)), { caller, calls: 2, spare: 40, now: NOW })
  expect([isOwn(failed, 48), isOwn(failed, 49)]).toEqual([true, false])
  expect([isOwn('background', 0), isOwn('visitor', 0)]).toEqual([false, false])
})

test.each<[Caller, string, boolean]>([
  ['background', 'background', true],
  ['visitor', 'visitor', true],
  ['sign-in', 'sign-in', true],
  ['account ada', 'visitor', false],
  ['address 192.0.2.1', 'visitor', false],
  [signInCaller('192.0.2.1', null), 'sign-in', false],
  [signInCaller('192.0.2.1', 'ada'), 'sign-in', false],
])('%s is a %s, and its kind alone: %s', (caller, kind, isKind) => {
  expect([callerKind(caller), isCallerKind(caller)]).toEqual([kind, isKind])
})

test('a failure of the platform says so, and no more unless it is known', () => {
  expect(new PlatformError('503')).toMatchObject({
    name: 'PlatformError',
    message: '503',
    retryAt: null,
    trouble: 'down',
  })
})
