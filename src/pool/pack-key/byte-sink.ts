const encoder = new TextEncoder()

/** Writes what `ByteReader` reads. */
export class ByteSink {
  #bytes = new Uint8Array(1024)
  #length = 0

  byte(value: number): void {
    const at = this.#grow(1)
    this.#bytes[at] = value
  }

  int32(value: number): void {
    const at = this.#grow(4)
    new DataView(this.#bytes.buffer).setInt32(at, value, true)
  }

  double(value: number): void {
    const at = this.#grow(8)
    new DataView(this.#bytes.buffer).setFloat64(at, value, true)
  }

  /** 0 to 2³²−1, in as few bytes as it takes. */
  varint(value: number): void {
    let rest = value
    while (rest > 0x7f) {
      this.byte((rest & 0x7f) | 0x80)
      rest >>>= 7
    }
    this.byte(rest)
  }

  text(text: string): void {
    const encoded = encoder.encode(text)
    this.varint(encoded.length)
    this.bytes(encoded)
  }

  bytes(bytes: ArrayLike<number>): void {
    const at = this.#grow(bytes.length)
    this.#bytes.set(bytes, at)
  }

  clear(): void {
    this.#length = 0
  }

  /** All that was written, not copied: valid until `clear`. */
  whole(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Makes room for `count` bytes and returns where they begin. */
  #grow(count: number): number {
    const at = this.#length
    this.#length += count
    if (this.#length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2))
      larger.set(this.#bytes.subarray(0, at))
      this.#bytes = larger
    }
    return at
  }
}
