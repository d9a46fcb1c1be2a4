// `npm run mutations -- FILE|FOLDER…`: which small changes of the source no test notices.
// Each is made in a copy of the tree, and tried with the nearest tests that run the file.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { useFolderInMemory } from '../test/support/folder-in-memory.ts'
import {
  draw,
  isEquivalent,
  mutate,
  mutationsOf,
  readEquivalents,
  type Mutation,
} from './mutants.ts'
import type { Answered, Asked } from './mutation-tests.ts'
import { nearestTests, readModules } from './nearest-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A copy of the tree, where mutations are made. */
class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutations-'))
  readonly #tree = join(this.#folder, 'tree')
  readonly #temporary = join(this.#folder, 'tmp')
  readonly #limitMs: number
  readonly #changed = new Set<string>()
  #tests: Started | undefined

  constructor(limitMs: number) {
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
    this.#tests ??= new Started('scripts/mutation-tests.ts', [this.#tree, this.#temporary], root)
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

  #within<T>(event: 'message' | 'close', limitMs: number): Promise<T | 'timed out'> {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#end()
        done('timed out')
      }, limitMs)
      this.#child.once(event, (value: T) => {
        clearTimeout(timer)
        done(value)
      })
    })
  }
}

type Verdict =
  | 'killed'
  | 'timed out'
  | 'refused by the linter'
  | 'refused by the compiler'
  | 'survived'

/** What the tests of an engine that works at once may not notice. */
const losesAwait = ({ before, after }: Mutation): boolean =>
  before.split('await ').length > after.split('await ').length

/** Tries mutations one after the other; what has noticed one is asked first for the next. */
class Trial {
  readonly #copy: Copy
  readonly #most: number
  readonly #modules: ReadonlyMap<string, string>
  readonly #nearest = new Map<string, string[]>()
  /** Of test files that failed: whether they pass with the source as it is. */
  readonly #passes = new Map<string, boolean>()
  #compiles: boolean | undefined

  constructor(copy: Copy, most: number) {
    this.#copy = copy
    this.#most = most
    this.#modules = copy.modules()
  }

  async judge(mutation: Mutation): Promise<{ verdict: Verdict; by: string }> {
    const { file } = mutation
    const source = this.#copy.read(file)
    this.#copy.write(file, mutate(source, mutation))
    try {
      const tests = this.#testsOf(file)
      for (let at = 0, size = 1; at < tests.length; at += size, size *= 3) {
        const asked = tests.slice(at, at + size)
        const answered = await this.#copy.test(asked)
        if (answered === 'timed out') return { verdict: answered, by: asked.join(', ') }
        const { by, file: failed } = answered
        if (by === undefined) continue
        if (failed === undefined || (await this.#passesAlone(failed, file, source))) {
          this.#askFirst(file, failed)
          return { verdict: 'killed', by }
        }
        process.stdout.write(`left out   ${failed}, which fails with the source as it is\n`)
        return await this.judge(mutation)
      }
      if (losesAwait(mutation) && !(await this.#copy.awaitsAll(file))) {
        return { verdict: 'refused by the linter', by: '' }
      }
      if (!(await this.#copy.compiles()) && (await this.#compilesAsItIs(file, source))) {
        return { verdict: 'refused by the compiler', by: '' }
      }
      return { verdict: 'survived', by: `${tests.length} test files` }
    } finally {
      this.#copy.write(file, source)
    }
  }

  #testsOf(file: string): readonly string[] {
    const known = this.#nearest.get(file) ?? nearestTests(file, this.#modules)
    this.#nearest.set(file, known)
    return known.filter((test) => this.#passes.get(test) !== false).slice(0, this.#most)
  }

  async #passesAlone(test: string, file: string, source: string): Promise<boolean> {
    if (!this.#passes.has(test)) {
      this.#copy.write(file, source)
      const answered = await this.#copy.test([test])
      this.#passes.set(test, answered !== 'timed out' && answered.by === undefined)
    }
    return this.#passes.get(test)!
  }

  async #compilesAsItIs(file: string, source: string): Promise<boolean> {
    if (this.#compiles === undefined) {
      this.#copy.write(file, source)
      this.#compiles = await this.#copy.compiles()
      if (!this.#compiles) process.stdout.write('the source as it is does not compile in time\n')
    }
    return this.#compiles
  }

  #askFirst(file: string, test: string | undefined): void {
    if (test === undefined) return
    this.#nearest.set(file, [test, ...this.#nearest.get(file)!.filter((other) => other !== test)])
  }
}

function sourcesOf(path: string): string[] {
  const at = resolve(root, path)
  const found = statSync(at).isDirectory()
    ? readdirSync(at, { recursive: true, encoding: 'utf8' }).map((name) => join(at, name))
    : [at]
  return found
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => relative(root, name))
    .toSorted()
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      count: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(process.pid) },
      tests: { type: 'string', default: '12' },
      limit: { type: 'string', default: '120' },
      from: { type: 'string', default: '0' },
    },
  })
  if (positionals.length === 0) {
    process.stderr.write(
      'npm run mutations -- FILE|FOLDER… [--count 50] [--seed N] [--tests 12] [--limit SECONDS] [--from N]\n',
    )
    process.exitCode = 2
    return
  }
  useFolderInMemory()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const all = [...new Set(positionals.flatMap(sourcesOf))].flatMap((file) =>
    mutationsOf(file, readFileSync(join(root, file), 'utf8')),
  )
  const drawn = draw(all, Number(values.count), Number(values.seed)).slice(Number(values.from))
  process.stdout.write(`${drawn.length} of ${all.length} mutations, seed ${values.seed}\n`)
  const trial = new Trial(new Copy(Number(values.limit) * 1000), Number(values.tests))
  const equivalents = readEquivalents()
  const counts = new Map<Verdict | 'equivalent', number>()
  for (const mutation of drawn) {
    const { verdict, by } = isEquivalent(mutation, equivalents)
      ? ({ verdict: 'equivalent', by: '' } as const)
      : await trial.judge(mutation)
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    process.stdout.write(
      `${verdict.padEnd(10)} ${mutation.file}:${mutation.line}  ${by}\n` +
        `  - ${mutation.before}\n  + ${mutation.after}\n`,
    )
  }
  process.stdout.write(`${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}\n`)
  if (counts.has('survived')) process.exitCode = 1
}

if (import.meta.main) await run()
