import { BoundedMap, SingleFlight } from '../domain/loading.ts'
import { chooseCoding, type ContentCoding } from '../domain/reading/requests.ts'
import type { Compressor, Effort, WorkMeter } from '../ports/system.ts'

type Coding = Exclude<ContentCoding, 'identity'>

/** Smaller answers fit one packet as they are (D-52). */
export const LEAST_COMPRESSED_BYTES = 1_024
const CACHED_BYTES = 16 * 1_024 * 1_024
/** CPU time for each byte, on other threads: 2 ms for a page of 117 KB, or a third of that. */
const MS_PER_BYTE: Readonly<Record<Effort, number>> = { small: 2 / 117_000, fast: 0.7 / 117_000 }
/** Clients send one of a few headers; longer ones are not cached. */
const LONGEST_CACHED_HEADER = 200

/** Answers in the coding that the client accepts (D-52), cached by the tag of their bytes. */
export class CompressedAnswers {
  readonly #compressor: Compressor
  readonly #work: Pick<WorkMeter, 'add'>
  /** By coding and tag. */
  readonly #encoded = new BoundedMap<string, Uint8Array>({
    maxSize: CACHED_BYTES,
    sizeOf: ({ length }) => length,
  })
  readonly #encoding = new SingleFlight<Uint8Array>()
  readonly #choices = new BoundedMap<string, ContentCoding>({ maxEntries: 64 })

  /** @param work is charged what compressing takes. */
  constructor(compressor: Compressor, work: Pick<WorkMeter, 'add'>) {
    this.#compressor = compressor
    this.#work = work
  }

  /** The coding that a request with this `Accept-Encoding` is answered in. */
  choose(acceptEncoding: string): ContentCoding {
    const cached = this.#choices.get(acceptEncoding)
    if (cached !== undefined) return cached
    const coding = chooseCoding(acceptEncoding, this.#compressor.codings)
    if (acceptEncoding.length <= LONGEST_CACHED_HEADER) this.#choices.set(acceptEncoding, coding)
    return coding
  }

  /** The bytes in this coding, at once when they are cached. Equal bytes have equal tags. */
  encode(
    tag: string,
    bytes: () => Uint8Array,
    coding: Coding,
    effort: Effort = 'small',
  ): Uint8Array | Promise<Uint8Array> {
    const key = `${coding} ${tag}`
    return (
      this.#encoded.get(key) ??
      this.#encoding.run(key, async () => {
        const whole = bytes()
        this.#work.add(whole.length * MS_PER_BYTE[effort])
        const encoded = await this.#compressor.compress(whole, coding, effort)
        this.#encoded.set(key, encoded)
        return encoded
      })
    )
  }
}
