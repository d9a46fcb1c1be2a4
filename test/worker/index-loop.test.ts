import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import type { Stats } from '../../src/contract/packs.ts'
import { PublishedIndexCache } from '../../src/operations/search-index.ts'
import type { SharedBuild, SharedIndex } from '../../src/ports/search.ts'
import { findIndex } from '../../src/site/search-index.ts'
import { type IndexLoop, startIndexLoop } from '../../src/worker/search-index.ts'
import { eventually, type IndexRig, indexRig } from '../support/index-rig.ts'

const loops: IndexLoop[] = []
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(loops.splice(0).map((loop) => loop.stop()))
})

const start = (rig: IndexRig, shared: SharedIndex | null = null): IndexLoop => {
  const loop = rig.start(null, shared)
  loops.push(loop)
  return loop
}

/** Lets time pass, the clock's too, and what it wakes come to its end. */
const pass = async (rig: IndexRig, ms: number): Promise<void> => {
  rig.clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
  for (let each = 0; each < 5; each++) await new Promise((resolve) => setImmediate(resolve))
}

/** The same, until the store and the index are at one. */
const passUntilShown = async (rig: IndexRig, ms: number): Promise<void> => {
  const version = await rig.store.version()
  await pass(rig, ms)
  await eventually(() => rig.indexCache.current()?.version === version)
}

const expectIn = async ({ indexCache }: IndexRig, slugs: readonly string[]): Promise<void> => {
  const text = Buffer.from((await findIndex(indexCache)).files.identity.bytes).toString()
  expect(slugs.filter((slug) => !text.includes(slug))).toEqual([])
}

describe('the search index', () => {
  it('is there as soon as the loop has read the packs', async () => {
    const rig = indexRig()
    const slug = rig.save()
    expect(rig.indexCache.current()).toBeNull()
    await start(rig).ready
    expect(rig.slugs()).toEqual([slug])
    expect(rig.indexCache.current()).toMatchObject({ packs: 1, builtAt: rig.clock.now() })
    expect(rig.builds).toMatchObject([
      { packs: 1, bytes: rig.indexCache.current()?.files.identity.bytes.length },
    ])
  })

  it('D-38: is there in every coding, the same text in each, with a strong tag of its own', async () => {
    const rig = indexRig()
    for (let each = 0; each < 300; each++) rig.save({ description: 'Best of 13, two bans each.' })
    await start(rig).ready
    const { files } = rig.indexCache.current()!
    const { identity } = files
    const [br, gzip] = [await files.br(), await files.gzip()]
    expect(brotliDecompressSync(br.bytes)).toEqual(identity.bytes)
    expect(gunzipSync(gzip.bytes)).toEqual(identity.bytes)
    expect(br.bytes.length).toBeLessThan(gzip.bytes.length)
    expect(gzip.bytes.length).toBeLessThan(identity.bytes.length / 5)
    const tags = [br, gzip, identity].map(({ etag }) => etag)
    expect(new Set(tags).size).toBe(3)
    // What is before the point is the content, the same in each coding (D-52).
    const [, content = ''] = /^"([\w-]{43})"$/.exec(identity.etag) ?? []
    for (const tag of tags.slice(0, 2)) expect(tag).toMatch(`"${content}.`)
  })

  it('D-39: shows a change at the second look, half a second later', async () => {
    const rig = indexRig()
    const first = rig.save()
    await start(rig).ready
    await pass(rig, 1_000)
    const second = rig.save({ createdAt: rig.clock.now() })
    await pass(rig, 250)
    expect(rig.slugs()).toEqual([first])
    await passUntilShown(rig, 250)
    expect(rig.slugs()).toEqual([second, first])
    rig.store.remove(second)
    await pass(rig, 500)
    await passUntilShown(rig, 250)
    expect(rig.slugs()).toEqual([first])
  })

  it('is built once for a save and the stats that follow it, whenever it looks', async () => {
    const rig = indexRig()
    rig.save()
    await start(rig).ready
    await pass(rig, 1_000)
    for (let phase = 0; phase < 250; phase += 50) {
      const { length } = rig.builds
      await pass(rig, phase)
      const slug = rig.save()
      await pass(rig, 100)
      rig.store.change(slug, { stats: examples.stats as Stats })
      await pass(rig, 400)
      await eventually(() => rig.served().packs.some(({ s, k }) => s === slug && k === true))
      await pass(rig, 2_000)
      expect(rig.builds).toHaveLength(length + 1)
    }
  })

  it('leaves the text of an earlier index as it was, also while the next one is built', async () => {
    const rig = indexRig()
    const slug = rig.save()
    for (let each = 0; each < 300; each++) rig.save()
    await start(rig).ready
    const { identity, br, gzip } = rig.indexCache.current()!.files
    await pass(rig, 500)
    rig.store.change(slug, { name: 'Semifinals' })
    await passUntilShown(rig, 500)
    const text = brotliDecompressSync((await br()).bytes)
    expect(text.toString()).not.toContain('Semifinals')
    expect(identity.bytes).toEqual(text)
    expect(gunzipSync((await gzip()).bytes)).toEqual(text)
  })

  it('reads no pack again that has not changed', async () => {
    const rig = indexRig()
    for (let each = 0; each < 250; each++) rig.save()
    await start(rig).ready
    const { length } = rig.store.portions
    await pass(rig, 1_000)
    const slug = rig.save({ createdAt: rig.clock.now() })
    await passUntilShown(rig, 500)
    expect(rig.slugs()[0]).toBe(slug)
    expect(rig.store.changes.map((each) => each?.changed.map((pack) => pack.slug))).toEqual([
      [slug],
    ])
    expect(rig.store.portions).toHaveLength(length)
  })

  it('D-39: is never behind what was committed before it was asked for', async () => {
    const step = fc.constantFrom('save', 'save', 'ask', 'ask', 'wait a moment', 'wait')
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 20 }), async (steps) => {
        const rig = indexRig()
        rig.save()
        await start(rig).ready
        const saved: string[] = []
        const answers: Promise<void>[] = []
        for (const each of steps) {
          if (each === 'save') saved.push(rig.save())
          else if (each === 'ask') answers.push(expectIn(rig, [...saved]))
          else await pass(rig, each === 'wait' ? 300 : 30)
        }
        for (let more = 0; more < 6; more++) await pass(rig, 100)
        await Promise.all(answers)
      }),
      { numRuns: 60 },
    )
  })

  it('D-39: asked for while packs are saved all the time, it is built for many requests at once', async () => {
    const rig = indexRig()
    rig.save()
    await start(rig).ready
    const answers: Promise<unknown>[] = []
    for (let each = 0; each < 100; each++) {
      rig.save()
      answers.push(findIndex(rig.indexCache))
      await pass(rig, 10)
    }
    for (let more = 0; more < 6; more++) await pass(rig, 100)
    await Promise.all(answers)
    // In a second, at least 100 ms apart.
    expect(rig.builds.length).toBeLessThan(14)
  })

  it('is served at once while nothing has changed, and after two seconds as it is', async () => {
    const rig = indexRig()
    rig.save()
    await start(rig).ready
    expect(rig.indexCache.catchUp(2_000)).toBeUndefined()
    rig.store.error = new Error('the store is away')
    const version = rig.indexCache.current()!.version
    rig.save()
    const asked = findIndex(rig.indexCache)
    for (let each = 0; each < 10; each++) await pass(rig, 200)
    expect((await asked).version).toBe(version)
  })

  it('who waits for a look that never finds it current goes when their time is over', async () => {
    const rig = indexRig()
    rig.save()
    await start(rig).ready
    rig.store.error = new Error('the store is away')
    rig.save()
    const gone: number[] = []
    const times = [400, 100, 300]
    const waiting = times.map((ms) => rig.indexCache.catchUp(ms)!.then(() => gone.push(ms)))
    await pass(rig, 300)
    expect(gone).toEqual([100, 300])
    await pass(rig, 100)
    await Promise.all(waiting)
  })

  it('D-39: a steady stream of changes neither starves it nor makes it build for each', async () => {
    const rig = indexRig()
    let isBuilding = false
    const readChanges = rig.store.readChanges.bind(rig.store)
    rig.store.readChanges = (...since) => {
      isBuilding = true
      return readChanges(...since)
    }
    vi.spyOn(rig.builds, 'push').mockImplementation(() => {
      isBuilding = false
      return 0
    })
    rig.save()
    await start(rig).ready

    const saved: { slug: string; at: number }[] = []
    for (let each = 0; each < 200; each++) {
      saved.push({ slug: rig.save(), at: rig.clock.now() })
      await pass(rig, 50)
      await eventually(() => !isBuilding)
      const shown = new Set(rig.slugs())
      const late = saved.filter(({ at }) => rig.clock.now() - at >= 1_250)
      expect(late.filter(({ slug }) => !shown.has(slug))).toEqual([])
    }
    // In ten seconds, at least 750 ms apart.
    expect(vi.mocked(rig.builds.push).mock.calls.length).toBeLessThan(16)
  })

  it('D-39: a change while it is built is in the next one, which is never older', async () => {
    const rig = indexRig()
    for (let each = 0; each < 150; each++) rig.save()
    const readPortion = rig.store.readPortion.bind(rig.store)
    let missed = ''
    rig.store.readPortion = async (after, limit) => {
      const portion = await readPortion(after, limit)
      if (missed === '') missed = rig.save({ createdAt: rig.clock.now() + 1 })
      return portion
    }
    await start(rig).ready
    expect(rig.slugs()).not.toContain(missed)
    const { version } = rig.indexCache.current()!
    await pass(rig, 500)
    await passUntilShown(rig, 250)
    expect(rig.slugs()[0]).toBe(missed)
    expect(rig.indexCache.current()!.version).not.toBe(version)
  })

  it('is not built again while nothing changes, and says up to when it is right', async () => {
    const rig = indexRig()
    rig.save()
    await start(rig).ready
    const index = rig.indexCache.current()
    for (let each = 0; each < 19; each++) await pass(rig, 250)
    expect(rig.builds).toHaveLength(1)
    expect(rig.indexCache.current()).toBe(index)
    expect(rig.clock.now() - rig.indexCache.freshAt!).toBeLessThanOrEqual(250)
  })

  it('says no more than it shows while the store cannot tell yet what has changed', async () => {
    const rig = indexRig()
    rig.save()
    await start(rig).ready
    await pass(rig, 1_000)
    const { freshAt } = rig.indexCache
    const untold = vi.spyOn(rig.store, 'readChanges')
    untold.mockImplementation(async (since) => ({ version: since, changed: [], gone: [] }))
    const slug = rig.save()
    await pass(rig, 500)
    await eventually(() => untold.mock.calls.length === 1)
    expect(rig.slugs()).not.toContain(slug)
    expect(rig.indexCache.freshAt).toBe(freshAt)
    untold.mockRestore()
    await pass(rig, 500)
    await passUntilShown(rig, 250)
    expect(rig.slugs()).toContain(slug)
    expect(rig.builds).toHaveLength(2)
  })

  it('keeps its bytes and tags when a change does not show in it', async () => {
    const rig = indexRig()
    const slug = rig.save()
    await start(rig).ready
    const before = rig.indexCache.current()!
    rig.store.change(slug, { exports: [{ url: 'magnet:?xt=urn:btih:x', createdAt: 1 }] })
    await pass(rig, 500)
    await passUntilShown(rig, 250)
    expect(rig.indexCache.current()!.files).toBe(before.files)
  })
})

describe('D-38: compression takes the time that there is', () => {
  const QUIET_MS = 5_000
  const filesIn = (rig: IndexRig) => rig.indexCache.current()!.files

  const quietRig = async (packs: number) => {
    const rig = indexRig()
    for (let each = 0; each < packs; each++) rig.save({ name: `Week ${each * 7919}` })
    const loop = start(rig)
    await loop.ready
    const puts = vi.spyOn(rig.indexCache, 'put')
    return { rig, loop, puts }
  }

  it('brotli is made smaller when nothing has changed for 5 seconds: once, the text and its tag stay', async () => {
    const { rig, puts } = await quietRig(300)
    const index = rig.indexCache.current()!
    await pass(rig, QUIET_MS - 1)
    expect(filesIn(rig)).toBe(index.files)
    await pass(rig, 1)
    await eventually(() => filesIn(rig) !== index.files)
    const { identity, gzip } = filesIn(rig)
    const [fast, br] = [await index.files.br(), await filesIn(rig).br()]
    expect(br.bytes.length).toBeLessThan(fast.bytes.length)
    expect(br.etag).not.toBe(fast.etag)
    expect(brotliDecompressSync(br.bytes)).toEqual(identity.bytes)
    expect([identity, gzip]).toEqual([index.files.identity, index.files.gzip])
    expect(rig.indexCache.current()).toMatchObject({ version: index.version, packs: 300 })
    for (let each = 0; each < 80; each++) await pass(rig, 250)
    expect(puts).toHaveBeenCalledTimes(1)
  })

  it('changes that keep coming put it off, but not those that do not show', async () => {
    const { rig, puts } = await quietRig(50)
    await pass(rig, 500)
    for (let change = 1; change <= 5; change++) {
      rig.save({ createdAt: rig.clock.now() })
      await pass(rig, 500)
      await eventually(() => puts.mock.calls.length === change)
      await pass(rig, QUIET_MS - 1_000)
      expect(puts).toHaveBeenCalledTimes(change)
    }
    const { identity, br } = filesIn(rig)
    rig.store.change(rig.slugs()[0]!, { exports: [] })
    await pass(rig, 500)
    await eventually(() => puts.mock.calls.length === 6)
    await pass(rig, 500)
    await eventually(() => filesIn(rig).br !== br)
    expect(filesIn(rig).identity).toBe(identity)
  })

  it('what is compressed when another text comes is given up', async () => {
    const { rig, loop } = await quietRig(2_000)
    const before = rig.indexCache.current()!
    await vi.advanceTimersByTimeAsync(QUIET_MS)
    const file = { bytes: Buffer.from('{}'), etag: '"other"' }
    const files = { identity: file, br: async () => file, gzip: async () => file }
    rig.indexCache.put({ ...before, files })
    await loop.stop()
    expect(filesIn(rig)).toBe(files)
  })

  it('gzip is made once for all who ask, and again only after a failure', async () => {
    const { rig } = await quietRig(300)
    const { gzip, identity } = filesIn(rig)
    vi.spyOn(identity, 'bytes', 'get').mockImplementationOnce(() => {
      throw new Error('Cannot allocate memory')
    })
    await expect(gzip()).rejects.toThrow('Cannot allocate memory')
    const [one, two] = await Promise.all([gzip(), gzip()])
    expect(two).toBe(one)
    await pass(rig, QUIET_MS)
    await eventually(() => rig.indexCache.current()!.files.gzip === gzip)
    expect(await filesIn(rig).gzip()).toBe(one)
  })
})

/** The row and the turn that processes share; publications fail while `isDown`. */
const sharedInMemory = () => {
  let row: SharedBuild | null = null
  const state = { isDown: false, attempts: 0 }
  const shared: SharedIndex = {
    readOther: async (known) => (row !== null && row.version !== known ? row : null),
    takeLease: async () => true,
    publish: async (build) => {
      state.attempts += 1
      if (state.isDown) throw new Error('the database did not answer in time')
      row = build
      return true
    },
  }
  return { shared, state }
}

describe('a publication that fails', () => {
  it('is tried again until the processes that only serve have it too', async () => {
    const rig = indexRig()
    const { shared, state } = sharedInMemory()
    const first = rig.save()
    const web = new PublishedIndexCache()
    const worker = start(rig, shared)
    const server = startIndexLoop(
      { publicIndex: rig.store, sharedIndex: shared, clock: rig.clock },
      { indexCache: web, poolsOwnerName: 'Tournament pools', isWorker: false },
      rig.log,
    )
    loops.push(server)
    await worker.ready
    await pass(rig, 1_000)
    await eventually(() => web.current() !== null)

    state.isDown = true
    const second = rig.save({ createdAt: rig.clock.now() + 1 })
    const { attempts } = state
    await pass(rig, 750)
    await eventually(() => state.attempts > attempts)
    // Neither may show what the other cannot have: an index is never older than one seen before.
    expect(rig.slugs()).toEqual([first])
    expect(rig.said).toHaveLength(1)

    state.isDown = false
    await passUntilShown(rig, 4_000)
    await pass(rig, 1_000)
    await eventually(() => web.current()?.version === rig.indexCache.current()?.version)
    expect(rig.slugs()).toEqual([second, first])
    expect(web.current()?.packs).toBe(2)
  })

  it('is no success either when another process has taken the turn meanwhile', async () => {
    const rig = indexRig()
    const { shared } = sharedInMemory()
    rig.save()
    let refusals = 0
    const publish = shared.publish.bind(shared)
    const losing = {
      ...shared,
      publish: async (build: SharedBuild, holder: string) =>
        refusals++ === 0 ? false : publish(build, holder),
    }
    start(rig, losing)
    await eventually(() => refusals === 1)
    expect(rig.indexCache.current()).toBeNull()
    await passUntilShown(rig, 1_000)
    expect(rig.builds).toHaveLength(1)
  })
})

describe('when the store fails', () => {
  it('the index before stays; it is tried later and later, and shows all when the store is back', async () => {
    const rig = indexRig()
    const first = rig.save()
    await start(rig).ready
    await pass(rig, 1_000)
    const second = rig.save({ createdAt: rig.clock.now() })
    rig.store.error = new Error('disk I/O error')
    const { length } = rig.said
    const times: number[] = []
    for (let ms = 0; ms < 16_000; ms += 250) {
      await pass(rig, 250)
      while (length + times.length < rig.said.length) times.push(ms)
    }
    expect(times).toEqual([0, 250, 750, 1_750, 3_750, 7_750, 11_750, 15_750])
    expect(rig.said[0]).toMatch(/^error building the search index failed/)
    expect(rig.slugs()).toEqual([first])
    expect(rig.clock.now() - rig.indexCache.freshAt!).toBeGreaterThan(15_000)

    rig.store.error = null
    await pass(rig, 4_000)
    await passUntilShown(rig, 250)
    expect(rig.slugs()).toEqual([second, first])
  })

  it('half-way through a build, nothing of it is served', async () => {
    const rig = indexRig()
    const first = rig.save()
    await start(rig).ready
    for (let each = 0; each < 250; each++) rig.save()
    rig.store.forgetChanges()
    const readPortion = rig.store.readPortion.bind(rig.store)
    rig.store.readPortion = async (after, limit) => {
      if (after !== null) throw new Error('disk I/O error')
      return readPortion(after, limit)
    }
    await pass(rig, 500)
    await pass(rig, 250)
    await eventually(() => rig.said.length > 0)
    expect(rig.slugs()).toEqual([first])
  })

  it('from the beginning, the first index comes when it is back', async () => {
    const rig = indexRig()
    const slug = rig.save()
    rig.store.error = new Error('locked')
    const loop = start(rig)
    await pass(rig, 100)
    expect(rig.indexCache.current()).toBeNull()
    rig.store.error = null
    await pass(rig, 250)
    await loop.ready
    expect(rig.slugs()).toEqual([slug])
  })
})

describe('stop', () => {
  it('ends the loop though the first index has only just come', async () => {
    const rig = indexRig()
    const loop = start(rig)
    await loop.ready
    await loop.stop()
    const { length } = rig.store.portions
    rig.save()
    await pass(rig, 5_000)
    expect(rig.store.portions).toHaveLength(length)
  })

  it('gives up a build under way and reads nothing more', async () => {
    const rig = indexRig()
    for (let each = 0; each < 1_000; each++) rig.save()
    const loop = start(rig)
    await eventually(() => rig.store.portions.length === 2)
    await loop.stop()
    const { length } = rig.store.portions
    expect(length).toBeLessThan(5)
    await pass(rig, 5_000)
    expect(rig.store.portions).toHaveLength(length)
    expect(rig.indexCache.current()).toBeNull()
    expect(rig.said).toEqual([])
    await loop.ready
  })
})
