import { aPack } from '../support/samples.ts'
import { badBody, type BadCase } from './case.ts'

const slot = (mod: string | null, index: number, beatmapId = 75) => ({ mod, index, beatmapId })
const customs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ code: `C${at}`, color: at % 10 }))
const forced = (...set: string[]) => ({
  ...aPack(),
  buckets: [{ code: 'RC', color: 1, mods: { kind: 'forced', set } }],
})

const SAME_PLACE = 'slots[1].index must be another number: slots[0] has the same mod and index'
const twice = ['NM', null, 'RC'].map((mod) =>
  badBody(`${mod}1 twice`, aPack({ slots: [slot(mod, 1, 1), slot(mod, 1, 2)] }), SAME_PLACE),
)
const twiceLater = badBody(
  'the last of 64 slots like the first',
  aPack({ slots: Array.from({ length: 64 }, (_, at) => slot('NM', (at % 63) + 1)) }),
  'slots[63].index must be another number: slots[0] has the same mod and index',
)

const misspelt = [
  ...['nm', 'Nm', 'hd', 'tB', 'fM'].map((mod) =>
    badBody(
      `slot mod ${mod}`,
      aPack({ slots: [slot(mod, 1)] }),
      `slots[0].mod must be spelled ${mod.toUpperCase()} as in a built-in bucket, not ${mod}: they differ only in case`,
    ),
  ),
  badBody(
    'slot mods rc and RC',
    aPack({ slots: [slot('rc', 1), slot('RC', 1)] }),
    'slots[1].mod must be spelled rc as in slots[0], not RC: they differ only in case',
  ),
  badBody(
    'slot mod rc where the bucket is RC',
    aPack({ buckets: [{ code: 'RC', color: 1 }], slots: [slot('rc', 1)] }),
    'slots[0].mod must be spelled RC as in buckets[0], not rc: they differ only in case',
  ),
  ...['nm', 'hd', 'Hr', 'dT', 'fm', 'tb'].map((code) =>
    badBody(
      `custom code ${code}`,
      aPack({ buckets: [{ code, color: 1 }] }),
      `buckets[0].code must be another code: ${code} and ${code.toUpperCase()} of a built-in bucket differ only in case`,
    ),
  ),
  ...[
    ['RC', 'rc'],
    ['\u00d6', '\u00f6'],
    ['\u00df', 'SS'],
    ['\u00df', '\u1e9e'],
    ['k', '\u212a'],
    ['s', '\u017f'],
    ['\u03c3', '\u03c2'],
    ['Ж1', 'ж1'],
    ['\ud801\udc00', '\ud801\udc28'],
  ].map(([one = '', other = '']) =>
    badBody(
      `codes ${one} and ${other}`,
      aPack({
        buckets: [
          { code: one, color: 1 },
          { code: other, color: 2 },
        ],
      }),
      `buckets[1].code must be another code: ${other} and ${one} of buckets[0] differ only in case`,
    ),
  ),
]

const repeated = [
  badBody(
    'RC twice',
    aPack({
      buckets: [
        { code: 'RC', color: 1 },
        { code: 'RC', color: 1 },
      ],
    }),
    'buckets[1].code must be another code: buckets[0] is RC already',
  ),
  badBody(
    'NM twice',
    aPack({ buckets: [{ code: 'NM' }, { code: 'NM' }] }),
    'buckets[1].code must be another code: buckets[0] is NM already',
  ),
  badBody(
    'TB in front and at the end',
    aPack({ buckets: [{ code: 'TB' }, { code: 'RC', color: 1 }, { code: 'TB' }] }),
    'buckets[2].code must be another code: buckets[0] is TB already',
  ),
]

const ONE_TOO_MANY = 'would be one custom bucket more than the 8 allowed'
const crowds = [
  badBody(
    '9 custom buckets',
    aPack({ buckets: customs(9) }),
    'buckets must hold at most 8 custom buckets',
  ),
  badBody(
    '14 custom buckets',
    aPack({ buckets: customs(14) }),
    'buckets must hold at most 8 custom buckets',
  ),
  badBody(
    '8 custom buckets and one more from a slot',
    aPack({ buckets: customs(8), slots: [slot('NEW', 1)] }),
    `slots[0].mod must be the code of a bucket there is: NEW ${ONE_TOO_MANY}`,
  ),
  badBody(
    '9 custom codes from slots alone',
    aPack({ slots: customs(9).map(({ code }) => slot(code, 1)) }),
    `slots[8].mod must be the code of a bucket there is: C8 ${ONE_TOO_MANY}`,
  ),
]

const sets = [
  ...[
    ['HR', 'HR'],
    ['HD', 'HR', 'HD'],
  ].map((set) =>
    badBody(
      `forced ${set.join()}`,
      forced(...set),
      'buckets[0].mods.set must not hold the same item twice',
    ),
  ),
  ...[
    ['EZ', 'HR'],
    ['HR', 'HD', 'EZ'],
    ['HR', 'EZ', 'FL'],
  ].map((set) =>
    badBody(
      `forced ${set.join()}`,
      forced(...set),
      'buckets[0].mods.set must not hold both EZ and HR',
    ),
  ),
  ...[
    ['DT', 'HT'],
    ['HT', 'DT'],
    ['HD', 'HT', 'DT'],
  ].map((set) =>
    badBody(
      `forced ${set.join()}`,
      forced(...set),
      'buckets[0].mods.set must not hold both DT and HT',
    ),
  ),
]

const controls = ['\u0001', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f']
const texts = [
  ...['\t', '\n', '\r\n', ...controls].map((control) =>
    badBody(
      `control ${JSON.stringify(control)} in a name`,
      aPack({ name: `a${control}b` }),
      'name must be one line without control characters',
    ),
  ),
  ...['\t', '\r', '\v', '\f', ...controls].map((control) =>
    badBody(
      `control ${JSON.stringify(control)} in a description`,
      aPack({ description: `a${control}b` }),
      'description must hold no control characters other than line breaks',
    ),
  ),
  ...['🌸'.repeat(33), ` ${'𝒳'.repeat(32)}x `].map((name) =>
    badBody(
      `a name of ${name.trim().length} units`,
      aPack({ name }),
      'name must be at most 64 characters long',
    ),
  ),
  badBody(
    'a description of 502 units',
    aPack({ description: '🌸'.repeat(251) }),
    'description must be at most 500 characters long',
  ),
]

/** What fields mean together (D-19 to D-23). */
export const badPools: readonly BadCase[] = [
  twiceLater,
  ...[twice, misspelt, repeated, crowds, sets, texts].flat(),
]
