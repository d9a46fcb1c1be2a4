import { DatabaseError } from 'pg'

/** The database did not do in time what was asked of it. */
export class TooLate extends Error {
  constructor() {
    super('the database did not answer in time')
  }
}

// What was prepared over a connection no longer fits its table, or is not there any more: it would
// fail for as long as the connection lives.
const PLAN_OUTDATED = '0A000'
const STATEMENT_FORGOTTEN = '26000'

/**
 * Is the connection no longer good? The server's ordinary refusals leave it as it was. Whatever has
 * another name is fatal, or told in another language: a connection more costs little.
 */
export const endsConnection = (error: unknown): boolean =>
  !(error instanceof DatabaseError) ||
  error.severity !== 'ERROR' ||
  error.code === PLAN_OUTDATED ||
  error.code === STATEMENT_FORGOTTEN

/** Forgets what the server quotes of the row it refused: errors are logged, and rows are people's. */
export const forgetRow = (error: unknown): void => {
  if (error instanceof DatabaseError) error.detail = undefined
}

const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'

/** Did two transactions meet that can only be done one after the other? Nothing was written then. */
export const isCollision = (error: unknown): boolean =>
  error instanceof DatabaseError &&
  (error.code === SERIALIZATION_FAILURE || error.code === DEADLOCK_DETECTED)

const LOCK_NOT_AVAILABLE = '55P03'

/** Has somebody else held a lock for too long? */
export const isLockedOut = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE
