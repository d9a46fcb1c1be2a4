import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStandin } from '../../src/standin/create-standin.ts'
import type { Ask } from '../../src/web/maps/mirror.ts'
import { SetDownloads } from '../../src/web/maps/set-downloads.ts'
import { createMemoryStore, type SetStore } from '../../src/web/maps/set-store.ts'
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
const report = async (): Promise<{ asked: number; served: Record<string, number> }> =>
  (await fetch(`${url}/standin/mirror`)).json()
const served = async () => (await report()).served

/** As that of a browser, in memory. */
const memoryStore = (room = Infinity): SetStore & { readonly kept: Map<number, Blob> } => {
  const kept = new Map<number, Blob>()
  return {
    ...createMemoryStore(),
    kept,
    read: async (id) => kept.get(id) ?? null,
    async put(id, set) {
      if (kept.size >= room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(id, set)
    },
    remove: async (id) => void kept.delete(id),
  }
}

/** What pages do by XMLHttpRequest. */
const askBy =
  (fetched: typeof fetch): Ask =>
  async (address, signal, onProgress) => {
    const { status, headers, body } = await fetched(address, { signal })
    const total = Number(headers.get('content-length')) || null
    const chunks: Uint8Array<ArrayBuffer>[] = []
    let received = 0
    for await (const chunk of body ?? []) {
      chunks.push(chunk)
      onProgress((received += chunk.length), total)
    }
    return { status, retryAfter: headers.get('retry-after'), body: new Blob(chunks) }
  }

const mirror = () => `${url}/mirror/d/{set}`
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => at + 1)
const noPause = async (): Promise<void> => {}

type More = Partial<ConstructorParameters<typeof SetDownloads>[0]>

const downloadsOf = async (count: number, store: SetStore, more: More = {}) => {
  const downloads = new SetDownloads({
    mirrors: [mirror()],
    store,
    ask: askBy(fetch),
    sleep: noPause,
    isOnline: () => true,
    onChange: () => {},
    ...more,
  })
  await downloads.want(idsOf(count))
  return downloads
}

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
    const downloads = await downloadsOf(10, store, { ask: askBy(counted) })
    await downloads.start()
    expect([downloads.phase, store.kept.size, most]).toEqual(['done', 10, 3])
    expect(Object.values(await served())).toEqual(Array(10).fill(1))
  })

  it('come from a mirror that fails in every way, each whole and served whole once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 0.5, noNaN: true }),
        async (count, failing) => {
          await fetch(`${url}/standin/mirror`, { method: 'DELETE' })
          await behave({ failing, size: 3_000 })
          const store = memoryStore()
          const downloads = await downloadsOf(count, store)
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
    const downloads = await downloadsOf(3, store)
    await downloads.start()
    expect([...store.kept.keys()]).toEqual([1])
    expect(downloads.stateOf(2)).toEqual({ state: 'failed', reason: 'lacking' })
    expect(downloads.stateOf(3)).toEqual({ state: 'failed', reason: 'unreachable' })
  })

  it('are tried at each mirror in turn', async () => {
    const asked: string[] = []
    const noted: typeof fetch = async (...args) => {
      asked.push(new Request(...args).url)
      return fetch(...args)
    }
    const mirrors = [`${url}/neither/{set}`, mirror()]
    const downloads = await downloadsOf(1, memoryStore(), { mirrors, ask: askBy(noted) })
    await downloads.start()
    expect(asked).toEqual([`${url}/neither/1`, `${url}/mirror/d/1`])
    expect(downloads.stateOf(1).state).toBe('kept')
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
            let downloads: SetDownloads | null = null
            downloads = await downloadsOf(8, store, {
              onChange: () => void (++changes === cut && downloads?.pause()),
            })
            await downloads.start()
            for (const id of store.kept.keys())
              keptAt.set(id, keptAt.get(id) ?? (await served())[id]!)
          }
          await (await downloadsOf(8, store)).start()
          expect(store.kept.size).toBe(8)
          const times = await served()
          for (const [id, count] of keptAt) expect(times[id], `set ${id}`).toBe(count)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('are loaded once where two pages load them at the same time', async () => {
    await behave({ delay: 2 })
    const store = memoryStore()
    const pages = [await downloadsOf(9, store), await downloadsOf(9, store)]
    await Promise.all(pages.map((page) => page.start()))
    expect(Object.values(await served())).toEqual(Array(9).fill(1))
    for (const page of pages) {
      for (const id of idsOf(9)) expect(page.stateOf(id).state).toBe('kept')
    }
  })

  it('stop where the storage is full, and go on once there is room', async () => {
    let room = 4
    const store = memoryStore()
    const full: SetStore = {
      ...store,
      async put(id, set) {
        if (store.kept.size < room) return store.put(id, set)
        throw new DOMException('full', 'QuotaExceededError')
      },
    }
    const downloads = await downloadsOf(9, full)
    await downloads.start()
    expect([downloads.phase, store.kept.size]).toEqual(['full', 4])
    room = 9
    await downloads.start()
    expect([downloads.phase, store.kept.size]).toEqual(['done', 9])
  })

  it('are loaded once where the browser cannot write them, and no mirror is blamed', async () => {
    const store = memoryStore()
    const broken: SetStore = {
      ...store,
      async put(id, set) {
        if (id % 2 === 1) throw new DOMException('gone', 'InvalidStateError')
        await store.put(id, set)
      },
    }
    const downloads = await downloadsOf(60, broken)
    await downloads.start()
    expect([downloads.phase, store.kept.size]).toEqual(['done', 30])
    expect(downloads.stateOf(1)).toEqual({ state: 'failed', reason: 'unkept' })
    expect(Object.values(await served())).toEqual(Array(60).fill(1))
  })

  it('that cannot be removed are still shown after cancel, and the others are gone', async () => {
    const store = memoryStore()
    const stuck: SetStore = {
      ...store,
      async remove(id) {
        if (id === 2) throw new DOMException('gone', 'InvalidStateError')
        await store.remove(id)
      },
    }
    const downloads = await downloadsOf(3, stuck)
    await downloads.start()
    await downloads.cancel()
    expect(idsOf(3).map((id) => downloads.stateOf(id).state)).toEqual([
      'waiting',
      'kept',
      'waiting',
    ])
    expect(downloads.phase).toBe('idle')
  })

  it('are forgotten on cancel', async () => {
    const store = memoryStore()
    const downloads = await downloadsOf(3, store)
    await downloads.start()
    await downloads.cancel()
    expect([downloads.phase, store.kept.size]).toEqual(['idle', 0])
  })

  it('are looked for again where the browser has removed them meanwhile', async () => {
    const store = memoryStore()
    const downloads = await downloadsOf(3, store)
    await downloads.start()
    store.kept.delete(2)
    await downloads.refresh()
    expect([downloads.phase, downloads.stateOf(2).state]).toEqual(['idle', 'waiting'])
    await downloads.start()
    expect(store.kept.size).toBe(3)
  })

  it('that are added while others load, or after that, are loaded, too', async () => {
    const store = memoryStore()
    const downloads = await downloadsOf(2, store)
    const ended = downloads.start()
    await downloads.want(idsOf(6))
    await ended
    expect([downloads.phase, store.kept.size]).toEqual(['done', 6])
    await downloads.want([9, ...idsOf(6)])
    expect(downloads.phase).toBe('idle')
    await downloads.start()
    expect([downloads.phase, store.kept.size]).toEqual(['done', 7])
  })

  it('are one archive that other programs read, in the order of the pool', async () => {
    const store = memoryStore()
    await (await downloadsOf(12, store)).start()
    const named = idsOf(12).map((id) => ({ id, name: `${String(id).padStart(2, '0')} é.osz` }))
    const files = readZip(Buffer.from(await (await zipOf(named, store)).arrayBuffer()))
    expect(files.map(({ name }) => name)).toEqual(named.map(({ name }) => name))
    for (const [at, { content }] of files.entries()) {
      const set = await store.kept.get(named[at]!.id)!.arrayBuffer()
      expect(content.equals(Buffer.from(set))).toBe(true)
    }
  })

  it('are one archive where the browser cannot read files into memory of the page, too', async () => {
    class PlainBlob extends Blob {
      override stream() {
        const bytes = super.bytes()
        return new ReadableStream({
          async start(controller) {
            controller.enqueue(await bytes)
            controller.close()
          },
        })
      }
    }
    const content = Buffer.alloc(300_000, 'set')
    const read = async () => new PlainBlob([content])
    const archive = await zipOf([{ id: 1, name: '1.osz' }], { read })
    const [file] = readZip(Buffer.from(await archive.arrayBuffer()))
    expect(file!.content.equals(content)).toBe(true)
  })

  it('are no archive where one is not kept any more', async () => {
    await expect(zipOf([{ id: 1, name: '1.osz' }], memoryStore())).rejects.toThrow('removed')
  })
})

describe('a mirror', () => {
  it('that asks for time is left alone for so long, by all', async () => {
    const pauses: number[] = []
    let [isBusy, askedMeanwhile] = [false, 0]
    const scripted: typeof fetch = async (...args) => {
      if (isBusy) askedMeanwhile += 1
      return fetch(...args)
    }
    await behave({ busy: 120 })
    const store = memoryStore()
    const downloads = await downloadsOf(6, store, {
      ask: askBy(scripted),
      async sleep(ms) {
        pauses.push(ms)
        if (ms < 120_000) return
        isBusy = true
        await behave({})
        isBusy = false
      },
    })
    await downloads.start()
    expect(store.kept.size).toBe(6)
    expect(Math.max(...pauses)).toBe(120_000)
    expect(askedMeanwhile).toBe(0)
  })

  it('that asks for different times at once is left alone for the longest of them', async () => {
    const secondsOf = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(secondsOf, fc.array(fc.nat({ max: 2 })), async (seconds, order) => {
        let [now, until] = [0, 0]
        const early: string[] = []
        const sleeps: { readonly at: number; readonly end: () => void }[] = []
        const waits = [...seconds]
        const scripted: Ask = async (address) => {
          if (now < until) early.push(`${address} at ${now}, before ${until}`)
          for (let turn = order.pop() ?? 0; turn >= 0; turn--) await setImmediate()
          const wait = waits.pop()
          if (wait === undefined) return { status: 404, retryAfter: null, body: new Blob() }
          until = Math.max(until, now + wait)
          return { status: 429, retryAfter: String(wait), body: new Blob() }
        }
        const downloads = await downloadsOf(3, memoryStore(), {
          ask: scripted,
          sleep: (ms) => new Promise((end) => void sleeps.push({ at: now + ms / 1_000, end })),
        })
        const ended = downloads.start()
        while (downloads.phase === 'loading') {
          for (let turn = 0; turn < 8; turn++) await setImmediate()
          const next = sleeps.toSorted((a, b) => a.at - b.at)[0]
          if (next === undefined) continue
          sleeps.splice(sleeps.indexOf(next), 1)
          now = Math.max(now, next.at)
          next.end()
        }
        await ended
        expect(early).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  it('that asks for more time than anybody waits is not asked again', async () => {
    await behave({ busy: 3_600 })
    const downloads = await downloadsOf(20, memoryStore())
    await downloads.start()
    for (const id of idsOf(20))
      expect(downloads.stateOf(id)).toEqual({ state: 'failed', reason: 'unreachable' })
    expect((await report()).asked).toBeLessThanOrEqual(3)
  })

  it.each([
    ['answers nothing that pages may read', async () => Promise.reject(new TypeError('CORS'))],
    ['answers pages in place of sets', async () => new Response('<h1>Checking</h1>')],
  ])(
    'that %s is given up after the first sets, and the others are not asked of it',
    async (_how, answer) => {
      let asked = 0
      const closed: typeof fetch = (...args) => {
        if (!new Request(...args).url.includes('closed')) return fetch(...args)
        asked += 1
        return answer()
      }
      const mirrors = [`${url}/closed/{set}`]
      const downloads = await downloadsOf(64, memoryStore(), { mirrors, ask: askBy(closed) })
      await downloads.start()
      expect(downloads.phase).toBe('done')
      expect(downloads.stateOf(64)).toEqual({ state: 'failed', reason: 'unreachable' })
      expect(asked).toBeLessThanOrEqual(26)
      // The others are still tried where one mirror is out.
      const store = memoryStore()
      const both = await downloadsOf(64, store, {
        mirrors: [...mirrors, mirror()],
        ask: askBy(closed),
      })
      await both.start()
      expect(store.kept.size).toBe(64)
    },
  )

  it.each([401, 403, 418])('that answers %s is not said to lack the set', async (status) => {
    const refused: typeof fetch = async () => new Response('no', { status })
    const downloads = await downloadsOf(1, memoryStore(), { ask: askBy(refused) })
    await downloads.start()
    expect(downloads.stateOf(1)).toEqual({ state: 'failed', reason: 'unreachable' })
  })

  it('that sends more than it has announced shows no share of it', async () => {
    const totals = new Set<number | null>()
    const packed: typeof fetch = async (...args) => {
      const { body } = await fetch(...args)
      return new Response(body, { headers: { 'content-length': '10' } })
    }
    let downloads: SetDownloads | null = null
    downloads = await downloadsOf(1, memoryStore(), {
      ask: askBy(packed),
      onChange() {
        const state = downloads?.stateOf(1)
        if (state?.state === 'loading') totals.add(state.total)
      },
    })
    await downloads.start()
    expect([...totals]).toEqual([null])
  })

  it('that sends nothing for half a minute is asked again, and one that sends slowly is waited for', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const store = memoryStore()
      let silent = 0
      const slow: Ask = async (address, signal, onProgress) => {
        const [once, ended] = [Promise.withResolvers<never>(), { status: 200, retryAfter: null }]
        signal.addEventListener('abort', () => once.reject(new Error('aborted')))
        if (address.endsWith('/1')) {
          silent += 1
          return once.promise
        }
        for (let part = 1; part <= 4; part++) {
          await Promise.race([once.promise, new Promise((resolve) => setTimeout(resolve, 29_000))])
          onProgress(part, null)
        }
        const empty = new Uint8Array([0x50, 0x4b, 3, 4, 0x50, 0x4b, 5, 6, ...Array(18).fill(0)])
        empty[20] = 4
        return { ...ended, body: new Blob([empty]) }
      }
      const downloads = await downloadsOf(2, store, { ask: slow })
      const ended = downloads.start()
      await vi.advanceTimersByTimeAsync(8 * 30_000)
      await ended
      expect(downloads.stateOf(1)).toEqual({ state: 'failed', reason: 'unreachable' })
      expect(silent).toBe(8)
      expect(downloads.stateOf(2).state).toBe('kept')
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not blamed for what fails without a connection', async () => {
    let [isOnline, failures] = [true, 0]
    const cut: typeof fetch = async (...args) => {
      if (isOnline) return fetch(...args)
      failures += 1
      throw new TypeError('offline')
    }
    const store = memoryStore()
    const downloads = await downloadsOf(5, store, {
      ask: askBy(cut),
      isOnline: () => isOnline,
      async sleep() {
        await setImmediate()
        if (failures > 200) isOnline = true
      },
    })
    isOnline = false
    const ended = downloads.start()
    expect(downloads.isOffline).toBe(true)
    await ended
    expect([downloads.isOffline, store.kept.size]).toEqual([false, 5])
  })
})

describe('whatever is pressed, and whatever the mirrors do', () => {
  const whole = new Uint8Array([0x50, 0x4b, 5, 6, ...Array(18).fill(0)])
  const archive = new Uint8Array([0x50, 0x4b, 3, 4, ...whole])
  new DataView(archive.buffer).setUint32(4 + 16, 4, true)

  const answers: Readonly<Record<string, (signal: AbortSignal) => Promise<Response>>> = {
    whole: async () => new Response(archive),
    cut: async () => new Response(archive.slice(0, -3)),
    page: async () => new Response('<h1>No</h1>'),
    lacking: async () => new Response('', { status: 404 }),
    busy: async () => new Response('', { status: 503 }),
    throttled: async () => new Response('', { status: 429, headers: { 'retry-after': '7' } }),
    broken: async () => Promise.reject(new TypeError('network')),
    stuck: (signal) =>
      new Promise((_, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
      }),
  }
  const step = fc.record({
    press: fc.constantFrom(
      'start',
      'start',
      'pause',
      'cancel',
      'want',
      'other start',
      'other pause',
    ),
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
    turns: fc.nat({ max: 12 }),
  })

  it('a set is never loaded while it is kept, never kept in part, and all come in the end', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 10 }),
        fc.array(fc.constantFrom(...Object.keys(answers)), { maxLength: 30 }),
        async (steps, script) => {
          const store = memoryStore()
          const wrong: string[] = []
          let asked = 0
          const scripted: typeof fetch = async (address, init) => {
            const id = Number(new Request(address).url.split('/').at(-1))
            if (store.kept.has(id)) wrong.push(`set ${id} is loaded again`)
            await setImmediate()
            return answers[script[asked++] ?? 'whole']!(init!.signal!)
          }
          const more = {
            ask: askBy(scripted),
            mirrors: ['https://one.example/{set}', 'https://two.example/{set}'],
            sleep: () => setImmediate(),
          }
          const own = await downloadsOf(6, store, more)
          const other = await downloadsOf(6, store, more)
          const running: Promise<unknown>[] = []
          for (const { press, ids, turns } of steps) {
            if (press === 'start') running.push(own.start())
            if (press === 'pause') own.pause()
            if (press === 'want') running.push(own.want(ids))
            if (press === 'other start') running.push(other.start())
            if (press === 'other pause') other.pause()
            if (press === 'cancel') running.push(own.cancel())
            for (let turn = 0; turn < turns; turn++) await setImmediate()
          }
          // A mirror that never answers ends with a pause.
          for (const page of [own, other]) page.pause()
          await Promise.all(running)
          script = []
          await own.want(idsOf(6))
          for (let press = 0; press < 3 && store.kept.size < 6; press++) await own.start()
          expect(wrong).toEqual([])
          expect([...store.kept.keys()].toSorted((a, b) => a - b)).toEqual(idsOf(6))
          for (const set of store.kept.values()) expect(set.size).toBe(archive.length)
          expect(own.phase).toBe('done')
          await own.cancel()
          expect([own.phase, store.kept.size]).toEqual(['idle', 0])
        },
      ),
      { numRuns: 150 },
    )
  })

  it('nothing is left of a cancelled download, and one that begins meanwhile is whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 25 }), fc.boolean(), async (turns, isAgain) => {
        const memory = memoryStore()
        const store: SetStore = {
          ...memory,
          async put(id, set) {
            for (let turn = 0; turn < 3; turn++) await setImmediate()
            return memory.put(id, set)
          },
          async remove(id) {
            await setImmediate()
            return memory.remove(id)
          },
        }
        const ask = askBy(() => answers['whole']!(new AbortController().signal))
        const downloads = await downloadsOf(6, store, { ask })
        const first = downloads.start()
        for (let turn = 0; turn < turns; turn++) await setImmediate()
        const cancelled = downloads.cancel()
        const second = isAgain ? downloads.start() : null
        await Promise.all([first, cancelled, second])
        for (let turn = 0; turn < 20; turn++) await setImmediate()
        const states = idsOf(6).map((id) => downloads.stateOf(id).state)
        const left = isAgain ? idsOf(6) : []
        expect([...memory.kept.keys()].toSorted((a, b) => a - b)).toEqual(left)
        expect(new Set(states)).toEqual(new Set([isAgain ? 'kept' : 'waiting']))
        expect(downloads.phase).toBe(isAgain ? 'done' : 'idle')
      }),
    )
  })
})
