import type { RoundInput } from '../../src/contract/rounds.ts'
import type { TournamentInput } from '../../src/contract/tournaments.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { createRound } from '../../src/operations/rounds.ts'
import { createTournament } from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'

type WantedRound = Partial<RoundInput> & {
  /** When it is released; left out: never. */
  readonly at?: string
}

/** A tournament of this host, public unless the facts say otherwise, with these rounds. */
export const openTournament = async (
  ports: DoorPorts,
  hostId: string,
  facts: Partial<TournamentInput>,
  rounds: readonly WantedRound[],
) => {
  const input = { name: 'Harbour Lights Cup', visibility: 'public', ...facts } as const
  const { slug } = await createTournament(ports, hostId, input)
  const made = []
  for (const { at, ...round } of rounds) {
    const { id } = (await createRound(ports, hostId, slug, aRound(round))).round
    if (at !== undefined) await releaseRound(ports, hostId, slug, id, { at })
    const { rounds: saved } = (await ports.tournaments.read(slug))!
    made.push({ id, packSlug: saved.find((each) => each.id === id)?.released?.packSlug ?? '' })
  }
  return { slug, rounds: made }
}
