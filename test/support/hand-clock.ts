import type { Clock } from '../../src/ports/system.ts'

/** A clock that stands still until it is moved. Starts a second into a minute. */
export class HandClock implements Clock {
  #now: number

  constructor(start = Date.UTC(2026, 9, 3, 18, 30, 1)) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  set(iso: string): void {
    this.#now = Date.parse(iso)
  }

  advance(ms: number): void {
    this.#now += ms
  }

  /** To the top of the next minute, where every quota begins anew. */
  nextMinute(): void {
    this.#now = (Math.floor(this.#now / 60_000) + 1) * 60_000
  }
}
