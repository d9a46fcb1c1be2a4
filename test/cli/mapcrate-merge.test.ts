import { spawn } from 'node:child_process'
import {
  chmod,
  lstat,
  readdir,
  readFile,
  readlink,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatIds, formats } from '../../src/formats/format-table.ts'
import { writeCollections } from '../../src/formats/collection/collection-db.ts'
import type { Host } from '../support/house.ts'
import { freshFolder } from '../support/processes.ts'
import { inTerminal, program, runMapcrate, Running } from '../support/run-mapcrate.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'

let house: SiteHouse
let host: Host
let env: Record<string, string>
let slug: string

beforeAll(async () => {
  house = await openSiteHouse()
  host = await house.hostOf(7, 'Ada')
  env = { MAPCRATE_URL: house.urls.packs, MAPCRATE_KEY: host.key }
  slug = await host.save({ name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 129891 }] })
})
// An account has sixty requests a minute, and the hand-set clock stands still.
beforeEach(() => house.clock.advance(60_000))
afterAll(() => house.close())

const argsOf = (file: string, ...more: string[]) => [
  'export',
  slug,
  '--as',
  'bracket',
  '--merge',
  file,
  '--no-details',
  ...more,
]
const merge = (file: string, ...more: string[]) => runMapcrate(argsOf(file, ...more), { env })

/** Everything that a program could have written around the round, in Windows' line breaks. */
const HOLE = '[{ "ID": 1, "Mods": "NM" }]'
const bracket = [
  '{',
  '\t"Unknown": { "b": 1.50, "a": [1e3, "\\u00e9\\/", null], "b2": 12345678901234567890 },',
  '\t"Rounds": [',
  '\t\t{ "Name": "Other", "Beatmaps": [], "Own": {} }, { "Name": "Other" },',
  `\t\t{ "Extra": [ ], "Beatmaps": ${HOLE}, "Name": " Finals ", "BestOf": 13 }`,
  '\t],',
  '\t"Teams": [{ "FullName": "春のチーム \u{1f3b5}" }]',
  '}  ',
  '',
].join('\r\n')
const front = bracket.slice(0, bracket.indexOf(HOLE))

const inFile = async (bytes: Uint8Array | string) => {
  const folder = await freshFolder()
  const file = join(folder, 'bracket.json')
  await writeFile(file, bytes)
  return { folder, file }
}

it.each(formatIds.filter((id) => formats[id].merge !== undefined))(
  'a file that is no %s is named, and stays as it is',
  async (format) => {
    for (const content of ['', 'NM1 75\n', '{"Rounds": 5}', '\0\xff']) {
      const { folder, file } = await inFile(content)
      const args = ['export', slug, '--as', format, '--merge', file, '--no-details']
      const { code, stdout, stderr } = await runMapcrate(args, { env })
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/^mapcrate export: [^\n]+\n$/)
      expect(stderr).toContain(`${file}: `)
      expect(await readFile(file, 'utf8')).toBe(content)
      expect(await readdir(folder)).toEqual(['bracket.json'])
    }
  },
)

describe('--merge leaves every other byte as it was', () => {
  it.each([
    ['UTF-8', (text: string) => Buffer.from(text)],
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])(
    'in %s, with unknown fields, line breaks of Windows, and two others of one name',
    async (_, encode) => {
      const { folder, file } = await inFile(encode(bracket))
      const { code, stderr } = await merge(file)
      expect(stderr).toMatch(
        /^Replaced the round Finals in \S+; its rounds are: Other, Other, Finals\n$/,
      )
      expect(code).toBe(0)
      const after = await readFile(file)
      const before = encode(front)
      const end = encode(bracket).subarray(encode(front + HOLE).length)
      expect(after.subarray(0, before.length).equals(before)).toBe(true)
      expect(after.subarray(after.length - end.length).equals(end)).toBe(true)
      expect(await readdir(folder)).toEqual(['bracket.json'])
      expect((await merge(file)).stderr).toMatch(/^Nothing to change: /)
      expect((await readFile(file)).equals(after)).toBe(true)
    },
  )

  it.each([
    [
      'two rounds of the name',
      bracket.replaceAll('"Other"', '"Finals"'),
      /already a round named Finals/,
    ],
    [
      'a half character in UTF-16',
      Buffer.from(`\ufeff${bracket.replace('春', '\ud83c')}`, 'utf16le'),
      /^mapcrate export: byte \d+: this is not valid UTF-16; save the file as UTF-8\n$/,
    ],
    [
      'half a unit at the end of UTF-16',
      Buffer.concat([Buffer.from(`\ufeff${bracket}`, 'utf16le'), Buffer.of(10)]),
      /line 9, column 1: there is extra text after the end/,
    ],
    ['Latin-1', Buffer.from(bracket.replace('春', 'é'), 'latin1'), /this is not UTF-8/],
  ])('refuses %s, and changes nothing', async (_, content, reason) => {
    const { folder, file } = await inFile(content)
    const { code, stderr } = await merge(file)
    expect(stderr).toMatch(reason)
    expect(code).toBe(1)
    expect((await readFile(file)).equals(Buffer.from(content))).toBe(true)
    expect(await readdir(folder)).toEqual(['bracket.json'])
  })

  it('follows a link, and keeps the file’s mode', async () => {
    const { folder, file } = await inFile(bracket)
    await chmod(file, 0o640)
    const link = join(folder, 'link.json')
    await symlink('bracket.json', link)
    expect((await merge(link)).code).toBe(0)
    expect((await lstat(link)).isSymbolicLink()).toBe(true)
    expect(await readlink(link)).toBe('bracket.json')
    expect(await readFile(file, 'utf8')).toContain('129891')
    expect((await stat(file)).mode & 0o777).toBe(0o640)
    expect((await readdir(folder)).toSorted()).toEqual(['bracket.json', 'link.json'])
  })

  it('refuses a read-only file', async () => {
    const { folder, file } = await inFile(bracket)
    await chmod(folder, 0o777)
    await chmod(file, 0o444)
    // The superuser may write everywhere.
    const drop = `if (process.getuid?.() === 0) { process.setgid(65534); process.setuid(65534) }`
    const hook = `data:text/javascript,${encodeURIComponent(drop)}`
    const paths = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
    const args = ['--import', hook, program, ...argsOf(file)]
    const child = spawn(process.execPath, args, { env: { ...env, ...paths } })
    const { code, stderr } = await new Running(child).ended
    expect(stderr).toMatch(/bracket\.json cannot be written: you do not have permission; check /)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe(bracket)
    expect(await readdir(folder)).toEqual(['bracket.json'])
  })

  it('refuses a file that another program has changed since it was read', async () => {
    const { file } = await inFile(bracket)
    const changed = bracket.replace('"BestOf": 13', '"BestOf": 11')
    const answer = async () => {
      await writeFile(file, changed)
      return 'a\n'
    }
    const { code, screen } = await inTerminal(
      argsOf(file, '--round', 'Final'),
      [[/Replace it, add a new one, or stop\? \[r\/a\/S\] /, answer]],
      { env },
    )
    expect(screen).toMatch(/was changed by another program meanwhile; run the command again/)
    expect(code).toBe(1)
    expect(await readFile(file, 'utf8')).toBe(changed)
  })

  it('goes on where another merge was killed', async () => {
    const { folder, file } = await inFile(bracket)
    const kill = `import { open } from 'node:fs/promises'
      const handle = await open('/dev/null')
      Object.getPrototypeOf(handle).sync = () => process.kill(process.pid, 'SIGKILL')`
    const hook = `data:text/javascript,${encodeURIComponent(kill)}`
    const paths = { PATH: process.env['PATH'] ?? '', HOME: folder, XDG_CONFIG_HOME: folder }
    const args = ['--import', hook, program, ...argsOf(file)]
    const child = spawn(process.execPath, args, { env: { ...env, ...paths } })
    await new Running(child).ended
    expect(child.signalCode).toBe('SIGKILL')
    expect(await readFile(file, 'utf8')).toBe(bracket)
    expect((await merge(file)).code).toBe(0)
    expect(await readFile(file, 'utf8')).toContain('129891')
    expect((await readdir(folder)).filter((name) => name.includes('.lock'))).toEqual([])
  })

  it('of several at once keeps each that reports success', async () => {
    const { folder, file } = await inFile(bracket)
    const names = ['Ash', 'Birch', 'Cedar', 'Elm', 'Willow', 'Juniper']
    const ends = await Promise.all(names.map((name) => merge(file, '--round', name)))
    const rounds: { Name: string }[] = JSON.parse(await readFile(file, 'utf8')).Rounds
    const kept = rounds.map(({ Name }) => Name).slice(3)
    expect(kept.toSorted()).toEqual(names.filter((_, at) => ends[at]!.code === 0).toSorted())
    expect(kept.length).toBeGreaterThan(0)
    for (const { code, stderr } of ends) {
      if (code === 0) continue
      expect(stderr).toMatch(/was changed by another program meanwhile|is being written already/)
    }
    expect(await readdir(folder)).toEqual(['bracket.json'])
  })
})

describe('--merge of a collection.db', () => {
  it('leaves every byte of the others, whatever they hold', async () => {
    const file = join(await freshFolder(), 'collection.db')
    const others = [
      { name: '', hashes: ['C'.repeat(32), ''] },
      { name: 'Finals', hashes: ['A'.repeat(32)] },
      { name: 'Mine', hashes: ['b'.repeat(32), 'b'.repeat(32)] },
    ]
    const before = Buffer.from(writeCollections(1, others))
    await writeFile(file, before)
    const args = ['export', slug, '--as', 'collection', '--merge', file]
    expect(await runMapcrate(args, { env })).toMatchObject({ code: 0 })
    const after = await readFile(file)
    const hashAt = before.indexOf('A'.repeat(32))
    expect(after.subarray(0, hashAt).equals(before.subarray(0, hashAt))).toBe(true)
    expect(after.subarray(hashAt + 32).equals(before.subarray(hashAt + 32))).toBe(true)
    expect(after.subarray(hashAt, hashAt + 32).toString()).toMatch(/^[0-9a-f]{32}$/)
  })
})
