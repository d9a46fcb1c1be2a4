import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { withLock } from '../../src/cli/user/lock.ts'
import { lockOf } from '../../src/cli/user/sync/sync.ts'
import { freshFolder } from '../support/processes.ts'

const LOCK = '.mapcrate-sync.lock'
const killed = (): number => spawnSync('true').pid

/** Lets everything that is ready go on, so that others can come in between. */
const yieldOften = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Many at once, in one folder; how many were at work at the same time, and what the others heard. */
const compete = async (folder: string, many: number) => {
  let inside = 0
  let most = 0
  let done = 0
  const work = async (): Promise<void> => {
    inside += 1
    most = Math.max(most, inside)
    await yieldOften()
    inside -= 1
    done += 1
  }
  const ends = await Promise.allSettled(
    Array.from({ length: many }, () => withLock(lockOf(folder), work)),
  )
  const refusals = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []))
  return { most, done, refusals }
}

describe('the lock of a folder', () => {
  it('is held by one at a time, and the others are told by whom', async () => {
    const folder = await freshFolder()
    for (let round = 0; round < 20; round++) {
      const { most, done, refusals } = await compete(folder, 4)
      expect(most).toBe(1)
      expect(done + refusals.length).toBe(4)
      for (const refusal of refusals) {
        expect(refusal).toMatch(/is being synced already, by process \d+; if not, delete \S+lock$/)
      }
    }
    expect(await readdir(folder)).toEqual([])
  })

  it('is taken over from a process that was killed, by one alone', async () => {
    const pid = killed()
    const stale = [
      () => `${pid}\n`,
      (round: number) => JSON.stringify({ pid, host: hostname(), started: null, id: round }),
    ]
    for (let round = 0; round < 60; round++) {
      const folder = await freshFolder()
      await writeFile(join(folder, LOCK), stale[round % 2]!(round))
      const { most, done, refusals } = await compete(folder, 4)
      expect(most).toBe(1)
      expect(done).toBeGreaterThan(0)
      for (const refusal of refusals) expect(refusal).toMatch(/is being synced already/)
      expect(await readdir(folder)).toEqual([])
    }
  })

  it('is taken over from a process that was killed while it took the lock over', async () => {
    const folder = await freshFolder()
    const pid = killed()
    await writeFile(join(folder, LOCK), `${pid}\n`)
    const module = new URL('../../src/cli/user/lock.ts', import.meta.url).href
    const script = `import { withLock } from ${JSON.stringify(module)}
      await withLock(JSON.parse(process.argv[1]), async () => { process.kill(process.pid, 'SIGKILL'); await new Promise(() => {}) })`
    for (let round = 0; round < 2; round++) {
      const child = spawn(process.execPath, [
        '--input-type=module',
        '--eval',
        script,
        JSON.stringify(lockOf(folder)),
      ])
      await once(child, 'exit')
      expect((await readdir(folder)).length, 'the remains of each').toBe(round + 2)
    }
    const { most, done } = await compete(folder, 3)
    expect({ most, isDone: done > 0 }).toEqual({ most: 1, isDone: true })
    expect(await readdir(folder)).toEqual([])
  })

  it.skipIf(process.platform !== 'linux')(
    'is taken over when its process number has been given to another process (Linux)',
    async () => {
      const folder = await freshFolder()
      const content = { pid: process.pid, host: hostname(), started: 'another boot 1', id: 'a' }
      await writeFile(join(folder, LOCK), JSON.stringify(content))
      expect((await compete(folder, 1)).done).toBe(1)
    },
  )

  it('is never taken from another machine, from a living process, or where it cannot be read', async () => {
    const folder = await freshFolder()
    const file = join(folder, LOCK)
    const sleeper = spawn('sleep', ['60'])
    onTestFinished(() => void sleeper.kill())
    const owners: [string, RegExp][] = [
      [
        JSON.stringify({ pid: killed(), host: 'elsewhere' }),
        /by process \d+ on elsewhere; if not,/,
      ],
      [`${sleeper.pid}\n`, new RegExp(`by process ${sleeper.pid}; if not,`)],
      ['', /by an unknown process/],
    ]
    for (const [content, message] of owners) {
      await writeFile(file, content)
      const { done, refusals } = await compete(folder, 2)
      expect(done).toBe(0)
      for (const refusal of refusals) expect(refusal).toMatch(message)
      expect(await readFile(file, 'utf8')).toBe(content)
      expect(await readdir(folder)).toEqual([LOCK])
    }
  })

  it.skipIf(!existsSync('/etc/machine-id'))(
    'is never taken from another machine of the same name (where machines have an id)',
    async () => {
      const folder = await freshFolder()
      const owner = { pid: killed(), host: hostname(), machine: 'another', id: 'a' }
      await writeFile(join(folder, LOCK), JSON.stringify(owner))
      const { done, refusals } = await compete(folder, 1)
      expect(done).toBe(0)
      expect(refusals[0]).toContain(`by process ${owner.pid} on ${hostname()}; if not,`)
    },
  )

  it('that was deleted by hand and taken by another is not released by the first', async () => {
    const folder = await freshFolder()
    const file = join(folder, LOCK)
    await withLock(lockOf(folder), async () => {
      await rm(file)
      await writeFile(file, JSON.stringify({ pid: process.pid, host: hostname(), id: 'b' }))
    })
    expect(await readdir(folder)).toEqual([LOCK])
  })

  it('of a folder that cannot be written says so without a system code', async () => {
    const folder = join(await freshFolder(), 'none')
    await expect(withLock(lockOf(folder), async () => {})).rejects.toThrow(
      /cannot be written: its folder does not exist; create the folder first/,
    )
  })
})
