import { expect } from 'vitest'

const ROUNDS = 5
/** What is done sooner has no time to tell by. */
const LEAST_MS = 40
/** What takes less passes, whatever its parts take. */
const TELLING_MS = 3 * LEAST_MS

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
 * eight times, where it would be eight times with the square. Both are of the same order, so that what others do on the
 * machine slows both. The best of some rounds counts, for the compiler and the collector come in between; most often
 * the first will do. Parts are done only until they have taken enough.
 *
 * @returns the CPU time of the whole, ms; below `TELLING_MS` it was too short to tell.
 */
export const expectLinear = (whole: string, work: (text: string) => unknown): number => {
  const part = whole.slice(0, whole.length / PARTS)
  let [parts, all] = [Infinity, Infinity]
  const isLinear = (of: number): boolean => all < 3 * Math.max(of, LEAST_MS)
  for (let round = 0; round < ROUNDS && !isLinear(parts); round += 1) {
    all = Math.min(
      all,
      cpuOf(() => work(whole)),
    )
    let own = 0
    for (let at = 0; at < PARTS && !isLinear(own); at += 1) own += cpuOf(() => work(part))
    parts = Math.min(parts, own)
  }
  expect(isLinear(parts), `${parts} ms in eight parts, ${all} ms at once`).toBe(true)
  return all
}

/** As `expectLinear`, with a quarter of the text, or half of it, or all, whichever first takes long enough to tell. */
export const expectLinearSoon = (whole: string, work: (text: string) => unknown): void => {
  for (const share of [4, 2, 1]) {
    if (expectLinear(whole.slice(0, whole.length / share), work) >= TELLING_MS) return
  }
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
