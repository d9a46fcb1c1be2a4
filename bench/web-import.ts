// What 1 MB of pasted text costs the reader's device. `node bench/web-import.ts` after `npm run build`.
import type { Page } from 'playwright-core'
import { launchChromium } from '../test/support/chromium.ts'
import { openPageTrial } from '../test/support/page-trial.ts'
import { atMost, median } from './report.ts'

const ROUNDS = 5
const SLOWDOWN = 4
const SIZE = 1_000_000

const upTo = (lines: (at: number) => string, [start, end] = ['', '']): string => {
  const all: string[] = []
  for (let size = start.length + end.length; ;) {
    const line = lines(all.length)
    size += line.length + 1
    if (size > SIZE) return start + all.join('\n') + end
    all.push(line)
  }
}

const rounds = ['Grand Finals', 'Finals', 'Semifinals', 'Quarterfinals', 'Round of 16']
const buckets = ['No Mod', 'Hidden', 'Hard Rock', 'Double Time', 'Free Mod', 'Tiebreaker']

const texts = {
  table: upTo(
    (at) => `Round ${at % 16}\tNM${(at % 9) + 1}\t${100_000 + at}\tNine Rivers - Harbour ${at}`,
    ['Round\tSlot\tBeatmap ID\tTitle\n', ''],
  ),
  list: upTo(
    (at) => `NM${(at % 9) + 1} https://osu.ppy.sh/b/${100_000 + at} Nine Rivers - Harbour`,
  ),
  JSON: upTo(
    (at) =>
      `${at === 0 ? '' : ','}{"pick":"NM${(at % 9) + 1}","beatmapId":${100_000 + at},"title":"Harbour ${at}"}`,
    ['[', ']'],
  ),
  'CSV with quotes': upTo(
    (at) => `"NM${(at % 9) + 1}","${100_000 + at}","Nine Rivers - Harbour ${at}, ""live"""`,
    ['Slot,Beatmap ID,Title\n', ''],
  ),
  'links below headings': upTo((at) =>
    at % 7 === 0
      ? `### ${buckets[(at / 7) % 6]}`
      : `https://osu.ppy.sh/beatmapsets/${at}#osu/${100_000 + at} Nine Rivers - Harbour`,
  ),
  article: upTo((at) => {
    if (at % 26 === 0) return `\n### ${rounds[(at / 26) % 5]} ${at}\n`
    if (at % 5 === 1) return `- ${buckets[Math.floor(at / 5) % 6]}`
    const link = `https://osu.ppy.sh/beatmapsets/${at}#osu/${100_000 + at}`
    return `  ${at % 5}. [Nine Rivers - Harbour ${at} (Ada) \\[Extra\\]](${link})`
  }),
  'lines of a chat': upTo(
    (at) =>
      `[${10 + (at % 12)}:${10 + (at % 49)}] Player${at % 13}: ${at % 5 === 0 ? `NM1 https://osu.ppy.sh/b/${100_000 + at}` : `well played, ${at} of us think that NM${(at % 9) + 1} is next`}`,
  ),
}

/** Milliseconds that the page takes to parse a text as JSON and to split it: what no reader can do without. */
const bare = async (page: Page, text: string): Promise<number> =>
  page.evaluate(`(() => {
    const json = ${JSON.stringify(JSON.stringify(text))}
    const start = performance.now()
    const lines = JSON.parse(json).split('\\n')
    let words = 0
    for (const line of lines) words += line.split(/[\\s,;|:"]+/u).length
    return words > 0 ? performance.now() - start : 0
  })()`)

/** Milliseconds from the paste to the result, and the longest that the page does nothing else meanwhile. */
const paste = async (page: Page, text: string): Promise<{ took: number; longest: number }> => {
  // The page parses this before it is measured.
  await page.evaluate(`void (globalThis.pasted = ${JSON.stringify(text)})`)
  return page.evaluate(`new Promise((done) => setTimeout(() => {
    let longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration)
    }).observe({ type: 'longtask' })
    const field = document.getElementById('edit-paste')
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', pasted)
    const start = performance.now()
    const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true })
    if (field.dispatchEvent(event)) {
      field.value = pasted
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    let [took, last] = [0, start]
    const look = () => {
      const now = performance.now()
      // Layout is no long task for the observer, and keeps all else waiting.
      longest = Math.max(longest, now - last)
      last = now
      if (took === 0 && document.querySelector('.paste-lines tr, #edit-import-pool')) took = now - start
      if (took > 0 && now > start + took + 400) done({ took, longest })
      else setTimeout(look, 5)
    }
    look()
  }))`)
}

const trial = await openPageTrial({ pages: { '/new': 'editor' }, index: () => null })
const browser = await launchChromium()
const medians = new Map<string, number>()
for (const [name, text] of Object.entries(texts)) {
  const runs = []
  const references: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
    await page.goto(`${trial.url}/new`)
    await page.locator('#edit-paste').waitFor()
    const session = await page.context().newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
    references.push(await bare(page, text))
    runs.push(await paste(page, text))
    await page.close()
  }
  const all = runs.map(({ took }) => took)
  const detail = all.map((took) => took.toFixed(0)).join(' ')
  atMost(`1 MB ${name} read, ms at ${SLOWDOWN}× slowdown`, median(all), 1000, detail)
  medians.set(name, median(all))
  const reference = median(references)
  const times = median(all) / reference
  process.stdout.write(
    `      ${times.toFixed(1)} times ${reference.toFixed(0)} ms, which splitting it alone takes\n`,
  )
  const longest = Math.max(...runs.map(({ longest }) => longest))
  atMost(`1 MB ${name}, longest task of the page, ms`, longest, 200, `${ROUNDS} rounds`)
}
const chat = (medians.get('lines of a chat') ?? 0) / (medians.get('table') ?? 1)
atMost('lines of a chat, in times of a table', chat, 1.5, 'whatever else the machine does')
await browser.close()
await trial.close()
// The browser is shared and ends with the process.
process.exit()
