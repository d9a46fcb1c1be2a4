import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Trouble } from '../trouble.ts'

const NAME = '.mapcrate-sync.lock'

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It runs, and is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Nobody else syncs the folder meanwhile: two at once would save each file twice. */
export const withLock = async (folder: string, work: () => Promise<void>): Promise<void> => {
  const file = join(folder, NAME)
  const take = (): Promise<void> => writeFile(file, `${process.pid}\n`, { flag: 'wx' })
  try {
    await take()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new Trouble(`${folder} cannot be written: ${message}`)
    const pid = Number(await readFile(file, 'utf8').catch(() => ''))
    if (pid > 0 && isRunning(pid)) {
      throw new Trouble(
        `${folder} is being synced already, by process ${pid}; if not, delete ${file}`,
      )
    }
    // Whoever had it was killed.
    await rm(file, { force: true })
    await take()
  }
  try {
    await work()
  } finally {
    await rm(file, { force: true })
  }
}
