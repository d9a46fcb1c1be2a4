import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts in hundredths of a second, on every machine that this runs on. */
const TICK_MS = 10

/** What /proc tells of a process; null when it is gone. */
const statOf = (pid: number | string) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [parent = 0, own = 0, system = 0, children = 0, childrenSystem = 0] = [
      1, 11, 12, 13, 14,
    ].map((at) => fields[at])
    return { parent, own: own + system, ended: children + childrenSystem }
  } catch {
    return null
  }
}

/** Processes whose parent this is. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && statOf(name)?.parent === pid)
    .map(Number)

/**
 * How long a process and its children have kept a core busy, ms. Unlike the clock on the wall, this
 * hardly depends on what else the machine does.
 */
export const cpuMs = (pid: number): number => {
  const alive = [pid, ...childrenOf(pid)].map((each) => statOf(each)?.own ?? 0)
  return TICK_MS * alive.reduce((sum, each) => sum + each, statOf(pid)?.ended ?? 0)
}
