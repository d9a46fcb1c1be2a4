import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
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

/**
 * Processes that inherit the environment of this run (compilers, npm, programs of ours) keep their compiled code for the
 * next ones. In a folder of the run, as some of what they load is in folders of tests.
 */
export const keepCompiledCode = (): void => {
  if (process.env['NODE_COMPILE_CACHE']) return
  const folder = mkdtempSync(join(tmpdir(), 'mapcrate-compiled-'))
  process.env['NODE_COMPILE_CACHE'] = folder
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
}
