/** The time. */
export interface Clock {
  /** ms since the epoch, whole. */
  now(): number
}
