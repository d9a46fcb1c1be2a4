/* oxlint-disable eslint/no-underscore-dangle -- what Node keeps on its sockets is named so. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { Lifecycle } from './wire.ts'
import {
  type HttpParser,
  type HttpSocket,
  type ParserError,
  renewParser,
  watchConnections,
  whenExecuted,
} from './parser.ts'
import {
  askForBodyWhenRead,
  createResponseClass,
  DISCARDED_BYTES,
  type WireAnswers,
} from './wire.ts'

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 12_000

/** Of the server, with and without TLS: slow senders are disconnected, and every error response is ours. */
const limits = {
  requireHostHeader: false,
  connectionsCheckingInterval: 1000,
  headersTimeout: 10_000,
  requestTimeout: REQUEST_TIMEOUT_MS,
  // Longer than proxies keep theirs, so that none sends a request while it is closed.
  keepAliveTimeout: 72_000,
}

/** After so long without traffic, during a request or response, the connection is closed. */
const CONNECTION_TIMEOUT_MS = 30_000

/** How long a client may still send after a closing response, so that it can read the response. */
const LINGER_MS = 5000

/** Returned to Node's HTTP parser, pauses it after the headers of a request (`HPE_PAUSED` of llhttp). */
const PAUSE_PARSER = 21

type ConnectionOptions = {
  /** Responses to invalid requests. */
  readonly answers: WireAnswers
  /** While the process drains, every response closes its connection. */
  readonly lifecycle: Lifecycle
  /** PEM texts; left out where a proxy speaks TLS. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key'> | undefined
}

/**
 * Creates the HTTP server for `listener`. Each socket has one active request (D-56): a pipelined request
 * waits, parsed, until the responses before it are written, and what follows it stays unread. So nothing
 * is executed after a response that closes the connection (RFC 9112, 9.6), and a client that does not
 * read its responses cannot cause more.
 */
export const createConnections = (
  listener: RequestListener,
  { answers, lifecycle, tls }: ConnectionOptions,
): Server => {
  const connections = new WeakMap<object, Connection>()

  const Response = createResponseClass(lifecycle, (request, socket) =>
    connections.get(socket)?.discardBodyOf(request),
  )
  const options = { ...limits, ServerResponse: Response }
  const server = tls
    ? createTlsServer({ ...tls, ...options, handshakeTimeout: 10_000 })
    : createServer(options)
  server.setTimeout(CONNECTION_TIMEOUT_MS)
  // Who has ended its side may still read answers; of headers, Node would drop those after the first 1,000.
  Object.assign(server, { httpAllowHalfOpen: true, maxHeadersCount: 0 })
  const watchTunnel = watchConnections(server)

  const connectionOf = (socket: object): Connection => connections.get(socket) as Connection

  /** Calls `start` when the earlier responses on the socket are written. */
  const queued =
    (start: RequestListener<typeof IncomingMessage, typeof Response>) =>
    (request: IncomingMessage, response: InstanceType<typeof Response>): void => {
      if (response.socket !== null) start(request, response)
      else connectionOf(request.socket).wait(response, () => start(request, response))
    }

  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, new Connection(socket as HttpSocket, server))
  })
  server.on('request', queued(listener) as RequestListener)
  // For Node, one that names more beside it is the first of the two (RFC 9110, 10.1.1).
  for (const event of ['checkContinue', 'checkExpectation']) {
    server.on(
      event,
      queued((request, response) => {
        if (!/^100-continue$/i.test(request.headers.expect ?? '')) {
          void answers.refuseExpectation(request, response)
          return
        }
        askForBodyWhenRead(request, response)
        listener(request, response)
      }) as RequestListener,
    )
  }
  // While a request is not whole, Node hands over another stream in place of its socket.
  server.on('connect', ({ socket }, stream) => {
    watchTunnel(socket, stream)
    connectionOf(socket).refuse(() => answers.textFor('CONNECT', socket))
  })
  server.on('clientError', (error: ParserError, socket) => {
    const connection = connections.get(socket)
    // A failed TLS handshake.
    if (connection === undefined) socket.destroy()
    else connection.onParserError(error, () => answers.textFor(error.code, socket as Socket))
  })
  return server
}

/**
 * One socket. Node parses it by itself until a request has to wait or a body has to be discarded; from
 * then on, data reaches the parser through this class.
 */
class Connection {
  readonly #socket: HttpSocket
  /** Parsed requests that wait: at most one, as long as the parser can be paused. */
  #waiting = 0
  #lastWaiting: ServerResponse | null = null
  /** Node's own `data` listener after it was removed from the socket; null before. */
  #parse: ((chunk: Buffer) => void) | null = null
  /** Received but not parsed. */
  #unread: Buffer | null = null
  #isParserStopped = false
  #isKeeping = false
  /** It asked for another protocol, and not all of it was parsed. */
  #upgrading: IncomingMessage | null = null
  readonly #server: Server
  #isPaused = false
  /** A waiting request has reached its timeout. */
  #isLate = false
  /** The request that was answered before its body arrived, and how much was discarded. */
  #answered: IncomingMessage | null = null
  #discarded = 0
  /** Received data is no longer parsed. */
  #isDiscarding = false
  #isRefused = false
  /** Closes after the last request that was parsed, once the client has ended its side; null before. */
  #onEnd: (() => void) | null = null
  #isEnding = false

  constructor(socket: HttpSocket, server: Server) {
    this.#socket = socket
    this.#server = server
    // Node calls this after a closing response; closing a socket with unread data would reset the client.
    socket.destroySoon = () => this.#end()
    // With TLS, a handshake that is broken off would not be noticed if the server had this.
    socket.allowHalfOpen = true
    const onEnd = socket.listeners('end').at(-1) as () => void
    socket.off('end', onEnd)
    socket.on('end', () => {
      this.#onEnd = onEnd
      this.#pump()
    })
    const { parser } = socket
    if (parser === null) return
    const onIncoming = parser.onIncoming
    parser.onIncoming = (request, keepAlive) => {
      // A closing response may be sent while the parser still has bytes of the same chunk to read.
      if (!this.#mayStart()) {
        // For one that asks for another protocol, Node would destroy the socket before that response is read.
        request.upgrade = false
        return PAUSE_PARSER
      }
      if (request.upgrade && request.method !== 'CONNECT') {
        this.#upgrading = request
        this.#keepWhatFollows(parser)
      }
      const result = onIncoming(request, keepAlive)
      if (this.#waiting === 0) return result
      this.#isParserStopped = true
      return PAUSE_PARSER
    }
  }

  /** Calls `start` when all responses before `response` are written, and never if one of them closes. */
  wait(response: ServerResponse, start: () => void): void {
    this.#waiting += 1
    this.#lastWaiting = response
    const assign = response.assignSocket.bind(response)
    // Node assigns the socket to the next response when the previous one is written.
    response.assignSocket = (socket) => {
      assign(socket)
      // At most one per turn of the event loop, so that other sockets are served in between.
      setImmediate(() => this.#begin(response, start))
    }
  }

  /** Reads and discards the rest of the body of an answered request. */
  discardBodyOf(request: IncomingMessage): void {
    if (this.#isDiscarding || this.#isEnding) return
    this.#answered = request
    this.#discarded = 0
    this.#takeOver()
    request.resume()
  }

  /** The parser has paused or failed. */
  onParserError(error: ParserError, text: () => Promise<string>): void {
    if (error.code === 'HPE_PAUSED') this.#keep(error.rawPacket, error.bytesParsed)
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && this.#waiting > 0) this.#isLate = true
    // Of a socket that was reset, nothing is left that could be answered.
    else if (error.code !== 'ECONNRESET') this.refuse(text)
  }

  /** Responds to invalid requests, after the responses in progress, and closes the connection. */
  refuse(text: () => Promise<string>): void {
    if (this.#isRefused || this.#isEnding) return
    this.#isRefused = true
    this.#stopListening()
    const response = this.#lastWaiting ?? this.#socket._httpMessage ?? null
    if (response === null) {
      if (this.#answered?.complete === false) this.#end()
      else void this.#answer(text)
    } else if (response.req.complete) response.once('finish', () => void this.#answer(text))
    else if (response.headersSent) this.#socket.destroy()
    else void this.#answer(text)
  }

  async #answer(text: () => Promise<string>): Promise<void> {
    const response = this.#socket._httpMessage
    const bytes = await text()
    // The request may have been answered meanwhile, without its body.
    if (response?.headersSent !== true) this.#end(bytes)
    else if (response.writableFinished) this.#end()
    else response.once('finish', () => this.#end())
  }

  #begin(response: ServerResponse, start: () => void): void {
    this.#waiting -= 1
    if (this.#lastWaiting === response) this.#lastWaiting = null
    if (!this.#mayStart()) return
    this.#pump()
    if (this.#isLate) this.#limitBodyOf(response)
    start()
  }

  /** No request is started on a connection that is ending, whatever was read of it (RFC 9112, 9.6). */
  #mayStart(): boolean {
    return !this.#isEnding && !this.#socket.destroyed
  }

  /** A request that reached its timeout while it waited gets the full time again. */
  #limitBodyOf({ req }: ServerResponse): void {
    this.#isLate = false
    if (req.complete) return
    const timer = setTimeout(() => {
      if (!req.complete) this.#socket.destroy()
    }, REQUEST_TIMEOUT_MS)
    this.#socket.once('close', () => clearTimeout(timer))
    req.once('end', () => clearTimeout(timer))
  }

  /**
   * The parser stops after a request that asks for another protocol, and Node would drop the rest of the chunk.
   * No other protocol is spoken here: what follows is the next request (RFC 9110, 7.8).
   */
  #keepWhatFollows(parser: HttpParser): void {
    if (this.#isKeeping) return
    this.#isKeeping = true
    whenExecuted(parser, (chunk, parsed) => {
      this.#afterUpgrade(parser)
      this.#keep(chunk, parsed)
    })
  }

  /** From such a request on the parser reports no errors: for the next one it has to be a new one. */
  #afterUpgrade(parser: HttpParser): void {
    const request = this.#upgrading
    if (request?.complete !== true) return
    this.#upgrading = null
    // It ends the connection, in a trailer as well.
    if (request.trailers['connection'] !== undefined) return
    renewParser(this.#server, parser, this.#socket)
  }

  /** Takes over, with what the parser has left of a chunk. */
  #keep(chunk: Buffer | undefined, parsed: number | undefined): void {
    if (this.#isDiscarding) return
    this.#takeOver()
    const rest = chunk?.subarray(parsed)
    if (rest?.length) this.#unread = rest
    this.#pause()
    // The parser is not to be called from within its own call.
    setImmediate(() => this.#pump())
  }

  /** Receives data before Node does from now on. */
  #takeOver(): void {
    if (this.#parse !== null || this.#isDiscarding) return
    const [parse] = this.#socket.listeners('data')
    this.#parse = parse as (chunk: Buffer) => void
    this.#readInto((chunk) => this.#take(chunk))
    this.#socket.on('drain', () => this.#pump())
  }

  #take(chunk: Buffer): void {
    this.#unread = this.#unread === null ? chunk : Buffer.concat([this.#unread, chunk])
    if (this.#answered?.complete === false) this.#discarded += chunk.length
    if (this.#discarded > DISCARDED_BYTES) this.#socket.destroy()
    else this.#pump()
  }

  /** Resumes the parser until the next request that has to wait. */
  #pump(): void {
    while (this.#mayParse()) {
      const chunk = this.#unread ?? Buffer.alloc(0)
      this.#unread = null
      this.#execute(chunk)
      if (this.#answered?.complete) this.#answered = null
    }
    if (this.#isDiscarding) return
    if (this.#unread !== null || this.#isParserStopped) this.#pause()
    else if (this.#onEnd !== null) this.#onEnd()
    else if (this.#isPaused) {
      this.#isPaused = false
      this.#socket.resume()
    }
  }

  #execute(chunk: Buffer): void {
    this.#isParserStopped = false
    const { parser } = this.#socket
    const execute = parser?.execute
    // Nothing is read any more from a connection that Node has given up.
    if (!parser || !execute) return
    parser.resume()
    parser.execute = (bytes) => {
      const parsed = execute.call(parser, bytes)
      if (typeof parsed !== 'number') return parsed
      const isWhole = this.#upgrading?.complete === true
      this.#afterUpgrade(parser)
      if (parsed === bytes.length) return parsed
      // The error of a body behind such a request is not reported.
      if (!isWhole && !this.#isParserStopped) return new Error('the parser reads no further')
      this.#unread = bytes.subarray(parsed)
      return parsed
    }
    this.#parse?.(chunk)
    delete parser.execute
  }

  #mayParse(): boolean {
    const isWanted = this.#unread !== null || this.#isParserStopped
    return isWanted && this.#waiting === 0 && !this.#isDiscarding && !this.#socket._paused
  }

  #pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  /** From now on, data is counted and discarded. */
  #stopListening(): void {
    if (this.#isDiscarding) return
    this.#isDiscarding = true
    this.#unread = null
    let count = 0
    this.#readInto((chunk) => {
      count += chunk.length
      if (count > DISCARDED_BYTES) this.#socket.destroy()
    })
    this.#socket.resume()
  }

  /** Makes `listener` the only receiver of data. */
  #readInto(listener: (chunk: Buffer) => void): void {
    // On its fast path, Node pauses the handle while a body is unread; nothing would resume it after this.
    this.#socket.emit('resume')
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', listener)
  }

  /** Ends our side and reads on for a while, so that a client that still sends can read its response. */
  #end(text?: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#stopListening()
    const socket = this.#socket
    // It is closed, or its client has ended its side first: then it closes by itself when the response is sent.
    if (!socket.writable) return
    if (text !== undefined) socket.write(text)
    socket.end()
    const limit = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(limit))
  }
}
