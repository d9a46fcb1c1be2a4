type Line = { last: Promise<unknown>; readonly waiting: Map<string, Promise<unknown>> }

/**
 * Builds what is large one at a time for an account. A request that comes while another is built
 * waits; those that wait for the same share what is built for them. Nobody is given what was begun
 * before they asked: it may lack what they have saved since.
 */
export class AccountBuilds {
  readonly #lines = new Map<string, Line>()

  /** @param what the same for requests that may share a result, which must be of one type. */
  join<T>(accountId: string, what: string, build: () => Promise<T>): Promise<T> {
    const line = this.#lineOf(accountId)
    const shared = line.waiting.get(what)
    if (shared !== undefined) return shared as Promise<T>
    const built = line.last.then(() => {
      line.waiting.delete(what)
      return build()
    })
    line.waiting.set(what, built)
    const ended = built
      .catch(() => {})
      .finally(() => {
        if (line.last === ended) this.#lines.delete(accountId)
      })
    line.last = ended
    return built
  }

  #lineOf(accountId: string): Line {
    const known = this.#lines.get(accountId)
    if (known !== undefined) return known
    const line: Line = { last: Promise.resolve(), waiting: new Map() }
    this.#lines.set(accountId, line)
    return line
  }
}
