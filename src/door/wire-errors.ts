import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ErrorCode, ErrorReply } from '../contract/errors.ts'
import { quotaHeaders } from '../domain/quotas.ts'
import type { AdmissionDoor } from './admission.ts'
import { standingHeaders } from './standing-headers.ts'

type WireError = { status: number; code: ErrorCode; message: string }

const malformed: WireError = {
  status: 400,
  code: 'bad_request',
  message: 'the request is not valid HTTP/1.1',
}

/** What the HTTP parser refuses before there is a request; anything else is malformed. */
const errors: Readonly<Record<string, WireError>> = {
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
  CONNECT: {
    status: 400,
    code: 'bad_request',
    message: 'this server opens no tunnels: CONNECT is not supported',
  },
}

const noExpectation: WireError = {
  status: 417,
  code: 'bad_request',
  message: 'of Expect only 100-continue is supported',
}

const bodyOf = ({ code, message }: WireError): string =>
  JSON.stringify({ error: { code, message } } satisfies ErrorReply)

/** Answers for the HTTP parser, with the headers that every answer carries (D-10, D-13). All of them close. */
export const createWireAnswers = (door: AdmissionDoor) => {
  const headersFor = async (socket: Socket, body: string): Promise<Record<string, string>> => {
    const address = door.readAddress(socket.remoteAddress, undefined)
    return {
      ...standingHeaders(randomUUID()),
      ...quotaHeaders(await door.quotaOfAddress(address)),
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
    }
  }

  /** The whole answer as text. `error`: the parser's code, or `CONNECT`. */
  const textFor = async (error: string | undefined, socket: Socket): Promise<string> => {
    const answer = errors[error ?? ''] ?? malformed
    const body = bodyOf(answer)
    const lines = Object.entries(await headersFor(socket, body))
    const head = [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
      `date: ${new Date(door.now()).toUTCString()}`,
      'connection: close',
      ...lines.map(([name, value]) => `${name}: ${value}`),
    ].join('\r\n')
    return `${head}\r\n\r\n${body}`
  }

  const refuseExpectation = async (
    { socket }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const body = bodyOf(noExpectation)
    const headers = await headersFor(socket, body)
    response.shouldKeepAlive = false
    response.writeHead(noExpectation.status, headers).end(body)
  }

  return { textFor, refuseExpectation }
}

export type WireAnswers = ReturnType<typeof createWireAnswers>
