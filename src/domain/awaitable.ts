/** A value that may be known already. */
export type Awaitable<T> = T | Promise<T>

/** Calls `next` with the value: synchronously when it is known, without a microtask. */
export function whenKnown<T, R>(
  value: Awaitable<T>,
  next: (known: T) => Awaitable<R>,
): Awaitable<R> {
  // oxlint-disable-next-line promise/no-callback-in-promise -- there is no callback but this one
  return value instanceof Promise ? value.then(next) : next(value)
}
