/** Sets that this browser keeps, by their ids. */
export type SetStore = {
  /** Whether they are still there when the page is opened again. */
  readonly isLasting: boolean
  /** A whole set; null where it is not kept. */
  read(id: number): Promise<Blob | null>
  /** Keeps all of it, or nothing. Throws a `QuotaExceededError` where there is no room, and what else stops it. */
  put(id: number, set: Blob): Promise<void>
  /** Does nothing where it is not kept, or is being loaded by another page. */
  remove(id: number): Promise<void>
  /** Runs work while no other work on this set runs, in any page of the site; rejects if aborted before. */
  alone(id: number, signal: AbortSignal, work: () => Promise<void>): Promise<void>
}

const FOLDER = 'sets'
/** A download that was not continued within a week is not wanted any more. */
const FORGOTTEN_MS = 7 * 86_400_000

const nameOf = (id: number): string => `${id}.osz`

let inMemory: SetStore | null = null

/** On the browser's disk; where it does not allow that (plain HTTP, some private windows), in this page alone. */
export async function openSetStore(now: number): Promise<SetStore> {
  try {
    const folder = await openFolder()
    await removeForgotten(folder, now)
    return diskStore()
  } catch {
    inMemory ??= createMemoryStore()
    return inMemory
  }
}

/** Opened each time: the reader may clear the data of the site meanwhile, and the folder with it. */
async function openFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(FOLDER, { create: true })
}

/** Throws where the browser writes no files from a page. */
function diskStore(): SetStore {
  if (!('createWritable' in FileSystemFileHandle.prototype)) throw new Error('cannot be written')
  const write = async (id: number, set: Blob): Promise<void> => {
    const folder = await openFolder()
    await writeFile(await folder.getFileHandle(nameOf(id), { create: true }), set)
  }
  return {
    isLasting: true,

    async read(id) {
      try {
        const folder = await openFolder()
        const file = await (await folder.getFileHandle(nameOf(id))).getFile()
        // Empty while it is written.
        return file.size === 0 ? null : file
      } catch {
        return null
      }
    },

    put: (id, set) =>
      write(id, set).catch((error: unknown) => {
        if (!isOf(error, 'NotFoundError')) throw error
        // Another page has removed it between two of the steps.
        return write(id, set)
      }),

    async remove(id) {
      await removeEntry(await openFolder(), nameOf(id))
    },

    async alone(id, signal, work) {
      await navigator.locks.request(`${FOLDER} ${id}`, { signal }, work)
    },
  }
}

/** Writes all of it, or leaves the file as it was: what is written takes its place at the end. */
export async function writeFile(handle: FileSystemFileHandle, content: Blob): Promise<void> {
  const file = await handle.createWritable()
  try {
    await file.write(content)
    await file.close()
  } catch (error) {
    await file.abort().catch(() => {})
    throw error
  }
}

async function removeForgotten(folder: FileSystemDirectoryHandle, now: number): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (handle.kind !== 'file') continue
    // Another page may have removed it since.
    const file = await handle.getFile().catch(() => null)
    if (file !== null && now - file.lastModified > FORGOTTEN_MS) await removeEntry(folder, name)
  }
}

/** Not there, or being written: both are as good as removed. */
async function removeEntry(folder: FileSystemDirectoryHandle, name: string): Promise<void> {
  await folder.removeEntry(name).catch((error: unknown) => {
    if (!isOf(error, 'NotFoundError', 'NoModificationAllowedError')) throw error
  })
}

const isOf = (error: unknown, ...names: readonly string[]): boolean =>
  error instanceof DOMException && names.includes(error.name)

/** What it keeps takes memory, and ends with the page. */
export function createMemoryStore(): SetStore {
  const sets = new Map<number, Blob>()
  const last = new Map<number, Promise<void>>()
  return {
    isLasting: false,
    read: async (id) => sets.get(id) ?? null,
    put: async (id, set) => void sets.set(id, set),
    remove: async (id) => void sets.delete(id),
    async alone(id, signal, work) {
      const before = last.get(id)
      const { promise, resolve } = Promise.withResolvers<void>()
      last.set(id, promise)
      try {
        await before
        signal.throwIfAborted()
        await work()
      } finally {
        resolve()
        if (last.get(id) === promise) last.delete(id)
      }
    },
  }
}
