import type { ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { ChangePage, PackChange } from '../src/contract/changes.ts'
import { changeFor } from '../src/domain/changes.ts'
import type { ChangeFeed } from '../src/ports/changes.ts'
import { Ledger } from './kill-cycles-ledger.ts'
import { writePacks } from './kill-cycles-writer.ts'
import type { KillGround } from './kill-cycles.ts'
import { openStore } from './seed.ts'

const WRITERS = 8
/** Writes of a key in a minute, and reads. */
const WRITES = 10
const READS = 50
/** A reader is cut off after so many ms at most, a server killed. */
const LATEST_CUT_MS = 120
const LATEST_KILL_MS = 1_500

/** What is to happen: the changes come in the meantime. */
type ChangeWish = {
  readonly processes: number
  readonly changes: number
  readonly kills: number
  readonly cuts: number
}

export type ChangeCount = {
  /** Changes that the reader has got. */
  readonly changes: number
  readonly kills: number
  readonly cuts: number
  /** Changes that the reader got twice, in another order or not at all, and packs that are not as acknowledged. */
  readonly wrong: number
}

/** A store, its processes, and its feed read past them. */
export type ChangeGround = Pick<KillGround, 'newKeys' | 'startService' | 'readAll'> & {
  readonly readFeed: ChangeFeed['read']
}

/** The feed of an embedded store in this folder, which a server may have open. */
export const feedIn =
  (folder: string): ChangeFeed['read'] =>
  async (...place) => {
    const store = await openStore(folder)
    return store.changes.read(...place).finally(() => store.care.close())
  }

/** A process that is replaced by a new one whenever it is killed. */
type Server = { port: number; child: ChildProcess; isUp: boolean }

/**
 * Kills servers over one store under writes, while a reader follows the changes and is cut off again and
 * again; then compares what it has got with the feed, and what is kept with what was acknowledged.
 *
 * @param say is called with each fault.
 */
export const changeCycles = async (
  ground: ChangeGround,
  { processes, changes, kills, cuts }: ChangeWish,
  onProgress: (count: ChangeCount) => void = () => {},
  say: (fault: string) => void = () => {},
): Promise<ChangeCount> => {
  const ledger = new Ledger()
  // Before there is a server: one over an empty store would save packs itself.
  const keys = await ground.newKeys(Math.ceil((changes * 1.5) / WRITES) + WRITERS * kills)
  const readers = await ground.newKeys(20 + Math.ceil(cuts / 10))
  const begin = await ground.readFeed(null, 0)
  if (begin.outcome !== 'read') throw new Error(begin.outcome)
  const servers: Server[] = []
  for (let at = 0; at < processes; at += 1) {
    servers.push({ ...(await ground.startService()), isUp: true })
  }
  const done = { kills: 0, cuts: 0, isWritten: false }
  const seen: PackChange[] = []
  const anyPort = async (): Promise<number> => {
    for (;;) {
      const up = servers.filter(({ isUp }) => isUp)
      if (up.length > 0) return up[randomInt(up.length)]!.port
      await pause(10)
    }
  }
  const count = (wrong = 0): ChangeCount => ({ ...done, changes: seen.length, wrong })

  const write = async (): Promise<void> => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop()) {
      const own = [key]
      const isOver = (): boolean => ledger.acknowledged >= changes && done.kills >= kills
      if (isOver()) return
      const onAnswer = ({ status }: { status: number }) => status !== 0 && !isOver()
      await writePacks({ port: await anyPort(), ledger, nextKey: () => own.pop(), onAnswer })
    }
  }

  const kill = async (): Promise<void> => {
    while (done.kills < kills && !done.isWritten) {
      await pause(randomInt(LATEST_KILL_MS))
      const server = servers[randomInt(processes)]!
      // Before the kill, or every writer would spend key after key on a port that refuses it.
      server.isUp = false
      await killed(server.child)
      done.kills += 1
      Object.assign(server, await ground.startService(), { isUp: true })
    }
  }

  /** One request; null if it was cut off, or its server killed. */
  const ask = async (after: string, key: string, wait: number): Promise<ChangePage | null> => {
    // Cuts that are left when nothing changes any more come at once: any other request would wait in vain.
    const isCut = done.cuts < cuts && (done.isWritten || randomInt(2) === 0)
    const signal = AbortSignal.timeout(isCut ? randomInt(1, LATEST_CUT_MS) : 60_000)
    const url = `http://127.0.0.1:${await anyPort()}/api/v1/changes?after=${after}&wait=${wait}`
    try {
      const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` }, signal })
      const text = await answer.text()
      if (answer.status === 429 || answer.status >= 500) return null
      if (!answer.ok) throw new TypeError(`the reader was answered ${answer.status} ${text}`)
      return JSON.parse(text) as ChangePage
    } catch (error) {
      if (error instanceof TypeError && error.message.startsWith('the reader')) throw error
      if (signal.aborted && isCut) done.cuts += 1
      return null
    }
  }

  const follow = async (): Promise<void> => {
    let cursor = begin.newest
    for (let asked = 0; ; asked += 1) {
      const key = readers[Math.floor(asked / READS) % readers.length]!
      const isLast = done.isWritten && done.cuts >= cuts
      const page = await ask(cursor, key, isLast ? 0 : 5)
      onProgress(count())
      if (page === null) {
        await pause(randomInt(20))
        continue
      }
      seen.push(...page.changes)
      cursor = page.cursor
      // Where too few cuts have met a change, the rest meet none.
      if (isLast && page.changes.length === 0) return
    }
  }

  const writing = Promise.all([...Array.from({ length: WRITERS }, write), kill()])
  await Promise.all([writing.finally(() => (done.isWritten = true)), follow()])
  await Promise.all(servers.map(({ child }) => killed(child)))
  const faults = ledger.judge(await ground.readAll(ledger.acknowledged))
  faults.forEach(say)
  const wrong = await compare(ground, begin.newest, seen, say)
  return count(faults.length + wrong)
}

const killed = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** How many places of the feed the reader has got otherwise. */
const compare = async (
  { readFeed }: ChangeGround,
  begin: string,
  seen: readonly PackChange[],
  say: (fault: string) => void,
): Promise<number> => {
  const portion = await readFeed(begin, 1_000_000)
  if (portion.outcome !== 'read') throw new Error(portion.outcome)
  const all = portion.entries.flatMap((entry) => changeFor(entry, '') ?? [])
  const places = Math.max(all.length, seen.length)
  let wrong = 0
  for (let at = 0; at < places; at += 1) {
    if (JSON.stringify(all[at]) === JSON.stringify(seen[at])) continue
    wrong += 1
    say(`change ${at} is ${JSON.stringify(all[at])}, the reader got ${JSON.stringify(seen[at])}`)
  }
  return wrong
}
