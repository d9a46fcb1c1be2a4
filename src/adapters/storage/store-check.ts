import { randomBytes } from 'node:crypto'
import { StoreUnavailable } from '../../ports/store.ts'
import type { Engine } from './engine.ts'

export const DISK_FULL = 'the disk of the store is full'

/** Why a store cannot serve, by SQLite's primary result codes. */
const sqliteReasons: Readonly<Record<number, string>> = {
  5: 'another process holds the lock of the store',
  8: 'the disk of the store cannot be written',
  10: 'the disk of the store fails',
  11: 'the store file is damaged',
  13: DISK_FULL,
  14: 'the store file cannot be opened',
  26: 'the store file is damaged',
}

const UNREACHABLE = 'the database cannot be reached'
const STARTING = 'the database is starting or shutting down'
const REFUSED = 'the database refuses the user or the password of DATABASE_URL'

/** The same by the codes of PostgreSQL and of the system. */
const databaseReasons: Readonly<Record<string, string>> = {
  '25006': 'the database is read-only',
  '28000': REFUSED,
  '28P01': REFUSED,
  '3D000': 'the database of DATABASE_URL does not exist',
  '53100': DISK_FULL,
  '53300': 'the database allows no more connections',
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

/** As large as the largest save, and as hard to compress as nothing that is saved. */
const PROBE_BYTES = 49_152
const PROBE_ID = -1

/** The error that the check of a store throws: with the reason, where that is known. */
export const asUnavailable = (error: unknown): unknown => {
  if (error instanceof StoreUnavailable) return error
  const reason = sqliteReasons[resultCodeOf(error) ?? -1] ?? databaseReasons[codeOf(error)]
  return reason === undefined ? error : new StoreUnavailable(reason, { cause: error })
}

/** SQLite's primary result code, the low byte of the extended one; null for other errors. */
export const resultCodeOf = (error: unknown): number | null =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode & 0xff
    : null

/** Commits a write that needs room, and leaves nothing of it: only so is it known that there is some. */
export const probeRoom = async ({ write }: Pick<Engine, 'write'>): Promise<void> => {
  const details = randomBytes(PROBE_BYTES).toString('base64')
  await write('beatmaps', async (tx) => {
    const remove = () => tx.deleteFrom('beatmap').where('id', '=', PROBE_ID).execute()
    await remove()
    await tx.insertInto('beatmap').values({ id: PROBE_ID, known_at: 0, details }).execute()
    await remove()
  })
}

/** Several addresses of one name fail as one error, whose parts have the codes. */
const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
