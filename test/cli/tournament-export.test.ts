import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { formatIds, formats } from '../../src/formats/format-table.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { freshFolder } from '../support/processes.ts'
import { openTournamentHouse } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { host, pooler, stranger, runAs, done, drafted } = scene
afterAll(() => scene.close())

const args = (slug: string, ...more: string[]) => ['export', slug, '--no-details', ...more]

/** What the text holds for whoever imports it. */
const poolsIn = async (text: string) => {
  const { pools, questions } = await readImportFile(Buffer.from(text), 'file')
  return [pools.map(({ draft }) => draft), questions.length]
}

/** A public tournament of which Qualifiers are released, and drafted on since. */
const released = async (): Promise<string> => {
  const slug = await drafted('--visibility', 'public')
  await done(['release', slug, 'Qualifiers', '--yes', '--despite-checks'])
  await done(['slot', slug, 'Qualifiers', 'NM1', '4242'])
  return slug
}

describe('D-84: export gives what everybody may read', () => {
  it('to the staff too: released rounds as they were released, and no draft', async () => {
    const slug = await released()
    await done(['staff', slug, '8', 'pooler'])
    const outside = await done(args(slug, '--as', 'json'), {}, stranger)
    for (const who of [host, pooler]) {
      expect((await done(args(slug, '--as', 'json'), {}, who)).stdout).toBe(outside.stdout)
    }
    expect(outside.stdout).toContain('Qualifiers')
    for (const secret of ['Quarterfinals', '4242']) expect(outside.stdout).not.toContain(secret)
    const one = await runAs(host, args(slug, '--as', 'csv', '--round', 'Quarterfinals'))
    expect(one).toMatchObject({ code: 1, stdout: '' })
    expect(one.stderr).toMatch(/there is no round "Quarterfinals"/)
  })

  it('is nothing of a private tournament, and of one without a released round', async () => {
    const slug = await drafted()
    const csv = args(slug, '--as', 'csv')
    const closed = await runAs(host, csv)
    expect(closed.stderr).toMatch(/nothing of this tournament is public; --drafts writes/)
    await done(['set', slug, '--visibility', 'public'])
    const early = await runAs(host, csv)
    expect(early.stderr).toMatch(/no round is released; --drafts writes/)
    const outside = await runAs(stranger, [...csv, '--drafts'])
    expect(outside.stderr).toMatch(/only the staff/)
    for (const { code, stdout } of [closed, early, outside]) {
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    }
  })

  it('writes slots that are released without a beatmap, or leaves them out and says so (D-78)', async () => {
    const slug = await drafted('--visibility', 'public')
    await done(['slot', slug, 'Quarterfinals', 'TB', 'soon'])
    await done(['release', slug, 'Quarterfinals', '--incomplete', '--yes'])
    for (const id of formatIds.filter((each) => !formats[each].isLeftOut)) {
      const { stdout, stderr, code } = await runAs(stranger, args(slug, '--as', id))
      const isWritten = formats[id].keepsPlanned === true
      expect([id, stdout.includes('soon')]).toEqual([id, isWritten])
      expect([id, code]).toEqual([id, isWritten ? 0 : 3])
      expect(stderr.includes('left out: Quarterfinals TB.')).toBe(!isWritten)
    }
  })
})

describe('D-84: export --drafts', () => {
  const texts = formatIds.filter((id) => formats[id].isText && !formats[id].ending.endsWith('json'))
  const others = formatIds.filter((id) => !texts.includes(id) && !formats[id].isLeftOut)

  it('writes the drafts, and DRAFT in the first line of each text, which imports as before', async () => {
    const slug = await released()
    expect(texts).toContain('csv')
    for (const id of texts) {
      const { stdout } = await done(args(slug, '--as', id, '--drafts'))
      expect(stdout).toMatch(/^DRAFT: not released\n\n/)
      const bare = stdout.slice(stdout.indexOf('\n\n') + 2)
      expect([id, await poolsIn(stdout)]).toEqual([id, await poolsIn(bare)])
    }
    const csv = await done(args(slug, '--as', 'csv', '--drafts'))
    expect(csv.stdout).toMatch(/^Qualifiers,NM1,4242,/m)
    expect(csv.stdout).toMatch(/^Quarterfinals,TB,79,/m)
    const back = await done(['import', slug, '-', '--yes'], { input: csv.stdout })
    expect(back.stderr).toMatch(/Nothing is to be changed\.\n$/)
  })

  it('of JSON, which has no room for that, has DRAFT in the name of its file', async () => {
    const slug = await drafted()
    const folder = await freshFolder()
    expect(others).toEqual([
      'bracket',
      'referee-json',
      'codes',
      'overlay',
      'overlay-stage',
      'overlay-order',
      'json',
    ])
    for (const id of others) {
      const out = join(folder, `${id}.json`)
      const { stderr } = await done(args(slug, '--as', id, '--drafts', '--out', out))
      expect(stderr).toContain(`DRAFT-${id}.json\n`)
    }
    const names = others.map((id) => `DRAFT-${id}.json`)
    expect((await readdir(folder)).toSorted()).toEqual(names.toSorted())
    const out = join(folder, 'DRAFT-json.json')
    const twice = await runAs(host, args(slug, '--as', 'json', '--drafts', '--out', out))
    expect(twice.stderr).toMatch(/exists already and was not changed/)
  })

  it('never merges into the file that is named, but into a copy', async () => {
    const slug = await drafted()
    const folder = await freshFolder()
    const file = join(folder, 'bracket.json')
    const before = '{ "Teams": [1], "Rounds": [{ "Name": "Qualifiers" }] }'
    await writeFile(file, before)
    await done(args(slug, '--as', 'bracket', '--drafts', '--merge', file))
    expect(await readFile(file, 'utf8')).toBe(before)
    const copy = JSON.parse(await readFile(join(folder, 'DRAFT-bracket.json'), 'utf8'))
    expect(copy).toMatchObject({ Teams: [1], Rounds: [{ Name: 'Qualifiers' }, {}] })
  })

  it('writes nothing of beatmaps of which nothing is known', async () => {
    const slug = await drafted()
    const osdb = await runAs(host, args(slug, '--as', 'osdb', '--drafts'))
    expect(osdb.stderr).toMatch(/nothing was written/)
    expect(osdb.code).toBe(1)
  })
})

/** A public tournament with both rounds released. */
const allReleased = async (): Promise<string> => {
  const slug = await drafted('--visibility', 'public')
  for (const round of ['Qualifiers', 'Quarterfinals']) {
    await done(['release', slug, round, '--yes', '--despite-checks'])
  }
  return slug
}

describe('export', () => {
  it('--merge says what it did, and adds no round under a name that is nearly there', async () => {
    const slug = await allReleased()
    const file = join(await freshFolder(), 'bracket.json')
    const before = '{ "Rounds": [{ "Name": "Qualifiers" }, { "Name": "Quarter Finals" }] }'
    await writeFile(file, before)
    const merge = args(slug, '--as', 'bracket', '--merge', file)
    const { code, stderr } = await runAs(host, merge)
    expect(stderr).toContain(
      `${file} has no round "Quarterfinals", but "Quarter Finals"; rename one of them, or say --add for a new round (there are: Qualifiers, Quarter Finals)`,
    )
    expect(code).toBe(2)
    expect(await readFile(file, 'utf8')).toBe(before)
    const added = await done([...merge, '--add'])
    expect(added.stderr).toContain(`Rounds in ${file}: replaced Qualifiers; added Quarterfinals\n`)
    expect(JSON.parse(await readFile(file, 'utf8')).Rounds).toHaveLength(3)
  })

  it('writes all rounds or one in each format, and merges into a bracket', async () => {
    const slug = await allReleased()
    const csv = await done(args(slug, '--as', 'csv'))
    expect(csv.stdout).toMatch(/^Round,Slot,Beatmap ID,/)
    expect(csv.stdout).toMatch(/^Quarterfinals,TB,79,/m)
    const one = await done(args(slug, '--as', 'referee', '--round', 'qualifiers'))
    expect(one.stdout).toContain('!mp map 76')
    expect(one.stdout).not.toContain('!mp map 77')
    const bracket = join(await freshFolder(), 'bracket.json')
    await writeFile(bracket, '{ "Teams": [1], "Rounds": [{ "Name": "Qualifiers" }] }')
    const merge = args(slug, '--as', 'bracket', '--merge', bracket)
    await done(merge)
    const merged = JSON.parse(await readFile(bracket, 'utf8'))
    expect(merged).toMatchObject({ Teams: [1], Rounds: [{ Name: 'Qualifiers' }, {}] })
    expect(merged.Rounds[1].Beatmaps).toHaveLength(3)
    expect((await done(merge)).stderr).toMatch(/Nothing to change/)
    const refused = await runAs(host, args(slug, '--as', 'csv', '--out', bracket))
    expect(refused.stderr).toMatch(/exists already and was not changed/)
    expect(refused.code).toBe(1)
  })
})
