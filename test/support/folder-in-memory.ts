import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Every temporary folder of this run goes where Linux keeps files in memory, where there is room: a store
 * waits for the disk at each commit, a test need not. TMPDIR goes first.
 */
export const useFolderInMemory = (): void => {
  if (process.env['TMPDIR'] || !existsSync('/dev/shm')) return
  const { bavail, bsize } = statfsSync('/dev/shm')
  if (bavail * bsize < 4 * 2 ** 30) return
  const folder = mkdtempSync(join('/dev/shm', 'mapcrate-test-'))
  // The user that PostgreSQL runs as has to pass through.
  chmodSync(folder, 0o711)
  process.env['TMPDIR'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
