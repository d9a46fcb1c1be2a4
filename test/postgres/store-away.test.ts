import { expect, test } from 'vitest'
import { expectError } from '../support/door.ts'
import { takeDatabase } from '../support/postgres-databases.ts'
import { overConnection } from '../support/postgres-setup.ts'
import { freshFolder, makeKey, startServer } from '../support/processes.ts'
import { aPack } from '../support/samples.ts'
import { startProxy } from '../support/tcp-proxy.ts'
import { until } from '../support/until.ts'

const ROLE = 'limited_at_start'

test('a role without a connection left at the start is waited for, and while the database is away pages are 503', async () => {
  const database = await takeDatabase()
  const run = (statement: string) =>
    overConnection(database.url, (client) => client.query(statement))
  const proxy = await startProxy(Number(new URL(database.url).port))
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url }
  const key = await makeKey(folder, { env })
  await run(`create role ${ROLE} login superuser password 'few' connection limit 0;
    alter role ${ROLE} nosuperuser;
    grant all on all tables in schema public to ${ROLE};
    grant all on all sequences in schema public to ${ROLE}`)
  const url = new URL(database.url)
  Object.assign(url, { username: ROLE, password: 'few', port: String(proxy.port) })
  try {
    const settings = { DATABASE_URL: url.href, LOG_LEVEL: 'info', HOST: '127.0.0.1' }
    const server = await startServer(folder, settings, undefined, [], async (starting) => {
      await starting.says(
        'stderr',
        /"level":40,.*"msg":"the database allows no more connections; trying again every two seconds"/,
      )
      expect(starting.stdout).toBe('')
      await run(`alter role ${ROLE} connection limit 30`)
    })

    const body = aPack({ visibility: 'public' })
    const { slug } = (await server.packs.ask('POST', '/packs', { key, body })).json.pack
    const pages = [
      `${server.packs.url}/`,
      `${server.packs.url}/packs`,
      `${server.packs.url}/p/${slug}`,
      `${server.pools.url}/`,
    ]
    const open = (page: string) => fetch(page, { headers: { accept: 'text/html' } })
    for (const page of pages) expect((await open(page)).status).toBe(200)

    proxy.hang(true)
    for (const page of pages) {
      const reply = await open(page)
      expect([page, reply.status, reply.headers.get('retry-after')]).toEqual([page, 503, '5'])
      expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await reply.text()).toContain('<h1>The service cannot reach its database</h1>')
    }
    for (const [method, path, more] of [
      ['GET', '/me', {}],
      ['GET', `/packs/${slug}`, {}],
      ['POST', '/packs', { body }],
    ] as const) {
      const reply = await server.packs.ask(method, path, { key, ...more })
      expectError(reply, 'internal_error')
      expect(reply.headers.get('retry-after')).toBe('5')
    }
    for (const path of [`/session/packs/${slug}`, '/packs.atom', '/sitemap.xml']) {
      const json = await fetch(server.packs.url + path)
      expect([path, json.status, json.headers.get('retry-after')]).toEqual([path, 503, '5'])
      expect((await json.json()).error.code).toBe('unavailable')
    }
    proxy.hang(false)
    await until(async () => (await open(pages[2]!)).status === 200)
    expect((await server.stop()).code).toBe(0)
  } finally {
    await proxy.close()
    await run(`drop owned by ${ROLE}; drop role ${ROLE}`)
    await database.giveBack()
  }
})
