import { existsSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { StoreUnavailable } from '../../src/ports/store.ts'
import { serverProgram } from '../../src/cli/commands/table.ts'
import { storeToCopy } from '../support/killed-commands.ts'
import { freshFolder, runCli, startServer } from '../support/processes.ts'

const SECRET = 'SeKrEt77'

describe.each(['from', 'to'])('copy --%s', (option) => {
  const other = option === 'from' ? 'to' : 'from'
  const copy = async (store: string) => {
    const folder = await freshFolder()
    const words = ['copy', `--${option}`, store, `--${other}`, join(folder, 'other.db')]
    const ending = await runCli(join(folder, 'data'), words)
    return { ...ending, made: await readdir(folder), isFile: existsSync(resolve(store)) }
  }

  test.each([
    `mysql://u:${SECRET}@h/x`,
    `postgres//u:${SECRET}@127.0.0.1:1/x`,
    `postgres:u:${SECRET}@127.0.0.1:1/x`,
    `postgres:/u:${SECRET}@127.0.0.1:1/x`,
    `u:${SECRET}@127.0.0.1/x`,
    `https://u:${SECRET}@h/x.db`,
    `postgres://u:${SECRET}@127.0.0.1:99999/x`,
    `postgres://u:${SECRET}@127.0.0.1:1/x?sslmode=maybe`,
  ])('of %s, no address of a database, makes no file and repeats no password', async (store) => {
    const { stderr, ...ending } = await copy(store)
    expect(ending).toEqual({ code: 2, stdout: '', made: [], isFile: false })
    expect(stderr).toContain(`mapcrate-server copy: --${option} `)
    expect(stderr).not.toContain(SECRET)
  })
})

test.each([
  ' postgres://u@127.0.0.1:1/x ',
  'postgres://u@/x?host=/nowhere/at/all&port=1',
  'postgres://u@127.0.0.1:1,[::1]:1/x?target_session_attrs=read-write',
])('copy --from %j: each form of an address that DATABASE_URL has is one', async (store) => {
  const { code, stderr } = await runCli(await freshFolder(), ['copy', '--from', store])
  expect(stderr).toMatch(/^mapcrate-server copy: the store to copy from cannot be used: /)
  expect(code).toBe(1)
})

test('copy --to ./NAME: a name with @ is a file as a path', async () => {
  const folder = await freshFolder()
  const { file } = await storeToCopy(folder)
  const target = relative(process.cwd(), join(folder, 'u@h.db'))
  expect(target).toMatch(/^\.\./)
  const words = ['copy', '--from', file, '--to', target]
  expect(await runCli(folder, words)).toMatchObject({ code: 0 })
  expect(await readdir(folder)).toContain('u@h.db')
})

test.each(['copy --from', 'restore'])(
  '%s fills no store that a server has open, as long as that is empty, too (D-55)',
  async (words) => {
    const { file } = await storeToCopy(await freshFolder())
    const folder = join(await freshFolder(), 'data')
    await mkdir(folder)
    // Who names an address has no demonstration in the store.
    const server = await startServer(folder, { PACKS_URL: 'https://packs.example' })
    const { code, stderr } = await runCli(folder, [...words.split(' '), file])
    expect(stderr).toContain('a server or another command uses it; stop that first')
    expect(code).toBe(1)
    await server.stop()
    expect(await runCli(folder, [...words.split(' '), file])).toMatchObject({ code: 0 })
  },
)

describe('a store without players in which an operator has decided something is not empty', () => {
  test.each([
    [['moderator', '--game-id', '77'], ['moderators']],
    [['suspend', '--game-id', '77', '--reason', 'Spam'], ['log']],
    [['notice', 'Maintenance at noon'], ['notice']],
    [['read-only', 'on'], ['read-only']],
  ])('%j: neither restore nor copy takes it away', async (decide, ask) => {
    const { file } = await storeToCopy(await freshFolder())
    const folder = await freshFolder()
    await (await openSqliteStores(join(folder, 'mapcrate.db'))).care.close()
    expect(await runCli(folder, decide)).toMatchObject({ code: 0 })
    const before = await runCli(folder, ask)
    for (const words of [['restore'], ['copy', '--from']]) {
      const { code, stderr } = await runCli(folder, [...words, file])
      expect([code, stderr]).toEqual([1, expect.stringContaining('it is not empty; name a new')])
    }
    expect(await runCli(folder, ask)).toEqual(before)
  })
})

test('a store that is away is named in a line, without a stack', () => {
  const error = new StoreUnavailable('the disk of the store is full', { cause: new Error('x') })
  expect(serverProgram.describe(error)).toBe(
    'the disk of the store is full: x; try again once that is over',
  )
})
