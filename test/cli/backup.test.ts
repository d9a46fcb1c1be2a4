import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const pool = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }

test('a backup made while the server writes is a store that serves', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder)
  const before = await server.packs.ask('POST', '/packs', { key, body: pool })
  const copy = join(folder, 'copy.db')

  const [backup] = await Promise.all([
    runCli(folder, ['backup', copy]),
    ...[1, 2, 3].map(() => server.packs.ask('POST', '/packs', { key, body: pool })),
  ])
  expect(backup).toEqual({ code: 0, stdout: `${copy}\n`, stderr: '' })

  const restored = join(folder, 'restored')
  await mkdir(restored)
  await rename(copy, join(restored, 'mapcrate.db'))
  const second = await startServer(restored)
  const read = await second.packs.ask('GET', `/packs/${before.json.pack.slug}`, { key })
  // The server has computed its stats meanwhile.
  const { stats: _, ...pack } = read.json.pack
  expect(pack).toEqual(before.json.pack)
})

test('a backup takes no file’s place', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const taken = join(folder, 'taken.db')
  await writeFile(taken, '')
  const { code, stdout, stderr } = await runCli(folder, ['backup', taken])
  expect(stderr).toMatch(/^mapcrate-server backup: .*taken\.db already exists/)
  expect(stderr.split('\n')).toHaveLength(2)
  expect(stdout).toBe('')
  expect(code).toBe(1)
})
