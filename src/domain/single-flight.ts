type Call<T> = { readonly payer: string; readonly result: Promise<T> }

/** Makes at most one call per key at a time; callers meanwhile share its result, good or bad. */
export class SingleFlight<T> {
  readonly #calls = new Map<string, Call<T>>()
  readonly #isOfPayer: (error: unknown) => boolean

  /** @param isOfPayer whether a call failed for its payer's budget: others then make their own. */
  constructor(isOfPayer: (error: unknown) => boolean = () => false) {
    this.#isOfPayer = isOfPayer
  }

  /**
   * @param start makes the call. `seal` ends the sharing before the result is there; it must not be
   *   called before `start` has returned.
   * @param payer whose budget the call spends; left out, all have one.
   */
  run(key: string, start: (seal: () => void) => Promise<T>, payer = ''): Promise<T> {
    const joined = this.#calls.get(key)
    if (joined?.payer === payer) return joined.result
    if (joined !== undefined) {
      return joined.result.catch((error: unknown) => {
        if (this.#isOfPayer(error)) return this.run(key, start, payer)
        throw error
      })
    }
    const seal = (): void => {
      if (this.#calls.get(key) === call) this.#calls.delete(key)
    }
    const call: Call<T> = { payer, result: start(seal).finally(seal) }
    this.#calls.set(key, call)
    return call.result
  }
}

/**
 * Makes one call per queue at a time; callers that want the same while it waits share it. None gets
 * a call begun before it asked: its result may lack what that caller has changed since.
 */
export class SerialFlight {
  readonly #waiting = new SingleFlight<unknown>()
  readonly #tails = new Map<string, Promise<unknown>>()

  /** @param key the same for calls that may share a result, which must be of one type. */
  run<T>(queue: string, key: string, start: () => Promise<T>): Promise<T> {
    const shared = this.#waiting.run(`${queue} ${key}`, (seal) => {
      const before = this.#tails.get(queue) ?? Promise.resolve()
      const result = before.then(() => {
        seal()
        return start()
      })
      const tail = result
        .catch(() => {})
        .finally(() => {
          if (this.#tails.get(queue) === tail) this.#tails.delete(queue)
        })
      this.#tails.set(queue, tail)
      return result
    })
    return shared as Promise<T>
  }
}
