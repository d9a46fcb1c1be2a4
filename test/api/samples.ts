import type { PackInput, Stats } from '../../src/contract/packs.ts'
import type { Host } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

/** Stats as they are kept, their fields in the order of spec 2.6. */
export const someStats: Stats = {
  srMin: 5.94,
  srMax: 7.81,
  srAvg: 6.88,
  lenMin: 95,
  lenMax: 258,
  bpmMin: 174,
  bpmMax: 333,
  mods: ['NM', 'DT', 'TB'],
  modes: ['base'],
  count: 3,
  complete: true,
  computedAt: '2026-10-03T18:30:04.120Z',
}

/** A magnet link as it is kept; a larger number is a newer one. */
export const aMagnet = (number: number) => ({
  url: `magnet:?xt=urn:btih:${String(number).padStart(40, '0')}`,
  createdAt: Date.UTC(2026, 9, 3, 18, 30) + number,
})

/** A body of exactly this many bytes whose content is valid. */
export const bodyOf = (bytes: number, input: PackInput = aPack()): string => {
  const bare = Buffer.byteLength(JSON.stringify({ ...input, padding: '' }))
  return JSON.stringify({ ...input, padding: 'x'.repeat(bytes - bare) })
}

/** Sends a body in two pieces, its length not told in advance; gives the status and the code. */
export const sendInChunks = async (host: Host, method: string, path: string, body: string) => {
  const bytes = new TextEncoder().encode(body)
  const pieces = [bytes.subarray(0, 1000), bytes.subarray(1000)]
  const init = {
    method,
    headers: { authorization: `Bearer ${host.key}`, 'content-type': 'application/json' },
    body: new ReadableStream<Uint8Array>({
      pull: (stream) => {
        const piece = pieces.shift()
        if (piece === undefined) stream.close()
        else stream.enqueue(piece)
      },
    }),
    // The types of browsers, which come with those of the pages, do not know it.
    duplex: 'half',
  }
  const response = await fetch(`${host.door.url}/api/v1${path}`, init)
  const answer = (await response.json()) as { error?: { code: string } }
  return { status: response.status, code: answer.error?.code }
}

/** Types under which a body passes, and types under which it does not (D-25). */
export const jsonTypes = [
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"',
  'application/json ; profile=x',
  'application/json;',
]
export const otherTypes = [
  'text/plain',
  'text/json',
  'application/json5',
  'application/ld+json',
  'application/jsonp',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=application/json',
  'application',
  'json',
  '*/*',
  'application/json-patch+json',
  'application/ json',
]
