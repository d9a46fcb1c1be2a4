import { describe, expect, it } from 'vitest'
import { staffRoles } from '../../src/contract/tournaments.ts'
import { roundAccess, tournamentAccess } from '../../src/domain/tournament-access.ts'
import { rightsOf, roles } from '../../src/web/tournament-staff/roles.ts'

const rounds = roundAccess
const all = tournamentAccess

/** The actions of the table that each right of the pages stands for. */
const meanings = {
  arranges: [all.addRound.private, all.arrangeRounds.private],
  drafts: [
    rounds.edit.draft,
    rounds.delete.draft,
    rounds.settle.draft,
    rounds.removeCandidate.draft,
  ],
  discusses: [
    rounds.propose.draft,
    rounds.vote.draft,
    rounds.remark.draft,
    rounds.withdrawCandidate.draft,
    rounds.settleOwn.draft,
    rounds.removeOwnRemark.draft,
  ],
  hosts: [
    all.update.private,
    all.delete.private,
    all.setRole.private,
    all.removeMember.private,
    all.invite.private,
    rounds.release.draft,
    rounds.delete.released,
    rounds.delete.scheduled,
    rounds.removeRemark.draft,
  ],
} as const

describe('what the pages show a role to do', () => {
  it.each(staffRoles)('is what the table lets a %s do (D-61)', (role) => {
    const rights = rightsOf(role, false)
    for (const [right, allowed] of Object.entries(meanings)) {
      const isAllowed = allowed.map((each: readonly string[]) => each.includes(role))
      expect(new Set(isAllowed), right).toEqual(new Set([rights[right as keyof typeof rights]]))
    }
  })

  it.each(staffRoles)(
    'is the same for a %s who is limited, but for what is of all rounds (D-81)',
    (role) => {
      expect(rightsOf(role, true)).toEqual({ ...rightsOf(role, false), arranges: false })
    },
  )

  it('knows all roles, hosts first', () => {
    expect(roles).toEqual(staffRoles)
  })
})
