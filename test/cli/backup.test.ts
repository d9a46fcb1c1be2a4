import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { freshFolder, makeKey, runCli, startServer } from '../support/processes.ts'

const program = fileURLToPath(new URL('../../src/cli/mapcrate-server.ts', import.meta.url))

/** All rows of a store's file, by table, but what is derived for the search: that is made again. */
const rowsOf = (file: string): Record<string, unknown[]> => {
  const database = new DatabaseSync(file, { readOnly: true })
  const tables = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'search_%' and name not in ('beatmap_use', 'platform_state')",
    )
    .all() as { name: string }[]
  const rows = tables.map(({ name }) => {
    const all = database.prepare(`select * from "${name}" order by 1, 2`).all()
    return [name, all.filter((row) => !String(row['name']).startsWith('search_'))]
  })
  database.close()
  return Object.fromEntries(rows)
}

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

test.each<[string, (folder: string) => readonly string[], RegExp]>([
  [
    'a folder that is not there',
    (folder) => [join(folder, 'none', 'copy.db')],
    /\/none\/copy\.db cannot be written: its folder does not exist; create the folder first\n$/,
  ],
  [
    'a file in place of a folder',
    (folder) => [join(folder, 'mapcrate.db', 'copy.db')],
    /\/mapcrate\.db\/copy\.db cannot be written: part of the path is a file, .+; check the name\n$/,
  ],
  [
    'a folder for copies that is not there',
    (folder) => ['--keep', '2', join(folder, 'none')],
    /there is no folder \S+\/none; create it first, or name another\n$/,
  ],
  [
    'a file in place of a folder for copies',
    (folder) => ['--keep', '2', join(folder, 'mapcrate.db')],
    /there is no folder \S+\/mapcrate\.db; create it first, or name another\n$/,
  ],
])('%s is named with what helps', async (_, words, refusal) => {
  const folder = await freshFolder()
  await makeKey(folder)
  const { code, stdout, stderr } = await runCli(folder, ['backup', ...words(folder)])
  expect(stderr).toMatch(refusal)
  expect(stderr).not.toContain('scratch')
  expect([code, stdout]).toEqual([1, ''])
})

/** The operator's command with its stdout in a file, as a shell would have it: bytes, not text. */
const backupToFile = async (dataDir: string, target: string): Promise<string> => {
  const out = await open(target, 'w')
  const child = spawn(process.execPath, [program, 'backup', '-'], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir },
    stdio: ['ignore', out.fd, 'pipe'],
  })
  let stderr = ''
  child.stderr?.on('data', (text) => (stderr += text))
  const [code] = await once(child, 'close')
  await out.close()
  expect(code, stderr).toBe(0)
  return stderr
}

test('backup - writes the store to stdout and nothing else, and restore - takes it', async () => {
  const folder = await freshFolder()
  const server = await startServer(folder)
  const key = await makeKey(folder)
  const saved = await server.packs.ask('POST', '/packs', { key, body: pool })
  const copy = join(folder, 'copy.db')
  expect(await backupToFile(folder, copy)).toBe('')
  // Nothing is left where the copy was made.
  expect((await readdir(folder)).filter((name) => name.includes('scratch'))).toEqual([])

  const restored = join(folder, 'restored')
  const bytes = await readFile(copy)
  const ending = await runCli(restored, ['restore', '-'], { input: bytes })
  expect(ending.stderr).not.toMatch(/restore:/)
  expect(ending).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/rows copied, and the same/),
  })
  const again = join(folder, 'again.db')
  await backupToFile(restored, again)
  expect(rowsOf(again)).toEqual(rowsOf(copy))
  const slugs = (rowsOf(again)['pack'] as { slug: string }[]).map(({ slug }) => slug)
  expect(slugs).toContain(saved.json.pack.slug)
})

test('a terminal is refused', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const command = `DATA_DIR=${folder} ${process.execPath} ${program} backup -`
  const child = spawn('script', ['-qec', command, '/dev/null'])
  let shown = ''
  child.stdout.on('data', (text) => (shown += text))
  const [code] = await once(child, 'close')
  expect(shown).toMatch(/backup: stdout is a terminal; send the copy to a file/)
  expect(shown).not.toContain('SQLite format')
  expect(code).toBe(2)
})

test('a reader that goes away is told of, and nothing is left', async () => {
  const folder = await freshFolder()
  await makeKey(folder)
  const child = spawn(process.execPath, [program, 'backup', '-'], {
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: folder },
  })
  child.stdout.destroy()
  let stderr = ''
  child.stderr.on('data', (text) => (stderr += text))
  const [code] = await once(child, 'close')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^mapcrate-server backup: stdout did not take the whole copy/)
  expect((await readdir(folder)).filter((name) => name.includes('scratch'))).toEqual([])
})
