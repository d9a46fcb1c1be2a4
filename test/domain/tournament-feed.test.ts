import { describe, expect, it } from 'vitest'
import {
  discussionNews,
  newsOf,
  type TournamentNews,
  tournamentChangeFor,
} from '../../src/domain/tournament-feed.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { aMember, aRelease, aRoundPack, aSavedRound, aTournament } from './a-tournament.ts'

const draft = aSavedRound({ id: 'draft' })
const released = aSavedRound({ id: 'released', released: aRelease() })
/** Of a release with a slot that was planned: it has this beatmap by now; null: none yet. */
const planned = (beatmapId: number | null) => {
  const first = { mod: 'NM', index: 1, beatmapId: 11 }
  const last = { mod: 'TB', index: 1 }
  const filled = beatmapId === null ? [] : [{ ...last, beatmapId }]
  return aRelease({ slots: [first, last], pack: aRoundPack({ slots: [first, ...filled] }) })
}

/** A host, a pooler, and a tester who is limited to the draft. */
const staff = [
  aMember('host', 1),
  aMember('pooler', 2),
  { ...aMember('tester', 3), rounds: ['draft'] },
]
const before = aTournament({ rounds: [draft, released], staff })
const all = ['host', 'pooler', 'tester']

/** As one line: the kind, the round and the pack where there are, and who may know. */
const line = ({ kind, roundId, packSlug, readers }: TournamentNews): string =>
  [kind, roundId, packSlug, readers === null ? 'everybody' : readers.toSorted().join('+')]
    .filter((part) => part !== null)
    .join(' ')

const lines = (from: SavedTournament | null, to: SavedTournament | null) =>
  newsOf(from, to).map(line)

type Changed = Partial<SavedTournament>
const hidden = { hiddenAt: 5 }
const closed = { visibility: 'private' } as const

describe('what a change of a tournament says to whom (D-89)', () => {
  it.each<[name: string, from: Changed, to: Changed, expectedLine: readonly string[]]>([
    ['nothing', {}, {}, []],
    ['the time of the last change', {}, { updatedAt: 2_000 }, []],
    ['a fact that everybody reads', {}, { name: 'Other Cup' }, ['changed everybody']],
    [
      'one of a private tournament',
      closed,
      { ...closed, name: 'O' },
      ['changed host+pooler+tester'],
    ],
    ['being opened', closed, {}, ['shown everybody']],
    ['being closed', {}, closed, ['hidden everybody']],
    ['being hidden', {}, hidden, ['hidden everybody']],
    ['being shown again', hidden, {}, ['shown everybody']],
    ['being closed while hidden', hidden, { ...hidden, ...closed }, ['changed host+pooler+tester']],
    [
      'the order of rounds of which strangers see one',
      {},
      { rounds: [released, draft] },
      ['draft host+pooler+tester'],
    ],
    [
      'the order of rounds that strangers see',
      { rounds: [released, { ...released, id: 'other' }] },
      { rounds: [{ ...released, id: 'other' }, released] },
      ['changed everybody'],
    ],
    [
      'that order and a fact',
      { rounds: [released, { ...released, id: 'other' }] },
      { rounds: [{ ...released, id: 'other' }, released], name: 'O' },
      ['changed everybody'],
    ],
    [
      'the order of rounds of which a limited member sees one',
      { rounds: [draft, { ...draft, id: 'other' }] },
      { rounds: [{ ...draft, id: 'other' }, draft] },
      ['draft host+pooler'],
    ],
  ])('%s', (_, from, to, expectedLine) => {
    expect(lines({ ...before, ...from }, { ...before, ...to })).toEqual(expectedLine)
  })

  it('says of one that is made or deleted who may know of it', () => {
    expect(lines(null, before)).toEqual(['shown everybody', 'staff host+pooler+tester'])
    expect(lines(before, null)).toEqual(['hidden everybody'])
    expect(lines(null, { ...before, ...closed })).toEqual(['staff host+pooler+tester'])
    expect(lines({ ...before, ...closed }, null)).toEqual(['hidden host+pooler+tester'])
  })
})

describe('what a change of a round says to whom (D-89)', () => {
  const withRounds = (...rounds: SavedTournament['rounds']) => ({ ...before, rounds })
  const one = { released: planned(null) }
  /** Of a limit, only the rounds that there are are shown. */
  const limit = 'staff host+pooler+tester'

  it.each([
    ['a draft that is made', [], [draft], ['draft draft host+pooler+tester', limit]],
    ['one that is deleted', [draft], [], ['draft draft host+pooler+tester', limit]],
    ['one that changes', [draft], [{ ...draft, name: 'F' }], ['draft draft host+pooler+tester']],
    ['its times alone', [draft], [{ ...draft, updatedAt: 9 }], []],
    ['one behind a limit', [], [{ ...draft, id: 'x' }], ['draft x host+pooler']],
    [
      'a release',
      [{ ...released, released: null }],
      [released],
      ['released released pack-00001 everybody'],
    ],
    [
      'a withdrawal',
      [released],
      [{ ...released, released: null }],
      ['withdrawn released pack-00001 everybody'],
    ],
    ['a released one that is deleted', [released], [], ['withdrawn released pack-00001 everybody']],
    [
      'another name of what was released',
      [released],
      [{ ...released, released: aRelease({ name: 'F' }) }],
      ['changed released pack-00001 everybody'],
    ],
    [
      'a map for a slot that was planned',
      [{ ...released, ...one }],
      [{ ...released, released: planned(12) }],
      ['filled released pack-00001 everybody'],
    ],
    [
      'a map for it and another name',
      [{ ...released, ...one }],
      [{ ...released, released: { ...planned(12), name: 'F' } }],
      ['changed released pack-00001 everybody'],
    ],
    [
      'another map for a slot that had one',
      [{ ...released, released: planned(12) }],
      [{ ...released, released: planned(13) }],
      ['changed released pack-00001 everybody'],
    ],
  ])('%s', (_, from, to, expectedLine) => {
    expect(lines(withRounds(...from), withRounds(...to))).toEqual(expectedLine)
    const close = (tournament: SavedTournament) => ({ ...tournament, ...closed })
    const own = expectedLine.map((each) =>
      each.replace('everybody', each.includes(' released ') ? 'host+pooler' : 'everybody'),
    )
    expect(lines(close(withRounds(...from)), close(withRounds(...to)))).toEqual(own)
  })

  it('says of what is proposed or remarked who may see the draft (D-81)', () => {
    for (const kind of ['candidate', 'remark'] as const) {
      expect(line(discussionNews(before, draft, kind))).toBe(`${kind} draft host+pooler+tester`)
      expect(line(discussionNews(before, released, kind))).toBe(`${kind} released host+pooler`)
    }
  })
})

describe('what a change of the staff says to whom (D-89)', () => {
  const [host, pooler, tester] = staff as [(typeof staff)[0], (typeof staff)[0], (typeof staff)[0]]
  const referee = aMember('referee', 4)

  it.each([
    ['somebody who joins', [...staff, referee], 'staff host+pooler+referee+tester'],
    ['somebody who leaves', [host, tester], 'staff host+pooler+tester'],
    [
      'another role',
      [host, { ...pooler, role: 'referee' as const }, tester],
      'staff host+pooler+tester',
    ],
    ['another limit', [host, pooler, { ...tester, rounds: null }], 'staff host+pooler+tester'],
    ['another name', [host, { ...pooler, username: 'Renamed' }, tester], undefined],
  ])('%s', (_, after, expectedLine) => {
    expect(lines(before, { ...before, staff: after })).toEqual(
      expectedLine === undefined ? [] : [expectedLine],
    )
  })

  it('tells a change of somebody’s place to who reads another staff alone', () => {
    const other = { ...tester, rounds: ['released'] }
    expect(lines(before, { ...before, staff: [host, pooler, other] })).toEqual([
      'staff host+pooler+tester',
    ])
  })
})

describe('an entry of the feed (D-89)', () => {
  const entry = {
    cursor: 'c',
    at: 0,
    kind: 'released',
    tournament: 'tournament',
    roundId: 'draft',
    packSlug: 'pack-00001',
    readers: all,
  } as const
  const shown = {
    cursor: 'c',
    at: '1970-01-01T00:00:00.000Z',
    kind: 'released',
    tournament: 'tournament',
  }

  it('is for its readers, or for everybody', () => {
    expect(tournamentChangeFor(entry, 'stranger')).toBeNull()
    expect(tournamentChangeFor(entry, 'tester')).not.toBeNull()
    expect(tournamentChangeFor({ ...entry, readers: null }, 'stranger')).not.toBeNull()
  })

  it('names the round and the pack where there are', () => {
    expect(tournamentChangeFor(entry, 'host')).toEqual({
      ...shown,
      round: 'draft',
      packSlug: 'pack-00001',
    })
    const without = { ...entry, roundId: null, packSlug: null }
    expect(tournamentChangeFor(without, 'host')).toEqual(shown)
  })
})
