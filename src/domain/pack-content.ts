import { invalidInput } from '../contract/failure.ts'
import type { PackInput } from '../contract/pack.ts'
import {
  completeDescription,
  completePool,
  findDescriptionProblems,
  findProblems,
} from '../pool/checks.ts'
import { encodePackKey } from '../pool/pack-key/pack-key.ts'
import type { PackContent } from './saved-pack.ts'
import { refuseSlurs } from './slurs/slur-rule.ts'

/**
 * What is kept of a pack as it was sent: completed, in canonical form, with its pack key.
 * Throws `bad_request` naming the place and the remedy (D-17 to D-24).
 */
export const contentOf = (input: PackInput): PackContent => {
  // First: a message about a code repeats the code, and must not repeat a slur.
  refuseSlurs(input)
  const problems = [...findProblems(input), ...findDescriptionProblems(input.description)]
  if (problems.length > 0) {
    throw invalidInput(problems.map(({ place, remedy }) => `${place} ${remedy}`))
  }
  const pool = completePool(input)
  const description = completeDescription(input.description)
  return {
    name: pool.name,
    visibility: input.visibility ?? 'unlisted',
    description,
    slots: pool.slots,
    buckets: pool.buckets,
    packKey: encodePackKey(pool),
  }
}
