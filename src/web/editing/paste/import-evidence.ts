import { signal } from '@preact/signals'
import type { Evidence, LookedUp } from '../../../formats/import/evidence.ts'
import { BeatmapLookup, type LookupDeps, type ModdedBeatmap } from '../../pool/beatmaps.ts'

/** Ids that are being typed are no beatmaps yet. */
const TYPED_MS = 300
/** Nothing waits longer for beatmaps to be looked up (D-90). */
const LONGEST_LOOK_MS = 5_000

export type EvidenceDeps = Pick<LookupDeps, 'ask' | 'later'> & {
  /** Calls back after so many ms; returns a function that cancels it. */
  readonly after: (ms: number, then: () => void) => () => void
}

/** What is looked up of the beatmaps of an import. What is new among them is waited for once. */
export class ImportEvidence {
  /** What is known; never less of the beatmaps that were wanted last, in whatever order it came. */
  readonly known = signal<Evidence>(new Map())
  /** How many are waited for, until what was learnt of them was read with: that read wants beatmaps again. */
  readonly looking = signal(0)
  readonly #lookup: BeatmapLookup
  readonly #after: EvidenceDeps['after']
  readonly #onEnd: () => void
  #ids: readonly number[] = []
  /** Those that were waited for once. */
  readonly #awaited = new Set<number>()
  #wait: Wait | null = null

  /** @param onEnd called when nothing is waited for any more. */
  constructor({ ask, later, after }: EvidenceDeps, onEnd: () => void) {
    this.#after = after
    this.#onEnd = onEnd
    const onChange = (): void => {
      if (this.#wait === null) this.#learn()
    }
    this.#lookup = new BeatmapLookup({ ask, later, onChange })
  }

  close(): void {
    this.#endWait()
    this.#lookup.close()
  }

  /** Looks up what is new among these, which is waited for, and goes on with what is not known yet. */
  want(ids: readonly number[]): void {
    this.#ids = ids
    const fresh = this.#fresh()
    this.looking.value = fresh.length
    if (fresh.length === 0) {
      this.#endWait()
      this.#ask()
      // Of beatmaps that were there before, more may have come while they were not.
      this.#learn()
    } else if (this.#wait !== null && fresh.every((id) => this.#wait!.ids.has(id))) {
      // An answer or another label prolongs nothing.
      if (this.#wait.isAsked) this.#ask()
    } else this.#startWait(fresh)
  }

  #fresh(): number[] {
    return this.#ids.filter((id) => !this.#awaited.has(id))
  }

  #ask(): void {
    this.#lookup.want(this.#ids.map(plainUse))
  }

  #startWait(ids: readonly number[]): void {
    this.#endWait()
    const wait: Wait = { ids: new Set(ids), isAsked: false, cancel: () => {} }
    this.#wait = wait
    const end = (): void => {
      if (this.#wait === wait) this.#finishWait()
    }
    wait.cancel = this.#after(TYPED_MS, () => {
      wait.isAsked = true
      wait.cancel = this.#after(LONGEST_LOOK_MS, end)
      this.#ask()
      void this.#lookup.asked().then(end)
    })
  }

  #endWait(): void {
    this.#wait?.cancel()
    this.#wait = null
  }

  #finishWait(): void {
    this.#endWait()
    for (const id of this.#ids) this.#awaited.add(id)
    if (this.#learn()) return
    this.looking.value = 0
    this.#onEnd()
  }

  /** Returns whether something is newly known, with which is read again. */
  #learn(): boolean {
    const before = this.known.peek()
    const learnt = this.#ids.flatMap((id): [number, LookedUp][] => {
      const view = this.#lookup.view(plainUse(id))
      if (before.has(id) || view.state === 'pending') return []
      if (view.state === 'gone') return [[id, 'gone']]
      return [[id, { ruleset: view.details.ruleset, stars: view.details.stars }]]
    })
    if (learnt.length > 0) this.known.value = new Map([...before, ...learnt])
    return learnt.length > 0
  }
}

type Wait = {
  /** Those that are waited for. */
  readonly ids: ReadonlySet<number>
  /** Whether they are no longer being typed. */
  isAsked: boolean
  cancel: () => void
}

const plainUse = (id: number): ModdedBeatmap => ({ id, mods: [] })
