import { builtinCodes } from '../contract/mods.ts'
import { foldCode } from './bucket-code.ts'

/** A code and where it stands: `buckets[2]`, or `a built-in bucket`. */
export type TakenCode = { readonly code: string; readonly where: string }

/** The codes of a pool's buckets while it is looked through, unique ignoring case (D-21). */
export class TakenCodes {
  readonly #byFold = new Map<string, TakenCode>()
  readonly #exact = new Set<string>(builtinCodes)

  constructor() {
    for (const code of builtinCodes) this.#byFold.set(code, { code, where: 'a built-in bucket' })
  }

  has(code: string): boolean {
    return this.#exact.has(code)
  }

  /** Takes the code and returns null; or leaves all as it is and returns what it collides with. */
  take(code: string, where: string): TakenCode | null {
    const fold = foldCode(code)
    const holder = this.#byFold.get(fold)
    if (holder !== undefined) return holder
    this.#byFold.set(fold, { code, where })
    this.#exact.add(code)
    return null
  }
}
