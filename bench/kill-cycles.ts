import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { issueKey, type IssueKeyPorts } from '../src/operations/keys.ts'
import { Ledger } from './kill-cycles-ledger.ts'
import { type Answer, repeatCreation, writePacks } from './kill-cycles-writer.ts'
import { startService } from './processes.ts'
import { type Kept, readWhole } from './read-whole.ts'
import { openStore } from './seed.ts'

const WRITERS = 8
const WRITERS_BESIDE = 4
/** Each writer has ten writes until its quota ends; most still have some left behind this many. */
const LATEST_KILL = WRITERS * 6

/** What the kills met: how much had been acknowledged, was under way, and was not there afterwards. */
export type KillCount = {
  /** Saves and deletions that were answered as done. */
  readonly acknowledged: number
  /** Writes whose outcome no answer told. */
  readonly interrupted: number
  /** Packs that are not as acknowledged, doubled, half-written, or that nobody can have sent. */
  readonly lost: number
}

/** A store, and the processes over it. */
export type KillGround = {
  /** Keys of as many new accounts. */
  readonly newKeys: (count: number) => Promise<string[]>
  readonly startService: () => Promise<{ readonly port: number; readonly child: ChildProcess }>
  /** What the store holds, read past the service when nobody writes any more; throws when a pack is not whole. */
  readonly readAll: (acknowledged: number) => Promise<Kept>
  /** The port of another process over the same store, which lives on; null when there can be none. */
  readonly survivor: number | null
}

/** Makes keys for as many accounts that come behind the first `before`. */
export const makeKeys = async (
  ports: IssueKeyPorts,
  before: number,
  count: number,
): Promise<string[]> => {
  const keys: string[] = []
  for (let gameId = before + 1; gameId <= before + count; gameId += 1) {
    const wish = { service: 'packs', keyPrefix: 'packs', gameId, username: `p${gameId}` } as const
    keys.push(await issueKey(ports, wish))
  }
  return keys
}

/** An embedded store in this folder. Only the server has it open when it is killed. */
export const inFolder = (folder: string): KillGround => {
  let accounts = 0
  return {
    newKeys: async (count) => {
      const store = await openStore(folder)
      const keys = await makeKeys(store, accounts, count)
      accounts += count
      await store.care.close()
      return keys
    },
    startService: () => startService(folder),
    readAll: async () => readWhole(folder),
    survivor: null,
  }
}

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300

/** One server, killed after a random number of answers; another one meanwhile serves undisturbed. */
const killOnce = async (
  { newKeys, startService, survivor }: KillGround,
  ledger: Ledger,
): Promise<void> => {
  const keys = await newKeys(WRITERS)
  const keysBeside = survivor === null ? [] : await newKeys(WRITERS_BESIDE)
  const { port, child } = await startService()
  const gone = once(child, 'exit')
  let isGone = false
  let left = randomInt(1, LATEST_KILL)
  const onAnswer = (answer: Answer): boolean => {
    if (isDone(answer)) left -= 1
    if (left === 0) {
      isGone = true
      child.kill('SIGKILL')
    }
    return answer.status !== 0
  }
  const writing = keys.map((key) => {
    const own = [key]
    return writePacks({ port, ledger, nextKey: () => own.pop(), onAnswer })
  })
  const beside = keysBeside.map((key) => {
    const own = [key]
    const onAnswerBeside = (answer: Answer): boolean => {
      if (!isDone(answer) && answer.status !== 429) {
        throw new Error(`the process beside answered with ${answer.status}`)
      }
      return !isGone
    }
    return writePacks({
      port: survivor!,
      ledger,
      nextKey: () => own.pop(),
      onAnswer: onAnswerBeside,
    })
  })
  await Promise.all(writing)
  // All quotas may be spent before so many answers.
  isGone = true
  child.kill('SIGKILL')
  await Promise.all([gone, ...beside])
  if (survivor === null) return
  for (const creation of ledger.openCreations()) await repeatCreation(survivor, ledger, creation)
}

/**
 * Kills a server with SIGKILL under writes, again and again over one store, and compares each time
 * what is kept with what was acknowledged.
 *
 * @param say hears of each pack that is not as it must be.
 */
export const killOver = async (
  ground: KillGround,
  cycles: number,
  onCycle: (cycle: number, count: KillCount) => void = () => {},
  say: (fault: string) => void = () => {},
): Promise<KillCount> => {
  const ledger = new Ledger()
  let lost = 0
  const count = (): KillCount => ({
    acknowledged: ledger.acknowledged,
    interrupted: ledger.interrupted,
    lost,
  })
  for (let cycle = 1; cycle <= cycles; cycle += 1) {
    await killOnce(ground, ledger)
    const faults = ledger.judge(await ground.readAll(ledger.acknowledged))
    faults.forEach(say)
    lost += faults.length
    onCycle(cycle, count())
  }
  return count()
}

/** `killOver` an embedded store in this folder. */
export const killCycles = (
  folder: string,
  cycles: number,
  onCycle?: (cycle: number, count: KillCount) => void,
  say?: (fault: string) => void,
): Promise<KillCount> => killOver(inFolder(folder), cycles, onCycle, say)
