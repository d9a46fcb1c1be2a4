import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sessionApi } from '../../src/contract/session-api.ts'
import { aBeatmap, keepPublic } from '../support/a-beatmap.ts'
import type { Browser } from '../support/browser.ts'
import { catchUp } from '../support/catch-up.ts'
import { aPack } from '../support/samples.ts'
import { expectSuccess } from '../support/site-calls.ts'
import { openSiteHouse, type SiteHouse } from '../support/site-house.ts'
import { expectDeclared } from '../support/site-watch.ts'

let house: SiteHouse
let owner: Browser
let visitor: Browser

/** Words of secret packs; nothing that is asked may lead to them. */
const secret = 'quokkawombat'
const secretId = 987_654
const plain = 'harbour lanterns glowing quietly underneath northern bridges tonight'

beforeAll(async () => {
  house = await openSiteHouse()
  owner = await house.signedIn(7001)
  visitor = house.browser()
  const map = aBeatmap(secretId, { setId: 987_000, title: secret, mapper: secret })
  await keepPublic(house.ports.beatmapCache, [map], house.clock.now())
  const save = (name: string, visibility: 'public' | 'private' | 'unlisted', id: number) => {
    const slots = [{ mod: 'NM', index: 1, beatmapId: id }]
    return house.save(owner, aPack({ name, visibility, slots, description: `${name} ${plain}` }))
  }
  await save('Shown', 'public', 75)
  await save(`Private ${secret}`, 'private', secretId)
  await save(`Unlisted ${secret}`, 'unlisted', secretId)
  const hidden = await save(`Hidden ${secret}`, 'public', secretId)
  // It was found before it was hidden.
  await catchUp(house.ports)
  await house.ports.accounts.setModerator(7003, true, 0)
  const moderator = await house.signedIn(7003)
  await moderator.ask('POST', `/session/moderation/packs/${hidden}/hide`, { reason: 'copied' })
})
afterAll(() => house.close())

const ask = (query: string) => {
  house.clock.nextMinute()
  return visitor.ask('GET', `/session/search?${query}`)
}

/** Holds an answer to what may be shown. */
const search = async (q: string) => {
  const reply = await ask(`q=${encodeURIComponent(q)}`)
  expectSuccess(reply, 'searchPacks')
  expect(reply.text.toLowerCase()).not.toContain(secret)
  const { packs, beatmapIds } = reply.json
  expect(beatmapIds).not.toContain(secretId)
  expect(packs.length).toBeLessThanOrEqual(1)
  return packs
}

describe('the language of the stores means nothing in a query', () => {
  test.each([
    '"',
    '" OR "',
    'harbour OR nothing',
    'NEAR(harbour lanterns, 2)',
    'harbour* AND NOT lanterns',
    'n_harbour',
    't_harbour n_shown p_harbour_lanterns b_75 s_1',
    'words : harbour',
    '^harbour + lanterns',
    '{a b} : c',
    "harbour' or 1=1 --",
    "'; drop table search_words; --",
    'harbour & !lanterns | (x <-> y):*',
    'harbour:*A',
    '\\',
    '\\\\\'"%_$1?:x@y',
    '%',
    '_',
    '*',
    '()',
    '((((((((((',
  ])('%s', async (q) => {
    await search(q)
  })

  test('words that look like tokens are words: they find nothing by what they would mean', async () => {
    for (const q of ['b_75', 's_100075', 'n_shown x', 'p_glowing_x']) {
      expect([q, await search(q)]).toEqual([q, []])
    }
    expect(await search('harbour_lanterns')).toMatchObject([{ entry: { n: 'Shown' } }])
    expect(await search('"harbour" (lanterns)*')).toMatchObject([{ entry: { n: 'Shown' } }])
  })
})

describe('whatever is asked, the answer is one of those declared', () => {
  const words = plain.split(' ')
  const misspelt = words.map((word) => `${word.slice(0, 2)}${word.slice(3)}`).join(' ')

  test.each([
    [
      '200 words',
      Array.from({ length: 100 }, (_, at) => String.fromCharCode(97 + (at % 26))).join(' '),
    ],
    ['eight words, each misspelt', misspelt],
    ['eight words as one', words.join('').slice(0, 200)],
    [
      'long words that nothing has',
      Array.from({ length: 8 }, (_, at) => `q${at}`.repeat(12)).join(' '),
    ],
    ['one word of 200 letters', 'x'.repeat(200)],
    ['letters beyond the basic plane', '𝔥𝔞𝔯𝔟𝔬𝔲𝔯 𐐨𐐩'],
    ['marks alone', '\u0301'.repeat(150)],
    ['a letter with many marks', `e${'\u0301'.repeat(150)}`],
    ['characters of Chinese', '漢'.repeat(200)],
    ['numbers', '1 22 333 4444 55555 666666 7777777 88888888 999999999 2147483648 99999999999'],
    ['links', Array.from({ length: 12 }, (_, at) => `ppy.sh/b/${at + 1}`).join(' ')],
    ['U+0000', 'harbour\0lanterns'],
    ['marks of direction', '\u202eharbour\u2066'],
    ['emoji', '🔥👩‍👩‍👧‍👦'],
  ])('%s', async (_, q) => {
    await search(q)
  })

  test('eight misspelt words find what has them all', async () => {
    expect(await search(misspelt)).toMatchObject([{ entry: { n: 'Shown' } }])
  })

  test('more than 200 characters, and bytes that are no text: 400, or as if they were not there', async () => {
    for (const query of [
      'q=%ff%fe',
      'q=%ed%a0%80',
      'q=%',
      'q=%00',
      `q=${'x'.repeat(5_000)}`,
      'q[]=a',
    ]) {
      expectDeclared(await ask(query), sessionApi.searchPacks)
    }
  })

  test('made-up queries and places', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 })
    const value = fc.oneof(text, fc.constantFrom('5-6', '-', '1', 'NM', 'base', 'created', ''))
    const names = [
      'q',
      'stars',
      'length',
      'bpm',
      'beatmaps',
      'mods',
      'rulesets',
      'unrated',
      'order',
      'after',
    ]
    const query = fc.dictionary(fc.constantFrom(...names), value)
    await fc.assert(
      fc.asyncProperty(query, async (asked) => {
        const reply = await ask(new URLSearchParams(asked).toString())
        expectDeclared(reply, sessionApi.searchPacks)
        expect(reply.status).not.toBe(500)
      }),
      { numRuns: 150, seed: 20_261_003 },
    )
  })
})

describe('private, unlisted and hidden packs', () => {
  test.each([
    secret,
    secret.slice(0, 5),
    secret.slice(1),
    'quokka wombat',
    `hidden ${secret}`,
    'private unlisted hidden',
    `${secretId}`,
    '987000',
    `https://osu.ppy.sh/beatmapsets/987000#osu/${secretId}`,
    `!mp map ${secretId}`,
  ])('%s: nothing', async (q) => {
    for (const from of [visitor, owner]) {
      house.clock.nextMinute()
      const { json } = await from.ask('GET', `/session/search?q=${encodeURIComponent(q)}`)
      const nothing = { packs: [], next: null, isNear: false, beatmapIds: [] }
      expect(json).toMatchObject(nothing)
    }
  })

  test('the answer is the same as if there were none of them, once the worker has seen it', async () => {
    await catchUp(house.ports)
    const there = await ask(`q=${secret}`)
    const absent = await ask('q=quokkawallaby')
    expect(there.text).toBe(absent.text)
    expect(there.json.searched).toBe(1)
  })
})
