import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { DraftVersion } from '../../src/contract/draft-history.ts'
import type { RoundInput } from '../../src/contract/rounds.ts'
import { presentDraft, presentWholeDraft } from '../../src/domain/draft-history.ts'
import { roundContentOf } from '../../src/domain/rounds.ts'
import { aRound } from './a-tournament.ts'

const valid = Compile(DraftVersion)

const changesOf = (before: Partial<RoundInput>, after: Partial<RoundInput>) => {
  const draft = (version: number, input: Partial<RoundInput>) => {
    const content = roundContentOf(aRound(input))
    return { version, savedAt: 1000, savedBy: null, content }
  }
  const shown = presentDraft(draft(2, after), draft(1, before))
  expect([...valid.Errors(shown)]).toEqual([])
  return shown.changes
}

const nm = (index: number, more: object = {}) => ({ mod: 'NM', index, ...more })
const hd = (index: number, more: object = {}) => ({ mod: 'HD', index, ...more })

describe('what has changed between two states of a draft', () => {
  test.each<[string, Partial<RoundInput>, Partial<RoundInput>, object[]]>([
    ['nothing', {}, {}, []],
    [
      'the order of slots is no difference',
      { slots: [nm(1), nm(2)] },
      { slots: [nm(2), nm(1)] },
      [],
    ],
    [
      'facts that came, went and changed',
      { bestOf: 9, bans: 1, targets: { bpm: { max: 200 } } },
      { bestOf: 11, bans: 0, packName: 'Cup QF' },
      [
        { kind: 'bestOf', from: 9, to: 11 },
        { kind: 'bans', from: 1, to: 0 },
        { kind: 'packName', to: 'Cup QF' },
        { kind: 'targets', from: { bpm: { max: 200 } } },
      ],
    ],
    [
      'a placeholder that a beatmap replaces',
      { slots: [nm(1, { placeholder: 'soon' })] },
      { slots: [nm(1, { beatmapId: 5, link: 'https://a.example/5' })] },
      [
        {
          kind: 'filled',
          at: 'NM1',
          to: 5,
          slot: { placeholder: 'soon' },
          before: { placeholder: 'soon' },
          after: { beatmapId: 5, link: 'https://a.example/5' },
        },
      ],
    ],
    [
      'a beatmap that leaves its slot, which stays as it is planned, and one that goes with its slot',
      { slots: [nm(1, { beatmapId: 5, details: { title: 'Reef' } }), nm(2, { beatmapId: 6 })] },
      { slots: [nm(1, { details: { title: 'Reef' } })] },
      [
        {
          kind: 'emptied',
          at: 'NM1',
          from: 5,
          slot: { details: { title: 'Reef' } },
          before: { beatmapId: 5, details: { title: 'Reef' } },
          after: { details: { title: 'Reef' } },
        },
        { kind: 'emptied', at: 'NM2', from: 6, before: { beatmapId: 6 } },
      ],
    ],
    [
      'a beatmap that comes into an empty slot, and one that comes with its slot',
      { slots: [nm(1)] },
      { slots: [nm(1, { beatmapId: 5 }), nm(2, { beatmapId: 6 })] },
      [
        {
          kind: 'filled',
          at: 'NM1',
          to: 5,
          slot: {},
          before: {},
          after: { beatmapId: 5 },
        },
        { kind: 'filled', at: 'NM2', to: 6, after: { beatmapId: 6 } },
      ],
    ],
    [
      'a placeholder in other words, with a link',
      { slots: [nm(1, { placeholder: 'soon' })] },
      { slots: [nm(1, { placeholder: 'later', link: 'https://a.example/' })] },
      [
        {
          kind: 'placeholder',
          at: 'NM1',
          from: 'soon',
          to: 'later',
          before: { placeholder: 'soon' },
          after: { placeholder: 'later', link: 'https://a.example/' },
        },
      ],
    ],
    [
      'empty slots that were added and removed',
      { slots: [nm(1), nm(2)] },
      { slots: [nm(2), nm(3)] },
      [
        { kind: 'removed', at: 'NM1', before: {} },
        { kind: 'added', at: 'NM3', after: {} },
      ],
    ],
    [
      'a bucket, and a beatmap that has moved out of a slot that stays',
      { slots: [nm(1, { beatmapId: 5 }), nm(2)] },
      {
        slots: [nm(1), nm(2, { beatmapId: 5 })],
        buckets: [{ code: 'RC', color: 1 }],
      },
      [
        { kind: 'bucket', at: 'RC', to: { code: 'RC', color: 1 } },
        {
          kind: 'emptied',
          at: 'NM1',
          from: 5,
          slot: {},
          before: { beatmapId: 5 },
          after: {},
        },
        {
          kind: 'moved',
          at: 'NM2',
          from: 'NM1',
          to: 'NM2',
          before: {},
          after: { beatmapId: 5 },
        },
      ],
    ],
    [
      'beatmaps that have changed places, and one whose slot is gone: it is where another difference says',
      { slots: [nm(1, { beatmapId: 5 }), nm(2, { beatmapId: 6 }), hd(1, { beatmapId: 7 })] },
      { slots: [nm(1, { beatmapId: 6 }), nm(2, { beatmapId: 5 }), nm(3, { beatmapId: 7 })] },
      [
        {
          kind: 'moved',
          at: 'NM1',
          from: 'NM2',
          to: 'NM1',
          before: { beatmapId: 5 },
          after: { beatmapId: 6 },
        },
        {
          kind: 'moved',
          at: 'NM2',
          from: 'NM1',
          to: 'NM2',
          before: { beatmapId: 6 },
          after: { beatmapId: 5 },
        },
        { kind: 'moved', at: 'NM3', from: 'HD1', to: 'NM3', after: { beatmapId: 7 } },
      ],
    ],
    [
      'a beatmap that has moved to where something else was, which is not hidden by that',
      { slots: [nm(1, { beatmapId: 5 }), nm(2, { placeholder: 'soon' })] },
      { slots: [nm(2, { beatmapId: 5 })] },
      [
        { kind: 'emptied', at: 'NM1', from: 5, before: { beatmapId: 5 } },
        {
          kind: 'filled',
          at: 'NM2',
          to: 5,
          slot: { placeholder: 'soon' },
          before: { placeholder: 'soon' },
          after: { beatmapId: 5 },
        },
      ],
    ],
  ])('%s', (_, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes)
  })

  test('the first that is kept has none, and nobody may have saved it', () => {
    const content = roundContentOf(aRound())
    const draft = { version: 7, savedAt: 1000, savedBy: null, content }
    const shown = presentDraft(draft, undefined)
    expect(shown).toEqual({
      version: 7,
      savedAt: new Date(1000).toISOString(),
      name: 'Quarterfinals',
      changes: [],
    })
  })
})

test('a whole version of a draft has all that it was, and who saved it', () => {
  const input = { bestOf: 9, slots: [nm(1, { beatmapId: 7 }), { mod: 'X1', index: 1 }] }
  const content = roundContentOf(aRound(input))
  const draft = {
    version: 2,
    savedAt: 1000,
    savedBy: { accountId: 'ada', username: null },
    content,
  }
  const before = { ...draft, version: 1, content: { ...content, bestOf: 7 } }
  const shown = {
    version: 2,
    savedAt: '1970-01-01T00:00:01.000Z',
    savedBy: 'Unknown player',
    name: 'Quarterfinals',
    changes: [{ kind: 'bestOf', from: 7, to: 9 }],
    slots: content.slots,
    buckets: content.buckets,
    bestOf: 9,
  }
  expect(presentWholeDraft(draft, before)).toEqual(shown)
  const { savedBy: _by, buckets: _own, ...bare } = shown
  const plain = { ...draft, savedBy: null, content: { ...content, buckets: null } }
  expect(presentWholeDraft(plain, undefined)).toEqual({ ...bare, changes: [] })
  const named = { ...draft, savedBy: { accountId: 'ada', username: 'Ada' } }
  expect(presentDraft(named, before).savedBy).toBe('Ada')
})
