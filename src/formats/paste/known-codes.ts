import { completeBuckets, foldCode } from '../../pool/buckets.ts'
import type { PoolDraft } from '../../pool/pool.ts'

/** The codes of a draft's buckets, built-ins included, to be found ignoring case (D-21). */
export class KnownCodes {
  readonly #byFold = new Map<string, string>()

  constructor(draft: PoolDraft) {
    for (const { code } of completeBuckets(draft.buckets ?? [], draft.slots)) this.add(code)
  }

  add(code: string): void {
    this.#byFold.set(foldCode(code), code)
  }

  /** The code as the draft spells it; null when it has no such bucket. */
  find(code: string): string | null {
    return this.#byFold.get(foldCode(code)) ?? null
  }
}
