/** Bytes of pictures that are kept; one is 50 to 100 KB. */
const MOST_BYTES = 16 * 1024 * 1024

/** Pictures that were drawn, and those that are being drawn, by what they show; the last used stay. */
export class PictureShelf {
  readonly #kept = new Map<string, Buffer>()
  readonly #coming = new Map<string, Promise<Buffer>>()
  #bytes = 0

  /** The picture; `draw` is called when there is none, and its null is passed on. */
  find(tag: string, draw: () => Promise<Buffer> | null): Promise<Buffer> | null {
    const kept = this.#kept.get(tag)
    if (kept !== undefined) {
      this.#kept.delete(tag)
      this.#kept.set(tag, kept)
      return Promise.resolve(kept)
    }
    const coming = this.#coming.get(tag) ?? this.#await(tag, draw())
    return coming
  }

  #await(tag: string, drawing: Promise<Buffer> | null): Promise<Buffer> | null {
    if (drawing === null) return null
    const coming = drawing
      .then((png) => this.#keep(tag, png))
      .finally(() => this.#coming.delete(tag))
    this.#coming.set(tag, coming)
    return coming
  }

  #keep(tag: string, png: Buffer): Buffer {
    this.#kept.set(tag, png)
    this.#bytes += png.length
    for (const [oldest, { length }] of this.#kept) {
      if (this.#bytes <= MOST_BYTES) break
      this.#kept.delete(oldest)
      this.#bytes -= length
    }
    return png
  }
}
