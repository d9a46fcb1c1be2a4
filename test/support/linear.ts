import { expect } from 'vitest'

/** Only so many where the first have not told. */
const ROUNDS = 12
/** What is done sooner has no time to tell by. */
const LEAST_MS = 40

/** CPU time of this thread, ms: what others do on the machine is not in it. */
const cpuOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

const PARTS = 8
/** Of the square it would be eight. */
const MOST = 3

/** The CPU time, ms, of work on a text and of work on each eighth of it, until it is at most `most` times theirs. */
const compareParts = (
  whole: string,
  work: (text: string) => unknown,
  most: number,
  rounds: number,
): { readonly parts: number; readonly all: number; readonly isLinear: boolean } => {
  const part = whole.slice(0, whole.length / PARTS)
  let [parts, all] = [Infinity, Infinity]
  const isLinear = (of: number): boolean => all < most * Math.max(of, LEAST_MS)
  for (let round = 0; round < rounds && !isLinear(parts); round += 1) {
    all = Math.min(
      all,
      cpuOf(() => work(whole)),
    )
    let own = 0
    for (let at = 0; at < PARTS && !isLinear(own); at += 1) own += cpuOf(() => work(part))
    parts = Math.min(parts, own)
  }
  return { parts, all, isLinear: isLinear(parts) }
}

/**
 * Holds work to time in proportion to its input: eight times as much takes at most three times as long as an eighth of it
 * eight times, where it would be eight times with the square. Both are of the same order, so that what others do on the
 * machine slows both. The best of some rounds counts, for the compiler and the collector come in between; most often
 * the first will do. Parts are done only until they have taken enough.
 */
export const expectLinear = (whole: string, work: (text: string) => unknown): void => {
  const { parts, all, isLinear } = compareParts(whole, work, MOST, ROUNDS)
  expect(isLinear, `${parts} ms in eight parts, ${all} ms at once`).toBe(true)
}

/**
 * As `expectLinear`; where a quarter of the text takes long enough to tell, and hardly longer than its parts, that will do.
 * Of the square that makes the whole take three times as long, a quarter takes 1.6 times as long.
 */
export const expectLinearSoon = (whole: string, work: (text: string) => unknown): void => {
  const quarter = compareParts(whole.slice(0, whole.length / 4), work, 1.5, 2)
  if (quarter.isLinear && quarter.all >= MOST * LEAST_MS) return
  expectLinear(whole, work)
}

/** Holds one work to less than a third of the CPU time that another takes; the best of some rounds counts. */
export const expectCheaper = (work: () => unknown, than: () => unknown): void => {
  let [own, other] = [Infinity, Infinity]
  const isCheaper = (): boolean => own * 3 < other
  for (let round = 0; round < ROUNDS && !(round > 0 && isCheaper()); round += 1) {
    own = Math.min(own, cpuOf(work))
    other = Math.min(other, cpuOf(than))
  }
  expect(isCheaper(), `${own} ms, and ${other} ms`).toBe(true)
}
