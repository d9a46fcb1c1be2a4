import { setTimeout as sleep } from 'node:timers/promises'
import type {
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  onSendAsyncHookHandler,
  preValidationAsyncHookHandler,
} from 'fastify'
import { answers, sendAnswer } from '../answers.ts'
import { askedIds } from '../beatmaps/asked-ids.ts'
import type { State } from '../state.ts'
import type { Call, CallKind } from './call-log.ts'
import { failCall } from './fail-call.ts'
import type { Fault } from './fault-book.ts'
import { spoilAnswer } from './spoil-answer.ts'

type Visit = { readonly call: Call; fault?: Fault }

/** The hooks that every call of the wire passes: it is counted and held to the limit, then meets its fault. */
export type Gate = (kind: CallKind) => {
  readonly onRequest: onRequestAsyncHookHandler
  readonly preValidation: preValidationAsyncHookHandler
  readonly onSend: onSendAsyncHookHandler
}

export const createGate = ({ calls, throttle, faults }: State): Gate => {
  const visits = new WeakMap<FastifyRequest, Visit>()

  const enter = async (kind: CallKind, request: FastifyRequest, reply: FastifyReply) => {
    visits.set(request, { call: calls.note(kind, askedIds(request)) })
    const wait = throttle.admit()
    return wait > 0 ? sendAnswer(reply.header('retry-after', wait), answers.throttled) : undefined
  }

  const meetFault = async (request: FastifyRequest, reply: FastifyReply) => {
    const visit = visits.get(request)
    if (visit === undefined) return undefined
    const { call } = visit
    if (call.kind === 'attributes') call.asked = request.body
    const fault = faults.meet(call.kind, call.ids)
    if (fault === undefined) return undefined
    visit.fault = fault
    if (fault.delay !== undefined) await sleep(fault.delay, undefined, { ref: false })
    return failCall(fault, request, reply) ? reply : undefined
  }

  const leave = async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    const visit = visits.get(request)
    if (visit === undefined) return payload
    visit.call.status = reply.statusCode
    if (visit.fault === undefined || typeof payload !== 'string') return payload
    return spoilAnswer(visit.fault, payload, reply)
  }

  return (kind) => ({
    onRequest: async (request, reply) => enter(kind, request, reply),
    preValidation: meetFault,
    onSend: leave,
  })
}
