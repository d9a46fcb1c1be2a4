type Flight<T> = { readonly payer: string; readonly result: Promise<T> }

/**
 * Makes at most one call per key at a time: those who ask for what is already being asked for share
 * its result, good or bad. The next call after a result starts anew.
 */
export class SingleFlight<T> {
  readonly #flights = new Map<string, Flight<T>>()
  readonly #isOfPayer: (error: unknown) => boolean

  /**
   * @param isOfPayer whether a call failed because of who paid for it, for example by a budget that
   *   is spent: whoever joined it with a budget of their own then makes the call themselves.
   */
  constructor(isOfPayer: (error: unknown) => boolean = () => false) {
    this.#isOfPayer = isOfPayer
  }

  /**
   * @param start makes the call. `seal` ends the sharing before the result is there: who asks from
   *   then on begins another call. It must not be called before `start` has returned.
   * @param payer whose budget the call spends; left out, all have one.
   */
  run(key: string, start: (seal: () => void) => Promise<T>, payer = ''): Promise<T> {
    const joined = this.#flights.get(key)
    if (joined === undefined) return this.#begin(key, start, payer)
    if (joined.payer === payer) return joined.result
    return joined.result.catch((error: unknown) => {
      if (this.#isOfPayer(error)) return this.run(key, start, payer)
      throw error
    })
  }

  #begin(key: string, start: (seal: () => void) => Promise<T>, payer: string): Promise<T> {
    const seal = (): void => {
      if (this.#flights.get(key) === flight) this.#flights.delete(key)
    }
    const flight: Flight<T> = { payer, result: start(seal).finally(seal) }
    this.#flights.set(key, flight)
    return flight.result
  }
}

/**
 * Makes one call per queue at a time. A call waits for the one before it; those who ask for the same
 * while it waits share it. Nobody is given what was begun before they asked: it may lack what they
 * have changed since.
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
