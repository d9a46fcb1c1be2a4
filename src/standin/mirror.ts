import { setTimeout as sleep } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { roll } from './library.ts'

/** How the mirror behaves. Closed: a misspelt field would make a test pass for nothing. */
export const MirrorInput = Type.Object(
  {
    /** Bytes of each set, about. */
    size: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    /** Waiting time before each answer, in ms. */
    delay: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
    /** Sets whose answers wait; left out: all do. */
    slow: Type.Optional(Type.Array(Type.Integer())),
    /** The share of requests that fail, each in another way: 503, a page, the connection breaks. */
    failing: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /** Sets that are not there. */
    lacking: Type.Optional(Type.Array(Type.Integer())),
    /** Sets of which the end is missing, in an answer that is whole. */
    short: Type.Optional(Type.Array(Type.Integer())),
    /** Sets that are at this address instead, with `{set}` in it. */
    moved: Type.Optional(Type.String()),
    /** Answers 429 with so many seconds to wait. */
    busy: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })),
    /** Whether pages of other sites may read the answers; left out: they may. */
    cors: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type MirrorInput = Static<typeof MirrorInput>

const SIZE = 20_000
const CHUNK = 65_536
/** How much is missing of a set without its end. */
const SHORT_BY = 40

/** Sets as mirrors of the platform serve them, made up, below `/mirror/d/`; see README.md. */
export function createMirror() {
  let input: MirrorInput = {}
  let asked = 0
  const served = new Map<number, number>()

  /** @param at the number of the request. */
  const answer = (at: number, set: number, { raw }: FastifyRequest, reply: FastifyReply) => {
    const { size = SIZE, failing = 0, lacking = [], short = [], moved, busy } = input
    const failure = roll(at, 'mirror') < failing ? at % 3 : null
    if (!(set > 0) || lacking.includes(set)) return reply.code(404).send('No such set.\n')
    if (moved !== undefined) return reply.redirect(moved.replaceAll('{set}', String(set)))
    if (busy !== undefined) return reply.code(429).header('retry-after', busy).send('Busy.\n')
    if (failure === 0) return reply.code(503).header('retry-after', '0').send('Busy.\n')
    if (failure === 1) return reply.type('text/html').send('<h1>Checking your browser</h1>\n')
    const archive = archiveOf(set, size)
    const length = archive.length - (short.includes(set) ? SHORT_BY : 0)
    void reply.type('application/x-osu-beatmap-archive').header('content-length', length)
    if (failure === 2) {
      const half = Readable.from(firstOf(archive.parts(), length >> 1))
      half.on('end', () => raw.socket.destroy())
      return reply.send(half)
    }
    served.set(set, (served.get(set) ?? 0) + 1)
    return reply.send(Readable.from(firstOf(archive.parts(), length)))
  }

  const routes = (app: FastifyInstance): void => {
    app.get<{ Params: { set: string } }>('/mirror/d/:set', async (request, reply) => {
      const { delay = 0, slow, cors = true } = input
      const at = ++asked
      const set = Number(/^[1-9][0-9]{0,9}$/.exec(request.params.set)?.[0])
      if (cors) {
        void reply.header('access-control-allow-origin', '*')
        void reply.header('access-control-expose-headers', 'retry-after')
      }
      const isSlow = slow?.includes(set) ?? true
      if (delay > 0 && isSlow) await sleep(delay, undefined, { ref: false })
      return answer(at, set, request, reply)
    })
  }

  return {
    routes,
    behave(changes: MirrorInput): void {
      input = changes
    },
    /** How often each set was served whole. */
    report: () => ({ asked, served: Object.fromEntries(served) }),
    clear(): void {
      input = {}
      asked = 0
      served.clear()
    },
  }
}

/** So many bytes from the beginning. */
function* firstOf(parts: Iterable<Buffer>, length: number): Generator<Buffer> {
  let left = length
  for (const part of parts) {
    if (left <= 0) return
    yield part.subarray(0, left)
    left -= part.length
  }
}

const LINE = 'made up\n'
const block = Buffer.alloc(CHUNK, LINE)
/** Of as many bytes of `block` over and over. */
const sums = new Map<number, number>()

function* contentOf(size: number): Generator<Buffer> {
  for (let left = size; left > 0; left -= CHUNK) yield block.subarray(0, left)
}

function sumOf(size: number): number {
  let sum = sums.get(size)
  if (sum === undefined) {
    sum = 0
    for (const part of contentOf(size)) sum = crc32(part, sum)
    sums.set(size, sum)
  }
  return sum
}

/** An archive with one file of this size, not compressed. Only its name is made for each set: large ones cost little. */
function archiveOf(set: number, size: number) {
  const name = Buffer.from(`${set} (made up).osu`)
  // From the version that is needed to the length of the name, as both headers have them.
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt32LE(sumOf(size), 10)
  shared.writeUInt32LE(size, 14)
  shared.writeUInt32LE(size, 18)
  shared.writeUInt16LE(name.length, 22)
  const head = Buffer.concat([signed(3, 4), shared, name])
  const entry = Buffer.concat([signed(1, 2), Buffer.from([20, 0]), shared, Buffer.alloc(14), name])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(entry.length, 8)
  end.writeUInt32LE(head.length + size, 12)
  const foot = Buffer.concat([entry, signed(5, 6), end])
  return {
    length: head.length + size + foot.length,
    *parts(): Generator<Buffer> {
      yield head
      yield* contentOf(size)
      yield foot
    },
  }
}

const signed = (first: number, second: number): Buffer => Buffer.from([0x50, 0x4b, first, second])
