// `npm run house`: how the house is built, in figures. test/house.test.ts holds them to `budgets`.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Journeys } from './journeys.ts'

const src = fileURLToPath(new URL('../src', import.meta.url))
const journeysScript = fileURLToPath(new URL('journeys.ts', import.meta.url))

/** A file that has one importer and its lines make no file of their own (ARCHITECTURE.md). */
const TOGETHER = 300

/** What one field, format and endpoint is called where code and texts name it: what the next one will cost. */
export const additions = {
  field: { name: /\bshowcaseUrl\b/, about: '`showcaseUrl`, a field of rounds' },
  // With what writes it.
  format: { name: /osdb-buckets|\bwriteCollectionsOsdb\b/, about: '`osdb-buckets`, a format' },
  // A text of the same name has it as a key of JSON.
  endpoint: { name: /\bremoveRemark\b(?!")/, about: '`removeRemark`, an endpoint' },
} as const

/** What each figure is to become, and what it must not pass until then; why it may, is in docs/decisions.md. */
export const budgets: Readonly<
  Record<'folds' | keyof Journeys | keyof typeof additions, { wanted: number; limit: number }>
> = {
  folds: { wanted: 0, limit: 0 },
  read: { wanted: 18, limit: 18 },
  create: { wanted: 35, limit: 35 },
  slots: { wanted: 33, limit: 36 },
  page: { wanted: 28, limit: 28 },
  paste: { wanted: 20, limit: 44 },
  search: { wanted: 26, limit: 26 },
  stats: { wanted: 20, limit: 24 },
  field: { wanted: 6, limit: 16 },
  format: { wanted: 2, limit: 2 },
  endpoint: { wanted: 11, limit: 11 },
}

const journeyNames: Readonly<Record<keyof Journeys, string>> = {
  read: 'GET /packs/{slug}, its pack in memory',
  create: 'POST /packs, on SQLite',
  slots: 'PATCH …/rounds/{round}/slots, on SQLite',
  page: 'GET /p/{slug}, after a save of another pack',
  paste: 'a pasted sheet to a request body',
  search: 'GET /session/search, for words in a name',
  stats: "a platform answer to a pack's stats",
}

/** Every TypeScript file by its path below `src/`, with its text. */
export const readHouse = (): Map<string, string> =>
  new Map(
    readdirSync(src, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(src, path), readFileSync(path, 'utf8')]),
  )

/** Every file of code or English texts that names something. */
export const filesNaming = (name: RegExp): string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$|^texts\/en\/.*\.json$/.test(path))
    .filter((path) => name.test(readFileSync(join(src, path), 'utf8')))

export const linesOf = (text: string): number => text.split('\n').length - 1

/** The files of the house that each file imports, types included. */
export const importsOf = (files: ReadonlyMap<string, string>): Map<string, readonly string[]> =>
  new Map([...files].map(([path, text]) => [path, [...mentioned(path, text, anyImport)]]))

const anyImport = /(?:from|import|import\()\s*'(\.[^']+)'/g
const lazyImport = /import\(\s*'(\.[^']+)'/g
/** Of a file that is started as a thread or a process. */
const address = /new URL\(\s*'(\.[^']+)',\s*import\.meta\.url|from\s*'(\.[^']+)\?worker/g

function mentioned(path: string, text: string, pattern: RegExp): Set<string> {
  const targets = [...text.matchAll(pattern)].map(
    ([, target, worker = '']) => (target ?? worker).split('?')[0]!,
  )
  return new Set(targets.map((target) => relative(src, resolve(src, dirname(path), target))))
}

/** A file that belongs into the one file that imports it. */
type Fold = { readonly file: string; readonly into: string; readonly lines: number }

/**
 * Every file that exactly one file imports, from the same folder, when both together have at most 300
 * lines. What is loaded when it is needed, and what a thread or process starts with, stands alone.
 */
export const findFolds = (files: ReadonlyMap<string, string>): Fold[] => {
  const importers = new Map<string, string[]>()
  const apart = new Set<string>()
  for (const [path, text] of files) {
    for (const target of mentioned(path, text, anyImport)) {
      importers.set(target, [...(importers.get(target) ?? []), path])
    }
    for (const target of mentioned(path, text, lazyImport)) apart.add(target)
    for (const target of mentioned(path, text, address)) apart.add(target)
  }
  return [...files].flatMap(([file, text]) => {
    const [into, ...others] = importers.get(file) ?? []
    if (into === undefined || others.length > 0 || apart.has(file)) return []
    if (file.endsWith('.d.ts') || dirname(into) !== dirname(file)) return []
    const lines = linesOf(text) + linesOf(files.get(into) ?? '')
    return lines > TOGETHER ? [] : [{ file, into, lines }]
  })
}

/** Runs the journeys in a process of their own. */
export const makeJourneys = async (): Promise<Journeys> => {
  // What was compiled before is counted less exactly.
  const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, [journeysScript], { env })
  return JSON.parse(stdout) as Journeys
}

const padded = (value: number): string => value.toLocaleString('en').padStart(7)

async function print(): Promise<void> {
  const files = readHouse()
  const lines = [...files.values()].reduce((sum, text) => sum + linesOf(text), 0)
  const folds = findFolds(files)
  const journeys = await makeJourneys()
  const figure = (name: keyof typeof budgets, value: number, about: string): string => {
    const { wanted, limit } = budgets[name]
    const goal = limit === wanted ? `at most ${wanted}` : `at most ${limit}, ${wanted} wanted`
    return `${padded(value)}  ${about} (${goal})\n`
  }
  const list = (names: readonly string[]) => names.map((name) => `           ${name}\n`).join('')
  process.stdout.write(
    [
      `${padded(files.size)}  TypeScript files in src\n`,
      `${padded(lines)}  lines of TypeScript in src\n`,
      figure(
        'folds',
        folds.length,
        'files to be folded into their one importer in the same folder',
      ),
      list(folds.map(({ file, into, lines: sum }) => `${file} → ${into} (${sum})`)),
      ...Object.entries(additions).flatMap(([key, { name, about }]) => {
        const naming = filesNaming(name)
        const title = `files that name ${about}`
        return [figure(key as keyof typeof additions, naming.length, title), list(naming)]
      }),
      ...Object.entries(journeyNames).flatMap(([name, about]) => {
        const passed = journeys[name as keyof Journeys]
        return [figure(name as keyof Journeys, passed.length, `files run: ${about}`), list(passed)]
      }),
    ].join(''),
  )
}

if (import.meta.main) await print()
