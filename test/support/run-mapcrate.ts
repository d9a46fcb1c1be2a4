import { type ChildProcess, spawn } from 'node:child_process'
import { PassThrough, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { CliError, runProgram } from '../../src/cli/program.ts'
import { Screen } from '../../src/cli/user/screen.ts'
import { userProgram } from '../../src/cli/user/user-commands.ts'
import { freshFolder } from './processes.ts'

/** `mapcrate`, as it stands in this repository. */
export const program = fileURLToPath(new URL('../../src/cli/mapcrate.ts', import.meta.url))

/** Node, with what it compiled before. */
const node = [
  process.execPath,
  '--import',
  fileURLToPath(new URL('../../scripts/compile-cache.mjs', import.meta.url)),
] as const

export type Environment = Readonly<Record<string, string>>

export type RunOptions = {
  readonly env?: Environment
  /** All of stdin; left out, an empty one. */
  readonly input?: string | Uint8Array
  readonly cwd?: string
}

/** How a call ended, and what it said. */
export type Ending = {
  readonly code: number | null
  readonly stdout: string
  /** The bytes of stdout. */
  readonly bytes: Buffer
  readonly stderr: string
}

/** A running call. */
export class Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ending>
  #out: Buffer[] = []
  stderr = ''

  constructor(child: ChildProcess) {
    this.child = child
    child.stdout?.on('data', (bytes: Buffer) => this.#out.push(bytes))
    child.stderr?.on('data', (bytes: Buffer) => (this.stderr += bytes.toString()))
    this.ended = new Promise((resolve) => {
      child.on('close', (code) => {
        const bytes = Buffer.concat(this.#out)
        resolve({ code, stdout: bytes.toString(), bytes, stderr: this.stderr })
      })
    })
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await this.ended
    })
  }

  get stdout(): string {
    return Buffer.concat(this.#out).toString()
  }

  /** Waits until stdout or stderr matches; fails when it ends before. */
  async says(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(this[stream])) resolve()
      }
      this.child[stream]?.on('data', look)
      look()
      void this.ended.then((ending) => reject(new Error(`ended: ${JSON.stringify(ending)}`)))
    })
  }
}

const HOME = '/nowhere'

/** With a settings folder of its own, so that nobody's login is in the way, and nothing else set. */
const environment = async (env: Environment = {}): Promise<Environment> => ({
  PATH: process.env['PATH'] ?? '',
  HOME,
  XDG_CONFIG_HOME: env['XDG_CONFIG_HOME'] ?? (await freshFolder()),
  ...env,
})

/** Starts `mapcrate` by pipe. */
export const startMapcrate = async (
  args: readonly string[],
  { env, input = '', cwd }: RunOptions = {},
): Promise<Running> => {
  const [command, ...before] = node
  const child = spawn(command, [...before, program, ...args], { env: await environment(env), cwd })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Running(child)
}

class Sink extends Writable {
  readonly #parts: Buffer[] = []

  override _write(part: Buffer, _: BufferEncoding, done: () => void): void {
    this.#parts.push(part)
    done()
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

/**
 * Runs `mapcrate` by pipe to its end, in this process: all but the start of one, which costs more than most commands.
 * What is about the process itself calls `startMapcrate`.
 */
export const runMapcrate = async (
  args: readonly string[],
  { env, input = '', cwd }: RunOptions = {},
): Promise<Ending> => {
  const [stdin, stdout, stderr] = [new PassThrough(), new Sink(), new Sink()]
  stdin.end(input)
  const interruption = new AbortController()
  const all = await environment(env)
  const machine = {
    env: all,
    platform: process.platform,
    home: all['HOME'] ?? HOME,
    stdin: stdin as never,
    screen: new Screen(stdout as never, stderr as never, all),
    signal: interruption.signal,
    interrupt: () => interruption.abort(new CliError('interrupted', 'interrupted')),
    ignoreInterrupts: <T>(work: () => Promise<T>) => work(),
    endUnread: () => {},
    now: () => performance.timeOrigin + performance.now(),
  }
  const here = process.cwd()
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const code = await runProgram(userProgram(machine), args, { env: all, stdout, stderr })
    const { bytes } = stdout
    return { code, stdout: bytes.toString(), bytes, stderr: stderr.bytes.toString() }
  } finally {
    process.chdir(here)
  }
}

const inShell = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`

/** `script`, which every Unix has, gives a pseudo-terminal; it is called otherwise on a Mac. */
const terminalCall = (words: readonly string[]): readonly string[] =>
  process.platform === 'darwin'
    ? ['-q', '/dev/null', ...words]
    : [
        '--quiet',
        '--return',
        '--echo',
        'always',
        '--command',
        words.map(inShell).join(' '),
        '/dev/null',
      ]

/**
 * Runs `mapcrate` in a pseudo-terminal; each answer is typed when its question is on the screen. One that is a
 * function may do something before.
 *
 * @returns the exit code, and all that the screen showed.
 */
export const inTerminal = async (
  args: readonly string[],
  answers: readonly (readonly [question: RegExp, answer: string | (() => Promise<string>)])[] = [],
  { env, cwd }: Pick<RunOptions, 'env' | 'cwd'> = {},
): Promise<{ readonly code: number | null; readonly screen: string }> => {
  const running = new Running(
    spawn('script', terminalCall([...node, program, ...args]), {
      env: { TERM: 'xterm', SHELL: '/bin/sh', ...(await environment(env)) },
      cwd,
    }),
  )
  let from = 0
  for (const [question, answer] of answers) {
    await running.says('stdout', new RegExp(`[^]{${from}}[^]*${question.source}`))
    from = running.stdout.length
    running.child.stdin?.write(typeof answer === 'string' ? answer : await answer())
  }
  const { code, stdout } = await running.ended
  return { code, screen: stdout }
}
