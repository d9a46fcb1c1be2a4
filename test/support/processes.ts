import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { serverProgram } from '../../src/cli/commands/table.ts'
import { runProgram } from '../../src/cli/program.ts'
import { Door } from './door.ts'

const project = fileURLToPath(new URL('../..', import.meta.url))
const programIn = (folder: string): string => {
  const source = join(folder, 'src/cli/mapcrate-server.ts')
  return existsSync(source) ? source : join(folder, 'bin/mapcrate-server.js')
}

/** As `npm start` runs Node; the young objects of a server at rest need no more room. */
const asStarted = (folder: string): readonly string[] => {
  const cache = join(folder, 'scripts/compile-cache.mjs')
  return ['--max-semi-space-size=8', ...(existsSync(cache) ? ['--import', cache] : [])]
}

type Environment = Readonly<Record<string, string>>

/** A fresh folder that goes away with the test. */
export const freshFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** How a process ended, and what it said. */
export type Ending = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process of the project's own Node, with no variable set but these. */
class Process {
  readonly #child: ChildProcess
  readonly ended: Promise<Ending>
  stdout = ''
  stderr = ''

  constructor(
    script: string,
    args: readonly string[],
    env: Environment,
    {
      input,
      folder = project,
      encoding = 'utf8',
    }: {
      input?: string | Uint8Array | undefined
      folder?: string
      encoding?: BufferEncoding | undefined
    } = {},
  ) {
    this.#child = spawn(process.execPath, [...asStarted(folder), script, ...args], {
      env: { PATH: process.env['PATH'] ?? '', ...env },
    })
    this.#child.stdout?.setEncoding(encoding)
    this.#child.stdout?.on('data', (text) => (this.stdout += text))
    this.#child.stderr?.on('data', (text) => (this.stderr += text))
    this.#child.stdin?.end(input)
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        resolve({ code, stdout: this.stdout, stderr: this.stderr })
      })
    })
    onTestFinished(async () => {
      this.#child.kill('SIGKILL')
      await this.ended
    })
  }

  /** Memory that is the process's own, without the pages of the runtime's file; 0 except on Linux. */
  privateBytes(): number {
    if (process.platform !== 'linux') return 0
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8')
    return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) * 1024
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  /** Waits until stdout or stderr matches. */
  async says(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(this[stream])
        if (match !== null) resolve(match)
      }
      this.#child[stream]?.on('data', look)
      look()
      void this.ended.then((ending) => reject(new Error(`ended: ${JSON.stringify(ending)}`)))
    })
  }
}

/** Runs a script to its end. */
export const runScript = (script: string, env: Environment = {}): Promise<Ending> =>
  new Process(script, [], env).ended

/** Keeps what is written. */
class Sink {
  text = ''

  write(text: string): void {
    this.text += text
  }
}

/**
 * Runs `mapcrate-server` to its end, over the store in `dataDir`: in this process, whose modules are loaded; one
 * that serves, or reads or sends bytes by a pipe, in a process of its own.
 */
export const runCli = async (
  dataDir: string,
  args: readonly string[],
  {
    env: given = {},
    input,
    encoding,
  }: { env?: Environment; input?: string | Uint8Array; encoding?: BufferEncoding } = {},
): Promise<Ending> => {
  const env = { DATA_DIR: dataDir, ...given }
  if (input !== undefined || args[0] === 'serve' || args.includes('-')) {
    return new Process(programIn(project), args, env, { input, encoding }).ended
  }
  const [stdout, stderr] = [new Sink(), new Sink()]
  const mask = process.umask()
  try {
    const code = await runProgram(serverProgram, args, { env, stdout, stderr })
    return { code, stdout: stdout.text, stderr: stderr.text }
  } finally {
    // A backup is for nobody else to read.
    process.umask(mask)
  }
}

/**
 * A running server: both services on free ports, over the store in `dataDir`.
 *
 * @param folder where the software stands, when not here.
 * @param words what `serve` is told.
 * @param meanwhile what is done before it is ready.
 */
export const startServer = async (
  dataDir: string,
  env: Environment = {},
  folder = project,
  words: readonly string[] = [],
  meanwhile: (server: Process) => Promise<unknown> = async () => {},
) => {
  const server = new Process(
    programIn(folder),
    ['serve', ...words],
    {
      DATA_DIR: dataDir,
      PORT: '0',
      POOLS_PORT: '0',
      PLATFORM_PORT: '0',
      DRAIN_SECONDS: '0',
      ...env,
    },
    { folder },
  )
  await meanwhile(server)
  await server.says('stdout', /^Mapcrate is ready[^]*\n\n[^]*\n$/)
  const urls = [...server.stdout.matchAll(/service +(\S+)\/api\/v1$/gm)].map((match) => match[1]!)
  return {
    process: server,
    packs: new Door(urls[0]!),
    pools: new Door(urls[1]!),
    /** Asks it to end and waits until it has. */
    stop: async (): Promise<Ending> => {
      server.signal('SIGTERM')
      return server.ended
    },
  }
}

/** A key for the packs service, made by the operator's command. */
export const makeKey = async (
  dataDir: string,
  {
    service = 'packs',
    gameId = 4711,
    username = 'Ada',
    env = {},
  }: { service?: string; gameId?: number; username?: string; env?: Environment } = {},
): Promise<string> => {
  const args = ['--service', service, '--game-id', String(gameId), '--username', username]
  const { code, stdout, stderr } = await runCli(dataDir, ['key', ...args], { env })
  if (code !== 0) throw new Error(stderr)
  return stdout.trim()
}
