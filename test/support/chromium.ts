import { existsSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as playwright } from 'playwright-core'

/**
 * Not the package's own: those are for a function that opens one page, run everything in a single
 * process that dies with its first page, and switch off the very rules that tests rely on.
 */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

const packageFile = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url)
const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { readonly version: string }
const build = fileURLToPath(new URL('../../build', import.meta.url))
/** Another version of the package brings another Chromium. */
const unpacked = join(build, `chromium-of-${version}`)

/**
 * Of who prefers less motion: what moves for as long as something is waited for is drawn 60 times a second, which takes
 * more of a core than all else that a page does. Tests of motion ask for it.
 */
const calm = { reducedMotion: 'reduce' } as const

let running: Promise<Browser> | null = null

/**
 * A real Chromium without a window, out of the package registry. The test files that a worker runs share
 * one, which ends with the worker: closing it closes the contexts that were opened by this call.
 */
export const launchChromium = async (): Promise<Browser> => {
  let browser = await running
  if (!browser?.isConnected()) {
    running = launch()
    browser = await running.catch((error: unknown) => {
      running = null
      throw error
    })
  }
  const opened: BrowserContext[] = []
  const own: Partial<Browser> = {
    async newContext(options) {
      const context = await browser.newContext({ ...calm, ...options })
      opened.push(context)
      return context
    },
    async newPage(options) {
      const page = await browser.newPage({ ...calm, ...options })
      opened.push(page.context())
      return page
    },
    async close() {
      await Promise.all(opened.map((context) => context.close()))
    },
  }
  return new Proxy(browser, {
    get: (all, name) => Reflect.get(name in own ? own : all, name) as unknown,
  })
}

const launch = async (): Promise<Browser> =>
  playwright.launch({ args, env: await fonts(), executablePath: await unpackedChromium() })

/** A Chromium of its own that keeps what its pages store in a folder, as those of readers do. */
export const openProfile = async (folder: string): Promise<BrowserContext> =>
  playwright.launchPersistentContext(folder, {
    args,
    env: await fonts(),
    executablePath: await unpackedChromium(),
    ...calm,
  })

/** Packages with the East Asian fonts of the pictures. */
const fontPackages = ['fonts-jp', 'fonts-kr', 'fonts-sc']

/**
 * The environment in which it finds fonts for the pages' languages, too: a machine that tests has few, and the box that
 * stands for a character without one is narrower than the character.
 */
async function fonts(): Promise<NodeJS.ProcessEnv> {
  const folder = fileURLToPath(new URL('../../node_modules/@embedpdf', import.meta.url))
  const dirs = fontPackages.map((name) => `<dir>${join(folder, name, 'fonts')}</dir>`)
  const own = `<include ignore_missing="yes">/etc/fonts/fonts.conf</include>\n${dirs.join('\n')}`
  const file = join(build, 'fonts.conf')
  await mkdir(build, { recursive: true })
  const written = `${file}-${process.pid}`
  await writeFile(written, `<fontconfig>\n${own}\n<cachedir>${build}</cachedir>\n</fontconfig>\n`)
  await rename(written, file)
  return { ...process.env, FONTCONFIG_FILE: file }
}

/** Unpacks it once for all runs; workers that begin it at once each unpack their own, and one is kept. */
const unpackedChromium = async (): Promise<string> => {
  const program = join(unpacked, 'chromium')
  if (existsSync(program)) return program
  await mkdir(build, { recursive: true })
  const folder = await mkdtemp(join(build, 'chromium-'))
  const before = process.env['TMPDIR']
  // The package knows no other place than the folder for temporary files.
  process.env['TMPDIR'] = folder
  try {
    await chromium.executablePath()
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
  }
  await rename(folder, unpacked).catch(() => rm(folder, { recursive: true }))
  return program
}
