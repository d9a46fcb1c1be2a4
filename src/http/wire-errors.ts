import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { ErrorCode } from '../contract/error-codes.ts'
import type { ErrorReply } from '../contract/error-reply.ts'
import type { AdmissionDoor } from './admission.ts'
import { quotaHeaders } from '../domain/quota-headers.ts'
import { standingHeaders } from './standing-headers.ts'

type WireAnswer = { status: number; code: ErrorCode; message: string }

const malformed: WireAnswer = {
  status: 400,
  code: 'bad_request',
  message: 'the request is not valid HTTP/1.1',
}

/** What the HTTP parser refuses before there is a request; anything else is malformed. */
const answers: Readonly<Record<string, WireAnswer>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: 408,
    code: 'bad_request',
    message: 'the request took too long to arrive',
  },
  HPE_HEADER_OVERFLOW: {
    status: 431,
    code: 'bad_request',
    message: 'the request line and headers must be at most 16 KB together',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    code: 'too_large',
    message: 'the chunk extensions are too long',
  },
}

const noTunnel: WireAnswer = {
  status: 400,
  code: 'bad_request',
  message: 'this server opens no tunnels: CONNECT is not supported',
}

const noExpectation: WireAnswer = {
  status: 417,
  code: 'bad_request',
  message: 'of Expect only 100-continue is supported',
}

/** How long a client may go on sending before it is cut off: it must get to read the answer. */
const LINGER_MS = 2000

const bodyOf = ({ code, message }: WireAnswer): string =>
  JSON.stringify({ error: { code, message } } satisfies ErrorReply)

/** Answers for the HTTP parser, with the headers that every answer carries (D-10, D-13). */
export const createWireAnswers = (door: AdmissionDoor) => {
  const underWay = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()

  const headersFor = async (socket: Duplex, body: string): Promise<Record<string, string>> => {
    const address = door.readAddress((socket as Socket).remoteAddress, undefined)
    return {
      ...standingHeaders(randomUUID()),
      ...quotaHeaders(await door.quotaOfAddress(address)),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
  }

  const answerRaw = async (socket: Duplex, answer: WireAnswer): Promise<void> => {
    const body = bodyOf(answer)
    const lines = Object.entries(await headersFor(socket, body))
    const head = [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      `date: ${new Date(door.now()).toUTCString()}`,
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n')
    if (!socket.writable) return
    socket.end(`${head}\r\n\r\n${body}`)
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }

  const onClientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
    const response = underWay.get(socket)
    const answer = answers[error.code ?? ''] ?? malformed
    const isInBody = response !== undefined && !response.req.complete
    if (error.code === 'ECONNRESET') socket.destroy()
    // What comes behind the first fault is not read.
    else if (refused.has(socket)) return
    else if (!socket.writable || (isInBody && response.headersSent)) socket.destroy()
    else {
      refused.add(socket)
      // The fault may be in the request behind one whose answer is still to come.
      const isBusy = response !== undefined && !isInBody && !response.writableFinished
      if (isBusy) response.once('finish', () => void answerRaw(socket, answer))
      else void answerRaw(socket, answer)
    }
  }

  const listen = (server: Server): void => {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      underWay.set(request.socket, response)
    })
    server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
      socket.on('error', () => socket.destroy())
      void answerRaw(socket, noTunnel)
    })
    server.on('checkExpectation', async (request: IncomingMessage, response: ServerResponse) => {
      const body = bodyOf(noExpectation)
      response.writeHead(noExpectation.status, await headersFor(request.socket, body)).end(body)
    })
  }

  return { onClientError, listen }
}
