import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { Fault } from './fault-book.ts'

const firstHalf = (payload: string): string => payload.slice(0, Math.ceil(payload.length / 2))

const LEAVING_MS = 20

/** Sends half, then breaks the connection or keeps it open for ever. */
const halfSent = (payload: string, breaks: boolean): Readable => {
  let sent = false
  return new Readable({
    read() {
      if (!sent) {
        sent = true
        this.push(firstHalf(payload))
      } else if (breaks) {
        // Headers and half must have left before the connection goes, or it would look like `reset`.
        setTimeout(() => this.destroy(new Error('cut by a fault')), LEAVING_MS).unref()
      }
    },
  })
}

const swapTypes = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(swapTypes)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, swapTypes(entry)]))
  }
  return typeof value === 'string' ? value.length : String(value)
}

type Answer = { beatmaps?: ReadonlyArray<{ id: number }> }

/** With ids, only the rows of these beatmaps are wrong: one bad row among good ones. */
const withWrongTypes = (payload: string, ids: readonly number[] | undefined): unknown => {
  const answer = JSON.parse(payload) as Answer
  if (ids === undefined || answer.beatmaps === undefined) return swapTypes(answer)
  return {
    ...answer,
    beatmaps: answer.beatmaps.map((row) => (ids.includes(row.id) ? swapTypes(row) : row)),
  }
}

/** Plays the part of a fault that changes the call's own answer. */
export const spoilAnswer = (fault: Fault, payload: string, reply: FastifyReply) => {
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
