import { MAX_BEATMAP_ID, MAX_CUSTOM_BUCKETS, MAX_SLOTS, NAME_LENGTH } from '../contract/bounds.ts'
import { builtinCodes } from '../contract/mods.ts'
import type { Bucket, Slot } from '../contract/pools.ts'
import { foldCode, isBuiltinCode, isCode, isDefaultTable } from '../pool/slots.ts'
import { checkNumber } from '../pool/checks.ts'
import { freeIndex } from '../pool/edits.ts'
import type { PoolDraft } from '../pool/pool.ts'
import { cleanLine, isVisible } from '../pool/text.ts'

/** Makes a draft of the beatmaps of a file. It always completes, except that it may have no slot. */
export class DraftBuilder {
  readonly #slots: Slot[] = []
  /** The codes by `foldCode`, in order of first appearance. */
  readonly #appeared = new Map<string, string>()

  /**
   * Adds a slot at the next number of its bucket; returns why it was refused, with the remedy, or null.
   *
   * @param mods the bucket's code in any case, a new custom one if unknown; none or white space is no bucket.
   */
  add(mods: string | null, beatmapId: number): string | null {
    if (this.#slots.length >= MAX_SLOTS) {
      return `a pool can have at most ${MAX_SLOTS} beatmaps; remove this one`
    }
    const badId = checkNumber(beatmapId, 1, MAX_BEATMAP_ID)
    if (badId !== null) return `the beatmap's id ${badId}`
    const spelled = mods?.trim() ?? ''
    const refusal = spelled === '' ? null : this.#addCode(spelled)
    if (refusal !== null) return refusal
    const mod = this.#appeared.get(foldCode(spelled)) ?? null
    this.#slots.push({ mod, index: freeIndex(this.#slots, mod), beatmapId })
    return null
  }

  draft(name: string): PoolDraft {
    return { name, buckets: tableInOrder([...this.#appeared.values()]), slots: [...this.#slots] }
  }

  #addCode(spelled: string): string | null {
    const fold = foldCode(spelled)
    if (this.#appeared.has(fold)) return null
    if (!isBuiltinCode(fold)) {
      if (!isCode(spelled)) return `${shown(spelled)} must be 1 to 12 letters or digits`
      const customs = [...this.#appeared.keys()].filter((code) => !isBuiltinCode(code))
      if (customs.length >= MAX_CUSTOM_BUCKETS) {
        return `${spelled} would exceed the limit of ${MAX_CUSTOM_BUCKETS} custom buckets`
      }
    }
    this.#appeared.set(fold, isBuiltinCode(fold) ? fold : spelled)
    return null
  }
}

/** A text of a file in quotation marks, shortened. */
export function shown(text: string): string {
  const cut = text.length > 24 ? `${text.slice(0, 24)}…` : text
  return `“${cut.toWellFormed()}”`
}

/**
 * The table of buckets in this order, with each missing built-in after its neighbour of the default table;
 * custom ones get the colours 0, 1, 2 … null when it is the default table.
 */
export function tableInOrder(codes: readonly string[]): Bucket[] | null {
  const order = [...codes]
  for (const [rank, code] of builtinCodes.entries()) {
    if (order.includes(code)) continue
    if (code === 'TB') order.push(code)
    else order.splice(order.indexOf(builtinCodes[rank - 1] ?? '') + 1, 0, code)
  }
  let color = 0
  const table = order.map((code) => (isBuiltinCode(code) ? { code } : { code, color: color++ }))
  return isDefaultTable(table) ? null : table
}

/**
 * The nearest name that a pool can have (D-19, D-47), the fallback when nothing visible is left: controls and
 * line breaks become spaces, directional formatting is removed, and it is cut between characters.
 */
export function fitName(text: string, fallback: string): string {
  const name = fitText(text, NAME_LENGTH)
  return isVisible(name) ? name : fallback
}

/** A text as one line that is safe to show, cut between characters. */
export function fitText(text: string, longest: number): string {
  const cut = cleanLine(text.toWellFormed()).slice(0, longest)
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trim()
}
