import { existsSync } from 'node:fs'
import type { CopyEnd } from '../adapters/storage/postgres/copy.ts'
import {
  copyRows,
  countAll,
  finishCopy,
  isEmpty,
  isUnfinished,
  sumRows,
} from '../adapters/storage/stores/copy.ts'
import type { Config } from './config.ts'
import { StartupError } from './startup-error.ts'
import { storeFileOf } from './wire.ts'

/** Where a store is: a file, or a database by its address. */
export type StorePlace = { readonly file: string } | { readonly databaseUrl: string }

/** The store that the server uses. */
export const configuredPlace = (config: Config): StorePlace =>
  config.databaseUrl === null ? { file: storeFileOf(config) } : { databaseUrl: config.databaseUrl }

/** What is being done, and how much of it is done. */
export type CopyProgress = (doing: 'copied' | 'checked', rows: number, of: number) => void

const openEnd = async (place: StorePlace, missing: 'make' | 'refuse'): Promise<CopyEnd> => {
  const { openPostgresEnd, openSqliteEnd } = await import('../adapters/storage/postgres/copy.ts')
  if ('databaseUrl' in place) return openPostgresEnd(place.databaseUrl, missing)
  if (missing === 'refuse' && !existsSync(place.file)) throw new Error('there is no such file')
  return openSqliteEnd(place.file)
}

const open = (option: string, place: StorePlace, missing: 'make' | 'refuse'): Promise<CopyEnd> =>
  openEnd(place, missing).catch((cause: Error) => {
    throw new StartupError(`${option} cannot be used: ${cause.message}`, { cause })
  })

/**
 * Copies a whole store to one that is empty, of whichever engine, and checks by count and checksum
 * that all is there; or goes on with what was broken off. No server may use `to`; none should write
 * to `from`.
 *
 * @returns how many rows there are. Throws `StartupError`; `to` cannot be used by a server then.
 */
export const copyStore = async (
  from: StorePlace,
  to: StorePlace,
  onProgress: CopyProgress,
): Promise<number> => {
  await using opened = new AsyncDisposableStack()
  const source = await open('the store to copy from', from, 'refuse')
  opened.defer(source.close)
  const target = await open('the store to copy to', to, 'make')
  opened.defer(target.close)
  if (await isUnfinished(source.engine.db)) {
    throw new StartupError('the store to copy from holds a copy that was broken off itself')
  }
  if (!(await isUnfinished(target.engine.db)) && !(await isEmpty(target.engine.db))) {
    throw new StartupError('the store to copy to is not empty; name a new file or a new database')
  }

  // Both are closed as soon as this is left.
  return await source.engine.read(async (snapshot) => {
    const all = await countAll(snapshot)
    const counter = (doing: 'copied' | 'checked', of: number) => {
      let done = 0
      return (rows: number) => onProgress(doing, Math.min(of, (done += rows)), of)
    }
    await copyRows(snapshot, target.engine, counter('copied', all))
    const onChecked = counter('checked', 2 * all)
    const there = await sumRows(snapshot, onChecked)
    const here = await sumRows(target.engine.db, onChecked)
    const wrong = there.find(
      ({ rows, hash }, at) => here[at]?.rows !== rows || here[at].hash !== hash,
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
