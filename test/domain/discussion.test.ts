import { describe, expect, it, test } from 'vitest'
import {
  assertMayChangeItem,
  assertMovable,
  assertRoomFor,
  assertRoomForRemark,
  presentCandidate,
  presentOwn,
  presentRemark,
  proposalOf,
  refuseTwice,
  remarkChangeOf,
  remarkOf,
  type SavedRemark,
  unnamed,
} from '../../src/domain/discussion.ts'
import { aMember, aSavedRound, aTournament, thrown } from './a-tournament.ts'

const round = aSavedRound()
const staff = [
  aMember('host', 1),
  aMember('pooler', 2),
  aMember('tester', 3, 'writer'),
  aMember('tester', 4, 'other'),
  aMember('referee', 5),
]
const tournament = aTournament({ visibility: 'private', rounds: [round], staff })
const speakerOf = (id: string) => staff.find(({ accountId }) => accountId === id)!

const codeOf = (does: () => unknown) => (thrown(does) as { code?: string } | undefined)?.code
const messageOf = (does: () => unknown) => (thrown(does) as Error | undefined)?.message

describe('what is said, as it was sent (D-19, D-47)', () => {
  const proposal = { mod: 'NM', index: 1, beatmapId: 7 }

  it('is trimmed; without a note, it has none', () => {
    expect(proposalOf(proposal)).toEqual({ ...proposal, note: null })
    expect(proposalOf({ ...proposal, note: ' fast\nand loud ' }).note).toBe('fast\nand loud')
    expect(remarkOf({ text: ' Too long ' })).toEqual({ slot: null, text: 'Too long' })
    expect(remarkOf({ text: 'x', mod: null, index: 2 }).slot).toEqual({ mod: null, index: 2 })
    expect(remarkChangeOf({})).toEqual({ slot: null })
    expect(remarkChangeOf({ text: ' x ', settled: false, mod: 'HD', index: 1 })).toEqual({
      slot: { mod: 'HD', index: 1 },
      text: 'x',
      settled: false,
    })
  })

  it.each([
    ['x'.repeat(500), undefined],
    [`  ${'x'.repeat(500)}  `, undefined],
    ['x'.repeat(501), 'bad_request'],
    ['  ', 'bad_request'],
    ['\u200b', 'bad_request'],
    ['a\u0000b', 'bad_request'],
    ['a\u202eb', 'bad_request'],
  ])('is refused when a text is no text of 1 to 500: %j, %s', (text, code) => {
    expect(codeOf(() => remarkOf({ text }))).toBe(code)
    expect(codeOf(() => remarkChangeOf({ text }))).toBe(code)
    expect(codeOf(() => proposalOf({ ...proposal, note: text }))).toBe(code)
  })

  it('is refused with its place', () => {
    expect(messageOf(() => proposalOf({ ...proposal, note: '' }))).toMatch(/^note /)
    expect(messageOf(() => proposalOf({ ...proposal, note: '' }, 'candidates[1].'))).toMatch(
      /^candidates\[1\]\.note /,
    )
    expect(messageOf(() => remarkOf({ text: '' }))).toMatch(/^text /)
    expect(messageOf(() => remarkOf({ text: 'x', index: 1 }))).toMatch(/^mod is missing/)
    expect(messageOf(() => remarkOf({ text: 'x', mod: 'NM' }))).toMatch(/^index is missing/)
    expect(messageOf(() => remarkChangeOf({ mod: null }))).toMatch(/^index is missing/)
  })

  it.each([
    [{ mod: 'HD', index: 1, beatmapId: 7 }, undefined],
    [{ mod: 'NM', index: 2, beatmapId: 7 }, undefined],
    [{ mod: 'NM', index: 1, beatmapId: 8 }, undefined],
    [proposal, /^candidates\[2\] .*candidates\[0\]/],
  ])('is not proposed twice: %j', (other, message) => {
    const refused = messageOf(() => refuseTwice([proposal, { ...proposal, index: 9 }, other]))
    if (message === undefined) expect(refused).toBeUndefined()
    else expect(refused).toMatch(message)
  })
})

describe('the room of a round for what is said', () => {
  const ofSlot = (count: number, place = { mod: 'NM', index: 1 }, from = 100) =>
    Array.from({ length: count }, (_, at) => ({ ...place, beatmapId: from + at }))
  const candidate = { mod: 'NM', index: 1, beatmapId: 7 }
  const others = Array.from({ length: 64 }, (_, at) =>
    ofSlot(8, { mod: 'X', index: at + 1 }),
  ).flat()

  it.each([
    ['none', [], undefined],
    ['seven of its slot', ofSlot(7), undefined],
    ['eight of its slot', ofSlot(8), /^NM1 already has 8 candidates/],
    ['the same beatmap', [candidate], /^beatmap 7 is a candidate for NM1 already/],
    ['the same in another slot', [{ ...candidate, index: 2 }], undefined],
    ['the same under another mod', [{ ...candidate, mod: 'HD' }], undefined],
    ['511', others.slice(1), undefined],
    ['512', others, /^the round already has 512 candidates/],
  ])('with %s', (_with, held, message) => {
    const refused = messageOf(() => assertRoomFor(candidate, held))
    if (message === undefined) expect(refused).toBeUndefined()
    else expect(refused).toMatch(message)
  })

  it('is for 500 remarks', () => {
    expect(codeOf(() => assertRoomForRemark(499))).toBeUndefined()
    expect(codeOf(() => assertRoomForRemark(500))).toBe('conflict')
  })

  it('counts a candidate that moves to another slot of the round, and not where it is (D-83)', () => {
    const saved = { ...candidate, id: 'c1', note: null, createdAt: 1, proposedBy: null, votes: [] }
    const full = [
      saved,
      ...ofSlot(8, { mod: 'TB', index: 1 }).map((each, at) => ({
        ...saved,
        ...each,
        id: `t${at}`,
      })),
    ]
    const move =
      (to: { mod: string; index: number }, all = full) =>
      () => {
        assertMovable(round, saved, to, all)
      }
    expect(codeOf(move({ mod: 'NM', index: 1 }))).toBeUndefined()
    expect(codeOf(move({ mod: 'TB', index: 1 }))).toBe('conflict')
    expect(codeOf(move({ mod: 'TB', index: 1 }, full.slice(0, 8)))).toBeUndefined()
    expect(messageOf(move({ mod: 'HD', index: 1 }))).toContain('HD1')
    expect(codeOf(move({ mod: 'NM', index: 2 }))).toBe('bad_request')
  })
})

test.each([
  ['removeCandidate', ['host', 'pooler', 'writer']],
  ['reword', ['writer']],
  ['settle', ['host', 'pooler', 'writer']],
  ['removeRemark', ['host', 'writer']],
] as const)('D-61: %s of what a tester has said: %j', (action, allowed) => {
  const { accountId, gameId, username } = speakerOf('writer')
  const codes = [...staff.map((member) => member.accountId), 'nobody'].map((by) => [
    by,
    codeOf(() => {
      assertMayChangeItem(tournament, round, by, { accountId, gameId, username }, action)
    }),
  ])
  const expected = [...staff.map((member) => member.accountId), 'nobody'].map((by) => [
    by,
    (allowed as readonly string[]).includes(by)
      ? undefined
      : by === 'nobody'
        ? 'not_found'
        : 'forbidden',
  ])
  expect(codes).toEqual(expected)
})

describe('what is said, as it is shown', () => {
  const ada = { accountId: 'ada', gameId: 7, username: 'Ada' }
  const bob = { accountId: 'bob', gameId: 8, username: null }
  const candidate = {
    id: 'c1',
    mod: 'NM',
    index: 1,
    beatmapId: 7,
    note: 'fast',
    createdAt: 1_000,
    proposedBy: ada,
    votes: [
      { ...ada, vote: 1 as const },
      { ...bob, vote: 1 as const },
      { ...ada, gameId: 9, vote: -1 as const },
    ],
  }
  const shown = {
    id: 'c1',
    mod: 'NM',
    index: 1,
    beatmapId: 7,
    note: 'fast',
    proposedBy: { gameId: 7, username: 'Ada' },
    score: 1,
    votes: [
      { gameId: 7, username: 'Ada', vote: 1 },
      { gameId: 8, username: 'Unknown player', vote: 1 },
      { gameId: 9, username: 'Ada', vote: -1 },
    ],
    createdAt: '1970-01-01T00:00:01.000Z',
  }
  const remark: SavedRemark = {
    id: 'r1',
    slot: { mod: 'NM', index: 1 },
    text: 'Too long',
    writtenBy: ada,
    isSettled: true,
    settledBy: bob,
    createdAt: 1_000,
    updatedAt: 2_000,
  }

  it('names who proposed and who voted, but no account', () => {
    expect(presentCandidate(candidate)).toEqual(shown)
    const { note: _note, proposedBy: _by, ...bare } = shown
    const gone = { ...candidate, note: null, proposedBy: null, votes: [] }
    expect(presentCandidate(gone)).toEqual({ ...bare, score: 0, votes: [] })
  })

  it('names who wrote and who settled', () => {
    const bare = {
      id: 'r1',
      text: 'Too long',
      createdAt: '1970-01-01T00:00:01.000Z',
      updatedAt: '1970-01-01T00:00:02.000Z',
    }
    expect(presentRemark(remark)).toEqual({
      ...bare,
      mod: 'NM',
      index: 1,
      writtenBy: { gameId: 7, username: 'Ada' },
      settled: true,
      settledBy: { gameId: 8, username: 'Unknown player' },
    })
    const open = { ...remark, slot: null, writtenBy: null, isSettled: false, settledBy: null }
    expect(presentRemark(open)).toEqual({ ...bare, settled: false })
  })

  it('is the same under other names (D-86)', () => {
    const renamed = <T extends object>(item: T) =>
      JSON.parse(JSON.stringify(item).replaceAll('"Ada"', '"Eve"')) as T
    for (const item of [candidate, remark, { ...remark, writtenBy: null, settledBy: ada }]) {
      expect(unnamed(renamed(item))).toEqual(unnamed(item))
      expect(JSON.stringify(unnamed(item))).not.toContain('Ada')
    }
    expect(unnamed(candidate).votes.map(({ gameId, vote }) => [gameId, vote])).toEqual([
      [7, 1],
      [8, 1],
      [9, -1],
    ])
    expect(unnamed({ ...candidate, note: 'slow' })).not.toEqual(unnamed(candidate))
    expect(unnamed({ ...remark, writtenBy: bob })).not.toEqual(unnamed(remark))
    expect(unnamed({ ...remark, settledBy: ada })).not.toEqual(unnamed(remark))
  })

  it('is all there for who has said it, with where', () => {
    const at = { slug: 'cup-000001', roundId: 'round-0001' }
    const place = { slug: 'cup-000001', round: 'round-0001', mod: 'NM', index: 1 }
    const created = { createdAt: '1970-01-01T00:00:01.000Z' }
    const said = { ...at, id: 'c1', mod: 'NM', index: 1, beatmapId: 7, createdAt: 1_000 }
    const { writtenBy: _by, settledBy: _settler, ...ofRemark } = remark
    const own = presentOwn({
      candidates: [
        { ...said, note: 'fast' },
        { ...said, note: null },
      ],
      votes: [{ ...said, vote: -1 }],
      remarks: [
        { ...at, ...ofRemark },
        { ...at, ...ofRemark, slot: null, isSettled: false },
      ],
    })
    const written = { ...created, text: 'Too long', updatedAt: '1970-01-01T00:00:02.000Z' }
    expect(own).toEqual({
      candidates: [
        { ...place, beatmapId: 7, note: 'fast', ...created },
        { ...place, beatmapId: 7, ...created },
      ],
      votes: [{ ...place, beatmapId: 7, vote: -1 }],
      remarks: [
        { ...place, ...written, settled: true },
        { slug: at.slug, round: at.roundId, ...written, settled: false },
      ],
    })
  })
})
