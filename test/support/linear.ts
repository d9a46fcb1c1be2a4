import { expect } from 'vitest'

const ROUNDS = 5
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

/**
 * Holds work to time in proportion to its input: eight times as much takes at most three times as long as an eighth of it
 * eight times, where it would be eight times with the square. Both take about as long, so that what others do on the
 * machine slows both. The best of some rounds counts, for the compiler and the collector come in between; most often
 * the first will do.
 */
export const expectLinear = (whole: string, work: (text: string) => unknown): void => {
  const part = whole.slice(0, whole.length / PARTS)
  let [parts, all] = [Infinity, Infinity]
  const isLinear = (): boolean => all < 3 * Math.max(parts, LEAST_MS)
  for (let round = 0; round < ROUNDS && !isLinear(); round += 1) {
    parts = Math.min(
      parts,
      cpuOf(() => {
        for (let at = 0; at < PARTS; at += 1) work(part)
      }),
    )
    all = Math.min(
      all,
      cpuOf(() => work(whole)),
    )
  }
  expect(isLinear(), `${parts} ms in eight parts, ${all} ms at once`).toBe(true)
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
