import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/pools.ts'
import type { Host } from '../support/house.ts'
import { openSiteHouse } from '../support/site-house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, runMapcrate, type RunOptions } from '../support/run-mapcrate.ts'
import { aPack } from '../support/samples.ts'

const writes: string[] = []
const house = await openSiteHouse({
  onAnswer: ({ method, route }) => {
    const isLook = route === '/session/beatmaps'
    if (method !== 'GET' && !isLook) writes.push(`${method} ${route}`)
  },
})
let players = 500
let host: Host
let drafter: Host
let folder: string
let env: Record<string, string>

afterAll(() => house.close())
// An account has ten writes a minute, and the hand-set clock stands still.
beforeEach(async () => {
  players += 1
  host = await house.hostOf(players, `Ada ${players}`)
  drafter = await house.hostOf(players, `Ada ${players}`, 'pools')
  folder = await freshFolder()
  env = {
    MAPCRATE_URL: host.door.url,
    MAPCRATE_KEY: host.key,
    MAPCRATE_POOLS_URL: drafter.door.url,
    MAPCRATE_POOLS_KEY: drafter.key,
  }
  writes.length = 0
})

const run = (args: readonly string[], options: RunOptions = {}) =>
  runMapcrate(args, { cwd: folder, env, ...options })

const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
}

/** The only pack of the account: its slots as `NM1=75`, `=75` for one without a bucket. */
const saved = async (): Promise<string[]> => {
  const { packs } = (await host.get('/me/packs')).json
  expect(packs).toHaveLength(1)
  const { pack } = (await host.get(`/packs/${packs[0].slug}`)).json
  return pack.slots.map(
    ({ mod, index, beatmapId }: Slot) => `${mod === null ? '' : `${mod}${index}`}=${beatmapId}`,
  )
}

/** Two fields disagree on the first beatmap. */
const two = JSON.stringify([
  { pick: 'NM1', beatmapId: 75, mapId: 76 },
  { pick: 'NM2', beatmapId: 77, mapId: 77 },
])
const one = JSON.stringify({
  Rounds: [{ Name: 'Finals', Beatmaps: [{ ID: 78, Mods: 'Deck' }] }],
}).replace('Deck', 'Deck of 1')
const sure = 'NM1 129891\n'

describe('while a question is open, nothing is sent', () => {
  it.each([
    ['import', 'sure.txt', 'two.json'],
    ['create', 'two.json'],
    ['replace', 'SLUG', 'two.json'],
    ['key', 'encode', 'two.json'],
  ])('by %s', async (...call) => {
    await write({ 'two.json': two, 'sure.txt': sure })
    const slug = await host.save(aPack())
    writes.length = 0
    const { code, stdout, stderr } = await run(call.map((word) => (word === 'SLUG' ? slug : word)))
    expect([code, stdout, writes]).toEqual([3, '', []])
    expect(stderr).toMatch(
      /^two\.json, line 1, “.*”: The fields .* name different beatmaps\. Which one is it\?$/m,
    )
    expect(stderr).toMatch(/^ {2}1a {2}The one in “beatmapId”\n {2}1b {2}The one in “mapId”$/m)
  })

  it('by tournament import, whose JSON has the question', async () => {
    await write({ 'two.json': two })
    const made = await run(['tournament', 'new', 'Harbour Lights Cup', '--json'])
    const { slug } = JSON.parse(made.stdout)
    writes.length = 0
    const args = ['tournament', 'import', slug, 'two.json', '--round', 'Finals', '--yes', '--json']
    const { code, stdout } = await run(args)
    expect([code, writes]).toEqual([3, []])
    expect(JSON.parse(stdout)).toMatchObject({
      rounds: [],
      questions: [{ file: 'two.json', id: '1', answer: null }],
    })
    const done = await run([...args, '--accept', '1b'])
    expect(done.code).toBe(0)
    expect(JSON.parse(done.stdout).rounds).toMatchObject([
      { name: 'Finals', slots: [{ beatmapId: 76 }, { beatmapId: 77 }] },
    ])
  })

  it('by sync, which names the file and goes on with the others', async () => {
    await write({ 'two.json': two, 'sure.csv': 'NM1,129891\n' })
    const { code, stdout } = await run(['sync', '.', '--yes'])
    expect(stdout).toMatch(
      /^two\.json\n.*1 question is open\. Change the file so that it is clear:/m,
    )
    expect(code).toBe(3)
    expect(await saved()).toEqual(['NM1=129891'])
  })
})

describe('--accept', () => {
  it.each([
    [
      ['--accept', '1a'],
      ['NM1=75', 'NM2=77'],
    ],
    [['--accept=1B'], ['NM1=76', 'NM2=77']],
    [
      ['--accept', 'all'],
      ['NM1=75', 'NM2=77'],
    ],
    [['--accept'], ['NM1=75', 'NM2=77']],
    [
      ['--accept', '--visibility', 'private'],
      ['NM1=75', 'NM2=77'],
    ],
  ])('chooses readings: %j', async (args, slots) => {
    await write({ 'two.json': two })
    expect((await run(['import', 'two.json', ...args])).code).toBe(0)
    expect(await saved()).toEqual(slots)
  })

  it('without a value leaves the word after it a file, and works for stdin', async () => {
    expect((await run(['import', '--accept', '-', '--name', 'A'], { input: two })).code).toBe(0)
    expect(await saved()).toEqual(['NM1=75', 'NM2=77'])
  })

  it.each(['1c', '1d', '3a', '2', '1', '0a', '1a,', '1a,x', 'all,1a', '1a,1b', 'half'])(
    'refuses %s, which is no choice of readings, and saves nothing (usage)',
    async (accept) => {
      await write({ 'two.json': two })
      const { code, stderr } = await run(['import', 'two.json', '--accept', accept])
      expect(stderr).toMatch(/there are 1a, 1b\n|names two readings of question 1/)
      expect([code, writes]).toEqual([2, []])
    },
  )

  it('numbers the questions of several files, and keeps the numbers when some are answered', async () => {
    await write({ 'two.json': two, 'one.json': one, 'my pool.txt': sure })
    const files = ['one.json', 'my pool.txt', 'two.json', 'nowhere.txt']
    const open = await run(['import', ...files])
    expect(open.stderr).toMatch(/^nowhere\.txt cannot be read: /m)
    expect(open.stderr).toMatch(/^one\.json, line 1, .*\n {2}1a {2}In a new bucket/m)
    expect(open.stderr).toMatch(/^two\.json, line 1, .*\n {2}2a {2}The one in/m)
    expect(open.stderr).toContain(
      "\n  mapcrate import one.json 'my pool.txt' two.json nowhere.txt --accept 1a,2a\n",
    )
    const half = await run(['import', ...files, '--accept', '1b'])
    expect(half.stderr).not.toContain('  1a  ')
    expect(half.stderr).toMatch(/^two\.json, line 1, .*\n {2}2a {2}The one in/m)
    expect(half.stderr).toContain(' --accept 1b,2a\n')
    expect([open.code, half.code, writes]).toEqual([3, 3, []])
    const part = await run(['import', ...files, '--accept', '1b,2b'])
    expect([part.code, writes]).toEqual([3, []])
    const done = await run(['import', ...files, '--accept', '1b,2b', '--accept-partial'])
    expect(done.stdout.match(/ {2}(?:Finals|my pool|two), /g)).toHaveLength(3)
    expect(done.code).toBe(3)
  })

  it('that leaves out all there is fails, and saves nothing', async () => {
    await write({ 'a.json': '{"order":[75,76]}', 'sure.txt': sure })
    const asked = await run(['import', 'a.json', '--dry-run', '--json'])
    const [question] = JSON.parse(asked.stdout).questions
    expect(question.choices.at(-1)).toEqual({ id: 'b', text: 'Leave them out' })
    const { code, stderr } = await run(['import', 'a.json', '--accept', '1b'])
    expect(stderr).toContain('a.json: there is no beatmap in it')
    expect([code, writes]).toEqual([1, []])
  })

  it('chooses for create, replace and key encode, too', async () => {
    await write({ 'two.json': two })
    const slug = await host.save(aPack())
    expect((await run(['replace', slug, 'two.json', '--accept', '1b'])).code).toBe(0)
    expect(await saved()).toEqual(['NM1=76', 'NM2=77'])
    const key = await run(['key', 'encode', 'two.json', '--accept', '1a'])
    expect((await run(['key', 'decode', key.stdout.trim()])).stdout).toMatch(/^NM1 +75 /m)
    expect((await run(['create', 'two.json', '--accept'])).code).toBe(0)
  })
})

describe('a file of which less than half is understood', () => {
  const few = 'NM1 75\nNM2 is what\nNM3 is why\nNM4 is how\n'

  it('is said to be before everything else, and saved when that and the part are accepted', async () => {
    await write({ 'few.txt': few, 'bad.txt': 'NM1 is what\n' })
    const { code, stderr } = await run(['import', 'bad.txt', 'few.txt'])
    expect(stderr).toMatch(
      /^few\.txt: Less than half of this was understood: 1 of 4 lines\. .*\n {2}half {2}Use/,
    )
    expect(stderr).toMatch(/Use none of it\nbad\.txt: line 1, /)
    expect(stderr).toContain(' --accept half\n')
    expect([code, writes]).toEqual([3, []])
    for (const accept of ['--accept=half', '--accept=all', '--accept']) {
      expect((await run(['import', 'few.txt', accept, '--dry-run'])).stdout).toMatch(/^NM1 +75 /m)
    }
    const part = await run(['import', 'few.txt', '--accept', 'half'])
    expect([part.code, writes]).toEqual([3, []])
    expect(part.stderr).toContain('1 of 4 lines was read; nothing was saved. --accept-partial ')
    const done = await run(['import', 'few.txt', '--accept', 'half', '--accept-partial'])
    expect(done.code).toBe(3)
    expect(await saved()).toEqual(['NM1=75'])
  })

  it('is refused where there are only headings in it', async () => {
    await write({ 'a.txt': 'NM\nwhat is this\nand this\nor that\n' })
    const { code, stderr } = await run(['import', 'a.txt'])
    expect(stderr).not.toContain('half')
    expect(code).toBe(1)
  })
})

describe('on a terminal', () => {
  it('each question is asked, and what is not answered by --accept', async () => {
    await write({ 'two.json': two, 'one.json': one })
    const { code, screen } = await inTerminal(
      ['import', 'two.json', 'one.json', '--accept', '1b'],
      [[/b {2}In no bucket[^]*Which one\? \(s: stop\) \[a\/b\/S\] /, 'b\n']],
      { env, cwd: folder },
    )
    expect(screen).not.toContain('The one in')
    expect(code).toBe(0)
    const { packs } = (await host.get('/me/packs')).json
    expect(packs.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Finals', 'two'])
  })

  it('s saves nothing', async () => {
    await write({ 'two.json': two })
    const question = [[/\[a\/b\/S\] /, 's\n']] as const
    const { code, screen } = await inTerminal(['import', 'two.json'], question, {
      env,
      cwd: folder,
    })
    expect(screen).toContain('nothing was saved')
    expect([code, writes]).toEqual([1, []])
  })

  it('nothing is asked for programs', async () => {
    await write({ 'two.json': two })
    const { code, screen } = await inTerminal(['import', 'two.json', '--json'], [], {
      env,
      cwd: folder,
    })
    expect(screen).not.toContain('[a/b/S]')
    expect([code, writes]).toEqual([3, []])
  })
})

describe('for programs', () => {
  it('questions have their file, number, lines, choices and answer, saved or not', async () => {
    await write({ 'two.json': two, 'sure.txt': sure })
    const question = {
      file: 'two.json',
      id: '1',
      text: expect.stringMatching(/Which one is it\?$/),
      lines: [1],
      choices: [
        { id: 'a', text: 'The one in “beatmapId”' },
        { id: 'b', text: 'The one in “mapId”' },
      ],
      answer: null,
    }
    const open = await run(['import', 'sure.txt', 'two.json', '--json'])
    expect(JSON.parse(open.stdout)).toMatchObject({
      packs: [],
      refused: [],
      questions: [question],
      notes: [],
    })
    expect([open.code, writes]).toEqual([3, []])
    const dry = await run(['import', 'two.json', '--dry-run', '--json', '--accept', '1b'])
    expect(JSON.parse(dry.stdout)).toEqual({
      pools: [
        {
          name: 'two',
          visibility: 'unlisted',
          buckets: null,
          slots: [
            { mod: 'NM', index: 1, beatmapId: 76, rule: 'You chose this reading.' },
            { mod: 'NM', index: 2, beatmapId: 77, rule: expect.stringMatching(/fields .*\.$/) },
          ],
        },
      ],
      refused: [],
      questions: [{ ...question, answer: 'b' }],
      notes: [],
    })
    expect(dry.code).toBe(0)
  })

  it('no key that a file holds is repeated', async () => {
    const key = host.key
    const rows = [{ pick: 'NM1', beatmapId: 75, [`a${key}`]: 1, mapId: 76 }]
    const bracket = { Rounds: [{ Name: 'A', Beatmaps: [{ ID: 75, Mods: `x ${key}` }] }] }
    await write({ 'a.json': JSON.stringify(rows), 'b.json': JSON.stringify(bracket) })
    for (const args of [[], ['--json'], ['--dry-run', '--json']]) {
      const { stdout, stderr } = await run(['import', 'a.json', 'b.json', ...args])
      expect(stderr).toContain('--accept')
      expect(stdout + stderr).not.toContain(key)
    }
  })

  it('--explain shows the rule of each slot, and notes are on stderr', async () => {
    await write({ 'a.txt': 'NM1 75\n76\n' })
    const { code, stdout, stderr } = await run(['import', 'a.txt', '--dry-run', '--explain'])
    expect(stdout).toMatch(/^NM1: The line has one slot and one beatmap\.$/m)
    expect(stderr).toMatch(/^a\.txt: 1 beatmap has no slot in this text\./)
    expect(code).toBe(0)
  })
})

describe('--mods', () => {
  const modsIn = async (args: readonly string[]) => {
    const { stdout } = await run(['import', ...args, '--dry-run', '--json'])
    const { buckets } = JSON.parse(stdout).pools[0]
    return Object.fromEntries(
      buckets.map(({ code, mods }: { code: string; mods?: unknown }) => [code, mods]),
    )
  }

  it('is also for buckets that the file defines, and that an answer makes', async () => {
    const pool = {
      name: 'A',
      buckets: [{ code: 'RC', color: 3, mods: { kind: 'free' } }],
      slots: [{ mod: 'RC', index: 1, beatmapId: 75 }],
    }
    await write({ 'a.json': JSON.stringify(pool), 'one.json': one })
    expect((await modsIn(['a.json']))['RC']).toEqual({ kind: 'free' })
    expect((await modsIn(['a.json', '--mods', 'rc=hdhr']))['RC']).toEqual({
      kind: 'forced',
      set: ['HD', 'HR'],
    })
    expect((await modsIn(['a.json', '--mods', 'RC=none']))['RC']).toBeUndefined()
    const open = await run(['import', 'one.json', '--mods', 'Deckof1=EZ'])
    expect([open.code, open.stderr]).toEqual([
      3,
      expect.stringContaining('--mods Deckof1=EZ --accept 1a'),
    ])
    expect((await modsIn(['one.json', '--mods', 'Deckof1=EZ', '--accept']))['Deckof1']).toEqual({
      kind: 'forced',
      set: ['EZ'],
    })
  })

  it.each(['RC=DTHT', 'RC=EZ+HD+HR+FL', 'RC=HDHD', 'RC=', 'RC', '', 'RC=HD,rc=HR', 'hd=HR'])(
    'refuses %s before anything is sent (usage, spec 2.4)',
    async (mods) => {
      await write({ 'a.txt': 'RC1 75\n' })
      const { code, stderr } = await run(['import', 'a.txt', `--mods=${mods}`])
      expect(stderr).toContain('--mods')
      expect([code, writes]).toEqual([2, []])
    },
  )

  it('sets those of rounds, by tournament import', async () => {
    const made = await run(['tournament', 'new', 'Harbour Lights Cup', '--json'])
    const { slug } = JSON.parse(made.stdout)
    const args = ['tournament', 'import', slug, '-', '--yes', '--json', '--mods', 'RC=HD']
    const { stdout } = await run(args, { input: 'Finals\nRC1 75\n' })
    expect(JSON.parse(stdout).rounds[0].buckets).toContainEqual({
      code: 'RC',
      color: 0,
      mods: { kind: 'forced', set: ['HD'] },
    })
  })
})

it('completion offers the options, and does not insist on a value of --accept', async () => {
  const { stdout } = await run(['completion', 'fish'])
  expect(stdout).toMatch(/from import; .* -l accept -d /m)
  expect(stdout).toMatch(/from import; .* -l mods -r -d /m)
})

it('an import whose questions are answered leaves no journal', async () => {
  await write({ 'two.json': two })
  const settings = await freshFolder()
  const args = ['import', 'two.json', '--accept', '1a']
  expect((await run(args, { env: { ...env, XDG_CONFIG_HOME: settings } })).code).toBe(0)
  expect(await readdir(join(settings, 'mapcrate/imports'))).toEqual([])
})
