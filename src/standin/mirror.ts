import { setTimeout as sleep } from 'node:timers/promises'
import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { roll } from './library.ts'

/** How the mirror behaves. Closed: a misspelt field would make a test pass for nothing. */
export const MirrorInput = Type.Object(
  {
    /** Bytes of each set, about. */
    size: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    /** Waiting time before each answer, in ms. */
    delay: Type.Optional(Type.Integer({ minimum: 0, maximum: 3_600_000 })),
    /** The share of requests that fail, each in another way: 503, a page, the connection breaks. */
    failing: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    /** Sets that are not there. */
    lacking: Type.Optional(Type.Array(Type.Integer())),
    /** Sets of which the end is missing, in an answer that is whole. */
    short: Type.Optional(Type.Array(Type.Integer())),
    /** Whether pages of other sites may read the answers; left out: they may. */
    cors: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type MirrorInput = Static<typeof MirrorInput>

const SIZE = 20_000
const CHUNK = 65_536

/** Sets as mirrors of the platform serve them, made up, below `/mirror/d/`; see README.md. */
export function createMirror() {
  let input: MirrorInput = {}
  let asked = 0
  const served = new Map<number, number>()

  const routes = (app: FastifyInstance): void => {
    app.get<{ Params: { set: string } }>('/mirror/d/:set', async ({ params, raw }, reply) => {
      const { size = SIZE, delay = 0, failing = 0, lacking = [], short = [], cors = true } = input
      const set = Number(/^[1-9][0-9]{0,9}$/.exec(params.set)?.[0])
      asked += 1
      const failure = roll(asked, 'mirror') < failing ? asked % 3 : null
      if (cors) void reply.header('access-control-allow-origin', '*')
      if (delay > 0) await sleep(delay, undefined, { ref: false })
      if (!(set > 0) || lacking.includes(set)) return reply.code(404).send('No such set.\n')
      if (failure === 0) return reply.code(503).header('retry-after', '0').send('Busy.\n')
      if (failure === 1) return reply.type('text/html').send('<h1>Checking your browser</h1>\n')
      const archive = archiveOf(set, size)
      const sent = short.includes(set) ? archive.subarray(0, -40) : archive
      void reply.type('application/x-osu-beatmap-archive').header('content-length', sent.length)
      if (failure === 2) {
        const half = Readable.from(chunksOf(sent.subarray(0, sent.length >> 1)))
        half.on('end', () => raw.socket.destroy())
        return reply.send(half)
      }
      served.set(set, (served.get(set) ?? 0) + 1)
      return reply.send(Readable.from(chunksOf(sent)))
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

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += CHUNK) yield bytes.subarray(at, at + CHUNK)
}

/** An archive with one file of this size, not compressed. */
function archiveOf(set: number, size: number): Buffer {
  const name = Buffer.from(`${set} (made up).osu`)
  const content = Buffer.alloc(size, `set ${set}\n`)
  // From the version that is needed to the length of the name, as both headers have them.
  const shared = Buffer.alloc(26)
  shared.writeUInt16LE(20, 0)
  shared.writeUInt32LE(crc32(content), 10)
  shared.writeUInt32LE(size, 14)
  shared.writeUInt32LE(size, 18)
  shared.writeUInt16LE(name.length, 22)
  const file = Buffer.concat([signed(3, 4), shared, name, content])
  const entry = Buffer.concat([signed(1, 2), Buffer.from([20, 0]), shared, Buffer.alloc(14), name])
  const end = Buffer.alloc(18)
  end.writeUInt16LE(1, 4)
  end.writeUInt16LE(1, 6)
  end.writeUInt32LE(entry.length, 8)
  end.writeUInt32LE(file.length, 12)
  return Buffer.concat([file, entry, signed(5, 6), end])
}

const signed = (first: number, second: number): Buffer => Buffer.from([0x50, 0x4b, first, second])
