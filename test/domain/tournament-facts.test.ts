import { describe, expect, it } from 'vitest'
import {
  placeOf,
  presentDiscord,
  presentDraft,
  presentStaff,
  presentSummary,
  releasedPlays,
  shownSlots,
} from '../../src/domain/tournament-views.ts'
import type { DiscordChannel } from '../../src/domain/tournaments.ts'
import { aMember, aRelease, aRoundPack, aSavedRound, aTournament } from './a-tournament.ts'

const roundOf = (name: string, packSlug: string, hiddenAt: number | null = null) =>
  aSavedRound({
    id: `of-${packSlug}`,
    input: { name: `Draft of ${name}` },
    released: aRelease({ name, packSlug, pack: aRoundPack({ slug: packSlug, hiddenAt }) }),
  })

describe('where a pack belongs', () => {
  const rounds = [
    roundOf('Quals', 'quals-0001'),
    aSavedRound({ id: 'draft-0001', input: { name: 'Secret' } }),
    roundOf('Semis', 'semis-0001'),
    roundOf('Finals', 'finals-001', 5),
  ]
  const saved = aTournament({ rounds })
  const tournament = { slug: 'tournament', name: 'Harbour Lights Cup' }

  it('is a round of a tournament, between those that everybody sees', () => {
    expect(placeOf(saved, 'quals-0001')).toEqual({
      tournament,
      name: 'Quals',
      after: { name: 'Semis', packSlug: 'semis-0001' },
    })
    expect(placeOf(saved, 'semis-0001')).toEqual({
      tournament,
      name: 'Semis',
      before: { name: 'Quals', packSlug: 'quals-0001' },
    })
  })

  it('says what the round has beside its pack', () => {
    const links = { mapPackUrl: 'https://maps.test', showcaseUrl: 'https://video.test' }
    const linked = aTournament({ shortName: 'HLC', rounds: [{ ...rounds[0]!, ...links }] })
    expect(placeOf(linked, 'quals-0001')).toEqual({
      tournament: { ...tournament, shortName: 'HLC' },
      name: 'Quals',
      ...links,
    })
  })

  it('is nowhere for everybody if they do not see it (D-60)', () => {
    expect(placeOf(saved, 'finals-001')).toBeNull()
    expect(placeOf(saved, 'other-0001')).toBeNull()
    expect(placeOf({ ...saved, visibility: 'private' }, 'quals-0001')).toBeNull()
    expect(placeOf({ ...saved, hiddenAt: 5 }, 'quals-0001')).toBeNull()
  })

  it('counts beatmaps as they are played, of the last round first', () => {
    const of = (id: string, beatmapId: number, hiddenAt: number | null = null) => {
      const pack = aRoundPack({ hiddenAt, slots: [{ mod: 'HR', index: 1, beatmapId }] })
      return aSavedRound({ id, released: aRelease({ pack }) })
    }
    const all = aTournament({ rounds: [of('a', 1), of('b', 2), of('c', 3, 5), aSavedRound()] })
    expect(releasedPlays(all)).toMatchObject([
      { beatmapId: 2, forced: ['HR'] },
      { beatmapId: 1, forced: ['HR'] },
    ])
  })
})

describe('the slots of what was released (D-78)', () => {
  const pack = {
    slots: [
      { mod: 'NM', index: 1, beatmapId: 7 },
      { mod: 'HD', index: 1, beatmapId: 8 },
    ],
  }
  it('are those of its pack, and those that have no beatmap yet', () => {
    expect(shownSlots({ slots: null }, pack)).toBe(pack.slots)
    const slots = [
      { mod: 'TB', index: 1, placeholder: 'soon' },
      { mod: 'NM', index: 1, placeholder: 'was open', link: 'https://a.test' },
      // An operator has taken it from the pack, and put another one there.
      { mod: 'NM', index: 2, beatmapId: 9 },
    ]
    expect(shownSlots({ slots }, pack)).toEqual([
      slots[0],
      { mod: 'NM', index: 1, link: 'https://a.test', beatmapId: 7 },
      pack.slots[1],
    ])
  })
})

describe('the staff as a member reads it (D-81)', () => {
  const rounds = ['round-0001', 'round-0002', 'round-0003'].map((id) =>
    aSavedRound({ id, input: { name: id } }),
  )
  const limited = (id: string, gameId: number, of: string[]) => ({
    ...aMember('tester', gameId, id),
    rounds: of,
  })
  const saved = aTournament({
    rounds,
    staff: [
      aMember('host', 1),
      limited('one', 2, ['round-0002', 'deleted-01', 'round-0001']),
      limited('two', 3, ['round-0002', 'round-0003']),
    ],
  })

  it.each([
    ['host', [undefined, ['round-0001', 'round-0002'], ['round-0002', 'round-0003']]],
    ['one', [undefined, ['round-0001', 'round-0002'], ['round-0002']]],
    ['two', [undefined, ['round-0002'], ['round-0002', 'round-0003']]],
  ])('%s knows of the rounds of others those of their own, in order', (accountId, limits) => {
    expect(presentStaff(saved, accountId).map((member) => member.rounds)).toEqual(limits)
  })
})

describe('what the staff alone reads of a tournament', () => {
  const { rounds: _, staff: __, ...listed } = aTournament({ copiedFrom: 'before-001' })

  it('is what it was copied from', () => {
    expect(presentSummary(listed, 'referee').from).toEqual(listed.copiedFrom)
    expect(presentSummary(listed, null)).not.toHaveProperty('from')
  })

  it('is of its channel that there is one, for hosts, and whether it is off (D-97)', () => {
    const channel = { off: null } as DiscordChannel
    const off = { off: 'gone' } as unknown as DiscordChannel
    expect(presentDiscord(null)).toEqual({})
    expect(presentDiscord(channel)).toEqual({ discord: true })
    expect(presentDiscord(off)).toEqual({ discord: true, discordOff: 'gone' })
    const shown = (role: 'host' | 'pooler') => presentSummary({ ...listed, discord: channel }, role)
    expect(shown('host').discord).toBe(true)
    expect(shown('pooler')).not.toHaveProperty('discord')
  })

  it('is of a draft when it is released, and whether as it is', () => {
    const scheduled = aSavedRound({
      releaseAt: 9_000,
      releaseIncomplete: true,
      released: aRelease(),
    })
    expect(presentDraft(scheduled)).toMatchObject({
      releaseAt: '1970-01-01T00:00:09.000Z',
      incomplete: true,
      releasedAt: '1970-01-01T00:00:01.500Z',
    })
    const done = presentDraft({ ...scheduled, releaseAt: null, releaseIncomplete: false })
    expect(done.releaseAt).toBe('1970-01-01T00:00:01.500Z')
    expect(done).not.toHaveProperty('incomplete')
    expect(presentDraft(aSavedRound())).not.toHaveProperty('releaseAt')
  })
})
