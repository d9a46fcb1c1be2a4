import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { entries } from '../scripts/client-package/entries.ts'
import { programsOf } from '../scripts/conform/guide.ts'
import { createClient } from '../src/client/packs.ts'
import { createPoolsClient } from '../src/client/tournaments.ts'
import { startIndexLoop } from '../src/worker/search-index.ts'
import { withoutQuotas } from './api/spend.ts'
import { newScene, type Scene } from './api/tournament-scene.ts'
import { curl } from './support/curl.ts'
import { type Host, openHouse } from './support/house.ts'
import { aPack } from './support/samples.ts'
import { openSiteHouse } from './support/site-house.ts'

// Everything that docs/api.md and docs/client.md print for a shell or a program runs as it is printed, but for
// the address, slugs and tags in it. The programs of docs/api.md run in api-guide.test.ts, too.
const read = (name: string): string =>
  readFileSync(new URL(`../docs/${name}.md`, import.meta.url), 'utf8')
const blocksIn = (text: string, language: string): string[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, found]) => found === language)
    .map(([, , content = '']) => content)

const house = await openHouse({ withPorts: withoutQuotas })
const site = await openSiteHouse()
const loop = startIndexLoop(
  site.ports,
  { indexCache: site.indexCache, poolsOwnerName: 'Tournament pools' },
  { warn: () => {}, error: () => {} },
)
let folder: string
let host: Host
let slug: string
let etag: string
let scene: Scene

beforeAll(async () => {
  await loop.ready
  folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  await writeFile(join(folder, 'pack.json'), JSON.stringify(aPack({ name: 'Sent by curl' })))
  scene = await newScene(house, { visibility: 'public', year: 2026, rankMin: 1000, rankMax: 9999 })
  await scene.release(null)
  await scene.release()
})
afterAll(async () => {
  await loop.stop()
  await house.close()
  await site.close()
  await rm(folder, { recursive: true, force: true })
})

const newPack = async (): Promise<void> => {
  host = await house.host()
  const made = await host.post(aPack({ visibility: 'public' }))
  slug = made.json.pack.slug
  etag = made.headers.get('etag') ?? ''
}

/** What each command is answered with. */
const answered: readonly (readonly [part: string, wanted: RegExp])[] = [
  ['mapcrate.test/api/v1/me', /^\{"user":\{"id":/],
  ['"Autumn Cup Qualifiers"', /^\{"pack":\{"slug":"[\w-]{10}","name":"Autumn Cup Qualifiers"/],
  ['@pack.json', /^\{"pack":\{"slug":"[\w-]{10}","name":"Sent by curl"/],
  ['/history', /^\{"versions":\[/],
  ['"public": true', /^$/],
  ['If-None-Match', /^HTTP\/1\.1 304 /],
  ['/packs/index.json', /^\{"v":1,"packs":\[/],
  ['pools.mapcrate.test/api/v1/me', /^\{"user":\{"id":/],
  ['/usage', /^\{"uses":\[/],
  ['search=harbour', /^\{"tournaments":\[\{"slug":/],
]
const commands = ['api', 'client']
  .flatMap((name) => blocksIn(read(name), 'sh'))
  .filter((block) => block.startsWith('curl '))

const hasCurl = await promisify(execFile)('curl', ['--version']).then(
  () => true,
  () => false,
)

describe.each(commands)('%s', (command) => {
  const wanted = answered.findLast(([part]) => command.includes(part))?.[1]
  const prepare = async () => {
    await newPack()
    const text = command
      .replaceAll('https://pools.mapcrate.test', house.doors.pools.url)
      // The search index is a file of the site.
      .replaceAll('https://mapcrate.test/packs/', `${site.urls.packs}/packs/`)
      .replaceAll('https://mapcrate.test', host.door.url)
      .replaceAll('q7Jm2_xT0a', slug)
      .replaceAll('"q1mX0aZr9T"', etag)
    const env = { PACKS_KEY: host.key, POOLS_KEY: scene.host.key }
    return { text, env }
  }

  it('is answered as it says', async () => {
    const { text, env } = await prepare()
    expect(await curl(text, env, folder)).toMatch(wanted ?? /a command that has no line here/)
  })

  it.runIf(hasCurl)('is understood by curl itself in the same way', async () => {
    const { text, env } = await prepare()
    const options = { cwd: folder, env: { PATH: process.env['PATH'] ?? '', ...env } }
    const { stdout } = await promisify(execFile)('sh', ['-c', text], options)
    expect(stdout).toMatch(wanted ?? /a command that has no line here/)
  })
})

it('a curl with another option is not understood', async () => {
  await expect(curl('curl --proxy x http://127.0.0.1:1', {}, folder)).rejects.toThrow('--proxy')
})

/** Ends a loop that goes on forever. */
class Enough extends Error {}

const importOf = (path: string): Promise<object> =>
  import(/* @vite-ignore */ fileURLToPath(new URL(`../src/${path}.ts`, import.meta.url)))
const modules = Object.fromEntries(
  await Promise.all(
    Object.entries(entries).map(async ([name, entry]) => {
      const parts = await Promise.all(Object.keys(entry).map((path) => importOf(path)))
      return [name, Object.assign({}, ...parts)] as const
    }),
  ),
)

const moduleOf = (name: string): object => {
  const short = name === '@mapcrate/client' ? 'client' : name.replace('@mapcrate/client/', '')
  return { ...modules['packs'], ...modules[short] }
}

/** A program that waits for changes begins with those after its first answer. */
const releaseOnceHeard = async (): Promise<void> => {
  await delay(500)
  await scene.release()
}

describe('each program of docs/client.md runs as it is printed', () => {
  const programs = programsOf(read('client'))

  it.each(programs.map(({ heading, code }, at) => [`${at + 1} (${heading})`, code] as const))(
    'program %s',
    async (_, code) => {
      await newPack()
      const client = createClient({ baseUrl: host.door.url, key: host.key, pace: false })
      for (const name of ['Second', 'Third']) await client.replacePack(slug, aPack({ name }))
      const pools = createPoolsClient({ baseUrl: scene.host.door.url, key: scene.host.key })
      const { packKey } = await client.getPack(slug)
      const { cursor } = await client.getChanges()
      await client.replacePack(slug, aPack({ name: 'Heard', visibility: 'public' }))
      const printed: unknown[] = []
      const isOfRound = code.includes('pools.')
      const names = {
        client,
        pools,
        id: scene.id,
        slug: isOfRound ? scene.slug : slug,
        input: aPack(),
        inputs: [aPack(), aPack()],
        row: { id: host.gameId },
        key: packKey,
        message: `Look at ${packKey}`,
        text: 'NM1 75\nHD1 76',
        reply: (line: string) => printed.push(line),
        announce: async (kind: string, of: string) => {
          printed.push(kind, of)
          // The program of packs saves its cursor then.
          if (isOfRound) throw new Enough()
        },
        loadCursor: async () => cursor,
        saveCursor: async () => {
          throw new Enough()
        },
        process: { env: { MAPCRATE_KEY: host.key, POOLS_KEY: scene.host.key } },
        console: { log: (...all: unknown[]) => printed.push(...all), warn: () => {} },
        fetch,
        AbortSignal,
        moduleOf,
      }
      const text = code
        .replaceAll('https://pools.mapcrate.test', scene.host.door.url)
        .replaceAll('https://mapcrate.test', host.door.url)
        .replaceAll('q7Jm2_xT0a', slug)
        .replace(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = moduleOf($2)')
      const run = runInNewContext(`(async () => { ${text} })()`, names) as Promise<void>
      if (code.includes('pools.followChanges')) await releaseOnceHeard()
      await run.catch((error: unknown) => {
        if (!(error instanceof Enough)) throw error
      })
      // No pack of this host is as hard as that program wants.
      const prints = /console\.log|announce/.test(code) && !code.includes('stats')
      expect(printed.length > 0).toBe(prints)
    },
  )
})
