import { chooseCoding, type ContentCoding } from '../domain/reading/content-coding.ts'
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
  /** By tag and coding, the least recently used first. */
  readonly #kept = new Map<string, Uint8Array>()
  #keptBytes = 0
  readonly #underWay = new Map<string, Promise<Uint8Array>>()
  readonly #choices = new Map<string, ContentCoding>()

  constructor(compressor: Compressor) {
    this.#compressor = compressor
  }

  /** The coding for an answer of this length, in bytes; `acceptEncoding` is the request's header. */
  choose(acceptEncoding: string | undefined, length: number): ContentCoding {
    if (acceptEncoding === undefined || length < LEAST_COMPRESSED_BYTES) return 'identity'
    const known = this.#choices.get(acceptEncoding)
    if (known !== undefined) return known
    const coding = chooseCoding(acceptEncoding, this.#compressor.codings)
    if (acceptEncoding.length <= LONGEST_KNOWN_HEADER && this.#choices.size < KNOWN_HEADERS) {
      this.#choices.set(acceptEncoding, coding)
    }
    return coding
  }

  /**
   * The bytes in this coding: at once when they are kept.
   *
   * @param tag names the bytes: equal bytes, equal tag.
   */
  encode(tag: string, bytes: () => Uint8Array, coding: Coding): Uint8Array | Promise<Uint8Array> {
    const key = `${coding} ${tag}`
    const kept = this.#kept.get(key)
    if (kept !== undefined) {
      this.#kept.delete(key)
      this.#kept.set(key, kept)
      return kept
    }
    const underWay = this.#underWay.get(key)
    if (underWay !== undefined) return underWay
    const encoding = this.#compress(key, bytes(), coding)
    this.#underWay.set(key, encoding)
    return encoding
  }

  async #compress(key: string, bytes: Uint8Array, coding: Coding): Promise<Uint8Array> {
    try {
      const encoded = await this.#compressor.compress(bytes, coding)
      this.#keep(key, encoded)
      return encoded
    } finally {
      this.#underWay.delete(key)
    }
  }

  #keep(key: string, encoded: Uint8Array): void {
    this.#kept.set(key, encoded)
    this.#keptBytes += encoded.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#keptBytes <= KEPT_BYTES) return
      this.#kept.delete(oldest)
      this.#keptBytes -= length
    }
  }
}
