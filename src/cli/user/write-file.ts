import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Where a link leads to is written, not the link. */
const targetOf = (file: string): Promise<string> => realpath(file).catch(() => file)

const modeOf = async (file: string, usual: number): Promise<number> =>
  (await stat(file).catch(() => null))?.mode ?? usual

/**
 * Writes a file whole or not at all: whoever reads it meanwhile, or after a power cut, finds what was
 * there before or what is there now. A file that is there keeps its mode.
 *
 * @param mode of a new file; `only` gives it to one that is there, too.
 */
export const writeWhole = async (
  file: string,
  content: string | Uint8Array,
  mode: { readonly usual: number } | { readonly only: number } = { usual: 0o666 },
): Promise<void> => {
  const target = await targetOf(file)
  const bits = 'only' in mode ? mode.only : await modeOf(target, mode.usual)
  const beside = join(dirname(target), `.mapcrate-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(beside, 'wx', bits & 0o777)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(beside, target)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}
