import { setTimeout as pause } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import { type Browser, type BrowserContext, chromium as playwright } from 'playwright-core'

/**
 * Not the package's own: those are for a function that opens one page, run everything in a single
 * process that dies with its first page, and switch off the very rules that tests rely on.
 */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

/** Unpacking goes wrong when two test files begin it at once; the second then finds it done. */
const ATTEMPTS = 3

let running: Promise<Browser> | null = null

/**
 * A real Chromium without a window, out of the package registry. The test files that a worker runs share
 * one, which ends with the worker: closing it closes the contexts that were opened by this call.
 */
export const launchChromium = async (): Promise<Browser> => {
  if (running !== null && !(await running).isConnected()) running = null
  running ??= launch()
  const browser = await running
  const opened: BrowserContext[] = []
  const own: Partial<Browser> = {
    async newContext(options) {
      const context = await browser.newContext(options)
      opened.push(context)
      return context
    },
    async newPage(options) {
      const page = await browser.newPage(options)
      opened.push(page.context())
      return page
    },
    async close() {
      await Promise.all(opened.map((context) => context.close()))
    },
  }
  return new Proxy(browser, {
    get: (_, name) => Reflect.get(name in own ? own : browser, name) as unknown,
  })
}

const launch = async (): Promise<Browser> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await playwright.launch({ args, executablePath: await chromium.executablePath() })
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await pause(500)
    }
  }
}
