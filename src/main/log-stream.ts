const GATHER_MS = 50
const GATHER_CHARACTERS = 65_536

/**
 * Takes log lines to stderr in batches: a write for each request would cost more than the request.
 * The last batch is written when the process exits; `kill -9` can lose 50 ms of lines.
 */
export const openLogStream = (): { write(line: string): void } => {
  let held = ''
  let timer: NodeJS.Timeout | null = null

  const flush = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    const lines = held
    held = ''
    if (lines !== '') process.stderr.write(lines)
  }

  process.on('exit', flush)
  // Whoever read the log is gone: that is no reason to stop serving.
  process.stderr.on('error', () => {})
  return {
    write(line) {
      held += line
      if (held.length >= GATHER_CHARACTERS) flush()
      else timer ??= setTimeout(flush, GATHER_MS).unref()
    },
  }
}
