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
import { isMissing, storeFileOf } from './wire.ts'

export type StorePlace = { readonly file: string } | { readonly databaseUrl: string }

/** The store that the server uses. */
export const configuredPlace = (config: Config): StorePlace =>
  config.databaseUrl === null ? { file: storeFileOf(config) } : { databaseUrl: config.databaseUrl }

/**
 * Copies a store to an empty one, of either engine, or continues a copy that was interrupted, and
 * verifies it by count and checksum. No server may use `to`; none should write to `from`. Returns the
 * number of rows. Throws `StartupError`; no server accepts `to` then.
 */
export async function copyStore(
  from: StorePlace,
  to: StorePlace,
  onProgress: (doing: 'copied' | 'checked', rows: number, of: number) => void,
): Promise<number> {
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

  // Awaited here: both are closed when this function is left.
  return await source.engine.read(async (snapshot) => {
    const all = await countAll(snapshot)
    const counter = (doing: 'copied' | 'checked', of: number) => {
      let done = 0
      return (rows: number) => onProgress(doing, Math.min(of, (done += rows)), of)
    }
    await copyRows(snapshot, target.engine, counter('copied', all))
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

async function open(name: string, place: StorePlace, missing: 'make' | 'refuse') {
  const { openPostgresEnd, openSqliteEnd } = await import('../adapters/storage/postgres/copy.ts')
  try {
    if ('databaseUrl' in place) return await openPostgresEnd(place.databaseUrl, missing)
    if (missing === 'make' || !isMissing(place.file)) return await openSqliteEnd(place.file)
    throw new Error('there is no such file')
  } catch (error) {
    const cause = error as Error
    throw new StartupError(`${name} cannot be used: ${cause.message}`, { cause })
  }
}
