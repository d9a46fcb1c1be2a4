import { describe, expect, test } from 'vitest'
import { callsOf, kindsOf, platformHouse, rating, warmHouse } from './platform-house.ts'

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, at) => from + at)

describe('beatmaps (platform: beatmaps)', () => {
  test('a row becomes a beatmap, with all that stats, site and exports need', async () => {
    const { platform } = await platformHouse()
    expect(await platform.readBeatmaps([2069833], 'background')).toEqual([
      {
        id: 2069833,
        setId: 989460,
        ruleset: 'base',
        difficulty: 'Endless Days',
        stars: 8.77437,
        length: 306,
        bpm: 260,
        circleSize: expect.any(Number),
        approachRate: expect.any(Number),
        overallDifficulty: expect.any(Number),
        healthDrain: expect.any(Number),
        maxCombo: expect.any(Number),
        checksum: expect.stringMatching(/^[0-9a-f]{32}$/),
        status: expect.stringMatching(/^[a-z]+$/),
        title: 'Hollow',
        titleUnicode: 'Hollow',
        artist: expect.any(String),
        artistUnicode: expect.any(String),
        mapper: 'vrnl',
      },
    ])
  })

  test('each setting of a row goes where it belongs', async () => {
    const { standin, platform } = await platformHouse()
    const { body } = await standin.get('/api/v2/beatmaps?ids[]=75', await standin.token())
    const [row] = (body as { beatmaps: Record<string, unknown>[] }).beatmaps
    const [beatmap] = await platform.readBeatmaps([75], 'visitor')
    expect(beatmap).toMatchObject({
      circleSize: row?.['cs'],
      approachRate: row?.['ar'],
      overallDifficulty: row?.['accuracy'],
      healthDrain: row?.['drain'],
      maxCombo: row?.['max_combo'],
      checksum: row?.['checksum'],
      status: row?.['status'],
    })
  })

  test('the platform says osu where all else says base (D-2)', async () => {
    const { standin, platform } = await platformHouse()
    const modes = ['osu', 'taiko', 'fruits', 'mania']
    for (const [at, mode] of modes.entries()) {
      await standin.post('/standin/beatmaps', { id: 500 + at, facts: { mode } })
    }
    const beatmaps = await platform.readBeatmaps(upTo(4, 500), 'background')
    expect(beatmaps.map(({ id, ruleset }) => [id, ruleset])).toEqual([
      [500, 'base'],
      [501, 'taiko'],
      [502, 'fruits'],
      [503, 'mania'],
    ])
  })

  test('BPM may be fractional or unknown', async () => {
    const { standin, platform } = await platformHouse()
    await standin.post('/standin/beatmaps', { id: 500, facts: { bpm: null } })
    await standin.post('/standin/beatmaps', { id: 501, facts: { bpm: 0 } })
    const beatmaps = await platform.readBeatmaps([75, 500, 501], 'background')
    expect(beatmaps.map(({ bpm }) => bpm)).toEqual([119.999, null, null])
  })

  test('50 ids are one call, and the order of the ids does not matter', async () => {
    const { standin, platform } = await warmHouse()
    const beatmaps = await platform.readBeatmaps(upTo(50).toReversed(), 'background')
    expect(new Set(beatmaps.map(({ id }) => id))).toEqual(new Set(upTo(50)))
    expect(await kindsOf(standin)).toBe('beatmaps')
    expect((await callsOf(standin)).calls[0]?.ids).toEqual(upTo(50))
  })

  test('unknown and deleted ids are missing from the answer, all of them if need be', async () => {
    const { standin, platform } = await platformHouse()
    await standin.post('/standin/gone', { ids: [300] })
    const some = await platform.readBeatmaps([300, 75, 10_000_000], 'background')
    expect(some.map(({ id }) => id)).toEqual([75])
    expect(await platform.readBeatmaps([300, 2147483647], 'background')).toEqual([])
  })

  test('more than 50 ids are a mistake of the caller: cut silently, the rest would seem gone', async () => {
    const { standin, platform } = await warmHouse()
    await expect(platform.readBeatmaps(upTo(51), 'background')).rejects.toThrow(RangeError)
    expect(await kindsOf(standin)).toBe('')
  })

  test('the address of the platform may end in a slash', async () => {
    const { standin, budget } = await platformHouse()
    const { platform } = await platformHouse({ url: `${standin.url}/`, budget })
    expect(await platform.readBeatmaps([75], 'background')).toHaveLength(1)
  })

  test('no ids cost no call', async () => {
    const { standin, platform } = await warmHouse()
    expect(await platform.readBeatmaps([], 'visitor')).toEqual([])
    expect(await kindsOf(standin)).toBe('')
  })
})

describe('ratings with mods (platform: ratings)', () => {
  test('a beatmap under DT has the rating of the platform', async () => {
    const { platform } = await platformHouse()
    expect(await platform.readRating(rating(75), 'background')).toEqual({ stars: 3.61 })
    expect(await platform.readRating(rating(5394208), 'visitor')).toEqual({ stars: 8.33 })
  })

  test.each([
    ['base', 'osu'],
    ['taiko', 'taiko'],
    ['fruits', 'fruits'],
    ['mania', 'mania'],
  ] as const)(
    'one call asks for all mods in their order and the ruleset %s (D-2, D-36)',
    async (ruleset, mode) => {
      const { standin, platform } = await warmHouse()
      await standin.post('/standin/beatmaps', { id: 500, facts: { mode } })
      const stars = await platform.readRating(
        rating(500, ['HD', 'HR', 'DT'], ruleset),
        'background',
      )
      expect(stars).toEqual({ stars: expect.any(Number) })
      expect((await callsOf(standin)).calls).toEqual([
        {
          kind: 'attributes',
          ids: [500],
          asked: { mods: ['HD', 'HR', 'DT'], ruleset: mode },
          at: standin.time.now,
          status: 200,
        },
      ])
    },
  )

  test('404 is gone, 422 is refused: both are answers, one call each (platform: not 200)', async () => {
    const { standin, platform } = await warmHouse()
    await standin.post('/standin/gone', { ids: [75] })
    expect(await platform.readRating(rating(75), 'background')).toBe('gone')
    await standin.order({ fault: 'refused', ids: [300] })
    expect(await platform.readRating(rating(300), 'background')).toBe('refused')
    expect(await kindsOf(standin)).toBe('attributes attributes')
  })

  test('a ruleset that is not the own one of the beatmap is refused', async () => {
    const { standin, platform } = await platformHouse()
    await standin.post('/standin/beatmaps', { id: 500, facts: { mode: 'mania' } })
    expect(await platform.readRating(rating(500, ['DT'], 'base'), 'background')).toBe('refused')
  })
})
