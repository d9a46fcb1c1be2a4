import { aPack } from '../support/samples.ts'
import { badBody, type BadCase, show } from './case.ts'

const slot = { mod: 'NM', index: 1, beatmapId: 75 }
const custom = { code: 'RC', color: 1 }
const LEAVE_OUT = 'must not be null: leave it out'
const BUCKET =
  'an object with code NM or HD or HR or DT or FM or TB or an object with code and color'
const LETTERS = 'must be 1 to 12 letters or digits'

/** A pack whose `place` holds each of these values in turn; all get the same message (D-17, D-18). */
const each = (
  place: string,
  values: readonly unknown[],
  put: (value: unknown) => unknown,
  message: string,
): BadCase[] =>
  values.map((value) => badBody(`${place} = ${show(value)}`, put(value), `${place} ${message}`))

const withSlot = (fields: object) => aPack({ slots: [{ ...slot, ...fields }] })
const withBucket = (bucket: unknown) => ({ ...aPack(), buckets: [bucket] })
const withMods = (mods: unknown) => withBucket({ ...custom, mods })
const without = (source: object, field: string): object =>
  Object.fromEntries(Object.entries(source).filter(([name]) => name !== field))

const notStrings = [1, 0, true, null, [], {}, ['a']]
const notNumbers = ['1', '', true, null, [], {}, [1]]
const notWhole = [0.5, 1.0000001, -0.5, 98.9]
const notObjects = [1, 'a', true, null, []]

const name = [
  ...each(
    'name',
    notStrings,
    (value) => ({ ...aPack(), name: value }),
    'must be a string of 1 to 64 characters',
  ),
  badBody('no name', without(aPack(), 'name'), 'name is missing'),
  ...each(
    'name',
    ['', ' ', '\t\n', '\u3000'],
    (value) => aPack({ name: String(value) }),
    'must have 1 to 64 characters',
  ),
  ...each(
    'name',
    ['x'.repeat(65), 'é'.repeat(65), ` ${'x'.repeat(65)} `],
    (value) => aPack({ name: String(value) }),
    'must have 1 to 64 characters',
  ),
]

const visibility = each(
  'visibility',
  ['Public', 'PUBLIC', '', 'hidden', 'pinned', 'public ', 1, true, [], {}, ['public']],
  (value) => ({ ...aPack(), visibility: value }),
  'must be one of private, unlisted, public',
)

const description = [
  ...each(
    'description',
    notStrings.filter((value) => value !== null),
    (value) => ({ ...aPack(), description: value }),
    'must be a string of at most 500 characters',
  ),
  ...each(
    'description',
    ['x'.repeat(501), 'й'.repeat(501)],
    (value) => aPack({ description: String(value) }),
    'must have at most 500 characters',
  ),
]

const slotList = [
  badBody('no slots', without(aPack(), 'slots'), 'slots is missing'),
  ...each(
    'slots',
    [1, 'NM1', true, null, {}],
    (value) => ({ ...aPack(), slots: value }),
    'must be a list of 1 to 64 items',
  ),
  badBody('no slot', aPack({ slots: [] }), 'slots must have 1 to 64 items'),
  badBody(
    '65 slots',
    aPack({
      slots: Array.from({ length: 65 }, (_, at) => ({ mod: 'NM', index: at + 1, beatmapId: 1 })),
    }),
    'slots must have 1 to 64 items',
  ),
  ...each(
    'slots[0]',
    notObjects,
    (value) => ({ ...aPack(), slots: [value] }),
    'must be an object with mod and index and beatmapId',
  ),
  ...['mod', 'index', 'beatmapId'].map((field) =>
    badBody(
      `a slot without ${field}`,
      { ...aPack(), slots: [slot, without(slot, field)] },
      `slots[1].${field} is missing`,
    ),
  ),
]

const slotFields = [
  ...each(
    'slots[0].mod',
    [1, true, [], {}, ['NM']],
    (value) => withSlot({ mod: value }),
    'must be a string of 1 to 12 letters or digits, or null',
  ),
  ...each(
    'slots[0].mod',
    [
      '',
      ' ',
      'N M',
      'NM ',
      'NM-1',
      'N_M',
      'a.b',
      '★',
      '🌸',
      'x'.repeat(13),
      'NM\n',
      '+',
      'e\u0301',
      '\u200b',
    ],
    (value) => withSlot({ mod: value }),
    LETTERS,
  ),
  ...each(
    'slots[0].index',
    [...notNumbers, ...notWhole],
    (value) => withSlot({ index: value }),
    'must be a whole number from 1 to 99',
  ),
  ...each(
    'slots[0].index',
    [0, -1, 100, 101, 1e9, -1e300],
    (value) => withSlot({ index: value }),
    'must be from 1 to 99',
  ),
  ...each(
    'slots[0].beatmapId',
    [...notNumbers, ...notWhole],
    (value) => withSlot({ beatmapId: value }),
    'must be a whole number from 1 to 2147483647',
  ),
  ...each(
    'slots[0].beatmapId',
    [0, -1, 2_147_483_648, 1e12, 9_007_199_254_740_994, -75],
    (value) => withSlot({ beatmapId: value }),
    'must be from 1 to 2147483647',
  ),
]

const bucketList = [
  ...each(
    'buckets',
    [1, 'NM', true, {}],
    (value) => ({ ...aPack(), buckets: value }),
    'must be a list of at most 14 items',
  ),
  badBody(
    '15 buckets',
    { ...aPack(), buckets: Array.from({ length: 15 }, (_, at) => ({ code: `C${at}`, color: 0 })) },
    'buckets must have at most 14 items',
  ),
  ...each('buckets[0]', notObjects, withBucket, `must be ${BUCKET}`),
  badBody('a bucket without code', withBucket({ color: 1 }), 'buckets[0].code is missing'),
  badBody(
    'a custom bucket without color',
    withBucket({ code: 'RC' }),
    'buckets[0].color is missing',
  ),
  badBody(
    'a built-in code in small letters',
    withBucket({ code: 'nm' }),
    'buckets[0].color is missing',
  ),
  ...each(
    'buckets[0].code',
    notStrings,
    (value) => withBucket({ code: value, color: 1 }),
    'must be a string of 1 to 12 letters or digits',
  ),
  ...each(
    'buckets[0].code',
    ['', 'R C', 'R-C', 'x'.repeat(13), '★'],
    (value) => withBucket({ code: value, color: 1 }),
    LETTERS,
  ),
  ...each(
    'buckets[0].color',
    [...notNumbers, ...notWhole],
    (value) => withBucket({ code: 'RC', color: value }),
    'must be a whole number from 0 to 9',
  ),
  ...each(
    'buckets[0].color',
    [-1, 10, 255, 1e9],
    (value) => withBucket({ code: 'RC', color: value }),
    'must be from 0 to 9',
  ),
]

const closedShapes = [
  ...[
    { color: 1 },
    { color: null },
    { mods: { kind: 'free' } },
    { name: 'No mod' },
    { Code: 'NM' },
  ].map((extra) =>
    badBody(
      `a built-in bucket with ${show(extra)}`,
      withBucket({ code: 'NM', ...extra }),
      `buckets[0].${Object.keys(extra)[0]} must be left out`,
    ),
  ),
  badBody(
    'free mods with a set',
    withMods({ kind: 'free', set: [] }),
    'buckets[0].mods.set must be left out',
  ),
  badBody(
    'forced mods with another field',
    withMods({ kind: 'forced', set: ['HR'], also: 1 }),
    'buckets[0].mods.also must be left out',
  ),
]

const mods = [
  ...each(
    'buckets[0].mods',
    [1, 'a', true, []],
    withMods,
    'must be an object with kind forced or an object with kind free',
  ),
  badBody('mods without kind', withMods({ set: ['HR'] }), 'buckets[0].mods.kind is missing'),
  ...each(
    'buckets[0].mods.kind',
    ['Forced', 'FREE', '', 1, null, 'both'],
    (value) => withMods({ kind: value, set: ['HR'] }),
    'must be one of forced, free',
  ),
  badBody(
    'forced mods without a set',
    withMods({ kind: 'forced' }),
    'buckets[0].mods.set is missing',
  ),
  ...each(
    'buckets[0].mods.set',
    [1, 'HR', null, {}],
    (value) => withMods({ kind: 'forced', set: value }),
    'must be a list of 1 to 3 items',
  ),
  ...each(
    'buckets[0].mods.set',
    [[], ['EZ', 'HD', 'DT', 'FL']],
    (value) => withMods({ kind: 'forced', set: value }),
    'must have 1 to 3 items',
  ),
  ...each(
    'buckets[0].mods.set[0]',
    ['NM', 'hr', 'NC', '', 1, null, 'FM'],
    (value) => withMods({ kind: 'forced', set: [value] }),
    'must be one of EZ, HD, HR, DT, HT, FL',
  ),
]

/** Optional fields are left out, never null (D-44). */
const nulls = [
  ...['visibility', 'description', 'buckets'].flatMap((place) =>
    each(place, [null], (value) => ({ ...aPack(), [place]: value }), LEAVE_OUT),
  ),
  ...each('buckets[0].mods', [null], withMods, LEAVE_OUT),
]

const SET =
  'this link leads to a whole set; open one of its beatmaps and take the last number of that link'

/** People paste what the browser shows (D-14). */
const links = (
  [
    ['https://osu.ppy.sh/beatmapsets/1#osu/75', 'take 75 from this link'],
    ['https://osu.ppy.sh/beatmapsets/39804#taiko/129891', 'take 129891 from this link'],
    [' osu.ppy.sh/b/75?m=0 ', 'take 75 from this link'],
    ['https://osu.ppy.sh/beatmaps/75', 'take 75 from this link'],
    ['https://osu.ppy.sh/beatmaps/2147483647', 'take 2147483647 from this link'],
    ['https://osu.ppy.sh/beatmapsets/1', SET],
    ['https://osu.ppy.sh/s/1', SET],
  ] as const
).map(([beatmapId, hint]) =>
  badBody(
    `a link as beatmapId: ${beatmapId}`,
    { ...aPack(), slots: [{ ...slot, beatmapId }] },
    `slots[0].beatmapId must be a whole number from 1 to 2147483647: ${hint}`,
  ),
)
const otherTexts = [
  'https://osu.ppy.sh/beatmaps/99999999999',
  'https://osu.ppy.sh/beatmaps/0',
  'https://osu.test/b/75',
  'http'.repeat(3_000),
].flatMap((value) =>
  each(
    'slots[0].beatmapId',
    [value],
    (beatmapId) => ({ ...aPack(), slots: [{ ...slot, beatmapId }] }),
    'must be a whole number from 1 to 2147483647',
  ),
)

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)
const bad = (count: number) => range(count).map(() => ({ mod: 'NM', index: 0, beatmapId: 1 }))
const named = (count: number): string =>
  range(count)
    .map((at) => `slots[${at}].index must be from 1 to 99`)
    .join('; ')

/** Ten problems at most, the first one first. */
const several = [
  badBody('a body without what is needed', {}, 'name is missing; slots is missing'),
  badBody(
    'problems of all kinds, each place once',
    {
      name: '',
      slots: [{ mod: 'too long and bad!', index: 'x' }],
      visibility: null,
      buckets: [{ code: 'NM', color: 1 }, { code: 'RC', color: 10, mods: { kind: 'x' } }, 7],
    },
    [
      'name must have 1 to 64 characters',
      'slots[0].beatmapId is missing',
      'slots[0].mod must be 1 to 12 letters or digits',
      'slots[0].index must be a whole number from 1 to 99',
      'visibility must not be null: leave it out',
      'buckets[0].color must be left out',
      'buckets[1].color must be from 0 to 9',
      'buckets[1].mods.kind must be one of forced, free',
      `buckets[2] must be ${BUCKET}`,
    ].join('; '),
  ),
  badBody('ten problems', aPack({ slots: bad(10) }), named(10)),
  badBody('sixty-four problems', aPack({ slots: bad(64) }), named(10)),
  badBody(
    'problems of what fields mean together',
    aPack({ name: 'a\nb', description: 'a\u0007b', slots: [slot, slot, slot] }),
    /^name must .*; slots\[1\].*; slots\[2\].*; description must hold no control characters/,
  ),
  badBody(
    'names as long as they come',
    { ...aPack(), buckets: range(14).map((at) => ({ code: 'NM', ['🏆'.repeat(60) + at]: 1 })) },
    /^buckets\[0\]\.🏆{32}… must be left out; buckets\[1\].{80,900} must be left out$/u,
  ),
]

/** Every field of the body with values that its own type or bounds refuse (spec 2.3, 2.4, 2.8, D-17, D-18). */
export const badFields: readonly BadCase[] = [
  ...[name, visibility, description, slotList, slotFields].flat(),
  ...[bucketList, closedShapes, mods, nulls, links, otherTexts, several].flat(),
]
