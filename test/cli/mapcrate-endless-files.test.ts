import { execFileSync } from 'node:child_process'
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())
beforeEach(() => house.clock.nextMinute())

/** Files that have no end, or that wait for one who never comes; each makes itself under a name. */
const files: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'a link to a device without an end': (file) => symlink('/dev/zero', file),
  'a link to another link to it': async (file) => {
    await symlink('/dev/zero', `${file}.target`)
    await symlink(`${file}.target`, file)
  },
  'a pipe that nobody writes to': async (file) => void execFileSync('mkfifo', [file]),
  'a link to a pipe that nobody writes to': async (file) => {
    execFileSync('mkfifo', [`${file}.pipe`])
    await symlink(`${file}.pipe`, file)
  },
  'a file that is larger than all that is read': async (file) => {
    await writeFile(file, '')
    await truncate(file, 65 * 1024 * 1024)
  },
}

/** All commands that read a file that they are given, or that is in a folder. */
const commands: Readonly<Record<string, (slug: string, name: string) => readonly string[]>> = {
  import: (_, name) => ['import', name],
  create: (_, name) => ['create', name],
  replace: (slug, name) => ['replace', slug, name],
  'key encode': (_, name) => ['key', 'encode', name],
  'key find': (_, name) => ['key', 'find', name],
  sync: () => ['sync', '.', '--dry-run'],
  'export --merge': (slug, name) => ['export', slug, '--as', 'bracket', '--merge', name],
  'watch --out': (slug, name) => ['watch', slug, '--as', 'overlay', '--out', name],
  'tournament import': (_, name) => ['tournament', 'import', 'AAAAAAAAAA', name],
  'tournament set --discord': (_, name) => ['tournament', 'set', 'AAAAAAAAAA', '--discord', name],
}

describe.each(Object.keys(files))('%s', (what) => {
  it.each(Object.keys(commands))('is refused by %s with its name', async (command) => {
    const folder = await freshFolder()
    await mkdir(join(folder, 'own'))
    const cwd = join(folder, 'own')
    const [packs, pools] = [await house.host(), await house.host('pools')]
    const slug = await packs.save(aPack())
    await files[what]!(join(cwd, 'a.json'))
    const env = {
      MAPCRATE_URL: house.doors.packs.url,
      MAPCRATE_KEY: packs.key,
      MAPCRATE_POOLS_URL: house.doors.pools.url,
      MAPCRATE_POOLS_KEY: pools.key,
    }
    const ending = await runMapcrate(commands[command]!(slug, 'a.json'), { cwd, env })
    expect(ending.stdout + ending.stderr).toMatch(
      /a\.json.* (?:is no ordinary file; give the name of one|has more than 67108864 bytes)/,
    )
    // Of a folder, the rest is done.
    expect(ending.code).toBe(command === 'sync' ? 3 : 1)
  })
})

it.skipIf(process.platform !== 'linux')(
  'settings are refused with a reason where no folder can be made',
  async () => {
    const host = await house.host()
    const input = `${house.doors.packs.url}\n${host.key}\n`
    const env = { XDG_CONFIG_HOME: '/proc/nowhere' }
    const ending = await runMapcrate(['login'], { input, env })
    expect(ending.code).toBe(1)
    expect(ending.stderr).toMatch(/^mapcrate login: \/proc\/nowhere\/.* cannot be written: /)
  },
)
