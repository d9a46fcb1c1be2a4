import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, program, runMapcrate, Running } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
let players = 100
let host: Host
let folder: string
let env: Record<string, string>

afterAll(() => house.close())
beforeEach(async () => {
  players += 1
  host = await house.hostOf(players, `Ada ${players}`)
  env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
  folder = await freshFolder()
})

const sync = (...args: string[]) => runMapcrate(['sync', folder, ...args], { env })
const statusOf = async (slug: string) => (await host.get(`/packs/${slug}`)).status

/** What can have the name of a file that a pack was synchronized with. */
const entries: Readonly<Record<string, (path: string) => unknown>> = {
  'a file that was changed': (path) => writeFile(path, 'NM1,76\n'),
  'a file that nobody can read as a pool': (path) => writeFile(path, '?'),
  'a link to a file that is not there': (path) => symlink(join(folder, 'away', 'a'), path),
  'a link to itself': (path) => symlink(path, path),
  'a folder': (path) => mkdir(path),
  'a link to a folder': (path) => symlink(folder, path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
}

describe('sync --delete', () => {
  it('deletes a pack if nothing has the name of its file', async () => {
    const slug = await host.save(aPack({ name: 'Finals' }))
    await sync('--yes')
    await rm(join(folder, 'Finals.json'))
    expect((await sync('--yes', '--delete')).code).toBe(0)
    expect(await statusOf(slug)).toBe(404)
  })

  it.each(Object.keys(entries))('deletes no pack while there is %s', async (what) => {
    const slug = await host.save(aPack({ name: 'Finals' }))
    await sync('--yes')
    const path = join(folder, 'Finals.json')
    await rm(path)
    await entries[what]!(path)
    await writeFile(join(folder, 'Round 1.csv'), 'NM1,75\n')
    const { stderr } = await sync('--yes', '--delete')
    expect(await statusOf(slug)).toBe(200)
    expect(stderr).toContain('save new pack: Round 1.csv')
  })

  it.each(Object.keys(entries))('deletes no pack if %s came after the plan', async (what) => {
    const slug = await host.save(aPack({ name: 'Finals' }))
    await sync('--yes')
    const path = join(folder, 'Finals.json')
    await rm(path)
    await host.save(aPack({ name: 'Other' }))
    const bring = async () => {
      await entries[what]!(path)
      return 'y\n'
    }
    const { code } = await inTerminal(
      ['sync', folder, '--delete'],
      [[/Do 2 things\? \[y\/N\] /, bring]],
      { env },
    )
    expect(code).toBe(3)
    expect(await statusOf(slug)).toBe(200)
    expect(await readdir(folder)).toContain('Other.json')
  })
})

describe('sync', () => {
  it('names each file that is not in UTF-8, or whose link leads nowhere, in place of passing it over', async () => {
    const latin = Buffer.concat([
      Buffer.from(join(folder, 'caf')),
      Buffer.from([0xe9]),
      Buffer.from('.csv'),
    ])
    await writeFile(latin, 'NM1,75\n')
    await symlink(join(folder, 'away'), join(folder, 'Link.tsv'))
    const { code, stdout } = await sync('--yes')
    expect(stdout).toMatch(/^caf\uFFFD\.csv +REFUSED$[^]*^its name is not valid UTF-8; rename it$/m)
    expect(stdout).toMatch(/^Link\.tsv +REFUSED$[^]*^it is a link to a file that is not there/m)
    expect(code).toBe(3)
  })

  it('gives a new file a name that no folder has', async () => {
    await mkdir(join(folder, 'Finals.json'))
    const slug = await host.save(aPack({ name: 'Finals' }))
    expect((await sync('--yes')).code).toBe(0)
    expect(await readdir(folder)).toContain(`Finals ${slug}.json`)
  })

  it('goes on behind a file that it may not write', async () => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: 80 }]
    const slugs = await Promise.all(['A', 'B'].map((name) => host.save(aPack({ name }))))
    await sync('--yes')
    for (const slug of slugs) await host.put(slug, { ...aPack({ slots }), name: 'New' })
    const [a, b] = ['A.json', 'B.json'].map((name) => join(folder, name))
    for (const path of [folder, join(folder, '.mapcrate-sync.json'), b!]) await chmod(path, 0o777)
    await chmod(a!, 0o444)
    // The superuser may write everywhere.
    const drop = `if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534) }`
    const hook = `data:text/javascript,${encodeURIComponent(drop)}`
    const paths = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
    const args = ['--import', hook, program, 'sync', folder, '--yes']
    const child = spawn(process.execPath, args, { env: { ...env, ...paths } })
    const { code, stderr } = await new Running(child).ended
    expect(stderr).toMatch(/^A\.json: .*A\.json cannot be written: you do not have permission/m)
    expect(stderr).toContain('write file: B.json')
    expect(code).toBe(3)
    expect(await readFile(a!, 'utf8')).not.toContain('"New"')
    expect(await readFile(b!, 'utf8')).toContain('"New"')
  })
})
