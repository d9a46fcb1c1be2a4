/** A line: one at a time, first come, first served. */
export class Line {
  #last: Promise<void> = Promise.resolve()

  /** Waits for one's turn; gives the function that ends it. Ending it twice does no harm. */
  async enter(): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    return resolve
  }
}
