import { spawn } from 'node:child_process'
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { PackInput } from '../../src/contract/packs.ts'
import { readCollections, writeCollections } from '../../src/formats/collection/collection-db.ts'
import type { PackPart } from '../../src/formats/format.ts'
import { type FormatId, formats } from '../../src/formats/format-table.ts'
import type { Host } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import {
  inTerminal,
  program,
  runMapcrate,
  Running,
  type RunOptions,
} from '../support/run-mapcrate.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let host: Host
let env: Record<string, string>

const pool: PackInput = {
  name: 'Grand Finals',
  visibility: 'public',
  slots: [
    { mod: 'NM', index: 1, beatmapId: 129891 },
    { mod: 'NM', index: 3, beatmapId: 75 },
    { mod: 'DT', index: 1, beatmapId: 76 },
    { mod: 'RC', index: 1, beatmapId: 77 },
    { mod: 'TB', index: 1, beatmapId: 78 },
  ],
  buckets: [{ code: 'RC', color: 4, mods: { kind: 'forced', set: ['HD', 'HR'] } }],
}
let slug: string

beforeAll(async () => {
  house = await openSiteHouse()
  host = await house.hostOf(7, 'Ada')
  env = { MAPCRATE_URL: house.urls.packs, MAPCRATE_KEY: host.key }
  slug = await host.save(pool)
})
// An account has sixty requests a minute, and the hand-set clock stands still.
beforeEach(() => house.clock.advance(60_000))
afterAll(() => house.close())

const run = (args: readonly string[], options: RunOptions = {}) =>
  runMapcrate(args, { ...options, env })

/** What of a pool is the same in what came back; `name` where the file has one. */
const partsOf: Readonly<Record<string, (pack: PackInput) => unknown>> = {
  name: ({ name }) => name,
  beatmaps: ({ slots }) => slots.map(({ beatmapId }) => beatmapId).toSorted((a, b) => a - b),
  buckets: ({ slots }) => slots.map(({ mod, beatmapId }) => `${mod} ${beatmapId}`).toSorted(),
  numbers: ({ slots }) => slots.map(({ index, beatmapId }) => `${index} ${beatmapId}`).toSorted(),
  order: ({ buckets }) => buckets?.map(({ code }) => code),
  colors: ({ buckets }) => buckets?.flatMap((each) => ('color' in each ? [each.color] : [])),
  mods: ({ buckets }) => buckets?.flatMap((each) => ('mods' in each ? [each.mods] : [])),
}

describe('export and import', () => {
  const readable = (Object.keys(formats) as FormatId[]).filter(
    (id) => formats[id].read !== undefined,
  )

  it.each(readable)('go round with %s, up to what the format table says is lost', async (id) => {
    const player = await house.hostOf(1000 + readable.indexOf(id), `Ada ${id}`)
    const file = join(await freshFolder(), 'file')
    const written = await run(['export', slug, '--as', id, '--out', file])
    expect(written).toMatchObject({ code: 0, stdout: '' })
    const { code, stdout } = await runMapcrate(['import', file, '--json'], {
      env: { ...env, MAPCRATE_KEY: player.key },
    })
    const made: PackInput[] = JSON.parse(stdout).packs
    const [back] = made
    const before = (await host.get(`/packs/${slug}`)).json.pack
    const carried: readonly PackPart[] = formats[id].carries
    for (const part of carried) {
      expect(partsOf[part]?.(back!), part).toEqual(partsOf[part]?.(before))
    }
    // What is partly carried are the beatmaps at least, in one pack or in several.
    const slots = made.flatMap((each) => each.slots)
    expect(partsOf['beatmaps']?.({ ...before, slots })).toEqual(partsOf['beatmaps']?.(before))
    expect(code).toBe(0)
  })
})

describe('export', () => {
  it('writes text to stdout, with what the site knows of the beatmaps', async () => {
    const { stdout, code } = await run(['export', slug, '--as', 'csv'])
    const [head, first] = stdout.split('\r\n')
    expect(head).toMatch(/^Slot,Beatmap ID,Set ID,Artist,Title,/)
    expect(first).toMatch(/^NM1,129891,39804,xi,FREEDOM DiVE,FOUR DIMENSIONS,.*,7\.81,258,222,/)
    expect(code).toBe(0)
    const bare = await run(['export', slug, '--as', 'csv', '--no-details'])
    expect(bare.stdout.split('\r\n')[1]).toBe(`NM1,129891${','.repeat(12)}`)
  })

  it('writes bytes to a pipe and to a file, and not to a terminal', async () => {
    const { bytes } = await run(['export', slug, '--as', 'collection'])
    const [collection] = readCollections(bytes).collections
    expect(collection?.name).toBe('Grand Finals')
    expect(collection?.hashes).toHaveLength(5)
    const shown = await inTerminal(['export', slug, '--as', 'osdb'], [], { env })
    expect(shown.screen).toMatch(/is no text; give --out FILE/)
    expect(shown.code).toBe(2)
  })

  it('leaves out of collections what nothing is known of, says so, and exits 3', async () => {
    const half = await host.save({
      name: 'Half',
      slots: [pool.slots[0]!, { mod: 'NM', index: 2, beatmapId: 2_000_000_001 }],
    })
    const { code, bytes, stderr } = await run(['export', half, '--as', 'collection'])
    expect(stderr).toMatch(/1 slot left out: nothing is known of the beatmaps/)
    expect(readCollections(bytes).collections[0]?.hashes).toHaveLength(1)
    expect(code).toBe(3)
    const none = await run(['export', half, '--as', 'osdb', '--no-details', '--out', 'never'])
    expect(none.stderr).toMatch(/nothing was written/)
    expect(none.code).toBe(1)
  })

  it('--out writes whole or not at all, keeps the mode, and follows links', async () => {
    const folder = await freshFolder()
    await writeFile(join(folder, 'real.txt'), 'old')
    await chmod(join(folder, 'real.txt'), 0o640)
    await symlink('real.txt', join(folder, 'link.txt'))
    const out = join(folder, 'link.txt')
    const { stderr } = await run(['export', slug, '--as', 'ids', '--out', out, '--force'])
    expect(stderr).toMatch(/^Wrote .*link\.txt\n$/)
    expect(await readFile(join(folder, 'real.txt'), 'utf8')).toBe('129891\n75\n76\n77\n78\n')
    expect((await stat(join(folder, 'real.txt'))).mode & 0o777).toBe(0o640)
    expect((await readdir(folder)).toSorted()).toEqual(['link.txt', 'real.txt'])
    const nowhere = await run(['export', slug, '--as', 'ids', '--out', join(folder, 'no/file.txt')])
    expect(nowhere.stderr).toMatch(
      /cannot be written: its folder does not exist; create the folder first\n$/,
    )
    expect(nowhere.code).toBe(1)
  })
})

describe('export --as bracket --merge', () => {
  const bracket = `{
    "Ruleset": {"ShortName":"osu"}, "Unknown": [1.50, "\\u00e9"],
    "Rounds": [
      {"Name": "Grand Finals", "BestOf": 13, "Extra": {"b":1,"a":2}, "Beatmaps": [{"ID": 1, "Mods": "NM"}]},
      {"Name": "Semifinals", "Beatmaps": []}
    ]
}`

  it('replaces the beatmaps of the round of that name and not a byte else', async () => {
    const folder = await freshFolder()
    const file = join(folder, 'bracket.json')
    await writeFile(file, bracket)
    const { code, stdout, stderr } = await run(['export', slug, '--as', 'bracket', '--merge', file])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    expect(stderr).toBe(
      `Replaced the round Grand Finals in ${file}; its rounds are: Grand Finals, Semifinals\n`,
    )
    const after = await readFile(file, 'utf8')
    const [before, behind] = bracket.split('[{"ID": 1, "Mods": "NM"}]') as [string, string]
    expect(after.startsWith(before)).toBe(true)
    expect(after.endsWith(behind)).toBe(true)
    const round = JSON.parse(after).Rounds[0]
    expect(round.BestOf).toBe(13)
    expect(round.Beatmaps.map(({ ID }: { ID: number }) => ID)).toEqual([129891, 75, 76, 77, 78])
  })

  it('adds a round of another name, to another file when told so, in the encoding of the file', async () => {
    const folder = await freshFolder()
    const [file, other] = [join(folder, 'bracket.json'), join(folder, 'new.json')]
    const bytes = Buffer.from(`\ufeff${bracket}`, 'utf16le')
    await writeFile(file, bytes)
    const args = ['--merge', file, '--out', other, '--round', 'Losers Finals']
    expect((await run(['export', slug, '--as', 'bracket', ...args])).code).toBe(0)
    expect((await readFile(file)).equals(bytes)).toBe(true)
    const text = (await readFile(other)).toString('utf16le')
    const names = JSON.parse(text.slice(1)).Rounds.map(({ Name }: { Name: string }) => Name)
    expect(names).toEqual(['Grand Finals', 'Semifinals', 'Losers Finals'])
  })

  it('leaves a file that is no bracket as it is', async () => {
    const file = join(await freshFolder(), 'bracket.json')
    await writeFile(file, '{ "Rounds": [')
    const { code, stderr } = await run(['export', slug, '--as', 'bracket', '--merge', file])
    expect(stderr).toMatch(/^mapcrate export: \S+: line 1, column \d+: /)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('{ "Rounds": [')
    const none = await run(['export', slug, '--as', 'bracket', '--merge', `${file}.new`])
    expect(none.stderr).toMatch(/write a new one by --out /)
  })
})

describe('export --out', () => {
  it('never overwrites a file, unless told so by --force', async () => {
    const folder = await freshFolder()
    const file = join(folder, 'bracket.json')
    const link = join(folder, 'link.json')
    await writeFile(file, 'mine')
    await symlink('bracket.json', link)
    for (const out of [file, link]) {
      const { code, stderr } = await run(['export', slug, '--as', 'bracket', '--out', out])
      expect(stderr).toMatch(/: \S+ exists already and was not changed; --force overwrites it\n$/)
      expect(code).toBe(1)
    }
    expect(await readFile(file, 'utf8')).toBe('mine')
    const forced = await run(['export', slug, '--as', 'bracket', '--out', link, '--force'])
    expect(forced.code).toBe(0)
    expect(JSON.parse(await readFile(file, 'utf8')).Rounds).toHaveLength(1)
    expect((await readdir(folder)).toSorted()).toEqual(['bracket.json', 'link.json'])
  })

  it('writes a new file where a link leads, and to devices as they are', async () => {
    const folder = await freshFolder()
    await symlink('new.txt', join(folder, 'link.txt'))
    const out = join(folder, 'link.txt')
    expect((await run(['export', slug, '--as', 'ids', '--out', out])).code).toBe(0)
    expect(await readFile(join(folder, 'new.txt'), 'utf8')).toMatch(/^129891\n/)
    expect((await run(['export', slug, '--as', 'ids', '--out', '/dev/null'])).code).toBe(0)
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
    const dir = await run(['export', slug, '--as', 'ids', '--out', folder, '--force'])
    expect(dir.stderr).toMatch(/cannot be written: it is a folder; give the name of a file\n$/)
  })

  it('writes to pipes by whichever name they are given', async () => {
    const folder = await freshFolder()
    await symlink('/dev/stdout', join(folder, 'link.txt'))
    for (const out of ['/dev/stdout', '/dev/fd/1', 'link.txt']) {
      const call = `"$0" "$1" export ${slug} --as ids --out ${out} | cat`
      const child = spawn('sh', ['-c', call, process.execPath, program], {
        cwd: folder,
        env: { ...env, PATH: process.env['PATH'], HOME: folder },
      })
      const { stdout, stderr } = await new Running(child).ended
      expect({ out, stdout, stderr }).toMatchObject({ out, stdout: '129891\n75\n76\n77\n78\n' })
    }
  })

  const ways = ['--merge bracket.json', '--out bracket.json --force']
  const inFolder = async () => {
    const folder = await freshFolder()
    const file = join(folder, 'bracket.json')
    await writeFile(file, '{"Rounds":[]}')
    const options = {
      cwd: folder,
      env: { ...env, PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: folder, HOME: folder },
    }
    return { folder, file, options }
  }

  it.each(ways)('loses nothing when the disk takes no more: %s', async (words) => {
    const { folder, file, options } = await inFolder()
    // A limit of no bytes for every file that is written; the signal for it, ignored, becomes an error.
    const script = `trap '' XFSZ; ulimit -f 0; exec "$0" "$@"`
    const args = [program, 'export', slug, '--as', 'bracket', ...words.split(' ')]
    const child = spawn('bash', ['-c', script, process.execPath, ...args], options)
    const { code, stderr } = await new Running(child).ended
    expect(stderr).toMatch(/cannot be written: the file would be larger than the system allows\n$/)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('{"Rounds":[]}')
    expect(await readdir(folder)).toEqual(['bracket.json'])
  })

  it.each(ways)('loses nothing when it is killed before all is on the disk: %s', async (words) => {
    const { file, options } = await inFolder()
    const kill = `import { open } from 'node:fs/promises'
      const handle = await open('/dev/null')
      Object.getPrototypeOf(handle).sync = () => process.kill(process.pid, 'SIGKILL')`
    const hook = `data:text/javascript,${encodeURIComponent(kill)}`
    const args = [program, 'export', slug, '--as', 'bracket', ...words.split(' ')]
    const child = spawn(process.execPath, ['--import', hook, ...args], options)
    expect((await new Running(child).ended).code).toBeNull()
    expect(child.signalCode).toBe('SIGKILL')
    expect(await readFile(file, 'utf8')).toBe('{"Rounds":[]}')
  })
})

describe('export --merge of a collection', () => {
  it('puts it into a collection.db and an .osdb beside the others', async () => {
    const folder = await freshFolder()
    const [db, osdb] = [join(folder, 'collection.db'), join(folder, 'mine.osdb')]
    const others = ['Mine', 'Older'].map((name) => ({ name, hashes: ['a'.repeat(32)] }))
    await writeFile(db, writeCollections(20150203, others))
    const { code, stderr } = await run(['export', slug, '--as', 'collection', '--merge', db])
    expect(stderr).toBe(
      `Added the collection Grand Finals to ${db}; its collections are: Mine, Older, Grand Finals\n`,
    )
    expect(code).toBe(0)
    const { collections } = readCollections(await readFile(db))
    expect(collections.slice(0, 2)).toEqual(others)
    expect(collections[2]?.hashes).toHaveLength(5)

    await run(['export', slug, '--as', 'osdb', '--out', osdb, '--round', 'Finals'])
    const bytes = await readFile(osdb)
    const again = await run(['export', slug, '--as', 'osdb', '--merge', osdb, '--round', 'Finals'])
    expect(again.stderr).toMatch(/^Nothing to change: the collection Finals of /)
    expect((await readFile(osdb)).equals(bytes)).toBe(true)
  })

  it('does not shrink a collection because little is known of its beatmaps just now', async () => {
    const file = join(await freshFolder(), 'collection.db')
    const half = await host.save({
      name: 'Half known',
      slots: [pool.slots[0]!, { mod: 'NM', index: 2, beatmapId: 2_000_000_002 }],
    })
    const before = writeCollections(1, [{ name: 'Half known', hashes: ['b'.repeat(32)] }])
    await writeFile(file, before)
    const args = ['export', half, '--as', 'collection', '--merge', file]
    const { code, stderr } = await run(args)
    expect(stderr).toMatch(/nothing was written: 1 of the beatmaps are not known/)
    expect(code).toBe(1)
    expect((await readFile(file)).equals(before)).toBe(true)
    expect((await run([...args, '--force'])).code).toBe(3)
  })
})

describe('export --merge of what has not changed', () => {
  it('changes no byte of a bracket that the client has filled in, and does not write', async () => {
    const file = join(await freshFolder(), 'bracket.json')
    await run(['export', slug, '--as', 'bracket', '--out', file])
    const bracket = JSON.parse(await readFile(file, 'utf8'))
    for (const beatmap of bracket.Rounds[0].Beatmaps) beatmap.BeatmapInfo = { Title: 'é', SR: 1.5 }
    await writeFile(file, JSON.stringify(bracket).replaceAll('1.5', '1.50'))
    const [before, { ino }] = [await readFile(file), await stat(file)]
    const { code, stderr } = await run(['export', slug, '--as', 'bracket', '--merge', file])
    expect(stderr).toBe(
      `Nothing to change: the round Grand Finals of ${file} holds these beatmaps already.\n`,
    )
    expect(code).toBe(0)
    expect((await readFile(file)).equals(before)).toBe(true)
    expect((await stat(file)).ino).toBe(ino)
  })
})

describe('export --merge under a name that is nearly there', () => {
  const names = ['Quarter Finals', 'Semi Finals', 'Finals']
  const bracketOf = async () => {
    const file = join(await freshFolder(), 'bracket.json')
    await writeFile(file, JSON.stringify({ Rounds: names.map((Name) => ({ Name, Beatmaps: [] })) }))
    const roundsOf = async () =>
      JSON.parse(await readFile(file, 'utf8')).Rounds.map(
        ({ Name, Beatmaps }: { Name: string; Beatmaps: unknown[] }) => `${Name} ${Beatmaps.length}`,
      )
    const args = ['export', slug, '--as', 'bracket', '--merge', file, '--round']
    return { file, roundsOf, args }
  }

  it('changes nothing without a terminal, says what there is, and exits 2', async () => {
    const { file, roundsOf, args } = await bracketOf()
    const { code, stderr } = await run([...args, 'Semifinals'])
    expect(stderr).toContain(
      `${file} has no round "Semifinals", but "Semi Finals"; say --round "Semi Finals" to replace it, or --add for a new round (there are: Quarter Finals, Semi Finals, Finals)`,
    )
    expect(code).toBe(2)
    expect(await roundsOf()).toEqual(['Quarter Finals 0', 'Semi Finals 0', 'Finals 0'])
    const exact = await run([...args, 'Semi Finals'])
    expect(exact.stderr).toMatch(/^Replaced the round Semi Finals in /)
    const added = await run([...args, 'Semifinals', '--add'])
    expect(added.stderr).toBe(
      `Added the round Semifinals to ${file}; its rounds are: ${names.join(', ')}, Semifinals\n`,
    )
    expect(await roundsOf()).toEqual([
      'Quarter Finals 0',
      'Semi Finals 5',
      'Finals 0',
      'Semifinals 5',
    ])
    const twice = await run([...args, 'Finals', '--add'])
    expect(twice.stderr).toMatch(/has a round "Finals"; leave --add out to replace it/)
    expect(twice.code).toBe(2)
  })

  it('asks on a terminal which is meant', async () => {
    const { roundsOf, args } = await bracketOf()
    const question = /Replace it, add a new one, or stop\? \[r\/a\/S\] /
    const stopped = await inTerminal([...args, 'semi-final'], [[question, '\n']], { env })
    expect(stopped.code).toBe(1)
    expect(await roundsOf()).toEqual(['Quarter Finals 0', 'Semi Finals 0', 'Finals 0'])
    const replaced = await inTerminal([...args, 'semi-final'], [[question, 'r\n']], { env })
    expect(replaced.code).toBe(0)
    expect(await roundsOf()).toEqual(['Quarter Finals 0', 'Semi Finals 5', 'Finals 0'])
  })
})

describe('the ruleset of a bracket', () => {
  // What the stand-in platform makes up: one taiko beatmap among base ones.
  const TAIKO = 1050
  const slots = [TAIKO, 1000, 1001, 1002].map((beatmapId, at) => ({
    mod: 'NM',
    index: at + 1,
    beatmapId,
  }))

  it('is that of most beatmaps, the others are named; a file keeps its own', async () => {
    const mixed = await host.save({ name: 'Mixed', slots })
    const file = join(await freshFolder(), 'bracket.json')
    const written = await run(['export', mixed, '--as', 'bracket', '--out', file])
    expect(written.stderr).toBe(
      `The bracket is for osu, as most of its beatmaps are; of another ruleset: NM1 (taiko).\nWrote ${file}\n`,
    )
    expect(JSON.parse(await readFile(file, 'utf8')).Ruleset).toEqual({ ShortName: 'osu' })
    await writeFile(file, '{"Ruleset":{"ShortName":"taiko"},"Rounds":[]}')
    const merged = await run(['export', mixed, '--as', 'bracket', '--merge', file])
    expect(merged.stderr).toMatch(
      /^The bracket is for taiko, and stays so; of another ruleset: NM2 \(osu\), NM3 \(osu\), NM4 \(osu\)\.\n/,
    )
    expect(JSON.parse(await readFile(file, 'utf8')).Ruleset).toEqual({ ShortName: 'taiko' })
    const lines = await run(['export', mixed, '--as', 'referee'])
    expect(lines.stdout).toMatch(/^# NM1\n!mp map \d+ 1\n!mp mods NF\n\n# NM2\n!mp map \d+ 0\n/)
  })
})
