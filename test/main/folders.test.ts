import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeFolder } from '../../src/adapters/storage/folder.ts'
import { freshFolder, runCli } from '../support/processes.ts'

/** Where no folder can be made, by why; null where this machine has no such place. */
const hopeless: Readonly<Record<string, () => Promise<string | null>>> = {
  'a file is there': async () => {
    const file = join(await freshFolder(), 'file')
    await writeFile(file, '')
    return file
  },
  'it would be below a file': async () => {
    const file = join(await freshFolder(), 'file')
    await writeFile(file, '')
    return join(file, 'one', 'two')
  },
  'a link leads nowhere': async () => {
    const link = join(await freshFolder(), 'link')
    await symlink(join(link, 'nowhere'), link)
    return join(link, 'one')
  },
  'its name is too long': async () => join(await freshFolder(), 'x'.repeat(300)),
  'the folder above takes none': async () =>
    existsSync('/proc/self') ? '/proc/mapcrate/data' : null,
}

describe.each(Object.entries(hopeless))('a folder that cannot be made: %s', (_, place) => {
  test('no attempt lasts for ever', async () => {
    const path = await place()
    if (path === null) return
    await expect(makeFolder(path)).rejects.toThrow(/^[A-Z]+: /)
    await expect(makeFolder(path, 0o700)).rejects.toThrow(/^[A-Z]+: /)
  })

  test.each([
    ['DATA_DIR', ['serve']],
    ['DATA_DIR', ['key', '--service', 'packs', '--game-id', '4711', '--username', 'Ada']],
    ['INDEX_DIR', ['serve']],
  ])(
    '%s there ends %j with its name, its place and what helps, in one line',
    async (name, words) => {
      const path = await place()
      if (path === null) return
      const data = join(await freshFolder(), 'data')
      const ports = { PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0' }
      const { code, stdout, stderr } = await runCli(data, words, {
        env: { ...ports, [name]: path },
      })
      expect(stderr).toMatch(
        /^mapcrate-server (serve|key): .*give a folder that this user may write to.*\n$/,
      )
      expect(stderr).toContain(name)
      expect(stderr).toMatch(new RegExp(`${path}"? cannot be (made|written to)`))
      expect([code, stdout, existsSync(data)]).toEqual([1, '', false])
    },
  )
})

/** The superuser may write everywhere. */
const drop = `if (process.getuid?.() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534) }`
const asNobody = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(drop)}` }

test('INDEX_DIR that this user may not write to ends the start', async () => {
  const folder = await freshFolder()
  await chmod(folder, 0o755)
  const directory = join(folder, 'index')
  await mkdir(join(directory, 'packs'), { recursive: true })
  await chmod(join(directory, 'packs'), 0o555)
  const env = { ...asNobody, INDEX_DIR: directory, PORT: '0', POOLS_PORT: '0' }
  const { code, stderr } = await runCli(join(folder, 'data'), ['serve'], { env })
  expect(stderr).toBe(
    `mapcrate-server serve: INDEX_DIR "${directory}" cannot be written to (EACCES); give a folder that this user may write to\n`,
  )
  expect(code).toBe(1)
})

test('what is missing above a folder is made with it, once however many make it, and what is there stays', async () => {
  const top = await freshFolder()
  await chmod(top, 0o750)
  const path = join(top, 'one', 'two', 'three')
  const before = process.umask(0o077)
  try {
    await Promise.all(Array.from({ length: 8 }, () => makeFolder(path, 0o701)))
    await mkdir(join(path, 'four'))
    await makeFolder(join(path, 'four'), 0o701)
  } finally {
    process.umask(before)
  }
  const modes = [top, join(top, 'one'), join(top, 'one', 'two'), path, join(path, 'four')]
  const found = await Promise.all(modes.map(async (each) => (await stat(each)).mode & 0o777))
  expect(found).toEqual([0o750, 0o701, 0o701, 0o701, 0o700])
  expect(await readdir(top)).toEqual(['one'])
})

test('INDEX_DIR with a folder in the place of the index ends the start', async () => {
  const directory = await freshFolder()
  await mkdir(join(directory, 'packs/index.json'), { recursive: true })
  const env = { INDEX_DIR: directory, PORT: '0', POOLS_PORT: '0', PLATFORM_PORT: '0' }
  const { code, stderr } = await runCli(await freshFolder(), ['serve'], { env })
  expect(stderr).toContain(`INDEX_DIR "${directory}" cannot be written to (EISDIR)`)
  expect(code).toBe(1)
})
