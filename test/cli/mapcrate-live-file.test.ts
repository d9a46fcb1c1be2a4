import { spawn } from 'node:child_process'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Pool } from '../../src/pool/pool.ts'
import { writeOverlay } from '../../src/formats/picks.ts'
import { Host } from '../support/house.ts'
import { freshFolder, makeKey, startServer } from '../support/processes.ts'
import { program, runMapcrate, Running, startMapcrate } from '../support/run-mapcrate.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { until } from '../support/until.ts'

let house: SiteHouse
let host: Host
let env: Record<string, string>
let looks = 0

beforeAll(async () => {
  house = await openSiteHouse({
    onAnswer: ({ route }) => {
      if (route.endsWith('/session/beatmaps')) looks += 1
    },
  })
  host = await house.hostOf(7, 'Ada')
  env = { MAPCRATE_URL: house.urls.packs, MAPCRATE_KEY: host.key }
})
// An account has sixty requests a minute, and the hand-set clock stands still.
beforeEach(() => house.clock.advance(60_000))
afterAll(() => house.close())

const aPool = (...ids: number[]): Pool => ({
  name: 'Finals',
  slots: ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId })),
  buckets: null,
})
const bodyOf = ({ name, slots }: Pool) => ({ name, slots: [...slots] })
const [before, after] = [aPool(129891, 75), aPool(129891, 76)]

const argsOf = (slug: string, format: string, file: string, more: readonly string[] = []) => [
  'watch',
  slug,
  '--as',
  format,
  '--out',
  file,
  '--every',
  '5',
  ...more,
]
const start = async (args: readonly string[], more = env) => {
  const running = await startMapcrate(args, { env: more })
  await running.says('stderr', /^Watching Finals; press Ctrl\+C to stop\.$/m)
  return running
}
const stop = async (running: Running) => {
  running.child.kill('SIGINT')
  return running.ended
}
const holds = (file: string, content: string) =>
  until(async () => (await readFile(file, 'utf8').catch(() => null)) === content)

describe('watch --as --out', () => {
  it('writes the file at once and at each change, never half, and leaves it at Ctrl+C', async () => {
    const slug = await host.save(bodyOf(before))
    const folder = await freshFolder()
    const file = join(folder, 'overlay.json')
    const running = await start(argsOf(slug, 'overlay', file))
    expect(await readFile(file, 'utf8')).toBe(writeOverlay(before))
    const seen = new Set<string>()
    const isOver = new AbortController()
    const reader = (async () => {
      while (!isOver.signal.aborted) {
        seen.add(await readFile(file, 'utf8'))
        await pause(1)
      }
    })()
    await host.put(slug, bodyOf(after))
    await holds(file, writeOverlay(after))
    isOver.abort()
    await reader
    // On a busy machine, the reader's last look was before the last change.
    seen.add(await readFile(file, 'utf8'))
    expect([...seen]).toEqual([writeOverlay(before), writeOverlay(after)])
    const { code, stderr, stdout } = await stop(running)
    expect(stdout).toMatch(/NM2/)
    expect(stderr.match(/^Wrote .*overlay\.json$/gm)).toHaveLength(2)
    expect(code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(writeOverlay(after))
    expect(await readdir(folder)).toEqual(['overlay.json'])
  })

  it('refuses a file that is there, unless it is the same already, or by --force', async () => {
    const slug = await host.save(bodyOf(before))
    const folder = await freshFolder()
    const file = join(folder, 'overlay.json')
    await writeFile(file, 'mine')
    const refused = await runMapcrate(argsOf(slug, 'overlay', file), { env })
    expect(refused.stderr).toMatch(/exists already and was not changed; --force overwrites it\n$/)
    expect(refused.code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('mine')
    const forced = await start(argsOf(slug, 'overlay', file, ['--force']))
    expect((await stop(forced)).code).toBe(0)
    expect(await readFile(file, 'utf8')).toBe(writeOverlay(before))
    const { ino } = await stat(file)
    const same = await start(argsOf(slug, 'overlay', file))
    expect((await stop(same)).stderr).not.toContain('Wrote')
    expect((await stat(file)).ino).toBe(ino)
    const dir = await runMapcrate(argsOf(slug, 'overlay', folder), { env })
    expect(dir.stderr).toMatch(/it is a folder; give the name of a file\n$/)
    expect(dir.code).toBe(1)
  })

  it('says that its folder is gone, goes on, and writes again when it is back', async () => {
    const slug = await host.save(bodyOf(before))
    const folder = join(await freshFolder(), 'stream')
    const elsewhere = `${folder}.old`
    const file = join(folder, 'codes.json')
    await expect(start(argsOf(slug, 'codes', file))).rejects.toThrow(/its folder does not exist/)
    await mkdir(folder)
    const running = await start(argsOf(slug, 'codes', file))
    await rename(folder, elsewhere)
    await running.says('stderr', /codes\.json cannot be written: its folder does not exist/)
    await host.put(slug, bodyOf(after))
    await mkdir(folder)
    await until(async () => (await readFile(file, 'utf8').catch(() => '')).includes('76'))
    // A moment longer, what is linked to the name has its first name, too.
    const { code, stderr } = await stop(running)
    expect(await readdir(folder)).toEqual(['codes.json'])
    expect(stderr.match(/cannot be written/g)).toHaveLength(1)
    expect(code).toBe(0)
  })

  it('says that the file is read-only or changed by others, leaves it, and goes on', async () => {
    const slug = await host.save(bodyOf(before))
    const folder = await freshFolder()
    const file = join(folder, 'ids.txt')
    await chmod(folder, 0o777)
    // The superuser may write everywhere.
    const drop = `if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534) }`
    const hook = `data:text/javascript,${encodeURIComponent(drop)}`
    const args = ['--import', hook, program, ...argsOf(slug, 'ids', file)]
    const paths = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
    const running = new Running(spawn(process.execPath, args, { env: { ...env, ...paths } }))
    await running.says('stderr', /^Watching/m)
    await chmod(file, 0o444)
    await host.put(slug, bodyOf(after))
    await running.says('stderr', /ids\.txt cannot be written: you do not have permission; check /)
    expect(await readFile(file, 'utf8')).toBe('129891\n75\n')
    await chmod(file, 0o644)
    await holds(file, '129891\n76\n')
    await writeFile(file, 'mine\n')
    await running.says('stderr', /ids\.txt was changed by another program and is left as it is; /)
    expect(await readFile(file, 'utf8')).toBe('mine\n')
    await rm(file)
    await holds(file, '129891\n76\n')
    expect((await stop(running)).code).toBe(0)
    expect(await readdir(folder)).toEqual(['ids.txt'])
  })

  it('looks beatmaps up again only when other ones are there, or other stats', async () => {
    const slug = await host.save(bodyOf(before))
    const file = join(await freshFolder(), 'finals.csv')
    const running = await start(argsOf(slug, 'csv', file))
    expect(await readFile(file, 'utf8')).toMatch(/^NM1,129891,39804,xi,FREEDOM DiVE,/m)
    const first = looks
    expect(first).toBeGreaterThan(0)
    const [one, two] = before.slots
    const slots = [one!, { ...two!, index: 7 }]
    await host.put(slug, bodyOf({ ...before, slots }))
    await until(async () => (await readFile(file, 'utf8')).includes('NM7,75,'))
    expect(await readFile(file, 'utf8')).toMatch(/^NM7,75,\d+,[^,]/m)
    expect(looks).toBe(first)
    await host.put(slug, bodyOf(after))
    await until(async () => /^NM2,76,\d+,[^,]/m.test(await readFile(file, 'utf8')))
    expect(looks).toBeGreaterThan(first)
    expect((await stop(running)).code).toBe(0)
  })

  it('keeps the file while the service is restarted, and when the pack is gone', async () => {
    const data = await freshFolder()
    const first = await startServer(data)
    const { port } = new URL(first.packs.url)
    const key = await makeKey(data)
    const own = new Host(first.packs, 4711, 'Ada', key)
    const slug = await own.save(bodyOf(before))
    const file = join(await freshFolder(), 'overlay.json')
    const args = argsOf(slug, 'overlay', file)
    const running = await start(args, { MAPCRATE_URL: first.packs.url, MAPCRATE_KEY: key })
    await first.stop()
    await running.says('stderr', /nothing accepts connections there/)
    expect(await readFile(file, 'utf8')).toBe(writeOverlay(before))
    const second = await startServer(data, { PORT: port })
    await own.put(slug, bodyOf(after))
    await holds(file, writeOverlay(after))
    await own.delete(slug)
    const { code, stderr } = await running.ended
    expect(stderr).toMatch(/the pack is gone, or hidden from you; \S+ was left as it was\n$/)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe(writeOverlay(after))
    await second.stop()
  })
})
