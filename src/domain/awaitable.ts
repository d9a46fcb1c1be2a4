/** A value that may be known already. */
export type Awaitable<T> = T | Promise<T>

/** Goes on with the value: at once when it is known, without a turn of the promise queue. */
export function whenKnown<T, R>(
  value: Awaitable<T>,
  next: (known: T) => Awaitable<R>,
): Awaitable<R> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- there is no callback but this one
  return value instanceof Promise ? value.then(next) : next(value)
}
