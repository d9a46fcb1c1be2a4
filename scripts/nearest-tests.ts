// `npm run nearest -- FILE…`: runs the tests that are nearest to files that have changed, in seconds.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Every test file that runs `file`, nearest first; those that are named after its nouns, or speak of them, before. */
export const nearestTests = (file: string, files: ReadonlyMap<string, string>): string[] => {
  const importers = new Map<string, string[]>()
  for (const [path, text] of files) {
    for (const [, imported, lazy, address] of text.matchAll(runs)) {
      const target = join(dirname(path), imported ?? lazy ?? address ?? '')
      importers.set(target, [...(importers.get(target) ?? []), path])
    }
  }
  const distance = new Map([[file, 0]])
  // A Map is walked in the order in which it grows: breadth first.
  for (const [path, steps] of distance) {
    for (const importer of importers.get(path) ?? []) {
      if (!distance.has(importer)) distance.set(importer, steps + 1)
    }
  }
  const nouns = basename(file)
    .replace(/\.tsx?$/, '')
    .split('-')
  const mentions = (text: string): number =>
    nouns.reduce((sum, noun) => sum + text.split(noun.replace(/s$/, '')).length - 1, 0)
  // Browsers and processes take long to say what a nearer test says at once.
  const isSlow = (test: string): boolean => {
    const folder = /^test\/(web|main|cli|client)\//.exec(test)?.[1]
    return folder !== undefined && !file.startsWith(`src/${folder}/`)
  }
  const rank = (test: string): number =>
    distance.get(test)! - 3 * mentions(basename(test)) + (isSlow(test) ? 6 : 0)
  return [...distance.keys()]
    .filter((path) => /\.test\.tsx?$/.test(path) && !path.startsWith('test/postgres/'))
    .map((path) => ({ path, rank: rank(path), mentions: mentions(files.get(path)!) }))
    .toSorted((a, b) => a.rank - b.rank || b.mentions - a.mentions)
    .map(({ path }) => path)
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
  const files = process.argv.slice(2).map((file) => relative(root, resolve(file)))
  const unknown = files.filter((file) => !modules.has(file))
  if (files.length === 0 || unknown.length > 0) {
    const wrong = unknown.length > 0 ? `there is no module ${unknown.join(', ')}; ` : ''
    console.error(`${wrong}say which files have changed: npm run nearest -- src/pool/slots.ts`)
    process.exit(2)
  }
  const tests = files.flatMap((file) => nearestTests(file, modules).slice(0, MOST))
  const args = ['vitest', 'run', '--project', 'sqlite', ...new Set(tests)]
  process.exitCode = spawnSync('npx', args, { cwd: root, stdio: 'inherit' }).status ?? 1
}
