import { setTimeout as pause } from 'node:timers/promises'
import chromium from '@sparticuz/chromium'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Not the package's own: those are for a function that opens one page, run everything in a single
 * process that dies with its first page, and switch off the very rules that tests rely on.
 */
const args = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none']

/** Unpacking goes wrong when two test files begin it at once; the second then finds it done. */
const ATTEMPTS = 3

/** A real Chromium without a window, out of the package registry. Close it when done. */
export const launchChromium = async (): Promise<Browser> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await playwright.launch({ args, executablePath: await chromium.executablePath() })
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      await pause(500)
    }
  }
}
