import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { aPack } from '../support/samples.ts'
import { expectSiteError, expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { Stopwatch } from '../support/stopwatch.ts'

let house: SiteHouse
let visitor: Browser

beforeEach(async () => {
  house = await openSiteHouse()
  visitor = house.browser()
})
afterEach(() => house.close())

const look = async (body: unknown, from = visitor) => {
  const reply = await from.ask('POST', '/session/beatmaps', body)
  expectSuccess(reply, 'lookAtBeatmaps')
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  return reply.json
}

describe('POST /session/beatmaps', () => {
  test('tells details and stars in the order asked, to strangers too', async () => {
    const beatmaps = [
      { id: 129891, mods: [] },
      { id: 75, mods: [] },
    ]
    const reply = await look({ beatmaps })
    expect(reply).toMatchObject({
      beatmaps: [
        { id: 129891, state: 'known', stars: 7.8058, details: { length: 258, bpm: 222.22 } },
        { id: 75, state: 'known', stars: 2.55, details: { length: 142 } },
      ],
      retryAfter: null,
    })
  })

  test('asks for ratings with mods for the signed in, and for the slots of a pack that is shown', async () => {
    const beatmaps = [{ id: 75, mods: ['DT'] }]
    const open = { beatmaps: [{ id: 75, state: 'known', stars: null }] }
    expect(await look({ beatmaps })).toMatchObject(open)
    const owner = await house.signedIn(7001)
    const pack = aPack({ visibility: 'public', slots: [{ mod: 'DT', index: 1, beatmapId: 75 }] })
    const slug = await house.save(owner, pack)
    const rated = { beatmaps: [{ id: 75, state: 'known', stars: 3.61 }], retryAfter: null }
    expect(await look({ beatmaps, slug })).toMatchObject(rated)
    const other = { beatmaps: [{ id: 129891, mods: ['DT'] }] }
    expect(await look(other)).toMatchObject({ beatmaps: [{ stars: null }] })
    expect((await look(other, owner)).beatmaps[0].stars).toBeGreaterThan(7.81)
  })

  test('is compressed for strangers, and never for a session, which holds a token (D-52)', async () => {
    const beatmaps = Array.from({ length: 64 }, (_, at) => ({ id: 900_001 + at, mods: [] }))
    const owner = await house.signedIn(7001)
    for (const [from, coding] of [
      [visitor, /^(br|zstd|gzip)$/],
      [owner, /^none$/],
    ] as const) {
      const reply = await from.ask('POST', '/session/beatmaps', { beatmaps })
      expectSuccess(reply, 'lookAtBeatmaps')
      expect(reply.text.length).toBeGreaterThan(1_024)
      expect(reply.headers.get('vary')).toBe('Accept-Encoding')
      expect(reply.headers.get('content-encoding') ?? 'none').toMatch(coding)
    }
    const session = await owner.ask('GET', '/session/packs')
    expect(session.headers.get('content-encoding')).toBeNull()
  })

  test('says what is pending, and when to ask again, while the platform does not answer', async () => {
    await house.order({ fault: 'down', kind: 'beatmaps' })
    const reply = await look({ beatmaps: [{ id: 75, mods: [] }] })
    expect(reply.beatmaps).toEqual([{ id: 75, state: 'pending' }])
    expect(reply.retryAfter).toBeGreaterThan(0)
  })

  test('waits for a slow platform for two seconds at most', async () => {
    await house.order({ fault: 'delay', kind: 'beatmaps', delay: 1_900_000 })
    const watch = new Stopwatch()
    const reply = await look({ beatmaps: [{ id: 75, mods: [] }] })
    expect(watch.stop()).toBeLessThan(3_500)
    expect(reply.beatmaps).toEqual([{ id: 75, state: 'pending' }])
  })

  test('400: nothing asked, too much asked, mods that no slot forces', async () => {
    const one = { id: 75, mods: [] as string[] }
    const wrong = [
      { beatmaps: [] },
      { beatmaps: Array.from({ length: 65 }, () => one) },
      { beatmaps: [{ id: 0, mods: [] }] },
      { beatmaps: [{ id: 75, mods: ['NC'] }] },
      { beatmaps: [{ id: 75, mods: ['EZ', 'HR'] }] },
      { beatmaps: [one], slug: 'no' },
    ]
    for (const body of wrong) {
      expectSiteError(await visitor.ask('POST', '/session/beatmaps', body), 'bad_request')
    }
  })
})
