import { readdir, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { setReadOnly } from '../../src/operations/operator.ts'
import { encodePackKey } from '../../src/pool/pack-key/pack-key.ts'
import type { Host } from '../support/house.ts'
import { openSiteHouse } from '../support/site-house.ts'
import { freshFolder } from '../support/processes.ts'
import { runMapcrate, type RunOptions, startMapcrate } from '../support/run-mapcrate.ts'
import { keepsConnections } from '../support/http.ts'

const house = await openSiteHouse()
let players = 100
let host: Host
let folder: string

afterAll(() => house.close())
// An account has ten writes a minute, and the hand-set clock stands still.
beforeEach(async () => {
  players += 1
  host = await house.hostOf(players, `Ada ${players}`)
})

const run = async (args: readonly string[], options: RunOptions = {}) =>
  runMapcrate(['import', ...args], {
    cwd: folder,
    env: { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key },
    ...options,
  })

const write = async (files: Record<string, string | Uint8Array>): Promise<void> => {
  folder = await freshFolder()
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
}

const mine = async () => (await host.get('/me/packs')).json.packs

describe('import', () => {
  it('names a pack like its file and lists it nowhere, unless told otherwise', async () => {
    await write({ 'Semi Finals.csv': 'Slot,Beatmap ID\nNM1,129891\nHD1,75\n' })
    const plain = await run(['Semi Finals.csv'])
    expect(plain).toMatchObject({ code: 0, stderr: '' })
    const told = await run(['Semi Finals.csv', '--name', 'SF', '--visibility', 'public'])
    expect(told.stdout).toMatch(/^[\w-]{10}  SF, 2 beatmaps, public: http:\S+\/p\/[\w-]{10}\n$/)
    expect((await mine()).map((pack: { name: string }) => pack.name)).toEqual(['SF', 'Semi Finals'])
    expect((await mine())[1].visibility).toBe('unlisted')
  })

  it('reads any format by its content, each round of a bracket as a pack of its own', async () => {
    const pool = { name: 'By key', buckets: null, slots: [{ mod: 'NM', index: 1, beatmapId: 3 }] }
    const rounds = [
      { Name: 'Quarterfinals', Beatmaps: [{ ID: 1, Mods: 'NM' }] },
      { Name: 'Nothing yet', Beatmaps: [] },
      { Name: 'Semifinals', Beatmaps: [{ ID: 2, Mods: 'HD' }] },
    ]
    await write({
      'a.dat': JSON.stringify({ Ruleset: { ShortName: 'osu' }, Rounds: rounds }),
      'b.dat': `hello ${encodePackKey(pool)}`,
      'c.dat': JSON.stringify({ name: 'By JSON', visibility: 'private', slots: pool.slots }),
      'd.tsv': Buffer.from('\ufeffNM1\t7\r\n', 'utf16le'),
    })
    const { code, stdout, stderr } = await run(['a.dat', 'b.dat', 'c.dat', 'd.tsv', '--json'])
    expect(stderr).toBe('')
    const { packs, refused } = JSON.parse(stdout)
    expect(refused).toEqual([])
    expect(packs.map((pack: { name: string }) => pack.name)).toEqual([
      'Quarterfinals',
      'Semifinals',
      'By key',
      'By JSON',
      'd',
    ])
    expect(packs[3].visibility).toBe('private')
    expect(code).toBe(0)
  })

  it('D-90: tells each line that it does not understand, saves the rest only if asked, and exits 3', async () => {
    await write({
      'pool.txt':
        '# the pool\nNM1 129891\nNM2 75\nNM3 https://osu.ppy.sh/beatmapsets/39804\nNM4 is\u001B[2J\n',
    })
    const unasked = await run(['pool.txt'])
    expect([unasked.code, unasked.stdout, await mine()]).toEqual([3, '', []])
    expect(unasked.stderr).toContain(
      '2 of 4 lines were read; nothing was saved. --accept-partial saves what was read\n',
    )
    const dry = await run(['pool.txt', '--dry-run'])
    expect(dry.stdout).toMatch(/^NM2 +75 /m)
    expect(dry.stderr).toContain('2 of 4 lines were read; nothing would be saved. ')
    const { code, stdout, stderr } = await run(['pool.txt', '--accept-partial'])
    expect(stdout).toMatch(/ pool, 2 beatmaps, unlisted/)
    expect(stderr).toMatch(/^pool\.txt: line 4, “NM3 https:\S+”: .*set/m)
    expect(stderr).toMatch(/^pool\.txt: line 5, “NM4 is\uFFFD\[2J”: /m)
    expect(stderr).toMatch(/2 things could not be read/)
    expect(stderr).not.toContain('\u001B')
    expect(code).toBe(3)
  })

  it('refuses the link of a whole set with the reason, which a round would plan (D-77)', async () => {
    await write({ 'pool.txt': 'NM1 75\nNM2 https://osu.ppy.sh/beatmapsets/1\n' })
    const { code, stderr } = await run(['pool.txt', '--dry-run'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/line 2, .*: This link leads to a beatmap set\. Open the difficulty/)
    expect(stderr).not.toMatch(/left out/)
  })

  it('shows 20 refusals of a kind, and counts the others', async () => {
    const lines = Array.from({ length: 500 }, (_, at) => (at === 0 ? 'NM1 75' : 'NM1 76'))
    await write({ 'pool.txt': lines.join('\n') })
    const { code, stderr } = await run(['pool.txt', '--dry-run'])
    expect(code).toBe(3)
    expect(stderr.match(/NM1 already has beatmap 75/g)).toHaveLength(21)
    expect(stderr).toMatch(/^and 479 more like this: line 22, “NM1 76”: NM1 already has/m)
    expect(stderr).toMatch(/1 of 500 lines was read; nothing would be saved/)
    const { refused, refusedCount } = JSON.parse(
      (await run(['pool.txt', '--dry-run', '--json'])).stdout,
    )
    expect([refused.length, refusedCount]).toEqual([20, 499])
  })

  it('says once that links lead to no beatmap, and refuses nothing for it', async () => {
    const pack = '**Map pack:** <https://drive.google.com/file/d/1aB/view>'
    await write({ 'pool.txt': `NM1 75\n${pack}\nStream: https://www.twitch.tv/a\n` })
    const { code, stderr } = await run(['pool.txt', '--dry-run'])
    expect([code, stderr]).toEqual([
      0,
      'pool.txt: 2 links that lead to no beatmap were left out, such as https://drive.google.com/file/d/1aB/view\n',
    ])
  })

  it('leaves out slots that have no beatmap yet, and names them (D-77)', async () => {
    await write({ 'pool.txt': 'NM1 75\nHD1 TBA\nTB1 custom map, due Sunday\n' })
    const { code, stdout, stderr } = await run(['pool.txt'])
    expect(stdout).toMatch(/ pool, 1 beatmap, /)
    expect(stderr).toBe('pool.txt: HD1, TB have no beatmap yet: left out\n')
    expect(code).toBe(0)
    const { notes, refused } = JSON.parse((await run(['pool.txt', '--dry-run', '--json'])).stdout)
    expect({ notes, refused }).toEqual({
      notes: ['pool.txt: HD1, TB have no beatmap yet: left out'],
      refused: [],
    })
    await write({ 'plan.txt': 'HD1 TBA\nTB1 ???\n' })
    const plan = await run(['plan.txt'])
    expect(plan.stderr).toMatch(/^plan\.txt: there is no beatmap in it$/m)
    await write({ 'long.txt': 'a'.repeat(1_000_001) })
    expect((await run(['long.txt'])).stderr).toMatch(
      /^long\.txt: there is no beatmap in it\nline 1, “aaa.*”: This is more than 1 MB/m,
    )
    expect(plan.code).toBe(1)
  })

  it('D-90: saves the files that it can read beside one that it cannot only if asked', async () => {
    await write({
      'good.txt': 'NM1 75\n',
      'bad.json': '{"slots": 1}',
      db: new Uint8Array(300).fill(0),
    })
    const files = ['bad.json', 'nowhere.csv', 'db', 'good.txt']
    const unasked = await run(files)
    expect([unasked.code, unasked.stdout, await mine()]).toEqual([3, '', []])
    expect(unasked.stderr).toMatch(
      /1 of 2 lines was read, and 2 files could not be; nothing was saved\./,
    )
    const { code, stdout, stderr } = await run([...files, '--accept-partial'])
    expect(stdout).toMatch(/ good, 1 beatmap/)
    expect(stderr).toMatch(/^bad\.json: line 1, .*: slots must be a list$/m)
    expect(stderr).toMatch(/^nowhere\.csv cannot be read: there is no such file; check the name$/m)
    expect(stderr).toMatch(/^db: /m)
    expect(code).toBe(3)
  })

  it('exits 1 when nothing could be saved', async () => {
    await write({ 'none.txt': 'hello\n' })
    const { code, stderr } = await run(['none.txt'])
    expect(stderr).toMatch(/^none\.txt: line 1, “hello”: No beatmap id or link found\./m)
    expect(code).toBe(1)
    expect(await mine()).toEqual([])
  })

  it('with --dry-run shows what it would save, needs no key, and saves nothing', async () => {
    await write({ 'pool.txt': 'NM1 75\nTB 76\n' })
    const { code, stdout } = await run(['pool.txt', '--dry-run'], { env: {} })
    expect(stdout).toMatch(/^pool {2}unlisted\nSLOT .*\nNM1 +75 .*\nTB +76 /)
    expect(code).toBe(0)
    const { pools, refused } = JSON.parse(
      (await run(['pool.txt', '--dry-run', '--json'], { env: {} })).stdout,
    )
    expect(pools).toMatchObject([{ name: 'pool', slots: [{ beatmapId: 75 }, { beatmapId: 76 }] }])
    expect(refused).toEqual([])
  })

  it('does not repeat a key that was pasted among the lines', async () => {
    await write({ 'pool.txt': `NM1 75\nNM2 ${host.key}\n` })
    for (const args of [['pool.txt'], ['pool.txt', '--json']]) {
      const { code, stdout, stderr } = await run(args)
      expect(stderr).toMatch(/line 2, “NM2 …”/)
      expect(stdout + stderr).not.toContain(host.key)
      expect(code).toBe(3)
    }
  })

  it('cannot give several packs one name', async () => {
    await write({ 'a.txt': 'NM1 75\n', 'b.txt': 'NM1 76\n' })
    const { code, stderr } = await run(['a.txt', 'b.txt', '--name', 'A'])
    expect(stderr).toMatch(/--name can name one pack, and there are 2/)
    expect(code).toBe(2)
    expect(await mine()).toEqual([])
  })

  it('refuses what the API would refuse before anything is sent', async () => {
    await write({
      'a.json': JSON.stringify({ name: 'A', slots: [{ mod: 'NM', index: 100, beatmapId: 1 }] }),
    })
    const { code, stderr } = await run(['a.json'], { env: { MAPCRATE_URL: 'http://127.0.0.1:1' } })
    expect(stderr).toMatch(/a\.json: line 1, .*: slots\[0\]\.index must be from 1 to 99/)
    expect(code).toBe(1)
  })
})

const unclear = {
  'bracket.json': JSON.stringify({
    Rounds: [
      {
        Name: 'RO16',
        Beatmaps: [
          { ID: 75, Mods: 'NM1' },
          { ID: 76, Mods: 'Stage 1' },
        ],
      },
    ],
  }),
}

describe('what is not certain', () => {
  it('is never saved unasked: the readings are listed, and the exit status is 3', async () => {
    await write({ ...unclear, 'good.txt': 'NM1 77\n' })
    const { code, stdout, stderr } = await run(['good.txt', 'bracket.json'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^bracket\.json, line 1, “.*76.*”: “Stage 1” is not a known bucket/m)
    expect(stderr).toMatch(/^ {2}1a {2}In a new bucket Stage1$/m)
    expect(stderr).toMatch(/^ {2}1b {2}In no bucket$/m)
    expect(stderr).toContain('nothing was saved; 1 question is open')
    expect(stderr).toMatch(/^ {2}mapcrate import good\.txt bracket\.json --accept 1a$/m)
    expect(await mine()).toEqual([])
  })

  it.each([
    [
      ['bracket.json', '--accept', '1b'],
      [
        ['NM', 1],
        [null, 1],
      ],
    ],
    [
      ['--accept=1a', 'bracket.json'],
      [
        ['NM', 1],
        ['Stage1', 1],
      ],
    ],
    [
      ['bracket.json', '--accept', 'all'],
      [
        ['NM', 1],
        ['Stage1', 1],
      ],
    ],
    [
      ['--accept', 'bracket.json'],
      [
        ['NM', 1],
        ['Stage1', 1],
      ],
    ],
  ])('is saved as %j chooses', async (args, places) => {
    await write(unclear)
    expect((await run(args)).code).toBe(0)
    const [{ slug }] = await mine()
    const { pack } = (await host.get(`/packs/${slug}`)).json
    const read = pack.slots.map(({ mod, index }: Record<string, unknown>) => [mod, index])
    expect(read).toEqual(expect.arrayContaining(places))
  })

  it('refuses a reading that is not offered (usage)', async () => {
    await write(unclear)
    const { code, stderr } = await run(['bracket.json', '--accept', '2a'])
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/--accept 2a is no reading; there are 1a, 1b/),
    ])
    expect(await mine()).toEqual([])
  })

  it('is in the plan for programs, with the certain slots and their rules', async () => {
    await write(unclear)
    const { code, stdout } = await run(['bracket.json', '--dry-run', '--json'])
    expect(code).toBe(3)
    expect(JSON.parse(stdout)).toMatchObject({
      pools: [
        {
          name: 'RO16',
          slots: [{ mod: 'NM', index: 1, beatmapId: 75, rule: expect.stringMatching(/\.$/) }],
        },
      ],
      questions: [{ id: '1', lines: [1], choices: [{ id: 'a' }, { id: 'b' }], answer: null }],
      refused: [],
    })
  })

  it('is a file of which less than half was understood: that comes first', async () => {
    await write({ 'a.txt': 'NM1 75\nNM2 is 1 2\nNM3 https://osu.ppy.sh/users/3\n' })
    const { code, stderr } = await run(['a.txt'])
    expect(code).toBe(3)
    expect(stderr).toMatch(/Less than half of this was understood: 1 of 3 lines/)
    expect(await mine()).toEqual([])
    const half = await run(['a.txt', '--accept', 'half'])
    expect([half.code, await mine()]).toEqual([3, []])
    const accepted = await run(['a.txt', '--accept', 'half', '--accept-partial'])
    expect(accepted.code).toBe(3)
    expect(await mine()).toMatchObject([{ name: 'a' }])
  })
})

describe('mods of custom buckets', () => {
  it('come from the code, or from --mods', async () => {
    await write({ 'a.txt': 'HDHR1 75\nRC1 76\nSV1 77\nEZ1 129891\n' })
    const args = ['--mods', 'rc=HD+FL,SV=free,EZ=none', '--dry-run', '--json']
    const { code, stdout } = await run(['a.txt', ...args], { env: {} })
    expect(code).toBe(0)
    const { buckets } = JSON.parse(stdout).pools[0]
    const mods = buckets.map((each: { code: string; mods?: unknown }) => [each.code, each.mods])
    expect(Object.fromEntries(mods)).toMatchObject({
      HDHR: { kind: 'forced', set: ['HD', 'HR'] },
      RC: { kind: 'forced', set: ['HD', 'FL'] },
      SV: { kind: 'free' },
      EZ: undefined,
    })
  })

  it.each([
    ['RC=EZ+HR', /RC=HD\+HR, RC=free or RC=none/],
    ['NM=HD', /must be the code of a custom bucket/],
    ['XX=HD', /--mods XX: there are: RC/],
  ])('refuse %s (usage)', async (mods, message) => {
    await write({ 'a.txt': 'RC1 75\n' })
    const { code, stderr } = await run(['a.txt', '--mods', mods])
    expect(stderr).toMatch(message)
    expect(code).toBe(2)
  })
})

/** The service, behind a proxy that delivers no answer of a save from the nth on. */
const losing = async (nth: number) => {
  let saves = 0
  let isMended = false
  let lost: () => void
  const isLost = new Promise<void>((resolve) => (lost = resolve))
  const { port } = new URL(host.door.url)
  const server = createServer(keepsConnections, (from, to) => {
    const { method, url } = from
    // As proxies do that keep the name by which they are known.
    const { host: name, origin } = new URL(host.door.url)
    const headers = { ...from.headers, host: name, ...(from.headers.origin && { origin }) }
    const isSave = method === 'POST' && url !== '/session/beatmaps'
    const onward = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      if (!isMended && isSave && (saves += 1) >= nth) {
        answer.resume().on('end', () => lost())
        return
      }
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
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, isLost, mend: () => (isMended = true) }
}

/** An address at which nothing listens any more. */
const gone = async (): Promise<string> => {
  const server = createServer(() => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

it('waits for nothing while the operator lets nothing be changed, and says why', async () => {
  await write({ 'Finals.csv': 'NM1,75\n' })
  const turn = async (mode: { reason: string } | null) => {
    await setReadOnly(house.ports, mode)
    await house.operator.look()
  }
  await turn({ reason: 'we move' })
  onTestFinished(() => turn(null))
  const { code, stdout, stderr } = await run(['Finals.csv'])
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toMatch(/^mapcrate import: nothing can be changed .*: we move$/m)
  expect(stderr).not.toContain('waiting')
  await turn(null)
  expect((await run(['Finals.csv'])).code).toBe(0)
})

describe('an import that is interrupted', () => {
  const rounds = ['A', 'B', 'C'].map((Name, at) => ({
    Name,
    Beatmaps: [{ ID: at + 1, Mods: 'NM' }],
  }))
  const bracket = { 'bracket.json': JSON.stringify({ Rounds: rounds }) }
  const namesOf = async () => (await mine()).map(({ name }: { name: string }) => name).toSorted()

  const interrupt = async (
    signal: NodeJS.Signals,
    content = bracket,
    args = ['import', 'bracket.json'],
  ) => {
    await write(content)
    const road = await losing(2)
    const settings = await freshFolder()
    const env = { MAPCRATE_URL: road.url, MAPCRATE_KEY: host.key, XDG_CONFIG_HOME: settings }
    const cut = await startMapcrate(args, { cwd: folder, env })
    await road.isLost
    cut.child.kill(signal)
    const ending = await cut.ended
    road.mend()
    return { ending, settings, again: () => run(args.slice(1), { env }) }
  }

  it.each([
    ['SIGINT', 130],
    ['SIGKILL', null],
  ] as const)('by %s goes on where it was, and makes no pack twice', async (signal, code) => {
    const { ending, settings, again } = await interrupt(signal)
    expect(ending.code).toBe(code)
    if (code !== null) {
      expect(ending.stderr).toContain(
        'Saved 1 of 3 packs; left: B, C. Run the same command again to go on; what is saved is not saved twice.\n',
      )
    }
    expect(await namesOf()).toEqual(['A', 'B'])
    const { code: end, stdout, stderr } = await again()
    expect(stdout).toMatch(
      /^saved before: [\w-]{10} {2}A, [^]*\n[\w-]{10} {2}B, [^]*\n[\w-]{10} {2}C, /,
    )
    expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
    expect(await namesOf()).toEqual(['A', 'B', 'C'])
    expect(await readdir(join(settings, 'mapcrate/imports'))).toEqual([])
  })

  it('goes on with the same answers', async () => {
    const Rounds = rounds.map((round, at) =>
      at === 1 ? { ...round, Beatmaps: [{ ID: 2, Mods: 'Stage 1' }] } : round,
    )
    const content = { 'bracket.json': JSON.stringify({ Rounds }) }
    const args = ['import', 'bracket.json', '--accept', '1b']
    const { again } = await interrupt('SIGKILL', content, args)
    expect(await namesOf()).toEqual(['A', 'B'])
    expect((await again()).code).toBe(0)
    expect(await namesOf()).toEqual(['A', 'B', 'C'])
  })

  it('saves again what was deleted since', async () => {
    const { again } = await interrupt('SIGINT')
    const [pack] = (await mine()).filter(({ name }: { name: string }) => name === 'A')
    await host.delete(pack.slug)
    expect((await again()).stdout).not.toContain('saved before')
    expect(await namesOf()).toEqual(['A', 'B', 'C'])
  })

  it('by a service that is gone says in words what is left', async () => {
    await write(bracket)
    const { code, stdout, stderr } = await run(['bracket.json', '--json'], {
      env: { MAPCRATE_URL: await gone(), MAPCRATE_KEY: host.key },
    })
    expect(stderr).toMatch(/^Saved 0 of 3 packs; left: A, B, C\. Run the same command again/m)
    expect(stderr).toMatch(
      /127\.0\.0\.1:\d+ cannot be reached: nothing accepts connections there; check/,
    )
    expect(JSON.parse(stdout)).toMatchObject({ packs: [], left: ['A', 'B', 'C'], refused: [] })
    expect(code).toBe(1)
  })

  it('by nothing is over: again it makes new packs, as two equal files do', async () => {
    await write({
      'a.json': JSON.stringify({ name: 'Fine', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] }),
    })
    const env = { MAPCRATE_URL: host.door.url, MAPCRATE_KEY: host.key, XDG_CONFIG_HOME: folder }
    expect((await run(['a.json', 'a.json'], { env })).code).toBe(0)
    expect(await namesOf()).toEqual(['Fine', 'Fine'])
    expect((await run(['a.json'], { env })).code).toBe(0)
    expect(await namesOf()).toHaveLength(3)
  })

  it('by a pack that the service refuses saves the others, and exits 3', async () => {
    const aRound = (Name: string) => ({ Name, Beatmaps: [{ ID: 1, Mods: 'NM' }] })
    const Rounds = [aRound('First'), aRound('faggot'), aRound('Last')]
    await write({ 'bracket.json': JSON.stringify({ Rounds }) })
    const { code, stderr } = await run(['bracket.json'])
    expect(stderr).toMatch(/^bracket\.json: .*name must not contain/m)
    expect(code).toBe(3)
    expect(await namesOf()).toEqual(['First', 'Last'])
  })
})
