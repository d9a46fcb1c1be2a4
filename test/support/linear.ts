import { expect } from 'vitest'

/** Only so many where the first have not told. */
const ROUNDS = 12
/** What is done sooner has no time to tell by. */
const LEAST_MS = 20

/** Tells the CPU time of this thread since now, ms: what others do on the machine is mostly not in it. */
const stopwatch = (): (() => number) => {
  const before = process.threadCpuUsage()
  return () => {
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  }
}

const cpuOf = (work: () => void): number => {
  const elapsed = stopwatch()
  work()
  return elapsed()
}

const PARTS = 32
/** Of the square it would be 32: as far above as the noise of a shared machine, which makes one of two slower, is below. */
const MOST = 8

/** The CPU time, ms, of work on a text and of work on each part of it, until it is at most `most` times theirs. */
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
    // One reading over all of them, for some kernels count in steps of 4 ms.
    const elapsed = stopwatch()
    for (let at = 0; at < PARTS && !isLinear(elapsed()); at += 1) work(part)
    const own = elapsed()
    parts = Math.min(parts, own)
  }
  return { parts, all, isLinear: isLinear(parts) }
}

/**
 * Holds work to time in proportion to its input: the whole takes at most eight times as long as its 32nd part done 32
 * times, where it would be 32 times with the square. Both are of the same order, so that what others do on the
 * machine slows both. The best of some rounds counts, for the compiler and the collector come in between; most often
 * the first will do. Parts are done only until they have taken enough.
 */
export const expectLinear = (whole: string, work: (text: string) => unknown): void => {
  const { parts, all, isLinear } = compareParts(whole, work, MOST, ROUNDS)
  expect(isLinear, `${parts} ms in ${PARTS} parts, ${all} ms at once`).toBe(true)
}

/**
 * As `expectLinear`; where a quarter of the text takes long enough to tell, and hardly longer than its parts, that will do.
 * Of the square that makes the whole take eight times as long, a quarter takes 3.1 times as long.
 */
export const expectLinearSoon = (whole: string, work: (text: string) => unknown): void => {
  const quarter = compareParts(whole.slice(0, whole.length / 4), work, 2.5, 2)
  if (quarter.isLinear && quarter.all >= 2.5 * LEAST_MS) return
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
