import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { freshFolder, makeKey, startServer } from '../support/processes.ts'
import { until } from '../support/until.ts'

const check = {
  name: 'A check',
  visibility: 'public',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 129891 },
    { mod: 'DT', index: 1, beatmapId: 75 },
  ],
}

const openHouse = async (env: Record<string, string> = {}) => {
  const folder = await freshFolder()
  const key = await makeKey(folder)
  const server = await startServer(folder, env)
  const read = async () => {
    const answer = await fetch(`${server.packs.url}/packs/index.json`)
    return (await answer.json()) as { v: number; packs: Record<string, unknown>[] }
  }
  return { folder, server, key, read }
}

test('a saved public pack stands in the index with its stats, to the digit (spec 2.10, D-39)', async () => {
  const { server, key, read } = await openHouse()
  const { json } = await server.packs.ask('POST', '/packs', { key, body: check })
  const index = await until(async () => {
    const now = await read()
    return now.packs[0]?.['k'] === true && now
  })
  expect(index).toEqual({
    v: 1,
    packs: [
      {
        s: json.pack.slug,
        n: 'A check',
        o: 'Ada',
        c: 2,
        d: '',
        u: json.pack.updatedAt,
        t: json.pack.createdAt,
        r: [3.61, 7.81],
        a: 5.71,
        l: [95, 258],
        b: [180, 222],
        m: 'NM,DT',
        g: 'base',
        k: true,
      },
    ],
  })
})

test('a change is in it within 2 seconds, and gone from it as soon (D-39)', async () => {
  const { server, key, read } = await openHouse()
  const { json } = await server.packs.ask('POST', '/packs', { key, body: check })
  await until(async () => (await read()).packs.length === 1, 2_000)
  await server.packs.ask('DELETE', `/packs/${json.pack.slug}`, { key })
  await until(async () => (await read()).packs.length === 0, 2_000)
})

test('it needs no key and counts toward no limit (spec 2.10); the pools service has none', async () => {
  const { server } = await openHouse()
  for (let request = 0; request < 70; request++) {
    const answer = await fetch(`${server.packs.url}/packs/index.json`)
    await answer.arrayBuffer()
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBeNull()
  }
  expect((await fetch(`${server.pools.url}/packs/index.json`)).status).toBe(404)
})

test('INDEX_DIR: it is kept as files, too, with their compressed copies', async () => {
  const directory = await freshFolder()
  const { server, key } = await openHouse({ INDEX_DIR: directory })
  await server.packs.ask('POST', '/packs', { key, body: check })
  const file = (end: string) => readFile(join(directory, 'packs', `index.json${end}`))
  await until(async () => (await file('').catch(() => ''))?.includes('"k":true'))
  const text = await file('')
  await until(async () => gunzipSync(await file('.gz')).equals(text))
  await until(async () => brotliDecompressSync(await file('.br')).equals(text))
})
