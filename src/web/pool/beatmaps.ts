import { useEffect, useMemo, useState } from 'preact/hooks'
import type { BeatmapDetails, BeatmapLook, BeatmapLookReply } from '../../contract/beatmaps.ts'
import { MAX_SLOTS } from '../../contract/bounds.ts'
import type { ForcedMod } from '../../contract/mods.ts'
import type { KnownSlot } from '../../contract/page-data.ts'
import { call } from '../api.ts'
import { pageData } from '../page-data.ts'
import { CallFailure } from '../site-failure.ts'

/** A beatmap, and the mods that its slot forces in the order EZ HD HR DT HT FL. */
export type ModdedBeatmap = {
  readonly id: number
  readonly mods: readonly ForcedMod[]
  /** The pack that it is in, where a page shows several. */
  readonly slug?: string | undefined
}

/** Equal uses, equal text: `129891+HDDT`. */
export const beatmapKey = ({ id, mods }: ModdedBeatmap): string => `${id}+${mods.join('')}`

/** What is known of a beatmap in its slot; `gone`: the platform has no such beatmap. */
export type BeatmapView =
  | { readonly state: 'pending' }
  | { readonly state: 'gone' }
  | {
      readonly state: 'known'
      /** Without mods. */
      readonly details: BeatmapDetails
      /** With the slot's mods; null while that rating is not known. */
      readonly stars: number | null
      /** The platform has no rating with the mods: `stars` are those without (D-93). */
      readonly noRating?: true
    }

export type LookupDeps = {
  readonly ask: (question: BeatmapLook, signal: AbortSignal) => Promise<BeatmapLookReply>
  /** As `whenSeen`. */
  readonly later: (ms: number, then: () => void) => () => void
  /** Called when something was learnt, or the phase is another. */
  readonly onChange: () => void
}

/** Changes that follow each other closely are one question. */
const BATCH_MS = 150
/** Between two questions, in seconds. */
const [LEAST_WAIT, MOST_WAIT] = [1, 60]
/** How often to ask again, or after failures, while nothing new comes. */
const MOST_QUIET_ROUNDS = 8

/** Looks up the beatmaps that a page shows, and keeps asking while that may yield more. */
export class BeatmapLookup {
  /** `asking`: more will come; `done`: no more for now; `stalled`: gave up waiting, until `retry`. */
  phase: 'asking' | 'done' | 'stalled' = 'asking'
  /** Why the last question was not answered; null when it was. */
  error: unknown = null
  readonly #deps: LookupDeps
  readonly #closing = new AbortController()
  readonly #details = new Map<number, BeatmapDetails | 'gone'>()
  readonly #stars = new Map<string, number>()
  /** Uses whose stars are those without their mods. */
  readonly #noRatings = new Set<string>()
  /** Uses that were part of a question already. */
  readonly #asked = new Set<string>()
  /** Uses of which the site will not know more for now. */
  readonly #closed = new Set<string>()
  #wanted: readonly ModdedBeatmap[] = []
  #slug: string | undefined
  #cancel: (() => void) | null = null
  #isAsking = false
  #quietRounds = 0
  /** Called when nothing is left that was not asked for once. */
  #waiting: (() => void)[] = []

  /** @param known what the page knows already. */
  constructor(deps: LookupDeps, known: readonly KnownSlot[] = []) {
    this.#deps = deps
    for (const { id, mods, state, details, stars = null, noRating } of known) {
      if (state === 'gone') this.#details.set(id, 'gone')
      else if (details !== undefined) this.#details.set(id, details)
      if (stars !== null) this.#stars.set(beatmapKey({ id, mods }), stars)
      if (noRating) this.#noRatings.add(beatmapKey({ id, mods }))
    }
  }

  /** Sets what the page shows. What is known, or asked for already, costs nothing. */
  want(uses: readonly ModdedBeatmap[], slug?: string): void {
    this.#wanted = [...new Map(uses.map((use) => [beatmapKey(use), use])).values()]
    this.#slug = slug
    if (this.#hasUnasked()) {
      this.#quietRounds = 0
      this.#askIn(this.#asked.size === 0 ? 0 : BATCH_MS)
    } else if (!this.#isAsking && this.#cancel === null) this.#finish()
  }

  /** What is known; the details as soon as any slot has shown them, whatever its mods. */
  view(use: ModdedBeatmap): BeatmapView {
    const details = this.#details.get(use.id)
    if (details === undefined || details === 'gone') return { state: details ?? 'pending' }
    const key = beatmapKey(use)
    const stars = this.#stars.get(key) ?? null
    return { state: 'known', details, stars, ...(this.#noRatings.has(key) && { noRating: true }) }
  }

  /** Resolves when all that is wanted has been part of a question that was answered, or failed. */
  asked(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
      this.#release()
    })
  }

  #release(): void {
    if (this.#isAsking || this.#hasUnasked()) return
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  retry(): void {
    this.#closed.clear()
    this.#quietRounds = 0
    this.error = null
    this.#askIn(0)
    this.#deps.onChange()
  }

  close(): void {
    this.#closing.abort()
    this.#cancel?.()
  }

  /** What asking may tell more of. */
  #open(): readonly ModdedBeatmap[] {
    return this.#wanted.filter((use) => {
      const isKnown = this.#stars.has(beatmapKey(use)) || this.#details.get(use.id) === 'gone'
      return !isKnown && !this.#closed.has(beatmapKey(use))
    })
  }

  #hasUnasked(): boolean {
    return this.#open().some((use) => !this.#asked.has(beatmapKey(use)))
  }

  #askIn(ms: number): void {
    this.#cancel?.()
    this.#cancel = null
    this.phase = 'asking'
    if (this.#isAsking) return
    const ask = (): void => {
      this.#cancel = null
      void this.#ask()
    }
    if (ms === 0) ask()
    else this.#cancel = this.#deps.later(ms, ask)
  }

  /** One round over all that is open. */
  async #ask(): Promise<void> {
    const { ask, onChange } = this.#deps
    const { signal } = this.#closing
    const round = this.#open()
    for (const use of round) this.#asked.add(beatmapKey(use))
    this.#isAsking = true
    let isNew = false
    let wait: number | null = null
    try {
      for (const { slug, uses } of questionsOf(round, this.#slug)) {
        const beatmaps = uses.map(({ id, mods }) => ({ id, mods: [...mods] }))
        const reply = await ask({ beatmaps, ...(slug !== undefined && { slug }) }, signal)
        isNew = this.#learn(uses, reply) || isNew
        if (reply.retryAfter !== null) wait = Math.min(wait ?? MOST_WAIT, reply.retryAfter)
        onChange()
      }
      this.error = null
    } catch (error) {
      if (signal.aborted) return
      this.error = error
      const retryAfter = error instanceof CallFailure ? error.retryAfter : null
      wait = retryAfter ?? 2 ** this.#quietRounds
    }
    this.#isAsking = false
    this.#quietRounds = isNew ? 0 : this.#quietRounds + 1
    if (this.#hasUnasked()) this.#askIn(BATCH_MS)
    else if (this.#open().length > 0 && wait !== null && this.#quietRounds < MOST_QUIET_ROUNDS)
      this.#askIn(Math.min(Math.max(wait, LEAST_WAIT), MOST_WAIT) * 1000)
    else this.#finish()
    this.#release()
    onChange()
  }

  /** Returns whether anything in the answer was new. */
  #learn(asked: readonly ModdedBeatmap[], { beatmaps, retryAfter }: BeatmapLookReply): boolean {
    const before = this.#details.size + this.#stars.size
    for (const [at, use] of asked.entries()) {
      const { state, details, stars, noRating } = beatmaps[at] ?? { state: 'pending' }
      const found = state === 'known' ? details : state
      if (retryAfter === null) this.#closed.add(beatmapKey(use))
      if (found === undefined || found === 'pending') continue
      this.#details.set(use.id, found)
      if (typeof stars !== 'number') continue
      this.#stars.set(beatmapKey(use), stars)
      if (noRating) this.#noRatings.add(beatmapKey(use))
      else this.#noRatings.delete(beatmapKey(use))
    }
    return this.#details.size + this.#stars.size > before
  }

  #finish(): void {
    this.phase = this.#open().length === 0 ? 'done' : 'stalled'
  }
}

/** The uses of each pack, as many to a question as one takes. */
function questionsOf(round: readonly ModdedBeatmap[], page: string | undefined) {
  return [...Map.groupBy(round, ({ slug }) => slug ?? page)].flatMap(([slug, uses]) =>
    Array.from({ length: Math.ceil(uses.length / MAX_SLOTS) }, (_, at) => ({
      slug,
      uses: uses.slice(at * MAX_SLOTS, (at + 1) * MAX_SLOTS),
    })),
  )
}

/**
 * Looks beatmaps up while the page is visible. For slots of the pack `slug`, visitors learn ratings; the staff of a
 * tournament share what was looked up for its drafts.
 */
export function useBeatmaps(uses: readonly ModdedBeatmap[], slug?: string, tournament?: string) {
  const [version, setVersion] = useState(0)
  const keys = uses.map(beatmapKey).join(' ')
  const [lookup] = useState(() => {
    const deps: LookupDeps = {
      ask: (question, signal) => {
        const body = { ...question, ...(tournament !== undefined && { tournament }) }
        return call('lookAtBeatmaps', { body, signal })
      },
      later: whenSeen,
      onChange: () => setVersion((before) => before + 1),
    }
    return new BeatmapLookup(deps, pageData().beatmaps)
  })
  useEffect(() => () => lookup.close(), [])
  useEffect(() => {
    lookup.want(uses, slug)
    setVersion((before) => before + 1)
  }, [keys, slug])
  return useMemo(() => {
    const views = viewsOf(lookup, uses)
    const { phase, error } = lookup
    // The page may know all before anything is asked.
    const isComplete = [...views.values()].every(isFinal)
    const retry = (): void => lookup.retry()
    return { views, phase: isComplete ? ('done' as const) : phase, error, retry, lookUp }
  }, [keys, version])

  /** Looks these up with what the page shows; resolves with what is known of them then. */
  async function lookUp(more: readonly ModdedBeatmap[]): Promise<ReadonlyMap<string, BeatmapView>> {
    lookup.want([...uses, ...more], slug)
    await lookup.asked()
    return viewsOf(lookup, more)
  }
}

const isFinal = (view: BeatmapView): boolean =>
  view.state === 'gone' || (view.state === 'known' && view.stars !== null)

const viewsOf = (lookup: BeatmapLookup, uses: readonly ModdedBeatmap[]) =>
  new Map(uses.map((use) => [beatmapKey(use), lookup.view(use)] as const))

export type Beatmaps = ReturnType<typeof useBeatmaps>

/** Calls back after so many ms, but not while the page is hidden; returns a function that cancels it. */
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
