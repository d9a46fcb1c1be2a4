import { Failure } from '../contract/errors.ts'
import type { IndexShelf, PublishedIndex } from '../operations/published-index.ts'

/** How long a request waits for the first index after a start. */
const PATIENCE_MS = 5_000

/** The search index as it is now; throws `internal_error` when the first one is too long in coming. */
export const findIndex = async (shelf: IndexShelf): Promise<PublishedIndex> => {
  const current = shelf.current()
  if (current !== null) return current
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    late.reject(
      new Failure('internal_error', 'the search index is not ready yet; try again in a moment'),
    )
  }, PATIENCE_MS)
  return Promise.race([shelf.first(), late.promise]).finally(() => clearTimeout(timer))
}
