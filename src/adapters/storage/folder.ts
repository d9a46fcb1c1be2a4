import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and those above it that are missing, one by one: Node's own `recursive` tries for ever where a folder
 * takes no other, as `/proc` does.
 *
 * @param mode of those that are made, whatever the umask; left out: as the umask has it.
 */
export async function makeFolder(path: string, mode?: number): Promise<void> {
  try {
    await makeOne(path, mode)
  } catch (error) {
    const above = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || above === path) throw error
    await makeFolder(above, mode)
    await makeOne(path, mode)
  }
}

/** One that is there, perhaps made by another process just now, stays as it is. */
async function makeOne(path: string, mode: number | undefined): Promise<void> {
  try {
    await mkdir(path, mode)
  } catch (error) {
    const found = await stat(path).catch(() => null)
    if (found?.isDirectory()) return
    throw error
  }
  if (mode !== undefined) await chmod(path, mode)
}
