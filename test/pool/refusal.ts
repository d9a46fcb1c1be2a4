import { AppError } from '../../src/contract/errors.ts'
import { PackKeyError } from '../../src/pool/pack-key/layout.ts'
import { decodePackKey } from '../../src/pool/pack-key/pack-key.ts'

/** What `work` is refused with: `bad_request: <message>`; `none` when it goes through. */
export function refusalOf(work: () => unknown): string {
  try {
    work()
    return 'none'
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`
    throw error
  }
}

/** The code that a text is refused with as a pack key; `none` when it opens. Any other error passes. */
export function keyRefusalOf(text: string): string {
  try {
    decodePackKey(text)
    return 'none'
  } catch (error) {
    if (error instanceof PackKeyError) return error.code
    throw error
  }
}
