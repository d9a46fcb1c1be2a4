import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { copyFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSqliteEngine, type SqliteEngine } from '../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { createSqliteCare, openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { createStores } from '../../src/adapters/storage/stores.ts'
import { expectError } from '../support/door.ts'
import { type House, openHouse } from '../support/house.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse } from '../support/site-house.ts'
import { onSqlite } from '../support/test-stores.ts'

const readinessOf = async (url: string) => {
  const reply = await fetch(`${url}/readyz`)
  return { status: reply.status, body: await reply.json() }
}
const readiness = (house: House) => readinessOf(house.doors.packs.url)
const ready = { status: 200, body: { status: 'ready' } }
const notReady = (reason: string) => ({
  status: 503,
  body: { status: 'store unavailable', reason },
})
const PATIENCE_MS = 2_000
const FULL = 'the disk of the store is full'
const MOVED = 'the store file was removed or replaced; restart the server'

/** A house whose store may be given a limit, as a disk has one. */
const limitedHouse = async () => {
  let engine: SqliteEngine | undefined
  const house = await openHouse({
    open: async (path) => {
      const file = await openSqliteFile(path, SQLITE_MIGRATIONS, PATIENCE_MS)
      engine = createSqliteEngine(file, PATIENCE_MS)
      return onSqlite(path, createStores(engine, createSqliteCare(path, file, engine)))
    },
  })
  onTestFinished(house.close)
  /** In pages; null: as many as there are now. */
  const limit = async (pages: number | null): Promise<void> => {
    const { writer } = engine!
    const counted = await sql<{ page_count: number }>`pragma page_count`.execute(writer)
    const most = pages ?? counted.rows[0]!.page_count
    await sql`pragma max_page_count = ${sql.lit(most)}`.execute(writer)
  }
  return { house, limit }
}

describe('a full disk (D-55)', () => {
  /** A file system of a few megabytes; null where nobody may mount one. */
  const smallDisk = async (): Promise<string | null> => {
    const folder = await mkdtemp(join(tmpdir(), 'mapcrate-disk-'))
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'ignore' })
    } catch {
      await rm(folder, { recursive: true })
      return null
    }
    onTestFinished(async () => {
      execFileSync('umount', ['--lazy', folder])
      await rm(folder, { recursive: true, force: true })
    })
    return folder
  }

  it('of a small file system, where one may be mounted: /readyz says so, and recovers by itself', async () => {
    const disk = await smallDisk()
    if (disk === null) return
    const house = await openHouse({
      open: async () => {
        const file = join(disk, 'mapcrate.db')
        return onSqlite(file, await openSqliteStores(file))
      },
    })
    onTestFinished(house.close)
    const host = await house.host()
    await host.save(aPack())
    expect(await readiness(house)).toEqual(ready)

    // Nothing of the store has failed yet: the check finds out by itself.
    const ballast = join(disk, 'ballast')
    await writeFile(ballast, Buffer.alloc(8_388_608)).catch(() => {})
    await expect.poll(() => readiness(house)).toEqual(notReady(FULL))
    let refused = 0
    for (let at = 0; at < 60 && refused === 0; at += 1) {
      if (at % 8 === 0) house.clock.nextMinute()
      const reply = await host.post(aPack({ description: 'й'.repeat(500) }))
      if (reply.status === 201) continue
      refused += 1
      expectError(reply, 'internal_error')
    }
    expect(refused).toBe(1)
    expect(await readiness(house)).toEqual(notReady(FULL))

    await rm(ballast)
    await expect.poll(() => readiness(house)).toEqual(ready)
    house.clock.nextMinute()
    expect((await host.post(aPack())).status).toBe(201)
  })

  it('that a save runs into: 503 until a write of that size is possible again', async () => {
    const { house, limit } = await limitedHouse()
    const host = await house.host()
    await limit(null)
    let reply = await host.post(aPack())
    for (let at = 0; at < 60 && reply.status === 201; at += 1) {
      if (at % 8 === 0) house.clock.nextMinute()
      reply = await host.post(aPack({ description: 'й'.repeat(500) }))
    }
    expectError(reply, 'internal_error')
    expect(await readiness(house)).toEqual(notReady(FULL))
    expect(await readiness(house)).toEqual(notReady(FULL))
    await limit(1_073_741_823)
    expect(await readiness(house)).toEqual(ready)
  })
})

describe('the store file is taken away under the server (D-55)', () => {
  const openOnFile = async () => {
    const house = await openHouse({
      open: async (file) => onSqlite(file, await openSqliteStores(file)),
    })
    onTestFinished(house.close)
    const host = await house.host()
    const slug = await host.save(aPack({ name: 'before' }))
    return { house, host, slug, file: join(house.folder, 'mapcrate.db') }
  }
  type Opened = Awaited<ReturnType<typeof openOnFile>>

  const ways: readonly [string, (file: string) => Promise<void>][] = [
    ['removed', (file) => rm(file)],
    ['moved away', (file) => rename(file, `${file}-old`)],
    [
      'replaced by a copy of itself',
      async (file) => {
        await copyFile(file, `${file}-copy`)
        await rename(`${file}-copy`, file)
      },
    ],
    ['left without its log', (file) => rm(`${file}-wal`)],
  ]

  const expectRefusals = async ({ house, host, slug }: Opened): Promise<void> => {
    const writes = [host.post(aPack()), host.put(slug, aPack({ name: 'after' })), host.delete(slug)]
    for (const reply of await Promise.all(writes)) expectError(reply, 'internal_error')
    expect(await readiness(house)).toEqual(notReady(MOVED))
    const still = await host.get(`/packs/${slug}`)
    expect([still.status, still.json.pack.name]).toEqual([200, 'before'])
  }

  it.each(ways)('%s: no save is acknowledged that would be lost', async (_, takeAway) => {
    const opened = await openOnFile()
    expect(await readiness(opened.house)).toEqual(ready)
    await takeAway(opened.file)
    await expectRefusals(opened)
  })

  it('while a save is being committed: it is not acknowledged', async () => {
    const opened = await openOnFile()
    const { house, host, slug, file } = opened
    const accountId = (await host.get('/me')).json.user.id
    // The file goes in the middle of the transaction, when the commit is still to come.
    const saving = house.ports.packs.replace(slug, accountId, (pack) => {
      rmSync(file)
      return { ...pack, name: 'after', updatedAt: pack.updatedAt + 1 }
    })
    await expect(saving).rejects.toThrow(/removed or replaced/)
    await expectRefusals(opened)
  })
})

describe('a store that cannot be written for now', () => {
  /** Writes of everybody: of both APIs, and of both sites. */
  const openAll = async () => {
    const house = await openSiteHouse()
    onTestFinished(house.close)
    const [host, poolsHost, reader] = await Promise.all([
      house.hostOf(7001, 'Peridot'),
      house.hostOf(7001, 'Peridot', 'pools'),
      house.hostOf(7002, 'Marlow', 'pools'),
    ])
    const [player, poolsPlayer] = await Promise.all([
      house.signedIn(7002),
      house.signedIn(7002, 'pools'),
    ])
    const other = house.browser()
    const begun = await other.open('/sign-in')
    const callback = await house.agree(begun.headers.get('location') ?? '', 7003)
    const writeAll = () =>
      Promise.all([
        host.post(aPack()),
        poolsHost.ask('POST', '/tournaments', { body: { name: 'Cup' } }),
        player.ask('POST', '/session/packs', aPack()),
        poolsPlayer.ask('POST', '/session/tournaments', { name: 'Cup' }),
        other.open(callback),
      ])
    const counts = async () => [
      (await host.get('/me/packs')).json.total,
      (await poolsHost.get('/me/tournaments')).json.total,
      (await player.ask('GET', '/session/packs')).json.total,
      (await reader.get('/me/tournaments')).json.total,
    ]
    return { house, writeAll, counts }
  }

  it('as another process holds its lock: 503 with Retry-After, on the packs API 500, and nothing is saved', async () => {
    const { house, writeAll, counts } = await openAll()
    expect(await counts()).toEqual([0, 0, 0, 0])
    const another = new DatabaseSync(join(house.folder, 'mapcrate.db'))
    onTestFinished(() => another.close())
    another.exec('begin immediate')
    const [pack, ...others] = await writeAll()
    expectError(pack, 'internal_error')
    expect(others.map(({ status }) => status)).toEqual([503, 503, 503, 503])
    for (const { headers } of others) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    for (const { json } of others.slice(0, 3)) {
      expect(json.error).toMatchObject({ code: 'unavailable', reason: 'store_away' })
    }
    expect(await counts()).toEqual([0, 0, 0, 0])
    another.exec('rollback')
    const again = await writeAll()
    expect(again.slice(0, 4).map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await counts()).toEqual([1, 1, 1, 1])
  })
})

describe('a store whose files may not grow, while small ones may be written', () => {
  it.skipIf(process.platform !== 'linux')(
    '/readyz says 503 from the first save that fails until one of that size is possible again',
    async () => {
      const folder = await freshFolder()
      const key = await makeKey(folder)
      const server = await startServer(folder)
      const limit = (bytes: string) =>
        execFileSync('prlimit', ['--pid', `${server.process.pid}`, `--fsize=${bytes}:`])
      limit('98304')
      const post = () =>
        server.packs.ask('POST', '/packs', { key, body: aPack({ description: 'й'.repeat(500) }) })
      let reply = await post()
      for (let at = 0; at < 7 && reply.status === 201; at += 1) reply = await post()
      expectError(reply, 'internal_error')
      const failing = notReady('the disk of the store fails')
      expect(await readinessOf(server.packs.url)).toEqual(failing)
      expect(await readinessOf(server.packs.url)).toEqual(failing)
      // The cause is said once.
      await server.process.says(
        'stderr',
        /"message":"the disk of the store fails \([^)]+\/mapcrate\.db\): disk I\/O error",/,
      )
      limit('unlimited')
      expect(await readinessOf(server.packs.url)).toEqual(ready)
      expect((await post()).status).toBe(201)
    },
  )
})

describe('two servers on one store file (D-55)', () => {
  it('the second one ends, says why and names DATABASE_URL; the first one and commands go on', async () => {
    const folder = await freshFolder()
    const server = await startServer(folder)
    const key = await makeKey(folder)
    const ports = { PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0' }
    const second = await runCli(folder, ['serve'], { env: ports })
    expect(second.code).toBe(1)
    expect(second.stdout).toBe('')
    expect(second.stderr).toMatch(/^mapcrate-server serve: another server is using the store .+\n$/)
    expect(second.stderr).toContain('DATABASE_URL')

    expect((await server.packs.ask('POST', '/packs', { key, body: aPack() })).status).toBe(201)
    const backup = join(folder, 'backup.db')
    expect(await runCli(folder, ['backup', backup])).toMatchObject({ code: 0 })
    expect((await readFile(backup)).length).toBeGreaterThan(0)

    // The lock ends with its process, however that ends.
    server.process.signal('SIGKILL')
    await server.process.ended
    const third = await startServer(folder)
    expect((await third.packs.ask('GET', '/me', { key })).status).toBe(200)
  })
})
