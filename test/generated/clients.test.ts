import { execFile } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildOpenapi } from '../../src/contract/openapi/document.ts'
import { type ServiceName, serviceNames } from '../../src/contract/services.ts'
import { openHouse } from '../support/house.ts'
import { programs } from './programs.ts'

// Clients that three generators make of both documents compile, and talk to a server.

const root = fileURLToPath(new URL('../../', import.meta.url))
// Inside the project, so that what is generated finds zod and openapi-fetch.
const folder = `${root}build/generated-clients`
const hook = fileURLToPath(new URL('resolve.mjs', import.meta.url))
const run = promisify(execFile)

const house = await openHouse()
afterAll(async () => {
  await house.close()
  await rm(folder, { recursive: true, force: true })
})

const node = (...args: readonly string[]) =>
  run(process.execPath, ['--no-warnings', '--import', hook, ...args], { cwd: folder })
const ofPackage = (path: string) => `${root}node_modules/${path}`
const urlOf = (service: ServiceName) => `${house.doors[service].url}/api/v1`

/** @param project of `orval.config.ts`. */
const ofOrval = (project: string): readonly string[] => [
  ofPackage('orval/dist/bin/orval.js'),
  '--config',
  './orval.config.ts',
  '--project',
  project,
]

/** By the name of the generator, what it is called with for one document. */
const generators: Readonly<Record<string, (service: ServiceName) => readonly string[]>> = {
  'openapi-typescript': (service) => [
    ofPackage('openapi-typescript/bin/cli.js'),
    `${service}.json`,
    '-o',
    `${service}/schema.ts`,
  ],
  '@hey-api/openapi-ts': (service) => [
    ofPackage('@hey-api/openapi-ts/dist/run.mjs'),
    '-i',
    `${service}.json`,
    '-o',
    `${service}/hey`,
    '-p',
    '@hey-api/typescript',
    '@hey-api/sdk',
    '@hey-api/client-fetch',
    'zod',
  ],
  orval: ofOrval,
}

const orvalConfig = () =>
  Object.fromEntries(
    serviceNames.map((service) => {
      const output = { target: `${service}/api.ts`, client: 'fetch', baseUrl: urlOf(service) }
      return [service, { input: `./${service}.json`, output }]
    }),
  )
const zodConfig = () =>
  Object.fromEntries(
    serviceNames.map((service) => {
      const output = { target: `${service}/zod.ts`, client: 'zod' }
      return [`${service}Zod`, { input: `./${service}.json`, output }]
    }),
  )

const tsconfig = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: 'es2023',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2023', 'dom'],
  },
  include: ['.'],
  exclude: ['orval.config.ts'],
}

beforeAll(async () => {
  await rm(folder, { recursive: true, force: true })
  for (const service of serviceNames) {
    await mkdir(`${folder}/${service}`, { recursive: true })
    const document = buildOpenapi(service, {
      apiUrl: house.doors[service].url,
      siteUrl: 'http://site.test',
      keyPrefix: service,
    })
    await writeFile(`${folder}/${service}.json`, JSON.stringify(document))
  }
  const config = JSON.stringify({ ...orvalConfig(), ...zodConfig() })
  await writeFile(`${folder}/orval.config.ts`, `export default ${config}`)
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(tsconfig))
  for (const [name, text] of Object.entries(programs)) await writeFile(`${folder}/${name}.ts`, text)
  const commands = serviceNames.flatMap((service) => {
    const ofEach = Object.values(generators).map((commandOf) => commandOf(service))
    return [...ofEach, ofOrval(`${service}Zod`)]
  })
  for (const command of commands) await node(...command)
})

it('compiles with the programs that use it, strictly', async () => {
  const compiling = run(process.execPath, [ofPackage('typescript/bin/tsc'), '-p', folder])
  const problems = await compiling.then(
    () => '',
    (error: { readonly stdout: string }) => error.stdout,
  )
  expect(problems).toBe('')
})

describe.each(Object.keys(programs))('a program with the client of %s', (name) => {
  it('makes, reads and changes a pack and a tournament over HTTP', async () => {
    house.clock.nextMinute()
    const [packs, pools] = [await house.host('packs'), await house.host('pools')]
    const args = [urlOf('packs'), urlOf('pools'), packs.key, pools.key]
    const { stdout } = await node(`${folder}/${name}.ts`, ...args)
    const { pack, slug, round } = JSON.parse(stdout)
    expect((await packs.get(`/packs/${pack.slug}`)).json.pack).toMatchObject({
      name: 'Finals',
      visibility: 'unlisted',
    })
    expect((await pools.get(`/tournaments/${slug}/rounds/${round.id}`)).json.round).toEqual(round)
    expect(round.slots).toEqual([{ mod: 'NM', index: 1, beatmapId: 129_891 }])
    expect(round.bestOf).toBe(9)
  })
})
