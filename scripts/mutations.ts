// `npm run mutations -- FILE|FOLDER…`: which small changes of the source no test notices.
// Each is made in a copy of the tree, and tried with the nearest tests that run the file.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useFolderInMemory } from '../test/support/folder-in-memory.ts'
import {
  isEquivalent,
  isProgram,
  mutate,
  mutationsOf,
  readEquivalents,
  shuffled,
  type Mutation,
} from './mutants.ts'
import { readArguments, seedOf, UsageError, wholeNumber } from './arguments.ts'
import { LikelyTests } from './likely-tests.ts'
import { Copy } from './mutation-copy.ts'
import { nearestTests, partOf } from './nearest-tests.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Verdict =
  | 'killed'
  | 'timed out'
  | 'refused by the linter'
  | 'refused by the compiler'
  | 'survived'

/** What the tests of an engine that works at once may not notice. */
const losesAwait = ({ before, after }: Mutation): boolean =>
  before.split('await ').length > after.split('await ').length

/** Tries mutations one after the other, and learns from each what to ask first for the next. */
class Trial {
  readonly #copy: Copy
  readonly #most: number
  readonly #modules: ReadonlyMap<string, string>
  readonly #nearest = new Map<string, string[]>()
  readonly #likely = new LikelyTests()
  /** Whether test files pass: under another mutation, or with the source as it is. */
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
      let isValid = false
      for (let at = 0, size = 4; at < tests.length; at += size, size = 9) {
        // The compiler takes as long as many test files: what the first do not notice is compiled before the others.
        if (size === 9 && !isValid) {
          const refused = await this.#refusal(mutation, source)
          if (refused !== null) return { verdict: refused, by: '' }
          isValid = true
        }
        const asked = tests.slice(at, at + size)
        const answered = await this.#copy.test(asked)
        if (answered === 'timed out') return { verdict: answered, by: asked.join(', ') }
        const { by, file: failed, took } = answered
        for (const [test, ms] of took) {
          this.#likely.passed(test, file, ms)
          this.#passes.set(test, true)
        }
        if (by === undefined) continue
        if (failed === undefined || (await this.#passesAlone(failed, file, source))) {
          if (failed !== undefined) this.#likely.noticed(failed, file)
          return { verdict: 'killed', by }
        }
        process.stdout.write(`left out   ${failed}, which fails with the source as it is\n`)
        return await this.judge(mutation)
      }
      const refused = isValid ? null : await this.#refusal(mutation, source)
      return refused === null
        ? { verdict: 'survived', by: `${tests.length} test files` }
        : { verdict: refused, by: '' }
    } finally {
      this.#copy.write(file, source)
    }
  }

  /** What the linter or the compiler makes of a mutation that no test has noticed; null: nothing. */
  async #refusal(mutation: Mutation, source: string): Promise<Verdict | null> {
    const { file } = mutation
    if (losesAwait(mutation) && !(await this.#copy.awaitsAll(file))) return 'refused by the linter'
    const isRefused =
      !(await this.#copy.compiles()) && (await this.#compilesAsItIs(mutation, source))
    return isRefused ? 'refused by the compiler' : null
  }

  #testsOf(file: string): readonly string[] {
    const known = this.#nearest.get(file) ?? triedOf(file, nearestTests(file, this.#modules))
    this.#nearest.set(file, known)
    const passing = known.filter((test) => this.#passes.get(test) !== false)
    return this.#likely.first(file, passing, this.#most)
  }

  async #passesAlone(test: string, file: string, source: string): Promise<boolean> {
    if (!this.#passes.has(test)) {
      this.#copy.write(file, source)
      const answered = await this.#copy.test([test])
      this.#passes.set(test, answered !== 'timed out' && answered.by === undefined)
    }
    return this.#passes.get(test)!
  }

  async #compilesAsItIs(mutation: Mutation, source: string): Promise<boolean> {
    if (this.#compiles === undefined) {
      this.#copy.write(mutation.file, source)
      this.#compiles = await this.#copy.compiles()
      if (!this.#compiles) process.stdout.write('the source as it is does not compile in time\n')
      this.#copy.write(mutation.file, mutate(source, mutation))
    }
    return this.#compiles
  }
}

/** Test files that are tried though they are of another part than the source. */
const NEAREST = 20

const triedOf = (file: string, nearest: readonly string[]): string[] =>
  nearest.filter((test, place) => place < NEAREST || test.startsWith(partOf(file)))

function sourcesOf(path: string): string[] {
  const at = resolve(root, path)
  const found = statSync(at).isDirectory()
    ? readdirSync(at, { recursive: true, encoding: 'utf8' }).map((name) => join(at, name))
    : [at]
  return (
    found
      .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
      .map((name) => relative(root, name))
      // Tests run on SQLite: of this engine they would notice nothing.
      .filter((name) => !name.startsWith('src/adapters/storage/postgres/'))
      .toSorted()
  )
}

async function run(): Promise<void> {
  const { places, count, seed, tests, limit, from } = readArguments(
    'npm run mutations -- FILE|FOLDER… [--count 50] [--seed N] [--tests 40] [--limit SECONDS] [--from N]',
    {
      count: { type: 'string', default: '50' },
      seed: { type: 'string', default: String(process.pid) },
      tests: { type: 'string', default: '40' },
      limit: { type: 'string', default: '60' },
      from: { type: 'string', default: '0' },
    },
    ({ values, positionals }) => {
      if (positionals.length === 0) throw new UsageError('say which files')
      const missing = positionals.find((place) => !existsSync(join(root, place)))
      if (missing !== undefined) throw new UsageError(`there is no ${missing}`)
      return {
        places: positionals,
        count: wholeNumber('--count', values.count),
        seed: seedOf('--seed', values.seed),
        tests: wholeNumber('--tests', values.tests),
        limit: wholeNumber('--limit', values.limit),
        from: wholeNumber('--from', values.from, 0),
      }
    },
  )
  useFolderInMemory()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  const sources = new Map(
    places.flatMap(sourcesOf).map((file) => [file, readFileSync(join(root, file), 'utf8')]),
  )
  const all = [...sources].flatMap(([file, source]) => mutationsOf(file, source))
  process.stdout.write(`${count - from} of ${all.length} mutations, seed ${seed}\n`)
  const trial = new Trial(new Copy(root, limit * 1000), tests)
  const equivalents = readEquivalents()
  const counts = new Map<Verdict | 'equivalent', number>()
  let drawn = 0
  for (const mutation of shuffled(all, seed)) {
    if (!isProgram(sources.get(mutation.file)!, mutation)) continue
    drawn += 1
    if (drawn <= from) continue
    const { verdict, by } = isEquivalent(mutation, equivalents)
      ? ({ verdict: 'equivalent', by: '' } as const)
      : await trial.judge(mutation)
    counts.set(verdict, (counts.get(verdict) ?? 0) + 1)
    process.stdout.write(
      `${verdict.padEnd(10)} ${mutation.file}:${mutation.line}  ${by}\n` +
        `  - ${mutation.before}\n  + ${mutation.after}\n`,
    )
    if (drawn === count) break
  }
  process.stdout.write(`${[...counts].map(([name, count]) => `${count} ${name}`).join(', ')}\n`)
  if (counts.has('survived')) process.exitCode = 1
}

if (import.meta.main) {
  await run()
  // The process that runs the tests would wait for the next ones.
  process.exit()
}
