import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { copySqliteFile, writeNewFile } from '../../src/adapters/storage/sqlite/backup.ts'

const root = await mkdtemp(join(tmpdir(), 'sqlite-backup-'))
afterAll(() => rm(root, { recursive: true, force: true }))

let folder = ''
let count = 0
beforeEach(async () => {
  folder = join(root, String((count += 1)))
  await mkdir(folder)
})
const at = (name: string) => join(folder, name)

describe('a new file', () => {
  it('is there once it is whole, for its user alone', async () => {
    const target = at('new.db')
    await writeNewFile(target, async (unfinished) => {
      expect((await stat(unfinished)).mode & 0o777).toBe(0o600)
      await writeFile(unfinished, 'whole')
      expect(await readdir(folder)).not.toContain('new.db')
    })
    expect(await readFile(target, 'utf8')).toBe('whole')
    expect((await stat(target)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toEqual(['new.db'])
  })

  it('replaces none, whenever that came', async () => {
    const target = at('there.db')
    await writeFile(target, 'theirs')
    let isBegun = false
    const begin = writeNewFile(target, async () => void (isBegun = true))
    await expect(begin).rejects.toThrow('there.db already exists')
    expect(isBegun).toBe(false)
    const late = at('late.db')
    const write = writeNewFile(late, async () => writeFile(late, 'theirs'))
    await expect(write).rejects.toThrow('late.db already exists')
    expect(await readFile(late, 'utf8')).toBe('theirs')
    expect((await readdir(folder)).toSorted()).toEqual(['late.db', 'there.db'])
  })

  it('leaves nothing when it cannot be written', async () => {
    const write = writeNewFile(at('new.db'), async () => {
      throw new Error('full')
    })
    await expect(write).rejects.toThrow('full')
    expect(await readdir(folder)).toEqual([])
  })
})

describe('the copy of a store', () => {
  const rowsIn = (path: string) => {
    using database = new DatabaseSync(path, { readOnly: true })
    return database
      .prepare('select x from t order by x')
      .all()
      .map(({ x }) => x)
  }
  const make = (path: string) => {
    const database = new DatabaseSync(path)
    database.exec('pragma journal_mode = wal; create table t (x); insert into t values (1)')
    return database
  }

  it('is that of its file, and makes no file beside it', async () => {
    make(at('a.db')).close()
    await symlink('a.db', at('link.db'))
    await copySqliteFile(at('a.db'), at('b.db'))
    await copySqliteFile(at('link.db'), at('c.db'))
    expect([rowsIn(at('b.db')), rowsIn(at('c.db'))]).toEqual([[1], [1]])
    expect((await readdir(folder)).filter((name) => name.startsWith('a'))).toEqual(['a.db'])
  })

  it('is whole while the store is in use, by a link to it, too', async () => {
    using database = make(at('a.db'))
    await symlink('a.db', at('link.db'))
    database.exec('insert into t values (2)')
    await copySqliteFile(at('link.db'), at('b.db'))
    expect(rowsIn(at('b.db'))).toEqual([1, 2])
    database.exec('insert into t values (3)')
    expect(rowsIn(at('b.db'))).toEqual([1, 2])
  })

  it('has what a process wrote that was killed', async () => {
    const database = make(at('a.db'))
    database.exec('insert into t values (2)')
    for (const suffix of ['', '-wal']) {
      await writeFile(at(`killed.db${suffix}`), await readFile(at(`a.db${suffix}`)))
    }
    database.close()
    await copySqliteFile(at('killed.db'), at('b.db'))
    expect(rowsIn(at('b.db'))).toEqual([1, 2])
  })
})
