import { describe, expect, it } from 'vitest'
import { laterSave } from '../../src/domain/packs.ts'
import {
  release,
  releaseAllDue,
  releaseIfDue,
  schedule,
  withdraw,
} from '../../src/domain/releases.ts'
import { copiedRounds, relinked, restoreRound } from '../../src/domain/tournament-changes.ts'
import { filledSince, nextRelease } from '../../src/domain/tournament-views.ts'
import type { SavedRound, SavedTournament } from '../../src/domain/tournaments.ts'
import { aMember, aRelease, aRoundPack, aSavedRound, aTournament, thrown } from './a-tournament.ts'

const now = 5_000
const newSlug = (before: string | null) => before ?? 'new-slug-1'
const withRounds = (...rounds: SavedRound[]) => aTournament({ rounds })
const released = (saved: SavedTournament, at = now) => {
  const { content } = release(saved, saved.rounds[0]!, false, newSlug, at)
  return { ...saved, ...content }
}

describe('a release that changes nothing (D-86)', () => {
  const saved = released(withRounds(aSavedRound()))
  const round = saved.rounds[0]!
  const again = (changes: Partial<SavedRound>, isIncomplete = false) => {
    const changed = aTournament({ ...saved, rounds: [{ ...round, ...changes }] })
    return release(changed, changed.rounds[0]!, isIncomplete, newSlug, now + 1_000)
  }

  it('writes neither the round nor its pack', () => {
    expect(release(saved, round, false, newSlug, now + 1_000)).toEqual({
      content: saved,
      packs: [],
    })
    expect(release(saved, round, true, newSlug, now + 1_000).packs).toEqual([])
  })

  it.each<[string, Partial<SavedRound>]>([
    ['a name', { name: 'Renamed' }],
    ['a field that everybody reads', { bestOf: 13 }],
    ['a beatmap', { slots: [{ ...round.slots[0]!, beatmapId: 99 }, round.slots[1]!] }],
    [
      'what is said of a slot',
      { slots: [{ ...round.slots[0]!, link: 'https://a.test' }, round.slots[1]!] },
    ],
    ['the name of its pack', { packName: 'Another' }],
    ['a schedule', { releaseAt: now + 9 }],
    ['a pack that is gone', { released: { ...round.released!, pack: null } }],
  ])('is one only without a change of %s', (_of, changes) => {
    const { content, packs } = again(changes)
    expect(packs).toHaveLength(1)
    expect(content.rounds[0]).toMatchObject({ releaseAt: null, released: { at: now + 1_000 } })
  })
})

describe('a release', () => {
  it('keeps the slug of what was withdrawn, and what moderators decided of its pack (D-63, D-76)', () => {
    const withdrawn = { name: 'Before', packSlug: 'pack-00009', at: 3_000, wasShown: true }
    const hiddenPack = { at: 4_000, reason: 'stolen' }
    const saved = withRounds(aSavedRound({ withdrawn, hiddenPack }))
    const { content, packs } = release(saved, saved.rounds[0]!, false, newSlug, now, 4_900)
    const hidden = {
      slug: 'pack-00009',
      hiddenAt: 4_000,
      hiddenReason: 'stolen',
      versionHidden: true,
    }
    expect(packs).toMatchObject([{ kind: 'create', pack: { ...hidden, historyPublic: true } }])
    expect(content.rounds[0]).toMatchObject({
      withdrawn: null,
      released: { packSlug: 'pack-00009', scheduledFor: 4_900, at: now, slots: null, pack: hidden },
    })
  })

  it('is refused of a hidden tournament (D-76)', () => {
    const hidden = aTournament({ rounds: [aSavedRound()], hiddenAt: 1 })
    expect(thrown(() => released(hidden))).toMatchObject({ code: 'conflict' })
    const soon = () => schedule(hidden, hidden.rounds[0]!, now + 1, false, now)
    expect(thrown(soon)).toMatchObject({ code: 'conflict' })
  })
})

describe('a schedule (D-63, D-86)', () => {
  const round = aSavedRound({ releaseAt: now + 1_000 })
  const saved = withRounds(round)
  it.each([
    ['to come', now + 1, now, undefined],
    ['that is now', now, now, 'bad_request'],
    ['that is its own already, though it has passed', now + 1_000, now + 2_000, undefined],
  ])('takes a time %s', (_when, at, moment, code) => {
    const error = thrown(() => schedule(saved, round, at, false, moment))
    expect((error as { code?: string } | undefined)?.code).toBe(code)
  })

  it('is the same only with what of it is incomplete', () => {
    expect(schedule(saved, round, now + 1_000, false, now)).toBe(saved)
    const incomplete = schedule(saved, round, now + 1_000, true, now)
    expect(incomplete.rounds[0]).toMatchObject({ releaseAt: now + 1_000, releaseIncomplete: true })
    const done = aSavedRound({ released: aRelease({ scheduledFor: 3_000 }) })
    const after = withRounds(done)
    expect(schedule(after, done, 3_000, false, now)).toBe(after)
    expect(thrown(() => schedule(after, done, 3_001, false, now))).toMatchObject({
      code: 'bad_request',
    })
  })

  it('is withdrawn before what is released is', () => {
    const both = aSavedRound({ releaseAt: now + 1, releaseIncomplete: true, released: aRelease() })
    const first = withdraw(withRounds(both), both, now)
    expect(first.packs).toEqual([])
    const left = first.content.rounds[0]!
    expect(left).toMatchObject({
      releaseAt: null,
      releaseIncomplete: false,
      released: both.released,
    })
    const second = withdraw(withRounds(left), left, now + 1)
    expect(second.packs).toEqual([{ kind: 'remove', slug: 'pack-00001' }])
    expect(second.content.rounds[0]).toMatchObject({
      released: null,
      withdrawn: {
        name: 'Quarter finals as released',
        packSlug: 'pack-00001',
        at: now + 1,
        wasShown: true,
      },
    })
    const draft = aSavedRound()
    const unchanged = withRounds(draft)
    expect(withdraw(unchanged, draft, now)).toEqual({ content: unchanged, packs: [] })
  })

  it('shows the staff what comes first', () => {
    const at = (name: string, releaseAt: number | null) =>
      aSavedRound({ input: { name }, releaseAt })
    const rounds = [at('A', null), at('B', 9_000), at('C', 8_000), at('D', 8_500)]
    expect(nextRelease(rounds)).toEqual({ name: 'C', releaseAt: '1970-01-01T00:00:08.000Z' })
    expect(nextRelease([at('A', null)])).toBeUndefined()
  })
})

describe('slots that were released without a beatmap (D-78)', () => {
  const planned = [
    { mod: 'NM', index: 1, beatmapId: 1 },
    { mod: 'NM', index: 2, placeholder: 'fast', link: 'https://a.test' },
    { mod: 'NM', index: 3 },
  ]
  const draft = [
    { mod: 'NM', index: 1, beatmapId: 9 },
    { mod: 'NM', index: 2, beatmapId: 2, link: 'https://b.test' },
    { mod: 'NM', index: 3 },
    { mod: 'HD', index: 1, beatmapId: 4 },
  ]
  const pack = aRoundPack({ name: 'Cup QF', slots: [{ mod: 'NM', index: 1, beatmapId: 1 }] })
  const round = aSavedRound({ slots: draft, released: aRelease({ slots: planned, pack }) })
  const saved = withRounds(round)

  it('go out by themselves, and every other change waits', () => {
    expect([...filledSince(round).values()]).toEqual([draft[1]])
    const change = releaseIfDue(saved, round.id, newSlug, now)!
    const held = [planned[0], { mod: 'NM', index: 2, beatmapId: 2 }]
    expect(change.packs).toMatchObject([
      {
        kind: 'replace',
        slug: 'pack-00001',
        state: { name: 'Cup QF', slots: held, updatedAt: now },
      },
    ])
    const { released: after, slots } = change.content.rounds[0]!
    expect(slots).toBe(draft)
    expect(after).toMatchObject({ at: 1_500, pack: { slots: held } })
    // The link is another one in the draft: it is not shown, and the new one waits.
    expect(after!.slots).toEqual([planned[0], held[1], planned[2]])
    const next = aTournament({ ...saved, ...change.content })
    expect(filledSince(next.rounds[0]!).size).toBe(0)
    expect(releaseIfDue(next, round.id, newSlug, now)).toBeNull()
  })

  it('wait while the tournament is hidden, and where there is no pack', () => {
    expect(releaseIfDue({ ...saved, hiddenAt: 1 }, round.id, newSlug, now)).toBeNull()
    expect(releaseIfDue(saved, 'other', newSlug, now)).toBeNull()
    const gone = { ...round, released: { ...round.released!, pack: null } }
    expect(filledSince(gone).size).toBe(0)
    expect(releaseIfDue(withRounds(gone), round.id, newSlug, now)).toBeNull()
  })

  it('keep the buckets of their pack', () => {
    const buckets = [{ code: 'NM' }, { code: 'X1', color: 1 }] as const
    const own = { ...round, released: aRelease({ slots: planned, pack: { ...pack, buckets } }) }
    const { packs } = releaseIfDue(withRounds(own), round.id, newSlug, now)!
    expect(JSON.stringify(packs)).toContain('"code":"X1"')
  })

  it('are released with other rounds that are due, each once', () => {
    const due = aSavedRound({ id: 'due-000001', input: { name: 'Due' }, releaseAt: now })
    const later = aSavedRound({ id: 'later-0001', input: { name: 'Later' }, releaseAt: now + 1 })
    const all = withRounds(round, due, later)
    const ids = [round, due, later].map(({ id }) => ({ roundId: id }))
    const change = releaseAllDue(all, ids, newSlug, now)!
    expect(change.packs.map(({ kind }) => kind)).toEqual(['replace', 'create'])
    expect(change.content.rounds.map(({ releaseAt }) => releaseAt)).toEqual([null, null, now + 1])
    const after = { ...all, ...change.content }
    expect(releaseAllDue(after, ids, newSlug, now)).toBeNull()
    expect(releaseAllDue(all, [], newSlug, now)).toBeNull()
  })
})

describe('the rounds of another tournament (D-60)', () => {
  const fields = { mapPackUrl: 'https://maps.test', bestOf: 11 }
  const from = aTournament({
    staff: [aMember('host', 1), { ...aMember('tester', 2), rounds: ['round-0002'] }],
    rounds: [
      aSavedRound({ input: fields, released: aRelease({ pack: aRoundPack() }) }),
      aSavedRound({ id: 'round-0002', input: { name: 'Draft' }, releaseAt: 9_000, version: 7 }),
    ],
  })
  let made = 0
  const copy = (accountId: string, of = from) =>
    copiedRounds(of, accountId, () => `copy-${(made += 1)}`, now)

  it('are copied as drafts, without links, as far as somebody may read them', () => {
    const whole = copy('host')
    expect(whole.map(({ name }) => name)).toEqual(['Quarterfinals', 'Draft'])
    for (const round of whole) {
      expect(round).toMatchObject({ releaseAt: null, released: null, version: 1, createdAt: now })
      expect(JSON.stringify(round)).not.toContain('maps.test')
    }
    expect(whole[0]).toMatchObject({ bestOf: 11, slots: from.rounds[0]!.slots })
    expect(new Set(whole.map(({ id }) => id)).size).toBe(2)
    const shown = { name: 'Quarter finals as released', bestOf: 9, bans: 1 }
    expect(copy('tester')).toMatchObject([
      { ...shown, slots: aRoundPack().slots },
      { name: 'Draft' },
    ])
    expect(copy('nobody')).toMatchObject([shown])
  })

  it('are nothing to strangers where all is hidden', () => {
    expect(copy('nobody', { ...from, visibility: 'private' })).toEqual([])
    const hidden = aSavedRound({ released: aRelease({ pack: aRoundPack({ hiddenAt: 1 }) }) })
    expect(copy('nobody', { ...from, rounds: [hidden] })).toEqual([])
  })
})

it('a change of links is told from every other one (D-85)', () => {
  const plain = aSavedRound()
  const linked = { ...plain, showcaseUrl: 'https://video.test' }
  const other = aSavedRound({ id: 'round-0002', input: { name: 'Other' } })
  const linkedOther = { ...other, mapPackUrl: 'https://maps.test' }
  expect(relinked(withRounds(plain), withRounds(linked, linkedOther, other))).toEqual([
    linked,
    linkedOther,
  ])
  expect(relinked(withRounds(linked), withRounds(plain))).toEqual([plain])
  expect(relinked(withRounds(plain), withRounds({ ...plain, name: 'Renamed' }, other))).toEqual([])
})

describe('a round that is restored (D-82)', () => {
  const deleted = aSavedRound({ id: 'deleted-01', releaseAt: 9, version: 3, updatedAt: 4_000 })
  const named = (name: string, at: number) => aSavedRound({ id: `round-${at}`, input: { name } })

  it.each([
    [[], 'Quarterfinals'],
    [['quarterfinals'], 'Quarterfinals 2'],
    [['Quarterfinals', 'QUARTERFINALS 2', 'Quarterfinals 4'], 'Quarterfinals 3'],
  ])('beside %j is called %s, and is a draft', (names, name) => {
    const saved = withRounds(...names.map(named))
    const after = restoreRound(saved, deleted, now)
    expect(after.rounds.at(-1)).toEqual({
      ...deleted,
      name,
      releaseAt: null,
      version: 4,
      updatedAt: now,
    })
  })

  it('has a name of at most 64, cut between characters', () => {
    const long = `${'x'.repeat(61)}🎵x`
    const saved = withRounds(named(long, 1))
    expect(restoreRound(saved, { ...deleted, name: long }, now).rounds.at(-1)!.name).toBe(
      `${'x'.repeat(61)} 2`,
    )
  })
})

it('a save of a pack by a release is one as any other (D-26)', () => {
  const saved = released(withRounds(aSavedRound()), 6_000)
  const { content } = release(
    { ...saved, rounds: [{ ...saved.rounds[0]!, name: 'Next' }] },
    { ...saved.rounds[0]!, name: 'Next' },
    false,
    newSlug,
    6_000,
  )
  const [before, after] = [saved.rounds[0]!.released!.pack!, content.rounds[0]!.released!.pack!]
  expect(after).toEqual({ ...before, ...laterSave(before, after, 6_000) })
  expect(after.updatedAt).toBe(6_001)
})
