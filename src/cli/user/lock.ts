import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../program.ts'
import { systemCode } from '../system-error.ts'
import { fileError } from './errors.ts'
import { moveToNew, parseJson, readIfThere } from './files.ts'

// The lock is a file that only one process can create. Processes never remove a lock whose owner was
// killed: each tries to create its successor, a file named after the content of the stale lock, and only
// one can. A successor whose owner was killed is succeeded the same way, so that the files form a chain,
// and the last one is the lock. Contents are unique, so that no name is used twice. The files of a chain
// are removed first to last: who creates a successor owns the lock if the first file is still the same
// afterwards.

/** What a lock is for, and its file. */
export type Lock = {
  readonly folder: string
  /** The name of its first file. */
  readonly name: string
  /** The message while another process holds it: `DIR is being synced already`. */
  readonly message: string
}

const ATTEMPTS = 100

type Owner = {
  readonly pid: number
  /** Undefined in locks of version 0.1. */
  readonly host?: string
  /** Distinguishes machines of one name, on a network folder; null if unknown. */
  readonly machine?: string | null
  /** Distinguishes a process from a later one with the same number; null if unknown. */
  readonly started?: string | null
}

/** One file of the chain. */
type Link = { readonly file: string; readonly content: string }

/** Runs `work` while no other process holds the lock, or throws. */
export async function withLock(lock: Lock, work: () => Promise<void>): Promise<void> {
  const [machine, started] = await Promise.all([thisMachine(), startOf(process.pid)])
  const owner: Owner = { pid: process.pid, host: hostname(), machine, started }
  const chain = await acquire(lock, `${JSON.stringify({ ...owner, id: randomUUID() })}\n`)
  try {
    await work()
  } finally {
    await release(lock, chain)
  }
}

/** Resolves with the files of the acquired chain, first to last. */
async function acquire(lock: Lock, content: string): Promise<readonly Link[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stale = await readChain(lock)
    const last = stale.at(-1)
    if (last !== undefined) await refuseIfHeld(lock, last)
    const mine = { file: successorOf(lock, last), content }
    if (!(await create(lock.folder, mine))) continue
    const [first] = stale
    if (first === undefined || (await read(first.file)) === first.content) return [...stale, mine]
    // The chain was removed between reading it and adding to it: the new file belongs to no lock.
    await rm(mine.file, { force: true })
  }
  throw new CliError(`${lock.message}, by several processes; try again later`)
}

async function release({ folder, name: lock }: Lock, chain: readonly Link[]): Promise<void> {
  const [first] = chain
  // The lock may have been deleted by hand, and another process may hold one since.
  if (first === undefined || (await read(first.file).catch(() => null)) !== first.content) return
  const ours = chain.map(({ file }) => file)
  const names = await readdir(folder).catch(() => [])
  const all = names.filter((name) => name.startsWith(`${lock}.`)).map((name) => join(folder, name))
  // While the first file exists, there is no other chain, and these are remains of killed processes.
  const remains = all.filter((file) => !ours.includes(file))
  for (const file of [...remains, ...ours]) await rm(file, { force: true })
}

async function readChain(lock: Lock): Promise<readonly Link[]> {
  const chain: Link[] = []
  for (;;) {
    const file = successorOf(lock, chain.at(-1))
    const content = await read(file)
    if (content === null) return chain
    chain.push({ file, content })
  }
}

function successorOf({ folder, name }: Lock, last: Link | undefined): string {
  const first = join(folder, name)
  if (last === undefined) return first
  return `${first}.${createHash('sha256').update(last.content).digest('hex').slice(0, 32)}`
}

async function read(file: string): Promise<string | null> {
  return (await readIfThere(file))?.toString() ?? null
}

/** Creates the file with its content in one step; false if there is one already. */
async function create(folder: string, { file, content }: Link): Promise<boolean> {
  const whole = join(folder, `.mapcrate-${randomUUID()}.tmp`)
  try {
    await writeFile(whole, content, { flag: 'wx' })
    await moveToNew(whole, file)
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw fileError(error, 'written', file)
  } finally {
    await rm(whole, { force: true })
  }
}

async function refuseIfHeld(
  { folder, name, message }: Lock,
  { file, content }: Link,
): Promise<void> {
  const remedy = `if not, delete ${join(folder, name)}`
  const parsed = parseJson(Buffer.from(content))
  // Version 0.1 wrote the number alone.
  const owner = (typeof parsed === 'number' ? { pid: parsed } : parsed) as Owner | null
  if (owner === null || !Number.isSafeInteger(owner.pid) || owner.pid <= 0) {
    throw new CliError(`${message}, by an unknown process (${file}); ${remedy}`)
  }
  const { pid, host = hostname(), machine = null } = owner
  const here = await thisMachine()
  const isElsewhere = machine !== null && here !== null && machine !== here
  if (host !== hostname() || isElsewhere) {
    throw new CliError(`${message}, by process ${pid} on ${host}; ${remedy}`)
  }
  if (await isAlive(owner)) throw new CliError(`${message}, by process ${pid}; ${remedy}`)
}

async function isAlive({ pid, started = null }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs as another user.
    if (systemCode(error) !== 'EPERM') return false
  }
  const now = await startOf(pid)
  return started === null || now === null || now === started
}

/** Linux only. The id itself should not leave the machine. */
async function thisMachine(): Promise<string | null> {
  const id = await readFile('/etc/machine-id', 'utf8').catch(() => '')
  return id.trim() === '' ? null : createHash('sha256').update(`mapcrate ${id}`).digest('hex')
}

/** The boot and the clock tick that a process started at. Linux only. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // After the command's name, which may contain anything, in parentheses.
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return tick === undefined ? null : `${boot.trim()} ${tick}`
  } catch {
    return null
  }
}
