/** Whoever asks for what is already being asked for gets the same answer. */
export class Flights<T> {
  readonly #flying = new Map<string, Promise<T>>()

  /** One flight for each key: the next ask after an answer, good or bad, starts anew. */
  join(key: string, start: () => Promise<T>): Promise<T> {
    const flying = this.#flying.get(key)
    if (flying !== undefined) return flying
    const flight = start().finally(() => this.#flying.delete(key))
    this.#flying.set(key, flight)
    return flight
  }
}
