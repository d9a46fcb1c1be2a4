import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/pools.ts'
import { shellCall } from '../../src/cli/user/shell.ts'
import type { Host } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { type Environment, inTerminal, runMapcrate } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'
import { openSiteHouse } from '../support/site-house.ts'

const changes: string[] = []
const looks: number[] = []
const house = await openSiteHouse({
  onAnswer: ({ method, route, status }) => {
    if (route === '/session/beatmaps') looks.push(status)
    else if (method !== 'GET') changes.push(route)
  },
})
/** The stand-in has no beatmap of these ids. */
const LINK = 'https://osu.ppy.sh/b/'
const [GONE, GONE_TOO] = [10_000_001, 10_000_002]
let players = 900
let host: Host
let folder: string
let env: Environment

afterAll(() => house.close())
beforeEach(async () => {
  // An account has ten writes a minute, and the hand-set clock stands still.
  players += 1
  host = await house.hostOf(players, `Ada ${players}`)
  const drafter = await house.hostOf(players, `Ada ${players}`, 'pools')
  folder = await freshFolder()
  env = {
    MAPCRATE_URL: host.door.url,
    MAPCRATE_KEY: host.key,
    MAPCRATE_POOLS_URL: drafter.door.url,
    MAPCRATE_POOLS_KEY: drafter.key,
  }
  house.clock.nextMinute()
  changes.length = 0
  looks.length = 0
})

const run = (args: readonly string[], own = env) => runMapcrate(args, { cwd: folder, env: own })
const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
}
const saved = async (): Promise<number[][]> => {
  const { packs } = (await host.get('/me/packs')).json
  const bodies = await Promise.all(
    packs.map(async ({ slug }: { slug: string }) => host.get(`/packs/${slug}`)),
  )
  return bodies.map(({ json }) => json.pack.slots.map(({ beatmapId }: Slot) => beatmapId))
}

const one = { 'one.txt': `NM1 75\nNM2 ${GONE}\n` }

describe('a beatmap that the platform does not have (D-90)', () => {
  it.each([['import'], ['create'], ['replace', 'SLUG']])(
    'is asked about by %s, and nothing is saved',
    async (...words) => {
      await write(one)
      const slug = await host.save(aPack())
      changes.length = 0
      const call = words.map((word) => (word === 'SLUG' ? slug : word))
      const { code, stdout, stderr } = await run([...call, 'one.txt'])
      expect([code, stdout, changes]).toEqual([3, '', []])
      expect(stderr).toMatch(/^one\.txt, line 2, “NM2 10000001”: The game’s site has no beatmap/m)
      expect(stderr).toMatch(/^ {2}unknown=a {2}Leave them out\n {2}unknown=b {2}Use them$/m)
      // A slug may begin with a hyphen.
      const [command, ...rest] = [...call, 'one.txt'] as const
      expect(stderr).toContain(`${shellCall(command, rest, ['--accept', 'unknown=a'])}\n`)
    },
  )

  it('is left out or used, as --accept says', async () => {
    await write(one)
    const used = await run(['import', 'one.txt', '--accept', 'unknown=b'])
    expect(used).toMatchObject({ code: 0, stderr: '' })
    expect(await saved()).toEqual([[75, GONE]])
    const left = await run(['import', 'one.txt', '--accept', 'UNKNOWN=A'])
    expect(left).toMatchObject({ code: 0, stderr: expect.stringContaining('NM2 has no beatmap') })
    expect(await saved()).toEqual([[75], [75, GONE]])
    const wrong = await run(['import', 'one.txt', '--accept', 'unknown'])
    expect(wrong.stderr).toMatch(/there are unknown=a, unknown=b/)
    expect(wrong.code).toBe(2)
  })

  it('is no mistake once it is left out, whether a slot stays open or not', async () => {
    await write({
      'bare.txt': `${LINK}75\n${LINK}${GONE}\n`,
      'list.txt': `NM\n${LINK}75\n${LINK}${GONE}\n${LINK}76\n`,
    })
    for (const [file, slots] of [
      ['bare.txt', [75]],
      ['list.txt', [75, 76]],
    ] as const) {
      const args = ['import', file, '--accept', 'unknown=a', '--dry-run', '--json']
      const { code, stdout } = await run(args)
      const { pools, refused } = JSON.parse(stdout)
      const ids = pools[0].slots.map(({ beatmapId }: Slot) => beatmapId)
      expect([code, ids, refused]).toEqual([0, slots, []])
    }
  })

  it('is one question of each file, answered for all files by one word', async () => {
    const unclear = JSON.stringify([{ pick: 'NM1', beatmapId: 75, mapId: 76 }])
    await write({ ...one, 'two.txt': `HD1 ${GONE_TOO}\nHD2 76\n`, 'three.json': unclear })
    const files = ['one.txt', 'two.txt', 'three.json']
    const asked = await run(['import', ...files, '--json'])
    expect([asked.code, changes, looks]).toEqual([3, [], [200]])
    expect(JSON.parse(asked.stdout).questions).toMatchObject([
      { file: 'one.txt', id: 'unknown', lines: [2], answer: null },
      { file: 'two.txt', id: 'unknown', lines: [1], answer: null },
      { file: 'three.json', id: '1', answer: null },
    ])
    expect(asked.stderr).toContain(' --accept unknown=a,1a\n')
    const done = await run(['import', ...files, '--accept', 'unknown=b,1b'])
    expect(done.code).toBe(0)
    expect(new Set(await saved())).toEqual(new Set([[GONE_TOO, 76], [75, GONE], [76]]))
  })

  it('is asked about by --dry-run, which needs no key', async () => {
    await write(one)
    const { code, stderr } = await run(['import', 'one.txt', '--dry-run'], {
      MAPCRATE_URL: host.door.url,
    })
    expect([code, stderr]).toEqual([3, expect.stringContaining('unknown=a')])
  })

  it('is asked about on a terminal', async () => {
    await write(one)
    const { code } = await inTerminal(
      ['import', 'one.txt'],
      [[/b {2}Use them[^]*Which one\? \(s: stop\) \[a\/b\/S\] /, 'b\n']],
      { env, cwd: folder },
    )
    expect([code, await saved()]).toEqual([0, [[75, GONE]]])
  })

  it('is not saved by sync, in a new file or a changed one, until it is answered', async () => {
    const sync = (...options: string[]) => run(['sync', '.', '--yes', ...options])
    await write({ 'b.csv': 'NM1,75\nNM2,76\n' })
    expect(await sync()).toMatchObject({ code: 0, stderr: expect.not.stringContaining('looked') })
    const { packs } = (await host.get('/me/packs')).json
    await write({ 'a.csv': `NM1,75\nNM2,${GONE}\n`, 'b.csv': `NM1,75\nNM2,${GONE_TOO}\n` })
    changes.length = 0
    const dry = await sync('--dry-run', '--json')
    expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([3, [{ action: 'refused' }, {}]])
    const { code, stdout } = await sync()
    expect([code, changes]).toEqual([3, []])
    expect(stdout).toMatch(/^a\.csv, line 2, .*: The game’s site has no beatmap 10000001/m)
    expect(stdout).toMatch(/^b\.csv, line 2, .*: The game’s site has no beatmap 10000002/m)
    expect(stdout).toContain('Or answer by mapcrate create a.csv, which')
    const replacing = shellCall('replace', [packs[0].slug, 'b.csv'])
    expect(stdout).toContain(`Or answer by ${replacing}, which`)
    await mkdir(join(folder, 'my pools'))
    await writeFile(join(folder, 'my pools', "Ada's.csv"), `NM1,${GONE}\n`)
    const other = await run(['sync', 'my pools', '--dry-run'])
    const [, call = ''] = /Or answer by mapcrate (create .*), which/.exec(other.stdout) ?? []
    expect(call).toBe(String.raw`create 'my pools/Ada'\''s.csv'`)
    await run(['create', 'a.csv', '--accept', 'unknown=b'])
    await run(['replace', packs[0].slug, 'b.csv', '--accept', 'unknown=b'])
    expect(await sync()).toMatchObject({ code: 0, stdout: '', stderr: 'All is alike.\n' })
    // What a pack has already was decided.
    await write({ 'b.csv': `NM1,75\nNM2,${GONE_TOO}\nHD1,77\n` })
    expect((await sync()).code).toBe(0)
    expect(new Set(await saved())).toEqual(
      new Set([
        [75, GONE],
        [75, GONE_TOO, 77],
      ]),
    )
  })

  it('is asked about by tournament import, through the other service', async () => {
    const { slug } = JSON.parse((await run(['tournament', 'new', 'Cup', '--json'])).stdout)
    await write({ 'cup.txt': `Finals\nNM1 75\nNM2 ${GONE}\n` })
    changes.length = 0
    const args = ['tournament', 'import', slug, 'cup.txt', '--yes', '--json']
    const asked = await run(args)
    expect([asked.code, changes]).toEqual([3, []])
    expect(JSON.parse(asked.stdout)).toMatchObject({ rounds: [], questions: [{ id: 'unknown' }] })
    const part = await run([...args, '--accept-partial'])
    expect(part.code).toBe(3)
    expect(part.stderr).toContain('1 question is open, see above')
    expect(JSON.parse(part.stdout).rounds).toMatchObject([{ slots: [{ beatmapId: 75 }] }])
    const done = await run([...args, '--accept', 'unknown=b'])
    expect(JSON.parse(done.stdout).rounds).toMatchObject([{ slots: [{}, { beatmapId: GONE }] }])
  })
})

describe('a beatmap unlike the others (D-90)', () => {
  afterEach(async () => {
    await fetch(`${house.platformUrl}/standin/beatmaps`, { method: 'DELETE' })
  })
  const teach = async (ids: readonly number[], odd: object): Promise<void> => {
    for (const [at, id] of ids.entries()) {
      const facts = { mode: 'osu', stars: 6, ...(at === 4 && odd) }
      await fetch(`${house.platformUrl}/standin/beatmaps`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ id, facts }),
      })
    }
    await write({ 'a.txt': ids.map((id, at) => `NM${at + 1} ${id}\n`).join('') })
  }

  it.each([
    ['ruleset', 500_000, { mode: 'mania' }],
    ['stars', 510_000, { stars: 1 }],
  ])('makes the question %s', async (name, from, odd) => {
    const ids = [1, 2, 3, 4, 5].map((each) => from + each)
    await teach(ids, odd)
    const { code, stderr } = await run(['import', 'a.txt', '--dry-run'])
    expect(stderr).toMatch(
      new RegExp(`line 5, .*${ids[4]}.*\\n {2}${name}=a {2}Leave them out$`, 'm'),
    )
    expect(code).toBe(3)
    const used = await run(['import', 'a.txt', '--dry-run', '--accept', `${name}=b`])
    expect(used).toMatchObject({ code: 0, stderr: '' })
  })
})

describe('what cannot be looked up (D-90)', () => {
  afterEach(async () => {
    await fetch(`${house.platformUrl}/standin/faults`, { method: 'DELETE' })
  })

  it('while the platform is down is saved as it was read, and a note says of how many nothing is known', async () => {
    await run(['create', '-', '--name', 'Known'])
    await write({ 'a.txt': 'NM1 600001\n', 'b.txt': 'NM1 600001\nNM2 600002\nHD1 10000003\n' })
    expect((await run(['import', 'a.txt'])).stderr).toBe('')
    await house.order({ fault: 'down', kind: 'beatmaps' })
    const { code, stderr } = await run(['import', 'b.txt'])
    expect(stderr).toBe('2 of 3 beatmaps were not looked up: the site is still looking them up.\n')
    expect(code).toBe(0)
    expect(await saved()).toContainEqual([600_001, 600_002, 10_000_003])
    const { stdout } = await run(['import', 'b.txt', '--dry-run', '--json'])
    expect(JSON.parse(stdout).notes).toEqual([stderr.trim()])
  })

  it.each([
    [
      'no address',
      {},
      /^No beatmap was looked up: no service is known; mapcrate login names one\.$/m,
    ],
    [
      'nothing there',
      { MAPCRATE_URL: 'http://127.0.0.1:1' },
      /^No beatmap was looked up: http:\/\/127\.0\.0\.1:1 does not answer questions about beatmaps \(.+\)\.$/m,
    ],
  ])('because there is %s is read as without a service', async (_, own, note) => {
    await write(one)
    const { code, stdout, stderr } = await run(['import', 'one.txt', '--dry-run'], own)
    expect(stdout).toMatch(/^NM2 +10000001 /m)
    expect(stderr).toMatch(note)
    expect(code).toBe(0)
  })

  it('because the file names no beatmap is no matter, and key encode asks nobody', async () => {
    await write({ 'plan.txt': 'NM1 TBA\n', ...one })
    expect((await run(['import', 'plan.txt'])).stderr).not.toContain('looked up')
    expect((await run(['key', 'encode', 'one.txt'])).code).toBe(0)
    expect(looks).toEqual([])
  })
})

it('asks for 64 beatmaps at a time', async () => {
  const rounds = ['Semifinals', 'Finals'].map((name, at) => {
    const ids = Array.from({ length: 50 }, (_, nth) => `NM${nth + 1} ${700_000 + at * 50 + nth}`)
    return `${name}\n${ids.join('\n')}\n`
  })
  await write({ 'a.txt': rounds.join('') })
  await run(['import', 'a.txt', '--dry-run'])
  expect(looks).toEqual([200, 200])
})

it('counts refused lines, and reports 20 of a kind', async () => {
  const lines = Array.from(
    { length: 50 },
    (_, at) => `HD${at + 1} https://osu.ppy.sh/beatmapsets/${at + 1}`,
  )
  await write({ 'a.txt': `NM1 75\n${lines.join('\n')}\n` })
  const { stderr } = await run(['import', 'a.txt'])
  expect(stderr.match(/^a\.txt: line \d+, /gm)).toHaveLength(20)
  expect(stderr).toMatch(/^and 30 more like this: line 22, “HD21 /m)
  expect(stderr).toContain('1 of 51 lines was read; nothing was saved.')
})
