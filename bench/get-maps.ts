// What it takes a page to get the maps of a pack: 64 sets of 10 MB from a mirror that fails half of the time, the page closed on
// the way. `node bench/get-maps.ts` after `npm run build`; on Linux, with `unzip`. SETS and MEGABYTES change the numbers.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { countFrom } from '../scripts/arguments.ts'
import type { SitePack } from '../src/contract/packs.ts'
import type { KnownSlot } from '../src/contract/page-data.ts'
import { createStandin } from '../src/standin/create-standin.ts'
import { openProfile } from '../test/support/chromium.ts'
import { openPageTrial } from '../test/support/page-trial.ts'
import { atMost, report } from './report.ts'

const SETS = countFrom('SETS', 64)
const MEGABYTES = countFrom('MEGABYTES', 10)
const WANTED_MB = 300
const SAMPLE_MS = 50

/** A set each; titles with what file systems and scripts have. */
const slots = Array.from({ length: SETS }, (_, at) => ({
  mod: 'NM',
  index: at + 1,
  beatmapId: 101 + at,
}))
const beatmaps = slots.map(({ beatmapId: id }): KnownSlot => {
  const [artist, title] = ['Nine Rivers: 九つの川', `Harbour ${id} "Live" / האור ✨`]
  const names = { artist, title, artistUnicode: artist, titleUnicode: title, mapper: 'arbor' }
  const numbers = { length: 258, bpm: 222, stars: 5, cs: 4, ar: 9, od: 8, hp: 5, combo: 900 }
  const details = { setId: 9_000 + id, difficulty: 'Insane', ruleset: 'base', status: 'ranked' }
  const all = { ...names, ...numbers, ...details } as unknown as KnownSlot['details']
  return { id, mods: [], state: 'known', details: all, stars: 5 } as KnownSlot
})
const time = '2026-11-01T00:00:00.000Z'
const pack = {
  slug: 'harbourcup',
  name: 'Harbour Cup',
  ownerName: 'arbor',
  visibility: 'public',
  isMine: false,
  isPinned: false,
  slots,
  packKey: 'key',
  exports: [],
  createdAt: time,
  updatedAt: time,
  stats: {
    srMin: 5,
    srMax: 5,
    srAvg: 5,
    lenMin: 258,
    lenMax: 258,
    bpmMin: 222,
    bpmMax: 222,
    mods: [],
    modes: ['base'],
    count: SETS,
    complete: true,
    computedAt: time,
  },
} as unknown as SitePack

const standin = createStandin({ clock: () => 0 })
const standinUrl = await standin.listen({ host: '127.0.0.1', port: 0 })
await fetch(`${standinUrl}/standin/mirror`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ size: MEGABYTES * 1_000_000, failing: 0.5 }),
})
const served = async (): Promise<Readonly<Record<string, number>>> =>
  (await (await fetch(`${standinUrl}/standin/mirror`)).json()).served

const trial = await openPageTrial({
  pages: { '/p/harbourcup': 'pack' },
  data: { pack, beatmaps, address: '/p/harbourcup', mirrors: [`${standinUrl}/mirror/d/{set}`] },
  index: () => null,
})
const folder = await mkdtemp(join(tmpdir(), 'mapcrate-maps-'))

/** The programs of a Chromium whose profile is in a folder. */
const processesOf = async (profile: string) => {
  const all = new Map<number, { readonly parent: number; readonly command: string }>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      const command = await readFile(`/proc/${name}/cmdline`, 'utf8')
      const status = await readFile(`/proc/${name}/stat`, 'utf8')
      const parent = Number(status.slice(status.lastIndexOf(')') + 2).split(' ')[1])
      all.set(Number(name), { parent, command })
    } catch {
      // It has ended.
    }
  }
  const isOwn = (pid: number): boolean => {
    const one = all.get(pid)
    return one !== undefined && (one.command.includes(profile) || isOwn(one.parent))
  }
  return [...all].filter(([pid]) => isOwn(pid)).map(([pid, { command }]) => ({ pid, command }))
}

/** In MB: what a program has in memory, and what of it is its own rather than files that others have, too. */
const memoryOf = async (pid: number) => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const of = (name: string): number =>
    (Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0) * 1024) / 1_000_000
  return { all: of('VmRSS'), own: of('RssAnon') }
}

/** Samples the page's program, the one with the most memory of those that render, until it is ended. */
const watch = () => {
  const peak = { all: 0, own: 0, browser: 0 }
  const over = new AbortController()
  const sampling = (async () => {
    while (!over.signal.aborted) {
      let browser = 0
      for (const { pid, command } of await processesOf(folder)) {
        const now = await memoryOf(pid)
        browser += now.own
        if (!command.includes('--type=renderer')) continue
        peak.all = Math.max(peak.all, now.all)
        peak.own = Math.max(peak.own, now.own)
      }
      peak.browser = Math.max(peak.browser, browser)
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS))
    }
  })()
  return async () => {
    over.abort()
    await sampling
    return peak
  }
}

const measured = async (what: string, work: () => Promise<void>): Promise<void> => {
  const end = watch()
  await work()
  const { all, own, browser } = await end()
  const detail = `${own.toFixed(0)} of it its own; ${browser.toFixed(0)} of all programs of the browser`
  atMost(`${what}: page's program, MB at most`, all, WANTED_MB, detail)
}

const open = async (context: BrowserContext, before: string): Promise<Page> => {
  const page = await context.newPage()
  page.setDefaultTimeout(600_000)
  await page.addInitScript(before)
  await page.goto(`${trial.url}/p/harbourcup`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Get the maps' }).click()
  return page
}
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

/** The sets that the browser keeps whole. */
const keptIn = async (page: Page): Promise<string[]> =>
  (await page.evaluate(`(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('sets')
    const kept = []
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === 'file' && (await handle.getFile()).size > 0) kept.push(name.split('.')[0])
    }
    return kept
  })()`)) as string[]

const names = (archive: string): string[] =>
  spawnSync('unzip', ['-Z1', archive], { encoding: 'utf8' }).stdout.trimEnd().split('\n')

const check = (archive: string): void => {
  const { status } = spawnSync('unzip', ['-tqq', archive])
  report('unzip -t', status === 0 ? 'clean' : `ended with ${status}`, 'clean', status === 0)
  const found = names(archive)
  const order = found.map((name) => Number(/ NM(\d+) /.exec(name)?.[1]))
  const isOrdered =
    order.every((at, place) => at === place + 1) && found.toSorted().join() === found.join()
  report(
    'names',
    `${found.length} files`,
    `${SETS}, in pool order`,
    isOrdered && order.length === SETS,
  )
}

const withoutPicker = 'delete window.showSaveFilePicker'
/** Takes the place of the dialog of the browser. */
const withPicker = `window.showSaveFilePicker = async () =>
  (await navigator.storage.getDirectory()).getFileHandle('out.zip', { create: true })`

try {
  const context = await openProfile(folder)
  const first = await open(context, withoutPicker)
  await first.getByRole('button', { name: /^Load/ }).waitFor()
  await measured('nothing loaded', () => first.waitForTimeout(500))
  await measured('loading, up to the cut', async () => {
    await press(first, /^Load/)
    const third = new RegExp(`^Loading: (${Math.ceil(SETS / 3)}|${Math.ceil(SETS / 3) + 1}) of`)
    await first.getByText(third).waitFor()
  })
  await first.close()
  const page = await open(context, withoutPicker)
  await page.getByRole('button', { name: /^Load/ }).waitFor()
  const kept = await keptIn(page)
  const before = await served()
  let presses = 0
  await measured('loading the others', async () => {
    await press(page, /^Load/)
    for (;;) {
      presses += 1
      const end = page.getByText(/^All \d+ sets are here|could not be loaded/)
      await end.waitFor()
      if ((await end.innerText()).startsWith('All')) return
      await press(page, 'Try again')
    }
  })
  const after = await served()
  const twice = kept.filter((id) => after[id] !== before[id])
  atMost('sets fetched twice after a cut', twice.length, 0, `${kept.length} were kept`)
  const extra = Object.values(after).reduce((sum, times) => sum + times, 0) - SETS
  atMost('sets begun again, cut on the way', extra, 3, `${presses} presses to load`)
  const archive = join(folder, 'maps.zip')
  await measured('saving as a download', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      press(page, 'Save as one file'),
    ])
    await download.saveAs(archive)
  })
  check(archive)
  await page.close()
  const other = await open(context, withPicker)
  await measured('saving to a chosen file', async () => {
    await press(other, 'Save as one file')
    await other.getByText(`${SETS} sets saved`).waitFor()
  })
  await context.close()
} finally {
  await trial.close()
  await standin.close()
  await rm(folder, { recursive: true, force: true })
}
