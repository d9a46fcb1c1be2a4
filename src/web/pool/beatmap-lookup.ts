import type { BeatmapLook, BeatmapLookReply } from '../../contract/beatmaps.ts'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import { BeatmapBook, beatmapKey, type BeatmapUse } from './beatmap-book.ts'

/** What a look-up needs of the page around it. */
export type Surroundings = {
  readonly ask: (question: BeatmapLook, signal: AbortSignal) => Promise<BeatmapLookReply>
  /** Calls back after so many ms, and not before the page is looked at; the function that it gives calls it off. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Something was learnt, or the phase is another. */
  readonly onChange: () => void
}

/**
 * `asking`: more will come. `done`: all that can be known now. `stalled`: nothing came for so long
 * that the page gave up, until it is told to try again.
 */
export type LookPhase = 'asking' | 'done' | 'stalled'

/** Changes that follow each other closely are one question. */
const GATHER_MS = 150
/** How often it asks again, or after failures, while nothing new comes. */
const MOST_QUIET_ROUNDS = 8
const [LEAST_WAIT, MOST_WAIT] = [1, 60]

const waitOf = (seconds: number): number =>
  Math.min(Math.max(seconds, LEAST_WAIT), MOST_WAIT) * 1000

const inQuestions = (uses: readonly BeatmapUse[]): BeatmapUse[][] =>
  Array.from({ length: Math.ceil(uses.length / MAX_SLOTS) }, (_, at) =>
    uses.slice(at * MAX_SLOTS, (at + 1) * MAX_SLOTS),
  )

/** Finds out about the beatmaps that a page shows, as far and as often as it is worth it. */
export class BeatmapLookup {
  readonly book = new BeatmapBook()
  readonly #surroundings: Surroundings
  readonly #closing = new AbortController()
  #wanted: readonly BeatmapUse[] = []
  #slug: string | undefined
  /** Uses that were part of a question already. */
  readonly #asked = new Set<string>()
  #callOff: (() => void) | null = null
  #isAsking = false
  #quietRounds = 0
  phase: LookPhase = 'asking'
  /** Why the last question was not answered; null when it was. */
  error: unknown = null

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings
  }

  /** Says what the page shows now. What is known, or asked for already, costs nothing. */
  want(uses: readonly BeatmapUse[], slug?: string): void {
    const isFirst = this.#asked.size === 0
    this.#wanted = [...new Map(uses.map((use) => [beatmapKey(use), use])).values()]
    this.#slug = slug
    const isFresh = this.#open().some((use) => !this.#asked.has(beatmapKey(use)))
    if (isFresh) {
      this.#quietRounds = 0
      this.#goIn(isFirst ? 0 : GATHER_MS)
    } else if (!this.#isAsking && this.#callOff === null) this.#settle()
  }

  /** Tries what is not known yet once more. */
  retry(): void {
    this.book.reopen()
    this.#quietRounds = 0
    this.error = null
    this.#goIn(0)
    this.#surroundings.onChange()
  }

  close(): void {
    this.#closing.abort()
    this.#callOff?.()
  }

  #open(): readonly BeatmapUse[] {
    return this.#wanted.filter((use) => this.book.isOpen(use))
  }

  #goIn(ms: number): void {
    this.#callOff?.()
    this.#callOff = null
    this.phase = 'asking'
    if (this.#isAsking) return
    if (ms === 0) void this.#go()
    else
      this.#callOff = this.#surroundings.later(ms, () => {
        this.#callOff = null
        void this.#go()
      })
  }

  /** One round over all that is open. */
  async #go(): Promise<void> {
    const { ask, onChange } = this.#surroundings
    const { signal } = this.#closing
    const round = this.#open()
    for (const use of round) this.#asked.add(beatmapKey(use))
    this.#isAsking = true
    let isNew = false
    let wait: number | null = null
    try {
      for (const uses of inQuestions(round)) {
        const beatmaps = uses.map(({ id, mods }) => ({ id, mods: [...mods] }))
        const slug = this.#slug
        const reply = await ask({ beatmaps, ...(slug !== undefined && { slug }) }, signal)
        isNew = this.book.learn(beatmaps, reply) || isNew
        if (reply.retryAfter !== null) wait = Math.min(wait ?? MOST_WAIT, reply.retryAfter)
        onChange()
      }
      this.error = null
    } catch (error) {
      if (signal.aborted) return
      this.error = error
      wait = secondsIn(error) ?? 2 ** this.#quietRounds
    }
    this.#isAsking = false
    this.#quietRounds = isNew ? 0 : this.#quietRounds + 1
    this.#goOn(wait)
    onChange()
  }

  #goOn(wait: number | null): void {
    const open = this.#open()
    if (open.some((use) => !this.#asked.has(beatmapKey(use)))) this.#goIn(GATHER_MS)
    else if (open.length > 0 && wait !== null && this.#quietRounds < MOST_QUIET_ROUNDS)
      this.#goIn(waitOf(wait))
    else this.#settle()
  }

  #settle(): void {
    this.phase = this.#open().length === 0 ? 'done' : 'stalled'
  }
}

const secondsIn = (error: unknown): number | null => {
  const wait = (error as { readonly retryAfter?: unknown }).retryAfter
  return typeof wait === 'number' ? wait : null
}
