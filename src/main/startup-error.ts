import { AppError } from '../contract/errors.ts'

/** Something that the operator can mend; its message says what and how. */
export class StartupError extends Error {}

/** System and SQLite errors carry a code: what the machine refused, in words made for people. */
const isRefusal = (error: unknown): error is Error => error instanceof Error && 'code' in error

/** What to tell an operator: the plain message where there is one, all that is known of a bug. */
export const describeError = (error: unknown): string => {
  if (error instanceof StartupError || error instanceof AppError || isRefusal(error))
    return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
