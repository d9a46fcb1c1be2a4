import { setTimeout as pause } from 'node:timers/promises'
import { BoundedMap } from '../../domain/bounded-map.ts'
import type { IndexCoding } from '../../operations/search-index.ts'
import type { PageFiles } from '../../ports/store.ts'
import {
  type Asset,
  type AssetStore,
  fileTypeOf,
  formOf,
  type HeldFile,
  holdFile,
} from './assets.ts'

/** Least ms between two looks at what there is: made-up names cost no more than that. */
const LOOK_EVERY_MS = 250
/** Files of other versions in memory; the store holds a bounded number of bytes of them. */
const KEPT_FILES = 500
/** As the bundler names files: their names change with their content. */
const HASHED_NAME = /^assets\/[A-Za-z0-9_.-]{1,150}-[A-Za-z0-9_-]{4,32}\.[a-z0-9]{1,8}$/

/**
 * The files of this process's build, and those that processes of other versions have published to
 * the store: during an upgrade a browser asks any process for the files of a page that another one
 * has sent.
 */
export function withPublished(own: AssetStore, published: PageFiles): AssetStore {
  const names = new PublishedNames(() => published.list())
  const held = new BoundedMap<string, Promise<HeldFile | null>>({ maxEntries: KEPT_FILES })

  const read = async (path: string): Promise<HeldFile | null> => {
    const bytes = await published.read(path)
    const fileType = fileTypeOf(path)
    return bytes === null || fileType === null ? null : holdFile(Buffer.from(bytes), fileType)
  }

  const hold = (path: string): Promise<HeldFile | null> => {
    const known = held.get(path)
    if (known !== undefined) return known
    const file = read(path)
    held.set(path, file)
    // What was not there, or could not be read, is looked for again.
    const forget = (): void => void held.delete(path)
    file.then((found) => found ?? forget(), forget)
    return file
  }

  const findOther = async (path: string, coding: IndexCoding): Promise<Asset | null> => {
    if (fileTypeOf(path) === null || !(await names.has(path))) return null
    const file = await hold(path)
    return file && formOf(file, coding)
  }

  return {
    ...own,
    find: (path, coding) =>
      own.find(path, coding) ?? (HASHED_NAME.test(path) ? findOther(path, coding) : null),
  }
}

/** The names of all published files, as they were when they were last asked for. */
class PublishedNames {
  readonly #list: () => Promise<readonly string[]>
  #names: ReadonlySet<string> = new Set()
  #nextLookAt = 0
  #waiting: Promise<void> | null = null

  constructor(list: () => Promise<readonly string[]>) {
    this.#list = list
  }

  /** A name that is not known is looked for once more: it may have been published just now. */
  async has(path: string): Promise<boolean> {
    if (this.#names.has(path)) return true
    this.#waiting ??= this.#look()
    await this.#waiting
    return this.#names.has(path)
  }

  /** All who ask before the look begins share it. */
  async #look(): Promise<void> {
    await pause(Math.max(0, this.#nextLookAt - performance.now()))
    this.#waiting = null
    this.#nextLookAt = performance.now() + LOOK_EVERY_MS
    this.#names = new Set(await this.#list())
  }
}
