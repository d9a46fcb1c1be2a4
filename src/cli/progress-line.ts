import { cutToWidth } from './text-width.ts'

export const CLEAR = '\r\u001B[K'
/** A file gets every thirtieth text: a line a second would be too many. */
const TEXTS_PER_LINE = 30

type Stream = {
  readonly isTTY?: boolean
  readonly columns?: number | undefined
  write(text: string): unknown
}

/** Shows the progress of long work: on a terminal in one line, elsewhere as a line now and then. */
export function progressLine(stream: Stream) {
  let texts = 0
  let isShown = false
  // Of a text that went on in a second line, the first one could not be cleared.
  const fitting = (text: string): string =>
    stream.columns ? cutToWidth(text, stream.columns - 1) : text
  return {
    show: (text: string): void => {
      if (stream.isTTY) stream.write(CLEAR + fitting(text))
      else if (texts++ % TEXTS_PER_LINE === 0) stream.write(`${text}\n`)
      isShown = true
    },
    end: (): void => {
      if (stream.isTTY && isShown) stream.write(CLEAR)
      isShown = false
    },
  }
}
