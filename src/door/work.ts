import { createPrivateKey, sign } from 'node:crypto'
import { BlockList, type Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { AppError } from '../contract/errors.ts'
import {
  CONNECT_CPU_MS,
  CPU_MS_PER_POINT,
  HANDSHAKE_CPU_MS,
  LONGEST_CPU_WAIT_MS,
  REQUEST_CPU_MS,
} from '../contract/quotas.ts'
import { spendSiteShare } from '../operations/admission.ts'
import type { WorkMeter } from '../ports/system.ts'
import { type Admission, hook } from './admission.ts'
import type { Context } from './context.ts'
import { requesterOfRequest } from './sessions.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** CPU time that the points of the request pay for, in ms (D-75). */
    paidMs: number
  }
}

/** CPU time of sending one byte: a megabyte takes half a millisecond. */
const MS_PER_BYTE = 0.5e-6

/**
 * A hook for everything that the site serves: a request waits until its address has CPU time left, is measured, and
 * pays for what it costs (D-75). One request of the site begins in each turn of the event loop, so that those of the
 * API, which begin at once, wait for one at most.
 *
 * @param refuse answers when the address has been overdrawn for too long.
 */
export function meterSite(
  context: Context,
  refuse: (reply: FastifyReply, failure: AppError) => unknown,
): onRequestHookHandler {
  const { work } = context.ports
  const turns = new RoundRobin()

  async function waitAndBegin(
    request: FastifyRequest,
    reply: FastifyReply,
    begin: () => void,
  ): Promise<void> {
    const failure = await pauseOf(work, request)
    if (request.raw.destroyed) return
    if (failure === null) begin()
    else await refuse(reply, failure)
  }

  return (request, reply, done) => {
    const { clientAddress } = request
    work.chargeAddress(clientAddress, REQUEST_CPU_MS)
    chargeBytes(work, request, reply)
    const begin = (): void =>
      turns.enter(clientAddress, () =>
        work.run(billOf(context, request), () => work.measure(() => done())),
      )
    if (work.addressWaitMs(clientAddress) === 0) begin()
    // oxlint-disable-next-line promise/no-callback-in-promise -- Fastify gives a hook one or the other
    else waitAndBegin(request, reply, begin).catch(done)
  }
}

/** A hook for what the API answers without a key: it waits until the address has CPU time left (D-75). */
export const paceAnyone = ({ ports }: Context): onRequestHookHandler =>
  hook((request, reply) => {
    chargeBytes(ports.work, request, reply)
    return paceRefusal(ports.work, request)
  })

/** Charges a refused request to its address, and resolves when that has CPU time left, or after a while. */
export async function paceRefusal(work: WorkMeter, request: FastifyRequest): Promise<void> {
  work.chargeAddress(request.clientAddress, REQUEST_CPU_MS)
  await pauseOf(work, request)
}

/** A hook for health checks: they wait only where their address asks for more of them than any monitor does (D-75). */
export const paceHealth = (work: WorkMeter): onRequestHookHandler =>
  hook(({ clientAddress, raw }) => {
    const waitMs = work.admitUnpaced(clientAddress, REQUEST_CPU_MS)
    return waitMs === 0 ? undefined : pauseFor(waitMs ?? Infinity, raw.socket)
  })

/** As `paceRefusal`, for invalid requests. */
export async function paceSocket(work: WorkMeter, address: string, socket: Socket): Promise<void> {
  work.chargeAddress(address, REQUEST_CPU_MS)
  await pauseFor(work.addressWaitMs(address), socket)
}

/** Waits until the address has CPU time left. Resolves to the refusal when that would take too long. */
async function pauseOf(work: WorkMeter, request: FastifyRequest): Promise<AppError | null> {
  const waitMs = work.addressWaitMs(request.clientAddress)
  request.waitedMs += await pauseFor(waitMs, request.raw.socket)
  if (waitMs <= LONGEST_CPU_WAIT_MS) return null
  const seconds = Math.ceil(waitMs / 1000)
  const message = `your network asks for more than the site serves it; wait ${seconds} seconds`
  return new AppError('rate_limited:share_used', message, seconds)
}

/**
 * Waits no longer than the longest wait. If even more requests wait than can be refused, the connection is closed, but
 * not before: its client would open another one at once.
 */
async function pauseFor(waitMs: number, socket: Socket): Promise<number> {
  if (waitMs === 0 || socket.destroyed) return 0
  const pauseMs = Math.min(waitMs, LONGEST_CPU_WAIT_MS)
  await pause(pauseMs)
  if (waitMs > 2 * LONGEST_CPU_WAIT_MS) socket.destroy()
  return pauseMs
}

function chargeBytes(work: WorkMeter, { raw, clientAddress }: FastifyRequest, reply: FastifyReply) {
  const { socket } = raw
  const before = socket.bytesWritten
  reply.raw.once('finish', () =>
    work.chargeAddress(clientAddress, (socket.bytesWritten - before) * MS_PER_BYTE),
  )
}

/**
 * Charges the CPU time of a request to its address, and what its points do not pay for to its share, once it has paid
 * any: what costs none, such as the search index, never does (spec 2.10).
 */
function billOf({ ports, service }: Context, request: FastifyRequest): (ms: number) => void {
  let spentMs = 0
  return (ms) => {
    spentMs += ms
    ports.work.chargeAddress(request.clientAddress, ms)
    const points = Math.floor((spentMs - request.paidMs) / CPU_MS_PER_POINT)
    if (request.paidMs === 0 || points < 1) return
    request.paidMs += points * CPU_MS_PER_POINT
    spendSiteShare(ports, service, requesterOfRequest(request), points, true)
  }
}

/**
 * Charges each connection to its address, before Node makes a socket of it. Where the address has begun too many, it
 * waits, and nothing is read from it; with even more, it is closed at once (D-75). Those of proxies are not charged:
 * their requests are.
 *
 * @param key of the certificate, for TLS.
 */
export function gateConnections(
  bare: Server,
  work: WorkMeter,
  { addressOfSocket, isProxy }: Pick<Admission, 'addressOfSocket' | 'isProxy'>,
  key?: string,
): void {
  const ms = CONNECT_CPU_MS + (key === undefined ? 0 : HANDSHAKE_CPU_MS + signatureMs(key))

  class Gate extends BlockList {
    override check(remoteAddress: unknown): boolean {
      const peer = { remoteAddress: String(remoteAddress) }
      waitMs = isProxy(peer) ? 0 : work.admitUnpaced(addressOfSocket(peer), ms)
      // Read when Node makes the socket, which it does next.
      server.pauseOnConnect = waitMs !== null && waitMs > 0
      return waitMs === null
    }
  }

  let waitMs: number | null = 0
  // `node:http` does not pass these options on to its server.
  const server = Object.assign(bare, { blockList: new Gate(), pauseOnConnect: false })
  const listeners = server.listeners('connection')
  const begin = (socket: Socket): void => {
    for (const listener of listeners) listener.call(server, socket)
  }
  server.removeAllListeners('connection').on('connection', (socket: Socket) => {
    server.pauseOnConnect = false
    if (!waitMs) {
      begin(socket)
      return
    }
    socket.on('error', () => socket.destroy())
    setTimeout(() => {
      if (!server.listening) socket.destroy()
      if (socket.destroyed) return
      begin(socket)
      socket.resume()
    }, waitMs)
  })
}

const SIGNATURES = 5

/** CPU time of a signature with this key: those of some certificates take ten times as long as the rest. */
function signatureMs(pem: string): number {
  const key = createPrivateKey(pem)
  const digest = key.asymmetricKeyType?.startsWith('ed') === true ? null : 'sha256'
  const spent = process.cpuUsage()
  for (let at = 0; at < SIGNATURES; at += 1) sign(digest, Buffer.alloc(32), key)
  const { user, system } = process.cpuUsage(spent)
  return (user + system) / 1000 / SIGNATURES
}

/** Starts one thing in each turn of the event loop; names that wait take turns. */
export class RoundRobin {
  readonly #waiting = new Map<string, (() => void)[]>()
  #isTaken = false

  /** Calls `start` at once, or in a later turn. */
  enter(name: string, start: () => void): void {
    if (!this.#isTaken) {
      this.#take()
      start()
      return
    }
    const queue = this.#waiting.get(name)
    if (queue === undefined) this.#waiting.set(name, [start])
    else queue.push(start)
  }

  #take(): void {
    this.#isTaken = true
    setImmediate(() => this.#next())
  }

  #next(): void {
    const [first] = this.#waiting
    if (first === undefined) {
      this.#isTaken = false
      return
    }
    const [name, queue] = first
    const start = queue.shift()
    // Its next one comes after those of all others.
    this.#waiting.delete(name)
    if (queue.length > 0) this.#waiting.set(name, queue)
    this.#take()
    start?.()
  }
}
