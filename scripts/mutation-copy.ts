// The tree in which `npm run mutations` makes its mutations, and the processes that judge them there.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Answered, Asked } from './mutation-tests.ts'
import { readModules } from './nearest-tests.ts'

/** A copy of the tree, where mutations are made. */
export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutations-'))
  readonly #tree = join(this.#folder, 'tree')
  readonly #temporary = join(this.#folder, 'tmp')
  readonly #root: string
  readonly #limitMs: number
  readonly #changed = new Set<string>()
  #tests: Started | undefined

  constructor(root: string, limitMs: number) {
    this.#root = root
    this.#limitMs = limitMs
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }))
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
    const paths = listed
      .toString()
      .split('\n')
      .filter((path) => path !== '')
    for (const path of [...paths, 'build/web', 'build/types']) {
      if (existsSync(join(root, path))) {
        cpSync(join(root, path), join(this.#tree, path), {
          recursive: true,
          preserveTimestamps: true,
        })
      }
    }
    mkdirSync(this.#temporary)
    symlinkSync(join(root, 'node_modules'), join(this.#tree, 'node_modules'))
  }

  read(path: string): string {
    return readFileSync(join(this.#tree, path), 'utf8')
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.#tree, path), text)
    this.#changed.add(join(this.#tree, path))
  }

  /** Every module, with its text. */
  modules(): Map<string, string> {
    return readModules(this.#tree)
  }

  /** Runs test files until the first failure; slow ones are ended with all that they have started. */
  async test(tests: readonly string[]): Promise<Answered | 'timed out'> {
    this.#tests ??= new Started(
      'scripts/mutation-tests.ts',
      [this.#tree, this.#temporary],
      this.#root,
    )
    const asked: Asked = {
      tests: tests.map((path) => join(this.#tree, path)),
      changed: [...this.#changed],
    }
    this.#changed.clear()
    const answered = await this.#tests.answer(asked, this.#limitMs)
    rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 5 })
    mkdirSync(this.#temporary)
    if (answered === 'timed out') this.#tests = undefined
    return answered
  }

  async compiles(): Promise<boolean> {
    const compiler = new Started('node_modules/typescript/bin/tsc', ['-b'], this.#tree)
    const errors = (await compiler.output(this.#limitMs)).match(/error TS\d+/g) ?? []
    // A rule that is left out leaves names unused, or nothing after an `if`: that alone is not noticing.
    return errors.every((error) => /TS(1313|6(133|138|192|196|198|199|205))$/.test(error))
  }

  /** Whether the linter finds no promise in a module that nobody waits for. */
  async awaitsAll(file: string): Promise<boolean> {
    const rule = 'typescript/no-floating-promises'
    const args = ['--type-aware', '-A', 'all', '-D', rule, file]
    const linter = new Started('node_modules/oxlint/bin/oxlint', args, this.#tree)
    return !(await linter.output(this.#limitMs)).includes('no-floating-promises')
  }
}

/** A process in a group of its own, so that its workers and servers end with it. */
class Started {
  readonly #child: ChildProcess
  readonly #end = (): void => {
    try {
      process.kill(-this.#child.pid!, 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  }

  constructor(script: string, args: readonly string[], folder: string) {
    this.#child = spawn(process.execPath, [script, ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
      detached: true,
    })
    process.once('exit', this.#end)
    this.#child.once('exit', () => process.off('exit', this.#end))
  }

  /** What it answers in time. */
  async answer(asked: Asked, limitMs: number): Promise<Answered | 'timed out'> {
    this.#child.stdout!.resume()
    this.#child.send(asked)
    return await this.#within<Answered>('message', limitMs)
  }

  /** What it writes until it ends in time. */
  async output(limitMs: number): Promise<string> {
    const parts: string[] = []
    this.#child.stdout!.setEncoding('utf8').on('data', (part: string) => parts.push(part))
    await this.#within('close', limitMs)
    return parts.join('')
  }

  /**
   * What it is asked for, before its processes have computed for longer than the limit, or waited ten times as long;
   * with each test file that ends, they have as long again.
   */
  #within<T>(event: 'message' | 'close', limitMs: number): Promise<T | 'timed out'> {
    const group = this.#child.pid!
    const now = () => ({ at: Date.now(), spent: spentMs(group) })
    let begun = now()
    return new Promise((done) => {
      const timer = setInterval(() => {
        const { at, spent } = now()
        if (at - begun.at <= 10 * limitMs && spent - begun.spent <= limitMs) return
        clearInterval(timer)
        this.#end()
        done('timed out')
      }, 5_000)
      const take = (value: T | 'one more'): void => {
        if (value === 'one more') {
          begun = now()
          return
        }
        clearInterval(timer)
        this.#child.off(event, take)
        done(value)
      }
      this.#child.on(event, take)
    })
  }
}

/** The time that the running processes of a group have computed: a busy machine takes nothing from it. */
function spentMs(group: number): number {
  return execFileSync('ps', ['-A', '-o', 'pgid=', '-o', 'time='])
    .toString()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/[\s:.-]+/)
        .map(Number),
    )
    .filter(([each]) => each === group)
    .reduce((sum, [, ...parts]) => {
      const [seconds = 0, minutes = 0, hours = 0, days = 0] = parts.toReversed()
      return sum + 1000 * (seconds + 60 * (minutes + 60 * (hours + 24 * days)))
    }, 0)
}
