import { expect } from 'vitest'

const ROUNDS = 5
/** What is done sooner has no time to tell by. */
const LEAST_MS = 5

/** CPU time of this thread, ms: what others do on the machine is not in it. */
const cpuOf = (work: () => void): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Time that passes, ms: exact, where the kernel counts CPU time in steps as long as a short work takes. */
const timeOf = (work: () => void): number => {
  const before = performance.now()
  work()
  return performance.now() - before
}

/**
 * Holds work to time in proportion to its input: eight times as much takes at most 24 times as long, where
 * 64 times would be the square. The best of some rounds counts, for the compiler and the collector come
 * in between; most often the first will do.
 */
export const expectLinear = (whole: string, work: (text: string) => unknown): void => {
  const part = whole.slice(0, whole.length / 8)
  let [short, long] = [Infinity, Infinity]
  const isLinear = (): boolean => long < 24 * Math.max(short, LEAST_MS)
  for (let round = 0; round < ROUNDS && !isLinear(); round += 1) {
    short = Math.min(
      short,
      timeOf(() => work(part)),
    )
    long = Math.min(
      long,
      cpuOf(() => work(whole)),
    )
  }
  expect(isLinear(), `${short} ms, then ${long} ms for eight times as much`).toBe(true)
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
