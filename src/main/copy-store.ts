import { constants, createWriteStream } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SOURCE_IN_USE } from '../adapters/storage/migrations.ts'
import { copySqliteFile } from '../adapters/storage/sqlite/backup.ts'
import { isReadOnlyFile, isServed } from '../adapters/storage/sqlite/lock.ts'
import { withScratchFile } from '../adapters/storage/sqlite/scratch.ts'
import {
  copyRows,
  countAll,
  finishCopy,
  isReadOnly,
  type Sum,
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

/** The copy goes on when what it returns is done. */
type OnProgress = (doing: 'copied' | 'checked', rows: number, of: number) => unknown

/** Throws when something was or may be saved in the source that the copy, of which these are the sums, lacks. */
type Recheck = (wasReadOnly: boolean, sums: readonly Sum[]) => Promise<void>

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
    const name = 'the store to copy from'
    const before = await writesIn(from.databaseUrl, name)
    const recheck: Recheck = async (wasReadOnly, sums) => {
      const after = await writesIn(from.databaseUrl, name)
      if (wasReadOnly || (after !== null && after === before)) return
      if (differing(sums, await sumsOf(from, name)) !== undefined) throw changed(name)
      await writesIn(from.databaseUrl, name)
    }
    return copyBetween(command, [from, name], to, onProgress, recheck)
  }
  const isFile = 'file' in from
  const folder = isFile ? dirname(from.file) : from.folder
  // What is read is also migrated: the version that made it must be able to read it again.
  return withScratchFile([folder, tmpdir()], async (file) => {
    if (!isFile) {
      await takeStream(from.stdin, file)
      return copyBetween(command, [{ file }, 'what came on stdin'], to, onProgress, async () => {})
    }
    const { isInUse, recheck } = await takeFile(from.file, file)
    return copyBetween(command, [{ file }, from.file], to, onProgress, recheck, isInUse)
  })
}

/** As `countWrites`; throws if a server may save something in it. */
async function writesIn(url: string, name: string): Promise<string | null> {
  const { checkPostgresStore } = await import('../adapters/storage/postgres/migrations.ts')
  const { countWrites } = await import('../adapters/storage/postgres/copy.ts')
  await checkPostgresStore(url).catch(refusal(name))
  return countWrites(url)
}

async function sumsOf(place: StorePlace, name: string): Promise<readonly Sum[]> {
  await using opened = new AsyncDisposableStack()
  const { engine, close } = await open(name, place, 'read')
  opened.defer(close)
  return await engine.read((snapshot) => sumRows(snapshot))
}

/** The first table that is not the same in both. */
const differing = (wanted: readonly Sum[], found: readonly Sum[]): string | undefined =>
  wanted.find(({ rows, hash }, at) => found[at]?.rows !== rows || found[at].hash !== hash)?.table

async function takeFile(source: string, file: string) {
  await access(source, constants.R_OK)
  if (!(await stat(source)).isFile()) {
    throw new StartupError(`${source} is no file; a pipe is read by: mapcrate-server restore -`)
  }
  // Before: a server that ends meanwhile may have saved something after the copy was made.
  const isInUse = await isServed(source)
  const before = await stateOf(source)
  await copySqliteFile(source, file)
  const recheck: Recheck = async (wasReadOnly) => {
    if ((await isServed(source)) && !(await isReadOnlyFile(source))) throw changeable(source)
    // A server in which nothing may be changed writes, but nothing that is copied.
    if (!wasReadOnly && (await stateOf(source)) !== before) throw changed(source)
  }
  return { isInUse, recheck }
}

const changeable = (name: string) => new StartupError(`${name} cannot be used: ${SOURCE_IN_USE}`)

const changed = (name: string) =>
  new StartupError(
    `${name} has changed since the copy began; stop what uses it, and begin again with an empty store`,
  )

/** Another text once anything was saved in the file. An empty log counts as none: opening the file creates one. */
async function stateOf(file: string): Promise<string> {
  const path = await realpath(file)
  const { ino, size, mtimeMs } = await stat(path)
  const log = await stat(`${path}-wal`).catch(() => null)
  return [ino, size, mtimeMs, log?.size ?? 0].join(' ')
}

const takeStream = (stdin: Readable, file: string): Promise<void> =>
  pipeline(stdin, createWriteStream(file, { flags: 'wx', mode: 0o600 }))

/**
 * @param name of what is copied from, for messages.
 * @param recheck is called when all is copied, before the copy may be used.
 * @param isInUse a server may save something in it from now on.
 */
async function copyBetween(
  command: 'copy' | 'restore',
  [from, name]: readonly [StorePlace, name: string],
  to: StorePlace,
  onProgress: OnProgress,
  recheck: Recheck,
  isInUse = false,
): Promise<number> {
  await using opened = new AsyncDisposableStack()
  const reading = opened.use(new AsyncDisposableStack())
  const source = await open(name, from, 'read')
  reading.defer(source.close)
  const wasReadOnly = await isReadOnly(source.engine.db)
  if (isInUse && !wasReadOnly) throw changeable(name)
  const target = await open('the store to copy to', to, command)
  opened.defer(target.close)

  const { rows, sums } = await source.engine.read(async (snapshot) => {
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
    const sums = await sumRows(snapshot, onChecked)
    const wrong = differing(sums, await sumRows(target.engine.db, onChecked))
    if (wrong !== undefined) {
      throw new StartupError(
        `${wrong} is not the same in both: something has written since the copy began; ` +
          'begin again with an empty store',
      )
    }
    return { rows: all, sums }
  })
  // A database tells our own connections from those of others only once they are closed.
  await reading.disposeAsync()
  await recheck(wasReadOnly, sums)
  await target.finish()
  await finishCopy(target.engine)
  return rows
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
    return refusal(name)(error as Error)
  }
}

const refusal =
  (name: string) =>
  (cause: Error): never => {
    throw new StartupError(`${name} cannot be used: ${cause.message}`, { cause })
  }
