import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fastify, type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { PageFiles } from '../../src/ports/store.ts'
import { addAssets } from '../../src/site/assets/asset-routes.ts'
import { openAssetStore } from '../../src/site/assets/assets.ts'
import { publishPages, withPublished } from '../../src/site/assets/published-assets.ts'
import { HandClock } from '../support/hand-clock.ts'
import { writeSiteAssets } from '../support/site-assets.ts'
import { openTestStores, type TestStores } from '../support/test-stores.ts'
import { plainInstallation } from '../support/settings.ts'

let folder: string
let store: TestStores
let other: Stores
const apps: FastifyInstance[] = []
const clock = new HandClock()

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapcrate-pages-'))
  store = await openTestStores(join(folder, 'mapcrate.db'))
  other = await store.again()
})
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
  await other.care.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

/** The asset routes of a process of this version; `mark` is what differs in its files. */
const startVersion = async (mark: string, pageFiles: PageFiles): Promise<string> => {
  const web = join(folder, mark)
  await writeSiteAssets(web, mark)
  const own = await openAssetStore(web, plainInstallation)
  const { stop } = await publishPages(own.files, pageFiles, clock)
  stop()
  const app = fastify()
  apps.push(app)
  addAssets(app, withPublished(own, pageFiles), async (reply) => reply.code(404).send())
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const scriptOf = (mark: string): string => `/assets/shared-${mark}.js`

describe('a rolling upgrade', () => {
  it('has the files of both versions in the processes of both, byte for byte', async () => {
    const before = await startVersion('0a1b', store.stores.pageFiles)
    const after = await startVersion('9f8e', other.pageFiles)
    for (const mark of ['0a1b', '9f8e']) {
      for (const coding of ['br', 'gzip', 'identity']) {
        const replies = await Promise.all(
          [before, after].map((url) =>
            fetch(url + scriptOf(mark), { headers: { 'accept-encoding': coding } }),
          ),
        )
        const [one, two] = replies.map(({ status, headers }) => ({
          status,
          ...Object.fromEntries(
            [
              'content-type',
              'content-encoding',
              'content-length',
              'cache-control',
              'etag',
              'vary',
            ].map((name) => [name, headers.get(name)]),
          ),
        }))
        expect(one).toMatchObject({
          status: 200,
          'content-type': 'text/javascript; charset=utf-8',
          'cache-control': 'public, max-age=31536000, immutable',
        })
        expect(two).toEqual(one)
        const [first, second] = await Promise.all(replies.map((reply) => reply.text()))
        if (mark !== '0a1b') expect(first).toContain(mark)
        expect(second).toBe(first)
      }
      const style = await fetch(`${mark === '0a1b' ? after : before}/assets/shared-${mark}.css`)
      expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8')
    }
  })

  it('finds a file that was published a moment ago, though the one before was not there', async () => {
    const before = await startVersion('0a1b', store.stores.pageFiles)
    expect((await fetch(before + scriptOf('9f8e'))).status).toBe(404)
    await startVersion('9f8e', other.pageFiles)
    expect((await fetch(before + scriptOf('9f8e'))).status).toBe(200)
  })

  it('keeps the pages of a version that is gone for 30 days', async () => {
    await startVersion('0a1b', store.stores.pageFiles)
    clock.advance(29 * 86_400_000)
    const after = await startVersion('9f8e', other.pageFiles)
    expect((await fetch(after + scriptOf('0a1b'))).status).toBe(200)
    clock.advance(86_400_000 + 1)
    await startVersion('7c7c', other.pageFiles)
    const paths = await store.stores.pageFiles.list()
    expect(paths).toContain('assets/shared-9f8e.js')
    expect(paths).not.toContain('assets/shared-0a1b.js')
  })

  it('gives out nothing but built files by their hashed names', async () => {
    const pages = store.stores.pageFiles
    const secret = new TextEncoder().encode('secret')
    const paths = ['manifest.json', 'assets/plain.js', 'assets/x-0a1b.db', 'assets/../a-0a1b.js']
    await pages.publish(
      paths.map((path) => ({ path, bytes: secret })),
      1,
      { since: 0, bytes: 1_000 },
    )
    const url = await startVersion('0a1b', other.pageFiles)
    for (const path of [
      ...paths.map((each) => each.replace(/^assets\//, '')),
      '%2e%2e/a-0a1b.js',
    ]) {
      expect((await fetch(`${url}/assets/${path}`)).status, path).toBe(404)
    }
  })

  it('asks the store a few times a second, however many names are made up', async () => {
    const asked = { list: 0, read: 0 }
    const counted: PageFiles = {
      ...other.pageFiles,
      list: () => {
        asked.list += 1
        return other.pageFiles.list()
      },
      read: (path) => {
        asked.read += 1
        return other.pageFiles.read(path)
      },
    }
    const url = await startVersion('0a1b', counted)
    await startVersion('9f8e', store.stores.pageFiles)
    const begun = performance.now()
    for (let round = 0; round < 3; round += 1) {
      const names = Array.from(
        { length: 40 },
        (_, at) => `/assets/made-up-${round}-${1000 + at}.js`,
      )
      const replies = await Promise.all(names.map((name) => fetch(url + name)))
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([404]))
    }
    const elapsed = performance.now() - begun
    // A share of what a look for each name would be, and no more than the pace allows.
    expect(asked.list).toBeLessThanOrEqual(2 + elapsed / 250)
    expect(asked.read).toBe(0)
    for (let time = 0; time < 5; time += 1) await fetch(url + scriptOf('9f8e'))
    expect(asked.read).toBe(1)
  })

  it('looks again after the store has failed, and starts although it fails', async () => {
    let isBroken = true
    const failing = <T>(work: () => Promise<T>): Promise<T> =>
      isBroken ? Promise.reject(new Error('the disk is gone')) : work()
    const pages = other.pageFiles
    const url = await startVersion('0a1b', {
      publish: (...files) => failing(() => pages.publish(...files)),
      list: () => failing(() => pages.list()),
      read: (path) => failing(() => pages.read(path)),
    })
    await startVersion('9f8e', pages)
    expect((await fetch(url + scriptOf('0a1b'))).status).toBe(200)
    expect((await fetch(url + scriptOf('9f8e'))).status).toBe(500)
    isBroken = false
    expect((await fetch(url + scriptOf('9f8e'))).status).toBe(200)
  })
})
