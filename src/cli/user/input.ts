import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { CliError } from '../program.ts'
import { fileError } from './errors.ts'
import type { CliContext } from './user-command.ts'

const ENTER = /[\r\n]/
const ERASE = /[\u007F\b]/
const INTERRUPT = '\u0003'
const END = '\u0004'

const noAnswer = (): CliError => new CliError('there was no answer')

/** A line, as the terminal shows it while it is typed. */
export const askLine = (question: string, around: CliContext): Promise<string> => {
  const { stdin, screen, signal } = around
  screen.prompt(question)
  // Without readline's own handling of the terminal, which would take Ctrl+C away.
  const lines = createInterface({ input: stdin, terminal: false })
  return new Promise((resolve, reject) => {
    const interrupted = (): void => finish(() => reject(signal.reason as Error))
    const finish = (then: () => void): void => {
      signal.removeEventListener('abort', interrupted)
      lines.removeAllListeners('close')
      lines.close()
      stdin.pause()
      then()
    }
    signal.addEventListener('abort', interrupted)
    lines.once('line', (line) => finish(() => resolve(line.trim())))
    lines.once('close', () => finish(() => reject(noAnswer())))
  })
}

/** A line that nobody should see: the terminal shows nothing of it. */
export const askSecret = (question: string, around: CliContext): Promise<string> => {
  const { stdin, screen, signal, interrupt } = around
  // First of all: whoever sees the question may type.
  stdin.setRawMode(true)
  screen.prompt(question)
  stdin.setEncoding('utf8')
  let typed = ''
  return new Promise((resolve, reject) => {
    const interrupted = (): void => finish(() => reject(signal.reason as Error))
    const finish = (then: () => void): void => {
      signal.removeEventListener('abort', interrupted)
      stdin.off('data', take)
      stdin.off('end', ended)
      stdin.setRawMode(false)
      stdin.pause()
      screen.prompt('\n')
      then()
    }
    const ended = (): void => finish(() => reject(noAnswer()))
    const take = (text: string): void => {
      for (const letter of text) {
        if (letter === INTERRUPT) return interrupt()
        if (letter === END) return ended()
        if (ENTER.test(letter)) return finish(() => resolve(typed.trim()))
        typed = ERASE.test(letter) ? typed.slice(0, -1) : typed + letter
      }
    }
    signal.addEventListener('abort', interrupted)
    stdin.on('data', take)
    stdin.on('end', ended)
    stdin.resume()
  })
}

/** One of the letters; an empty answer is the last of them. Needs a terminal to ask on. */
export const askLetter = async <L extends string>(
  question: string,
  letters: readonly L[],
  around: CliContext,
): Promise<L> => {
  if (!around.stdin.isTTY) throw new CliError('there is no terminal to ask on; say --yes', 'misuse')
  const last = letters.at(-1) as L
  const shown = letters.map((each) => (each === last ? each.toUpperCase() : each)).join('/')
  for (;;) {
    const answer = (await askLine(`${question} [${shown}] `, around)).toLowerCase()
    const letter = letters.find((each) => each === (answer === '' ? last : answer.charAt(0)))
    if (letter !== undefined) return letter
  }
}

/** Asks whether to go on. Needs a terminal to ask on. */
export const confirm = async (question: string, around: CliContext): Promise<boolean> =>
  (await askLetter(question, ['y', 'n'], around)) === 'y'

/** As much as any reader of a file takes. */
const MAX_BYTES = 64 * 1024 * 1024

/** All of stdin. */
export const readStdin = async (around: CliContext): Promise<Uint8Array> => {
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
      if (length > MAX_BYTES) throw new CliError(`stdin has more than ${MAX_BYTES} bytes`)
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
export const readInput = async (file: string, around: CliContext): Promise<Uint8Array> => {
  if (file === '-') return readStdin(around)
  try {
    return await readFile(file)
  } catch (error) {
    throw fileError(error, 'read', file)
  }
}
