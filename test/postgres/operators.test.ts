import { DatabaseSync } from 'node:sqlite'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { takeDatabase } from '../support/postgres-databases.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const PATIENT = { timeout: 90_000 }

test('O-5: a worker has a health address, and its secret comes from a file', PATIENT, async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const file = join(folder, 'database-url')
  await writeFile(file, `${database.url}\n`)
  const env = { DATABASE_URL_FILE: file, HEALTH_PORT: '0', METRICS_PORT: '0' }
  const worker = await startServer(folder, env, undefined, ['--role', 'worker'])
  const [health = '', metrics = ''] = ['health', 'metrics'].map(
    (name) => new RegExp(`^ {2}${name} +(\\S+)$`, 'm').exec(worker.process.stdout)?.[1],
  )
  expect(await (await fetch(`${health}/readyz`)).json()).toEqual({ status: 'ready' })
  expect(await (await fetch(`${health}/healthz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(new URL('/readyz', metrics))).status).toBe(200)
  const asked = await runCli(folder, ['health'], {
    env: { DATABASE_URL_FILE: file, HEALTH_PORT: new URL(health).port },
  })
  expect(asked).toEqual({ code: 0, stdout: 'ready\n', stderr: '' })
  expect(worker.process.stdout + worker.process.stderr).not.toContain(database.url)
  expect((await worker.stop()).code).toBe(0)
  await database.giveBack()
})

test('O-1: backup - of a database is a store that restore - takes', PATIENT, async () => {
  const database = await takeDatabase()
  const folder = await freshFolder()
  const env = { DATABASE_URL: database.url }
  await makeKey(folder, { env })
  const backup = await runCli(folder, ['backup', '-'], { env, encoding: 'latin1' })
  expect([backup.code, backup.stderr]).toEqual([0, ''])
  const bytes = Buffer.from(backup.stdout, 'latin1')
  const copy = join(folder, 'copy.db')
  await writeFile(copy, bytes)
  using opened = new DatabaseSync(copy, { readOnly: true })
  expect(opened.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  expect(opened.prepare('select username from account where game_id = 4711').all()).toEqual([
    { username: 'Ada' },
  ])
  const restored = await runCli(join(folder, 'restored'), ['restore', '-'], { input: bytes })
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringMatching(/the same in both/) })
  await database.giveBack()
})
