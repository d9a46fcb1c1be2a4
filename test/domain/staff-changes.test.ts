import { describe, expect, it } from 'vitest'
import { removeMember, setRole, withMember } from '../../src/domain/staff-changes.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { aMember, anyAccount, aSavedRound, aTournament, thrown } from './a-tournament.ts'

const rounds = ['round-0001', 'round-0002'].map((id, at) =>
  aSavedRound({ id, input: { name: `Round ${at}` } }),
)
const limited = (ids: readonly string[] | null) => ({
  ...aMember('tester', 3, 'limited'),
  rounds: ids,
  seenAt: ids && 1_000,
})
const saved = aTournament({
  rounds,
  staff: [aMember('host', 1), aMember('pooler', 2), limited(['round-0002', 'deleted-01'])],
})
const staffOf = ({ staff }: SavedTournament) =>
  staff.map(({ accountId, role, rounds: limit }) => [accountId, role, limit])
const memberIn = ({ staff }: SavedTournament, id: string) =>
  staff.find(({ accountId }) => accountId === id)

describe('a role (D-81)', () => {
  it('puts a new member behind those who had it before', () => {
    const after = setRole(saved, anyAccount(9), 'pooler', null, 2_000)
    expect(staffOf(after)).toEqual([
      ['host', 'host', null],
      ['pooler', 'pooler', null],
      ['account-9', 'pooler', null],
      ['limited', 'tester', ['round-0002', 'deleted-01']],
    ])
    expect(memberIn(after, 'account-9')).toEqual({
      ...anyAccount(9),
      role: 'pooler',
      rounds: null,
      since: 2_000,
      seenAt: null,
    })
  })

  it('keeps since when somebody is on the staff', () => {
    const after = setRole(saved, anyAccount(9), 'pooler', null, 2_000)
    const again = setRole(after, anyAccount(9), 'referee', null, 3_000)
    expect(memberIn(again, 'account-9')).toMatchObject({ role: 'referee', since: 2_000 })
    expect(again.staff).toHaveLength(4)
  })

  it.each([
    ['all rounds', ['round-0002', 'round-0001'], ['round-0001', 'round-0002']],
    ['one twice', ['round-0001', 'round-0001'], ['round-0001']],
    ['none', null, null],
  ])('is limited to %s, in their order', (_which, limit, stored) => {
    const after = setRole(saved, anyAccount(9), 'tester', limit, 2_000)
    expect(memberIn(after, 'account-9')?.rounds).toEqual(stored)
  })

  it.each([
    ['another round', ['round-0001'], ['round-0001', 'deleted-01']],
    ['both', ['round-0002', 'round-0001'], ['round-0001', 'round-0002', 'deleted-01']],
    ['all', null, null],
  ])('of who was limited to a deleted round, too, goes to %s (D-82)', (_which, limit, stored) => {
    const account = { accountId: 'limited', gameId: 3, username: 'Player 3' }
    const after = setRole(saved, account, 'tester', limit, 2_000)
    expect(memberIn(after, 'limited')?.rounds).toEqual(stored)
  })

  it('may be sent back as it shows: limited to none, since its rounds are deleted (D-82)', () => {
    const gone = aTournament({ rounds, staff: [aMember('host', 1), limited(['deleted-01'])] })
    const account = { accountId: 'limited', gameId: 3, username: 'Player 3' }
    expect(setRole(gone, account, 'tester', [], 2_000)).toBe(gone)
    expect(thrown(() => setRole(saved, account, 'tester', [], 2_000))).toMatchObject({
      code: 'bad_request',
    })
  })

  it('that somebody has already changes nothing (D-86)', () => {
    const host = { accountId: 'host', gameId: 1, username: 'Player 1' }
    expect(setRole(saved, host, 'host', null, 2_000)).toBe(saved)
    expect(setRole(saved, { ...host, accountId: 'limited' }, 'tester', ['round-0002'], 2_000)).toBe(
      saved,
    )
  })

  it.each([
    ['a host', 'host', ['round-0001'], 'rounds must be left out'],
    ['nobody', 'tester', [], 'rounds must have 1 to'],
    ['a round that is not there', 'tester', ['round-0001', 'other'], 'rounds[1] must be the id'],
  ] as const)('cannot be limited: %s', (_what, role, limit, message) => {
    const error = thrown(() => setRole(saved, anyAccount(9), role, limit, 2_000))
    expect(error).toMatchObject({ code: 'bad_request', message: expect.stringContaining(message) })
  })

  it('is for at most 100 members; of a full staff they still change', () => {
    const others = Array.from({ length: 99 }, (_, at) => aMember('tester', at + 2, `a-${at}`))
    const staff = [aMember('host', 1), ...others]
    const full = aTournament({ staff })
    const add = (to: SavedTournament) => withMember(to, anyAccount(999), 'tester', null, 2_000)
    expect(thrown(() => add(full))).toMatchObject({ code: 'conflict' })
    expect(add(aTournament({ staff: staff.slice(0, 99) })).staff).toHaveLength(100)
    const changed = withMember(full, { ...anyAccount(2), accountId: 'a-0' }, 'pooler', null, 2_000)
    expect(memberIn(changed, 'a-0')?.role).toBe('pooler')
  })
})

describe('a tournament needs a host', () => {
  it('so that the last one neither leaves nor gets another role', () => {
    const host = saved.staff[0]!
    expect(thrown(() => removeMember(saved, host, 2_000))).toMatchObject({ code: 'conflict' })
    expect(thrown(() => setRole(saved, host, 'pooler', null, 2_000))).toMatchObject({
      code: 'conflict',
    })
    const two = setRole(saved, anyAccount(9), 'host', null, 2_000)
    expect(staffOf(removeMember(two, host, 3_000)).map(([id]) => id)).toEqual([
      'account-9',
      'pooler',
      'limited',
    ])
  })
})
