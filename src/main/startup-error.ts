import { AppError } from '../contract/errors.ts'
import { StoreUnavailable } from '../ports/store.ts'

/** Something that the operator can fix; its message says what and how. */
export class StartupError extends Error {}

/** The text for the operator: a plain message if there is one, the stack of a bug. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // System and SQLite errors have a code, and messages made for people.
  if (error instanceof StoreUnavailable) return `${error.message}; try again once that is over`
  const isPlain = error instanceof StartupError || error instanceof AppError || 'code' in error
  return isPlain ? error.message : (error.stack ?? error.message)
}
