import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freshFolder, makeKey, runCli } from '../support/processes.ts'

const program = fileURLToPath(new URL('../../src/cli/mapcrate-server.ts', import.meta.url))

/** The superuser may read and write everything. */
const drop = `if (process.getuid?.() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }`
const asNobody = ['--import', `data:text/javascript,${encodeURIComponent(drop)}`]

/** Runs a command in a process of its own, that of a shell which prepares it. */
const run = async (
  dataDir: string,
  words: readonly string[],
  { first = '', node = [] }: { first?: string; node?: readonly string[] } = {},
) => {
  const args = ['-c', `${first} exec "$0" "$@"`, process.execPath, ...node, program, ...words]
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir }
  const child = spawn('sh', args, { env })
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const [code] = await once(child, 'close')
  return { code, stdout: await stdout, stderr: await stderr }
}

test.each([
  { what: 'the folder', mode: 0o700 },
  { what: 'the store', mode: 0o777 },
  { what: 'the store but for reading', mode: 0o777, fileMode: 0o444 },
])(
  'where this user may not use $what, that is said, not that there is no store',
  async ({ mode, fileMode }) => {
    // Nobody else can make a file that they may not read, and then run a command as another user.
    if (process.getuid?.() !== 0) return
    const folder = await freshFolder()
    await chmod(folder, 0o755)
    const data = join(folder, 'data')
    await makeKey(data)
    await chmod(data, mode)
    const file = join(data, 'mapcrate.db')
    const place = mode === 0o700 ? data : file
    if (fileMode !== undefined) await chmod(file, fileMode)
    const refused = `this user may not read and write ${place}; run this as the user of the server`
    const notReadable = `${file} cannot be read: you do not have permission`
    const ways: readonly (readonly [words: readonly string[], refusal: string])[] = [
      ...(mode === 0o700 || fileMode !== undefined ? [[['serve'], refused] as const] : []),
      ...(fileMode === undefined
        ? [[['moderators'], refused] as const, [['copy', '--from', file], notReadable] as const]
        : []),
    ]
    for (const [words, refusal] of ways) {
      const { code, stdout, stderr } = await run(data, words, { node: asNobody })
      expect(stderr).toContain(refusal)
      expect([code, stdout]).toEqual([1, ''])
    }
  },
)

const commands = [['moderators'], ['notice', 'x']]

test('a full disk is named where SQLite says "disk I/O error", as is a limit for files', async () => {
  const data = join(await freshFolder(), 'data')
  await makeKey(data)
  // SQLite cannot make the files beside the store; why, only the probe finds out.
  const first = "trap '' XFSZ; ulimit -f 0;"
  for (const words of commands) {
    const limited = await run(data, words, { first })
    expect(limited.stderr).toContain('the limit of this user for the size of a file is reached')
    // A device that has no room for what is written to it.
    await symlink('/dev/full', join(data, 'mapcrate.db-probe'))
    const full = await run(data, words, { first })
    expect(full.stderr).toMatch(/: the disk of the store is full; free some space there \(DATA_DIR/)
    expect([limited.code, limited.stdout, full.code, full.stdout]).toEqual([1, '', 1, ''])
  }
  expect(await run(data, ['notice'])).toEqual({
    code: 0,
    stdout: 'there is no notice\n',
    stderr: '',
  })
  expect((await readdir(data)).filter((name) => name.includes('probe'))).toEqual([])
})

test('a full disk is named, where a small file system may be mounted', async () => {
  const data = await mkdtemp(join(tmpdir(), 'mapcrate-disk-'))
  onTestFinished(() => rm(data, { recursive: true, force: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', data], { stdio: 'ignore' })
  } catch {
    return
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', data]))
  await makeKey(data)
  await writeFile(join(data, 'ballast'), Buffer.alloc(8_388_608)).catch(() => {})
  for (const words of commands) {
    const { code, stderr } = await run(data, words)
    expect(stderr).toContain('the disk of the store is full; free some space there')
    expect(code).toBe(1)
  }
  await rm(join(data, 'ballast'))
  expect((await run(data, ['notice', 'x'])).code).toBe(0)
})

test('a disk that is full before a store is made is named, however far it went', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'mapcrate-disk-'))
  onTestFinished(() => rm(disk, { recursive: true, force: true }))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', disk], { stdio: 'ignore' })
  } catch {
    return
  }
  onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
  const data = join(disk, 'data')
  const key = ['key', '--service', 'packs', '--game-id', '7', '--username', 'Ada']
  for (const kilobytes of [0, 8, 40, 64, 100, 200, 400]) {
    await rm(data, { recursive: true, force: true })
    await writeFile(join(disk, 'ballast'), Buffer.alloc((2048 - kilobytes) * 1024)).catch(() => {})
    const { code, stderr } = await runCli(data, key)
    expect({ kilobytes, code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/the disk of the store is full; free some space there/),
    })
    await rm(join(disk, 'ballast'))
  }
  expect((await runCli(data, key)).code).toBe(0)
})

test('a store that a newer version has migrated is refused by each command, and stays as it is', async () => {
  const data = join(await freshFolder(), 'data')
  await makeKey(data)
  const file = join(data, 'mapcrate.db')
  {
    using store = new DatabaseSync(file)
    store.exec("insert into migration (name, hash) values ('9999-later.sql', 'x')")
  }
  const before = await readFile(file)
  for (const words of [
    ['serve'],
    ['moderators'],
    ['delete-account', '--game-id', '4711', '--yes'],
    ['backup', join(data, 'copy.db')],
    ['copy', '--from', file, '--to', join(data, 'other.db')],
  ]) {
    const { code, stdout, stderr } = await runCli(data, words, {
      env: { PORT: '0', POOLS_PORT: '0' },
    })
    expect(stderr).toContain(
      'The store was made by a newer version (9999-later.sql is not known here)',
    )
    expect(stderr).toContain('or restore the backup that was made before the upgrade')
    expect({ words, code, stdout }).toEqual({ words, code: 1, stdout: '' })
  }
  expect((await readFile(file)).equals(before)).toBe(true)
})
