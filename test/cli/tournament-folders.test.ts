import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { freshFolder } from '../support/processes.ts'
import { openTournamentHouse } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { host, stranger, runAs, done, jsonOf, newTournament, drafted } = scene
const { saveAs, longFolder, changeSlot, read, edit } = scene
afterAll(() => scene.close())

describe('pull and push', () => {
  const drafts = async (): Promise<{ slug: string; folder: string }> => {
    const slug = await drafted()
    const folder = join(await longFolder(), 'hlc')
    await done(['pull', slug, folder])
    return { slug, folder }
  }

  it('go round without a loss: placeholders, empty slots, facts, targets and buckets', async () => {
    const slug = await newTournament(
      '--ruleset',
      'mania',
      '--rank-min',
      '1000',
      '--rank-max',
      '9999',
    )
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
      'Losers- Round 1-2.json',
      '_CON.json',
      'tournament.json',
    ])
    const { pulled, ...facts } = await read(folder, 'tournament.json')
    expect(facts).toMatchObject({
      name: 'Harbour Lights Cup',
      rankMax: 9999,
      rounds: ['Losers- Round 1-2.json', '_CON.json'],
    })
    expect(pulled).toMatchObject({ slug, site: host.door.url, etag: expect.stringMatching(/^"/) })
    const same = await done(['push', folder])
    expect(same.stderr).toBe('Nothing is to be sent.\n')
    await edit(folder, '_CON.json', (content) => ({ ...content, bans: 1 }))
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

  it('the same slot that was changed on both sides is named and left, all else goes through', async () => {
    const { slug, folder } = await drafts()
    await changeSlot(slug, 'Qualifiers', 1, 75, 99)
    await changeSlot(slug, 'Quarterfinals', 1, 77, 98)
    const [, hd, tb] = [0, { mod: 'NM', index: 2, beatmapId: 6 }, { mod: 'TB', index: 1 }]
    const mine = { mod: 'NM', index: 1, beatmapId: 5 }
    await edit(folder, 'Quarterfinals.json', (round) => ({
      ...round,
      bans: 2,
      slots: [mine, hd, tb],
    }))
    const { code, stderr } = await runAs(host, ['push', folder, '--yes'])
    const open = 'Quarterfinals.json: NM1 was changed on both sides: here 5, on the service 98\n'
    expect(stderr).toContain(open)
    expect(stderr).toMatch(/Qualifiers\.json was changed on the service; pull to get it/)
    expect(code).toBe(3)
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds).toMatchObject([
      { slots: [{ beatmapId: 99 }, {}] },
      { bans: 2, slots: [{ beatmapId: 98 }, { beatmapId: 6 }, { mod: 'TB', index: 1 }] },
    ])
    const pull = await runAs(host, ['pull', slug, folder])
    expect(pull.stderr).toContain(open)
    expect(pull.code).toBe(3)
    expect((await read(folder, 'Qualifiers.json')).slots[0]).toMatchObject({ beatmapId: 99 })
    expect((await read(folder, 'Quarterfinals.json')).slots).toEqual([mine, hd, tb])
  })

  it.each([
    ['pull', 'the other side', 98],
    ['push', 'one’s own', 5],
  ])('%s --force takes %s where both have changed', async (command, _, winner) => {
    const { slug, folder } = await drafts()
    await changeSlot(slug, 'Quarterfinals', 1, 77, 98)
    await edit(folder, 'Quarterfinals.json', (round) => ({
      ...round,
      slots: [{ mod: 'NM', index: 1, beatmapId: 5 }, ...round.slots.slice(1)],
    }))
    const args = command === 'pull' ? [slug, folder] : [folder, '--yes']
    await done([command, ...args, '--force'])
    expect((await read(folder, 'Quarterfinals.json')).slots[0]).toMatchObject({ beatmapId: winner })
    expect((await jsonOf(['show', slug])).rounds[1].slots[0].beatmapId).toBe(winner)
    expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
  })

  it('two folders of one tournament take each other’s changes, in other slots, fields and facts', async () => {
    const { slug, folder: mine } = await drafts()
    const other = join(await longFolder(), 'other')
    await done(['pull', slug, other])
    await edit(mine, 'Quarterfinals.json', (round) => ({
      ...round,
      bestOf: 9,
      slots: [{ mod: 'NM', index: 1, beatmapId: 5 }, ...round.slots.slice(1)],
    }))
    await edit(mine, 'tournament.json', (index) => ({ ...index, year: 2030 }))
    await edit(other, 'Quarterfinals.json', (round) => ({
      ...round,
      bans: 1,
      slots: [...round.slots.slice(0, 2), { mod: 'HD', index: 1, placeholder: 'soon' }],
    }))
    await edit(other, 'tournament.json', (index) => ({ ...index, rankMax: 999 }))
    for (const folder of [mine, other]) await done(['push', folder, '--yes'])
    for (const folder of [mine, other]) await done(['pull', slug, folder])
    const { slots } = await read(mine, 'Quarterfinals.json')
    expect(slots).toEqual([
      { mod: 'NM', index: 1, beatmapId: 5 },
      { mod: 'NM', index: 2, beatmapId: 78 },
      { mod: 'HD', index: 1, placeholder: 'soon' },
    ])
    for (const folder of [mine, other]) {
      expect(await read(folder, 'Quarterfinals.json')).toMatchObject({ bestOf: 9, bans: 1 })
      expect(await read(folder, 'tournament.json')).toMatchObject({ year: 2030, rankMax: 999 })
      expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
    }
  })

  it.each([
    ['another slot', 2, 78, 0, 99],
    ['the same slot', 1, 77, 3, 99],
  ])(
    'D-62: %s that somebody changes while push sends is merged and never overwritten',
    async (_, index, from, code, now) => {
      const { slug, folder } = await drafts()
      const { Quarterfinals: id } = await scene.idsOf(slug)
      await edit(folder, 'Quarterfinals.json', (round) => ({
        ...round,
        bans: 2,
        slots: [{ mod: 'NM', index: 1, beatmapId: 5 }, ...round.slots.slice(1)],
      }))
      const change = { mod: 'NM', index, from: { beatmapId: from }, to: { beatmapId: now } }
      const path = `/tournaments/${slug}/rounds/${id}/slots`
      const pushed = await scene.meanwhile(
        () => host.ask('PATCH', path, { body: { changes: [change] } }),
        () => runAs(host, ['push', folder, '--yes']),
      )
      expect(pushed.code).toBe(code)
      if (code > 0)
        expect(pushed.stderr).toMatch(/NM1 was changed on both sides: here 5, on the service 99/)
      const round = (await jsonOf(['show', slug])).rounds[1]
      expect(round.bans).toBe(2)
      expect(round.slots[index - 1].beatmapId).toBe(now)
      expect(round.slots[0].beatmapId).toBe(code > 0 ? now : 5)
    },
  )

  it('sends slots alone as changes of slots, each round by itself', async () => {
    const { slug, folder } = await drafts()
    for (const name of ['Qualifiers.json', 'Quarterfinals.json']) {
      await edit(folder, name, (round) => ({
        ...round,
        slots: [...round.slots, { mod: 'RC', index: 1, beatmapId: 5 }],
      }))
    }
    const ids = Object.values(await scene.idsOf(slug))
    expect(await scene.writesOf(() => done(['push', folder, '--yes']))).toEqual(
      ids.map((id) => `PATCH /tournaments/${slug}/rounds/${id}/slots`),
    )
    expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
  })

  it('keeps the file of a round that was removed on the service, and says so once if it was changed', async () => {
    const { slug, folder } = await drafts()
    await edit(folder, 'Qualifiers.json', (round) => ({ ...round, bans: 1 }))
    await done(['round', slug, 'Qualifiers', 'Quarterfinals', '--remove', '--yes'])
    const pull = await runAs(host, ['pull', slug, folder])
    expect(pull.stderr).toMatch(
      /Qualifiers\.json: its round was removed on the service, and you have/,
    )
    expect(pull.stderr).not.toMatch(/Quarterfinals/)
    expect(pull.code).toBe(3)
    expect(await read(folder, 'Qualifiers.json')).toMatchObject({ bans: 1 })
    await done(['pull', slug, folder])
    expect((await done(['push', folder])).stderr).toBe('Nothing is to be sent.\n')
  })

  it('a round that both have added by one name is merged, too', async () => {
    const { slug, folder } = await drafts()
    const finals = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] }
    await saveAs(host, `/tournaments/${slug}/rounds`, finals, 'POST')
    const own = { name: 'Finals', bans: 1, slots: [{ mod: 'NM', index: 2, beatmapId: 2 }] }
    await writeFile(join(folder, 'Finals.json'), JSON.stringify(own))
    await edit(folder, 'tournament.json', (index) => ({
      ...index,
      rounds: ['Qualifiers.json', 'Quarterfinals.json', 'Finals.json'],
    }))
    await done(['push', folder, '--yes'])
    await done(['pull', slug, folder])
    const both = [finals.slots[0], own.slots[0]]
    expect((await jsonOf(['show', slug])).rounds[2]).toMatchObject({ bans: 1, slots: both })
    expect((await read(folder, 'Finals.json')).slots).toEqual(both)
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

  it('an index that others wrote leads to no file outside of its folder', async () => {
    const { slug, folder } = await drafts()
    const index = await read(folder, 'tournament.json')
    const { pulled } = index as unknown as { pulled: { rounds: { id: string }[] } }
    const outside = ['../other.json', '/tmp/other.json', '..', '', 'own/../../other.json', null]
    for (const name of outside) {
      const renamed = pulled.rounds.map((round, at) =>
        at === 0 ? { ...round, file: name } : round,
      )
      for (const bad of [
        { ...index, rounds: [name] },
        { ...index, pulled: { ...pulled, rounds: renamed } },
        { ...index, pulled: { ...pulled, rounds: [], gone: renamed } },
      ]) {
        await writeFile(join(folder, 'tournament.json'), JSON.stringify(bad))
        const calls = [
          ['pull', slug, folder, '--force'],
          ['push', folder, '--yes'],
        ]
        for (const call of calls) {
          const { code, stderr } = await runAs(host, call)
          expect(stderr).toMatch(/tournament\.json is damaged/)
          expect(code).toBe(1)
        }
      }
    }
  })

  it('strangers have no drafts to pull', async () => {
    const slug = await drafted('--visibility', 'public')
    const { code, stderr } = await runAs(stranger, ['pull', slug, await freshFolder()])
    expect(stderr).toMatch(/only the staff/)
    expect(code).toBe(1)
  })
})
