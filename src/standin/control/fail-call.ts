import type { FastifyReply, FastifyRequest } from 'fastify'
import { answers, sendAnswer } from '../answers.ts'
import type { Fault } from './fault-book.ts'

/** Plays the part of a fault that comes instead of the call's own answer; false when there is none. */
export const failCall = (fault: Fault, request: FastifyRequest, reply: FastifyReply): boolean => {
  switch (fault.fault) {
    case 'silence':
      reply.hijack()
      return true
    case 'reset':
      reply.hijack()
      request.raw.socket.resetAndDestroy()
      return true
    case 'html':
      void reply
        .code(fault.status ?? 200)
        .type('text/html; charset=utf-8')
        .send('<!doctype html><title>Maintenance</title><p>Back soon.')
      return true
    case 'throttled':
      if (fault.retryAfter !== undefined) void reply.header('retry-after', fault.retryAfter)
      void sendAnswer(reply, answers.throttled)
      return true
    case 'unauthorized':
    case 'forbidden':
    case 'missing':
    case 'refused':
    case 'down':
      void sendAnswer(reply, answers[fault.fault])
      return true
    default:
      return false
  }
}
