import { CliError } from '../../program.ts'
import { createHash, randomUUID } from 'node:crypto'
import { link, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { fileError } from '../errors.ts'

// The lock is a file that only one process can create. A lock whose owner was killed is never removed by
// the processes that find it: each tries to create its successor, a file that is named after the content
// of the stale lock, and only one can. A successor whose owner was killed is succeeded the same way, so
// that the files form a chain, and the last one in it is the lock. Contents are unique, so that a name
// never comes up again, and who creates a successor owns the lock if the first file of the chain is
// still the same afterwards: the files of a chain are removed first to last.

const NAME = '.mapcrate-sync.lock'
const ATTEMPTS = 100

/** Who holds a lock. */
type Owner = {
  readonly pid: number
  /** Undefined in locks of version 0.1. */
  readonly host?: string
  /** Tells machines of one name apart, on a network folder; null where the system does not say. */
  readonly machine?: string | null
  /** Tells a process from a later one with the same number; null where the system does not say. */
  readonly started?: string | null
}

/** One file of the chain. */
type Link = { readonly file: string; readonly content: string }

/**
 * Runs `work` while no other process syncs the folder: two at once would save each file twice.
 *
 * @throws CliError when another process holds the lock, or when the folder cannot be written.
 */
export const withLock = async (folder: string, work: () => Promise<void>): Promise<void> => {
  const content = `${JSON.stringify({ ...(await thisProcess()), id: randomUUID() })}\n`
  const chain = await acquire(folder, content)
  try {
    await work()
  } finally {
    await release(folder, chain)
  }
}

/** Resolves with the files of the acquired chain, first to last. */
async function acquire(folder: string, content: string): Promise<readonly Link[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const stale = await readChain(folder)
    const last = stale.at(-1)
    if (last !== undefined) await refuseIfHeld(folder, last)
    const mine = { file: successorOf(folder, last), content }
    if (!(await create(folder, mine))) continue
    const [first] = stale
    if (first === undefined || (await read(first.file)) === first.content) return [...stale, mine]
    // The chain ended between reading it and adding to it: what was added belongs to no lock.
    await rm(mine.file, { force: true })
  }
  throw new CliError(`${folder} is being synced already, by several processes; try again later`)
}

async function release(folder: string, chain: readonly Link[]): Promise<void> {
  const [first] = chain
  // Somebody may have deleted the lock by hand, and another process may hold one since.
  if (first === undefined) return
  if ((await read(first.file).catch(() => null)) !== first.content) return
  const ours = new Set(chain.map(({ file }) => file))
  const names = await readdir(folder).catch(() => [])
  const leftOver = names
    .filter((name) => name.startsWith(`${NAME}.`))
    .map((name) => join(folder, name))
  // As long as the first file is there, no other chain is, and these are remains of killed processes.
  for (const file of leftOver) if (!ours.has(file)) await rm(file, { force: true })
  for (const { file } of chain) await rm(file, { force: true })
}

async function readChain(folder: string): Promise<readonly Link[]> {
  const chain: Link[] = []
  for (;;) {
    const file = successorOf(folder, chain.at(-1))
    const content = await read(file)
    if (content === null) return chain
    chain.push({ file, content })
  }
}

function successorOf(folder: string, last: Link | undefined): string {
  const first = join(folder, NAME)
  if (last === undefined) return first
  return `${first}.${createHash('sha256').update(last.content).digest('hex').slice(0, 32)}`
}

async function read(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw fileError(error, 'read', file)
  }
}

/** Creates the file with its content in one step; false when there is one already. */
async function create(folder: string, { file, content }: Link): Promise<boolean> {
  const whole = join(folder, `.mapcrate-${randomUUID()}.tmp`)
  try {
    await writeFile(whole, content, { flag: 'wx' })
    await link(whole, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // Some file systems have no links; there a reader may find the file while it is still empty.
      return writeFile(file, content, { flag: 'wx' })
    })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw fileError(error, 'written', file)
  } finally {
    await rm(whole, { force: true })
  }
}

async function refuseIfHeld(folder: string, { file, content }: Link): Promise<void> {
  const owner = parse(content)
  const held = `${folder} is being synced already`
  const remedy = `if not, delete ${join(folder, NAME)}`
  if (owner === null) throw new CliError(`${held}, by an unknown process (${file}); ${remedy}`)
  const { pid, host = hostname(), machine = null } = owner
  const here = await thisMachine()
  const isElsewhere = machine !== null && here !== null && machine !== here
  if (host !== hostname() || isElsewhere)
    throw new CliError(`${held}, by process ${pid} on ${host}; ${remedy}`)
  if (await isAlive(owner)) throw new CliError(`${held}, by process ${pid}; ${remedy}`)
}

function parse(content: string): Owner | null {
  const pid = Number(content)
  if (Number.isSafeInteger(pid) && pid > 0) return { pid }
  try {
    const owner = JSON.parse(content) as Owner
    return Number.isSafeInteger(owner.pid) && owner.pid > 0 ? owner : null
  } catch {
    return null
  }
}

async function isAlive({ pid, started = null }: Owner): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const now = await startOf(pid)
  return started === null || now === null || now === started
}

async function thisProcess(): Promise<Owner> {
  const [machine, started] = await Promise.all([thisMachine(), startOf(process.pid)])
  return { pid: process.pid, host: hostname(), machine, started }
}

/** Linux only. The id itself should not leave the machine. */
async function thisMachine(): Promise<string | null> {
  const id = await readFile('/etc/machine-id', 'utf8').catch(() => '')
  return id.trim() === '' ? null : createHash('sha256').update(`mapcrate ${id}`).digest('hex')
}

/** When a process started, as a text to compare: the boot and the clock tick in it. Linux only. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
    // Behind the command's name, which may hold anything, in parentheses.
    const tick = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    return tick === undefined ? null : `${boot.trim()} ${tick}`
  } catch {
    return null
  }
}
