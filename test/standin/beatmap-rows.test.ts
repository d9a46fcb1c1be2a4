import { expect, test } from 'vitest'
import { type BeatmapRow, poolRows } from '../../src/standin/library.ts'
import { type Running, startStandin } from './running.ts'

const rowsOf = async (standin: Running, ids: readonly unknown[]): Promise<BeatmapRow[]> => {
  const query = ids.map((id) => `ids[]=${String(id)}`).join('&')
  const { status, body } = await standin.get(`/api/v2/beatmaps?${query}`, await standin.token())
  expect(status).toBe(200)
  return (body as { beatmaps: BeatmapRow[] }).beatmaps
}

const upTo = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index)

test('rows come sorted by id, each once, the missing left out (platform: beatmaps)', async () => {
  const standin = await startStandin()
  const rows = await rowsOf(standin, [300, 75, 300, 10_000_000, 0, 'x', 2147483647, 9_999_999])
  expect(rows.map((row) => row.id)).toEqual([75, 300, 9_999_999])
})

test('more than 50 ids are cut silently (platform: beatmaps)', async () => {
  const standin = await startStandin()
  const rows = await rowsOf(standin, upTo(60).toReversed())
  expect(rows.map((row) => row.id)).toEqual(upTo(50, 11))
})

test('an id is read as far as it is a number; else it is 0, and counts (platform: beatmaps)', async () => {
  const standin = await startStandin()
  expect((await rowsOf(standin, ['75abc'])).map(({ id }) => id)).toEqual([75])
  const filled = [...Array.from({ length: 49 }, () => 'abc'), 75, 300]
  expect((await rowsOf(standin, filled)).map(({ id }) => id)).toEqual([75])
  const repeated = [...Array.from({ length: 50 }, () => 75), 300]
  expect((await rowsOf(standin, repeated)).map(({ id }) => id)).toEqual([75])
  const { body } = await standin.get('/api/v2/beatmaps?ids=75', await standin.token())
  expect(body).toEqual({ beatmaps: [] })
})

test('the number of keys stands in front of a mania difficulty (platform: beatmaps)', async () => {
  const standin = await startStandin()
  await standin.post('/standin/beatmaps', { id: 900, facts: { mode: 'mania', version: 'Insane' } })
  const [row] = await rowsOf(standin, [900])
  expect(row?.version).toBe(`[${row?.cs}K] Insane`)
})

test.each([
  ['graveyard', -2, false],
  ['wip', -1, false],
  ['pending', 0, false],
  ['ranked', 1, true],
  ['approved', 2, true],
  ['qualified', 3, true],
  ['loved', 4, true],
])('a beatmap that is %s (platform: beatmaps)', async (status, ranked, is_scoreable) => {
  const standin = await startStandin()
  await standin.post('/standin/beatmaps', { id: 900, facts: { status } })
  expect(await rowsOf(standin, [900])).toMatchObject([{ status, ranked, is_scoreable }])
})

test('what was taken down, and what is not processed yet (platform: beatmaps)', async () => {
  const standin = await startStandin()
  const change = (id: number, facts: Record<string, unknown>) =>
    standin.post('/standin/beatmaps', { id, facts })
  await change(900, { takedown: 'disabled' })
  await change(901, { takedown: 'information' })
  await change(902, { stars: 0, bpm: 0, combo: null })
  expect(await rowsOf(standin, [900, 901, 902])).toMatchObject([
    { beatmapset: { availability: { download_disabled: true, more_information: null } } },
    {
      beatmapset: {
        availability: { download_disabled: false, more_information: expect.any(String) },
      },
    },
    { difficulty_rating: 0, bpm: 0, max_combo: null },
  ])
})

test('none found is an empty list (platform: beatmaps)', async () => {
  const standin = await startStandin()
  expect(await rowsOf(standin, [10_000_001])).toEqual([])
  expect(await rowsOf(standin, [])).toEqual([])
})

test('a row has every field of the wire (platform: beatmaps)', async () => {
  const standin = await startStandin()
  const [row] = await rowsOf(standin, [2069833])
  expect(row).toEqual({
    id: 2069833,
    beatmapset_id: 989460,
    user_id: expect.any(Number),
    version: 'Endless Days',
    difficulty_rating: 8.77437,
    mode: 'osu',
    mode_int: 0,
    convert: false,
    lazer_only: false,
    status: expect.any(String),
    ranked: expect.any(Number),
    is_scoreable: expect.any(Boolean),
    total_length: 306,
    hit_length: expect.any(Number),
    bpm: 260,
    cs: expect.any(Number),
    ar: expect.any(Number),
    accuracy: expect.any(Number),
    drain: expect.any(Number),
    max_combo: expect.any(Number),
    checksum: expect.stringMatching(/^[0-9a-f]{32}$/),
    last_updated: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:00Z$/),
    deleted_at: null,
    current_user_playcount: 0,
    owners: [{ id: expect.any(Number), username: 'vrnl' }],
    beatmapset: {
      id: 989460,
      user_id: expect.any(Number),
      anime_cover: false,
      status: expect.any(String),
      title: 'Hollow',
      title_unicode: 'Hollow',
      artist: expect.any(String),
      artist_unicode: expect.any(String),
      creator: 'vrnl',
      source: expect.any(String),
      tags: expect.any(String),
      nsfw: expect.any(Boolean),
      track_id: null,
      availability: { download_disabled: false, more_information: null },
      covers: expect.objectContaining({
        list: 'https://assets.ppy.sh/beatmaps/989460/covers/list.jpg',
        card: 'https://assets.ppy.sh/beatmaps/989460/covers/card.jpg',
        cover: 'https://assets.ppy.sh/beatmaps/989460/covers/cover.jpg',
      }),
    },
  })
})

test.each([
  [3631491, 'osu', 3.73, 212, 240],
  [3658033, 'osu', 2.37, 199, 184],
  [3666654, 'osu', 1.98, 88, 180],
  [3716286, 'osu', 2.29, 125, 180.55],
  [129891, 'osu', 7.8058, 258, 222.22],
  [75, 'osu', 2.55, 142, 119.999],
  [5590715, 'mania', 7.62, 396, 220],
  [5602450, 'mania', 3.62, 282, undefined],
  [3871759, 'mania', 4.88, 379, undefined],
  [5606802, 'mania', 5.82, 296, undefined],
  [5140134, 'mania', 5.57, 263, undefined],
  [915210, 'osu', 7.84, undefined, undefined],
  [412288, 'osu', 7.53, undefined, undefined],
  [2348869, 'osu', 7.15, undefined, undefined],
])('%i has its real values (platform: real values)', async (id, mode, stars, seconds, bpm) => {
  const standin = await startStandin()
  const [row] = await rowsOf(standin, [id])
  expect(row).toMatchObject({
    mode,
    difficulty_rating: stars,
    ...(seconds === undefined ? {} : { total_length: seconds }),
    ...(bpm === undefined ? {} : { bpm }),
  })
})

test('beatmaps of the tournament pools have their real names', async () => {
  const standin = await startStandin()
  const rows = await rowsOf(
    standin,
    poolRows.map(([id]) => id),
  )
  expect(rows).toHaveLength(49)
  expect(
    rows.map((row) => [
      row.id,
      row.beatmapset_id,
      row.beatmapset.artist,
      row.beatmapset.title,
      row.beatmapset.creator,
      row.version,
    ]),
  ).toEqual(poolRows)
  expect(rows.find((row) => row.id === 129891)?.beatmapset.title).toBe('FREEDOM DiVE')
  expect(rows.every((row) => row.mode === 'osu' && row.difficulty_rating > 5)).toBe(true)
})

test('made-up rows say so, stay the same at each start, and are of many kinds', async () => {
  const ids = upTo(1000, 50_000)
  const readAll = async () => {
    const standin = await startStandin()
    const rows: BeatmapRow[] = []
    for (let at = 0; at < ids.length; at += 50) {
      rows.push(...(await rowsOf(standin, ids.slice(at, at + 50))))
    }
    return rows
  }
  const rows = await readAll()
  expect(rows).toEqual(await readAll())
  expect(rows).toHaveLength(1000)
  expect(rows.every((row) => row.beatmapset.title.endsWith('(made up)'))).toBe(true)
  expect(new Set(rows.map((row) => row.mode)).size).toBe(4)
  expect(rows.every((row) => row.difficulty_rating > 1 && row.difficulty_rating < 9)).toBe(true)
  expect(rows.every((row) => row.total_length > 50 && row.hit_length > 0)).toBe(true)
  expect(rows.some((row) => row.bpm === null)).toBe(true)
  expect(rows.some((row) => row.bpm !== null && !Number.isInteger(row.bpm))).toBe(true)
  expect(rows.some((row) => row.checksum === null)).toBe(true)
})

test('beatmaps of one set share its names', async () => {
  const standin = await startStandin()
  const rows = await rowsOf(standin, [600, 601, 602])
  expect(new Set(rows.map((row) => row.beatmapset_id)).size).toBe(1)
  expect(new Set(rows.map((row) => JSON.stringify(row.beatmapset))).size).toBe(1)
})

test('ids can be made gone, facts changed, beatmaps added, and all of it undone', async () => {
  const standin = await startStandin()
  await standin.post('/standin/gone', { ids: [75] })
  await standin.post('/standin/beatmaps', { id: 129891, facts: { stars: 7.9, bpm: null } })
  await standin.post('/standin/beatmaps', { id: 2_000_000_000, facts: { title: 'New' } })
  const rows = await rowsOf(standin, [75, 129891, 2_000_000_000])
  expect(rows.map((row) => row.id)).toEqual([129891, 2_000_000_000])
  expect(rows[0]).toMatchObject({ difficulty_rating: 7.9, bpm: null, total_length: 258 })
  expect(rows[1]?.beatmapset.title).toBe('New')

  await fetch(`${standin.url}/standin/beatmaps`, { method: 'DELETE' })
  const after = await rowsOf(standin, [75, 129891, 2_000_000_000])
  expect(after.map((row) => row.difficulty_rating)).toEqual([2.55, 7.8058])
})
