import { loadConfig } from '../main/config.ts'
import type { StorePlace } from '../main/copy-store.ts'
import { progressLine } from './progress-line.ts'

const percent = (part: number, whole: number): number =>
  whole === 0 ? 100 : Math.floor((100 * part) / whole)

/**
 * Copies a store to the other, or to the one that is configured when that is null, and shows how far
 * it has come.
 */
export const copyWithProgress = async (from: StorePlace, to: StorePlace | null): Promise<void> => {
  // Help and misuse are told without the database's drivers in memory.
  const { copyStore, configuredPlace } = await import('../main/copy-store.ts')
  const line = progressLine(process.stderr)
  let shown = ''
  try {
    const rows = await copyStore(from, to ?? configuredPlace(loadConfig()), (doing, done, of) => {
      const text = `${percent(done, of)} % ${doing}`
      if (text !== shown) line.show(text)
      shown = text
    })
    line.end()
    process.stdout.write(`${rows} rows copied, and the same in both\n`)
  } catch (error) {
    line.end()
    throw error
  }
}
