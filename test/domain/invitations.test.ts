import { describe, expect, it } from 'vitest'
import type { StaffRole } from '../../src/contract/tournaments.ts'
import {
  invitationEnd,
  joinStaff,
  presentInvitation,
  presentOffer,
  type SavedInvitation,
} from '../../src/domain/invitations.ts'
import { aMember, anyAccount, aSavedRound, aTournament, thrown } from './a-tournament.ts'

const rounds = ['r1', 'r2'].map((id) => aSavedRound({ id, input: { name: `Round ${id}` } }))
const who = anyAccount(9)

const anInvitation = (changes: Partial<SavedInvitation> = {}): SavedInvitation => ({
  id: 'invitation',
  slug: 'tournament',
  role: 'tester',
  rounds: null,
  createdBy: 'host',
  createdAt: 0,
  expiresAt: invitationEnd(0),
  ...changes,
})

type Place = readonly [role: StaffRole, rounds?: readonly string[]]

/** The tournament, with whoever opens the link in a place on the staff, if they have one. */
const withPlace = (place: Place | null) => {
  const [role, limit = null] = place ?? []
  const own = role && { ...aMember(role, who.gameId, who.accountId), rounds: limit }
  return aTournament({ rounds, staff: [aMember('host', 1), ...(own ? [own] : [])] })
}

describe('an invitation', () => {
  it('is valid for seven days, and shown with its rounds where it is limited (D-81)', () => {
    const times = {
      createdAt: '1970-01-01T00:00:00.000Z',
      expiresAt: '1970-01-08T00:00:00.000Z',
    }
    const shown = { id: 'invitation', role: 'tester', ...times }
    expect(presentInvitation(anInvitation())).toEqual(shown)
    expect(presentInvitation(anInvitation({ rounds: ['r1', 'gone'] }))).toEqual({
      ...shown,
      rounds: ['r1', 'gone'],
    })
  })

  it('tells of the tournament its name, and the rounds of the limit that there are (D-81)', () => {
    const tournament = { slug: 'tournament', name: 'Harbour Lights Cup' }
    expect(presentOffer(withPlace(null), anInvitation(), who.accountId)).toEqual({
      tournament,
      role: 'tester',
    })
    const limited = anInvitation({ rounds: ['gone', 'r2'] })
    expect(presentOffer(withPlace(null), limited, who.accountId)).toEqual({
      tournament,
      role: 'tester',
      rounds: [{ id: 'r2', name: 'Round r2' }],
    })
  })

  it('is none when who made it is no host any more', () => {
    const by = (createdBy: string) =>
      thrown(() => joinStaff(withPlace(['pooler']), anInvitation({ createdBy }), who, 5))
    expect(by('host')).toBeUndefined()
    for (const other of [who.accountId, 'nobody']) {
      expect(by(other)).toMatchObject({ code: 'not_found' })
    }
  })

  // `after` null: nothing that they have not.
  it.each<{ own: Place | null; offered: Place; after: Place | null }>([
    { own: null, offered: ['tester'], after: ['tester'] },
    { own: null, offered: ['tester', ['r1']], after: ['tester', ['r1']] },
    { own: null, offered: ['tester', ['gone', 'r2']], after: ['tester', ['r2', 'gone']] },
    { own: ['tester'], offered: ['tester'], after: null },
    { own: ['tester'], offered: ['tester', ['r1']], after: null },
    { own: ['tester', ['r1']], offered: ['tester', ['r1']], after: null },
    { own: ['tester', ['r2']], offered: ['tester', ['r1', 'r2']], after: ['tester', ['r1', 'r2']] },
    { own: ['tester', ['r1']], offered: ['tester'], after: ['tester'] },
    { own: ['referee'], offered: ['tester', ['r1']], after: ['tester', ['r1']] },
    { own: ['referee', ['r2']], offered: ['pooler', ['r1']], after: ['pooler', ['r1']] },
    { own: ['pooler', ['r1']], offered: ['tester'], after: null },
    { own: ['host'], offered: ['pooler'], after: null },
    { own: ['pooler'], offered: ['host'], after: ['host'] },
  ])('$offered makes of $own: $after', ({ own, offered: [role, limit = null], after }) => {
    const invitation = anInvitation({ role, rounds: limit })
    const joined = joinStaff(withPlace(own), invitation, who, 5)
    const member = joined?.staff.find(({ accountId }) => accountId === who.accountId)
    const [newRole, newLimit = null] = after ?? []
    expect(member && { role: member.role, rounds: member.rounds }).toEqual(
      after ? { role: newRole, rounds: newLimit } : undefined,
    )
    const offer = presentOffer(withPlace(own), invitation, who.accountId)
    expect([offer.currentRole, offer.isMore]).toEqual([
      own?.[0],
      own !== null && after !== null ? true : undefined,
    ])
  })
})
