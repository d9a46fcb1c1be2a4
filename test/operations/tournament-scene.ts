import { onTestFinished } from 'vitest'
import type { StaffRole } from '../../src/contract/tournaments.ts'
import { addRound, hide } from '../../src/domain/tournament-changes.ts'
import { setRole } from '../../src/domain/staff-changes.ts'
import { schedule } from '../../src/domain/releases.ts'
import { roundContentOf } from '../../src/domain/rounds.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { createTournament } from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openHouse } from '../support/house.ts'

export const people = ['host', 'pooler', 'tester', 'referee', 'stranger'] as const
export type Person = (typeof people)[number]

type Wanted = {
  readonly state?: 'private' | 'public' | 'hidden'
  readonly round?: 'draft' | 'scheduled' | 'released'
}

const LIMIT = 1000

/** A house with a player of each role and a stranger, whose accounts have these names. */
export const openScene = async () => {
  const house = await openHouse()
  onTestFinished(house.close)
  const { ports, clock } = house
  const gameIds = Object.fromEntries(people.map((person, at) => [person, 100 + at])) as Record<
    Person,
    number
  >
  for (const person of people) {
    const player = { gameId: gameIds[person], username: `A ${person}` }
    await ports.accounts.ensurePlayer(player, person, clock.now())
  }

  const change = async (slug: string, next: (saved: SavedTournament) => SavedTournament) => {
    const made = await ports.tournaments.change(slug, 'host', LIMIT, 0, next)
    if (made === null || typeof made === 'string') throw new Error(`${made}`)
    return made
  }

  /** A tournament with a member of each role and one round, Quarterfinals with NM1 and TB. */
  const make = async ({ state = 'private', round = 'draft' }: Wanted = {}) => {
    const visibility = state === 'private' ? 'private' : 'public'
    const { slug } = await createTournament(ports, 'host', {
      name: 'Harbour Lights Cup',
      visibility,
    })
    const roundId = `round${String(clock.now() % 100_000).padStart(5, '0')}`
    const now = clock.now()
    await change(slug, (saved) => {
      let next = addRound(saved, roundContentOf(aRound()), roundId, now)
      for (const role of ['pooler', 'tester', 'referee'] satisfies StaffRole[]) {
        const account = { accountId: role, gameId: gameIds[role], username: `A ${role}` }
        next = setRole(next, account, role, null, now)
      }
      if (round === 'scheduled') next = schedule(next, next.rounds[0]!, now + 60_000, false, now)
      return next
    })
    if (round === 'released') await releaseRound(ports, 'host', slug, roundId, { at: 'now' })
    if (state === 'hidden') await change(slug, (saved) => hide(saved, 'spam', now))
    return { slug, roundId }
  }

  const read = (slug: string) => ports.tournaments.read(slug)
  return { ...house, gameIds, make, read, change }
}

export type Scene = Awaited<ReturnType<typeof openScene>>
