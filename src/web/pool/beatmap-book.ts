import type { BeatmapDetails, BeatmapLookReply, BeatmapQuestion } from '../../contract/beatmaps.ts'
import type { ForcedMod } from '../../contract/mods.ts'

/** A beatmap, and the mods that its slot forces in the order EZ HD HR DT HT FL. */
export type BeatmapUse = { readonly id: number; readonly mods: readonly ForcedMod[] }

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

/** Equal uses, equal text: `129891+HDDT`. */
export const beatmapKey = ({ id, mods }: BeatmapUse): string => `${id}+${mods.join('')}`

/** What the page has learnt of beatmaps so far. */
export class BeatmapBook {
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
