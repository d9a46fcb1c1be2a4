import { DatabaseError } from 'pg'
import { StoreUnavailable } from '../../../ports/store.ts'
import { DISK_FULL } from '../disk-room.ts'

const LATE = 'the database did not answer in time'

export class TimedOut extends StoreUnavailable {
  /** @param cause why no connection was to be had, when that is known. */
  constructor(cause?: unknown) {
    super(LATE, { cause })
  }
}

/** One of several hosts takes no writes. */
export class ReadOnlyServer extends StoreUnavailable {
  constructor() {
    super('none of the hosts of DATABASE_URL takes writes')
  }
}

const TOO_MANY_CONNECTIONS = '53300'
const NO_ROOM = '53100'
const SERIALIZATION_FAILURE = '40001'
const DEADLOCK_DETECTED = '40P01'
const LOCK_NOT_AVAILABLE = '55P03'
// What was prepared over a connection no longer fits its table, or is not there any more: it would
// fail for as long as the connection lives.
const PLAN_OUTDATED = '0A000'
const STATEMENT_FORGOTTEN = '26000'
const STATEMENT_EXISTS = '42P05'
// The server has become a standby, or was replaced by another one.
const READ_ONLY = '25006'
const PROTOCOL_VIOLATION = '08P01'

/** The server, the database or the user has as many connections as allowed. */
export const hasNoConnectionLeft = isOneOf(TOO_MANY_CONNECTIONS)

export const isDiskFull = isOneOf(NO_ROOM)

/** The server knows other prepared statements than were prepared over this connection. */
export const isStatementForgotten = isOneOf(STATEMENT_FORGOTTEN, STATEMENT_EXISTS)

/** Two transactions collided that can only run one after the other; nothing was written. */
export const isCollision = isOneOf(SERIALIZATION_FAILURE, DEADLOCK_DETECTED)

/** Another session has held a lock for too long. */
export const isLockedOut = isOneOf(LOCK_NOT_AVAILABLE)

const breaksSession = isOneOf(PLAN_OUTDATED, STATEMENT_FORGOTTEN, STATEMENT_EXISTS, READ_ONLY)

/**
 * Is the connection no longer good? The server's ordinary refusals leave it as it was. A severity
 * under another name is fatal, or in another language: a connection more costs little.
 */
export function endsConnection(error: unknown): boolean {
  return !(error instanceof DatabaseError) || error.severity !== 'ERROR' || breaksSession(error)
}

function isOneOf(...codes: readonly string[]): (error: unknown) => boolean {
  return (error) => error instanceof DatabaseError && codes.includes(error.code ?? '')
}

/** Removes what the server quotes of the row it refused: errors are logged, and rows are people's. */
export function forgetRow(error: unknown): void {
  if (error instanceof DatabaseError) error.detail = undefined
}

const UNREACHABLE = 'the database cannot be reached'
const STARTING = 'the database is starting or shutting down'
const REFUSED = 'the database refuses the user or the password of DATABASE_URL'

/** Why a database cannot serve, by the codes of PostgreSQL and of the system. */
const reasons: Readonly<Record<string, string>> = {
  [READ_ONLY]: 'the database is read-only',
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': 'the database of DATABASE_URL does not exist',
  [NO_ROOM]: DISK_FULL,
  [TOO_MANY_CONNECTIONS]: 'the database allows no more connections',
  '08000': UNREACHABLE,
  '08001': UNREACHABLE,
  '08003': UNREACHABLE,
  '08004': UNREACHABLE,
  '08006': UNREACHABLE,
  '57014': LATE,
  '25P03': LATE,
  '57P01': STARTING,
  '57P02': STARTING,
  '57P03': STARTING,
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOENT: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EPIPE: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
}

/** The driver's own words for a connection that has ended; these errors have no code. */
const CONNECTION_ENDED = /^Connection terminated|^Client has encountered a connection error/

/** What a statement fails with, and the check of a store: with the reason, where the database cannot serve. */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof StoreUnavailable) return error
  const isEnded = error instanceof Error && CONNECTION_ENDED.test(error.message)
  const reason = isEnded || isOfPooler(error) ? UNREACHABLE : reasons[codeOf(error)]
  return reason === undefined ? error : new StoreUnavailable(reason, { cause: error })
}

/** PgBouncer has one code for all that keeps it from its server: no login, no answer in time, none free. */
const isOfPooler = (error: unknown): boolean =>
  error instanceof DatabaseError && error.code === PROTOCOL_VIOLATION && error.severity === 'FATAL'

/** Several addresses of one name fail as one error, whose parts have the codes. */
function codeOf(error: unknown): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
