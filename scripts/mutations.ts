// `npm run mutations -- FILE|FOLDER…`: which small changes of the source no test notices.
// Each is made in a copy of the tree, and tried with the nearest tests that run the file.
import { execFileSync, spawn } from 'node:child_process'
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
import { nearestTests, readModules } from './nearest-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Run = {
  readonly ended: 'passed' | 'failed' | 'timed out'
  readonly by?: string
  readonly file?: string
}

/** A copy of the tree, where mutations are made. */
class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutations-'))
  readonly #tree = join(this.#folder, 'tree')
  readonly #temporary = join(this.#folder, 'tmp')
  readonly #limitMs: number

  constructor(limitMs: number) {
    this.#limitMs = limitMs
    process.once('exit', () => rmSync(this.#folder, { recursive: true, force: true }))
    const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root })
    const paths = listed
      .toString()
      .split('\n')
      .filter((path) => path !== '')
    for (const path of [...paths, 'build/web']) {
      if (existsSync(join(root, path))) {
        cpSync(join(root, path), join(this.#tree, path), { recursive: true })
      }
    }
    symlinkSync(join(root, 'node_modules'), join(this.#tree, 'node_modules'))
    // A rule that is left out leaves names unused: that alone is not noticing.
    const config = join(this.#tree, 'tsconfig.base.json')
    const text = readFileSync(config, 'utf8').replaceAll(/("noUnused\w+": )true/g, '$1false')
    writeFileSync(config, text)
  }

  read(path: string): string {
    return readFileSync(join(this.#tree, path), 'utf8')
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.#tree, path), text)
  }

  /** Every module, with its text. */
  modules(): Map<string, string> {
    return readModules(this.#tree)
  }

  /** Runs test files until the first failure. */
  async test(files: readonly string[]): Promise<Run> {
    const report = join(this.#folder, 'report.json')
    rmSync(report, { force: true })
    const args = [
      'run',
      '--project=sqlite',
      '--bail=1',
      '--reporter=json',
      `--outputFile=${report}`,
    ]
    const cache = `--fsModuleCachePath=${join(this.#folder, 'modules')}`
    const code = await this.#run('vitest/vitest.mjs', [
      ...args,
      cache,
      '--passWithNoTests',
      ...files,
    ])
    if (code === 'timed out') return { ended: code }
    if (code === 0) return { ended: 'passed' }
    if (!existsSync(report)) return { ended: 'failed', by: 'the run itself' }
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    // Files that the first failure has cut off are reported as failed, too, with nothing to say.
    const failed =
      testResults.find((each) => each.assertionResults.some(({ status }) => status === 'failed')) ??
      testResults.find(({ status, message }) => status === 'failed' && message !== '')
    if (failed === undefined) return { ended: 'failed', by: 'an error outside the tests' }
    const test = failed.assertionResults.find(({ status }) => status === 'failed')
    const file = relative(this.#tree, failed.name)
    return { ended: 'failed', file, by: `${file} › ${test?.fullName ?? 'while loading'}` }
  }

  async compiles(): Promise<boolean> {
    return (await this.#run('typescript/bin/tsc', ['-b'])) === 0
  }

  #run(script: string, args: readonly string[]): Promise<number | 'timed out'> {
    mkdirSync(this.#temporary, { recursive: true })
    const child = spawn(process.execPath, [join('node_modules', script), ...args], {
      cwd: this.#tree,
      env: { ...process.env, TMPDIR: this.#temporary },
      stdio: 'ignore',
      // A group of its own, so that its workers and servers end with it.
      detached: true,
    })
    const end = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // All of it has ended.
      }
    }
    process.once('exit', end)
    return new Promise((done) => {
      let late = false
      const timer = setTimeout(() => {
        late = true
        end()
      }, this.#limitMs)
      child.once('exit', (code) => {
        clearTimeout(timer)
        process.off('exit', end)
        end()
        rmSync(this.#temporary, { recursive: true, force: true, maxRetries: 5 })
        done(late ? 'timed out' : (code ?? 1))
      })
    })
  }
}

type Report = {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
  }[]
}

type Verdict = 'killed' | 'timed out' | 'refused by the compiler' | 'survived'

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
    if (this.#compiles === undefined) {
      this.#compiles = await this.#copy.compiles()
      if (!this.#compiles) process.stdout.write('the source as it is does not compile in time\n')
    }
    this.#copy.write(file, mutate(source, mutation))
    try {
      const tests = this.#testsOf(file)
      for (let at = 0, size = 1; at < tests.length; at += size, size *= 3) {
        const asked = tests.slice(at, at + size)
        const { ended, by = '', file: failed } = await this.#copy.test(asked)
        if (ended === 'timed out') return { verdict: 'timed out', by: asked.join(', ') }
        if (ended === 'passed') continue
        if (failed === undefined || (await this.#passesAlone(failed, file, source))) {
          this.#askFirst(file, failed)
          return { verdict: 'killed', by }
        }
        process.stdout.write(`left out   ${failed}, which fails with the source as it is\n`)
        return await this.judge(mutation)
      }
      if (this.#compiles && !(await this.#copy.compiles())) {
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
      this.#passes.set(test, (await this.#copy.test([test])).ended === 'passed')
    }
    return this.#passes.get(test)!
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
    },
  })
  if (positionals.length === 0) {
    process.stderr.write(
      'npm run mutations -- FILE|FOLDER… [--count 50] [--seed N] [--tests 12] [--limit SECONDS]\n',
    )
    process.exitCode = 2
    return
  }
  useFolderInMemory()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const all = [...new Set(positionals.flatMap(sourcesOf))].flatMap((file) =>
    mutationsOf(file, readFileSync(join(root, file), 'utf8')),
  )
  const drawn = draw(all, Number(values.count), Number(values.seed))
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
