import { createInterface } from 'node:readline'
import { CliError, usageError } from '../program.ts'
import { MAX_FILE_BYTES, readWhole, tooLarge } from './files.ts'
import type { CliContext } from './user-command.ts'

const ENTER = /[\r\n]/
const ERASE = /[\u007F\b]/
const INTERRUPT = '\u0003'
const END = '\u0004'

/** A line, as the terminal shows it while it is typed. */
export async function askLine(question: string, context: CliContext): Promise<string> {
  const { screen, stdin } = context
  screen.prompt(question)
  // Without readline's own handling of the terminal, which would take Ctrl+C away.
  const lines = createInterface({ input: stdin, terminal: false })
  try {
    return await readAnswer(context, (answer, end) => {
      lines.once('line', answer)
      lines.once('close', end)
      return () => lines.close()
    })
  } catch (error) {
    // Nobody has pressed Enter.
    screen.prompt('\n')
    throw error
  }
}

/** A line that the terminal does not show. */
export function askSecret(question: string, context: CliContext): Promise<string> {
  const { stdin, screen, interrupt } = context
  // Before the question is visible: the user may type as soon as it is.
  stdin.setRawMode(true)
  screen.prompt(question)
  stdin.setEncoding('utf8')
  let typed = ''
  return readAnswer(context, (answer, end) => {
    const read = (text: string): void => {
      for (const letter of text) {
        if (letter === INTERRUPT) return interrupt()
        if (letter === END) return end()
        if (ENTER.test(letter)) return answer(typed)
        typed = ERASE.test(letter) ? typed.slice(0, -1) : typed + letter
      }
    }
    stdin.on('data', read).on('end', end).resume()
    return () => {
      stdin.off('data', read).off('end', end).setRawMode(false)
      screen.prompt('\n')
    }
  })
}

/** @param listen calls `answer` or `end`; returns a function that stops it. */
async function readAnswer(
  { stdin, signal }: CliContext,
  listen: (answer: (text: string) => void, end: () => void) => () => void,
): Promise<string> {
  let stop = (): void => {}
  try {
    return await new Promise((resolve, reject) => {
      const interrupted = (): void => reject(signal.reason as Error)
      signal.addEventListener('abort', interrupted)
      const stopListening = listen(
        (text) => resolve(text.trim()),
        () => reject(new CliError('there was no answer')),
      )
      stop = () => {
        signal.removeEventListener('abort', interrupted)
        stopListening()
      }
    })
  } finally {
    stop()
    stdin.pause()
  }
}

/** @param option that answers in advance. */
export function insistOnTerminal({ stdin }: CliContext, option = '--yes'): void {
  if (!stdin.isTTY) throw usageError(`there is no terminal to ask on; say ${option}`)
}

/** One of the letters, on a terminal; an empty answer is the last of them. */
export async function askLetter<L extends string>(
  question: string,
  letters: readonly L[],
  context: CliContext,
): Promise<L> {
  insistOnTerminal(context)
  const last = letters.at(-1) as L
  const shown = letters.map((each) => (each === last ? each.toUpperCase() : each)).join('/')
  for (;;) {
    const answer = (await askLine(`${question} [${shown}] `, context)).toLowerCase()
    const letter = letters.find((each) => each === (answer === '' ? last : answer.charAt(0)))
    if (letter !== undefined) return letter
  }
}

async function confirm(question: string, context: CliContext): Promise<boolean> {
  return (await askLetter(question, ['y', 'n'], context)) === 'y'
}

/**
 * Asks before something is done, unless `--yes` is given.
 *
 * @param refusal what the command ends with if the answer is no.
 */
export async function insistOnConsent(
  question: string,
  refusal: string,
  context: CliContext,
): Promise<void> {
  if (context.options.has('yes') || (await confirm(question, context))) return
  throw new CliError(refusal)
}

export async function readStdin(context: CliContext): Promise<Uint8Array> {
  const { stdin, signal, screen, platform } = context
  if (stdin.isTTY) {
    screen.note(`Paste, then press Enter and Ctrl+${platform === 'win32' ? 'Z, Enter' : 'D'}.`)
  }
  const parts: Buffer[] = []
  let length = 0
  const giveUp = (): void => void stdin.destroy()
  signal.addEventListener('abort', giveUp)
  try {
    for await (const part of stdin as AsyncIterable<Buffer>) {
      parts.push(part)
      length += part.length
      if (length > MAX_FILE_BYTES) throw new CliError(tooLarge('stdin'))
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

/** The content of a file; `-` is stdin. */
export function readInput(file: string, context: CliContext): Promise<Uint8Array> {
  return file === '-' ? readStdin(context) : readWhole(file)
}
