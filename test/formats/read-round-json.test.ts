import { expect, it } from 'vitest'
import { FormatError } from '../../src/formats/format-error.ts'
import { readRoundJson } from '../../src/formats/read-pool-json.ts'

const round = {
  name: 'Quarterfinals',
  bestOf: 11,
  bans: 2,
  packName: 'HLC QF',
  targets: { stars: { min: 5.4, max: 6.3 }, length: { max: 300 } },
  slots: [
    { mod: 'NM', index: 1, beatmapId: 75 },
    { mod: 'RC', index: 1, placeholder: 'custom map, due Sunday' },
    { mod: 'TB', index: 1 },
  ],
  buckets: [{ code: 'RC', color: 3, mods: { kind: 'free' } }],
}

it('reads a round whole, as it is sent or as the API answers it, and ignores other fields', () => {
  expect(readRoundJson(JSON.stringify(round))).toEqual(round)
  const answered = { round: { ...round, id: 'b3JkZXIgbX', updatedAt: '2026-01-01' } }
  expect(readRoundJson(`\ufeff${JSON.stringify(answered)}`)).toEqual(round)
  const empty = { name: 'Finals', slots: [] }
  expect(readRoundJson(JSON.stringify(empty))).toEqual(empty)
})

it.each([
  ['{ "name": ', /line 1/],
  ['[]', /the file must be an object/],
  [{ name: 1 }, /name must be a string/],
  [{ bestOf: '11' }, /bestOf must be a number/],
  [{ targets: { stars: { min: '5' } } }, /targets\.stars\.min must be a number/],
  ['{ "name": "Finals" }', /slots must be a list/],
  ['{ "name": "Finals", "slot": [] }', /slots must be a list/],
  [{ slots: [1] }, /slots\[0\] must be an object/],
  [{ slots: [{ mod: 'NM', index: 1, beatmapId: 'x' }] }, /slots\[0\]\.beatmapId must be a number/],
  [
    { slots: [{ mod: 'NM', index: 1, beatmapId: 5, placeholder: 'x' }] },
    /placeholder must be left/,
  ],
  [{ slots: [...round.slots, round.slots[0]] }, /slots\[3\]/],
])('refuses %j with the place', (content, reason) => {
  const text = typeof content === 'string' ? content : JSON.stringify({ ...round, ...content })
  expect(() => readRoundJson(text)).toThrow(FormatError)
  expect(() => readRoundJson(text)).toThrow(reason)
})
