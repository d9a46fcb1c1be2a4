import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  additions,
  budgets,
  filesNaming,
  findFolds,
  importsOf,
  linesOf,
  makeJourneys,
  readHouse,
} from '../scripts/house.ts'
import type { Journeys } from '../scripts/journeys.ts'
import { buildPages } from './support/build-pages.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readHouse()
const imports = importsOf(files)
const paths = [...files.keys()]
const floorOf = (path: string): string => path.split('/')[0] ?? ''

const pure = ['contract', 'pool', 'domain', 'ports', 'operations']
/** What each floor stands on (ARCHITECTURE.md). A floor that is not here has no place yet. */
const below: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  pool: ['contract'],
  formats: ['contract', 'pool'],
  domain: ['contract', 'pool'],
  ports: ['contract', 'domain'],
  operations: ['contract', 'pool', 'domain', 'ports'],
  adapters: ['contract', 'pool', 'domain', 'ports'],
  door: pure,
  site: [...pure, 'door'],
  worker: pure,
  client: ['contract', 'pool'],
  web: ['contract', 'pool', 'formats', 'client'],
  standin: ['contract'],
  main: [...pure, 'formats', 'adapters', 'door', 'site', 'worker', 'standin'],
  cli: [...pure, 'formats', 'adapters', 'door', 'site', 'worker', 'client', 'main'],
}

describe('floors', () => {
  it('are the ones that the house has', () => {
    expect(Object.keys(below)).toEqual(expect.arrayContaining([...new Set(paths.map(floorOf))]))
  })

  it('import themselves and what is below', () => {
    const upward = [...imports].flatMap(([path, targets]) =>
      targets
        .filter((target) => ![floorOf(path), ...below[floorOf(path)]!].includes(floorOf(target)))
        .map((target) => `${path} → ${target}`),
    )
    expect(upward).toEqual([])
  })

  it('keep the adapters apart from each other', () => {
    const folder = (path: string) => path.split('/').slice(0, 2).join('/')
    const across = [...imports].flatMap(([path, targets]) =>
      floorOf(path) === 'adapters'
        ? targets.filter((to) => floorOf(to) === 'adapters' && folder(to) !== folder(path))
        : [],
    )
    expect(across).toEqual([])
  })

  it('have no circle of imports, types included', () => {
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (path: string, way: readonly string[]): void => {
      if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(' → '))
      if (done.has(path)) return
      done.add(path)
      for (const target of imports.get(path) ?? []) walk(target, [...way, path])
    }
    for (const path of paths) walk(path, [])
    expect(circles).toEqual([])
  })

  it('have fifteen ports at most', () => {
    const all = paths.filter((path) => floorOf(path) === 'ports')
    const ports = all.filter((path) => path !== 'ports/ports.ts')
    expect(ports.length, ports.join(', ')).toBeLessThanOrEqual(15)
  })
})

/** What is loaded with a file: neither types nor what it imports when it needs that. */
const loadedWith = (path: string, found = new Set<string>()): ReadonlySet<string> => {
  if (found.has(path)) return found
  found.add(path)
  const statements = files
    .get(path)
    ?.matchAll(/^(?:import|export)(?! type)[^;]*? from '(\.[^']+)'/gm)
  for (const [, to = ''] of statements ?? []) loadedWith(join(dirname(path), to), found)
  return found
}

it('a command of mapcrate loads the importer only if it reads files', () => {
  const table = files.get('cli/user/user-commands.ts')!
  const commands = [...table.matchAll(/import\('\.\/(.+?)\.ts'\)/g)].map(([, name]) => name!)
  const importing = commands.filter((name) =>
    loadedWith(`cli/user/${name}.ts`).has('formats/import/read-import.ts'),
  )
  expect(importing.toSorted()).toEqual([
    'import',
    'pack-keys',
    'saving',
    'sync/sync',
    'tournament/import',
  ])
})

describe('files', () => {
  const lengths = [...files.values()].map(linesOf)
  const sorted = lengths.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)]!

  it('hold one subject each: 95 % at most 300 lines, none over 400', () => {
    expect(at(0.95)).toBeLessThanOrEqual(300)
    expect(at(1)).toBeLessThanOrEqual(400)
  })

  it('with one importer beside them are folded into it, up to 300 lines together', () => {
    const folds = findFolds(files).map(({ file, into }) => `${file} → ${into}`)
    expect(folds.length, folds.join('\n')).toBeLessThanOrEqual(budgets.folds.limit)
  })

  it('stand at most three folders deep', () => {
    expect(paths.filter((path) => path.split('/').length - 1 > 3)).toEqual([])
  })

  it('are no barrels', () => {
    expect(paths.filter((path) => /(^|\/)index\.tsx?$/.test(path))).toEqual([])
  })

  it('leave telling the time to the system adapter', () => {
    const clocks = [...files].filter(([, text]) => /new Date\(\)|Date\.now\b/.test(text))
    expect(clocks.map(([path]) => path)).toEqual(['adapters/system.ts'])
  })
})

describe('journeys', () => {
  let journeys: Journeys
  beforeAll(async () => {
    buildPages()
    journeys = await makeJourneys()
  })

  /** Each passes through this floor at least: what counts nothing would hold nothing. */
  const floors: Readonly<Record<keyof Journeys, string>> = {
    read: 'adapters',
    create: 'adapters',
    slots: 'adapters',
    page: 'site',
    paste: 'formats',
    search: 'adapters',
    stats: 'adapters',
  }
  it.each(Object.entries(floors) as [keyof Journeys, string][])(
    '%s passes through few files',
    (name, floor) => {
      const passed = journeys[name]
      expect(passed.map(floorOf)).toContain(floor)
      expect(passed.length, passed.join('\n')).toBeLessThanOrEqual(budgets[name].limit)
    },
  )
})

describe('additions', () => {
  it.each(Object.entries(additions) as [keyof typeof additions, { readonly name: RegExp }][])(
    'of one %s stand in few files',
    (addition, { name }) => {
      const naming = filesNaming(name)
      expect(naming.length).toBeGreaterThan(0)
      expect(naming.length, naming.join('\n')).toBeLessThanOrEqual(budgets[addition].limit)
    },
  )

  it('and all other budgets stand in ARCHITECTURE.md as they are wanted', () => {
    const table = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
      .split('\n')
      .filter((line) => /\| `npm run house` +\|$/.test(line))
      .map((line) => Number(/\d+/.exec(line.split('|')[2] ?? '')?.[0]))
    expect(table).toEqual(Object.values(budgets).map(({ wanted }) => wanted))
  })
})

describe('run-time dependencies', () => {
  type Package = { dependencies?: Record<string, string> }
  type Lock = { packages: Record<string, { dev?: boolean; license?: string }> }
  const read = (name: string): unknown => JSON.parse(readFileSync(join(root, name), 'utf8'))

  it('are twelve at most', () => {
    const { dependencies = {} } = read('package.json') as Package
    expect(Object.keys(dependencies).length).toBeLessThanOrEqual(12)
  })

  it('have licences that allow MIT, to the last of them', () => {
    const free = [
      'MIT',
      'ISC',
      '0BSD',
      'BSD-2-Clause',
      'BSD-3-Clause',
      'Apache-2.0',
      'OFL-1.1',
    ].concat('Unicode-DFS-2016')
    const isFree = (license: string) => license.split(' AND ').every((each) => free.includes(each))
    const { packages } = read('package-lock.json') as Lock
    const other = Object.entries(packages)
      .filter(([path, { dev }]) => path !== '' && dev !== true)
      .filter(([, { license = 'none' }]) => !isFree(license))
    expect(other).toEqual([])
  })
})
