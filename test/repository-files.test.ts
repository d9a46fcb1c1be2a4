import { readdirSync, readFileSync } from 'node:fs'
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
