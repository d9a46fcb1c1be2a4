import { BoundedMap } from '../domain/bounded-map.ts'

/** Less than the shortest wait after an attempt that failed, so that the next one asks again. */
const REST_MS = 45_000
const REMEMBERED = 10_000

/**
 * What the platform failed to answer of late. One beatmap that it cannot rate must not keep those
 * behind it waiting, nor cost a call in each turn.
 */
export class RecentTroubles {
  readonly #lastAt = new BoundedMap<number | string, number>({ maxEntries: REMEMBERED })

  /** Nothing came of asking for this. */
  note(what: number | string, now: number): void {
    this.#lastAt.set(what, now)
  }

  /** It was answered. */
  forget(what: number | string): void {
    this.#lastAt.delete(what)
  }

  /** What to ask for now: not what failed a moment ago, and last what failed last. */
  choose<Q>(from: readonly Q[], nameOf: (question: Q) => number | string, now: number): Q[] {
    const lastAt = (question: Q): number => this.#lastAt.peek(nameOf(question)) ?? -Infinity
    return from
      .filter((question) => Math.abs(now - lastAt(question)) >= REST_MS)
      .toSorted((a, b) => (lastAt(a) === lastAt(b) ? 0 : lastAt(a) - lastAt(b)))
  }
}
