import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type CallKind, callKinds } from './calls.ts'

type Answer = { readonly status: number; readonly body: object }

/** The platform's answers that are not 200, as they come over the wire. */
export const answers = {
  unauthorized: { status: 401, body: { authentication: 'basic' } },
  forbidden: { status: 403, body: { error: 'A required scope is missing.' } },
  missing: { status: 404, body: { error: "The beatmap couldn't be found." } },
  refused: { status: 422, body: { error: 'invalid mod for ruleset: ZZ' } },
  throttled: { status: 429, body: { error: 'Too Many Attempts.' } },
  down: { status: 500, body: { error: null } },
} as const satisfies Record<string, Answer>

export function sendAnswer(reply: FastifyReply, { status, body }: Answer): FastifyReply {
  return reply.code(status).send(body)
}

/** README.md describes what each does. */
const faultNames = [
  ...(Object.keys(answers) as (keyof typeof answers)[]),
  ...(['delay', 'silence', 'reset', 'html', 'truncated', 'wrong-types'] as const),
  ...(['wrong-content-type', 'cut', 'stall'] as const),
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
    /** `Retry-After` of `throttled`; left out: no such header. */
    retryAfter: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
    /** Status of `html`; left out: 200. */
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
    meet: (call: CallKind, asked: readonly number[]): Fault | undefined => {
      const fault = faults.find(
        ({ kind = call, ids = asked, times = Infinity, met }) =>
          kind === call && (ids === asked || ids.some((id) => asked.includes(id))) && met < times,
      )
      if (fault !== undefined) fault.met += 1
      return fault
    },
    list: (): readonly Fault[] => faults,
    clear: () => {
      faults = []
    },
  }
}

/** Sends what the fault puts in place of the call's own answer; false when there is none. */
export function failCall(fault: Fault, request: FastifyRequest, reply: FastifyReply): boolean {
  const answer = (answers as Partial<Record<string, Answer>>)[fault.fault]
  if (answer !== undefined) {
    if (fault.fault === 'throttled' && fault.retryAfter !== undefined) {
      void reply.header('retry-after', fault.retryAfter)
    }
    void sendAnswer(reply, answer)
  } else if (fault.fault === 'html') {
    const page = '<!doctype html><title>Maintenance</title><p>Back soon.'
    void reply
      .code(fault.status ?? 200)
      .type('text/html; charset=utf-8')
      .send(page)
  } else if (fault.fault === 'silence' || fault.fault === 'reset') {
    reply.hijack()
    if (fault.fault === 'reset') request.raw.socket.resetAndDestroy()
  } else {
    return false
  }
  return true
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
