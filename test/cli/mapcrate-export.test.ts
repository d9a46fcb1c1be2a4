import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PackInput } from '../../src/contract/pack.ts'
import { readCollections } from '../../src/formats/collection/read-collections.ts'
import { type FormatId, formats, type PackPart } from '../../src/formats/format-table.ts'
import type { Host } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, type RunOptions, runMapcrate } from '../support/run-mapcrate.ts'
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
  const readable = (Object.keys(formats) as FormatId[]).filter((id) => formats[id].reads)

  it.each(readable)('go round with %s, up to what the format table says is lost', async (id) => {
    const player = await house.hostOf(1000 + readable.indexOf(id), `Ada ${id}`)
    const file = join(await freshFolder(), 'file')
    const written = await run(['export', slug, '--as', id, '--out', file])
    expect(written).toMatchObject({ code: 0, stdout: '' })
    const { code, stdout } = await runMapcrate(['import', file, '--json'], {
      env: { ...env, MAPCRATE_KEY: player.key },
    })
    const [back] = JSON.parse(stdout).packs
    const before = (await host.get(`/packs/${slug}`)).json.pack
    const carried: readonly PackPart[] = formats[id].carries
    for (const part of carried) {
      expect(partsOf[part]?.(back), part).toEqual(partsOf[part]?.(before))
    }
    // What is partly carried are the beatmaps at least.
    expect(partsOf['beatmaps']?.(back)).toEqual(partsOf['beatmaps']?.(before))
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
    expect(bare.stdout.split('\r\n')[1]).toBe(`NM1,129891${','.repeat(11)}`)
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
    const { stderr } = await run(['export', slug, '--as', 'ids', '--out', join(folder, 'link.txt')])
    expect(stderr).toMatch(/^Wrote .*link\.txt\n$/)
    expect(await readFile(join(folder, 'real.txt'), 'utf8')).toBe('129891\n75\n76\n77\n78\n')
    expect((await stat(join(folder, 'real.txt'))).mode & 0o777).toBe(0o640)
    expect((await readdir(folder)).toSorted()).toEqual(['link.txt', 'real.txt'])
    const nowhere = await run(['export', slug, '--as', 'ids', '--out', join(folder, 'no/file.txt')])
    expect(nowhere.stderr).toMatch(/cannot be written: its folder does not exist; create the folder first\n$/)
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
    expect(stderr).toBe(`Put Grand Finals into ${file}\n`)
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
    expect(stderr).toMatch(/^mapcrate export: line 1, column \d+: /)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe('{ "Rounds": [')
    const none = await run(['export', slug, '--as', 'bracket', '--merge', `${file}.new`])
    expect(none.stderr).toMatch(/write a new one by --out /)
  })
})
