import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const { scripts } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { readonly scripts: object }
const folder = new URL('../.github/', import.meta.url)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')

type Step = { readonly uses?: string; readonly run?: string }
type Workflow = {
  readonly permissions: object
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>
}
const workflows = files.filter((name) => name.startsWith('workflows/'))

describe.each(workflows)('%s', (name) => {
  const workflow = parse(read(name)) as Workflow
  const steps = Object.values(workflow.jobs).flatMap((job) => job.steps)

  it('starts with no permission to write', () => {
    expect(Object.values(workflow.permissions).filter((level) => level !== 'read')).toEqual([])
  })

  it('runs commands of the package that exist', () => {
    const named = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run ([\w:]+)/g)])
    const missing = named.map(([, script]) => script!).filter((it) => !(it in scripts))
    expect(missing).toEqual([])
  })

  it('passes what must pass before a change is merged', () => {
    expect(steps.map(({ run }) => run)).toContain('.ci/run')
  })
})

it('the templates of issues and the updates of dependencies are YAML', () => {
  const others = files.filter((name) => name.endsWith('.yml') && !workflows.includes(name))
  expect(others.length).toBeGreaterThan(2)
  for (const name of others) expect(parse(read(name))).toBeTypeOf('object')
})

describe.each([
  'CONTRIBUTING.md',
  '.github/pull_request_template.md',
  '.github/ISSUE_TEMPLATE/bug.yml',
])('%s', (name) => {
  const root = new URL('../', import.meta.url)
  const text = readFileSync(new URL(name, root), 'utf8')
  const named = [...text.matchAll(/`([^`]+)`/g)].map(([, words]) => words!.replace(/\s+/g, ' '))

  it('names files and folders that exist', () => {
    const paths = named.filter((words) =>
      /^(?:\.ci|docs|migrations|scripts|src|test)\/\S+$/.test(words),
    )
    // Patterns name several.
    const whole = paths.filter((path) => !/[*{<]/.test(path))
    expect(whole.filter((path) => !existsSync(new URL(path, root)))).toEqual([])
  })

  it('names commands of the package that exist', () => {
    const commands = named.flatMap((words) => /npm run ([\w:-]+)/.exec(words)?.[1] ?? [])
    expect(commands.filter((command) => !(command in scripts))).toEqual([])
  })
})

const source = new URL('../src/', import.meta.url)
const floors = readdirSync(source).filter((floor) =>
  existsSync(new URL(`${floor}/README.md`, source)),
)
const isWorker = /^export (?:async )?function start\w*Loop\b|\bstartLoop\(/m

describe.each(floors)('src/%s/README.md', (floor) => {
  const folder = new URL(`${floor}/`, source)
  const named = [...readFileSync(new URL('README.md', folder), 'utf8').matchAll(/`([^`\s]+)`/g)]
    .map(([, words]) => words!)
    .filter((words) => /^[\w.-]+(?:\/[\w.-]+)*(?:\/|\.(?:tsx?|m?js|json|css|md|sql))$/.test(words))

  it('names files and folders that exist, here, in src or in the repository', () => {
    const below = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    const isThere = (path: string): boolean =>
      below.some((file) => `/${file}`.endsWith(`/${path.replace(/\/$/, '')}`)) ||
      [source, new URL('../', source)].some((place) => existsSync(new URL(path, place)))
    expect(named.filter((path) => !isThere(path))).toEqual([])
  })

  it('names every worker', () => {
    if (floor !== 'worker') return
    const workers = readdirSync(folder).filter(
      (file) =>
        file !== 'loop.ts' &&
        file.endsWith('.ts') &&
        isWorker.test(readFileSync(new URL(file, folder), 'utf8')),
    )
    expect(workers.length).toBeGreaterThan(7)
    expect(workers.filter((file) => !named.includes(file))).toEqual([])
  })
})

it('dependencies of every kind are updated', () => {
  const { updates } = parse(read('dependabot.yml')) as {
    readonly updates: readonly { readonly 'package-ecosystem': string }[]
  }
  const kinds = {
    'package-lock.json': 'npm',
    Dockerfile: 'docker',
    'compose.yaml': 'docker-compose',
    '.github/workflows': 'github-actions',
  }
  const there = Object.entries(kinds).filter(([path]) =>
    existsSync(new URL(`../${path}`, import.meta.url)),
  )
  expect(new Set(updates.map((each) => each['package-ecosystem']))).toEqual(
    new Set(there.map(([, kind]) => kind)),
  )
})
