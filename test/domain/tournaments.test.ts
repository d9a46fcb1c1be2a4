import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DISCORD_URL_EXAMPLE } from '../../src/contract/announcements.ts'
import type { TournamentInput, TournamentPatch } from '../../src/contract/tournaments.ts'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { checkPatch, factsOf, patchedFacts } from '../../src/domain/tournaments.ts'
import { thrown } from './a-tournament.ts'

const slur = slurs[0]!.stem.replaceAll('*', '')
const full: TournamentInput = {
  name: 'Harbour Lights Cup',
  shortName: 'HLC',
  description: 'Two weeks\nof matches',
  ruleset: 'mania',
  year: 2026,
  rankMin: 1000,
  rankMax: 9999,
  link: 'https://example.com/hlc',
  visibility: 'public',
  announceRounds: true,
}
const saved = factsOf(full)

describe('a new tournament', () => {
  test('is private, of the base ruleset, and announces nothing', () => {
    expect(factsOf({ name: ' Cup ' })).toStrictEqual({
      name: 'Cup',
      shortName: null,
      description: null,
      ruleset: 'base',
      year: null,
      rankMin: null,
      rankMax: null,
      link: null,
      visibility: 'private',
      announceRounds: false,
      discord: null,
    })
  })

  test('D-19: texts are trimmed, an empty description is none, other fields are left out', () => {
    expect(saved).toStrictEqual({ ...full, discord: null })
    const input = { ...full, name: ' Cup ', shortName: ' C ', description: ' ', extra: 1 }
    expect(factsOf(input)).toStrictEqual({
      ...full,
      name: 'Cup',
      shortName: 'C',
      description: null,
      discord: null,
    })
  })
})

describe('the address of a channel (D-97)', () => {
  const url = DISCORD_URL_EXAMPLE

  test('is taken from a patch alone, kept while it is the same, and removed by null', () => {
    const input = { name: 'Cup', discordUrl: url } as TournamentInput
    expect(factsOf(input).discord).toBeNull()
    const set = patchedFacts(saved, { discordUrl: url })
    expect(set.discord?.address.reveal()).toContain('https://discord.com/api/v10/webhooks/')
    expect(set.discord?.off).toBeNull()
    expect(patchedFacts(set, { year: 2030 }).discord).toBe(set.discord)
    expect(patchedFacts(set, { discordUrl: url }).discord).toBe(set.discord)
    expect(patchedFacts(set, { discordUrl: null }).discord).toBeNull()
    expect(() => patchedFacts(saved, { discordUrl: 'https://evil.test/' })).toThrow(/discordUrl/)
  })

  test('goes on where it was switched off, when it is set again', () => {
    const { discord } = patchedFacts(saved, { discordUrl: url })
    const off = { ...saved, discord: { ...discord!, off: 'gone' as const } }
    expect(patchedFacts(off, { year: 2030 }).discord?.off).toBe('gone')
    expect(patchedFacts(off, { discordUrl: url }).discord?.off).toBeNull()
  })

  test('gives way to another', () => {
    const set = patchedFacts(saved, { discordUrl: url })
    const other = url.replace(/.$/, '0')
    expect(patchedFacts(set, { discordUrl: other }).discord?.address.reveal()).toMatch(/0$/)
  })
})

describe('RFC 7396: a patch', () => {
  test('changes what it has, keeps the rest, and null removes', () => {
    expect(patchedFacts(saved, {})).toStrictEqual(saved)
    expect(patchedFacts(saved, { name: ' Cup ', year: 2027 })).toStrictEqual({
      ...saved,
      name: 'Cup',
      year: 2027,
    })
    const nothing: TournamentPatch = {
      shortName: null,
      description: null,
      year: null,
      rankMin: null,
      rankMax: null,
      link: null,
    }
    expect(patchedFacts(saved, nothing)).toStrictEqual({ ...saved, ...nothing })
    expect(patchedFacts(saved, { announceRounds: false }).announceRounds).toBe(false)
  })

  test('the ranks are in order together with the one that stays', () => {
    const refused = (message: string) => ({ code: 'bad_request', message })
    expect(thrown(() => patchedFacts(saved, { rankMin: 10_000 }))).toMatchObject(
      refused('rankMax must be at least rankMin, which is 10000'),
    )
    expect(thrown(() => patchedFacts(saved, { rankMax: 999 }))).toMatchObject(
      refused('rankMax must be at least rankMin, which is 1000'),
    )
    expect(thrown(() => checkPatch({ rankMin: 2, rankMax: 1 }))).toMatchObject(
      refused('rankMax must be at least rankMin, which is 2'),
    )
    expect(
      thrown(() => checkPatch({ rankMax: 999 })),
      'it may be removed',
    ).toBeUndefined()
    expect(patchedFacts(saved, { rankMin: null, rankMax: 1 })).toMatchObject({ rankMax: 1 })
    expect(patchedFacts(saved, { rankMin: 9999 })).toMatchObject({ rankMin: 9999, rankMax: 9999 })
  })

  test('makes what the document would be that is patched, for any document and patch', () => {
    const optional = {
      shortName: fc.constantFrom('HLC', 'X'),
      description: fc.constantFrom('One', 'Two\nlines'),
      year: fc.integer({ min: 2007, max: 2100 }),
      rankMin: fc.integer({ min: 1, max: 50 }),
      rankMax: fc.integer({ min: 50, max: 99 }),
      link: fc.constant('https://example.com/'),
    }
    const removable = Object.fromEntries(
      Object.entries(optional).map(([field, values]) => [
        field,
        fc.option<unknown>(values as fc.Arbitrary<unknown>),
      ]),
    )
    const always = {
      ruleset: fc.constantFrom('base', 'taiko'),
      visibility: fc.constantFrom('private', 'public'),
      announceRounds: fc.boolean(),
    }
    const name = fc.constantFrom('Cup', 'Harbour Lights Cup')
    const anyInput = fc.record({ name, ...always, ...optional }, { requiredKeys: ['name'] })
    const anyPatch = fc.record({ name, ...always, ...removable }, { requiredKeys: [] })
    fc.assert(
      fc.property(anyInput, anyPatch, (input, patch) => {
        const merged = Object.entries({ ...input, ...patch }).filter(([, value]) => value !== null)
        const document = Object.fromEntries(merged) as TournamentInput
        const before = factsOf(input)
        expect(patchedFacts(before, patch as TournamentPatch)).toStrictEqual(factsOf(document))
      }),
      { numRuns: 1000 },
    )
  })

  test('texts that it leaves out are not checked again', () => {
    const stored = { ...saved, name: `The ${slur} cup` }
    expect(patchedFacts(stored, { year: 2020 })).toStrictEqual({ ...stored, year: 2020 })
  })
})

test.each<[string, TournamentPatch]>([
  ['name must not be empty', { name: ' ' }],
  ['shortName must not be empty', { shortName: ' ' }],
  ['name must be at most 64 characters long', { name: 'a'.repeat(65) }],
  ['shortName must be at most 12 characters long', { shortName: 'a'.repeat(13) }],
  ['description must be at most 500 characters long', { description: 'a'.repeat(501) }],
  ['link must be at most 512 characters long', { link: `https://${'a'.repeat(505)}` }],
  ['name must have at least one visible character', { name: '\u3164' }],
  ['name must be one line without control characters', { name: 'a\nb' }],
  [
    'name must not contain U+202E: it changes the direction of text; remove it',
    { name: 'a\u202eb' },
  ],
  [
    'shortName must not contain U+2067: it changes the direction of text; remove it',
    { shortName: 'a\u2067b' },
  ],
  [
    'description must not contain U+202A: it changes the direction of text; remove it',
    { description: 'a\u202ab' },
  ],
  ['name must not contain a slur', { name: `The ${slur} cup` }],
  ['shortName must not contain a slur', { shortName: slur }],
  ['description must not contain a slur', { description: slur }],
  ['link must not contain a slur', { link: `https://example.com/${slur}` }],
  [
    'name must not be empty; rankMax must be at least rankMin, which is 2',
    { name: '', rankMin: 2, rankMax: 1 },
  ],
])('D-14, D-24, D-47: %s', (message, patch) => {
  const refused = { code: 'bad_request', message }
  expect(thrown(() => factsOf({ ...full, ...patch } as TournamentInput))).toMatchObject(refused)
  expect(thrown(() => patchedFacts(saved, patch))).toMatchObject(refused)
  expect(thrown(() => checkPatch(patch))).toMatchObject(refused)
})
