import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { DAY_MS, HOUR_MS } from '../../contract/quotas.ts'
import { BoundedMap, SingleFlight } from '../../domain/loading.ts'
import type { IndexCoding } from '../../operations/search-index.ts'
import type { PageFile, PageFiles } from '../../ports/store.ts'
import type { Clock } from '../../ports/system.ts'
import { type Asset, AssetFile, type AssetStore, fileTypeOf } from './assets.ts'

/** Made-up names cannot make a process list the published files more often than this. */
const LIST_EVERY_MS = 250
/** As the bundler names files: their names change with their content. */
const HASHED_NAME = /^assets\/[A-Za-z0-9_.-]{1,150}-[A-Za-z0-9_-]{4,32}\.[a-z0-9]{1,8}$/

/**
 * The files of this process's build, and those that processes of other versions have published to
 * the store: during an upgrade, a browser may request files of a page that another process has sent.
 */
export function withPublished(own: AssetStore, published: PageFiles): AssetStore {
  const cache = new BoundedMap<string, AssetFile>({ maxEntries: 500 })
  const reads = new SingleFlight<AssetFile | null>()
  let names: ReadonlySet<string> = new Set()
  let nextListAt = 0
  let listing: Promise<void> | null = null

  async function findPublished(path: string, coding: IndexCoding): Promise<Asset | null> {
    const type = fileTypeOf(path)
    if (type === null || !(await isPublished(path))) return null
    const file = cache.get(path) ?? (await reads.run(path, () => read(path, type)))
    return file && file.in(coding)
  }

  async function read(path: string, type: string): Promise<AssetFile | null> {
    const bytes = await published.read(path)
    if (bytes === null) return null
    const file = new AssetFile(type, Buffer.from(bytes))
    cache.set(path, file)
    return file
  }

  /** An unknown name is looked for once more: it may have been published just now. */
  async function isPublished(path: string): Promise<boolean> {
    if (names.has(path)) return true
    await (listing ??= list())
    return names.has(path)
  }

  /** Shared by all requests that come before it starts. */
  async function list(): Promise<void> {
    await pause(Math.max(0, nextListAt - performance.now()))
    listing = null
    nextListAt = performance.now() + LIST_EVERY_MS
    names = new Set(await published.list())
  }

  return {
    ...own,
    find: (path, coding) =>
      own.find(path, coding) ?? (HASHED_NAME.test(path) ? findPublished(path, coding) : null),
  }
}

/**
 * Publishes this version's page files for processes of other versions. Resolves when that is done: no
 * page may be sent before. A failure of the store is only logged.
 */
export async function publishPages(files: readonly PageFile[], store: PageFiles, clock: Clock) {
  async function publish(): Promise<unknown> {
    const now = clock.now()
    // A page that is open in a browser works for 30 days after its version is gone. The bytes are of all
    // versions together; one has a few megabytes.
    const keep = { since: now - 30 * DAY_MS, bytes: 67_108_864 }
    return store.publish(files, now, keep).catch((error: unknown) => error)
  }
  let timer: NodeJS.Timeout | undefined
  const first = files.length === 0 ? undefined : await publish()
  return {
    /** Logs failures, also that of the first time, and publishes again every six hours. */
    logTo(log: Pick<FastifyBaseLogger, 'warn'>): void {
      const message = 'the page files are not published: other versions cannot serve them'
      const report = (err: unknown): void => void (err !== undefined && log.warn({ err }, message))
      report(first)
      if (files.length === 0) return
      timer = setInterval(async () => report(await publish()), 6 * HOUR_MS)
    },
    stop: () => clearInterval(timer),
  }
}
