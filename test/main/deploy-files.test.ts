import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { loadConfig } from '../../src/main/config.ts'
import { variables } from '../../src/main/variables.ts'

const read = (path: string): Promise<string> =>
  readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

const compose = await read('compose.yaml')
const example = await read('deploy/example.env')
const guide = await read('docs/deploy.md')
const unit = await read('deploy/mapcrate.service')
const image = await read('Dockerfile')

/** What the container of Mapcrate is told. */
const told = /\n {2}mapcrate:[^]*?environment:\n([^]*?)\n {4}\w/.exec(compose)?.[1] ?? ''
const pairs = [...told.matchAll(/^ {6}(\w+): (.*)$/gm)].map(([, name, value]) => [name, value])

const asked = new Map([
  ['SITE_NAME', 'packs.example.org'],
  ['POOLS_NAME', 'pools.example.org'],
  ['DATABASE_PASSWORD', 'c0ffee'],
  ['PLATFORM_CLIENT_ID', '7'],
  ['PLATFORM_CLIENT_SECRET', 'hush'],
])
const fill = (text: string): string =>
  text.replaceAll(/\$\{(\w+)(?::\?[^}]*)?\}/g, (_, name: string) => asked.get(name) ?? '')

test('compose.yaml asks for what deploy/example.env lists, and for nothing else', () => {
  const names = [...compose.matchAll(/\$\{(\w+)/g)].map(([, name]) => name)
  const listed = [...example.matchAll(/^(\w+)=/gm)].map(([, name]) => name)
  expect(new Set(names)).toEqual(new Set(listed))
  expect(new Set(names)).toEqual(new Set(asked.keys()))
})

test('what compose.yaml tells the server is a configuration that it takes', () => {
  const env = Object.fromEntries(pairs.map(([name = '', value = '']) => [name, fill(value)]))
  const config = loadConfig(env)
  expect(config.publicUrls).toEqual({
    packs: 'https://packs.example.org',
    pools: 'https://pools.example.org',
    site: 'https://packs.example.org',
  })
  expect(config.databaseUrl).toBe('postgres://mapcrate:c0ffee@database/mapcrate')
  expect(config.platform).toMatchObject({ clientId: '7', clientSecret: 'hush' })
})

test.each([
  ['docs/deploy.md', guide],
  ['deploy/mapcrate.service', unit],
  ['Dockerfile', image],
])('%s names settings that there are', (_, text) => {
  const lines = [...text.matchAll(/^(?:Environment=|ENV )?((?:[A-Z_]{4,}=\S+ ?)+)$/gm)]
  const names = lines.flatMap(([, line = '']) => line.split(' ').map((pair) => pair.split('=')[0]))
  const others = new Set(['NODE_ENV', ''])
  for (const name of names) {
    if (!others.has(name ?? '')) expect(Object.keys(variables)).toContain(name)
  }
})

test('the container has no more rights than it needs', () => {
  for (const line of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) {
    expect(compose).toContain(line)
  }
})
