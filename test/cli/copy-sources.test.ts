import {
  chmod,
  copyFile,
  cp,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../src/adapters/storage/sqlite/file.ts'
import { copyStore } from '../../src/main/copy-store.ts'
import { freshFolder, makeKey, runCli } from '../support/processes.ts'
import { copyUsed, copyWhileServed } from '../support/used-sources.ts'

// What `copy` and `restore` may be given as a file. Whatever it is and whatever comes of it, it stays as it is.

const has = async (file: string, sql: string): Promise<void> => {
  using database = new DatabaseSync(file)
  database.exec(sql)
}

/** A store that somebody has open, with what is only in its log. */
const openStore = async (file: string): Promise<void> => {
  await makeKey(join(file, '..'))
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  database.exec("update account set username = 'In the log' where game_id = 4711")
}

const wholeStore = async (): Promise<Buffer> => {
  const folder = await freshFolder()
  await makeKey(folder)
  return readFile(join(folder, 'mapcrate.db'))
}

type Sources = Readonly<Record<string, (file: string) => Promise<unknown>>>

const refused: Sources = {
  'nothing at all': (file) => writeFile(file, ''),
  'no database': (file) => writeFile(file, fc.sample(fc.uint8Array({ minLength: 1 }), 1)[0]!),
  'a compressed store': async (file) => writeFile(file, gzipSync(await wholeStore())),
  'the beginning of a store': async (file) => {
    const bytes = await wholeStore()
    const end = fc.integer({ min: 1, max: bytes.length - 1 })
    await writeFile(file, bytes.subarray(0, fc.sample(end, 1)[0]))
  },
  'a database with nothing in it': (file) => has(file, 'pragma journal_mode = wal'),
  'a database of other software': (file) => has(file, 'create table mine (a)'),
  'one that has a table of that name': (file) => has(file, 'create table migration (id, name)'),
  'one with such a table': (file) =>
    has(file, "create table migration (name, hash); insert into migration values ('1', '2')"),
  'a store of a newer version': async (file) => {
    await writeFile(file, await wholeStore())
    await has(file, "insert into migration (name, hash) values ('9999-later.sql', 'x')")
  },
  'a store that is being filled': async (file) => {
    await writeFile(file, await wholeStore())
    await has(file, "insert into migration (name, hash) values ('unfinished-copy', '')")
  },
}

const copied: Sources = {
  'a store': async (file) => writeFile(file, await wholeStore()),
  'a store of an older version': async (file) => {
    const migrations = await freshFolder()
    await cp(SQLITE_MIGRATIONS, migrations, { recursive: true })
    await rm(join(migrations, (await readdir(migrations)).toSorted().at(-1)!))
    const { reader, writer } = await openSqliteFile(file, pathToFileURL(`${migrations}/`), 1_000)
    writer.exec(
      "insert into account (id, game_id, username, created_at) values ('a', 4711, 'Ada', 0)",
    )
    for (const connection of [reader, writer]) connection.close()
  },
  'a store that is open': openStore,
  'a store whose server was killed': async (file) => {
    const other = join(await freshFolder(), 'mapcrate.db')
    await openStore(other)
    for (const suffix of ['', '-wal', '-shm']) await copyFile(other + suffix, file + suffix)
  },
  'such a store and its log': async (file) => {
    const other = join(await freshFolder(), 'mapcrate.db')
    await openStore(other)
    for (const suffix of ['', '-wal']) await copyFile(other + suffix, file + suffix)
  },
}

/** All that is in a folder; but the index of a log, which is shared memory of those who have the store open. */
const contentOf = async (folder: string) => {
  const names = (await readdir(folder)).filter((name) => !name.endsWith('-shm')).toSorted()
  return Promise.all(
    names.map(async (name) => {
      const { mode, mtimeMs } = await stat(join(folder, name))
      return { name, mode, mtimeMs, text: await readFile(join(folder, name), 'latin1') }
    }),
  )
}

const makeSource = async (make: (file: string) => Promise<unknown>, mode: number) => {
  const source = await freshFolder()
  const file = join(source, 'mapcrate.db')
  await make(file)
  await chmod(file, mode)
  return { file, source, target: join(await freshFolder(), 'data') }
}

describe.each([
  { command: 'copy', words: (file: string) => ['copy', '--from', file] },
  { command: 'restore', words: (file: string) => ['restore', file] },
])('$command', ({ words }) => {
  test.each(Object.entries(refused))('refuses %s, and makes nothing', async (_, make) => {
    const { file, source, target } = await makeSource(make, 0o644)
    const before = await contentOf(source)
    const { code, stdout, stderr } = await runCli(target, words(file))
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`${file} cannot be used: `)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
    expect(existsSync(target)).toBe(false)
    expect(await contentOf(source)).toEqual(before)
  })

  test.each(Object.entries(copied))('takes %s, which stays as it is', async (name, make) => {
    const { file, source, target } = await makeSource(make, 0o440)
    const before = await contentOf(source)
    const { code, stderr } = await runCli(target, words(file))
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(await contentOf(source)).toEqual(before)
    const { stdout } = await runCli(target, ['account', '--game-id', '4711', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({
      username: /open|log|kill/.test(name) ? 'In the log' : 'Ada',
    })
  })

  test('takes a store only while no server can change it', async () => {
    const folder = await freshFolder()
    await copyUsed(words(join(folder, 'mapcrate.db')), { folder, env: {} })
  })
})

test('a file is not copied past a server that comes meanwhile', async () => {
  const folder = await freshFolder()
  await copyWhileServed({ file: join(folder, 'mapcrate.db') }, { folder, env: {} })
})

test('nor past what a command has saved meanwhile', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const to = { file: join(await freshFolder(), 'mapcrate.db') }
  let isSaved = false
  const copied = copyStore('copy', { file: join(folder, 'mapcrate.db') }, to, async () => {
    if (!isSaved) await makeKey(folder, { gameId: 4712, username: 'Bob' })
    isSaved = true
  })
  await expect(copied).rejects.toThrow(/has changed since the copy began/)
})

test.each(Object.entries(refused))('restore - refuses %s, and makes nothing', async (_, make) => {
  const { file, target } = await makeSource(make, 0o600)
  const { code, stdout, stderr } = await runCli(target, ['restore', '-'], {
    input: await readFile(file),
  })
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('what came on stdin cannot be used: ')
  expect(existsSync(target)).toBe(false)
})

test.each(['copy --from', 'restore'])('%s says what is no file, or not there', async (words) => {
  const folder = await freshFolder()
  await mkdir(join(folder, 'folder'))
  for (const [name, reason] of [
    ['folder', 'is no file'],
    ['gone', 'cannot be read: there is no such file'],
  ] as const) {
    const file = join(folder, name)
    const { code, stderr } = await runCli(join(folder, 'data'), [...words.split(' '), file])
    expect(code).toBe(1)
    expect(stderr).toContain(`${file} ${reason}`)
  }
  expect(await readdir(folder)).toEqual(['folder'])
})
