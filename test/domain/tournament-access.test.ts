import { describe, expect, test } from 'vitest'
import { AppError, refusals } from '../../src/contract/errors.ts'
import type { StaffRole } from '../../src/contract/tournaments.ts'
import {
  assertMay,
  assertMayInRound,
  mayDo,
  mayDoInRound,
  type RoundAction,
  roundAccess,
  type TournamentAction,
  tournamentAccess,
} from '../../src/domain/tournament-access.ts'
import type { SavedRound, SavedTournament } from '../../src/domain/tournaments.ts'
import { aMember, aRelease, aSavedRound, aTournament, thrown } from './a-tournament.ts'

// D-61, written out: h host, p pooler, t tester, r referee, s everybody else (moderators, too).

const standings = { h: 'host', p: 'pooler', t: 'tester', r: 'referee', s: 'stranger' } as const

const ofTournaments: Record<TournamentAction, Record<'private' | 'public' | 'hidden', string>> = {
  read: { private: 'hptr', public: 'hptrs', hidden: 'hptr' },
  readDrafts: { private: 'hptr', public: 'hptr', hidden: 'hptr' },
  readStaff: { private: 'hptr', public: 'hptr', hidden: 'hptr' },
  update: { private: 'h', public: 'h', hidden: 'h' },
  delete: { private: 'h', public: 'h', hidden: 'h' },
  addRound: { private: 'hp', public: 'hp', hidden: 'hp' },
  arrangeRounds: { private: 'hp', public: 'hp', hidden: 'hp' },
  setRole: { private: 'h', public: 'h', hidden: 'h' },
  removeMember: { private: 'h', public: 'h', hidden: 'h' },
  leave: { private: 'hptr', public: 'hptr', hidden: 'hptr' },
  invite: { private: 'h', public: 'h', hidden: 'h' },
}

/** `rescheduled`: it has a pack, and its next release is to come. */
type State = 'draft' | 'scheduled' | 'released' | 'rescheduled'
const always = (who: string) => ({ draft: who, scheduled: who, released: who, rescheduled: who })

/** In a public tournament; in others the same without strangers. */
const ofRounds: Record<RoundAction, Record<State, string>> = {
  read: { draft: 'hptr', scheduled: 'hptr', released: 'hptrs', rescheduled: 'hptrs' },
  readDraft: always('hptr'),
  edit: always('hp'),
  delete: { draft: 'hp', scheduled: 'h', released: 'h', rescheduled: 'h' },
  release: always('h'),
  setLinks: always('h'),
  propose: always('hpt'),
  vote: always('hpt'),
  removeCandidate: always('hp'),
  withdrawCandidate: always('hpt'),
  remark: always('hpt'),
  reword: always('hpt'),
  settle: always('hp'),
  settleOwn: always('hpt'),
  removeRemark: always('h'),
  removeOwnRemark: always('hpt'),
}

const staff = [
  aMember('host', 1),
  aMember('pooler', 2),
  aMember('tester', 3),
  aMember('referee', 4),
]
const tournaments: Record<'private' | 'public' | 'hidden', SavedTournament> = {
  private: aTournament({ visibility: 'private', staff }),
  public: aTournament({ staff }),
  hidden: aTournament({ hiddenAt: 5, staff }),
}
const rounds: Record<State, SavedRound> = {
  draft: aSavedRound(),
  scheduled: aSavedRound({ releaseAt: 9000 }),
  released: aSavedRound({ released: aRelease() }),
  rescheduled: aSavedRound({ releaseAt: 9000, released: aRelease() }),
}

/** The refusal in full: the 404 of strangers is the same for everything (D-60). */
function refused(standing: StaffRole | 'stranger') {
  const [cause, message] = refusals[standing === 'stranger' ? 'tournamentNotFound' : 'roleForbids']
  return new AppError(cause, message)
}

test('every action is in the table, and no other', () => {
  expect(Object.keys(tournamentAccess)).toEqual(Object.keys(ofTournaments))
  expect(Object.keys(roundAccess)).toEqual(Object.keys(ofRounds))
})

const entries = <K extends string, V>(record: Record<K, V>) => Object.entries(record) as [K, V][]

describe.each(entries(ofTournaments))('D-61: %s a tournament', (action, states) => {
  for (const [state, allowed] of entries(states)) {
    for (const [letter, standing] of entries(standings)) {
      const may = allowed.includes(letter)
      test(`${standing}, ${state}: ${may ? 'yes' : 'no'}`, () => {
        const tournament = tournaments[state]
        expect(mayDo(tournament, standing, action)).toBe(may)
        const error = thrown(() => assertMay(tournament, standing, action))
        expect(error).toEqual(may ? undefined : refused(standing))
      })
    }
  }
})

describe.each(entries(ofRounds))('D-61: %s in a round', (action, states) => {
  for (const [state, allowed] of entries(states)) {
    for (const [letter, standing] of entries(standings)) {
      for (const [around, tournament] of entries(tournaments)) {
        const may = allowed.includes(letter) && (letter !== 's' || around === 'public')
        test(`${standing}, ${state}, ${around}: ${may ? 'yes' : 'no'}`, () => {
          const round = rounds[state]
          expect(mayDoInRound(tournament, round, standing, action)).toBe(may)
          const error = thrown(() => assertMayInRound(tournament, round, standing, action))
          expect(error).toEqual(may ? undefined : refused(standing))
        })
      }
    }
  }
})

describe.each(entries(ofRounds))('D-81: %s, limited to rounds', (action, states) => {
  for (const [state] of entries(states)) {
    for (const [around, tournament] of entries(tournaments)) {
      for (const standing of ['pooler', 'tester', 'referee'] as const) {
        test(`${standing}, ${state}, ${around}: in them as any ${standing}, in others a stranger`, () => {
          const round = rounds[state]
          const limitedTo = (...ids: string[]) => ({
            ...tournament,
            staff: staff.map((member) =>
              member.role === standing ? { ...member, rounds: ids } : member,
            ),
          })
          const inside = limitedTo('another-01', round.id)
          expect(mayDoInRound(inside, round, standing, action)).toBe(
            mayDoInRound(tournament, round, standing, action),
          )
          const outside = limitedTo('another-01')
          const asStranger = mayDoInRound(tournament, round, 'stranger', action)
          expect(mayDoInRound(outside, round, standing, action)).toBe(asStranger)
          const error = thrown(() => assertMayInRound(outside, round, standing, action))
          expect(error).toEqual(asStranger ? undefined : refused('stranger'))
        })
      }
    }
  }
})

test('D-81: who is limited to rounds does with the tournament what the role may, but for what is of all rounds', () => {
  const limited = aTournament({ staff: staff.map((member) => ({ ...member, rounds: ['a'] })) })
  for (const action of Object.keys(tournamentAccess) as (keyof typeof tournamentAccess)[]) {
    for (const standing of ['pooler', 'tester', 'referee'] as const) {
      const isOfAll = action === 'addRound' || action === 'arrangeRounds'
      const may = !isOfAll && mayDo(tournaments.public, standing, action)
      expect(mayDo(limited, standing, action), `${standing} ${action}`).toBe(may)
    }
  }
})

test('somebody of another tournament is a stranger', () => {
  expect(mayDo(tournaments.private, 'somebody', 'read')).toBe(false)
  expect(mayDo(tournaments.private, '', 'read')).toBe(false)
})
