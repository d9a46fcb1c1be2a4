import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { RoundInput, SlotChanges } from '../../src/contract/rounds.ts'
import { contentOf } from '../../src/domain/packs.ts'
import {
  assertReleasable,
  packInputOf,
  roundContentOf,
  sheetOf,
  slotChangesOf,
} from '../../src/domain/rounds.ts'
import { factsOf } from '../../src/domain/tournaments.ts'
import { slurs } from '../../src/domain/slurs/slurs.ts'
import { findInName } from '../../src/pool/text.ts'
import { anyDraft, anyName } from '../pool/pool-arbitrary.ts'
import { aPack } from '../support/samples.ts'
import { aRound, aSavedRound, thrown } from './a-tournament.ts'

const slur = slurs[0]!.stem.replaceAll('*', '')
const invalid = (message: string) => ({ code: 'bad_request', message })

describe('a round as it was sent', () => {
  test('D-19, D-17: texts are trimmed, other fields left out, what is not there is null', () => {
    const input = {
      ...aRound({ name: ' Finals ', packName: ' Cup finals ' }),
      slots: [
        { mod: 'NM', index: 1, beatmapId: 5, note: 'other' },
        { mod: 'NM', index: 2, placeholder: ' due Sunday ' },
        { mod: null, index: 3 },
      ],
      targets: { stars: { min: 5, max: 6, avg: 5 }, bpm: {}, drain: { min: 1 } },
      extra: true,
    }
    expect(roundContentOf(input)).toStrictEqual({
      name: 'Finals',
      bestOf: null,
      bans: null,
      packName: 'Cup finals',
      targets: { stars: { min: 5, max: 6 } },
      mapPackUrl: null,
      showcaseUrl: null,
      slots: [
        { mod: 'NM', index: 1, beatmapId: 5 },
        { mod: 'NM', index: 2, placeholder: 'due Sunday' },
        { mod: null, index: 3 },
      ],
      buckets: null,
    })
  })

  test('a target has the ends that were sent', () => {
    const targets = {
      stars: { max: 6 },
      length: { min: 60 },
      bpm: { min: 100, max: 200 },
      keys: { min: 4, max: 4 },
    }
    expect(roundContentOf({ name: 'Finals', targets }).targets).toStrictEqual(targets)
  })

  test('a round may have no slots, and targets without an end are none', () => {
    expect(roundContentOf({ name: 'Finals', targets: { stars: {} } })).toMatchObject({
      slots: [],
      targets: null,
    })
  })

  test('D-22, D-23: buckets are completed as those of packs are, for slots without a beatmap, too', () => {
    const buckets: RoundInput['buckets'] = [
      { code: 'RC', color: 2, mods: { kind: 'forced', set: ['DT', 'HD'] } },
    ]
    const slots = [
      { mod: 'EX', index: 1, placeholder: 'a custom map' },
      { mod: 'RC', index: 1 },
    ]
    const filled = slots.map(({ mod, index }) => ({ mod, index, beatmapId: 5 }))
    expect(roundContentOf(aRound({ slots, buckets })).buckets).toEqual(
      contentOf(aPack({ slots: filled, buckets })).buckets,
    )
  })

  test('D-19 to D-24: any draft is completed, or refused, as a pack is, whichever slots are filled', () => {
    const outcome = <T>(does: () => T) => {
      let content: T | undefined
      const error = thrown(() => {
        content = does()
      })
      return error === undefined ? content : (error as Error).message
    }
    const filled = fc.array(fc.constantFrom('beatmap', 'placeholder', 'empty'), {
      minLength: 64,
      maxLength: 64,
    })
    fc.assert(
      fc.property(anyDraft, filled, ({ name, buckets, slots }, kinds) => {
        // A pack needs a slot, a round does not.
        fc.pre(slots.length > 0)
        const table = buckets && { buckets: [...buckets] }
        const asPack = { name, slots: [...slots], ...table }
        const drafted = slots.map(({ mod, index, beatmapId }, at) => ({
          mod,
          index,
          ...(kinds[at] === 'beatmap' && { beatmapId }),
          ...(kinds[at] === 'placeholder' && { placeholder: 'a map' }),
        }))
        const round = outcome(() => roundContentOf({ name, slots: drafted, ...table }))
        const pack = outcome(() => contentOf(asPack))
        if (typeof pack === 'object') {
          expect(round).toMatchObject({ name: pack.name, slots: drafted, buckets: pack.buckets })
        } else expect(round).toBe(pack)
      }),
      { numRuns: 500 },
    )
  })

  test('what is completed is completed the same again', () => {
    const once = roundContentOf(
      aRound({
        slots: [{ mod: 'EX', index: 1, placeholder: 'x' }],
        targets: { length: { max: 300 } },
        bestOf: 9,
      }),
    )
    const again = Object.fromEntries(Object.entries(once).filter(([, value]) => value !== null))
    expect(roundContentOf(again as RoundInput)).toEqual(once)
  })

  const many = Array.from({ length: 65 }, (_, at) => ({
    mod: at < 60 ? 'NM' : 'HD',
    index: (at % 60) + 1,
  }))
  const refusals: readonly (readonly [string, Partial<RoundInput>])[] = [
    ['name must not be empty', { name: ' ' }],
    ['packName must not be empty', { packName: ' ' }],
    [
      'packName must not contain U+202E: it changes the direction of text; remove it',
      { packName: 'a\u202eb' },
    ],
    ['slots must hold at most 64 slots', { slots: many }],
    ['slots[0].index must be from 1 to 99', { slots: [{ mod: 'NM', index: 0 }] }],
    [
      'slots[1].index must be another number: slots[0] has the same mod and index',
      {
        slots: [
          { mod: 'NM', index: 1 },
          { mod: 'NM', index: 1, beatmapId: 4 },
        ],
      },
    ],
    [
      'slots[0].beatmapId must be from 1 to 2147483647',
      { slots: [{ mod: 'NM', index: 1, beatmapId: 0 }] },
    ],
    [
      'slots[0].placeholder must be left out: the slot has a beatmap',
      { slots: [{ mod: 'NM', index: 1, beatmapId: 4, placeholder: 'a custom map' }] },
    ],
    [
      'slots[0].placeholder must not be empty',
      { slots: [{ mod: 'NM', index: 1, placeholder: ' ' }] },
    ],
    [
      'slots[0].placeholder must not contain U+2066: it changes the direction of text; remove it',
      { slots: [{ mod: 'NM', index: 1, placeholder: 'a\u2066b' }] },
    ],
    [
      'slots[0].placeholder must have at least one visible character',
      { slots: [{ mod: 'NM', index: 1, placeholder: '\u3164' }] },
    ],
    [
      'slots[0].mod must be spelled NM as in a built-in bucket, not nm: they differ only in case',
      { slots: [{ mod: 'nm', index: 1 }] },
    ],
    ['buckets[0].color must be from 0 to 9', { buckets: [{ code: 'RC', color: 10 }] }],
    [
      'targets.stars.max must be at least min, which is 6',
      { targets: { stars: { min: 6, max: 5.9 } } },
    ],
    [
      'targets.keys.max must be at least min, which is 7',
      { targets: { keys: { min: 7, max: 4 } } },
    ],
    [
      'targets.length.max must be at least min, which is 10; targets.bpm.max must be at least min, which is 2',
      { targets: { length: { min: 10, max: 9 }, bpm: { min: 2, max: 0 } } },
    ],
    ['name must not contain a slur', { name: `The ${slur} finals` }],
    ['packName must not contain a slur', { packName: slur }],
    [
      'slots[1].placeholder must not contain a slur',
      {
        slots: [
          { mod: 'NM', index: 1 },
          { mod: 'NM', index: 2, placeholder: slur },
        ],
      },
    ],
    ['slots[0].mod must not contain a slur', { slots: [{ mod: slur, index: 1 }] }],
    ['buckets[0].code must not contain a slur', { buckets: [{ code: slur, color: 1 }] }],
  ]
  test.each(refusals)('D-14: %s', (message, changes) => {
    expect(thrown(() => roundContentOf(aRound(changes)))).toMatchObject(invalid(message))
  })

  test.each(refusals)('the same place in a sheet: %s', (message, changes) => {
    const rounds = [aRound({ name: 'Another' }), aRound(changes)]
    const [first = ''] = message.split('; targets')
    const error = thrown(() => sheetOf({ rounds })) as Error
    expect(error.message).toContain(`rounds[1].${first}`)
  })
})

describe('a whole sheet', () => {
  test('ids are kept, and each round is completed', () => {
    const rounds = [{ id: 'round-0001', ...aRound() }, aRound({ name: ' Finals ' })]
    expect(sheetOf({ rounds })).toEqual([
      { id: 'round-0001', content: roundContentOf(aRound()) },
      { id: null, content: roundContentOf(aRound({ name: 'Finals' })) },
    ])
  })

  test('names are unique in any case, and so are ids', () => {
    const rounds = [
      { id: 'round-0001', ...aRound({ name: 'Straße' }) },
      aRound({ name: ' STRASSE' }),
      { id: 'round-0001', ...aRound({ name: 'Finals' }) },
    ]
    expect(thrown(() => sheetOf({ rounds }))).toMatchObject(
      invalid(
        'rounds[1].name is taken: rounds[0] is called Straße already; take another name, or rename that round first; rounds[2].id is that of rounds[0]: leave it out for a new round',
      ),
    )
  })
})

describe('changes of slots as they were sent', () => {
  const change = (fields: Partial<SlotChanges['changes'][number]>) => ({
    mod: 'NM',
    index: 1,
    from: null,
    to: { beatmapId: 4 },
    ...fields,
  })

  test('null is nothing, placeholders are trimmed', () => {
    const changes = [
      change({}),
      change({ index: 2, from: { placeholder: ' a map ' }, to: null }),
      change({ mod: null, from: { beatmapId: 3 }, to: { placeholder: ' another ' } }),
    ]
    expect(slotChangesOf({ changes })).toStrictEqual([
      { mod: 'NM', index: 1, from: {}, to: { beatmapId: 4 } },
      { mod: 'NM', index: 2, from: { placeholder: 'a map' }, to: {} },
      { mod: null, index: 1, from: { beatmapId: 3 }, to: { placeholder: 'another' } },
    ])
  })

  const stored = [
    { placeholder: 'soon \u202e' },
    { placeholder: slur },
    { details: { title: slur, mapper: 'a\u2066' } },
  ]
  test.each(stored)(
    'D-47, D-62: what was stored before can be changed, and not be saved: text %#',
    (content) => {
      const mended = change({ from: content, to: { beatmapId: 4 } })
      expect(slotChangesOf({ changes: [mended] })).toMatchObject([{ from: content }])
      expect(() => slotChangesOf({ changes: [change({ from: null, to: content })] })).toThrow()
    },
  )

  const both = { beatmapId: 3, placeholder: 'a map' }
  test.each([
    [
      'changes[1].index must be another number: changes[0] has the same mod and index',
      [change({}), change({ to: null })],
    ],
    ['changes[0].index must be from 1 to 99', [change({ index: 100 })]],
    [
      'changes[0].mod must be spelled TB as in a built-in bucket, not tb: they differ only in case',
      [change({ mod: 'tb' })],
    ],
    [
      'changes[1].mod must be spelled RC as in changes[0], not rc: they differ only in case',
      [change({ mod: 'RC' }), change({ mod: 'rc' })],
    ],
    ['changes[0].to.placeholder must not be empty', [change({ to: { placeholder: '  ' } })]],
    [
      'changes[0].from.placeholder must be left out: the slot has a beatmap',
      [change({ from: both })],
    ],
    ['changes[0].to.placeholder must be left out: the slot has a beatmap', [change({ to: both })]],
    [
      'changes[0].to must have beatmapId or placeholder or details or link; send null for a slot that is empty; is it beatmap_id?',
      [change({ to: { beatmap_id: 5 } as never })],
    ],
    ['changes[0].to.placeholder must not contain a slur', [change({ to: { placeholder: slur } })]],
    ['changes[0].mod must not contain a slur', [change({ mod: slur, from: 'none' })]],
  ])('D-14: %s', (message, changes) => {
    expect(thrown(() => slotChangesOf({ changes }))).toMatchObject(invalid(message))
  })
})

describe('the pack of a round', () => {
  const nameOf = (name: string, round: string, shortName?: string) =>
    packInputOf(
      factsOf({ name, ...(shortName !== undefined && { shortName }) }),
      roundContentOf(aRound({ name: round })),
    ).name

  test('its name is that of the tournament, the short one if there is one, and of the round', () => {
    expect(nameOf('Harbour Lights Cup', 'Finals')).toBe('Harbour Lights Cup Finals')
    expect(nameOf('Harbour Lights Cup', 'Finals', 'HLC')).toBe('HLC Finals')
    expect(packInputOf(factsOf({ name: 'Cup' }), aSavedRound({ packName: 'Mine' })).name).toBe(
      'Mine',
    )
  })

  test.each([
    ['a'.repeat(57), 'Finals', `${'a'.repeat(57)} Finals`],
    ['a'.repeat(58), 'Finals', `${'a'.repeat(56)}… Finals`],
    [`${'a'.repeat(55)} b`, 'Finals', `${'a'.repeat(55)} b Finals`],
    [`${'a'.repeat(55)} bcd`, 'Finals', `${'a'.repeat(55)}… Finals`],
    [`${'a'.repeat(55)}👩‍👩‍👧b`, 'Finals', `${'a'.repeat(55)}… Finals`],
    ['a'.repeat(64), 'b'.repeat(61), `a… ${'b'.repeat(61)}`],
    ['a'.repeat(64), 'b'.repeat(62), 'b'.repeat(62)],
    ['👩‍👩‍👧'.repeat(8), 'b'.repeat(61), 'b'.repeat(61)],
  ])(
    'D-19: it has 64 characters at most, the name of the round whole: %s %s',
    (cup, round, name) => {
      expect(nameOf(cup, round)).toBe(name)
      expect(name.length).toBeLessThanOrEqual(64)
    },
  )

  test('D-19, D-47: whatever the names are, that of the pack is valid', () => {
    fc.assert(
      fc.property(anyName, anyName, (name, round) => {
        const made = packInputOf({ name, shortName: null }, { ...aSavedRound(), name: round }).name
        expect(findInName(made, 64)).toBeNull()
        expect(made.endsWith(round)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('it is public, its slots in the order of the draft, with the bucket table', () => {
    const slots = [
      { mod: 'RC', index: 2, beatmapId: 5 },
      { mod: 'NM', index: 1, beatmapId: 6 },
    ]
    const round = aSavedRound({ input: { slots } })
    expect(packInputOf(factsOf({ name: 'Cup' }), round)).toEqual({
      name: 'Cup Quarterfinals',
      visibility: 'public',
      slots,
      buckets: round.buckets,
    })
  })
})

describe('D-63: what a release needs', () => {
  const facts = factsOf({ name: 'Cup' })
  const why = (input: Partial<RoundInput>) =>
    thrown(() => assertReleasable(facts, roundContentOf(aRound(input)), false))
  const conflict = (message: string) => ({
    code: 'conflict',
    message: `the round cannot be released: ${message}`,
  })

  test('a beatmap in every slot', () => {
    expect(why({})).toBeUndefined()
    expect(why({ slots: [] })).toMatchObject(conflict('it has no slots'))
    const nm1 = { mod: 'NM', index: 1, beatmapId: 5 }
    const nm2 = { mod: 'NM', index: 2, placeholder: 'a map' }
    const tb = { mod: 'TB', index: 1 }
    expect(why({ slots: [nm1, nm2] })).toMatchObject(conflict('NM2 has no beatmap'))
    expect(why({ slots: [tb, nm1, nm2] })).toMatchObject(conflict('TB and NM2 have no beatmap'))
    const empty = Array.from({ length: 20 }, (_, at) => ({ mod: 'NM', index: at + 1 }))
    const some = Array.from({ length: 12 }, (_, at) => `NM${at + 1}`).join(', ')
    expect(why({ slots: empty })).toMatchObject(conflict(`${some} and 8 more have no beatmap`))
  })

  test('D-24: a pack that is valid', () => {
    const half = Math.ceil(slur.length / 2)
    const cup = factsOf({ name: 'Cup', shortName: slur.slice(0, half) })
    const round = roundContentOf(aRound({ packName: 'Fine' }))
    expect(thrown(() => assertReleasable(cup, round, false))).toBeUndefined()
    const stored = { ...round, packName: slur }
    expect(thrown(() => assertReleasable(cup, stored, false))).toMatchObject(
      conflict('of its pack, name must not contain a slur'),
    )
  })
})
