// `npm run nearest -- FILE…`: runs the tests that are nearest to files that have changed, in seconds.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readArguments, UsageError } from './arguments.ts'

/** Every test file that runs `file`, nearest first; those that are named after its nouns, or speak of them, before. */
export const nearestTests = (file: string, files: ReadonlyMap<string, string>): string[] => {
  const importers = new Map<string, string[]>()
  for (const [path, text] of files) {
    for (const [, imported, lazy, address] of text.matchAll(runs)) {
      const target = join(dirname(path), imported ?? lazy ?? address ?? '')
      importers.set(target, [...(importers.get(target) ?? []), path])
    }
  }
  const distance = stepsTo(file, importers)
  const [own = '', ...folders] = file
    .replace(/\.tsx?$/, '')
    .split('/')
    .toReversed()
  const count = (words: readonly string[], text: string): number =>
    words.reduce((sum, word) => sum + text.split(word.replace(/s$/, '')).length - 1, 0)
  const mentions = (text: string): number => count(own.split('-'), text)
  // `src/domain/slurs/readings.ts` is tried by what is named after slurs.
  const itsPart = partOf(file)
  const isOfFolder = (test: string): boolean =>
    test.startsWith(itsPart) && count(folders.slice(0, -2), basename(test)) > 0
  // Browsers and processes take long to say what a nearer test says at once.
  const slow = new Set(
    [...files]
      .filter(([path, text]) => path.startsWith('test/') && /\bspawn\(|playwright/.test(text))
      .flatMap(([path]) => [...stepsTo(path, importers).keys()]),
  )
  const isSlow = (test: string): boolean => slow.has(test) && !test.startsWith(itsPart)
  const direct = new Set(importers.get(file))
  const isOfFloor = (test: string): boolean => direct.has(test) && test.startsWith(itsPart)
  const rank = (test: string): number =>
    distance.get(test)! -
    3 * (mentions(basename(test)) + (direct.has(test) ? 1 : 0)) -
    (isOfFolder(test) ? 1 : 0) -
    (isOfFloor(test) ? 4 : 0) -
    (test.startsWith(itsPart) ? 2 : 0) +
    (isSlow(test) ? 6 : 0)
  return [...distance.keys()]
    .filter((path) => /\.test\.tsx?$/.test(path) && !/^test\/(?:ports\/)?postgres[/-]/.test(path))
    .map((path) => ({ path, rank: rank(path), mentions: mentions(files.get(path)!) }))
    .toSorted((a, b) => a.rank - b.rank || b.mentions - a.mentions)
    .map(({ path }) => path)
}

/** The folder of the tests of a source. */
export function partOf(file: string): string {
  const [, floor = ''] = file.split('/')
  return `test/${partsElsewhere[floor] ?? floor}/`
}

const partsElsewhere: Readonly<Record<string, string>> = { adapters: 'ports', door: 'api' }

/** Every module that runs one, with how many imports away it is; a test is as near as what it shares with others. */
function stepsTo(path: string, importers: ReadonlyMap<string, readonly string[]>) {
  const distance = new Map([[path, 0]])
  // A Map is walked in the order in which it grows: what is found to be nearer is walked again.
  for (const [at, steps] of distance) {
    const next = at.startsWith('test/') ? steps : steps + 1
    for (const importer of importers.get(at) ?? []) {
      if (next >= (distance.get(importer) ?? Infinity)) continue
      distance.delete(importer)
      distance.set(importer, next)
    }
  }
  return distance
}

const runs =
  /(?:import|export)\s(?!type\b)[^'";]*?from\s*'(\.[^']+)'|import\(?\s*'(\.[^']+)'|new URL\(\s*'(\.[^']+\.ts)'/g

/** Every module below `src`, `test`, `bench` and `scripts` of a tree, with its text. */
export function readModules(tree: string): Map<string, string> {
  const paths = ['src', 'test', 'bench', 'scripts'].flatMap((folder) =>
    readdirSync(join(tree, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  )
  const modules = paths.filter((path) => /\.tsx?$/.test(path))
  return new Map(modules.map((path) => [path, readFileSync(join(tree, path), 'utf8')]))
}

/** Test files of each file that has changed. */
const MOST = 4

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const modules = readModules(root)
  const files = readArguments('npm run nearest -- FILE…', {}, ({ positionals }) => {
    const named = positionals.map((file) => relative(root, resolve(file)))
    const unknown = named.filter((file) => !modules.has(file))
    if (unknown.length > 0) throw new UsageError(`there is no module ${unknown.join(', ')}`)
    if (named.length > 0) return named
    throw new UsageError('say which files have changed, such as src/pool/slots.ts')
  })
  const tests = files.flatMap((file) => nearestTests(file, modules).slice(0, MOST))
  const args = ['vitest', 'run', '--project', 'sqlite', ...new Set(tests)]
  process.exitCode = spawnSync('npx', args, { cwd: root, stdio: 'inherit' }).status ?? 1
}
