import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { openTournamentHouse, sheet } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { host, pooler, runAs, done, jsonOf, drafted, idsOf, saveAs, longFolder } = scene
const { read, edit, writesOf } = scene
afterAll(() => scene.close())

/** Of a tournament whose Qualifiers are released and whose Quarterfinals are theirs. */
let slug: string
let folder: string
const limitTo = async (...rounds: string[]) => {
  const ids = await idsOf(slug)
  const body = { role: 'pooler', ...(rounds.length > 0 && { rounds: rounds.map((r) => ids[r]) }) }
  const path = `/tournaments/${slug}/staff/${pooler.gameId}`
  expect((await saveAs(host, path, body, 'PUT')).status).toBe(200)
}
const pull = () => done(['pull', slug, folder], {}, pooler)
const filesIn = async () => (await read(folder, 'tournament.json'))['rounds']
const asHost = async () => (await jsonOf(['show', slug])).rounds

beforeEach(async () => {
  slug = await drafted('--visibility', 'public')
  await done(['release', slug, 'Qualifiers', '--yes', '--despite-checks'])
  await limitTo('Quarterfinals')
  folder = join(await longFolder(), 'hlc')
})

describe('staff of a member who is limited to rounds (D-81)', () => {
  const roundsOf = async () =>
    (await jsonOf(['staff', slug])).find(
      ({ gameId }: { gameId: number }) => gameId === pooler.gameId,
    )
  it('keeps the limit with another role, sets another, and removes it only when told to', async () => {
    const ids = await idsOf(slug)
    const give = (...words: string[]) => done(['staff', slug, String(pooler.gameId), ...words])
    await give('referee')
    expect(await roundsOf()).toMatchObject({ role: 'referee', rounds: [ids['Quarterfinals']] })
    await give('tester', '--rounds', 'Qualifiers')
    expect(await roundsOf()).toMatchObject({ role: 'tester', rounds: [ids['Qualifiers']] })
    await give('tester', '--all-rounds')
    expect(await roundsOf()).not.toHaveProperty('rounds')
    await limitTo('Qualifiers')
    await give('host')
    expect(await roundsOf(), 'a host cannot be limited').not.toHaveProperty('rounds')
  })
})

describe('pull and push of a member who is limited to rounds (D-81)', () => {
  it('pull writes the rounds that they draft alone, and says which it leaves out', async () => {
    const { stderr } = await pull()
    expect(stderr).toContain('You are limited to some rounds; left out: Qualifiers.\n')
    expect((await readdir(folder)).toSorted()).toEqual(['Quarterfinals.json', 'tournament.json'])
    expect(await filesIn()).toEqual(['Quarterfinals.json'])
    const { leftOut, files } = await jsonOf(['pull', slug, folder], {}, pooler)
    expect([files, leftOut]).toEqual([['Quarterfinals.json'], ['Qualifiers']])
  })

  it('push sends theirs alone, and neither changes nor removes any other', async () => {
    await pull()
    const [qualifiers, before] = await asHost()
    expect((await done(['push', folder, '--delete'], {}, pooler)).stderr).toBe(
      'Nothing is to be sent.\n',
    )
    await edit(folder, 'Quarterfinals.json', (round) => ({ ...round, bans: 2, bestOf: 9 }))
    const writes = await writesOf(() => done(['push', folder, '--yes', '--delete'], {}, pooler))
    expect(writes).toEqual([`PUT /tournaments/${slug}/rounds/${before.id}`])
    expect(await asHost()).toMatchObject([qualifiers, { bans: 2, bestOf: 9 }])
    expect((await done(['push', folder], {}, pooler)).stderr).toBe('Nothing is to be sent.\n')
  })

  it('several rounds go one by one, since arranging all is not theirs', async () => {
    await saveAs(host, `/tournaments/${slug}/rounds`, { name: 'Finals' }, 'POST')
    await limitTo('Quarterfinals', 'Finals')
    await pull()
    for (const name of ['Quarterfinals.json', 'Finals.json']) {
      await edit(folder, name, (round) => ({ ...round, bans: 1 }))
    }
    const writes = await writesOf(() => done(['push', folder, '--yes'], {}, pooler))
    const [qualifiers, ...others] = await asHost()
    expect(writes).toEqual(
      others.map(({ id }: { id: string }) => `PUT /tournaments/${slug}/rounds/${id}`),
    )
    expect(others).toMatchObject([{ bans: 1 }, { bans: 1 }])
    expect(qualifiers).not.toHaveProperty('bans')
  })

  it('a new file and another order are named and left, and the rest is sent', async () => {
    await saveAs(host, `/tournaments/${slug}/rounds`, { name: 'Finals' }, 'POST')
    await limitTo('Quarterfinals', 'Finals')
    await pull()
    await writeFile(join(folder, 'Qualifiers.json'), '{ "name": "Qualifiers", "slots": [] }')
    await edit(folder, 'Finals.json', (round) => ({ ...round, bans: 1 }))
    await edit(folder, 'tournament.json', (index) => ({
      ...index,
      rounds: ['Finals.json', 'Quarterfinals.json', 'Qualifiers.json'],
    }))
    const before = await asHost()
    const { code, stderr } = await runAs(pooler, ['push', folder, '--yes'])
    expect(code).toBe(3)
    const limited = 'you are limited to some rounds, and cannot'
    expect(stderr).toContain(`Qualifiers.json: ${limited} add one\n`)
    expect(stderr).toContain(`tournament.json: ${limited} change their order\n`)
    const [qualifiers, quarterfinals] = before
    expect(await asHost()).toMatchObject([qualifiers, quarterfinals, { name: 'Finals', bans: 1 }])
  })

  it('what they do not draft any more stays as a file, is sent nowhere, and is no longer in the folder’s list', async () => {
    await limitTo()
    await pull()
    await edit(folder, 'Qualifiers.json', (round) => ({ ...round, bans: 2 }))
    await limitTo('Quarterfinals')
    const before = await asHost()
    const gone = 'Qualifiers.json: its round was removed, or you do not draft it any more'
    const push = await runAs(pooler, ['push', folder, '--yes', '--delete'])
    expect([push.code, push.stderr]).toEqual([3, expect.stringContaining(gone)])
    const again = await runAs(pooler, ['pull', slug, folder])
    expect([again.code, again.stderr]).toEqual([3, expect.stringContaining(gone)])
    expect(await read(folder, 'Qualifiers.json')).toMatchObject({ bans: 2 })
    expect(await filesIn()).toEqual(['Quarterfinals.json'])
    const writes = await writesOf(() => done(['push', folder, '--delete'], {}, pooler))
    expect([writes, await asHost()]).toEqual([[], before])
  })

  it('import takes of a sheet what they draft, and names the rest', async () => {
    const changed = sheet.replace('77', '97').replace('75', '95')
    const input = { input: changed }
    const { code, stderr } = await runAs(pooler, ['import', slug, '-', '--yes'], input)
    expect(code).toBe(3)
    expect(stderr).toContain('Qualifiers: you are limited to some rounds, and cannot add one\n')
    expect(await asHost()).toMatchObject([
      { slots: [{ beatmapId: 75 }, {}] },
      { slots: [{ beatmapId: 97 }, {}, {}] },
    ])
  })
})

describe('withdraw', () => {
  it('of a draft is refused to who may not, and says to hosts that there is nothing to withdraw (D-61)', async () => {
    for (const round of ['Quarterfinals', 'Qualifiers']) {
      const refused = await runAs(pooler, ['withdraw', slug, round, '--yes'])
      expect([round, refused.code, refused.stdout]).toEqual([round, 1, ''])
      expect(refused.stderr).not.toContain('neither scheduled')
    }
    const { stderr } = await done(['withdraw', slug, 'Quarterfinals'])
    expect(stderr).toBe('Quarterfinals is neither scheduled nor released.\n')
  })
})
