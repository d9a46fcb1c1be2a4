import { constants, createWriteStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SOURCE_IN_USE } from '../adapters/storage/migrations.ts'
import { copySqliteFile } from '../adapters/storage/sqlite/backup.ts'
import { isServed } from '../adapters/storage/sqlite/lock.ts'
import { withScratchFile } from '../adapters/storage/sqlite/scratch.ts'
import {
  copyRows,
  countAll,
  finishCopy,
  isReadOnly,
  sumRows,
} from '../adapters/storage/stores/copy.ts'
import type { Config } from './config.ts'
import { StartupError } from './startup-error.ts'
import { storeFileOf } from './wire.ts'

export type StorePlace = { readonly file: string } | { readonly databaseUrl: string }

/** The bytes of a file, by a pipe; `folder` is where they are kept meanwhile. */
export type StoreStream = { readonly stdin: Readable; readonly folder: string }

/** The store that the server uses. */
export const configuredPlace = (config: Config): StorePlace =>
  config.databaseUrl === null ? { file: storeFileOf(config) } : { databaseUrl: config.databaseUrl }

type OnProgress = (doing: 'copied' | 'checked', rows: number, of: number) => void

/**
 * Copies a store to an empty one, of either engine, or continues a copy that was interrupted, and
 * verifies it by count and checksum. `from` is not changed; none should write to it, so a server may use it only while
 * nothing may be changed in it. No server may use `to`. Returns the number of rows. Throws `StartupError`; no server
 * accepts `to` then.
 *
 * @param command is what is to be run again when it is interrupted.
 */
export async function copyStore(
  command: 'copy' | 'restore',
  from: StorePlace | StoreStream,
  to: StorePlace,
  onProgress: OnProgress,
): Promise<number> {
  if ('databaseUrl' in from) {
    return copyBetween(command, [from, 'the store to copy from'], to, onProgress)
  }
  const isFile = 'file' in from
  const folder = isFile ? dirname(from.file) : from.folder
  // What is read is also migrated: the version that made it must be able to read it again.
  return withScratchFile([folder, tmpdir()], async (file) => {
    const isInUse = isFile && (await takeFile(from.file, file))
    if (!isFile) await takeStream(from.stdin, file)
    const name = isFile ? from.file : 'what came on stdin'
    return copyBetween(command, [{ file }, name], to, onProgress, isInUse)
  })
}

/** Returns whether a server uses it. */
async function takeFile(source: string, file: string): Promise<boolean> {
  await access(source, constants.R_OK)
  if (!(await stat(source)).isFile()) {
    throw new StartupError(`${source} is no file; a pipe is read by: mapcrate-server restore -`)
  }
  // Before: a server that ends meanwhile may have saved something after the copy was made.
  const isInUse = await isServed(source)
  await copySqliteFile(source, file)
  return isInUse
}

const takeStream = (stdin: Readable, file: string): Promise<void> =>
  pipeline(stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }))

/**
 * @param name of what is copied from, for messages.
 * @param isInUse a server may save something in it from now on.
 */
async function copyBetween(
  command: 'copy' | 'restore',
  [from, name]: readonly [StorePlace, name: string],
  to: StorePlace,
  onProgress: OnProgress,
  isInUse = false,
): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const source = await open(name, from, 'read')
  opened.defer(source.close)
  if (isInUse && !(await isReadOnly(source.engine.db))) {
    throw new StartupError(`${name} cannot be used: ${SOURCE_IN_USE}`)
  }
  const target = await open('the store to copy to', to, command)
  opened.defer(target.close)

  // Awaited here: both are closed when this function is left.
  return await source.engine.read(async (snapshot) => {
    const all = await countAll(snapshot)
    const counter = (doing: 'copied' | 'checked', of: number) => {
      let done = 0
      return (rows: number) => onProgress(doing, Math.min(of, (done += rows)), of)
    }
    await copyRows(snapshot, target.engine, counter('copied', all)).catch((cause: unknown) => {
      if (!isConstraint(cause)) throw cause
      throw new StartupError(
        'what is in the store to copy to is of another copy: one that runs now, or one that was begun from another ' +
          'store; begin again with an empty store',
        { cause },
      )
    })
    const onChecked = counter('checked', 2 * all)
    const wanted = await sumRows(snapshot, onChecked)
    const copied = await sumRows(target.engine.db, onChecked)
    const wrong = wanted.find(
      ({ rows, hash }, at) => copied[at]?.rows !== rows || copied[at].hash !== hash,
    )
    if (wrong !== undefined) {
      throw new StartupError(
        `${wrong.table} is not the same in both: something has written since the copy began; ` +
          'begin again with an empty store',
      )
    }
    await target.finish()
    await finishCopy(target.engine)
    return all
  })
}

/** Does a row not fit to those that are there? By the codes of PostgreSQL and of SQLite. */
const isConstraint = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && String(error.code).startsWith('23')) ||
    ('errcode' in error && (Number(error.errcode) & 0xff) === SQLITE_CONSTRAINT))

const SQLITE_CONSTRAINT = 19

async function open(name: string, place: StorePlace, use: 'copy' | 'restore' | 'read') {
  const { openPostgresEnd, openSqliteEnd } = await import('../adapters/storage/postgres/copy.ts')
  try {
    if ('databaseUrl' in place) return await openPostgresEnd(place.databaseUrl, use)
    return await openSqliteEnd(place.file, use)
  } catch (error) {
    const cause = error as Error
    throw new StartupError(`${name} cannot be used: ${cause.message}`, { cause })
  }
}
