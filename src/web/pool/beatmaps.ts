import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type {
  BeatmapDetails,
  BeatmapLook,
  BeatmapLookReply,
  BeatmapQuestion,
} from '../../contract/beatmaps.ts'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import type { ForcedMod } from '../../contract/mods.ts'
import { call } from '../api.ts'

/** What a look-up needs of the page around it. */
export type LookupDeps = {
  readonly ask: (question: BeatmapLook, signal: AbortSignal) => Promise<BeatmapLookReply>
  /** Calls back after so many ms, and not before the page is looked at; the function that it returns cancels it. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Something was learnt, or the phase is another. */
  readonly onChange: () => void
}

/** A beatmap, and the mods that its slot forces in the order EZ HD HR DT HT FL. */
export type BeatmapUse = { readonly id: number; readonly mods: readonly ForcedMod[] }

/**
 * `asking`: more will come. `done`: all that can be known now. `stalled`: nothing came for so long
 * that the page gave up, until it is told to try again.
 */
export type LookPhase = 'asking' | 'done' | 'stalled'

/** Changes that follow each other closely are one question. */
const BATCH_MS = 150
/** Between two questions, in seconds. */
const [LEAST_WAIT, MOST_WAIT] = [1, 60]

/** How often it asks again, or after failures, while nothing new comes. */
const MOST_QUIET_ROUNDS = 8

/** Finds out about the beatmaps that a page shows, as far and as often as it is worth it. */
export class BeatmapLookup {
  readonly book = new BeatmapCache()
  readonly #deps: LookupDeps
  readonly #closing = new AbortController()
  #wanted: readonly BeatmapUse[] = []
  #slug: string | undefined
  /** Uses that were part of a question already. */
  readonly #asked = new Set<string>()
  #cancel: (() => void) | null = null
  #isAsking = false
  #quietRounds = 0
  phase: LookPhase = 'asking'
  /** Why the last question was not answered; null when it was. */
  error: unknown = null

  constructor(deps: LookupDeps) {
    this.#deps = deps
  }

  /** Says what the page shows now. What is known, or asked for already, costs nothing. */
  want(uses: readonly BeatmapUse[], slug?: string): void {
    const isFirst = this.#asked.size === 0
    this.#wanted = [...new Map(uses.map((use) => [beatmapKey(use), use])).values()]
    this.#slug = slug
    const isFresh = this.#open().some((use) => !this.#asked.has(beatmapKey(use)))
    if (isFresh) {
      this.#quietRounds = 0
      this.#goIn(isFirst ? 0 : BATCH_MS)
    } else if (!this.#isAsking && this.#cancel === null) this.#finish()
  }

  /** Tries what is not known yet once more. */
  retry(): void {
    this.book.reopen()
    this.#quietRounds = 0
    this.error = null
    this.#goIn(0)
    this.#deps.onChange()
  }

  close(): void {
    this.#closing.abort()
    this.#cancel?.()
  }

  #open(): readonly BeatmapUse[] {
    return this.#wanted.filter((use) => this.book.isOpen(use))
  }

  #goIn(ms: number): void {
    this.#cancel?.()
    this.#cancel = null
    this.phase = 'asking'
    if (this.#isAsking) return
    if (ms === 0) void this.#go()
    else
      this.#cancel = this.#deps.later(ms, () => {
        this.#cancel = null
        void this.#go()
      })
  }

  /** One round over all that is open. */
  async #go(): Promise<void> {
    const { ask, onChange } = this.#deps
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
    if (open.some((use) => !this.#asked.has(beatmapKey(use)))) this.#goIn(BATCH_MS)
    else if (open.length > 0 && wait !== null && this.#quietRounds < MOST_QUIET_ROUNDS)
      this.#goIn(waitOf(wait))
    else this.#finish()
  }

  #finish(): void {
    this.phase = this.#open().length === 0 ? 'done' : 'stalled'
  }
}

/** What is known of a beatmap in its slot. */
export type BeatmapView =
  | { readonly state: 'pending' }
  /** The platform has no such beatmap. */
  | { readonly state: 'gone' }
  | {
      readonly state: 'known'
      /** Without mods. */
      readonly details: BeatmapDetails
      /** With the slot's mods, 2 decimals; null while that rating is not known. */
      readonly stars: number | null
    }

/** What the page has learnt of beatmaps so far. */
class BeatmapCache {
  readonly #details = new Map<number, BeatmapDetails | 'gone'>()
  readonly #stars = new Map<string, number>()
  /** Uses of which the site said that it will not know more for now. */
  readonly #closed = new Set<string>()

  /** Takes down an answer; says whether anything in it was new. */
  learn(asked: readonly BeatmapQuestion[], { beatmaps, retryAfter }: BeatmapLookReply): boolean {
    let isNew = false
    for (const [at, answer] of beatmaps.entries()) {
      const use = asked[at]
      if (use === undefined || answer.state === 'pending') continue
      const details = answer.state === 'gone' ? 'gone' : answer.details
      if (details === undefined) continue
      isNew ||= !this.#details.has(use.id)
      this.#details.set(use.id, details)
      if (typeof answer.stars === 'number') {
        isNew ||= !this.#stars.has(beatmapKey(use))
        this.#stars.set(beatmapKey(use), answer.stars)
      }
    }
    if (retryAfter === null) for (const use of asked) this.#closed.add(beatmapKey(use))
    return isNew
  }

  /** Its details as soon as any slot has shown them, for a beatmap that changes its mods stays one. */
  view(use: BeatmapUse): BeatmapView {
    const details = this.#details.get(use.id)
    if (details === undefined) return { state: 'pending' }
    if (details === 'gone') return { state: 'gone' }
    return { state: 'known', details, stars: this.#stars.get(beatmapKey(use)) ?? null }
  }

  /** Whether asking may tell more of it. */
  isOpen(use: BeatmapUse): boolean {
    if (this.#closed.has(beatmapKey(use))) return false
    const view = this.view(use)
    return view.state === 'pending' || (view.state === 'known' && view.stars === null)
  }

  /** Lets everything be asked for again that is not known yet. */
  reopen(): void {
    this.#closed.clear()
  }
}

/** Equal uses, equal text: `129891+HDDT`. */
export const beatmapKey = ({ id, mods }: BeatmapUse): string => `${id}+${mods.join('')}`

const inQuestions = (uses: readonly BeatmapUse[]): BeatmapUse[][] =>
  Array.from({ length: Math.ceil(uses.length / MAX_SLOTS) }, (_, at) =>
    uses.slice(at * MAX_SLOTS, (at + 1) * MAX_SLOTS),
  )

function secondsIn(error: unknown): number | null {
  const wait = (error as { readonly retryAfter?: unknown }).retryAfter
  return typeof wait === 'number' ? wait : null
}

const waitOf = (seconds: number): number =>
  Math.min(Math.max(seconds, LEAST_WAIT), MOST_WAIT) * 1000

/** What a page knows of the beatmaps that it shows. */
export type Beatmaps = {
  /** By `beatmapKey`; every use asked for is in it. */
  readonly views: ReadonlyMap<string, BeatmapView>
  readonly phase: LookPhase
  /** Why the last question was not answered. */
  readonly error: unknown
  readonly retry: () => void
}

const pending: BeatmapView = { state: 'pending' }

/**
 * Looks the beatmaps up, at most 64 in a question, and keeps asking for what is not known yet while
 * the page is looked at. May be given other uses each time: only what is new is asked for.
 *
 * @param slug the pack that shows them; with it visitors learn the ratings of its slots, too.
 */
export function useBeatmaps(uses: readonly BeatmapUse[], slug?: string): Beatmaps {
  const [version, setVersion] = useState(0)
  const lookup = useRef<BeatmapLookup | null>(null)
  const texts = uses.map(beatmapKey).join(' ')
  useEffect(() => {
    lookup.current = new BeatmapLookup({
      ask: (body, signal) => call('lookAtBeatmaps', { body, signal }),
      later: whenSeen,
      onChange: () => setVersion((before) => before + 1),
    })
    return () => lookup.current?.close()
  }, [])
  useEffect(() => {
    lookup.current?.want(uses, slug)
    setVersion((before) => before + 1)
  }, [texts, slug])
  return useMemo(() => {
    const { book, phase = 'asking', error = null } = lookup.current ?? {}
    const views = uses.map((use) => [beatmapKey(use), book?.view(use) ?? pending] as const)
    return { views: new Map(views), phase, error, retry: () => lookup.current?.retry() }
  }, [texts, version])
}

/**
 * Calls back after so many ms, and not before somebody looks at the page; the function that it returns
 * cancels it.
 */
export function whenSeen(ms: number, then: () => void): () => void {
  const look = (): void => {
    if (document.hidden) return
    document.removeEventListener('visibilitychange', look)
    then()
  }
  const timer = setTimeout(() => {
    document.addEventListener('visibilitychange', look)
    look()
  }, ms)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', look)
  }
}
