import { readFile } from 'node:fs/promises'
import type { Surroundings } from './surroundings.ts'
import { fileTrouble, Trouble } from './trouble.ts'

/** As much as any reader of a file takes. */
const MAX_BYTES = 64 * 1024 * 1024

/** All of stdin. */
export const readStdin = async (around: Surroundings): Promise<Uint8Array> => {
  const { stdin, signal, screen, platform } = around
  if (stdin.isTTY) {
    screen.note(`Paste, then press Enter and Ctrl+${platform === 'win32' ? 'Z, Enter' : 'D'}.`)
  }
  const parts: Buffer[] = []
  let length = 0
  const giveUp = (): void => void stdin.destroy()
  signal.addEventListener('abort', giveUp)
  try {
    for await (const part of stdin) {
      parts.push(Buffer.from(part as Uint8Array))
      length += (part as Uint8Array).length
      if (length > MAX_BYTES) throw new Trouble(`stdin has more than ${MAX_BYTES} bytes`)
    }
  } catch (error) {
    signal.throwIfAborted()
    throw error
  } finally {
    signal.removeEventListener('abort', giveUp)
  }
  signal.throwIfAborted()
  return Buffer.concat(parts)
}

/** A file whole; `-` is stdin. */
export const readInput = async (file: string, around: Surroundings): Promise<Uint8Array> => {
  if (file === '-') return readStdin(around)
  try {
    return await readFile(file)
  } catch (error) {
    throw fileTrouble(error, 'read', file)
  }
}
