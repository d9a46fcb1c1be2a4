// Takes the pictures of the README and of docs/: `npm run pictures`, with names after `--` these alone. It starts the server with its demonstration, as
// `npm start` does, opens its pages in the Chromium of the tests, and runs `mapcrate`.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createCanvas, loadImage } from '@napi-rs/canvas'
import type { Browser, Page } from 'playwright-core'
import { oneOf, readArguments } from './arguments.ts'
import { drawGuide } from './guide-drawings.ts'
import { launchChromium } from '../test/support/chromium.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'docs/pictures')
const run = promisify(execFile)

/** A picture and the page that it shows; the address holds for any such server. */
type Picture = {
  readonly name: string
  readonly site: 'packs' | 'pools'
  /** `{pack}` and `{tournament}`: the newest one of the demonstration. */
  readonly path: string
  readonly isPhone?: true
  readonly isSignedIn?: true
  readonly prepare?: (page: Page) => Promise<void>
  /** What of the page is in it; left out: what the window shows. */
  readonly part?: string
}

const sheet = [
  'Pick\tLink',
  'NM1\thttps://osu.ppy.sh/b/4344435',
  'HD1\thttps://osu.ppy.sh/b/4344469',
  'HR1\thttps://osu.ppy.sh/b/4344412',
  'DT1\thttps://osu.ppy.sh/b/4344474',
  'TB\thttps://osu.ppy.sh/b/129891',
].join('\n')

const pictures: readonly Picture[] = [
  { name: 'home', site: 'packs', path: '/' },
  { name: 'browse', site: 'packs', path: '/packs' },
  { name: 'pack', site: 'packs', path: '/p/{pack}' },
  { name: 'pack-phone', site: 'packs', path: '/p/{pack}', isPhone: true },
  {
    name: 'editor',
    site: 'packs',
    path: '/new',
    isSignedIn: true,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'Name' }).fill('Semifinals')
      await page.locator('#edit-paste').fill(sheet)
      await page.waitForTimeout(1_500)
    },
  },
  { name: 'tournament', site: 'pools', path: '/t/{tournament}' },
  {
    name: 'get-maps',
    site: 'packs',
    path: '/p/{pack}',
    part: 'dialog',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Get the maps' }).click()
      await page.getByRole('button', { name: /^Load/ }).click()
      await page.getByRole('button', { name: 'Save as one file' }).waitFor()
    },
  },
  {
    name: 'add-collection',
    site: 'packs',
    path: '/p/{pack}',
    part: 'dialog',
    prepare: async (page) => {
      await page.getByRole('button', { name: 'Download collection.db' }).click()
      await page.getByRole('button', { name: 'Choose your collection.db' }).waitFor()
    },
  },
]

const themes = ['light', 'dark'] as const

type Server = {
  readonly process: ChildProcess
  readonly urls: Readonly<Record<Picture['site'], string>>
  readonly key: string
}

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Starts the server on free ports over an empty store, and waits until it is ready. */
async function startServer(dataDir: string): Promise<Server> {
  const words = ['--import', './scripts/compile-cache.mjs', 'src/main/serve.ts']
  const platform = await freePort()
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATA_DIR: dataDir,
    DRAIN_SECONDS: '0',
    PORT: '0',
    POOLS_PORT: '0',
    PLATFORM_PORT: String(platform),
    // The stand-in has a mirror, too.
    DOWNLOAD_MIRRORS: `http://127.0.0.1:${platform}/mirror/d/{set}`,
    LOG_LEVEL: 'error',
  }
  const server = spawn(process.execPath, words, { cwd: root, env, stdio: ['ignore', 'pipe', 2] })
  let said = ''
  await new Promise<void>((resolve, reject) => {
    server.stdout?.on('data', (text: Buffer) => {
      said += text.toString()
      if (/packs_\S{43}/.test(said)) resolve()
    })
    server.on('exit', () => reject(new Error(`the server ended: ${said}`)))
  })
  // As large as sets of the game are.
  await fetch(`http://127.0.0.1:${platform}/standin/mirror`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ size: 8_400_000 }),
  })
  const [packs = '', pools = ''] = [...said.matchAll(/service +(\S+)\/api\/v1$/gm)].map(
    ([, url = '']) => url,
  )
  return { process: server, urls: { packs, pools }, key: /packs_\S{43}/.exec(said)?.[0] ?? '' }
}

/** Waits until the worker has looked at every pack, so that the plots are whole. */
async function waitForStats({ urls, key }: Server): Promise<string> {
  for (let tries = 0; tries < 60; tries += 1) {
    const reply = await fetch(`${urls.packs}/api/v1/packs`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { packs } = (await reply.json()) as {
      readonly packs: readonly {
        readonly slug: string
        readonly stats: { readonly complete: boolean } | null
      }[]
    }
    const isKnown = packs.length > 0 && packs.every(({ stats }) => stats?.complete)
    if (isKnown && (await areFound(urls.packs, packs.length))) return packs[0]!.slug
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  throw new Error('the packs have no stats after a minute')
}

/** Whether the search, which the front page begins with, has all of them. */
async function areFound(url: string, count: number): Promise<boolean> {
  const reply = await fetch(`${url}/session/search`)
  const { packs } = (await reply.json()) as { readonly packs: readonly unknown[] }
  return packs.length === count
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByRole('button', { name: /Demonstration/ }).click()
  await page.waitForURL(`${url}/**`)
}

/** A PNG as WebP, which takes a third. */
async function save(name: string, png: Buffer): Promise<void> {
  const image = await loadImage(png)
  const canvas = createCanvas(image.width, image.height)
  canvas.getContext('2d').drawImage(image, 0, 0)
  await writeFile(join(folder, `${name}.webp`), await canvas.encode('webp', 82))
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Runs `mapcrate` and draws what a terminal shows. */
async function takeTerminal(chromium: Browser, server: Server, slug: string): Promise<void> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    MAPCRATE_URL: server.urls.packs,
    MAPCRATE_KEY: server.key,
    XDG_CONFIG_HOME: tmpdir(),
  }
  const calls = [['me'], ['get', slug], ['export', slug, '--as', 'referee']]
  const parts: string[] = []
  for (const words of calls) {
    const program = join(root, 'src/cli/mapcrate.ts')
    const { stdout } = await run(process.execPath, [program, ...words], { env, cwd: root })
    const shown = stdout.trimEnd().split('\n').slice(0, 16).join('\n')
    parts.push(`<b>$ mapcrate ${escape(words.join(' '))}</b>\n${escape(shown)}`)
  }
  for (const theme of themes) {
    const [ink, ground] = theme === 'dark' ? ['#e5e9f0', '#12151c'] : ['#1f2430', '#f6f7f9']
    const page = await chromium.newPage({ viewport: { width: 1000, height: 200 } })
    await page.setContent(
      `<body style="margin:0;background:${ground};color:${ink}"><pre style="margin:0;padding:24px;font:15px/1.5 monospace">${parts.join('\n\n')}</pre>`,
    )
    await save(`terminal-${theme}`, await page.screenshot({ fullPage: true }))
    await page.close()
  }
}

async function takePictures(server: Server): Promise<void> {
  const chromium = await launchChromium()
  const pack = await waitForStats(server)
  const front = await (await fetch(`${server.urls.pools}/sitemap.xml`)).text()
  const tournament = /\/t\/([\w-]+)/.exec(front)?.[1] ?? ''
  const shown: Record<string, { readonly path: string; readonly title: string }> = JSON.parse(
    await readFile(join(folder, 'shown.json'), 'utf8'),
  )
  for (const { name, site, path, isPhone, isSignedIn, prepare, part } of pictures.filter(
    isWanted,
  )) {
    for (const colorScheme of themes) {
      const url = server.urls[site]
      const whole = isPhone ? { width: 390, height: 844 } : { width: 1440, height: 900 }
      const viewport = part === undefined ? whole : { width: 960, height: 600 }
      const page = await chromium.newPage({ viewport, colorScheme, locale: 'en-GB' })
      if (isSignedIn) await signIn(page, url)
      await page.goto(url + path.replace('{pack}', pack).replace('{tournament}', tournament))
      await page.locator('html[data-ready]').waitFor({ state: 'attached' })
      await prepare?.(page)
      await page.waitForLoadState('networkidle')
      const shot = part === undefined ? page.screenshot() : page.locator(part).last().screenshot()
      await save(`${name}-${colorScheme}`, await shot)
      shown[name] = { path: `${site} ${path}`, title: await page.title() }
      await page.close()
    }
    process.stdout.write(`${name}\n`)
  }
  if (isWanted({ name: 'terminal' })) await takeTerminal(chromium, server, pack)
  await writeFile(join(folder, 'shown.json'), `${JSON.stringify(shown, null, 2)}\n`)
}

const named = readArguments('npm run pictures -- [NAME…]', {}, ({ positionals }) => {
  const names = [...pictures.map(({ name }) => name), 'terminal']
  return new Set(positionals.map((name) => oneOf('NAME', name, names)))
})

function isWanted({ name }: Pick<Picture, 'name'>): boolean {
  return named.size === 0 || named.has(name)
}

for (const [name, svg] of drawGuide()) await writeFile(join(folder, name), svg)
const dataDir = await mkdtemp(join(tmpdir(), 'mapcrate-pictures-'))
await mkdir(folder, { recursive: true })
const server = await startServer(dataDir)
try {
  await takePictures(server)
} finally {
  server.process.kill('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
}
process.exit()
