import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { acquireLock } from '../../src/adapters/storage/sqlite/lock.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const program = fileURLToPath(new URL('../../src/cli/mapcrate-server.ts', import.meta.url))
const OLD = ['01', '02', '03'].map((day) => `mapcrate-2026-01-${day}T02-30-00.000Z.db`)
const COPY = /^mapcrate-(?!2026-01)\S+Z\.db$/

describe('backup --keep N DIRECTORY', () => {
  let data: string
  let copies: string
  const keep = (count: string, folder = copies) => runCli(data, ['backup', '--keep', count, folder])
  const names = async () => (await readdir(copies)).toSorted()
  const spoil = (sql: string) => {
    using store = new DatabaseSync(join(data, 'mapcrate.db'))
    store.exec(sql)
  }

  beforeEach(async () => {
    data = await freshFolder()
    copies = await freshFolder()
    await makeKey(data)
    for (const name of OLD) await writeFile(join(copies, name), '')
  })

  test('adds a copy that serves, and keeps the N newest in all', async () => {
    const server = await startServer(data)
    const { code, stdout, stderr } = await keep('3')
    expect([code, stderr]).toEqual([0, ''])
    const [kept, alsoKept, made = ''] = await names()
    expect([kept, alsoKept]).toEqual(OLD.slice(1))
    expect(made).toMatch(COPY)
    expect(stdout).toBe(`${join(copies, made)}\n`)
    expect((await stat(join(copies, made))).mode & 0o777).toBe(0o600)
    await server.stop()

    const restored = await freshFolder()
    const ending = await runCli(restored, ['restore', join(copies, made)])
    expect(ending.stdout).toMatch(/rows copied, and the same in both/)
  })

  test('never deletes the copy that it has made, even if the clock was put back', async () => {
    const later = 'mapcrate-2099-01-01T00-00-00.000Z.db'
    await writeFile(join(copies, later), '')
    expect((await keep('1')).code).toBe(0)
    const [made = '', ...others] = await names()
    expect(made).toMatch(COPY)
    expect([made, ...others]).not.toContain(later)
    expect(others).toEqual([])
  })

  test('deletes nothing but its own copies', async () => {
    const others = ['mapcrate-2026-01-01.db', 'mapcrate.db', `${OLD[0]}.gz`, 'notes.txt']
    for (const name of others) await writeFile(join(copies, name), '')
    expect((await keep('1')).code).toBe(0)
    expect(await names()).toEqual(expect.arrayContaining(others))
    expect(await names()).toHaveLength(others.length + 1)
  })

  test('a copy for which there is no room is none, and all others stay', async () => {
    // Room for opening the store, but not for another file of its size.
    spoil(`create table filler as with recursive n(i) as (select 1 union all select i + 1 from n limit 2500)
      select randomblob(4096) as bytes from n`)
    const limit = `trap '' XFSZ; ulimit -f 4096; exec "$0" "$@"`
    const words = ['-c', limit, process.execPath, program, 'backup', '--keep', '1', copies]
    const env = { PATH: process.env['PATH'], DATA_DIR: data }
    const child = spawn('sh', words, { env })
    const said = text(child.stderr)
    const [code] = await once(child, 'close')
    const where = `mapcrate-server backup: no copy could be made in ${copies}: `
    expect((await said).slice(0, where.length)).toBe(where)
    expect(code).toBe(1)
    expect(await names()).toEqual(OLD)
  })

  test('the copy of a damaged store is none, and all others stay', async () => {
    spoil("pragma ignore_check_constraints = on; update api_key set service = 'x'")
    const { code, stderr } = await keep('1')
    expect(stderr).toMatch(/^mapcrate-server backup: the copy is damaged, .*CHECK constraint/)
    expect(code).toBe(1)
    expect(await names()).toEqual(OLD)
  })

  test('exits with 3 if an old copy cannot be deleted', async () => {
    const stuck = 'mapcrate-2025-01-01T02-30-00.000Z.db'
    await mkdir(join(copies, stuck))
    const { code, stdout, stderr } = await keep('2')
    expect(stderr).toMatch(/the copy was made, but an old one could not be deleted: .*2025-01-01/)
    expect(code).toBe(3)
    expect(await names()).toEqual([stuck, OLD[2], stdout.trim().slice(copies.length + 1)])
  })

  test('what a killed backup left is no copy, and is removed, but nothing of one that runs', async () => {
    const [dead, alive] = ['.mapcrate-scratch-dead', '.mapcrate-scratch-lives']
    for (const name of [dead, alive]) {
      await mkdir(join(copies, name))
      await writeFile(join(copies, name, 'mapcrate.db'), 'half')
    }
    const release = acquireLock(join(copies, alive, 'lock'))
    expect((await keep('4')).code).toBe(0)
    expect(await names()).toEqual([alive, ...OLD, expect.stringMatching(COPY)])
    expect(await readFile(join(copies, alive, 'mapcrate.db'), 'utf8')).toBe('half')
    release?.()
  })

  test('a missing directory, which may be a disk that is not mounted, is not made', async () => {
    const missing = join(copies, 'missing')
    const { code, stderr } = await keep('1', missing)
    expect(stderr).toContain(missing)
    expect(code).toBe(1)
    expect(existsSync(missing)).toBe(false)
  })

  test.each([
    ['0', 'copies', /--keep "0" is no count/],
    ['all', 'copies', /--keep "all" is no count/],
    ['14', '-', /--keep needs a directory/],
  ])('--keep %s %s is a usage error', async (count, folder, words) => {
    const { code, stderr } = await keep(count, folder)
    expect(stderr).toMatch(words)
    expect(code).toBe(2)
  })
})
