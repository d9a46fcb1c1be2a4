import { aPack } from '../support/samples.ts'
import { badBody, type BadCase } from './case.ts'

const slot = (mod: string | null, index: number, beatmapId = 75) => ({ mod, index, beatmapId })
const customs = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ code: `C${at}`, color: at % 10 }))
const forced = (...set: string[]) => ({
  ...aPack(),
  buckets: [{ code: 'RC', color: 1, mods: { kind: 'forced', set } }],
})

const twice = [
  badBody('NM1 twice', aPack({ slots: [slot('NM', 1, 1), slot('NM', 1, 2)] }), /slots\[1\]/),
  badBody('no-slot 1 twice', aPack({ slots: [slot(null, 1, 1), slot(null, 1, 2)] }), /slots\[1\]/),
  badBody('RC1 twice', aPack({ slots: [slot('RC', 1, 1), slot('RC', 1, 2)] }), /slots\[1\]/),
]

const codes = [
  badBody('slot mod nm', aPack({ slots: [slot('nm', 1)] }), /^slots\[0\]\.mod must be spelled NM/),
  badBody('slot mod tB', aPack({ slots: [slot('tB', 1)] }), /^slots\[0\]\.mod must be spelled TB/),
  badBody(
    'slot mods rc and RC',
    aPack({ slots: [slot('rc', 1), slot('RC', 1)] }),
    /slots\[1\]\.mod/,
  ),
  badBody(
    'custom code hd',
    aPack({ buckets: [{ code: 'hd', color: 1 }] }),
    /buckets\[0\]\.code .*hd.*HD/,
  ),
  badBody(
    'codes RC and rc',
    aPack({
      buckets: [
        { code: 'RC', color: 1 },
        { code: 'rc', color: 2 },
      ],
    }),
    /buckets\[1\]\.code .*rc.*RC/,
  ),
  badBody(
    'codes \u00d6 and \u00f6',
    aPack({
      buckets: [
        { code: '\u00d6', color: 1 },
        { code: '\u00f6', color: 2 },
      ],
    }),
    /buckets\[1\]\.code/,
  ),
  badBody(
    'RC twice',
    aPack({
      buckets: [
        { code: 'RC', color: 1 },
        { code: 'RC', color: 1 },
      ],
    }),
    /buckets\[1\]\.code/,
  ),
  badBody('NM twice', aPack({ buckets: [{ code: 'NM' }, { code: 'NM' }] }), /buckets\[1\]\.code/),
  badBody('9 custom buckets', aPack({ buckets: customs(9) }), /buckets must .*8 custom/),
  badBody(
    '8 custom buckets and one more from a slot',
    aPack({ buckets: customs(8), slots: [slot('NEW', 1)] }),
    /^slots\[0\]\.mod must be the code of a bucket there is.*than the 8 allowed/,
  ),
  badBody(
    '9 custom codes from slots alone',
    aPack({ slots: customs(9).map(({ code }) => slot(code, 1)) }),
    /^slots\[8\]\.mod must be the code of a bucket there is.*than the 8 allowed/,
  ),
]

const sets = [
  badBody('a mod twice', forced('HR', 'HR'), /buckets\[0\]\.mods\.set/),
  badBody('EZ with HR', forced('EZ', 'HR'), /buckets\[0\]\.mods\.set .*EZ.*HR/),
  badBody('HR with EZ', forced('HR', 'HD', 'EZ'), /buckets\[0\]\.mods\.set .*EZ.*HR/),
  badBody('DT with HT', forced('DT', 'HT'), /buckets\[0\]\.mods\.set .*DT.*HT/),
]

const controls = ['\u0001', '\u0007', '\u001b', '\u007f', '\u0085', '\u009f']
const texts = [
  ...['\t', '\n', '\r\n', ...controls].map((control) =>
    badBody(
      `control ${JSON.stringify(control)} in a name`,
      aPack({ name: `a${control}b` }),
      /^name must/,
    ),
  ),
  ...['\t', ...controls].map((control) =>
    badBody(
      `control ${JSON.stringify(control)} in a description`,
      aPack({ description: `a${control}b` }),
      /^description must/,
    ),
  ),
  badBody('33 astral letters are 66 units', aPack({ name: '🌸'.repeat(33) }), /^name must .*64/),
  badBody(
    '251 astral letters are 502 units',
    aPack({ description: '🌸'.repeat(251) }),
    /^description must .*500/,
  ),
]

/** What fields mean together (D-19 to D-23). */
export const badPools: readonly BadCase[] = [...twice, ...codes, ...sets, ...texts]
