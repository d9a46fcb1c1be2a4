import { parentPort, workerData } from 'node:worker_threads'
import type { PageData } from '../../contract/page-data.ts'
import type { OperatorState } from '../../ports/store.ts'
import { type PageHead, pageHtml } from '../pages/html.ts'
import { EARLY_SCRIPT, type PageBuild, type PageRenderer } from '../page-files.ts'
import { type PackedPage, packPage } from '../pages/page-bytes.ts'

/** What a thread that makes pages has from the start, by language. */
export type PageParts = ReadonlyMap<string, BuildParts>

type BuildParts = Omit<PageBuild, 'render'> & {
  /** The address of the built renderer. */
  readonly renderer: string
}

/** A page to be made. */
export type PageJob = {
  readonly head: PageHead
  readonly data: PageData
  readonly operator: OperatorState
  /** Those that the same page is in. */
  readonly languages: readonly string[]
  /** Whether the address names the language. */
  readonly isAsked: boolean
}

/** `job` is a `PageJob` as JSON: that takes a fifth of what copying its objects does. */
export type PageOrder = { readonly id: number; readonly job: string }

/** null: it is to be made where it is sent from, with whatever there is to say of it. */
export type PageResult = {
  readonly id: number
  readonly made: PackedPage | null
  readonly cpuMs: number
}

if (parentPort !== null) await start(workerData as PageParts, parentPort)

async function start(parts: PageParts, port: NonNullable<typeof parentPort>): Promise<void> {
  /** Each takes memory: those of languages that are not read are never loaded. */
  const renderers = new Map<string, PageRenderer>()
  const load = async (language: string): Promise<void> => {
    const { renderer } = parts.get(language) ?? parts.get('en')!
    const { renderPage } = (await import(renderer)) as { renderPage: PageRenderer }
    renderers.set(language, renderPage)
  }
  await load('en')
  let before = process.threadCpuUsage()
  port.on('message', async ({ id, job: text }: PageOrder) => {
    const job = JSON.parse(text) as PageJob
    const { language } = job.data
    if (!renderers.has(language)) await load(language)
    const made = make(parts.get(language) ?? parts.get('en')!, renderers.get(language)!, job)
    // Since the page before: the clock of a thread may tick only every few ms.
    const { user, system } = process.threadCpuUsage(before)
    before = process.threadCpuUsage()
    const result: PageResult = { id, made, cpuMs: (user + system) / 1_000 }
    port.postMessage(result, made === null ? [] : [made.front.bytes.buffer as ArrayBuffer])
  })
  const isReady: PageResult = { id: 0, made: null, cpuMs: 0 }
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(isReady)
}

function make({ entries, inlined }: BuildParts, render: PageRenderer, job: PageJob) {
  const files = entries?.get(job.data.page)
  const body = bodyOf(render, job.data)
  if (files === undefined || body === null) return null
  const earlyScript = entries?.get(EARLY_SCRIPT)?.script ?? undefined
  const text = pageHtml({ ...job, files, earlyScript, inlined: inlined.get(job.data.page), body })
  return packPage(text)
}

function bodyOf(render: PageRenderer, data: PageData): string | null {
  try {
    return render(data)
  } catch {
    return null
  }
}
