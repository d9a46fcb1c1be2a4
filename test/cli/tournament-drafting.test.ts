import { afterAll, describe, expect, it } from 'vitest'
import { openTournamentHouse, sheet } from '../support/tournament-house.ts'

const scene = await openTournamentHouse()
const { host, pooler, stranger, platform, writesOf, meanwhile, runAs, done, jsonOf } = scene
const { newTournament, saveAs, idsOf, drafted } = scene
afterAll(() => scene.close())

const addRound = async (slug: string, round: object): Promise<string> => {
  const { json } = await saveAs(host, `/tournaments/${slug}/rounds`, round, 'POST')
  return json.round.id
}

const roundOf = async (slug: string, name: string) => jsonOf(['show', slug, '--round', name])

describe('D-83: import is a merge', () => {
  const finals = {
    name: 'Finals',
    slots: [
      { mod: 'NM', index: 1, beatmapId: 75, link: 'https://files.example/a.osz' },
      { mod: 'NM', index: 2, placeholder: 'soon', details: { title: 'Tidal Clock' } },
    ],
  }

  it('of the same sheet twice writes nothing', async () => {
    const slug = await drafted()
    const again = () => done(['import', slug, '-', '--yes'], { input: sheet })
    expect(await writesOf(again)).toEqual([])
    const { stdout, stderr } = await again()
    expect([stdout, stderr]).toEqual(['', expect.stringMatching(/^Nothing is to be changed\.$/m)])
  })

  it('keeps what the draft knows of a map besides, and what others have changed since', async () => {
    const slug = await newTournament()
    await addRound(slug, finals)
    const input = 'Finals\nNM1 75\nNM2 76\nHD1 77\n'
    const { stdout } = await done(['import', slug, '-', '--yes'], { input })
    expect(stdout).toBe(
      'Finals\nNM1 kept: the sheet says less of it\nNM2: “soon”, Tidal Clock → 76, Tidal Clock\nHD1 added: 77\n',
    )
    expect((await roundOf(slug, 'Finals')).slots).toEqual([
      finals.slots[0],
      { mod: 'NM', index: 2, beatmapId: 76, details: { title: 'Tidal Clock' } },
      { mod: 'HD', index: 1, beatmapId: 77 },
    ])
  })

  it('leaves a round alone in which somebody changes the same slot meanwhile, says so, and exits 3', async () => {
    const slug = await drafted()
    const { Qualifiers: id } = await idsOf(slug)
    const changes = [{ mod: 'NM', index: 1, from: { beatmapId: 75 }, to: { beatmapId: 99 } }]
    const path = `/tournaments/${slug}/rounds/${id}/slots`
    const input = 'Qualifiers\nNM1 80\nHD1 81\n\nQuarterfinals\nNM1 82\n'
    const { code, stderr } = await meanwhile(
      () => host.ask('PATCH', path, { body: { changes } }),
      () => runAs(host, ['import', slug, '-', '--yes'], { input }),
    )
    expect(stderr).toContain(
      'Qualifiers was changed by somebody else meanwhile, so nothing of it was saved; NM1 is now 99\n',
    )
    expect(code).toBe(3)
    expect((await roundOf(slug, 'Qualifiers')).slots).toMatchObject([
      { beatmapId: 99 },
      { beatmapId: 76 },
    ])
    expect((await roundOf(slug, 'Quarterfinals')).slots[0]).toMatchObject({ beatmapId: 82 })
  })

  it('adds buckets with the mods of the sheet, and keeps mods and colours of those that are there', async () => {
    const slug = await newTournament()
    const rc = { code: 'RC', color: 7, mods: { kind: 'free' } }
    const slots = [{ mod: 'RC', index: 1, beatmapId: 75 }]
    await addRound(slug, { name: 'Finals', slots, buckets: [rc], bestOf: 13 })
    const input = 'Finals\nRC1 75\nRC2 76\nHDHR1 77\n'
    const { stdout } = await done(['import', slug, '-', '--yes'], { input })
    expect(stdout).toMatch(/^Bucket HDHR added: \w+, HDHR$/m)
    const { bestOf, buckets } = await roundOf(slug, 'Finals')
    expect(bestOf).toBe(13)
    expect(buckets).toContainEqual(rc)
    expect(buckets).toContainEqual(
      expect.objectContaining({ code: 'HDHR', mods: { kind: 'forced', set: ['HD', 'HR'] } }),
    )
    expect(await writesOf(() => done(['import', slug, '-', '--yes'], { input }))).toEqual([])
  })
})

describe('links of rounds in a wiki article (D-85)', () => {
  const [pack, showcase] = ['https://files.example/new.zip', 'https://www.twitch.tv/videos/1']
  const input = `## Mappools

### Finals

**[Download the mappack here (9 MB)](${pack})**\\
[Watch the showcase VOD here](${showcase})

- No Mod
  1. [Nine Rivers - Harbour (arbor) \\[Insane\\]](https://osu.ppy.sh/beatmapsets/1#osu/75)
`
  const slots = [{ mod: 'NM', index: 1, beatmapId: 75 }]

  it('are set where the round has none, and replace others only if that is asked for', async () => {
    const slug = await newTournament()
    await addRound(slug, { name: 'Finals', slots, mapPackUrl: 'https://files.example/old.zip' })
    const { stdout } = await done(['import', slug, '-', '--yes'], { input })
    expect(stdout).toBe(
      `Finals\nMap pack stays: https://files.example/old.zip; the sheet has ${pack}\nShowcase: ${showcase}\n`,
    )
    const links = async () => {
      const { mapPackUrl, showcaseUrl } = await roundOf(slug, 'Finals')
      return [mapPackUrl, showcaseUrl]
    }
    expect(await links()).toEqual(['https://files.example/old.zip', showcase])
    expect(await writesOf(() => done(['import', slug, '-', '--yes'], { input }))).toEqual([])
    const args = ['import', slug, '-', '--yes', '--replace-links', '--json']
    const { differences } = JSON.parse((await done(args, { input })).stdout)
    expect(differences).toEqual([
      {
        round: 'Finals',
        field: 'mapPackUrl',
        kind: 'changed',
        from: 'https://files.example/old.zip',
        to: pack,
      },
    ])
    expect(await links()).toEqual([pack, showcase])
  })

  it('come with a round that is new', async () => {
    const slug = await newTournament()
    const { stdout } = await done(['import', slug, '-', '--yes'], { input })
    expect(stdout).toBe(`Finals  new\nNM1 → 75\nMap pack: ${pack}\nShowcase: ${showcase}\n`)
    expect(await roundOf(slug, 'Finals')).toMatchObject({ mapPackUrl: pack, showcaseUrl: showcase })
  })

  it('are named as left out to poolers, who may not set them (D-61)', async () => {
    const slug = await newTournament()
    await addRound(slug, { name: 'Finals', slots: [] })
    await saveAs(host, `/tournaments/${slug}/staff/${pooler.gameId}`, { role: 'pooler' }, 'PUT')
    const { stdout, code } = await runAs(pooler, ['import', slug, '-', '--yes'], { input })
    const left = [`Map pack left out: ${pack}`, `Showcase left out: ${showcase}`]
    const lines = ['Finals', 'NM1 added: 75', ...left.map((each) => `${each}; hosts alone set it`)]
    expect([stdout, code]).toEqual([lines.join('\n') + '\n', 0])
    expect(await roundOf(slug, 'Finals')).not.toHaveProperty('mapPackUrl')
  })
})

describe('round', () => {
  it('sets several things of several rounds in one write', async () => {
    const slug = await drafted('--visibility', 'public')
    const names = Array.from({ length: 8 }, (_, at) => `Week ${at + 1}`)
    await done(['round', slug, ...names, '--new', '--best-of', '9'])
    const before = (await idsOf(slug))['Week 1']
    const writes = await writesOf(() =>
      done([
        'round',
        slug,
        ...names,
        'qualifiers',
        '--best-of',
        '11',
        '--bans',
        '2',
        '--stars',
        '5-',
      ]),
    )
    expect(writes).toEqual([`PUT /tournaments/${slug}/rounds`])
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds).toHaveLength(10)
    for (const round of rounds) {
      if (round.name === 'Quarterfinals') expect(round).not.toHaveProperty('bestOf')
      else expect(round).toMatchObject({ bestOf: 11, bans: 2, targets: { stars: { min: 5 } } })
    }
    expect((await idsOf(slug))['Week 1']).toBe(before)
    const none = await done(['round', slug, ...names, '--bans', '2'])
    expect(none.stderr).toBe('Nothing was changed.\n')
    const wrong = await runAs(host, ['round', slug, 'Week 1', 'Week 2', '--name', 'x'])
    expect(wrong.stderr).toMatch(/--name is for one round/)
    expect(wrong.code).toBe(2)
    await done(['round', slug, ...names, '--remove', '--yes'])
    expect(Object.keys(await idsOf(slug))).toEqual(['Qualifiers', 'Quarterfinals'])
  })

  it('sets map pack and showcase, which "-" and "" remove (D-85)', async () => {
    const slug = await drafted()
    const set = await done([
      'round',
      slug,
      'Qualifiers',
      '--map-pack',
      'https://files.example/a.zip',
      '--showcase',
      'https://video.example/b',
    ])
    expect(set.stdout).toBe(
      'Map pack added: https://files.example/a.zip\nShowcase added: https://video.example/b\n',
    )
    await done(['round', slug, 'Qualifiers', '--map-pack', '-', '--showcase', ''])
    const round = await roundOf(slug, 'Qualifiers')
    for (const field of ['mapPackUrl', 'showcaseUrl']) expect(round).not.toHaveProperty(field)
  })

  it('changes several one by one for who is limited to them (D-81)', async () => {
    const slug = await drafted()
    await done(['round', slug, 'Finals', '--new'])
    await done(['staff', slug, '8', 'pooler', '--rounds', 'Qualifiers, finals'])
    await done(['round', slug, 'Qualifiers', 'Finals', '--bans', '3'], {}, pooler)
    const { rounds } = await jsonOf(['show', slug])
    expect(rounds.map(({ bans }: { bans?: number }) => bans)).toEqual([3, undefined, 3])
  })
})

describe('D-77: slot', () => {
  it('takes what is known of a planned map, keeps what is not given, and shows it', async () => {
    const slug = await drafted()
    const slot = (...args: string[]) => done(['slot', slug, 'Quarterfinals', 'TB', ...args])
    const link = 'https://files.example/tidal-clock.osz'
    const set = await slot('soon', '--artist', 'Camellia', '--title', 'Tidal Clock', '--link', link)
    expect(set.stdout).toBe(`TB: 79 → “soon”, Camellia - Tidal Clock, ${link}\n`)
    await slot('-', '--title', '', '--difficulty', 'Ebb', '--mapper', 'Ada')
    const filling = {
      details: { artist: 'Camellia', difficulty: 'Ebb', mapper: 'Ada' },
      link,
    }
    const at = async () => (await roundOf(slug, 'Quarterfinals')).slots[2]
    expect(await at()).toEqual({ mod: 'TB', index: 1, ...filling })
    expect((await done(['show', slug, '--no-details'])).stdout).toMatch(
      /^TB +Camellia \[Ebb\] by Ada, https:\/\/files\.example\/tidal-clock\.osz$/m,
    )
    await slot('5', '--was', '-')
    expect(await at()).toEqual({ mod: 'TB', index: 1, beatmapId: 5, ...filling })
    await slot('6')
    expect(await at()).toEqual({ mod: 'TB', index: 1, beatmapId: 6 })
    const none = await runAs(host, ['slot', slug, 'Quarterfinals', 'TB', 'none', '--title', 'x'])
    expect(none.stderr).toMatch(/--title is for a slot; CONTENT says none/)
    expect(none.code).toBe(2)
  })
})

describe('D-81: staff', () => {
  it('--rounds limits a role, by names or ids; the list shows the limits', async () => {
    const slug = await drafted()
    const { Qualifiers: id = '' } = await idsOf(slug)
    const set = await done(['staff', slug, '8', 'referee', '--rounds', `${id},quarterfinals`])
    expect(set.stdout).toMatch(/^ROLE +PLAYER +GAME ID +ROUNDS\n/)
    expect(set.stdout).toMatch(/^host +Ada +7 +all$/m)
    expect(set.stdout).toMatch(/^referee +Ben +8 +Qualifiers, Quarterfinals$/m)
    await done(['staff', slug, '8', 'referee', '--rounds', id])
    expect((await jsonOf(['show', slug], {}, pooler)).rounds).toMatchObject([{ id }])
    const opened = await done(['staff', slug, '8', 'referee', '--all-rounds'])
    expect(opened.stdout).not.toContain('ROUNDS')
    const wrong = await runAs(host, ['staff', slug, '--rounds', 'Qualifiers'])
    expect(wrong.stderr).toMatch(/--rounds is for a ROLE/)
    expect(wrong.code).toBe(2)
  })
})

describe('release', () => {
  it('is kept back by beatmaps that are gone, unless it is asked for despite them', async () => {
    const slug = await drafted()
    platform.beatmaps.set(4040, 'gone')
    await done(['slot', slug, 'Qualifiers', 'NM1', '4040'])
    await done(['slot', slug, 'Qualifiers', 'NM2', '76'])
    const kept = await runAs(host, ['release', slug, 'Qualifiers', '--yes'])
    expect(kept.stderr).toMatch(
      /^NM1 has a beatmap that the platform no longer has.*\nThe checks find: 2 twice or more/,
    )
    expect(kept.stderr).toMatch(/1 finding, see above; nothing was released/)
    expect(kept).toMatchObject({ code: 1, stdout: '' })
    expect(await roundOf(slug, 'Qualifiers')).not.toHaveProperty('packSlug')
    await done(['release', slug, 'Qualifiers', '--yes', '--despite-checks'])
    expect(await roundOf(slug, 'Qualifiers')).toHaveProperty('packSlug')
  })

  it('D-78: names the option that each finding needs, and following it releases the round', async () => {
    const slug = await drafted()
    platform.beatmaps.set(4040, 'gone')
    await done(['slot', slug, 'Qualifiers', 'NM1', '4040'])
    await done(['slot', slug, 'Qualifiers', 'HD1', 'soon'])
    let advised: string[] = []
    const findings = async () => {
      const { stderr, code } = await runAs(host, [
        'release',
        slug,
        'Qualifiers',
        '--yes',
        ...advised,
      ])
      advised = stderr.split('nothing was released. Say ')[1]?.match(/--[a-z-]+/g) ?? []
      return [code, advised]
    }
    const [incomplete, despite] = ['--incomplete', '--despite-checks']
    expect(await findings()).toEqual([1, [incomplete, despite]])
    advised = [despite]
    expect(await findings()).toEqual([1, [incomplete]])
    advised = [incomplete]
    expect(await findings()).toEqual([1, [despite]])
    advised = [incomplete, despite]
    expect(await findings()).toEqual([0, []])
    expect(await roundOf(slug, 'Qualifiers')).toHaveProperty('packSlug')
  })

  it('D-78: --incomplete takes slots without a beatmap as planned: they are no findings then', async () => {
    const slug = await drafted('--visibility', 'public')
    await done(['slot', slug, 'Qualifiers', 'HD1', 'soon'])
    const kept = await runAs(host, ['release', slug, 'Qualifiers', '--yes'])
    expect(kept.stderr).toMatch(/HD1 has no beatmap yet: soon\n/)
    expect(kept.code).toBe(1)
    const out = await done(['release', slug, 'Qualifiers', '--yes', '--incomplete'])
    expect(out.stderr).not.toMatch(/HD1/)
    const seen = await jsonOf(['show', slug], {}, stranger)
    expect(seen.rounds[0].slots).toMatchObject([{ beatmapId: 75 }, { placeholder: 'soon' }])
  })
})

describe('what was', () => {
  it('history prints what changed in a draft, when and by whom, and what it was', async () => {
    const slug = await drafted()
    await done(['staff', slug, '8', 'pooler'])
    await done(['slot', slug, 'Qualifiers', 'HD1', 'soon', '--title', 'Tidal Clock'], {}, pooler)
    await done(['round', slug, 'Qualifiers', '--best-of', '9', '--stars', '5-6', '--bpm', '180-'])
    const { stdout } = await done(['history', slug, 'qualifiers'])
    expect(stdout).toMatch(
      /^VERSION +SAVED \(UTC\) +BY +CHANGES\n3 +[-\d]+ [:\d]+ +Ada +Best of added: 9$/m,
    )
    expect(stdout).toMatch(/^ +Stars added: 5–6\n +BPM added: 180–$/m)
    expect(stdout).toMatch(/^2 .* Ben +/m)
    // The slot itself stays; all that has changed of it is one line.
    expect(stdout.match(/^.*HD1.*$/gm)).toEqual([
      expect.stringMatching(/^2 .* HD1: 76 → “soon”, Tidal Clock$/),
    ])
    expect(stdout).toMatch(/^1 .* Ada +created$/m)
    const first = await done(['history', slug, 'Qualifiers', '1'])
    expect(first.stdout).toMatch(/^Qualifiers {2}version 1, .* UTC by Ada\n\nSLOT/)
    expect(first.stdout).toMatch(/^HD1 +76 /m)
    expect(await jsonOf(['history', slug, 'Qualifiers'])).toHaveLength(3)
    const wrong = await runAs(host, ['history', slug, 'Qualifiers', 'x'])
    expect(wrong.stderr).toMatch(/"x" is no version/)
    expect(wrong.code).toBe(2)
  })

  it('D-82: deleted lists rounds that were deleted, restore brings one back by name or id', async () => {
    const slug = await drafted()
    expect((await done(['deleted', slug])).stderr).toBe('There are no deleted rounds.\n')
    const { Qualifiers: id = '' } = await idsOf(slug)
    await done(['round', slug, 'Qualifiers', 'Quarterfinals', '--remove', '--yes'])
    const { stdout } = await done(['deleted', slug])
    expect(stdout).toMatch(new RegExp(`^${id} +Qualifiers +2 +[-\\d]+ [:\\d]+ +Ada +`, 'm'))
    const wrong = await runAs(host, ['restore', slug, 'Qualifier'])
    expect(wrong.stderr).toMatch(/no deleted round "Qualifier"; did you mean "Qualifiers"/)
    expect((await done(['restore', slug, id])).stdout).toBe('restored Qualifiers, 2 slots\n')
    await done(['restore', slug, 'quarterFINALS'])
    expect(Object.keys(await idsOf(slug))).toEqual(['Qualifiers', 'Quarterfinals'])
  })
})
