// Which test files are likeliest to notice the next mutation, by what they have noticed and how long they take.
import { dirname } from 'node:path'

type Tries = { tried: number; noticed: number }

/** Learns from each mutation, of its folder and of its floor: a folder has few, and its floor says what is usual. */
export class LikelyTests {
  readonly #tries = new Map<string, Tries>()
  /** Milliseconds of each test file that has passed. */
  readonly #took = new Map<string, number>()

  passed(test: string, file: string, ms: number): void {
    this.#took.set(test, ms)
    for (const tries of this.#of(test, file)) tries.tried += 1
  }

  noticed(test: string, file: string): void {
    for (const tries of this.#of(test, file)) {
      tries.tried += 1
      tries.noticed += 1
    }
  }

  /** The likeliest of the tests of a file, which come nearest first; in front what says most in a second. */
  first(file: string, nearest: readonly string[], most: number): string[] {
    const likelihoods = new Map(
      nearest.map((test, place) => [test, this.#likelihood(test, file, place)]),
    )
    const chosen = new Set([
      ...nearest.slice(0, NEAREST),
      ...nearest.toSorted((a, b) => likelihoods.get(b)! - likelihoods.get(a)!),
    ])
    const worth = (test: string): number =>
      likelihoods.get(test)! / (START_MS + (this.#took.get(test) ?? USUAL_MS))
    return [...chosen].slice(0, most).toSorted((a, b) => worth(b) - worth(a))
  }

  #likelihood(test: string, file: string, place: number): number {
    const [folder, floor] = this.#of(test, file)
    const guessed = 1 / (2 + place / FAR)
    const usual = (floor.noticed + guessed) / (floor.tried + 1)
    return (folder.noticed + 2 * usual) / (folder.tried + 2)
  }

  #of(test: string, file: string): readonly [folder: Tries, floor: Tries] {
    const of = (place: string): Tries => {
      const key = `${place} ${test}`
      const tries = this.#tries.get(key) ?? { tried: 0, noticed: 0 }
      this.#tries.set(key, tries)
      return tries
    }
    return [of(`${dirname(file)}/`), of(file.split('/').slice(0, 2).join('/'))]
  }
}

/** The nearest, which are always asked. */
const NEAREST = 2
/** So many places away, a test that has not been tried yet is guessed to be half again as unlikely to notice. */
const FAR = 32
const START_MS = 300
const USUAL_MS = 1000
