import { BoundedMap } from '../domain/bounded-map.ts'
import { chooseCoding, type ContentCoding } from '../domain/reading/requests.ts'
import { SingleFlight } from '../domain/single-flight.ts'
import type { Compressor } from '../ports/system.ts'

type Coding = Exclude<ContentCoding, 'identity'>

/** Smaller answers fit one packet as they are (D-52). */
export const LEAST_COMPRESSED_BYTES = 1_024
const CACHED_BYTES = 16 * 1_024 * 1_024
/** Clients send one of a few headers; longer ones are not cached. */
const LONGEST_CACHED_HEADER = 200

/** Answers in the coding that the client accepts (D-52), cached by the tag of their bytes. */
export class CompressedAnswers {
  readonly #compressor: Compressor
  /** By coding and tag. */
  readonly #encoded = new BoundedMap<string, Uint8Array>({
    maxSize: CACHED_BYTES,
    sizeOf: ({ length }) => length,
  })
  readonly #encoding = new SingleFlight<Uint8Array>()
  readonly #choices = new BoundedMap<string, ContentCoding>({ maxEntries: 64 })

  constructor(compressor: Compressor) {
    this.#compressor = compressor
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
  encode(tag: string, bytes: () => Uint8Array, coding: Coding): Uint8Array | Promise<Uint8Array> {
    const key = `${coding} ${tag}`
    return (
      this.#encoded.get(key) ??
      this.#encoding.run(key, async () => {
        const encoded = await this.#compressor.compress(bytes(), coding)
        this.#encoded.set(key, encoded)
        return encoded
      })
    )
  }
}
