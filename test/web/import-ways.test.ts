import type { Page } from 'playwright-core'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decodeText } from '../../src/formats/file-content.ts'
import { slotLabel } from '../../src/pool/slots.ts'
import { bytesOf, filesOf, readCorpus } from '../formats/corpus-cases.ts'
import { launchChromium } from '../support/chromium.ts'
import { openPageTrial } from '../support/page-trial.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'

// D-90: what a file gives does not depend on the way that it comes. Of every shape of the corpus, files go into
// the box for pasting or through the button for files, and all of them through `mapcrate import`.

/** What becomes of a file: what is left to a person, and what is saved once each question has its first answer. */
type Outcome = {
  /** Whether all of it would be saved without a question. */
  readonly isWhole: boolean
  readonly questions: readonly string[]
  /** The reasons, in order of the alphabet. */
  readonly refused: readonly string[]
  readonly planned: number
  /** Of each pool that has any, its slots. */
  readonly pools: readonly (readonly string[])[]
}

let trial: Awaited<ReturnType<typeof openPageTrial>>
let page: Page
let browser: Awaited<ReturnType<typeof launchChromium>>

beforeAll(async () => {
  trial = await openPageTrial({ pages: { '/new': 'editor' }, index: () => null })
  browser = await launchChromium()
  page = await browser.newPage({ viewport: { width: 1280, height: 860 } })
  await page.goto(`${trial.url}/new`)
  await page.locator('#edit-paste').waitFor()
})
afterAll(async () => {
  await browser.close()
  await trial.close()
})

type Lines = { readonly refused: readonly string[]; readonly planned: number }
/** What the box shows once it has read and looked up, and what can be pressed. */
type Shown = {
  readonly problem: string | null
  readonly questions: readonly string[]
  /** Lines of the chosen pool, and of none. */
  readonly pool: Lines
  readonly other: Lines
  readonly pools: readonly string[]
  readonly isReady: boolean
}

const shown = async (): Promise<Shown> =>
  page.evaluate(`new Promise((done) => {
    const all = (selector, within = document) => [...within.querySelectorAll(selector)]
    const look = () => {
      const problem = document.querySelector('.paste-file.edit-danger')?.textContent ?? null
      const summary = document.querySelector('.paste-summary')?.textContent.trim() ?? ''
      const isOld = document.querySelector('.paste-lines')?.ariaBusy === 'true'
      if (problem === null && (isOld || summary === '' || /Reading …|Looking up/.test(summary))) return setTimeout(look, 5)
      done({
        problem,
        questions: all('.asking').map((each) => [
          each.querySelector('legend').firstChild.textContent,
          ...all('.asking-choices label span', each).map((choice) => choice.lastChild.textContent),
        ].map((text) => text.trim()).join(' | ')),
        ...Object.fromEntries(['pool', 'other'].map((of) => [of, {
          refused: all('#import-' + of + '-lines tr.refused .paste-outcome').map((cell) => cell.textContent),
          planned: all('#import-' + of + '-lines tr.planned').length,
        }])),
        pools: all('#edit-import-pool option').map(({ value }) => value).filter((value) => value !== ''),
        isReady: document.getElementById('import-take').ariaDisabled === 'false',
      })
    }
    look()
  })`)

/** An empty box on a pack without slots. */
const clear = async (): Promise<void> => {
  const close = page.getByRole('button', { name: 'Close the file' })
  const reopen = page.locator('#edit-open-paste')
  if ((await page.locator('.paste-box').count()) === 0) await reopen.click()
  if ((await close.count()) > 0) await close.click()
  await page.locator('#edit-paste').fill('')
  await page.locator('.paste-summary').waitFor({ state: 'detached' })
}

type Source = { readonly name: string; readonly bytes: Uint8Array; readonly isPasted: boolean }
const put = async ({ name, bytes, isPasted }: Source): Promise<void> => {
  await clear()
  if (isPasted) return page.locator('#edit-paste').fill(decodeText(bytes))
  const buffer = Buffer.from(bytes)
  await page
    .locator('.file-button input')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer })
}

const slotsOnPage = async (): Promise<string[]> =>
  page.evaluate(`(() => {
    const labels = [...document.querySelectorAll('.edit-handle')].map((each) => each.getAttribute('aria-label').replace('Move ', ''))
    const ids = [...document.querySelectorAll('.edit-beatmap')].map(({ value }) => value)
    return labels.map((label, at) => label + ' ' + ids[at])
  })()`)

/** Answers each question by its first choice, says that a part is enough, and takes the pool. */
const take = async (): Promise<string[]> => {
  const open = page.locator('.asking[data-is-open]')
  const questions = await open.count()
  for (let left = questions; left > 0; left -= 1) {
    const question = await open.first().elementHandle()
    await open.first().locator('input').first().check({ force: true })
    await page.waitForFunction(
      (each) => !each?.isConnected || !each.hasAttribute('data-is-open'),
      question,
    )
    await shown()
  }
  const part = page.locator('#import-part')
  if ((await part.count()) > 0) await part.click()
  if (!(await shown()).isReady) return []
  await page.locator('#import-take').click()
  await page.locator('.edit-handle').first().waitFor()
  const slots = inOrder(await slotsOnPage())
  await page.keyboard.press('Control+Z')
  await page.locator('.edit-handle').first().waitFor({ state: 'detached' })
  return slots
}

const byPage = async (source: Source): Promise<Outcome> => {
  await put(source)
  const first = await shown()
  if (first.problem !== null) {
    const reason = / could not be read: (.*)\.\s*(?:Try again)?$/.exec(first.problem)?.[1] ?? ''
    return { isWhole: false, questions: [], refused: [reason], planned: 0, pools: [] }
  }
  const others = first.other
  const read: Outcome[] = []
  const keys = first.pools.length > 0 ? first.pools : [null]
  for (const [at, key] of keys.entries()) {
    if (at > 0) await put(source)
    if (key !== null) {
      await shown()
      await page.locator('#edit-import-pool').selectOption(key)
    }
    const { isReady, questions, pool } = await shown()
    const { refused, planned } = pool
    read.push({ isWhole: isReady, questions, refused, planned, pools: [await take()] })
  }
  return {
    isWhole: read.every(({ isWhole }) => isWhole),
    questions: [...new Set(read.flatMap(({ questions }) => questions))].toSorted(),
    refused: [...others.refused, ...read.flatMap(({ refused }) => refused)].toSorted(),
    planned: others.planned + read.reduce((sum, { planned }) => sum + planned, 0),
    pools: read.flatMap(({ pools }) => pools).filter(({ length }) => length > 0),
  }
}

type Slot = { readonly mod: string | null; readonly index: number; readonly beatmapId: number }
type Json = {
  readonly pools: readonly { readonly slots: readonly Slot[] }[]
  readonly refused: readonly { readonly reason: string }[]
  readonly questions: readonly {
    readonly text: string
    readonly choices: readonly { readonly text: string }[]
  }[]
  readonly notes: readonly string[]
}

const byCommand = async (path: string): Promise<Outcome> => {
  const run = async (...more: string[]): Promise<{ code: number | null; json: Json }> => {
    const { code, stdout } = await runMapcrate(['import', path, '--dry-run', '--json', ...more])
    return { code, json: JSON.parse(stdout) as Json }
  }
  const { code, json } = await run()
  const { pools } = json.questions.length === 0 ? json : (await run('--accept', 'all')).json
  const leftOut = json.notes.flatMap((note) => {
    const [, labels, more = '0'] =
      /: ([^:]*?)(?: and ([0-9]+) more)? ha(?:s|ve) no beatmap yet: left out$/.exec(note) ?? []
    return labels === undefined ? [] : [labels.split(', ').length + Number(more)]
  })
  return {
    isWhole: code === 0,
    questions: json.questions
      .map(({ text, choices }) => [text, ...choices.map((each) => each.text)].join(' | '))
      .toSorted(),
    refused: json.refused
      .map(({ reason }) =>
        reason.slice(reason.startsWith('line ') ? reason.lastIndexOf('”: ') + 3 : 0),
      )
      .filter((reason) => reason !== 'there is no beatmap in it')
      .toSorted(),
    planned: leftOut.reduce((sum, count) => sum + count, 0),
    pools: pools.map(({ slots }) =>
      inOrder(
        slots.map(({ mod, index, beatmapId }) => `${slotLabel({ mod, index })} ${beatmapId}`),
      ),
    ),
  }
}

const corpus = fileURLToPath(new URL('../formats/corpus/', import.meta.url))
const isText = (name: string): boolean => !/\.(?:xlsx|ods|osdb)$/.test(name)
/** Other files of text are put into the box by the page. */
const staysFile = (name: string): boolean => /\.(?:xlsx|ods|osdb|json)$/.test(name)
const inOrder = (slots: readonly string[]): string[] => slots.toSorted()

const shapes = readCorpus().map(({ id }, at) => ({ id, at }))

describe.each(shapes)('files of the shape $id', ({ id, at }) => {
  const [first, ...others] = filesOf(id)
  const last = others.at(-1)!
  const chosen = staysFile(last) || at % 4 === 0 ? [first!, last] : [first!]
  it.each(chosen)('%s is on the site what it is on the command line', async (name) => {
    const isPasted = name === first && isText(name)
    const site = await byPage({ name, bytes: bytesOf(id, name), isPasted })
    expect(site).toEqual(await byCommand(`${corpus}${id}/${name}`))
  })
})
