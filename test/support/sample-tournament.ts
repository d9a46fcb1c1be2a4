import type { StaffRole } from '../../src/contract/tournaments.ts'
import {
  factsOf,
  type SavedRound,
  type SavedTournament,
  type TournamentFacts,
} from '../../src/domain/tournaments.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import { aSavedRound } from '../domain/a-tournament.ts'
import { freshSlug } from '../ports/sample-pack.ts'

type TournamentPorts = Pick<DoorPorts, 'tournaments' | 'accounts'>

/** Saves what becomes of a tournament, as somebody else in another process would. */
export const changeTournament = async (
  { tournaments }: Pick<DoorPorts, 'tournaments'>,
  slug: string,
  change: (saved: SavedTournament) => Partial<SavedTournament>,
): Promise<SavedTournament> => {
  const changed = await tournaments.change(slug, null, 100, 0, (saved) => ({
    ...saved,
    updatedAt: saved.updatedAt + 1,
    ...change(saved),
  }))
  if (changed === null || typeof changed === 'string') throw new Error(String(changed))
  return changed
}

/** Adds an account to the staff, or changes its role; null removes it. */
export const setStaff = async (
  ports: TournamentPorts,
  slug: string,
  accountId: string,
  role: StaffRole | null,
): Promise<void> => {
  const { gameId, username } = (await ports.accounts.read(accountId))!
  await changeTournament(ports, slug, ({ staff }) => {
    const others = staff.filter((member) => member.accountId !== accountId)
    const member = {
      accountId,
      gameId: gameId!,
      username,
      rounds: null,
      since: 3_000,
      seenAt: null,
    }
    return { staff: role === null ? others : [...others, { ...member, role }] }
  })
}

/** Makes a tournament with one round; gives its slug. */
export const makeTournament = async (
  { tournaments }: Pick<DoorPorts, 'tournaments'>,
  hostId: string,
  facts: Partial<TournamentFacts> = {},
  round: SavedRound = aSavedRound(),
): Promise<string> => {
  const slug = freshSlug()
  const made = { ...factsOf({ name: 'Harbour Lights Cup' }), ...facts, slug, createdAt: 1_000 }
  const outcome = await tournaments.create(made, hostId, 100)
  if (outcome !== 'created') throw new Error(outcome)
  await changeTournament({ tournaments }, slug, () => ({ rounds: [round] }))
  return slug
}
