import { readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, runMapcrate, startMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'
import { keepsConnections } from '../support/http.ts'

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
const file = (name: string): string => join(folder, name)
const write = (name: string, text: string): Promise<void> => writeFile(file(name), text)
const read = (name: string): Promise<string> => readFile(file(name), 'utf8')
const names = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => !name.startsWith('.')).toSorted()
const packs = async () => (await host.get('/me/packs')).json.packs
const packOf = async (slug: string) => (await host.get(`/packs/${slug}`)).json.pack

describe('sync', () => {
  it('saves files as packs, writes packs as files, and then finds nothing to do', async () => {
    await write('Round 1.csv', 'NM1,75\nHD1,76\n')
    await host.save(aPack({ name: 'Grand: Finals', visibility: 'public', description: 'Last' }))
    const first = await sync('--yes')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(/^Round 1\.csv +save new pack$/m)
    expect(first.stdout).toMatch(/^Grand- Finals\.json +write new file +[\w-]{10}$/m)
    expect(await names()).toEqual(['Grand- Finals.json', 'Round 1.csv'])
    expect(JSON.parse(await read('Grand- Finals.json'))).toEqual(
      aPack({ name: 'Grand: Finals', visibility: 'public', description: 'Last' }),
    )
    expect((await packs()).map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Grand: Finals',
      'Round 1',
    ])
    const again = await sync('--yes')
    expect(again).toMatchObject({ code: 0, stdout: '', stderr: 'All is alike.\n' })
  })

  it('shows the plan and asks before it does anything', async () => {
    await write('Round 1.csv', 'NM1,75\n')
    const dry = await sync('--dry-run')
    expect(dry.stdout).toMatch(/^Round 1\.csv +save new pack$/m)
    expect(dry.code).toBe(0)
    const mute = await sync()
    expect(mute.stderr).toMatch(/no terminal to ask on; say --yes/)
    expect(mute.code).toBe(2)
    const no = await inTerminal(['sync', folder], [[/Do 1 thing\? \[y\/N\] /, 'n\n']], { env })
    expect(no.code).toBe(1)
    expect(await packs()).toEqual([])
    expect(await readdir(folder)).toEqual(['Round 1.csv'])
    const yes = await inTerminal(['sync', folder], [[/Do 1 thing\? \[y\/N\] /, 'y\n']], { env })
    expect(yes.screen).toContain('[                    ] 0 of 1  Round 1.csv')
    expect(yes.code).toBe(0)
    expect(await packs()).toHaveLength(1)
  })

  it('takes changes of either side to the other, and keeps what a sheet does not say', async () => {
    const slug = await host.save(aPack({ name: 'Finals', visibility: 'public' }))
    await write('Round 1.csv', 'NM1,75\n')
    await sync('--yes')
    const json = await read('Finals.json')
    await write('Finals.json', json.replace('4392947', '129891'))
    const sheet = (await packs()).find(({ name }: { name: string }) => name === 'Round 1')
    await host.put(sheet.slug, {
      ...sheet,
      name: 'Opening',
      description: 'New',
      slots: aPack().slots,
    })
    const { code, stdout } = await sync('--yes')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Finals\.json +save pack/m)
    expect(stdout).toMatch(/^NM1: 4392947 → 129891$/m)
    expect(stdout).toMatch(/^Round 1\.csv +write file/m)
    expect(await packOf(slug)).toMatchObject({
      visibility: 'public',
      slots: [{ beatmapId: 129891 }, {}, {}],
    })
    expect(await read('Round 1.csv')).toMatch(/^NM1,4392947,/m)
    await write('Round 1.csv', 'NM1,80\n')
    await sync('--yes')
    expect(await packOf(sheet.slug)).toMatchObject({
      name: 'Opening',
      description: 'New',
      slots: [{ beatmapId: 80 }],
    })
  })

  it('leaves a file alone that cannot be read, new or known, and does the rest', async () => {
    const slug = await host.save(aPack({ name: 'Finals' }))
    await sync('--yes')
    await rm(file('Finals.json'))
    await symlink(file('Finals.json'), file('Finals.json'))
    await symlink(folder, file('Round 1.csv'))
    await write('Round 2.csv', 'NM1,75\n')
    await host.save(aPack({ name: 'Round 1' }))
    const { code, stdout } = await sync('--yes', '--delete', '--prefer', 'packs')
    expect(code).toBe(3)
    expect(stdout).toMatch(new RegExp(`^Finals\\.json +REFUSED +${slug}$`, 'm'))
    expect(stdout).toMatch(/^Round 1\.csv +REFUSED$/m)
    expect(stdout).toMatch(/^Round 2\.csv +save new pack$/m)
    expect(stdout).toMatch(/Finals\.json cannot be read: its links lead in a circle$/m)
    expect((await packOf(slug)).name).toBe('Finals')
    expect(await packs()).toHaveLength(3)
    expect(await read('Round 1.json')).toContain('"Round 1"')
    await rm(file('Finals.json'))
    await write('Finals.json', 'NM1,76\n')
    expect((await sync('--yes')).stdout).toMatch(/^Finals\.json +save pack/m)
  })

  it('shows what changed on both sides, touches neither, and obeys --prefer', async () => {
    const slug = await host.save(aPack({ name: 'Finals' }))
    await sync('--yes')
    const json = await read('Finals.json')
    const mine = json.replace('4392947', '111')
    await write('Finals.json', mine)
    await host.put(
      slug,
      aPack({ name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 222 }] }),
    )
    const { code, stdout } = await sync('--yes')
    expect(stdout).toMatch(/^Finals\.json +CONFLICT/m)
    expect(stdout).toMatch(/^NM1: 222 → 111$/m)
    expect(code).toBe(3)
    expect(await read('Finals.json')).toBe(mine)
    expect((await packOf(slug)).slots[0].beatmapId).toBe(222)
    expect((await sync('--yes', '--prefer', 'files')).code).toBe(0)
    expect((await packOf(slug)).slots[0].beatmapId).toBe(111)
  })

  it('deletes nothing unless told, and then only what has not changed meanwhile', async () => {
    const kept = await host.save(aPack({ name: 'Kept' }))
    const changed = await host.save(aPack({ name: 'Changed' }))
    const gone = await host.save(aPack({ name: 'Gone' }))
    await sync('--yes')
    await rm(file('Kept.json'))
    await rm(file('Changed.json'))
    await host.put(changed, aPack({ name: 'Changed', description: 'New' }))
    await host.delete(gone)
    const careful = await sync('--yes')
    expect(careful.stdout.match(/left alone/g)).toHaveLength(3)
    expect(careful.code).toBe(3)
    expect(await packs()).toHaveLength(2)
    const told = await sync('--yes', '--delete')
    expect(told.stdout).toMatch(/^Changed\.json +CONFLICT/m)
    expect(told.code).toBe(3)
    expect((await host.get(`/packs/${kept}`)).status).toBe(404)
    expect((await host.get(`/packs/${changed}`)).status).toBe(200)
    expect(await names()).toEqual([])
  })

  it('tells what it cannot read and goes on with the rest', async () => {
    await write('bad.json', '{ "slots": 1 }')
    await write('half.csv', 'NM1,75\nNM2,https://osu.ppy.sh/beatmapsets/9\n')
    await write('planned.csv', 'NM1,75\nNM2,TBA\n')
    await write('good.tsv', 'NM1\t75\n')
    const { code, stdout } = await sync('--yes')
    expect(stdout).toMatch(/^bad\.json\n.*slots must be a list$/m)
    expect(stdout).toMatch(/^half\.csv\n.*line 2, “NM2,https:.*set/m)
    // A pack written back to the file would lose its row.
    expect(stdout).toMatch(/^planned\.csv\n.*NM2 has no beatmap yet$/m)
    expect(code).toBe(3)
    expect((await packs()).map(({ name }: { name: string }) => name)).toEqual(['good'])
  })

  it('goes on behind a file that the service refuses, and tries it again next time', async () => {
    const long = JSON.stringify({ ...aPack({ name: 'Long' }), description: 'x'.repeat(501) })
    await write('a-long.json', long)
    await write('b.csv', 'NM1,75\n')
    for (const isNew of [true, false]) {
      const { code, stderr } = await sync('--yes')
      expect(stderr).toMatch(/^a-long\.json: description must/m)
      expect(stderr.includes('save new pack: b.csv')).toBe(isNew)
      expect(code).toBe(3)
    }
    await write('a-long.json', long.replace(/x{9,}/, 'short'))
    expect((await sync('--yes')).code).toBe(0)
    expect(await packs()).toHaveLength(2)
  })

  it('pairs what is alike again when it has forgotten, and belongs to one account', async () => {
    await write('Round 1.csv', 'NM1,75\n')
    await sync('--yes')
    const [pack] = await packs()
    await host.put(pack.slug, { ...pack, name: 'Opening', visibility: 'public' })
    await rm(file('.mapcrate-sync.json'))
    expect((await sync('--yes')).stderr).toBe('All is alike.\n')
    expect(await packs()).toHaveLength(1)
    const other = await house.host()
    const { code, stderr } = await runMapcrate(['sync', folder, '--yes'], {
      env: { ...env, MAPCRATE_KEY: other.key },
    })
    expect(stderr).toMatch(/belongs to another account/)
    expect(code).toBe(1)
  })

  it('does not begin while another is at it, and is not held up by one that was killed', async () => {
    await write('Round 1.csv', 'NM1,75\n')
    await write('.mapcrate-sync.lock', `${process.pid}\n`)
    const held = await sync('--yes')
    expect(held.stderr).toMatch(new RegExp(`is being synced already, by process ${process.pid}`))
    expect(held.code).toBe(1)
    expect(await packs()).toEqual([])
    // No process has a number so high.
    await write('.mapcrate-sync.lock', '2000000000\n')
    expect((await sync('--yes')).code).toBe(0)
    expect((await readdir(folder)).toSorted()).toEqual(['.mapcrate-sync.json', 'Round 1.csv'])
  })

  it.each([
    ['as invalid', 501],
    ['as too large', 20_000],
  ])('lets a file that the service refuses %s hold up no other', async (_, length) => {
    const pool = { slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
    const writeLong = (text: string) =>
      write('a.json', JSON.stringify({ name: 'a', description: text, ...pool }))
    await writeLong('d'.repeat(length))
    for (const name of ['b', 'c']) {
      await write(`${name}.csv`, 'NM1,76\n')
      const { code, stderr } = await sync('--yes')
      expect(code).toBe(3)
      expect(stderr).toMatch(/^a\.json: .*\n/m)
      expect(stderr).toContain(`save new pack: ${name}.csv`)
    }
    await writeLong('short enough')
    expect(await sync('--yes')).toMatchObject({ code: 0 })
    expect(await packs()).toHaveLength(3)
  })

  it('tells programs the plan as JSON', async () => {
    await write('Round 1.csv', 'NM1,75\n')
    const { stdout } = await sync('--dry-run', '--json')
    expect(JSON.parse(stdout)).toEqual([{ file: 'Round 1.csv', slug: null, action: 'create' }])
  })
})

/** The service, behind a proxy by which the nth saved pack's answer is never delivered. */
const losing = async (nth: number) => {
  let saves = 0
  let lost: () => void
  const isLost = new Promise<void>((resolve) => (lost = resolve))
  const { port } = new URL(host.door.url)
  const server = createServer(keepsConnections, (from, to) => {
    const { method, url, headers } = from
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      if (method === 'POST' && url?.endsWith('/packs') && (saves += 1) === nth) return lost()
      to.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(to)
    })
    from.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, isLost }
}

describe('a sync that is killed', () => {
  it('between a save and its answer goes on where it was, and makes no pack twice', async () => {
    const all = ['a', 'b', 'c', 'd']
    for (const [at, name] of all.entries()) await write(`${name}.csv`, `NM1,${at + 1}\n`)
    const proxy = await losing(2)
    env = { ...env, MAPCRATE_URL: proxy.url }
    const cut = await startMapcrate(['sync', folder, '--yes'], { env })
    await proxy.isLost
    cut.child.kill('SIGKILL')
    await cut.ended
    expect(await packs()).toHaveLength(2)

    const { code, stderr } = await sync('--yes')
    expect(stderr).toMatch(/^Finished what was begun before: b\.csv$/m)
    expect(code).toBe(0)
    const saved = (await packs()).map(({ name }: { name: string }) => name)
    expect(saved.toSorted()).toEqual(all)
    expect(await names()).toEqual(all.map((name) => `${name}.csv`))
    expect((await sync('--yes')).stderr).toBe('All is alike.\n')
  })

  it('by Ctrl+C ends at once with 130, and leaves a state to go on from', async () => {
    await write('a.csv', 'NM1,1\n')
    const proxy = await losing(1)
    env = { ...env, MAPCRATE_URL: proxy.url }
    const cut = await startMapcrate(['sync', folder, '--yes'], { env })
    await proxy.isLost
    cut.child.kill('SIGINT')
    const { code, stderr } = await cut.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/mapcrate sync: interrupted\n$/)
    expect((await sync('--yes')).code).toBe(0)
    expect(await packs()).toHaveLength(1)
  })
})
