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

/**
 * Holds work to time in proportion to its input: eight times as much takes at most 24 times as long, where
 * 64 times would be the square. The best of some rounds counts, for the compiler and the collector come
 * in between.
 */
export const expectLinear = (whole: string, work: (text: string) => unknown): void => {
  const part = whole.slice(0, whole.length / 8)
  const rounds = Array.from({ length: ROUNDS }, () => [
    cpuOf(() => work(part)),
    cpuOf(() => work(whole)),
  ])
  const [short, long] = [0, 1].map((at) => Math.min(...rounds.map((round) => round[at]!)))
  expect(long).toBeLessThan(24 * Math.max(short!, LEAST_MS))
}
