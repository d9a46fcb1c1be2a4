const CLEAR = '\r\u001B[K'
/** Elsewhere than on a terminal; nobody reads a line a second in a file. */
const TEXTS_PER_LINE = 30

/**
 * Shows how far long work has come: on a terminal one line, rewritten for each text; elsewhere one text
 * in thirty.
 *
 * @param stream stderr, so that only results are on stdout.
 */
export function progressLine(stream: { readonly isTTY?: boolean; write(text: string): unknown }) {
  let shown = 0
  return {
    show: (text: string): void => {
      if (stream.isTTY) stream.write(CLEAR + text)
      else if (shown++ % TEXTS_PER_LINE === 0) stream.write(`${text}\n`)
    },
    /** Removes the line from a terminal. */
    end: (): void => {
      if (stream.isTTY) stream.write(CLEAR)
    },
  }
}
