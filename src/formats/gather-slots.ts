import { MAX_BEATMAP_ID, MAX_CUSTOM_BUCKETS, MAX_SLOTS } from '../contract/bounds.ts'
import { builtinCodes } from '../contract/mods.ts'
import type { Slot } from '../contract/pools.ts'
import { foldCode, isCode } from '../pool/buckets.ts'
import { checkNumber } from '../pool/checks.ts'
import { freeIndex } from '../pool/edits.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { tableInOrder } from './bucket-order.ts'

/**
 * Makes a draft of beatmaps that come one after the other, each with what the file calls its mods.
 * The draft always completes, but for having no slot.
 */
export class SlotGatherer {
  readonly #slots: Slot[] = []
  /** The codes by how they compare, in order of first appearance; built-ins that did not appear last. */
  readonly #appeared = new Map<string, string>()
  #customs = 0

  get isFull(): boolean {
    return this.#slots.length >= MAX_SLOTS
  }

  /**
   * Adds a slot at the next number of its bucket.
   *
   * @param mods the bucket's code in any case; an unknown one becomes a custom bucket, none or
   * white space is no bucket.
   * @returns why it was refused, with the remedy; null when it was added.
   */
  add(mods: string | null, beatmapId: number): string | null {
    if (this.isFull) return `a pool can have at most ${MAX_SLOTS} beatmaps; remove this one`
    const badId = checkNumber(beatmapId, 1, MAX_BEATMAP_ID)
    if (badId !== null) return `the beatmap's id ${badId}`
    const spelled = mods?.trim() ?? ''
    const refusal = spelled === '' ? null : this.#meet(spelled)
    if (refusal !== null) return refusal
    const mod = this.#appeared.get(foldCode(spelled)) ?? null
    this.#slots.push({ mod, index: freeIndex(this.#slots, mod), beatmapId })
    return null
  }

  draft(name: string): PoolDraft {
    return { name, buckets: tableInOrder([...this.#appeared.values()]), slots: [...this.#slots] }
  }

  #meet(spelled: string): string | null {
    const fold = foldCode(spelled)
    if (this.#appeared.has(fold)) return null
    const builtin = builtinCodes.find((code) => code === fold)
    if (builtin === undefined) {
      if (!isCode(spelled)) return `${shown(spelled)} must be 1 to 12 letters or digits`
      if (this.#customs >= MAX_CUSTOM_BUCKETS) {
        return `${spelled} would exceed the limit of ${MAX_CUSTOM_BUCKETS} custom buckets`
      }
      this.#customs += 1
    }
    this.#appeared.set(fold, builtin ?? spelled)
    return null
  }
}

const LONGEST_SHOWN = 24

function shown(text: string): string {
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
  return `“${cut.toWellFormed()}”`
}
