import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, runMapcrate } from '../support/run-mapcrate.ts'
import { envOf, openTournamentHouse, sheet } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { house, host, pooler, stranger, runAs, done, jsonOf, newTournament, drafted } = scene
const { idsOf, changeSlot } = scene
afterAll(() => scene.close())

it.each([
  ['7', { min: 7, max: 7 }],
  ['4-7', { min: 4, max: 7 }],
  ['-7', { max: 7 }],
  ['', undefined],
])('keys wanted in mania are given as a number or a range: %j', async (text, keys) => {
  const slug = await newTournament('--ruleset', 'mania')
  await done(['round', slug, 'Finals', '--new', '--keys', '5-', '--stars', '4-'])
  const set = await done(['round', slug, 'Finals', '--keys', text])
  expect(set.stdout).toMatch(keys ? /^Keys: 5– → / : /^Keys removed: 5–\n$/)
  const { targets } = (await jsonOf(['show', slug])).rounds[0]
  expect(targets).toEqual({ stars: { min: 4 }, ...(keys && { keys }) })
})

it('the whole main job by the command line alone: make, paste, invite, draft, check, release, change, release again, withdraw, delete', async () => {
  const made = await done(['new', 'Harbour Lights Cup', '--short-name', 'HLC', '--year', '2026'])
  const slug = made.stdout.slice(0, 10)
  expect(made.stdout).toBe(`${slug}  Harbour Lights Cup, private: ${host.door.url}/t/${slug}\n`)
  const dry = await done(['import', slug, '-', '--dry-run'], { input: sheet })
  expect(dry.stdout).toContain('Qualifiers  new\nNM1 → 75\nHD1 → 76\n')
  expect((await jsonOf(['show', slug])).rounds).toEqual([])
  await done(['import', slug, '-', '--yes'], { input: sheet })
  await done(['round', slug, 'Quarterfinals', '--best-of', '11', '--bans', '2', '--stars', '5-6.5'])
  await done(['round', slug, 'Finals', '--new', '--best-of', '13'])

  const staff = await done(['staff', slug, '8', 'pooler'])
  expect(staff.stdout).toMatch(/^host +Ada +7\npooler +Ben +8\n/m)
  const slot = await done(
    ['slot', slug, 'quarterfinals', 'nm2', 'custom map, due Sunday'],
    {},
    pooler,
  )
  expect(slot.stdout).toBe('NM2: 78 → “custom map, due Sunday”\n')
  expect((await runAs(stranger, ['show', slug])).code).toBe(1)

  const checks = await done(['checks', slug])
  expect(checks.stdout).toMatch(/^ *\d+ findings?\n1 +No beatmap yet\n/)
  expect(checks.stdout).toContain(
    '\nNo beatmap yet\nROUND          FINDING\nQuarterfinals  NM2 has no beatmap yet: custom map, due Sunday\n',
  )
  const early = await runAs(host, ['release', slug, 'Quarterfinals', '--yes'])
  expect(early.stderr).toMatch(/NM2 has no beatmap yet: custom map, due Sunday\n/)
  expect(early.stderr).toMatch(/1 finding, see above; nothing was released/)
  expect(early.code).toBe(1)
  await done(['slot', slug, 'Quarterfinals', 'NM2', 'https://osu.ppy.sh/b/80'], {}, pooler)

  // A time of RFC 3339 (D-88), apart from the space: never released before it (D-63).
  const later = '2099-12-01 18:59:59.9991+01:00'
  const set = await done(['release', slug, 'Quarterfinals', '--at', later, '--yes'])
  expect(set.stdout).toBe('Quarterfinals: to be released 2099-12-01T18:00:00.000Z\n')
  await done([
    'set',
    slug,
    '--visibility',
    'public',
    '--announce',
    'on',
    '--link',
    'https://a.example',
  ])
  const outside = await done(['show', slug], {}, stranger)
  expect(outside.stdout).toContain('Quarterfinals  to be released 2099-12-01T18:00:00.000Z\n')
  expect(outside.stdout).not.toContain('NM1')
  expect((await done(['withdraw', slug, 'Quarterfinals'])).stdout).toBe(
    'withdrew the release 2099-12-01T18:00:00.000Z of Quarterfinals: draft\n',
  )

  const first = await jsonOf(['release', slug, 'Quarterfinals', '--yes'])
  expect(await jsonOf(['show', slug, '--round', 'quarterfinals'], {}, stranger)).toMatchObject({
    packSlug: first.packSlug,
    bestOf: 11,
    slots: [{ beatmapId: 77 }, { beatmapId: 80 }, { beatmapId: 79 }],
  })
  await done(['slot', slug, 'Quarterfinals', 'NM2', '81'])
  expect((await done(['show', slug], {}, stranger)).stdout).toMatch(/^NM2 +80 /m)
  const again = await jsonOf(['release', slug, 'Quarterfinals', '--yes'])
  expect(again.packSlug).toBe(first.packSlug)
  expect((await done(['show', slug], {}, stranger)).stdout).toMatch(/^NM2 +81 /m)
  expect((await done(['list'], {}, stranger)).stdout).toMatch(
    new RegExp(`^${slug} +Harbour Lights Cup +Standard +2026`, 'm'),
  )
  expect((await done(['list', '--mine', '--all'])).stdout).toMatch(/host, public$/m)

  await done(['withdraw', slug, 'Quarterfinals', '--yes'])
  expect(await jsonOf(['show', slug], {}, stranger)).toMatchObject({ rounds: [] })
  await done(['round', slug, 'Finals', '--remove', '--yes'])
  await done(['staff', slug, '8', '--remove'])
  const mute = await runAs(host, ['delete', slug])
  expect(mute).toMatchObject({ code: 2, stderr: expect.stringContaining('say --yes NAME\n') })
  const wrong = await runAs(host, ['delete', slug, '--yes', 'harbour'])
  expect(wrong.stderr).toMatch(/not its name; nothing was deleted/)
  expect(wrong.code).toBe(1)
  await done(['delete', slug, '--yes', 'Harbour Lights Cup'])
  expect((await runAs(host, ['show', slug])).code).toBe(1)
})

describe('import', () => {
  const input = 'Finals\nNM1 90\n\nquarterfinals\nNM1 91\n'

  it('D-83: merges with the rounds that are there, keeps what it leaves out, and asks first', async () => {
    const slug = await drafted()
    await done(['round', slug, 'Quarterfinals', '--best-of', '11'])
    const before = await jsonOf(['show', slug])
    const mute = await runAs(host, ['import', slug, '-'], { input })
    expect(mute.stderr).toMatch(/no terminal to ask on; say --yes/)
    expect(mute.code).toBe(2)
    expect(await jsonOf(['show', slug])).toEqual(before)
    const { stdout } = await done(['import', slug, '-', '--yes'], { input })
    expect(stdout).toBe(
      'Quarterfinals\nNM1: 77 → 91\nNM2 stays: it is missing in the sheet\nTB stays: it is missing in the sheet\n\nFinals  new\nNM1 → 90\n',
    )
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.map(({ name }: { name: string }) => name)).toEqual([
      'Qualifiers',
      'Quarterfinals',
      'Finals',
    ])
    expect(rounds[1]).toMatchObject({ bestOf: 11, slots: [{ beatmapId: 91 }, {}, {}] })
  })

  it('removes slots that the sheet leaves out, and drafts of rounds, only if that is asked for', async () => {
    const slug = await drafted()
    const dry = await done(['import', slug, '-', '--remove-missing', '--dry-run'], { input })
    expect(dry.stdout).toContain('NM2 removed: 78\nTB removed: 79\n')
    await done(['import', slug, '-', '--remove-missing', '--yes'], { input })
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.map(({ slots }: { slots: unknown[] }) => slots.length)).toEqual([2, 1, 1])
    await done(['import', slug, '-', '--yes', '--delete'], { input: 'Finals\nNM1 90\n' })
    expect(Object.keys(await idsOf(slug))).toEqual(['Finals'])
  })

  it('removes no slot and no round that is in the sheet and was not read', async () => {
    const slug = await drafted()
    const before = await jsonOf(['show', slug])
    const rows = ['Quarterfinals\tNM2\t99999999999', 'Qualifiers\tNM1\t99999999999']
    const input = ['Round\tSlot\tBeatmap ID', 'Finals\tNM1\t90', ...rows].join('\n')
    const args = ['import', slug, '-', '--yes', '--accept-partial', '--remove-missing', '--delete']
    const { code, stdout } = await runAs(host, args, { input })
    expect(code).toBe(3)
    for (const name of ['Quarterfinals', 'Qualifiers']) {
      expect(stdout).toContain(`${name}  stays: it is in the sheet, and was not read\n`)
    }
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.slice(0, 2)).toEqual(before.rounds)
    const again = `${input}\nQuarterfinals\tTB\t79`
    const { stdout: found } = await runAs(host, args, { input: again })
    expect(found).toContain('NM1 removed: 77\nNM2 stays: it is in the sheet, and was not read\n')
  })

  it('D-90: saves nothing where lines cannot be read, unless the part is asked for, and exits 3', async () => {
    const slug = await newTournament()
    const input = 'Finals\nNM1 90\nNM2 is what\n'
    const args = ['import', slug, '-', '--yes']
    for (const more of [[], ['--json'], ['--dry-run']]) {
      const { code, stderr } = await runAs(host, [...args, ...more], { input })
      expect(stderr).toMatch(/line 3, “NM2 is what”: /)
      expect(stderr).toMatch(/1 of 2 lines was read; nothing w[^;]* saved\. --accept-partial saves/)
      expect(code).toBe(3)
    }
    expect((await jsonOf(['show', slug])).rounds).toEqual([])
    const part = await runAs(host, [...args, '--accept-partial'], { input })
    expect([part.code, part.stderr]).toEqual([3, expect.stringMatching(/1 line could not be read/)])
    expect((await jsonOf(['show', slug])).rounds).toMatchObject([{ slots: [{ beatmapId: 90 }] }])
  })

  it('refuses two rounds of one name in any case, of which one would be lost', async () => {
    const slug = await newTournament()
    const round = (name: string, id: number) => [name, [{ pick: 'NM1', beatmapId: id }]] as const
    const input = JSON.stringify(Object.fromEntries([round('Finals', 90), round('FINALS', 91)]))
    const { code, stderr } = await runAs(host, ['import', slug, '-', '--yes'], { input })
    expect(stderr).toContain('FILE has two rounds called "FINALS", in any case')
    expect(code).toBe(2)
    expect((await jsonOf(['show', slug])).rounds).toEqual([])
  })

  it('takes slots that have no beatmap yet, with what is said of them (D-77)', async () => {
    const slug = await newTournament()
    const input =
      'Finals\nNM1 90\nHD1 TBA\nDT1 A - B [C] (d) https://files.example/b.osz\nTB1 ???\n'
    await done(['import', slug, '-', '--yes'], { input })
    const { slots } = (await jsonOf(['show', slug])).rounds[0]
    expect(slots).toEqual([
      { mod: 'NM', index: 1, beatmapId: 90 },
      { mod: 'HD', index: 1, placeholder: 'TBA' },
      {
        mod: 'DT',
        index: 1,
        details: { artist: 'A', title: 'B', difficulty: 'C', mapper: 'd' },
        link: 'https://files.example/b.osz',
      },
      { mod: 'TB', index: 1, placeholder: '???' },
    ])
  })

  it('reads a bracket, and a pool of one round by --round', async () => {
    const slug = await newTournament()
    const bracket = { Rounds: [{ Name: 'Finals', Beatmaps: [{ ID: 5, Mods: 'NM' }] }] }
    await done(['import', slug, '-', '--yes'], { input: JSON.stringify(bracket) })
    await done(['import', slug, '-', '--yes', '--round', 'Week 1'], { input: 'NM1 6\n' })
    expect((await jsonOf(['show', slug])).rounds).toMatchObject([
      { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 5 }] },
      { name: 'Week 1', slots: [{ beatmapId: 6 }] },
    ])
    for (const [input, args, reason] of [
      ['NM1 6\n', [], /FILE names no rounds; give --round/],
      ['Finals\nNM1 6\n', ['--round', 'x'], /leave --round out/],
    ] as const) {
      const { code, stderr } = await runAs(host, ['import', slug, '-', ...args], { input })
      expect(stderr).toMatch(reason)
      expect(code).toBe(2)
    }
  })

  it('saves more than 16 KB round by round', async () => {
    const slug = await newTournament()
    const slots = Array.from({ length: 60 }, (_, at) => `NM${at + 1} ${19_000_000 + at}\n`).join('')
    // The client spreads its last writes over the minute, which would be waited for.
    const input = Array.from({ length: 8 }, (_, at) => `Week ${at + 1}\n${slots}`).join('\n')
    await done(['import', slug, '-', '--yes'], { input })
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.map(({ slots: all }: { slots: unknown[] }) => all.length)).toEqual(
      Array.from({ length: 8 }, () => 60),
    )
  })
})

describe('D-62: slot', () => {
  it('changes nothing when the slot no longer holds what --was says, and says what it holds', async () => {
    const slug = await drafted()
    await changeSlot(slug, 'Qualifiers', 1, 75, 99)
    const late = await runAs(host, ['slot', slug, 'Qualifiers', 'NM1', '5', '--was', '75'])
    expect(late.stderr).toMatch(/NM1 now holds 99; nothing was changed/)
    expect(late.code).toBe(1)
    const { stdout } = await done(['slot', slug, 'Qualifiers', 'NM1', '-', '--was', '99'])
    expect(stdout).toMatch(/^NM1: 99 → /)
    await done(['slot', slug, 'Qualifiers', 'RC1 2', '7'])
    expect((await jsonOf(['show', slug, '--round', 'Qualifiers'])).slots).toEqual([
      { mod: 'NM', index: 1 },
      { mod: 'HD', index: 1, beatmapId: 76 },
      { mod: 'RC1', index: 2, beatmapId: 7 },
    ])
  })
})

describe('confirmation', () => {
  it('release shows the round and asks; delete asks for the name', async () => {
    const slug = await drafted()
    const env = envOf(host)
    house.clock.advance(60_000)
    const no = await inTerminal(
      ['tournament', 'release', slug, 'Qualifiers'],
      [[/HD1 +76[^]*Release Qualifiers now\? \[y\/N\] /, '\n']],
      { env },
    )
    expect(no).toMatchObject({ code: 1 })
    expect((await jsonOf(['show', slug])).rounds[0].packSlug).toBeUndefined()
    const gone = await inTerminal(
      ['tournament', 'delete', slug],
      [[/2 rounds, 0 packs[^]*Name of the tournament: /, 'Harbour Lights Cup\n']],
      { env },
    )
    expect(gone).toMatchObject({ code: 0 })
    expect((await runAs(host, ['show', slug])).code).toBe(1)
  })
})

describe('keys and logins', () => {
  it('login --service pools keeps a login of its own, which the packs commands do not use', async () => {
    const settings = await freshFolder()
    const env = { XDG_CONFIG_HOME: settings }
    const input = `${host.door.url}\n${host.key}\n`
    const login = await runMapcrate(['login', '--service', 'pools'], { input, env })
    const file = join(settings, 'mapcrate/pools-login.json')
    expect(login).toMatchObject({
      code: 0,
      stdout: `Logged in to ${host.door.url} as Ada; kept in ${file}\n`,
    })
    expect((await runMapcrate(['tournament', 'list', '--mine'], { env })).code).toBe(0)
    expect((await runMapcrate(['me', '--service', 'pools'], { env })).stdout).toMatch(
      /^Ada, player 7/,
    )
    expect((await runMapcrate(['me'], { env })).stderr).toMatch(
      /you are not logged in; run mapcrate login,/,
    )
    await runMapcrate(['logout', '--service', 'pools'], { env })
    const out = await runMapcrate(['tournament', 'list'], { env })
    expect(out.stderr).toMatch(
      /an address and keys of its own; run mapcrate login --service pools, or set MAPCRATE_POOLS_URL and MAPCRATE_POOLS_KEY/,
    )
    expect(out.code).toBe(1)
  })

  it('a packs login alone, and a packs key, are refused with what to do', async () => {
    const packs = await house.hostOf(7, 'Ada')
    const env = { MAPCRATE_URL: packs.door.url, MAPCRATE_KEY: packs.key }
    const alone = await runMapcrate(['tournament', 'list'], { env })
    expect(alone.stderr).toMatch(/run mapcrate login --service pools/)
    const wrong = { MAPCRATE_POOLS_URL: host.door.url, MAPCRATE_POOLS_KEY: packs.key }
    const refused = await runMapcrate(['tournament', 'list'], { env: wrong })
    expect(refused.stderr).toMatch(/log in again with: mapcrate login --service pools\n$/)
    expect(refused.stderr).not.toContain(packs.key)
    expect([alone.code, refused.code]).toEqual([1, 1])
  })
})

describe('wrong use', () => {
  it.each([
    [[], /no command given/],
    [['lst'], /no command "lst"; did you mean list\?/],
    [['show'], /SLUG is missing/],
    [['list', '--page', '0'], /--page "0"/],
    [['list', '--mine', '--rank', '7'], /--rank is for public tournaments/],
    [['new', 'x', '--year', 'soon'], /--year "soon"/],
    [['set', 'aaaaaaaaaa'], /nothing is to be changed/],
    [['staff', 'aaaaaaaaaa', '7'], /ROLE is missing/],
    [['staff', 'aaaaaaaaaa', '0', 'host'], /GAME-ID "0"/],
    [['staff', 'aaaaaaaaaa', '7', 'boss'], /ROLE "boss"/],
    [['round', 'aaaaaaaaaa', 'Finals'], /nothing is to be changed/],
    [['round', 'aaaaaaaaaa', 'Finals', '--stars', 'many'], /--stars "many"/],
    [['round', 'aaaaaaaaaa', 'Finals', '--stars', '7'], /--stars "7" is no range; give 5\.4-6\.3/],
    [['round', 'aaaaaaaaaa', 'Finals', '--keys', 'all'], /--keys "all" is no range; give 7, 4-7/],
    [['slot', 'aaaaaaaaaa', 'Finals', 'NM1', ' '], /CONTENT is empty/],
    [['release', 'aaaaaaaaaa', 'Finals', '--at', '2099-12-01 18:00'], /no time with a zone/],
    [['release', 'aaaaaaaaaa', 'Finals', '--at', '2099-11-31T18:00Z'], /no time with a zone/],
    [['release', 'aaaaaaaaaa', 'Finals', '--at', '2099-12-01T24:00Z'], /no time with a zone/],
    [['export', 'aaaaaaaaaa', '--as', 'csv', '--merge', 'x'], /--merge is for --as bracket/],
  ])(
    '%j exits 2 with the reason, before anything is asked of the service',
    async (args, reason) => {
      const env = { MAPCRATE_POOLS_URL: 'http://127.0.0.1:1', MAPCRATE_POOLS_KEY: 'pools_x' }
      const { code, stdout, stderr } = await runMapcrate(['tournament', ...args], { env })
      expect(stderr).toMatch(reason)
      expect(stderr).toMatch(/\nSee mapcrate tournament.*--help\.\n$/)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    },
  )

  it('a round that is not there, a role that does not allow it, and a bound exit 1', async () => {
    const slug = await drafted()
    await done(['staff', slug, '8', 'referee'])
    for (const [who, args, reason] of [
      [
        host,
        ['release', slug, 'Quaterfinals', '--yes'],
        /no round "Quaterfinals"; did you mean "Quarterfinals"/,
      ],
      [pooler, ['slot', slug, 'Qualifiers', 'NM1', '5'], /your role on the staff/],
      [stranger, ['checks', slug], /there is no such tournament, or no such part of it/],
      [host, ['staff', slug, '7', '--remove'], /host/],
      [
        host,
        ['release', slug, 'Qualifiers', '--at', '2001-01-01T00:00Z', '--yes'],
        /in the future/,
      ],
      [host, ['round', slug, 'Qualifiers', '--best-of', '4'], /: --best-of must be one of 1, 3, /],
      [host, ['round', slug, 'QUALIFIERS', '--new'], /another round/],
    ] as const) {
      const { code, stderr } = await runAs(who, args)
      expect(stderr).toMatch(reason)
      expect(code).toBe(1)
    }
  })
})

it('what the service refuses is called as the command line calls it, never by its place in a request', async () => {
  const slug = await drafted()
  const long = 'x'.repeat(129)
  const slot = ['slot', slug, 'Qualifiers', 'NM1'] as const
  for (const [args, reason] of [
    [[...slot, long], 'CONTENT must have 1 to 100 characters'],
    [[...slot, 'a\u202Eb'], 'CONTENT must not contain U\\+202E'],
    [[...slot, '0'], 'CONTENT must be from 1 to 2147483647'],
    [[...slot, 'soon', '--was', long], '--was must have 1 to 100 characters'],
    [[...slot, '5', '--was', '9999999999'], '--was must be from 1 to 2147483647'],
    [[...slot, 'soon', '--title', long], '--title must have 1 to 128 characters'],
    [['slot', slug, 'Qualifiers', 'ABCDEFGHIJKLM1', '5'], 'the bucket of SLOT must be 1 to 12 '],
    [['new', long], 'NAME must have 1 to 64 characters'],
    [['round', slug, long, '--new'], 'ROUND must have 1 to 64 characters'],
    [['round', slug, 'Qualifiers', '--name', long], '--name must have 1 to 64 characters'],
  ] as const) {
    const { code, stderr } = await runAs(host, args)
    expect(stderr).toMatch(new RegExp(`^mapcrate tournament ${args[0]}: ${reason}`))
    expect(stderr).not.toMatch(/\w\[\d|\w\.\w/)
    expect(code).toBe(1)
  }
})

it('tournament --help and help tournament list the commands, and each has its own help', async () => {
  const { stdout, code } = await runMapcrate(['tournament', '--help'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Usage: mapcrate tournament COMMAND …\n/)
  for (const name of ['list', 'pull', 'push', 'release']) {
    expect(stdout).toMatch(new RegExp(`^  ${name} +\\S`, 'm'))
  }
  expect((await runMapcrate(['help', 'tournament'])).stdout).toBe(stdout)
  const help = await runMapcrate(['help', 'tournament', 'pull'])
  expect(help.stdout).toMatch(/^Usage: mapcrate tournament pull \[--force\] \[--json\] SLUG DIR\n/)
})
