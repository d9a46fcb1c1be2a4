import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { availableParallelism } from 'node:os'
import type { StorePlace } from '../scripts/seed/open-bulk-store.ts'

/** Does the machine let us say what runs where? */
export const canPin =
  availableParallelism() > 1 && spawnSync('taskset', ['-c', '0', 'true']).status === 0

/** Servers on the first core, the load on another, where the machine lets us say so. */
export const SERVER_CORE = '0'
export const LOAD_CORE = '1'

/** Keeps this process, which makes the load, off the servers' core. */
export const leaveServersAlone = (): void => {
  if (canPin) spawnSync('taskset', ['-a', '-p', '-c', LOAD_CORE, String(process.pid)])
}

/** As `npm start` does it. */
const asStarted = ['--max-semi-space-size=8', '--import', './scripts/compile-cache.mjs']

const start = (
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  core = SERVER_CORE,
  cwd = process.cwd(),
  hasChannel = false,
): ChildProcess => {
  const pins = canPin ? ['taskset', '-c', core] : []
  const [command = '', ...rest] = [...pins, process.execPath, ...asStarted, file, ...args]
  const child = spawn(command, rest, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit', ...(hasChannel ? (['ipc'] as const) : [])],
  })
  // A bench that fails leaves nothing behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  return child
}

/** Lets a server choose its ports: one that was free a moment ago may be taken when it is to be. */
export const ANY_PORTS = { PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0' }

/**
 * The ports of a server, which it names once it is ready.
 *
 * @throws Error when it ends before.
 */
export const portsOf = async (child: ChildProcess) => {
  const greeting = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part
      if (/^Mapcrate is ready[^]*\n\n/m.test(text)) resolve(text)
    })
    child.once('exit', (code, signal) =>
      reject(new Error(`the server ended with ${code ?? signal}`)),
    )
  })
  const portAt = (place: string): number =>
    Number(new RegExp(`^ +${place} +https?://[^/\\s]+:(\\d+)`, 'm').exec(greeting)?.[1])
  return {
    port: portAt('packs service'),
    poolsPort: portAt('tournament-pools service'),
    platformPort: portAt('game platform'),
  }
}

/** Ports that were free a moment ago. They are held together, so that no two are the same. */
export const freePorts = async (count: number): Promise<number[]> => {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as AddressInfo).port)
  for (const server of servers) server.close()
  return ports
}

/**
 * The real server over a store that was made before, as `npm start` runs it, without request logs.
 *
 * @param more settings of the environment.
 * @param version a checkout of another version; left out: this one.
 * @param file another program that runs the server; it has a channel to this process.
 */
export const startService = async (
  where: string | StorePlace,
  core?: string,
  more: Readonly<Record<string, string>> = {},
  version?: string,
  file?: string,
) => {
  const place = typeof where === 'string' ? { dataDir: where, databaseUrl: null } : where
  const begun = performance.now()
  const settings = {
    DATA_DIR: place.dataDir,
    ...(place.databaseUrl !== null && { DATABASE_URL: place.databaseUrl }),
    ...ANY_PORTS,
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '0',
    ...more,
  }
  const program = file ?? 'src/main/serve.ts'
  const child = start(program, [], settings, core, version, file !== undefined)
  return { ...(await portsOf(child)), child, startMs: performance.now() - begun }
}

/** A reference, which prints the port that it listens on. */
export const startReference = async (
  file: string,
  args: readonly string[],
): Promise<{ port: number; child: ChildProcess }> => {
  const child = start(file, args, { NODE_ENV: 'production' })
  const [line] = (await once(child.stdout as NodeJS.ReadableStream, 'data')) as [Buffer]
  return { port: Number(line), child }
}

/** A bare server, sending what stands in the file; with a database, what stands there. */
export const startBare = (sample: string, databaseUrl?: string) =>
  databaseUrl === undefined
    ? startReference('bench/bare-server.ts', [sample])
    : startReference('bench/bare-postgres.ts', [sample, databaseUrl])

export const stop = async (child: ChildProcess): Promise<void> => {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

/** Resident memory of a process in MB. */
export const residentMb = (child: ChildProcess): number => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
