import { once } from 'node:events'
import { connect } from 'node:net'
import { Stopwatch } from '../support/stopwatch.ts'

/** An answer as it came over the wire. */
export type RawAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** ms until the server closed the connection, as `Stopwatch` counts them. */
  readonly ms: number
}

/** Sends bytes as they are and gives everything that came until the server closed the connection. */
export const sendRaw = async (
  url: string,
  ...parts: readonly (string | Buffer)[]
): Promise<RawAnswer[]> => {
  const watch = new Stopwatch()
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  for (const part of parts) socket.write(part)
  await once(socket, 'close')
  return parseAnswers(Buffer.concat(chunks).toString('utf8'), watch.stop())
}

const parseAnswers = (text: string, ms: number): RawAnswer[] => {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest.startsWith('HTTP/')) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const status = Number(first.split(' ')[1])
    const length = status === 100 ? 0 : Number(headers['content-length'] ?? 0)
    const body = Buffer.from(rest.slice(end + 4))
      .subarray(0, length)
      .toString('utf8')
    answers.push({ status, headers, body, ms })
    rest = rest.slice(end + 4 + body.length)
  }
  return answers
}
