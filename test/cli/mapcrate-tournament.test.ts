import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Host, openHouse } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, runMapcrate, type RunOptions } from '../support/run-mapcrate.ts'
import { ScriptedPlatform } from '../support/scripted-platform.ts'

const house = await openHouse({
  withPorts: (ports) => ({ ...ports, platform: new ScriptedPlatform(ports) as never }),
})
let host: Host
let pooler: Host
let stranger: Host
const folders: string[] = []

beforeAll(async () => {
  host = await house.hostOf(7, 'Ada', 'pools')
  pooler = await house.hostOf(8, 'Ben', 'pools')
  stranger = await house.hostOf(9, 'Cas', 'pools')
})
afterAll(async () => {
  await house.close()
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const envOf = ({ door, key }: Host) => ({ MAPCRATE_POOLS_URL: door.url, MAPCRATE_POOLS_KEY: key })

/** A call in a minute of its own: an account has ten writes in each, and the hand-set clock stands still. */
const runAs = async (who: Host, args: readonly string[], options: RunOptions = {}) => {
  house.clock.advance(60_000)
  return runMapcrate(['tournament', ...args], {
    ...options,
    env: { ...envOf(who), ...options.env },
  })
}

const done = async (args: readonly string[], options: RunOptions = {}, who = host) => {
  const ending = await runAs(who, args, options)
  expect({ args, ...ending }).toMatchObject({ args, code: 0 })
  return ending
}

const jsonOf = async (args: readonly string[], options: RunOptions = {}, who = host) =>
  JSON.parse((await done([...args, '--json'], options, who)).stdout)

type FileContent = { readonly slots: readonly object[] }

const newTournament = async (...args: string[]): Promise<string> =>
  (await jsonOf(['new', 'Harbour Lights Cup', '--short-name', 'HLC', ...args])).slug

const sheet = `Round\tSlot\tBeatmap
Qualifiers\tNM1\t75
\tHD1\t76
Quarterfinals\tNM1\t77
\tNM2\t78
\tTB\t79
`

/** A tournament with Qualifiers and Quarterfinals. */
const drafted = async (...args: string[]): Promise<string> => {
  const slug = await newTournament(...args)
  await done(['import', slug, '-', '--yes'], { input: sheet })
  return slug
}

const longFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mapcrate-'))
  folders.push(folder)
  return folder
}

const saveAs = (who: Host, path: string, body: unknown, method = 'PATCH') => {
  house.clock.advance(60_000)
  return who.ask(method, path, { body })
}

const idsOf = async (slug: string): Promise<Record<string, string>> => {
  const { rounds } = await jsonOf(['show', slug])
  return Object.fromEntries(rounds.map(({ name, id }: Record<string, string>) => [name, id]))
}

/** As somebody else does it at the same time. */
const changeSlot = async (slug: string, round: string, index: number, from: number, to: number) => {
  const { [round]: id } = await idsOf(slug)
  const change = { mod: 'NM', index, from: { beatmapId: from }, to: { beatmapId: to } }
  const path = `/tournaments/${slug}/rounds/${id}/slots`
  const { status } = await saveAs(host, path, { changes: [change] })
  expect(status).toBe(200)
}

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
  expect(early.stderr).toMatch(/the round cannot be released: NM2 has no beatmap/)
  expect(early.code).toBe(1)
  await done(['slot', slug, 'Quarterfinals', 'NM2', 'https://osu.ppy.sh/b/80'], {}, pooler)

  const later = '2099-12-01T19:00+01:00'
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
    new RegExp(`^${slug} +Harbour Lights Cup +base +2026`, 'm'),
  )
  expect((await done(['list', '--mine', '--all'])).stdout).toMatch(/host, public$/m)

  await done(['withdraw', slug, 'Quarterfinals', '--yes'])
  expect(await jsonOf(['show', slug], {}, stranger)).toMatchObject({ rounds: [] })
  await done(['round', slug, 'Finals', '--remove', '--yes'])
  await done(['staff', slug, '8', '--remove'])
  const wrong = await runAs(host, ['delete', slug, '--yes', 'harbour'])
  expect(wrong.stderr).toMatch(/not its name; nothing was deleted/)
  expect(wrong.code).toBe(1)
  await done(['delete', slug, '--yes', 'Harbour Lights Cup'])
  expect((await runAs(host, ['show', slug])).code).toBe(1)
})

describe('import', () => {
  it('replaces slots of rounds that are there, keeps the rest and the others, and asks first', async () => {
    const slug = await drafted()
    await done(['round', slug, 'Quarterfinals', '--best-of', '11'])
    const before = await jsonOf(['show', slug])
    const input = 'Finals\nNM1 90\n\nquarterfinals\nNM1 91\n'
    const mute = await runAs(host, ['import', slug, '-'], { input })
    expect(mute.stderr).toMatch(/no terminal to ask on; say --yes/)
    expect(mute.code).toBe(2)
    expect(await jsonOf(['show', slug])).toEqual(before)
    const { stdout } = await done(['import', slug, '-', '--yes'], { input })
    expect(stdout).toBe(
      'Quarterfinals\nNM1: 77 → 91\nNM2 removed: 78\nTB removed: 79\n\nFinals  new\nNM1 → 90\n',
    )
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.map(({ name }: { name: string }) => name)).toEqual([
      'Qualifiers',
      'Quarterfinals',
      'Finals',
    ])
    expect(rounds[1]).toMatchObject({ bestOf: 11, slots: [{ beatmapId: 91 }] })
    await done(['import', slug, '-', '--yes', '--delete'], { input: 'Finals\nNM1 90\n' })
    expect(Object.keys(await idsOf(slug))).toEqual(['Finals'])
  })

  it('saves what can be read and exits 3 with the lines that cannot', async () => {
    const slug = await newTournament()
    const input = 'Finals\nNM1 90\nNM2 is what\n'
    const { code, stderr } = await runAs(host, ['import', slug, '-', '--yes'], { input })
    expect(stderr).toMatch(/line 3, “NM2 is what”: /)
    expect(code).toBe(3)
    expect((await jsonOf(['show', slug])).rounds).toMatchObject([{ slots: [{ beatmapId: 90 }] }])
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

  it('saves more than 16 KB round by round', { timeout: 120_000 }, async () => {
    const slug = await newTournament()
    const slots = Array.from({ length: 40 }, (_, at) => `NM${at + 1} ${2_000_000_000 + at}\n`).join(
      '',
    )
    const input = Array.from({ length: 9 }, (_, at) => `Week ${at + 1}\n${slots}`).join('\n')
    await done(['import', slug, '-', '--yes'], { input })
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.map(({ slots: all }: { slots: unknown[] }) => all.length)).toEqual(
      Array.from({ length: 9 }, () => 40),
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

describe('pull and push', () => {
  const drafts = async (): Promise<{ slug: string; folder: string }> => {
    const slug = await drafted()
    const folder = join(await longFolder(), 'hlc')
    await done(['pull', slug, folder])
    return { slug, folder }
  }
  const read = async (folder: string, name: string) =>
    JSON.parse(await readFile(join(folder, name), 'utf8'))
  const edit = async (folder: string, name: string, change: (content: FileContent) => unknown) =>
    writeFile(join(folder, name), JSON.stringify(change(await read(folder, name))))

  it('go round without a loss: placeholders, empty slots, facts, targets and buckets', async () => {
    const slug = await newTournament('--rank-min', '1000', '--rank-max', '9999')
    const round = {
      name: 'Losers: Round 1/2',
      bestOf: 11,
      bans: 2,
      packName: 'HLC LR1',
      targets: { stars: { min: 5.4, max: 6.3 }, length: { max: 300 }, keys: { min: 4, max: 7 } },
      slots: [
        { mod: 'NM', index: 1, beatmapId: 75 },
        { mod: 'RC', index: 1, placeholder: 'custom map, due Sunday' },
        { mod: 'TB', index: 1 },
      ],
      buckets: [{ code: 'RC', color: 3, mods: { kind: 'forced', set: ['HD', 'DT'] } }],
    }
    await saveAs(host, `/tournaments/${slug}/rounds`, round, 'POST')
    await saveAs(host, `/tournaments/${slug}/rounds`, { name: 'CON' }, 'POST')
    const before = await jsonOf(['show', slug])
    const folder = await longFolder()
    await done(['pull', slug, folder])
    expect((await readdir(folder)).toSorted()).toEqual([
      'CON_.json',
      'Losers- Round 1-2.json',
      'tournament.json',
    ])
    const { pulled, ...facts } = await read(folder, 'tournament.json')
    expect(facts).toMatchObject({
      name: 'Harbour Lights Cup',
      rankMax: 9999,
      rounds: ['Losers- Round 1-2.json', 'CON_.json'],
    })
    expect(pulled).toMatchObject({ slug, site: host.door.url, etag: expect.stringMatching(/^"/) })
    const same = await done(['push', folder])
    expect(same.stderr).toBe('Nothing is to be sent.\n')
    await edit(folder, 'CON_.json', (content) => ({ ...content, bans: 1 }))
    await done(['push', folder, '--yes'])
    const after = await jsonOf(['show', slug])
    expect(after.rounds[0]).toEqual(before.rounds[0])
    expect(after.rounds[1]).toMatchObject({ name: 'CON', bans: 1 })
  })

  it('push shows what differs and sends it: slots, a new round, the order, facts, a removal', async () => {
    const { slug, folder } = await drafts()
    await edit(folder, 'Qualifiers.json', (round) => ({
      ...round,
      slots: [{ mod: 'NM', index: 1, placeholder: 'soon' }, round.slots[1]],
    }))
    await writeFile(join(folder, 'Finals.json'), JSON.stringify({ name: 'Finals', slots: [] }))
    await edit(folder, 'tournament.json', (index) => ({
      ...index,
      year: 2027,
      rounds: ['Finals.json', 'Qualifiers.json'],
    }))
    const dry = await runAs(host, ['push', folder, '--dry-run', '--delete'])
    expect(dry.code).toBe(0)
    for (const text of ['2027', 'NM1: 75 → “soon”', 'Finals  new', 'Quarterfinals  removed']) {
      expect(dry.stdout).toContain(text)
    }
    const kept = await runAs(host, ['push', folder, '--dry-run'])
    expect(kept.stderr).toMatch(/Quarterfinals\.json: it is not in tournament\.json; --delete/)
    expect(kept.code).toBe(3)
    await done(['push', folder, '--yes', '--delete'])
    const after = await jsonOf(['show', slug])
    expect(after).toMatchObject({
      year: 2027,
      rounds: [{ name: 'Finals' }, { name: 'Qualifiers', slots: [{ placeholder: 'soon' }, {}] }],
    })
    expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
  })

  it('what was changed on the service meanwhile is reported and not overwritten; a pull gets it', async () => {
    const { slug, folder } = await drafts()
    await changeSlot(slug, 'Qualifiers', 1, 75, 99)
    await changeSlot(slug, 'Quarterfinals', 1, 77, 98)
    const mine = { mod: 'NM', index: 1, beatmapId: 5 }
    await edit(folder, 'Quarterfinals.json', (round) => ({ ...round, slots: [mine] }))
    const { code, stderr } = await runAs(host, ['push', folder, '--yes'])
    expect(stderr).toMatch(/Quarterfinals\.json: it and its round have both changed; pull first/)
    expect(stderr).toMatch(/Qualifiers\.json was changed on the service; pull to get it/)
    expect(code).toBe(3)
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds).toMatchObject([
      { slots: [{ beatmapId: 99 }, {}] },
      { slots: [{ beatmapId: 98 }, {}, {}] },
    ])
    const pull = await runAs(host, ['pull', slug, folder])
    expect(pull.stderr).toMatch(/Quarterfinals\.json and its round have both changed; kept/)
    expect(pull.code).toBe(3)
    expect((await read(folder, 'Qualifiers.json')).slots[0].beatmapId).toBe(99)
    expect((await read(folder, 'Quarterfinals.json')).slots).toEqual([mine])
    await done(['pull', slug, folder, '--force'])
    expect((await read(folder, 'Quarterfinals.json')).slots[0].beatmapId).toBe(98)
    expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
  })

  it('a file that cannot be read, a damaged index and a folder of another tournament send nothing', async () => {
    const { slug, folder } = await drafts()
    const before = await jsonOf(['show', slug])
    await edit(folder, 'Quarterfinals.json', (round) => ({ ...round, bestOf: 9 }))
    await writeFile(join(folder, 'Qualifiers.json'), '{ "name": "Qualifiers", "slots": [1] }')
    const broken = await runAs(host, ['push', folder, '--yes'])
    expect(broken.stderr).toMatch(
      /nothing was sent: Qualifiers\.json: slots\[0\] must be an object/,
    )
    expect(broken.code).toBe(1)
    const other = await newTournament()
    const elsewhere = await runAs(host, ['pull', other, folder])
    expect(elsewhere.stderr).toMatch(/holds another tournament/)
    expect(elsewhere.code).toBe(1)
    await writeFile(join(folder, 'tournament.json'), '{}')
    expect((await runAs(host, ['push', folder])).stderr).toMatch(/tournament\.json is damaged/)
    const empty = await runAs(host, ['push', await freshFolder()])
    expect(empty.stderr).toMatch(/there is no tournament\.json in .*pull first/)
    expect(await jsonOf(['show', slug])).toEqual(before)
  })

  it('strangers have no drafts to pull', async () => {
    const slug = await drafted('--visibility', 'public')
    const { code, stderr } = await runAs(stranger, ['pull', slug, await freshFolder()])
    expect(stderr).toMatch(/only the staff/)
    expect(code).toBe(1)
  })
})

describe('export', () => {
  it('--merge says what it did, and adds no round under a name that is nearly there', async () => {
    const slug = await drafted()
    const file = join(await freshFolder(), 'bracket.json')
    const before = '{ "Rounds": [{ "Name": "Qualifiers" }, { "Name": "Quarter Finals" }] }'
    await writeFile(file, before)
    const args = ['export', slug, '--as', 'bracket', '--merge', file, '--no-details']
    const { code, stderr } = await runAs(host, args)
    expect(stderr).toContain(
      `${file} has no round "Quarterfinals", but "Quarter Finals"; rename one of them, or say --add for a new round (there are: Qualifiers, Quarter Finals)`,
    )
    expect(code).toBe(2)
    expect(await readFile(file, 'utf8')).toBe(before)
    const added = await done([...args, '--add'])
    expect(added.stderr).toContain(`Rounds in ${file}: replaced Qualifiers; added Quarterfinals\n`)
    expect(JSON.parse(await readFile(file, 'utf8')).Rounds).toHaveLength(3)
  })

  it('writes all rounds or one in each format, and merges into a bracket', async () => {
    const slug = await drafted()
    const folder = await freshFolder()
    const csv = await done(['export', slug, '--as', 'csv', '--no-details'])
    expect(csv.stdout).toMatch(/^Round,Slot,Beatmap ID,/)
    expect(csv.stdout).toMatch(/^Quarterfinals,TB,79,/m)
    const one = await done([
      'export',
      slug,
      '--as',
      'referee',
      '--round',
      'qualifiers',
      '--no-details',
    ])
    expect(one.stdout).toContain('!mp map 76')
    expect(one.stdout).not.toContain('!mp map 77')
    const bracket = join(folder, 'bracket.json')
    await writeFile(bracket, '{ "Teams": [1], "Rounds": [{ "Name": "Qualifiers" }] }')
    await done(['export', slug, '--as', 'bracket', '--merge', bracket, '--no-details'])
    const merged = JSON.parse(await readFile(bracket, 'utf8'))
    expect(merged).toMatchObject({ Teams: [1], Rounds: [{ Name: 'Qualifiers' }, {}] })
    expect(merged.Rounds[1].Beatmaps).toHaveLength(3)
    const same = await done(['export', slug, '--as', 'bracket', '--merge', bracket, '--no-details'])
    expect(same.stderr).toMatch(/Nothing to change/)
    const refused = await runAs(host, [
      'export',
      slug,
      '--as',
      'csv',
      '--out',
      bracket,
      '--no-details',
    ])
    expect(refused.stderr).toMatch(/exists already and was not changed/)
    expect(refused.code).toBe(1)
  })

  it('exits 3 with the slots that have no beatmap, and writes nothing of unknown ones alone', async () => {
    const slug = await drafted()
    await done(['slot', slug, 'Quarterfinals', 'TB', 'soon'])
    const csv = await runAs(host, ['export', slug, '--as', 'csv', '--no-details'])
    expect(csv.stderr).toMatch(/left out: Quarterfinals TB\./)
    expect(csv.code).toBe(3)
    const osdb = await runAs(host, ['export', slug, '--as', 'osdb', '--no-details'])
    expect(osdb.stderr).toMatch(/nothing was written/)
    expect(osdb.code).toBe(1)
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
      [stranger, ['checks', slug], /there is nothing at this path/],
      [host, ['staff', slug, '7', '--remove'], /host/],
      [host, ['release', slug, 'Qualifiers', '--at', '2001-01-01T00:00Z', '--yes'], /to come/],
      [host, ['round', slug, 'Qualifiers', '--best-of', '4'], /bestOf/],
      [host, ['round', slug, 'QUALIFIERS', '--new'], /another round/],
    ] as const) {
      const { code, stderr } = await runAs(who, args)
      expect(stderr).toMatch(reason)
      expect(code).toBe(1)
    }
  })
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
