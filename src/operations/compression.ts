import { type Awaitable, BoundedMap, SingleFlight, whenKnown } from '../domain/loading.ts'
import { chooseCoding, type ContentCoding } from '../domain/reading/requests.ts'
import type { Compressor, GzipFront, WorkMeter } from '../ports/system.ts'

/** Smaller answers fit one packet as they are (D-52). */
export const LEAST_COMPRESSED_BYTES = 1_024
/** What pages, feeds and answers of the API are sent as, together: see docs/performance.md. */
const CACHED_BYTES = 64 * 1_024 * 1_024
/** An entry of the map, its key and the object of its bytes. */
const ENTRY_BYTES = 400
/** Pages that are sent more often get the better coding, which takes three times as long. */
const RARE_USES = 8
/**
 * Once the cache is full, only one new page of so many is cached. If each were, a reader of more pages than it holds, in
 * turn, would never find one in it.
 */
const KEPT_OF_NEW = 8
/** CPU time for each byte, on other threads: 2 ms for a page of 117 KB in brotli, and parts of that. */
const MS_PER_BYTE = { whole: 2 / 117_000, unpacked: 0.15 / 117_000 }
/** Clients send one of a few headers; longer ones are not cached. */
const LONGEST_CACHED_HEADER = 200

type WholeBody = { readonly etag: string; readonly payload: string | Uint8Array }

/** A body with an end that is never compressed: what a page holds of its viewer is there, a token if they are signed in. */
export type JointBody = {
  readonly etag: string
  /** In bytes, with its end. */
  readonly length: number
  /** What stands before the end, made anew: only its compressed forms are kept. */
  readonly front: () => Awaitable<GzipFront>
  readonly end: Uint8Array
}

type Form = { readonly bytes: Uint8Array; readonly front?: GzipFront; uses: number }

/** Answers in the coding that the client accepts (D-52), cached by the tag of their bytes. */
export class CompressedAnswers {
  readonly #compressor: Compressor
  readonly #work: Pick<WorkMeter, 'add'>
  /** By coding and tag. */
  readonly #forms = new BoundedMap<string, Form>({
    maxSize: CACHED_BYTES,
    sizeOf: ({ bytes }) => bytes.length + ENTRY_BYTES,
    onDrop: () => (this.#isFull = true),
  })
  #isFull = false
  #newPages = 0
  readonly #making = new SingleFlight<Form>()
  readonly #choices = new BoundedMap<string, ContentCoding>({ maxEntries: 64 })

  /** @param work is charged what compressing takes. */
  constructor(compressor: Compressor, work: Pick<WorkMeter, 'add'>) {
    this.#compressor = compressor
    this.#work = work
  }

  /**
   * The coding that a request with this `Accept-Encoding` is answered in.
   *
   * @param joint for a body with an end. Its gzip form is quick to make and serves everyone, so that others are only
   *   made of what is asked for often.
   * @param isOwn whether the end is for this request alone.
   */
  choose(acceptEncoding: string, joint?: Pick<JointBody, 'etag'>, isOwn = false): ContentCoding {
    const best = this.#choose(acceptEncoding, this.#compressor.codings)
    if (joint === undefined || best === 'identity') return best
    const own = this.#choose(acceptEncoding, JOINT_CODINGS)
    if (isOwn) return own
    if (this.#forms.peek(`${best} ${joint.etag}`) !== undefined) return best
    const isOften = (this.#forms.peek(frontKey(joint.etag))?.uses ?? 0) >= RARE_USES
    return isOften || own === 'identity' ? best : own
  }

  #choose(acceptEncoding: string, codings: readonly ContentCoding[]): ContentCoding {
    const key = `${codings.length} ${acceptEncoding}`
    const cached = this.#choices.get(key)
    if (cached !== undefined) return cached
    const coding = chooseCoding(acceptEncoding, codings)
    if (acceptEncoding.length <= LONGEST_CACHED_HEADER) this.#choices.set(key, coding)
    return coding
  }

  /** The body in this coding, at once when it is cached. Equal bodies have equal tags. */
  encode(body: WholeBody | JointBody, coding: ContentCoding): Awaitable<Uint8Array> {
    if (coding === 'identity') return this.#bytesOf(body)
    if (coding === 'gzip' && 'end' in body) return this.#join(body)
    const form = this.#keep(`${coding} ${body.etag}`, async () => {
      const whole = await this.#bytesOf(body)
      this.#work.add(whole.length * MS_PER_BYTE.whole)
      return { bytes: await this.#compressor.compress(whole, coding) }
    })
    return whenKnown(form, ({ bytes }) => bytes)
  }

  #join({ etag, front, end }: JointBody): Awaitable<Uint8Array> {
    const form = this.#keep(frontKey(etag), async () => {
      const made = await front()
      return { bytes: made.bytes, front: made }
    })
    return whenKnown(form, (kept) => this.#compressor.join(kept.front!, end))
  }

  #bytesOf(body: WholeBody | JointBody): Awaitable<Uint8Array> {
    if ('payload' in body) {
      return typeof body.payload === 'string' ? encoder.encode(body.payload) : body.payload
    }
    return whenKnown(this.#frontOf(body), (front) => joined(front, body.end))
  }

  #frontOf({ etag, front }: JointBody): Awaitable<Uint8Array> {
    return whenKnown(this.#forms.get(frontKey(etag))?.front ?? front(), (packed) => {
      this.#work.add(packed.length * MS_PER_BYTE.unpacked)
      return this.#compressor.unpackFront(packed)
    })
  }

  #keep(key: string, make: () => Promise<Omit<Form, 'uses'>>): Awaitable<Form> {
    const kept = this.#forms.get(key)
    if (kept === undefined) {
      return this.#making.run(key, async () => {
        const form: Form = { ...(await make()), uses: 1 }
        const isPage = form.front !== undefined
        if (!isPage || !this.#isFull || ++this.#newPages % KEPT_OF_NEW === 0) {
          this.#forms.set(key, form)
        }
        return form
      })
    }
    kept.uses += 1
    return kept
  }
}

const JOINT_CODINGS = ['gzip', 'identity'] as const
const encoder = new TextEncoder()
const frontKey = (etag: string): string => `front ${etag}`

function joined(front: Uint8Array, end: Uint8Array): Uint8Array {
  const whole = new Uint8Array(front.length + end.length)
  whole.set(front)
  whole.set(end, front.length)
  return whole
}
