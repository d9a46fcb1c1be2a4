import { Failure } from '../contract/errors.ts'

/** One message for missing, not yours, private and hidden: the answers must not differ by a byte (D-29). */
export const packNotFound = (): Failure =>
  new Failure('not_found', 'there is no pack with this slug that you may see or change')
