import * as fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { BeatmapDetails } from '../../src/contract/beatmaps.ts'
import { aRow, aToken, oddPlatform } from './odd-platform.ts'
import { rating, errorOf } from './platform-house.ts'

const aPlayer = {
  id: 7001,
  username: 'Peridot',
  is_restricted: false,
  is_deleted: false,
  is_bot: false,
}

const rows = (...beatmaps: unknown[]) => ({ beatmaps })

describe('an answer counts only when it is whole and sane', () => {
  test.each([
    ['a row twice', rows(aRow(1), aRow(1))],
    ['a row that was not asked for', rows(aRow(1), aRow(3))],
    ['no list', {}],
    ['null', null],
    ['a list alone', [aRow(1)]],
    ['an object for a list', { beatmaps: { 1: aRow(1) } }],
    ['an error with 200', { error: null }],
    ['null for a row', rows(aRow(1), null)],
    ['nothing at all', ''],
    ['two answers', '{"beatmaps":[]}{"beatmaps":[]}'],
    ['what is no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ])('%s is an error, and nobody is gone', async (_what, answer) => {
    const { platform } = await oddPlatform(() => answer)
    const error = await errorOf(platform.readBeatmaps([1, 2], 'background'))
    expect(error.message).toMatch(/^GET \/api\/v2\/beatmaps answered 200: its body /)
  })

  test.each([
    { id: '1' },
    { id: 1.5 },
    { id: 0 },
    { beatmapset_id: null },
    { difficulty_rating: null },
    { difficulty_rating: '3.5' },
    { difficulty_rating: -1 },
    { mode: 'base' },
    { mode: 0 },
    { mode: undefined },
    { total_length: null },
    { total_length: -5 },
    { bpm: '180' },
    { bpm: undefined },
    { cs: null },
    { status: 4 },
    { version: null },
    { beatmapset: null },
    { beatmapset: { title: 'Harbour' } },
  ])('a row with %o cannot be read', async (changes) => {
    const { platform } = await oddPlatform(() => rows(aRow(1, changes), aRow(2)))
    await errorOf(platform.readBeatmaps([1, 2], 'background'))
  })

  test('a row that can be read is within the bounds that answers say', async () => {
    const unit = fc.oneof(
      { weight: 20, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
      fc.constantFrom('\0', '\ud800', '\udc00', '🏆'),
    )
    const part = fc.array(unit, { maxLength: 9 }).map((units) => units.join(''))
    const text = fc.tuple(part, fc.constantFrom(1, 300)).map(([some, times]) => some.repeat(times))
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(0, -0, 1, 5.5, 1e9, 1e15, 1e300, -1e300),
    )
    const changes = fc.record(
      {
        ...Object.fromEntries(['version', 'status', 'checksum'].map((field) => [field, text])),
        ...Object.fromEntries(
          [
            'difficulty_rating',
            'total_length',
            'bpm',
            'cs',
            'ar',
            'accuracy',
            'drain',
            'max_combo',
          ].map((field) => [field, number]),
        ),
        beatmapset_id: number,
        beatmapset: fc.record(
          { title: text, title_unicode: text, artist: text, artist_unicode: text, creator: text },
          { requiredKeys: ['title', 'artist', 'creator'] },
        ),
      },
      { requiredKeys: [] },
    )
    let row: object = {}
    const { platform } = await oddPlatform(() => rows(row))
    const details = Compile(BeatmapDetails)
    await fc.assert(
      fc.asyncProperty(changes, async (changed) => {
        row = aRow(1, changed)
        const read = await platform.readBeatmaps([1], 'background').catch(() => [])
        for (const beatmap of read) expect([...details.Errors(beatmap)]).toEqual([])
        // Only a number can keep a row from being read.
        const isOfTexts = Object.values(changed).every((value) => typeof value !== 'number')
        if (isOfTexts) expect(read).toHaveLength(1)
      }),
      { numRuns: 40 },
    )
  })

  test('numbers beyond all bounds are an error', async () => {
    const { platform } = await oddPlatform(() =>
      JSON.stringify(rows(aRow(1))).replace('"bpm":180', '"bpm":1e400'),
    )
    await errorOf(platform.readBeatmaps([1], 'background'))
  })

  test.each([
    { attributes: {} },
    { attributes: [] },
    { attributes: { star_rating: null } },
    { attributes: { star_rating: '6.5' } },
    { attributes: { star_rating: -2 } },
    { star_rating: 6.5 },
  ])('%o is no rating', async (answer) => {
    const { platform } = await oddPlatform(() => answer)
    await errorOf(platform.readRating(rating(1), 'background'))
  })

  test.each([
    [404, 'Not found'],
    [404, '"gone"'],
    [404, '[]'],
    [422, 'null'],
    [422, '{"error":'],
  ])('%i with %s is not the word of the platform', async (status, body) => {
    const { platform } = await oddPlatform((_request, response) => {
      response.statusCode = status
      return body
    })
    await errorOf(platform.readRating(rating(1), 'background'))
  })

  test('a title that is no UTF-8 is a broken answer', async () => {
    const text = JSON.stringify(rows(aRow(1))).replace('Harbour', 'Harb\u00ff')
    const { platform } = await oddPlatform(() => Buffer.from(text, 'latin1'))
    await errorOf(platform.readBeatmaps([1], 'background'))
  })

  test.each([201, 404, 500])('the right body with %i is an error all the same', async (status) => {
    const said = { ...rows(aRow(1)), attributes: { star_rating: 6.5 }, ...aPlayer }
    const { platform } = await oddPlatform((request, response) => {
      response.statusCode = status
      // A beatmap that the platform says is missing is gone, whatever else it says of it.
      return status === 404 && request.method === 'POST' ? [] : said
    })
    await errorOf(platform.readBeatmaps([1], 'background'))
    await errorOf(platform.readRating(rating(1), 'background'))
    await errorOf(platform.readPlayer('code', 'http://127.0.0.1:9/'))
  })

  test.each([201, 204, 304, 400, 402, 418, 451])(
    '%i is an error for each question',
    async (status) => {
      const { platform } = await oddPlatform((_request, response) => {
        response.statusCode = status
        response.setHeader('content-type', 'application/json')
        response.end()
      })
      await errorOf(platform.readBeatmaps([1], 'background'))
      await errorOf(platform.readRating(rating(1), 'background'))
    },
  )
})

describe('what the platform may leave open', () => {
  test('unknown values and fields that we do not know do no harm', async () => {
    const set = { title: 'Harbour', artist: 'Nine Rivers', creator: 'arbor', new_field: [] }
    const row = aRow(1, { bpm: null, max_combo: null, checksum: null, beatmapset: set, extra: {} })
    const { platform } = await oddPlatform(() => ({ ...rows(row), cursor: null }))
    const [beatmap] = await platform.readBeatmaps([1], 'background')
    expect(beatmap).toMatchObject({
      bpm: null,
      maxCombo: null,
      checksum: null,
      title: 'Harbour',
      titleUnicode: 'Harbour',
      artistUnicode: 'Nine Rivers',
    })
  })

  test('titles of other scripts come beside the plain ones', async () => {
    const { platform } = await oddPlatform(() => rows(aRow(1)))
    const [beatmap] = await platform.readBeatmaps([1], 'background')
    expect(beatmap).toMatchObject({
      title: 'Harbour',
      titleUnicode: '港',
      artist: 'Nine Rivers',
      artistUnicode: '九川',
    })
  })

  test('text comes so that every store can hold it', async () => {
    const set = { ...aRow(1).beatmapset, title: 'Har\0bour', title_unicode: '\ud800!' }
    const { platform } = await oddPlatform(() => rows(aRow(1, { beatmapset: set })))
    const [beatmap] = await platform.readBeatmaps([1], 'background')
    expect(beatmap).toMatchObject({ title: 'Harbour', titleUnicode: '\ufffd!' })
  })

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x=y'])(
    '%s is JSON',
    async (type) => {
      const { platform } = await oddPlatform((_request, response) => {
        response.setHeader('content-type', type)
        response.end(JSON.stringify(rows(aRow(1))))
      })
      expect(await platform.readBeatmaps([1], 'background')).toHaveLength(1)
    },
  )

  test.each(['application/json5', 'application/jsonp', 'text/json', 'text/html'])(
    '%s is not',
    async (type) => {
      const { platform } = await oddPlatform((_request, response) => {
        response.setHeader('content-type', type)
        response.end(JSON.stringify(rows()))
      })
      await errorOf(platform.readBeatmaps([1], 'background'))
    },
  )
})

describe('what an answer may cost', () => {
  test('a body without an end is cut off, long before the time is over', async () => {
    let sent = 0
    const { platform } = await oddPlatform((_request, response) => {
      response.setHeader('content-type', 'application/json')
      const chunk = Buffer.alloc(256 * 1024, ' ')
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
        sent += chunk.length
      }
      response.on('drain', more)
      more()
    })
    const error = await errorOf(platform.readBeatmaps([1], 'background'))
    expect(error.message).toContain('its body is too long')
    expect(sent).toBeLessThan(64 * 1024 * 1024)
  })

  test.each([301, 302, 307, 308])('a redirect (%i) is not followed', async (status) => {
    const { platform, seen } = await oddPlatform((_request, response) => {
      response.writeHead(status, { location: '/elsewhere' }).end()
    })
    const error = await errorOf(platform.readBeatmaps([1], 'background'))
    expect(error.message).toContain(`${status}: a redirect; check PLATFORM_URL`)
    expect(seen.map(({ url }) => url)).toEqual(['/oauth/token', '/api/v2/beatmaps?ids%5B%5D=1'])
  })
})

describe('a token is what a header can carry', () => {
  test.each([
    { ...aToken, access_token: '' },
    { ...aToken, access_token: 'two words' },
    { ...aToken, access_token: 'x\r\nx-evil: 1' },
    { ...aToken, access_token: null },
    { ...aToken, token_type: 'mac' },
    { ...aToken, expires_in: 0 },
    { ...aToken, expires_in: '86400' },
    {},
  ])('%o is none', async (token) => {
    const { platform, seen } = await oddPlatform(() => rows(), token)
    const error = await errorOf(platform.readBeatmaps([1], 'background'))
    expect(error.message).toMatch(
      /^POST \/oauth\/token answered 200: its body is not what it should be; /,
    )
    expect(seen).toHaveLength(1)
  })

  test('one that lives for a second serves for that second', async () => {
    const { platform, seen, clock } = await oddPlatform(() => rows(), { ...aToken, expires_in: 1 })
    await platform.readBeatmaps([1], 'background')
    await platform.readBeatmaps([2], 'background')
    clock.advance(1_000)
    await platform.readBeatmaps([3], 'background')
    expect(seen.filter(({ url }) => url === '/oauth/token')).toHaveLength(2)
  })
})

test('every call says who asks, that it wants JSON in English, and shows the token where one is asked for', async () => {
  const { platform, seen } = await oddPlatform(() => rows())
  await platform.readBeatmaps([1, 1], 'background')
  await errorOf(platform.readRating(rating(2, ['HR', 'DT']), 'background'))
  await errorOf(platform.readPlayer('def502', 'http://127.0.0.1:9/'))
  const common = {
    accept: 'application/json',
    'accept-language': 'en',
    'user-agent': 'Mapcrate/1.2.3 (+https://maps.test)',
  }
  const form = { ...common, 'content-type': 'application/x-www-form-urlencoded' }
  const own = { ...common, authorization: 'Bearer app-token' }
  expect(seen.map(({ headers }) => headers)).toMatchObject([
    form,
    own,
    { ...own, 'content-type': 'application/json' },
    form,
    own,
  ])
  expect(seen.map(({ url }) => url)).toEqual([
    '/oauth/token',
    '/api/v2/beatmaps?ids%5B%5D=1',
    '/api/v2/beatmaps/2/attributes',
    '/oauth/token',
    '/api/v2/me',
  ])
})
