import { connect } from 'node:net'

const WARM_UP_MS = 1_000

/** One request as it goes over the wire. */
export const rawRequest = (method: string, path: string, key: string, body?: string): Buffer =>
  Buffer.from(
    [
      `${method} ${path} HTTP/1.1`,
      'host: bench',
      `authorization: Bearer ${key}`,
      ...(body === undefined
        ? []
        : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
      '',
      body ?? '',
    ].join('\r\n'),
  )

export type LoadResult = {
  readonly perSecond: number
  readonly answered: number
  readonly refused: number
  /** How long the slowest of a hundred took, ms. */
  readonly p99: number
  /** What came over the wire. */
  readonly bytes: number
}

/**
 * Keeps `connections` busy for a while, one request at a time on each. Never sleeps meanwhile: to
 * wake a sleeping process costs the server that answers it, the slower server more often.
 *
 * @param next the next request to send.
 * @param mayRest sleep nevertheless, for others on this core.
 * @param most ends when so many are answered.
 */
export const load = async (
  port: number,
  connections: number,
  ms: number,
  next: () => Buffer,
  mayRest = false,
  most = Infinity,
): Promise<LoadResult> => {
  let isOver = false
  let answered = 0
  let refused = 0
  let bytes = 0
  const times: number[] = []
  const stayAwake = (): void => {
    if (!isOver) setImmediate(stayAwake)
  }
  const drive = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let missing = -1
      let sentAt = 0
      const send = (): void => {
        sentAt = performance.now()
        socket.write(next())
      }
      socket.setNoDelay(true)
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed a connection')))
      socket.on('connect', send)
      socket.on('data', (chunk: Buffer) => {
        if (missing < 0) {
          const end = chunk.indexOf('\r\n\r\n')
          const head = chunk.toString('latin1', 0, end).toLowerCase()
          if (!head.startsWith('http/1.1 20')) refused += 1
          missing = end + 4 + Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0)
        }
        missing -= chunk.length
        bytes += chunk.length
        if (missing > 0) return
        missing = -1
        answered += 1
        times.push(performance.now() - sentAt)
        isOver ||= answered + connections > most
        if (isOver) {
          socket.destroy()
          resolve()
        } else {
          send()
        }
      })
    })
  const begun = performance.now()
  if (!mayRest) stayAwake()
  const ending = setTimeout(() => (isOver = true), ms)
  await Promise.all(Array.from({ length: connections }, drive))
  clearTimeout(ending)
  const perSecond = answered / ((performance.now() - begun) / 1000)
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? Number.NaN
  return { perSecond, answered, refused, p99, bytes }
}

/** Sends at least this many of the requests: what a server does for each key but once is done then. */
export const warmUp = async (
  port: number,
  connections: number,
  count: number,
  next: () => Buffer,
): Promise<void> => {
  for (let answered = 0; answered < count;) {
    answered += (await load(port, connections, WARM_UP_MS, next)).answered
  }
}
