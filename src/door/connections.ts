/* oxlint-disable eslint/no-underscore-dangle -- what Node keeps on its sockets is named so. */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions as TlsOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { Lifecycle } from './context.ts'
import type { WireAnswers } from './wire.ts'

/** How long a request may take to arrive. */
const REQUEST_TIMEOUT_MS = 12_000

/** For the listening socket, with TLS as without: slow senders are cut, and every refusal is ours. */
const limits = {
  requireHostHeader: false,
  connectionsCheckingInterval: 1000,
  headersTimeout: 10_000,
  requestTimeout: REQUEST_TIMEOUT_MS,
  keepAliveTimeout: 72_000,
}

/** A client that does not read its answer, or an answer that never comes: nothing moves. */
const CONNECTION_TIMEOUT_MS = 30_000

/** Of a body that was answered before it had arrived, this much is read and thrown away. */
const DISCARDED_BYTES = 8 * 1024 * 1024

/** How long a client may go on sending after an answer that closes: it must get to read that answer. */
const LINGER_MS = 5000

/** What makes Node's HTTP parser stop after the headers of a request (`HPE_PAUSED` of llhttp). */
const PAUSE_PARSER = 21

/** What Node keeps on a socket that it serves HTTP on and its typings leave out. */
type HttpSocket = Socket & {
  readonly parser: {
    onIncoming: (request: IncomingMessage, keepAlive: boolean) => number
    resume: () => void
  } | null
  /** The answer under way. */
  readonly _httpMessage?: ServerResponse | null
  /** Node itself has stopped the parser until the socket drains. */
  readonly _paused: boolean
}

/** What the HTTP parser reports; the last two are there for errors in what it was given. */
type ParserError = NodeJS.ErrnoException & {
  readonly rawPacket?: Buffer
  readonly bytesParsed?: number
}

export type ConnectionOptions = {
  /** What is answered where there is no request that could be. */
  readonly answers: WireAnswers
  /** While the process shuts down, every answer closes its connection. */
  readonly lifecycle: Lifecycle
  /** PEM texts; left out where a proxy speaks TLS. */
  readonly tls?: Pick<TlsOptions, 'cert' | 'key'> | undefined
}

/**
 * Makes the server that `listener` answers on. Each socket has one request in work (D-56): a pipelined
 * one waits, parsed, until the answers before it are written, and what comes after it waits unread. So
 * nothing is executed that was sent after an answer which closes (RFC 9112, 9.6), and a client that reads
 * no answers makes no more of them.
 */
export const createConnections = (
  listener: RequestListener,
  { answers, lifecycle, tls }: ConnectionOptions,
): Server => {
  const connections = new WeakMap<object, Connection>()

  class Response extends ServerResponse {
    /** False while the client waits for `100 Continue` before it sends its body. */
    isBodyExpected = true

    override writeHead(status: number, ...rest: unknown[]): this {
      if (lifecycle.isDraining || (!this.req.complete && !this.#canOutlastBody())) {
        this.shouldKeepAlive = false
      }
      const headers = rest.at(-1) as Record<string, unknown> | undefined
      // Fastify closes after each body that it could not read, though it may be known what follows.
      if (headers?.['connection'] !== undefined) delete headers['connection']
      // Fastify gives every HEAD a length, but that of a 304 would be the length of its 200.
      if (status === 304) delete headers?.['content-length']
      return super.writeHead(status, ...(rest as []))
    }

    override detachSocket(socket: Socket): void {
      super.detachSocket(socket)
      if (!this.req.complete) connections.get(socket)?.discardBodyOf(this.req)
    }

    /** Is it known where the next request begins, and will it ever come? */
    #canOutlastBody(): boolean {
      const length = Number(this.req.headers['content-length'] ?? 0)
      return this.isBodyExpected && length <= DISCARDED_BYTES
    }
  }

  const server = tls
    ? createTlsServer({ ...tls, ...limits, handshakeTimeout: 10_000, ServerResponse: Response })
    : createServer({ ...limits, ServerResponse: Response })
  server.setTimeout(CONNECTION_TIMEOUT_MS)

  const connectionOf = (socket: object): Connection => {
    const connection = connections.get(socket)
    if (connection === undefined) throw new Error('a socket that was never accepted')
    return connection
  }

  /** `listener`, once it is the request's turn. */
  const inTurn =
    (start: RequestListener<typeof IncomingMessage, typeof Response>) =>
    (request: IncomingMessage, response: Response): void => {
      if (response.socket !== null) start(request, response)
      else connectionOf(request.socket).wait(response, () => start(request, response))
    }

  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    connections.set(socket, new Connection(socket as HttpSocket))
  })
  server.on('request', inTurn(listener) as RequestListener)
  server.on(
    'checkContinue',
    inTurn((request, response) => {
      askForBodyWhenRead(request, response)
      listener(request, response)
    }) as RequestListener,
  )
  server.on(
    'checkExpectation',
    inTurn(
      (request, response) => void answers.refuseExpectation(request, response),
    ) as RequestListener,
  )
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy())
    connectionOf(socket).refuse(() => answers.textFor('CONNECT', socket as Socket))
  })
  server.on('clientError', (error: ParserError, socket) => {
    const connection = connections.get(socket)
    // A handshake that failed: somebody spoke no TLS, or does not trust our certificate.
    if (connection === undefined) socket.destroy()
    else connection.onParserError(error, () => answers.textFor(error.code, socket as Socket))
  })
  return server
}

/** `100 Continue` goes out when the body is read: what is refused before that is refused without it. */
const askForBodyWhenRead = (
  request: IncomingMessage,
  response: ServerResponse & { isBodyExpected: boolean },
): void => {
  const read = request._read.bind(request)
  response.isBodyExpected = false
  request._read = (size) => {
    if (!response.isBodyExpected && !response.headersSent) {
      response.isBodyExpected = true
      response.writeContinue()
    }
    read(size)
  }
}

/**
 * One socket: open, answering or closing. Node parses and answers on it by itself until a request has to
 * wait or a body to be thrown away; from then on bytes reach the parser through here.
 */
class Connection {
  readonly #socket: HttpSocket
  /** Requests that were parsed and wait for their turn: one, as long as the parser can be stopped. */
  #waiting = 0
  #lastWaiting: ServerResponse | null = null
  /** Node's own listener for data, taken off the socket; null while it is on it. */
  #parse: ((chunk: Buffer) => void) | null = null
  /** What has arrived and was not parsed. */
  #unread: Buffer | null = null
  #isParserStopped = false
  #isPaused = false
  /** A request whose time ran out while it waited for its turn. */
  #isLate = false
  /** The request whose body still arrives though it is answered, and how much of it has come. */
  #answered: IncomingMessage | null = null
  #discarded = 0
  /** What comes is no longer parsed. */
  #isDeaf = false
  #isRefused = false
  #isEnding = false

  constructor(socket: HttpSocket) {
    this.#socket = socket
    // Node calls this after an answer that closes; a socket with unread bytes would reset the client.
    socket.destroySoon = () => this.#end()
    const { parser } = socket
    if (parser === null) return
    const onIncoming = parser.onIncoming
    parser.onIncoming = (request, keepAlive) => {
      const result = onIncoming(request, keepAlive)
      return this.#waiting > 0 ? PAUSE_PARSER : result
    }
  }

  /** Runs `start` when all answers before `response` are written, and never if one of them closes. */
  wait(response: ServerResponse, start: () => void): void {
    this.#waiting += 1
    this.#lastWaiting = response
    const assign = response.assignSocket.bind(response)
    // Node gives the socket to the next response when the one before has been written.
    response.assignSocket = (socket) => {
      assign(socket)
      // One at a time for each turn of the event loop: other sockets get theirs between.
      setImmediate(() => this.#begin(response, start))
    }
  }

  /** Reads and throws away the rest of the body of a request that is answered already. */
  discardBodyOf(request: IncomingMessage): void {
    if (this.#isDeaf || this.#isEnding) return
    this.#answered = request
    this.#discarded = 0
    this.#takeOver()
    request.resume()
  }

  /** The parser has stopped, at our wish or because of what it was given. */
  onParserError(error: ParserError, text: () => Promise<string>): void {
    if (error.code === 'HPE_PAUSED') {
      this.#takeOver()
      this.#isParserStopped = true
      this.#unread = error.rawPacket?.subarray(error.bytesParsed) ?? null
      this.#pause()
    } else if (error.code === 'ECONNRESET') this.#socket.destroy()
    // It waits because of us.
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && this.#waiting > 0) this.#isLate = true
    else this.refuse(text)
  }

  /** Answers what is no request, after the answers that are under way, and closes the connection. */
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
    // The request may have been answered meanwhile although its body never came.
    if (response?.headersSent !== true) this.#end(bytes)
    else if (response.writableFinished) this.#end()
    else response.once('finish', () => this.#end())
  }

  #begin(response: ServerResponse, start: () => void): void {
    this.#waiting -= 1
    if (this.#lastWaiting === response) this.#lastWaiting = null
    if (this.#isEnding || this.#socket.destroyed) return
    this.#pump()
    if (this.#isLate) this.#limitBodyOf(response)
    start()
  }

  /** A request that ran out of time while it waited gets that time again from its turn on. */
  #limitBodyOf({ req }: ServerResponse): void {
    this.#isLate = false
    if (req.complete) return
    const timer = setTimeout(() => {
      if (!req.complete) this.#socket.destroy()
    }, REQUEST_TIMEOUT_MS)
    this.#socket.once('close', () => clearTimeout(timer))
    req.once('end', () => clearTimeout(timer))
  }

  /** From now on data comes here first. Node leaves the fast path when it sees a listener for it. */
  #takeOver(): void {
    if (this.#parse !== null || this.#isDeaf) return
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

  /** Lets the parser go on until the next request that has to wait. */
  #pump(): void {
    while (this.#mayParse()) {
      const chunk = this.#unread ?? Buffer.alloc(0)
      this.#unread = null
      this.#isParserStopped = false
      this.#socket.parser?.resume()
      this.#parse?.(chunk)
      if (this.#answered?.complete) this.#answered = null
    }
    if (this.#unread !== null || this.#isParserStopped) this.#pause()
    else if (this.#isPaused) {
      this.#isPaused = false
      this.#socket.resume()
    }
  }

  #mayParse(): boolean {
    const isWanted = this.#unread !== null || this.#isParserStopped
    return isWanted && this.#waiting === 0 && !this.#isDeaf && !this.#socket._paused
  }

  #pause(): void {
    this.#isPaused = true
    this.#socket.pause()
  }

  /** From now on nothing becomes a request: bytes are counted and thrown away. */
  #stopListening(): void {
    if (this.#isDeaf) return
    this.#isDeaf = true
    this.#unread = null
    const socket = this.#socket
    let count = 0
    this.#readInto((chunk) => {
      count += chunk.length
      if (count > DISCARDED_BYTES) socket.destroy()
    })
    socket.resume()
  }

  /** From now on data goes to `listener`, and to nobody else. */
  #readInto(listener: (chunk: Buffer) => void): void {
    // On its fast path Node stops the handle while a body waits to be read; off it, nobody starts it again.
    this.#socket.emit('resume')
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', listener)
  }

  /** Ends our side, and reads on for a while: a client that still sends must get to read its answer. */
  #end(text?: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    this.#stopListening()
    const socket = this.#socket
    // The client has ended its side first: what was answered still goes out.
    if (!socket.writable) {
      if (socket.writableFinished) socket.destroy()
      else socket.once('finish', () => socket.destroy())
      return
    }
    if (text !== undefined) socket.write(text)
    socket.end()
    const limit = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(limit))
  }
}
