import { writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Host } from '../support/house.ts'
import { openSiteHouse } from '../support/site-house.ts'
import { freshFolder } from '../support/processes.ts'
import { type RunOptions, inTerminal, runMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'
import { keepsConnections } from '../support/http.ts'

const house = await openSiteHouse()
let host: Host
let env: Record<string, string>

beforeAll(async () => {
  host = await house.hostOf(7, 'Ada')
  env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key }
})
// An account has ten writes a minute, and the hand-set clock stands still.
beforeEach(() => house.clock.advance(60_000))
afterAll(() => house.close())

const run = (args: readonly string[], options: RunOptions = {}) =>
  runMapcrate(args, { ...options, env: { ...env, ...options.env } })

const runJson = async (args: readonly string[], options: RunOptions = {}) => {
  const ending = await run([...args, '--json'], options)
  expect(ending.stderr).toBe('')
  expect(ending.code).toBe(0)
  return JSON.parse(ending.stdout)
}

describe('list', () => {
  it('shows public packs, and with --mine all of yours', async () => {
    const lister = await house.hostOf(9, 'Lister')
    env = { ...env, MAPCRATE_KEY: lister.key }
    await lister.save(aPack({ name: 'Open Cup', visibility: 'public' }))
    const slug = await lister.save(aPack({ name: 'Quiet Cup 春', visibility: 'private' }))
    const open = await run(['list'])
    expect(open.stdout).toMatch(/^SLUG +NAME +BEATMAPS +STARS +OWNER +SAVED\n/)
    expect(open.stdout).toMatch(/Open Cup +3 +Lister/)
    expect(open.stdout).not.toContain('Quiet Cup')
    const mine = await run(['list', '--mine'])
    expect(mine.stdout).toMatch(new RegExp(`^${slug}  Quiet Cup 春 +3 +private`, 'm'))
    const packs = await runJson(['list', '--mine', '--all'])
    expect(packs.map((pack: { name: string }) => pack.name)).toEqual(['Quiet Cup 春', 'Open Cup'])
    env = { ...env, MAPCRATE_KEY: host.key }
  })

  it.each([
    [['--page', '0'], /--page "0"/],
    [['--page', '1', '--all'], /--all or --page/],
    [['mine'], /"mine" is one too many/],
  ])('refuses %j as wrong use', async (args, reason) => {
    const { code, stderr } = await run(['list', ...args])
    expect(stderr).toMatch(reason)
    expect(code).toBe(2)
  })
})

describe('get, create, replace and delete', () => {
  it.each(['create', 'import'])('%s names what it ignores of a file (D-49)', async (command) => {
    const [slot, ...slots] = aPack().slots
    const file = { ...aPack(), visibilty: 'public', slots: [{ ...slot, beatmapid: 5 }, ...slots] }
    for (const body of [file, { pack: file }]) {
      const { code, stderr } = await run([command, '-'], { input: JSON.stringify(body) })
      expect(stderr).toContain('ignored: there is no field slots[0].beatmapid; is it beatmapId?\n')
      expect(stderr).toContain('ignored: there is no field visibilty; is it visibility?\n')
      expect(code).toBe(0)
    }
  })

  it('create saves what get --json gives, and get shows it', async () => {
    const slug = await host.save(
      aPack({
        description: 'Two\nlines',
        buckets: [{ code: 'RC', color: 3, mods: { kind: 'free' } }],
      }),
    )
    const pack = await runJson(['get', slug])
    const copy = await runJson(['create', '-', '--name', 'A copy'], { input: JSON.stringify(pack) })
    const { name, visibility, description, slots, buckets } = copy
    expect({ name, visibility, description, slots, buckets }).toEqual({
      name: 'A copy',
      visibility: 'unlisted',
      description: 'Two\nlines',
      slots: pack.slots,
      buckets: pack.buckets,
    })
    const { stdout } = await run(['get', copy.slug])
    expect(stdout).toContain('A copy  unlisted, by Ada\nTwo\nlines\n')
    expect(stdout).toMatch(/^NM1 +4392947 +https:\/\/osu\.ppy\.sh\/b\/4392947$/m)
    expect(stdout).toContain(`\n${copy.packKey}\n`)
  })

  it('replace keeps what a sheet does not say: name, description, visibility and buckets', async () => {
    const before = aPack({
      name: 'Finals',
      visibility: 'public',
      description: 'The last one',
      slots: [{ mod: 'RC', index: 1, beatmapId: 1 }],
      buckets: [{ code: 'RC', color: 7, mods: { kind: 'forced', set: ['HD', 'DT'] } }],
    })
    const slug = await host.save(before)
    const { code, stdout } = await run(['replace', slug, '-'], { input: 'RC1\t2\nRC2\t3\n' })
    expect(code).toBe(0)
    expect(stdout).toBe(`${slug}  Finals, 2 beatmaps, public: ${host.door.url}/p/${slug}\n`)
    const { pack } = (await host.get(`/packs/${slug}`)).json
    expect(pack).toMatchObject({
      name: 'Finals',
      visibility: 'public',
      description: 'The last one',
    })
    expect(pack.buckets).toContainEqual(before.buckets?.[0])
    expect(pack.slots.map((slot: { beatmapId: number }) => slot.beatmapId)).toEqual([2, 3])
  })

  it('create and replace leave out slots that have no beatmap yet, and name them (D-77)', async () => {
    const slug = await host.save(aPack())
    for (const args of [
      ['create', '-'],
      ['replace', slug, '-'],
    ]) {
      const { code, stderr } = await run(args, { input: 'NM1 75\nTB1 TBA\n' })
      expect(stderr).toBe('TB has no beatmap yet: left out\n')
      expect(code).toBe(0)
      const none = await run(args, { input: 'TB1 TBA\n' })
      expect(none.stderr).toMatch(/there is no beatmap in it/)
      expect(none.code).toBe(1)
    }
    expect((await host.get(`/packs/${slug}`)).json.pack.slots).toHaveLength(1)
  })

  it('create and replace save nothing of a file that is not whole', async () => {
    const slug = await host.save(aPack())
    for (const args of [
      ['create', '-'],
      ['replace', slug, '-'],
    ]) {
      const { code, stdout, stderr } = await run(args, { input: 'NM1 75\nNM2 is what\n' })
      expect(stderr).toMatch(/nothing was saved: line 2, “NM2 is what”/)
      expect(stdout).toBe('')
      expect(code).toBe(1)
    }
    expect((await host.get(`/packs/${slug}`)).json.pack.slots).toHaveLength(3)
  })

  it('delete asks in a terminal, and does nothing without a yes', async () => {
    const slug = await host.save(aPack({ name: 'Old Cup' }))
    const no = await inTerminal(
      ['delete', slug],
      [[/Delete Old Cup \(3 beatmaps\) for good\? \[y\/N\] /, '\n']],
      { env },
    )
    expect(no.code).toBe(1)
    expect(no.screen).toContain('nothing was deleted')
    const mute = await run(['delete', slug])
    expect(mute.stderr).toMatch(/no terminal to ask on; say --yes/)
    expect(mute.code).toBe(2)
    expect((await host.get(`/packs/${slug}`)).status).toBe(200)
    const yes = await inTerminal(['delete', slug], [[/\[y\/N\] /, 'y\n']], { env })
    expect(yes.code).toBe(0)
    expect((await host.get(`/packs/${slug}`)).status).toBe(404)
  })

  it('a slug may begin with a hyphen, and what cannot be one is told like one that nobody has', async () => {
    for (const slug of ['-aaaaaaaaa', '--aaaaaaaa', 'short', '../me']) {
      const { code, stderr } = await run(['get', slug])
      expect(stderr).toMatch(/^mapcrate get: .*(no pack|a slug is)/)
      expect(code).toBe(1)
    }
  })
})

describe('wrong use', () => {
  it.each([
    [[], /no command given/],
    [['frobnicate'], /there is no command "frobnicate"/],
    [['get'], /SLUG is missing/],
    [['create', '--name'], /--name has no value/],
    [['create', '--name', 'a', '--name', 'b', 'x'], /--name is given twice/],
    [['create', '--visibility', 'secret', 'x'], /--visibility "secret"/],
    [['me', '--json=1'], /--json takes no value/],
    [['me', '--yes'], /no option "--yes"/],
    [['export', 'aaaaaaaaaa'], /--as is missing/],
    [['export', 'aaaaaaaaaa', '--as', 'csv', '--merge', 'x'], /for --as bracket/],
    [['key', 'open', 'x'], /"open" is not known; give encode, decode, find/],
    [['watch', 'aaaaaaaaaa', '--every', '1'], /--every "1"/],
    [['watch', 'aaaaaaaaaa', '--as', 'overlay'], /--out FILE is missing/],
    [['watch', 'aaaaaaaaaa', '--out', 'x'], /--as is missing; give bracket, /],
    [['watch', 'aaaaaaaaaa', '--as', 'overlay', '--out', '-'], /--out must be a file/],
    [['watch', 'aaaaaaaaaa', '--as', 'osdb', '--out', 'x'], /--as "osdb" is not known; give /],
    [['export', 'aaaaaaaaaa', '--as', 'cvs'], /--as "cvs" .*; did you mean csv\?/],
    [['export', 'aaaaaaaaaa', '--as', 'brackets'], /--as "brackets" .*; did you mean bracket\?/],
    [['watch', 'aaaaaaaaaa', '--force'], /--force is for --as and --out/],
  ])(
    '%j exits 2 with the reason, before anything is asked of the service',
    async (args, reason) => {
      const { code, stdout, stderr } = await runMapcrate(args, {
        env: { MAPCRATE_URL: 'http://127.0.0.1:1', MAPCRATE_KEY: 'packs_x' },
      })
      expect(stderr).toMatch(reason)
      expect(stderr).toMatch(/\nSee mapcrate .*--help\.\n$/)
      expect(stdout).toBe('')
      expect(code).toBe(2)
    },
  )
})

describe('key', () => {
  it('encode, find and decode go round, and say what a damaged key is', async () => {
    const folder = await freshFolder()
    await writeFile(join(folder, 'Semifinals.txt'), 'NM1 75\nHD1 https://osu.ppy.sh/b/76\n')
    const { stdout: key } = await runMapcrate(['key', 'encode', 'Semifinals.txt'], { cwd: folder })
    const chat = `take this: ${key.trim()}, please`
    expect((await runMapcrate(['key', 'find', '-'], { input: chat })).stdout).toBe(key)
    const pool = JSON.parse((await runMapcrate(['key', 'decode', chat, '--json'])).stdout)
    expect(pool).toEqual({
      name: 'Semifinals',
      slots: [
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'HD', index: 1, beatmapId: 76 },
      ],
    })
    const damaged = await runMapcrate(['key', 'decode', key.trim().slice(0, -1)])
    expect(damaged.stderr).toMatch(/^mapcrate key: This pack key /)
    expect(damaged.code).toBe(1)
    expect((await runMapcrate(['key', 'find', '-'], { input: 'nothing' })).code).toBe(1)
  })
})

describe('what somebody saves meanwhile', () => {
  it('is not overwritten by replace, and not deleted (D-48)', async () => {
    const slug = await host.save(aPack({ name: 'Before' }))
    const file = join(await freshFolder(), 'pool.csv')
    await writeFile(file, 'NM1,75\n')
    let isSaved = false
    const road = await passing(async ({ method }) => {
      if (isSaved || method === 'GET') return
      isSaved = true
      house.clock.advance(1)
      await host.put(slug, aPack({ name: 'Meanwhile' }))
    })
    const replaced = await run(['replace', slug, file], { env: { MAPCRATE_URL: road } })
    expect(replaced.stderr).toMatch(/was saved by somebody else at|has changed|precondition/)
    expect(replaced.code).toBe(1)
    isSaved = false
    const deleted = await run(['delete', slug, '--yes'], { env: { MAPCRATE_URL: road } })
    expect(deleted.code).toBe(1)
    expect((await host.get(`/packs/${slug}`)).json.pack.name).toBe('Meanwhile')
  })
})

/** The service behind a proxy that lets something happen before each request. */
const passing = async (before: (from: IncomingMessage) => Promise<void>): Promise<string> => {
  const { port } = new URL(host.door.url)
  const pass = async (from: IncomingMessage, to: ServerResponse): Promise<void> => {
    const { method, url, headers } = from
    await before(from)
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(to)
    })
    from.pipe(onward)
  }
  const server = createServer(keepsConnections, (from, to) => void pass(from, to))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('the address of a pack', () => {
  it('stands in place of its slug, of this service alone', async () => {
    const slug = await host.save(aPack({ name: 'By address' }))
    const site = host.door.url
    for (const address of [
      `${site}/p/${slug}`,
      `${site}/api/v1/packs/${slug}/`,
      `${new URL(site).host}/p/${slug}?from=chat#NM1`,
    ]) {
      expect((await runJson(['get', address])).slug).toBe(slug)
    }
    const elsewhere = await run(['delete', '--yes', `https://packs.example/p/${slug}`])
    expect(elsewhere.stderr).toMatch(/that pack is at packs\.example, and you are logged in to 127/)
    expect(elsewhere.code).toBe(1)
    const gone = await run(['delete', '--yes', `${site}/p/${slug}`])
    expect(gone.stdout).toBe(`deleted ${slug}, By address (3 beatmaps)\n`)
  })
})

describe('what the system refuses', () => {
  it('is told in words, with the place and what to do', async () => {
    const folder = await freshFolder()
    const stderrOf = async (...args: string[]) => (await run(args)).stderr
    const missing = join(folder, 'none.csv')
    expect(await stderrOf('create', missing)).toBe(
      `mapcrate create: ${missing} cannot be read: there is no such file; check the name\n`,
    )
    expect(await stderrOf('create', folder)).toMatch(
      /cannot be read: it is a folder; give the name of/,
    )
    expect(await stderrOf('sync', join(folder, 'none'), '--dry-run')).toMatch(
      /none cannot be read: there is no such file; check the name\n$/,
    )
    await writeFile(join(folder, 'a'), '')
    expect(await stderrOf('create', join(folder, 'a/b.csv'))).toMatch(/part of the path is a file/)
  })
})
