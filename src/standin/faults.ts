import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type CallKind, callKinds } from './calls.ts'
import { sendJson } from './replies.ts'

/** What the application of the platform answers on demand. `isHeld`: after its limits, so with their headers. */
const ownAnswers = {
  unauthorized: { status: 401, body: { authentication: 'basic' }, isHeld: false },
  forbidden: { status: 403, body: { error: 'A required scope is missing.' }, isHeld: true },
  disabled: { status: 403, body: { error: 'This account has been disabled.' }, isHeld: false },
  missing: {
    status: 404,
    body: { error: "Specified beatmap difficulty couldn't be found." },
    isHeld: true,
  },
  refused: { status: 422, body: { error: 'invalid mod for ruleset: ZZ' }, isHeld: true },
  throttled: { status: 429, body: { error: 'Too Many Attempts.' }, isHeld: false },
  down: { status: 500, body: { error: null }, isHeld: true },
  'no-attributes': { status: 200, body: { attributes: null }, isHeld: true },
  uncomputable: {
    status: 200,
    body: { attributes: { star_rating: -1, max_combo: 0 } },
    isHeld: true,
  },
} as const

export function sendAnswer(reply: FastifyReply, name: keyof typeof ownAnswers): FastifyReply {
  const { status, body } = ownAnswers[name]
  return sendJson(reply, status, body)
}

/** What comes from something in front of the application, which knows neither tokens nor limits. */
const frontFaults = ['silence', 'reset', 'html', 'blocked', 'moved'] as const

/** README.md describes what each does. */
const faultNames = [
  ...(Object.keys(ownAnswers) as (keyof typeof ownAnswers)[]),
  ...frontFaults,
  ...(['delay', 'truncated', 'wrong-types', 'wrong-content-type', 'cut', 'stall'] as const),
]

/** A fault as it is ordered. Closed: a misspelt field would make a test pass for nothing. */
export const FaultInput = Type.Object(
  {
    fault: Type.Enum(faultNames),
    /** Left out: every kind. */
    kind: Type.Optional(Type.Enum(callKinds)),
    /** Calls that ask for one of these; left out: all. */
    ids: Type.Optional(Type.Array(Type.Integer(), { minItems: 1 })),
    /** How many calls it meets; left out: until it is cleared. */
    times: Type.Optional(Type.Integer({ minimum: 1 })),
    /** Waiting time before anything else happens, in ms. */
    delay: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
    /** `Retry-After` of `throttled` and `html`; left out: no such header. */
    retryAfter: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
    /** Status of `html`, left out: 200; of `moved`, left out: 301. */
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
  },
  { additionalProperties: false },
)
export type FaultInput = Static<typeof FaultInput>

/** An ordered fault and how many calls it has met. */
export type Fault = FaultInput & { met: number }

/** The ordered faults; a call meets the first that fits. */
export function createFaults() {
  let faults: Fault[] = []
  return {
    add: (input: FaultInput): Fault => {
      const fault = { ...input, met: 0 }
      faults.push(fault)
      return fault
    },
    find: (call: CallKind, asked: readonly number[]): Fault | undefined =>
      faults.find(
        ({ kind = call, ids = asked, times = Infinity, met }) =>
          kind === call && (ids === asked || ids.some((id) => asked.includes(id))) && met < times,
      ),
    list: (): readonly Fault[] => faults,
    clear: () => {
      faults = []
    },
  }
}

/** Whether the fault comes before the token and the limits are looked at. */
export function isInFront({ fault }: Fault): boolean {
  if (fault in ownAnswers) return !ownAnswers[fault as keyof typeof ownAnswers].isHeld
  return frontFaults.some((name) => name === fault)
}

/** Sends what the fault puts in place of the call's own answer; false when there is none. */
export function failCall(fault: Fault, request: FastifyRequest, reply: FastifyReply): boolean {
  const { fault: name, retryAfter, status } = fault
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  if (name in ownAnswers) {
    void sendAnswer(reply, name as keyof typeof ownAnswers)
  } else if (name === 'html') {
    sendHtml(reply, status ?? 200, '<!doctype html><title>Maintenance</title><p>Back soon.')
  } else if (name === 'blocked') {
    void reply
      .header('server', 'cloudflare')
      .header('cf-ray', '9a1b2c3d4e5f6789-AMS')
      .header('cf-mitigated', 'challenge')
    sendHtml(reply, 403, '<!doctype html><title>Just a moment...</title><p>Are you human?')
  } else if (name === 'moved') {
    void reply.header('location', `https://moved.invalid${request.url}`)
    sendHtml(reply, status ?? 301, '<!doctype html><title>Moved</title>')
  } else if (name === 'silence' || name === 'reset') {
    reply.hijack()
    if (name === 'reset') request.raw.socket.resetAndDestroy()
  } else {
    return false
  }
  return true
}

function sendHtml(reply: FastifyReply, status: number, html: string): void {
  void reply.code(status).type('text/html; charset=utf-8').send(html)
}

/** The call's own answer, changed by the fault. */
export function spoilAnswer(fault: Fault, payload: string, reply: FastifyReply) {
  switch (fault.fault) {
    case 'truncated':
      return firstHalf(payload)
    case 'wrong-types':
      return JSON.stringify(withWrongTypes(payload, fault.ids))
    case 'wrong-content-type':
      void reply.type('text/html; charset=utf-8')
      return payload
    case 'cut':
    case 'stall':
      return halfSent(payload, fault.fault === 'cut')
    default:
      return payload
  }
}

/** With ids, only the rows of these beatmaps are wrong: one bad row among good ones. */
function withWrongTypes(payload: string, ids: readonly number[] | undefined): unknown {
  const answer = JSON.parse(payload) as { beatmaps?: ReadonlyArray<{ id: number }> }
  if (ids === undefined || answer.beatmaps === undefined) return swapTypes(answer)
  const beatmaps = answer.beatmaps.map((row) => (ids.includes(row.id) ? swapTypes(row) : row))
  return { ...answer, beatmaps }
}

function swapTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(swapTypes)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, swapTypes(entry)]))
  }
  return typeof value === 'string' ? value.length : String(value)
}

/** Sends half, then breaks the connection or keeps it open for ever. */
function halfSent(payload: string, breaks: boolean): Readable {
  let sent = false
  return new Readable({
    read() {
      if (!sent) {
        sent = true
        this.push(firstHalf(payload))
      } else if (breaks) {
        // 20 ms later, when headers and half have left, or it would look like `reset`.
        setTimeout(() => this.destroy(new Error('cut by a fault')), 20).unref()
      }
    },
  })
}

function firstHalf(payload: string): string {
  return payload.slice(0, Math.ceil(payload.length / 2))
}
