import { expect, test } from 'vitest'
import { type Running, startStandin } from './running.ts'

type Reply = { attributes: { star_rating: number; max_combo: number } }

const rater = async (standin: Running) => {
  const token = await standin.token()
  return (id: number | string, mods: unknown, ruleset: unknown = 'osu') =>
    standin.post(`/api/v2/beatmaps/${id}/attributes`, { mods, ruleset }, token)
}

const starRater = async (standin: Running) => {
  const rate = await rater(standin)
  return async (id: number, mods: string[], ruleset = 'osu') => {
    const { status, body } = await rate(id, mods, ruleset)
    expect(status).toBe(200)
    return (body as Reply).attributes.star_rating
  }
}

test.each([
  [75, ['DT'], 3.61],
  [5176402, ['DT'], 7.35],
  [5486311, ['DT'], 7.39],
  [5394208, ['DT'], 8.33],
  [75, [], 2.55],
  [129891, [], 7.8058],
  [915210, [], 7.84],
  [412288, [], 7.53],
  [2348869, [], 7.15],
])('%i with %o rates as on the real platform (platform: real values)', async (id, mods, stars) => {
  const standin = await startStandin()
  const rate = await rater(standin)
  const { status, body } = await rate(id, mods)
  expect(status).toBe(200)
  expect((body as Reply).attributes).toMatchObject({
    star_rating: stars,
    max_combo: expect.any(Number),
  })
})

test('nightcore rates as DT, daycore as no mod (platform: ratings)', async () => {
  const rate = await starRater(await startStandin())
  expect(await rate(5394208, ['NC'])).toBe(8.33)
  expect(await rate(75, ['DC'])).toBe(2.55)
})

test('in base, EZ HR DT HT FL move the rating, HD a little, all else not (platform: ratings)', async () => {
  const rate = await starRater(await startStandin())
  const plain = await rate(129891, [])
  const [ez, hr, dt, ht, fl, hd, nf] = [
    await rate(129891, ['EZ']),
    await rate(129891, ['HR']),
    await rate(129891, ['DT']),
    await rate(129891, ['HT']),
    await rate(129891, ['FL']),
    await rate(129891, ['HD']),
    await rate(129891, ['NF', 'SD']),
  ]
  expect(ht).toBeLessThan(ez)
  expect(ez).toBeLessThan(plain)
  expect(nf).toBe(plain)
  expect(hd).toBeGreaterThan(plain)
  expect(hd).toBeLessThan(plain * 1.05)
  expect(hr).toBeGreaterThan(hd)
  expect(fl).toBeGreaterThan(plain)
  expect(dt).toBeGreaterThan(plain * 1.3)
})

test('a set is one rating, in any order (platform: ratings)', async () => {
  const rate = await starRater(await startStandin())
  const set = await rate(75, ['HR', 'DT'])
  // HR adds to the real rating with DT as much as it adds to the plain one.
  expect(set).toBeCloseTo((3.61 * (await rate(75, ['HR']))) / 2.55, 3)
  expect(await rate(75, ['DT', 'HR'])).toBe(set)
})

test.each([
  ['taiko', ['EZ', 'HR', 'DT', 'HT'], [['HD'], ['FL'], ['HD', 'FL']]],
  ['fruits', ['EZ', 'HR', 'DT', 'HT'], [['HD'], ['FL'], ['HD', 'FL']]],
  ['mania', ['DT', 'HT'], [['EZ'], ['HR'], ['HD'], ['FL'], ['HD', 'FL']]],
] as const)(
  'in %s, %o move the rating and %o do not (platform: ratings)',
  async (mode, moving, still) => {
    const standin = await startStandin()
    await standin.post('/standin/beatmaps', { id: 900, facts: { mode, stars: 5 } })
    const rate = await starRater(standin)
    for (const mod of moving) {
      expect(await rate(900, [mod], mode)).not.toBe(5)
    }
    for (const mods of still) {
      expect(await rate(900, [...mods], mode)).toBe(5)
    }
  },
)

test('only osu beatmaps convert to another ruleset', async () => {
  const rate = await rater(await startStandin())
  expect((await rate(75, [], 'mania')).status).toBe(200)
  const converted = await rate(5590715, [], 'osu')
  const error = "specified beatmap can't be converted to the specified ruleset"
  expect([converted.status, converted.body]).toEqual([422, { error }])
  for (const ruleset of ['base', 'catch', 0]) {
    const { status, body } = await rate(75, [], ruleset)
    expect([status, body]).toEqual([422, { error: 'invalid ruleset specified' }])
  }
})

test.each([
  [75, 'osu', ['EZ', 'HR']],
  [75, 'osu', ['DT', 'HT']],
  [75, 'osu', ['HT', 'NC', 'HD']],
  [5590715, 'mania', ['4K']],
  [5590715, 'mania', ['DT', '10K']],
] as const)(
  'of %i in %s under %o no rating is stored: 0 with 200 (platform: attributes)',
  async (id, ruleset, mods) => {
    const rate = await rater(await startStandin())
    const { status, body } = await rate(id, mods, ruleset)
    expect([status, body]).toEqual([200, { attributes: { star_rating: 0, max_combo: 0 } }])
  },
)

test.each([
  ['ranked', 'osu', 9],
  ['loved', 'taiko', 3],
  ['approved', 'fruits', 2],
  ['qualified', 'mania', 2],
  ['graveyard', 'osu', 2],
  ['pending', 'taiko', 2],
  ['wip', 'osu', 2],
] as const)(
  'the attributes of a beatmap that is %s in %s (platform: attributes)',
  async (status, mode, count) => {
    const standin = await startStandin()
    await standin.post('/standin/beatmaps', { id: 900, facts: { mode, status, stars: 5 } })
    const { body } = await (await rater(standin))(900, [], mode)
    const { attributes } = body as Reply
    expect(attributes.star_rating).toBe(5)
    expect(attributes.max_combo > 0).toBe(
      ['ranked', 'loved', 'approved', 'qualified'].includes(status),
    )
    expect(Object.keys(attributes)).toHaveLength(count)
  },
)

test('an unknown mod is refused by its name (platform: not 200)', async () => {
  const rate = await rater(await startStandin())
  const refused = await rate(75, ['HR', 'ZZ'])
  expect([refused.status, refused.body]).toEqual([422, { error: 'invalid mod for ruleset: ZZ' }])
  const otherRuleset = await rate(5590715, ['SO'], 'mania')
  expect(otherRuleset.body).toEqual({ error: 'invalid mod for ruleset: SO' })
  for (const mod of ['NM', 'V2', 'dt']) {
    expect((await rate(75, [mod])).body).toEqual({ error: `invalid mod for ruleset: ${mod}` })
  }
})

test('mods of the newer game are taken, and add nothing (platform: ratings)', async () => {
  const rate = await starRater(await startStandin())
  for (const mod of ['DA', 'RX', 'AP', 'MG', 'BL', 'CS', 'SV2', 'AC', 'TD', 'SO']) {
    expect(await rate(75, mod === 'CS' ? [] : [mod])).toBe(2.55)
  }
  expect(await rate(5590715, ['CS', 'HO'], 'mania')).toBe(7.62)
})

test.each([
  ['DT', 'invalid mods specified'],
  [true, 'invalid mods specified'],
  [[5], 'invalid mod array'],
  [[null], 'invalid mod array'],
  [[''], 'invalid mod array'],
  [[{ acronym: 'DT', settings: { x: 1 } }], 'unknown setting for DT (x)'],
])('mods that are %o are refused (platform: attributes)', async (mods, error) => {
  const rate = await rater(await startStandin())
  const { status, body } = await rate(75, mods)
  expect([status, body]).toEqual([422, { error }])
})

test.each([
  64,
  [{ acronym: 'DT' }],
  [{ acronym: 'DT', settings: { speed_change: 1.5 } }],
  ['DT', 'DT'],
])('mods that are %o are those of DT (platform: attributes)', async (mods) => {
  const { body } = await (await rater(await startStandin()))(75, mods)
  expect((body as Reply).attributes.star_rating).toBe(3.61)
})

test.each([
  ['application/json', '{"mods":["DT"'],
  ['text/plain', '{"mods":["DT"]}'],
  ['application/json', '[]'],
])(
  'a body that cannot be read, as %s: the plain rating, with 200 (platform: attributes)',
  async (type, body) => {
    const standin = await startStandin()
    const response = await fetch(`${standin.url}/api/v2/beatmaps/75/attributes`, {
      method: 'POST',
      headers: { 'content-type': type, authorization: `Bearer ${await standin.token()}` },
      body,
    })
    expect(response.status).toBe(200)
    expect(((await response.json()) as Reply).attributes.star_rating).toBe(2.55)
  },
)

test('an id that does not exist is 404 (platform: not 200)', async () => {
  const standin = await startStandin()
  const rate = await rater(standin)
  await standin.post('/standin/gone', { ids: [75] })
  for (const id of [10_000_000, 75, 0, 'x']) {
    expect((await rate(id, ['DT'])).status).toBe(404)
  }
})

test('ratings with mods can be set, as after a release of the algorithm', async () => {
  const standin = await startStandin()
  const rate = await starRater(standin)
  await standin.post('/standin/beatmaps', { id: 75, facts: { ratings: { DT: 4, 'HR,DT': 4.5 } } })
  expect(await rate(75, ['DT'])).toBe(4)
  expect(await rate(75, ['DT', 'HR'])).toBe(4.5)
})

test('a rating needs a token (platform: not 200)', async () => {
  const standin = await startStandin()
  const { status, body } = await standin.post('/api/v2/beatmaps/75/attributes', {})
  expect([status, body]).toEqual([401, { authentication: 'basic' }])
})
