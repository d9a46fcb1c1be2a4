/* oxlint-disable eslint/no-underscore-dangle -- what Node keeps on its sockets is named so. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

// Internals of Node's HTTP server that its typings leave out; the tests of connections cover each of them.

/** Node's HTTP parser of one socket. */
export type HttpParser = {
  onIncoming: (request: IncomingMessage & { upgrade?: boolean }, keepAlive: boolean) => number
  /** Returns how many bytes were parsed, or an error. */
  execute?: (chunk: Buffer) => number | Error
  /** The chunk that was parsed last. */
  readonly getCurrentBuffer: () => Buffer
  readonly resume: () => void
  /** Removes it from the list by which the server finds requests that took too long. */
  readonly remove: () => void
  /** Resets it; `connections` is that list. */
  readonly initialize: (
    kind: number,
    resource: object,
    maxHeaderSize: number,
    leniency: number,
    connections: unknown,
  ) => void
  /** `kOnExecute`: where it keeps what is called after each chunk that it reads from the socket by itself. */
  readonly constructor: {
    readonly REQUEST: number
    readonly kLenientNone: number
    readonly kOnExecute: 5
  }
  5: (parsed: number | Error) => void
}

/** A socket that Node serves HTTP on, with properties that its typings omit. */
export type HttpSocket = Socket & {
  readonly parser: HttpParser | null
  /** The response in progress. */
  readonly _httpMessage?: ServerResponse | null
  /** Node itself has stopped the parser until the socket drains. */
  readonly _paused: boolean
}

/** An error of the HTTP parser; the last two are set for syntax errors. */
export type ParserError = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

/** Calls back after each chunk that the parser reads from the socket by itself, with how much of it was parsed. */
export function whenExecuted(
  parser: HttpParser,
  work: (chunk: Buffer, parsed: number) => void,
): void {
  const at = parser.constructor.kOnExecute
  const onExecute = parser[at]
  parser[at] = (parsed) => {
    if (typeof parsed === 'number') work(parser.getCurrentBuffer(), parsed)
    onExecute(parsed)
  }
}

/** Resets a parser, which the server still watches for requests that take too long. */
export function renewParser(server: Server, parser: HttpParser, socket: Socket): void {
  const { REQUEST, kLenientNone } = parser.constructor
  parser.remove()
  const resource = { type: 'HTTPINCOMINGMESSAGE', socket }
  parser.initialize(REQUEST, resource, 0, kLenientNone, watchedBy(server))
}

/**
 * Lets `server` close its connections by what is said here. Returns what is to be called with a socket whose client
 * asked for a tunnel, and with the stream that Node gives in its place: Node itself no longer watches that one, though
 * it may stand behind a response that its client does not read.
 */
export function watchConnections(server: Server): (socket: Socket, stream: Duplex) => void {
  const tunnels = new Set<Socket>()
  const closeAll = server.closeAllConnections.bind(server)
  server.closeIdleConnections = () => closeIdle(server)
  server.closeAllConnections = () => {
    closeAll()
    for (const socket of tunnels) socket.destroy()
  }
  return (socket, stream) => {
    stream.on('error', () => socket.destroy())
    socket.on('timeout', () => socket.destroy())
    tunnels.add(socket)
    socket.once('close', () => tunnels.delete(socket))
  }
}

/**
 * Closes the connections on which nothing is in work. Node's own function also closes those whose response has not been
 * sent to its end.
 */
function closeIdle(server: Server): void {
  for (const { socket } of watchedBy(server)?.idle() ?? []) {
    if (!socket._httpMessage && socket.writableLength === 0) socket.destroy()
  }
}

/** The connections that a server watches; undefined before it listens. */
type Watched = { readonly idle: () => readonly { readonly socket: HttpSocket }[] } | undefined

function watchedBy(server: Server): Watched {
  const list = Object.getOwnPropertySymbols(server).find(
    ({ description }) => description === 'http.server.connections',
  )
  return list && (server as unknown as Record<symbol, Watched>)[list]
}
