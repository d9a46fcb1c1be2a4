import { type Signal, signal } from '@preact/signals'
import { type Change, joined } from './changes.ts'

/** What a step did to the edit that is called `of`: a pack, or a round of several. */
export type ChangesPart = { readonly of: string; readonly changes: readonly Change[] }

/** A round that a step made or, if it is not there, deleted. */
export type RoundPart = {
  readonly of: string
  readonly name: string
  readonly isThere: boolean
  /** What was in it when the step was made; null of one that was deleted. */
  readonly content: string | null
}

export type Part = ChangesPart | RoundPart

/** One action of the person, which is undone as a whole. */
export type Step = {
  readonly label: string
  readonly parts: readonly Part[]
  /** Those of which an undo that failed midway, or a redo, has made others already. */
  readonly turned?: readonly Part[]
}

export type Way = 'undo' | 'redo'

/** What became of an undo or a redo: the names of what stays, because it was changed elsewhere since. */
export type Turned = {
  readonly label: string
  readonly isDone: boolean
  /** Nothing of it could be. */
  readonly isNothing: boolean
  readonly kept: readonly string[]
}

export const MOST_STEPS = 200

/** What can be undone and redone, of one edit or of several that are edited together. */
export class Steps {
  readonly #lists: Readonly<Record<Way, Signal<readonly Step[]>>> = {
    undo: signal([]),
    redo: signal([]),
  }
  /** The field that is being typed into: its next change belongs to the last step. */
  #tag: string | null = null
  /** The parts of the step that is being made. */
  #parts: Part[] | null = null

  /** What the next undo takes back, or the next redo brings again; null when there is nothing. */
  next(way: Way): Step | null {
    return this.#lists[way].value.at(-1) ?? null
  }

  /** Makes a step, and drops those that were undone. Consecutive ones with the same tag are one. */
  add(label: string, part: Part, tag: string | null = null): void {
    if (this.#parts !== null) {
      this.#parts.push(part)
      return
    }
    const last = tag !== null && tag === this.#tag ? this.take('undo')?.parts[0] : undefined
    this.#tag = tag
    const isSame = last !== undefined && 'changes' in last && 'changes' in part
    const all = isSame ? { ...part, changes: joined(last.changes, part.changes) } : part
    this.put('undo', { label, parts: [all] })
    this.#lists.redo.value = []
  }

  /** Makes one step of these parts and of all that is done meanwhile. */
  collect(label: string, parts: readonly Part[], work: () => void): void {
    this.#parts = [...parts]
    try {
      work()
    } finally {
      const all = this.#parts
      this.#parts = null
      this.seal()
      if (all.length > 0) this.#lists.redo.value = []
      this.put('undo', { label, parts: all })
    }
  }

  /** The next change is a step of its own. */
  seal(): void {
    this.#tag = null
  }

  take(way: Way): Step | null {
    const step = this.next(way)
    if (step !== null) this.#lists[way].value = this.#lists[way].value.slice(0, -1)
    return step
  }

  put(way: Way, step: Step): void {
    if (step.parts.length === 0) return
    this.#lists[way].value = [...this.#lists[way].value, step].slice(-MOST_STEPS)
  }

  /** Changes that could not be saved: of those, only the rest is left to be undone. */
  replace(changes: readonly Change[], rest: readonly Change[]): void {
    const isOf = (part: Part): boolean => 'changes' in part && part.changes === changes
    for (const list of Object.values(this.#lists)) {
      list.value = list.value.flatMap((step) => {
        if (!step.parts.some(isOf)) return step
        const parts = step.parts.map((part) => (isOf(part) ? { of: part.of, changes: rest } : part))
        const left = parts.filter((part) => !('changes' in part) || part.changes.length > 0)
        return left.length === 0 ? [] : { ...step, parts: left }
      })
    }
  }
}
