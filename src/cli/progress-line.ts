/** A line that tells how far long work has come, and goes away with it. */
export type ProgressLine = { readonly show: (text: string) => void; readonly end: () => void }

const CLEAR = '\r\u001B[K'
/** In a file, a line each second would be read by nobody. */
const SHOWINGS_BETWEEN_LINES = 30

/**
 * A progress line on a terminal, rewritten each time; elsewhere one line in thirty.
 *
 * @param stream stderr, so that what was asked for stays alone on stdout.
 */
export const progressLine = (stream: {
  readonly isTTY?: boolean
  write(text: string): unknown
}): ProgressLine => {
  let shown = 0
  const rewrite = (text: string) => stream.write(CLEAR + text)
  const append = (text: string) => {
    if (shown++ % SHOWINGS_BETWEEN_LINES === 0) stream.write(`${text}\n`)
  }
  return stream.isTTY
    ? { show: rewrite, end: () => stream.write(CLEAR) }
    : { show: append, end: () => {} }
}
