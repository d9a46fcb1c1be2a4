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

test('nightcore rates as DT (platform: ratings)', async () => {
  const rate = await starRater(await startStandin())
  expect(await rate(5394208, ['NC'])).toBe(8.33)
})

test('in base, EZ HR DT HT FL move the rating, HD a little, all else not (platform: ratings)', async () => {
  const rate = await starRater(await startStandin())
  const plain = await rate(129891, [])
  const [ez, hr, dt, ht, fl, hd, nf, ezhr] = [
    await rate(129891, ['EZ']),
    await rate(129891, ['HR']),
    await rate(129891, ['DT']),
    await rate(129891, ['HT']),
    await rate(129891, ['FL']),
    await rate(129891, ['HD']),
    await rate(129891, ['NF', 'SD']),
    await rate(129891, ['EZ', 'HR']),
  ]
  expect(ht).toBeLessThan(ez)
  expect(ez).toBeLessThan(plain)
  expect(nf).toBe(plain)
  expect(hd).toBeGreaterThan(plain)
  expect(hd).toBeLessThan(plain * 1.05)
  expect(hr).toBeGreaterThan(hd)
  expect(fl).toBeGreaterThan(plain)
  expect(dt).toBeGreaterThan(plain * 1.3)
  // Not refused, and neither of the two.
  expect([plain, ez, hr]).not.toContain(ezhr)
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
  expect((await rate(5590715, [], 'osu')).status).toBe(422)
  expect((await rate(75, [], 'base')).status).toBe(422)
})

test('an unknown mod is refused by its name (platform: not 200)', async () => {
  const rate = await rater(await startStandin())
  const refused = await rate(75, ['HR', 'ZZ'])
  expect([refused.status, refused.body]).toEqual([422, { error: 'invalid mod for ruleset: ZZ' }])
  const otherRuleset = await rate(5590715, ['SO'], 'mania')
  expect(otherRuleset.body).toEqual({ error: 'invalid mod for ruleset: SO' })
})

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
