import { type Signal, signal } from '@preact/signals'
import type { Round } from '../../contract/rounds.ts'
import type { Tournament } from '../../contract/tournaments.ts'
import { orLook } from '../lost-answers.ts'
import { poolsCall, poolsCallTagged } from '../pools-api.ts'
import { CallFailure } from '../site-failure.ts'
import { newerOf, type RoundEntry, sentRound } from './rounds.ts'

const MOST_TRIES = 3

/** A tournament with its rounds in order, as they are saved. */
export class RoundList {
  readonly #tournament: Signal<Tournament>

  constructor(tournament: Tournament) {
    this.#tournament = signal(tournament)
  }

  get tournament(): Tournament {
    return this.#tournament.value
  }

  put(tournament: Tournament): void {
    this.#tournament.value = tournament
  }

  /** Newer states of rounds that are there. */
  putNewer(changed: readonly Round[]): void {
    if (changed.length === 0) return
    this.#putRounds(
      this.tournament.rounds.map((round) =>
        newerOf(round, changed.find(({ id }) => id === round.id) ?? round),
      ),
    )
  }

  /** A round that was made is the last one. */
  putLast(round: Round): void {
    this.#putRounds([...this.tournament.rounds.filter(({ id }) => id !== round.id), round])
  }

  replace(round: Round): void {
    this.#putRounds(this.tournament.rounds.map((each) => (each.id === round.id ? round : each)))
  }

  /** Returns the rounds that are left. */
  remove(id: string): readonly Round[] {
    const rounds = this.tournament.rounds.filter((round) => round.id !== id)
    this.#putRounds(rounds)
    return rounds
  }

  /**
   * Replaces all rounds by what `change` makes of those that are there; again if they have changed meanwhile (412).
   *
   * @returns those that are new.
   */
  async arrange(change: (rounds: readonly Round[]) => readonly RoundEntry[]): Promise<Round[]> {
    const { slug } = this.tournament
    for (let tries = MOST_TRIES; ; tries -= 1) {
      const { reply, tag } = await poolsCallTagged('getTournament', { slug })
      const rounds = change(reply.tournament.rounds).map(sentRound)
      try {
        const changed = await orLook(
          () => poolsCall('replaceRounds', { slug, body: { rounds }, ifMatch: tag }),
          async () => {
            const now = await poolsCallTagged('getTournament', { slug })
            if (now.tag === tag) return null
            const there = now.reply.tournament.rounds
            const isSame =
              there.length === rounds.length &&
              rounds.every(
                ({ id, name }, at) =>
                  name === there[at]!.name && (id ?? there[at]!.id) === there[at]!.id,
              )
            if (!isSame) throw new Error('Changed by others since')
            return now.reply
          },
        )
        this.put(changed.tournament)
        const before = new Set(reply.tournament.rounds.map(({ id }) => id))
        return changed.tournament.rounds.filter(({ id }) => !before.has(id))
      } catch (error) {
        const isOutdated = error instanceof CallFailure && error.code === 'precondition_failed'
        if (!isOutdated || tries === 1) throw error
      }
    }
  }

  /** Makes one round, the last one. */
  async add(entry: RoundEntry): Promise<Round> {
    const { slug } = this.tournament
    const { id: _, ...body } = sentRound(entry)
    const { round } = await poolsCall('createRound', { slug, body })
    this.putLast(round)
    return round
  }

  #putRounds(rounds: Round[]): void {
    this.put({ ...this.tournament, rounds })
  }
}
