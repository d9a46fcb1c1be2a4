import { BoundedMap } from '../domain/bounded-map.ts'
import { chooseCoding, type ContentCoding } from '../domain/reading/requests.ts'
import { SingleFlight } from '../domain/single-flight.ts'
import type { Compressor } from '../ports/system.ts'

type Coding = Exclude<ContentCoding, 'identity'>

/** Smaller answers fit one packet as they are (D-52). */
export const LEAST_COMPRESSED_BYTES = 1_024
const KEPT_BYTES = 16 * 1_024 * 1_024
/** Clients send one of a few headers; what is longer than any of those is read each time. */
const KNOWN_HEADERS = 64
const LONGEST_KNOWN_HEADER = 200

/**
 * Answers in the coding that the client accepts (D-52). What has been compressed is kept by the tag
 * of its bytes, as far as there is room, and what several requests want at once is compressed once.
 */
export class CompressedAnswers {
  readonly #compressor: Compressor
  /** By coding and tag. */
  readonly #encoded = new BoundedMap<string, Uint8Array>({
    maxSize: KEPT_BYTES,
    sizeOf: ({ length }) => length,
  })
  readonly #encoding = new SingleFlight<Uint8Array>()
  readonly #choices = new BoundedMap<string, ContentCoding>({ maxEntries: KNOWN_HEADERS })

  constructor(compressor: Compressor) {
    this.#compressor = compressor
  }

  /** The coding that a request with this `Accept-Encoding` is answered in. */
  choose(acceptEncoding: string): ContentCoding {
    const known = this.#choices.get(acceptEncoding)
    if (known !== undefined) return known
    const coding = chooseCoding(acceptEncoding, this.#compressor.codings)
    if (acceptEncoding.length <= LONGEST_KNOWN_HEADER) this.#choices.set(acceptEncoding, coding)
    return coding
  }

  /**
   * The bytes in this coding: at once when they are kept.
   *
   * @param tag names the bytes: equal bytes, equal tag.
   */
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
