import { rmSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What ends a command from outside, and the number that its exit code is counted from. */
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 } as const

/**
 * Gives a name for a file that is needed for a moment and is as large as the store; it is removed
 * afterwards, when a signal ends the command too. Where the store is, there is room for it;
 * the folder for temporary files may be memory.
 */
export const withScratchFile = async <T>(
  dataDir: string,
  use: (file: string) => Promise<T>,
): Promise<T> => {
  const prefix = '.mapcrate-scratch-'
  const folder = await mkdtemp(join(dataDir, prefix)).catch(() => mkdtemp(join(tmpdir(), prefix)))
  const onSignal = (signal: keyof typeof signals): void => {
    rmSync(folder, { recursive: true, force: true })
    process.exit(128 + signals[signal])
  }
  const names = Object.keys(signals) as (keyof typeof signals)[]
  for (const name of names) process.on(name, onSignal)
  try {
    return await use(join(folder, 'mapcrate.db'))
  } finally {
    for (const name of names) process.off(name, onSignal)
    await rm(folder, { recursive: true, force: true })
  }
}
