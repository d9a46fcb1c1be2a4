import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { asOperator, asOperatorFor } from '../../../src/domain/moderation.ts'
import { draftOf } from '../../../src/domain/rounds.ts'
import * as releases from '../../../src/domain/releases.ts'
import * as staffChanges from '../../../src/domain/staff-changes.ts'
import * as changes from '../../../src/domain/tournament-changes.ts'
import type {
  RoundContent,
  SavedRound,
  SavedTournament,
  TournamentChange,
  TournamentContent,
} from '../../../src/domain/tournaments.ts'
import { roundLinks } from '../../../src/pool/round-fields.ts'
import { freshSlug } from '../sample-pack.ts'
import { aRound, someFacts } from '../sample-tournament.ts'
import { withStore } from '../temp-store.ts'

describe('What a change returns,', () => {
  let one: Stores
  let two: Stores
  let slug: string
  let now = 5_000
  const players: string[] = []
  const done = new Set<string>()

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    for (const gameId of [1, 2, 3]) {
      const id = `${'cab'[gameId - 1]}`.repeat(10)
      await one.accounts.ensurePlayer({ gameId, username: `player ${gameId}` }, id, 0)
      players.push(id)
    }
    slug = freshSlug()
    await one.tournaments.create({ ...someFacts, slug, createdAt: 1_000 }, players[0]!, 9)
  })

  const all = { ...changes, ...staffChanges, ...releases }
  type Kind = keyof typeof all

  const expectRead = async (kind: Kind, changed: unknown) => {
    done.add(kind)
    const read = await two.tournaments.read(slug)
    expect(read, kind).not.toBeNull()
    // Copies: rows of SQLite are objects without a prototype.
    expect(structuredClone(changed), kind).toStrictEqual(structuredClone(read))
    return read!
  }

  const change = async (
    kind: Kind,
    content: (saved: SavedTournament, now: number) => TournamentContent,
  ) => {
    now += 1_000
    return expectRead(
      kind,
      await one.tournaments.change(slug, players[0]!, 9, 0, (saved) => content(saved, now)),
    )
  }

  const changeFirst = (
    kind: Kind,
    content: (saved: SavedTournament, round: SavedRound, now: number) => TournamentContent,
  ) => change(kind, (saved, at) => content(saved, saved.rounds[0]!, at))

  const withPacks = async (
    kind: Kind,
    made: (saved: SavedTournament, round: SavedRound, now: number) => TournamentChange | null,
  ) => {
    now += 1_000
    const { tournaments } = one
    const changed = await tournaments.changeWithPacks(slug, players[0]!, now, (saved, at) =>
      made(saved, saved.rounds[0]!, at),
    )
    return expectRead(kind, changed)
  }

  const moderate = async (kind: 'hide' | 'unhide') => {
    now += 1_000
    const note = { ...asOperator('spam'), action: kind, at: now }
    const changed = await one.tournaments.moderate(slug, (saved) => ({
      content: kind === 'hide' ? changes.hide(saved, 'spam', now) : changes.unhide(saved, now),
      note,
    }))
    return expectRead(kind, changed)
  }

  const draft = (name: string, more: Partial<RoundContent> = {}): RoundContent => {
    const round = aRound({ name, ...more })
    return { ...draftOf(round), ...roundLinks(round) }
  }

  it('is what is read then, after every kind of change', async () => {
    await change('updateFacts', (saved, at) =>
      changes.updateFacts(saved, { name: 'Night Cup', description: null, rankMax: 50_000 }, at),
    )
    for (const name of ['Finals', 'Semifinals']) {
      const targets = { stars: { min: 5, max: 6.5 } }
      const added = draft(name, { targets, bestOf: 11, bans: 2 })
      await change('addRound', (saved, at) => changes.addRound(saved, added, freshSlug(), at))
    }
    await changeFirst('changeSlots', (saved, round, at) =>
      changes.changeSlots(
        saved,
        round,
        [
          {
            mod: 'NM',
            index: 1,
            from: { beatmapId: 75 },
            to: { beatmapId: 76 },
          },
        ],
        at,
      ),
    )
    const buckets = [{ code: 'EX', mods: [] }] as never
    const custom = draft('Grand finals', { packName: 'GF', buckets, slots: [] })
    await changeFirst('replaceRound', (saved, round, at) =>
      changes.replaceRound(saved, round, custom, at),
    )
    await changeFirst('replaceRound', (saved, round, at) =>
      changes.replaceRound(saved, round, draft('Finals'), at),
    )
    const swapped = await change('replaceRounds', (saved, at) => {
      const sheet = [...saved.rounds].toReversed().map(({ id, name }) => ({
        id,
        content: draft(name),
      }))
      return changes.replaceRounds(saved, sheet, freshSlug, at)
    })
    expect(swapped.rounds.map(({ name }) => name)).toEqual(['Semifinals', 'Finals'])
    for (const [at, role] of [
      [2, 'host'],
      [1, 'host'],
      [1, 'pooler'],
    ] as const) {
      const { gameId, username } = (await one.accounts.read(players[at]!))!
      const account = { accountId: players[at]!, gameId: gameId!, username }
      await change('setRole', (saved) => staffChanges.setRole(saved, account, role, null, 7_000))
    }
    await change('removeMember', (saved, at) =>
      staffChanges.removeMember(
        saved,
        saved.staff.find(({ role }) => role === 'pooler')!,
        at,
      ),
    )
    await changeFirst('schedule', (saved, round, at) =>
      releases.schedule(saved, round, at + 500, false, at),
    )
    const packSlug = freshSlug()
    await withPacks('releaseIfDue', (saved, round) =>
      releases.releaseIfDue(saved, round.id, () => packSlug, 8_000_000_000_000),
    )
    const released = await withPacks('release', (saved, round, at) =>
      releases.release(saved, round, false, freshSlug, at),
    )
    expect(released.rounds[0]!.released?.pack?.slug).toBe(packSlug)
    await moderate('hide')
    await moderate('unhide')

    // The next pack is hidden as the one that is withdrawn.
    const packNote = { ...asOperator('copied'), action: 'hide' as const, at: now }
    await one.packs.moderate(packSlug, () => {
      return { hiddenAt: now, hiddenReason: 'copied', pinnedRank: null, note: packNote }
    })
    const withdrawn = await withPacks('withdraw', releases.withdraw)
    expect(withdrawn.rounds[0]!.hiddenPack).toEqual({ at: now - 1_000, reason: 'copied' })
    const again = await withPacks('release', (saved, round, at) =>
      releases.release(saved, round, false, (before) => before ?? '', at),
    )
    expect(again.rounds[0]!.released?.pack?.hiddenReason).toBe('copied')
    for (const at of [0, 1]) {
      await change('schedule', (saved, since) =>
        releases.schedule(saved, saved.rounds[at]!, since + 500, false, since),
      )
    }
    const together = await withPacks('releaseAllDue', (saved) => {
      const due = saved.rounds.map(({ id }) => ({ roundId: id }))
      return releases.releaseAllDue(saved, due, (before) => before ?? freshSlug(), 8e12)
    })
    for (const { releaseAt, released: made } of together.rounds) {
      expect([releaseAt, made?.at]).toEqual([null, 8e12])
    }
    await withPacks('removeRound', changes.removeRound)
    now += 1_000
    const [deleted] = await one.tournaments.listDeletedRounds(slug, 0)
    const restored = await one.tournaments.restoreRound(
      slug,
      deleted!.round.id,
      players[0]!,
      { after: 0, at: now },
      (saved, round) => changes.restoreRound(saved, round, now),
    )
    await expectRead('restoreRound', restored)
    const helpers = [
      'removals',
      'moved',
      'withRound',
      'relinked',
      'assertLimit',
      'copiedRounds',
      'withMember',
      'changed',
    ]
    expect([...done, ...helpers].toSorted()).toEqual(Object.keys(all).toSorted())
  })

  it('is what is read then, while a suspension hides the tournament', async () => {
    await withPacks('release', (saved, round, at) =>
      releases.release(saved, round, false, freshSlug, at),
    )
    for (const gameId of [1, 3]) {
      const note = { ...asOperatorFor('spam'), action: 'suspend' as const, at: now }
      await one.suspensions.suspend(gameId, note)
    }
    const hidden = await moderate('hide')
    expect(hidden.hiddenAt).not.toBeNull()
    const shown = await moderate('unhide')
    expect(shown.hiddenAt).not.toBeNull()
    await withPacks('withdraw', releases.withdraw)
    await change('updateFacts', (saved, at) =>
      changes.updateFacts(saved, { name: 'Other Cup' }, at),
    )
  })
})
