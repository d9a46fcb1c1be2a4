import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { PageFile } from '../../../src/ports/store.ts'
import { type TempStore, tempStore } from '../temp-store.ts'

const file = (name: string, bytes: Uint8Array = Buffer.from(name)): PageFile => ({
  path: `assets/${name}-0a1b.js`,
  bytes,
})

const all = { since: 0, bytes: Number.MAX_SAFE_INTEGER }

describe('PageFiles', () => {
  let store: TempStore
  let one: Stores['pageFiles']
  let two: Stores['pageFiles']

  beforeAll(async () => {
    store = await tempStore()
    one = (await store.open()).pageFiles
    two = (await store.open()).pageFiles
  })
  beforeEach(() => one.publish([], 0, { since: 0, bytes: 0 }))
  afterAll(() => store.remove())

  it('holds what any process has published, byte for byte', async () => {
    const bytes = Uint8Array.from({ length: 700_000 }, (_, at) => (at * 7) % 256)
    const files = [file('a'), file('b', bytes), file('empty', new Uint8Array())]
    await one.publish(files, 10, all)
    expect((await two.list()).toSorted()).toEqual(files.map(({ path }) => path).toSorted())
    for (const { path, bytes: expected } of files) {
      expect(Buffer.from((await two.read(path)) ?? []).equals(expected), path).toBe(true)
    }
    expect(await two.read('assets/none-0a1b.js')).toBeNull()
  })

  it('lets two processes of one version publish at once', async () => {
    const files = Array.from({ length: 30 }, (_, at) => file(`f${at}`))
    await Promise.all([one.publish(files, 10, all), two.publish(files, 11, all)])
    expect(await one.list()).toHaveLength(30)
  })

  it('forgets what has not been published again in time, and only that', async () => {
    await one.publish([file('old'), file('both')], 100, all)
    await two.publish([file('new'), file('both')], 200, all)
    await two.publish([file('new')], 300, { ...all, since: 101 })
    expect((await one.list()).toSorted()).toEqual([file('both').path, file('new').path])
    await one.publish([file('both')], 250, { ...all, since: 101 })
    await two.publish([file('new')], 400, { ...all, since: 201 })
    expect(await one.list()).toHaveLength(2)
  })

  it('keeps within its size: the oldest of others go first, its own never', async () => {
    const third = new Uint8Array(400)
    for (const [at, name] of ['a', 'b', 'c', 'd'].entries()) {
      await one.publish([file(name, third)], at + 1, { since: 0, bytes: 1_000 })
    }
    expect((await two.list()).toSorted()).toEqual([file('c').path, file('d').path])
    await two.publish([file('large', new Uint8Array(2_000))], 5, { since: 0, bytes: 1_000 })
    expect(await two.list()).toEqual([file('large').path])
  })
})
