export const CLEAR = '\r\u001B[K'
/** A file gets every thirtieth text: a line a second would be too many. */
const TEXTS_PER_LINE = 30

/** Shows the progress of long work: on a terminal in one line, elsewhere as a line now and then. */
export function progressLine(stream: { readonly isTTY?: boolean; write(text: string): unknown }) {
  let shown = 0
  return {
    show: (text: string): void => {
      if (stream.isTTY) stream.write(CLEAR + text)
      else if (shown++ % TEXTS_PER_LINE === 0) stream.write(`${text}\n`)
    },
    end: (): void => {
      if (stream.isTTY) stream.write(CLEAR)
    },
  }
}
