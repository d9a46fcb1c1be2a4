import { chmod, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { acquireServerLock } from '../../src/adapters/storage/sqlite/lock.ts'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { freshFolder } from '../support/processes.ts'

// Keys' hashes, sessions and private packs are in a store's files, and in every copy of them: nobody but their owner
// may read one, whatever the umask and whoever made the file.

const modesIn = async (folder: string): Promise<Record<string, string>> => {
  const names = (await readdir(folder)).toSorted()
  const modes = await Promise.all(
    names.map(async (name) => ((await stat(join(folder, name))).mode & 0o7777).toString(8)),
  )
  return Object.fromEntries(names.map((name, at) => [name, modes[at] ?? '']))
}

const withUmask = async <T>(umask: number, work: () => Promise<T>): Promise<T> => {
  const before = process.umask(umask)
  try {
    return await work()
  } finally {
    process.umask(before)
  }
}

const names = ['copy.db', 'mapcrate.db', 'mapcrate.db-serve', 'mapcrate.db-shm', 'mapcrate.db-wal']

describe.each([0o000, 0o022, 0o077, 0o177, 0o777])('with the umask %o', (umask) => {
  test('a new store, its log, its lock and its backups are their owner’s alone', async () => {
    const folder = join(await freshFolder(), 'data')
    await withUmask(umask, async () => {
      const file = join(folder, 'mapcrate.db')
      const release = await acquireServerLock(file)
      const stores = await openSqliteStores(file)
      onTestFinished(() => stores.care.close())
      await stores.care.backup(join(folder, 'copy.db'))
      expect(((await stat(folder)).mode & 0o7777).toString(8)).toBe('700')
      const modes = await modesIn(folder)
      expect(Object.keys(modes)).toEqual(expect.arrayContaining(names))
      expect(new Set(Object.values(modes))).toEqual(new Set(['600']))
      release?.()
    })
  })

  test('a store that everybody could read becomes its owner’s', async () => {
    const folder = join(await freshFolder(), 'data')
    await mkdir(folder)
    await withUmask(umask, async () => {
      const file = join(folder, 'mapcrate.db')
      const first = await openSqliteStores(file)
      const other = new DatabaseSync(file)
      onTestFinished(() => other.close())
      await first.care.close()
      for (const suffix of ['', '-wal', '-shm']) {
        await writeFile(file + suffix, '', { flag: 'a' })
        await chmod(file + suffix, 0o644)
      }
      const stores = await openSqliteStores(file)
      onTestFinished(() => stores.care.close())
      expect(await modesIn(folder)).toEqual({
        'mapcrate.db': '600',
        'mapcrate.db-shm': '600',
        'mapcrate.db-wal': '600',
      })
    })
  })
})

test('opening a store again takes no lock from those who have it open', async () => {
  const folder = await freshFolder()
  const file = join(folder, 'mapcrate.db')
  const release = await acquireServerLock(file)
  expect(release).not.toBeNull()
  expect(await acquireServerLock(file)).toBeNull()
  expect(await acquireServerLock(file)).toBeNull()
  const stores = await openSqliteStores(file)
  onTestFinished(() => stores.care.close())
  using writer = new DatabaseSync(file, { timeout: 0 })
  writer.exec('begin immediate')
  const again = await openSqliteStores(file)
  await again.care.close()
  using other = new DatabaseSync(file, { timeout: 0 })
  expect(() => other.exec('begin immediate')).toThrow(/locked/)
  writer.exec('rollback')
  release?.()
})
