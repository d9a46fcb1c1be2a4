import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStores } from '../../src/adapters/storage/sqlite/open.ts'
import { expectHeldRelease } from '../support/held-release.ts'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const doing =
  (folder: string) =>
  async (...words: string[]) => {
    const { code, stdout } = await runCli(folder, words)
    expect({ words, code }).toEqual({ words, code: 0 })
    return stdout
  }

const openStores = async (folder: string) => {
  const stores = await openSqliteStores(join(folder, 'mapcrate.db'))
  onTestFinished(() => stores.care.close())
  return stores
}

test('what falls due while nothing may be changed is released when that ends, and not before (D-63)', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const server = await startServer(folder)
  await expectHeldRelease(await openStores(folder), 4711, doing(folder))
  expect((await server.stop()).code).toBe(0)
})

test('every command of the operator works while nothing else may be changed, in a copy of the store, too', async () => {
  const folder = await freshFolder()
  const does = doing(folder)
  await makeKey(folder)
  const stores = await openStores(folder)
  await stores.operatorState.setReadOnly({ reason: 'we move', since: 0 })
  const pool = join(folder, 'pool.json')
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]
  await writeFile(pool, JSON.stringify({ name: 'Finals', slots }))

  const [slug = ''] = (await does('publish', pool)).split('\n')
  expect(await does('publish', pool, '--replace', slug)).toContain(slug)
  expect(await does('pin', slug)).toBe(`pinned ${slug} (Finals)\n`)
  expect(await does('unpin', slug)).toBe(`unpinned ${slug} (Finals)\n`)
  expect(await does('hide', slug)).toBe(`hid ${slug} (Finals)\n`)
  expect(await does('unhide', slug)).toBe(`unhid ${slug} (Finals)\n`)
  expect(await does('revoke', '--service', 'packs', '--game-id', '4711')).toContain('revoked')
  await makeKey(folder)
  await does('moderator', '--game-id', '4711')
  await does('suspend', '--game-id', '4711', '--reason', 'x')
  await does('unsuspend', '--game-id', '4711')
  await does('notice', 'Down at 20:00')
  await does('copy', '--from', join(folder, 'mapcrate.db'), '--to', join(folder, 'other.db'))
  await does('backup', join(folder, 'backup.db'))
  expect(await does('unpublish', slug)).toBe(`unpublished ${slug} (Finals)\n`)
  await does('delete-account', '--game-id', '4711', '--yes')
  expect(await does('read-only')).toMatch(/^on since .*: we move\n$/)
  for (const name of ['other.db', 'backup.db']) {
    using copy = new DatabaseSync(join(folder, name), { readOnly: true })
    expect(copy.prepare('select name, text from operator_state order by name').all()).toEqual([
      { name: 'notice', text: 'Down at 20:00' },
      { name: 'read_only', text: 'we move' },
    ])
  }
})
