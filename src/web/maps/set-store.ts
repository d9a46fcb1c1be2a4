/** Sets that this browser keeps, on its disk. */
export type SetStore = {
  /** In bytes; null where it is not kept. */
  sizeOf(id: number): Promise<number | null>
  /** Keeps all of it, or nothing where it fails or is aborted. */
  put(
    id: number,
    bytes: ReadableStream<Uint8Array<ArrayBuffer>>,
    signal: AbortSignal,
  ): Promise<void>
  read(id: number): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | null>
  remove(id: number): Promise<void>
}

const NAME = 'sets'
/** A download that was not taken up again within a week is not wanted any more. */
const FORGOTTEN_MS = 7 * 86_400_000
const KEPT_AT = 'x-kept-at'
const SIZE = 'x-size'

const addressOf = (id: number): string => `/kept-sets/${id}`

/** The store in the cache of the browser, whose entries are files: they take no memory. */
export async function openSetStore(now: number): Promise<SetStore> {
  const cache = await caches.open(NAME)
  for (const request of await cache.keys()) {
    const kept = await cache.match(request)
    if (now - Number(kept?.headers.get(KEPT_AT)) > FORGOTTEN_MS) await cache.delete(request)
  }

  return {
    async sizeOf(id) {
      const size = await cache.match(`${addressOf(id)}/size`)
      return size === undefined ? null : Number(size.headers.get(SIZE))
    },

    async put(id, bytes, signal) {
      let size = 0
      const counted = bytes.pipeThrough(
        new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
          transform(chunk, controller) {
            size += chunk.length
            controller.enqueue(chunk)
          },
        }),
      )
      const headers = { [KEPT_AT]: String(now) }
      await cache.put(addressOf(id), new Response(counted, { headers }))
      signal.throwIfAborted()
      // Last: what has no size was cut short.
      const sized = new Response(null, { headers: { ...headers, [SIZE]: String(size) } })
      await cache.put(`${addressOf(id)}/size`, sized)
    },

    async read(id) {
      return (await cache.match(addressOf(id)))?.body ?? null
    },

    async remove(id) {
      await cache.delete(`${addressOf(id)}/size`)
      await cache.delete(addressOf(id))
    },
  }
}
