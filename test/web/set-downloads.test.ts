import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createStandin } from '../../src/standin/create-standin.ts'
import { SetDownloads } from '../../src/web/maps/set-downloads.ts'
import type { SetStore } from '../../src/web/maps/set-store.ts'
import { zipOf } from '../../src/web/maps/zip-sets.ts'
import { readZip } from '../support/read-zip.ts'

const standin = createStandin({ clock: () => 0 })
let url: string
beforeAll(async () => {
  url = await standin.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => standin.close())
beforeEach(async () => {
  await fetch(`${url}/standin/mirror`, { method: 'DELETE' })
})

const behave = (how: object) =>
  fetch(`${url}/standin/mirror`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(how),
  })
const served = async (): Promise<Readonly<Record<string, number>>> =>
  (await (await fetch(`${url}/standin/mirror`)).json()).served

/** As that of a browser, in memory. */
const memoryStore = (room = Infinity): SetStore & { readonly kept: Map<number, Uint8Array> } => {
  const kept = new Map<number, Uint8Array<ArrayBuffer>>()
  return {
    kept,
    sizeOf: async (id) => kept.get(id)?.length ?? null,
    async put(id, bytes, signal) {
      const whole = new Uint8Array(await new Response(bytes).arrayBuffer())
      signal.throwIfAborted()
      if (kept.size >= room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(id, whole)
    },
    read: async (id) => (kept.has(id) ? new Response(kept.get(id)).body : null),
    remove: async (id) => void kept.delete(id),
  }
}

const mirror = () => `${url}/mirror/d/{set}`
const setsOf = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 }))
const noPause = async (): Promise<void> => {}

const downloadsOf = (count: number, store: SetStore, more: object = {}) =>
  new SetDownloads({
    sets: setsOf(count),
    mirrors: [mirror()],
    store,
    sleep: noPause,
    onChange: () => {},
    ...more,
  })

describe('the sets of a pool', () => {
  it('are each loaded once, three at a time', async () => {
    await behave({ delay: 5 })
    let [running, most] = [0, 0]
    const counted: typeof fetch = async (...args) => {
      running += 1
      most = Math.max(most, running)
      const response = await fetch(...args)
      running -= 1
      return response
    }
    const store = memoryStore()
    const downloads = downloadsOf(10, store, { fetch: counted })
    await downloads.start()
    expect([downloads.phase, store.kept.size, most]).toEqual(['done', 10, 3])
    expect(Object.values(await served())).toEqual(Array(10).fill(1))
  })

  it('come from a mirror that fails in every way, each whole and served whole once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 0.5 }),
        async (count, failing) => {
          await fetch(`${url}/standin/mirror`, { method: 'DELETE' })
          await behave({ failing: Number.isNaN(failing) ? 0 : failing, size: 3_000 })
          const store = memoryStore()
          const downloads = downloadsOf(count, store)
          // What a bad minute leaves out, the next press brings.
          for (let press = 0; press < 5 && store.kept.size < count; press++) await downloads.start()
          expect(store.kept.size).toBe(count)
          expect(Object.values(await served()).every((times) => times === 1)).toBe(true)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('are not kept where they are not whole, nor asked for again where no mirror has them', async () => {
    await behave({ lacking: [2], short: [3] })
    const store = memoryStore()
    const downloads = downloadsOf(3, store)
    await downloads.start()
    expect([...store.kept.keys()]).toEqual([1])
    expect(downloads.stateOf(2)).toEqual({ state: 'failed', reason: 'lacking' })
    expect(downloads.stateOf(3)).toEqual({ state: 'failed', reason: 'unreachable' })
  })

  it('are tried at the host’s own link first, then at each mirror in turn', async () => {
    const asked: string[] = []
    const noted: typeof fetch = async (...args) => {
      asked.push(new Request(...args).url)
      return fetch(...args)
    }
    const sets = [{ id: 7, link: `${url}/nowhere/7.osz` }]
    const mirrors = [`${url}/neither/{set}`, mirror()]
    const downloads = downloadsOf(0, memoryStore(), { sets, mirrors, fetch: noted })
    await downloads.start()
    expect(asked).toEqual([`${url}/nowhere/7.osz`, `${url}/neither/7`, `${url}/mirror/d/7`])
    expect(downloads.stateOf(7).state).toBe('kept')
  })

  it('that are kept are not loaded again after a cut, whenever it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 4 }),
        async (cuts) => {
          await fetch(`${url}/standin/mirror`, { method: 'DELETE' })
          const store = memoryStore()
          const keptAt = new Map<number, number>()
          for (const cut of cuts) {
            // The page is opened anew: nothing but the store is left.
            let changes = 0
            const downloads: SetDownloads = downloadsOf(8, store, {
              onChange: () => void (++changes === cut && downloads.pause()),
            })
            await downloads.open()
            await downloads.start()
            for (const id of store.kept.keys())
              keptAt.set(id, keptAt.get(id) ?? (await served())[id]!)
          }
          const last = downloadsOf(8, store)
          await last.open()
          await last.start()
          expect(store.kept.size).toBe(8)
          const times = await served()
          for (const [id, count] of keptAt) expect(times[id], `set ${id}`).toBe(count)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('stop where the storage is full, and go on once there is room', async () => {
    const store = memoryStore(4)
    const downloads = downloadsOf(9, store)
    await downloads.start()
    expect([downloads.phase, store.kept.size]).toEqual(['full', 4])
  })

  it('are forgotten on cancel', async () => {
    const store = memoryStore()
    const downloads = downloadsOf(3, store)
    await downloads.start()
    await downloads.cancel()
    expect([downloads.phase, store.kept.size]).toEqual(['idle', 0])
  })

  it('are one archive that other programs read, in the order of the pool', async () => {
    const store = memoryStore()
    await downloadsOf(12, store).start()
    const named = setsOf(12).map(({ id }) => ({ id, name: `${String(id).padStart(2, '0')} é.osz` }))
    const files = readZip(Buffer.from(await new Response(zipOf(named, store)).arrayBuffer()))
    expect(files.map(({ name }) => name)).toEqual(named.map(({ name }) => name))
    for (const [at, { content }] of files.entries()) {
      expect(content.equals(store.kept.get(named[at]!.id)!)).toBe(true)
    }
  })
})
