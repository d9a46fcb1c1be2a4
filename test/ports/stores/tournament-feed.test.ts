import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { asOperatorFor } from '../../../src/domain/moderation.ts'
import { hide } from '../../../src/domain/tournament-changes.ts'
import type { TournamentFeedEntry } from '../../../src/domain/tournament-feed.ts'
import type { TournamentContent } from '../../../src/domain/tournaments.ts'
import { aSavedRound, aTournament } from '../../domain/a-tournament.ts'
import { freshSlug } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

/** The feed of what happens to tournaments (D-89), which is the store's feed of packs over a table of its own. */
describe('TournamentFeed', () => {
  let one: Stores
  let two: Stores
  let start: string

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
    start = (await readAll(null)).newest
  })

  const readAll = async (after: string | null, { tournamentChanges } = two) => {
    const portion = await tournamentChanges.read(after, 1_000)
    if (portion.outcome !== 'read') throw new Error(portion.outcome)
    return portion
  }
  const entries = async (after = start): Promise<readonly TournamentFeedEntry[]> =>
    (await readAll(after)).entries
  const kindsAfter = async (after = start) => (await entries(after)).map(({ kind }) => kind)

  const create = async (visibility: 'public' | 'private' = 'public', host = 'owner') => {
    const slug = freshSlug()
    const { rounds: _, staff: __, ...facts } = aTournament({ slug, visibility, createdAt: 7 })
    expect(await one.tournaments.create(facts, host, 20)).toBe('created')
    return slug
  }
  const change = (
    slug: string,
    at: number,
    changes: (saved: TournamentContent) => Partial<TournamentContent>,
    { tournaments } = one,
  ) => tournaments.change(slug, null, 20, at, (saved) => ({ ...saved, ...changes(saved) }))
  const addRound = (slug: string, id = freshSlug()) =>
    change(slug, 20, ({ rounds }) => ({
      rounds: [...rounds, aSavedRound({ id, input: { name: id } })],
    }))

  it('has entries with the time that the caller gives, as each process reads them, in the order of commits', async () => {
    const slug = await create('private')
    await change(slug, 5, () => ({ name: 'Other' }))
    await change(slug, 3, () => ({ visibility: 'public' }))
    const [made, named, shown] = await entries()
    const rest = { tournament: slug, roundId: null, packSlug: null }
    expect(made).toMatchObject({ ...rest, kind: 'staff', at: 7, readers: ['owner'] })
    expect(named).toMatchObject({ ...rest, kind: 'changed', at: 5, readers: ['owner'] })
    expect(shown).toMatchObject({ ...rest, kind: 'shown', at: 3, readers: null })
    expect((await readAll(start, one)).entries).toEqual(await entries())
    expect(await entries(made!.cursor)).toEqual([named, shown])
  })

  it('has nothing of a write that fails, or changes nothing', async () => {
    const slug = await create()
    const before = (await readAll(null)).newest
    const failing = change(slug, 5, () => {
      throw new Error('refused')
    })
    await expect(failing).rejects.toThrow('refused')
    await one.tournaments.change(slug, null, 20, 5, (saved) => saved)
    await change(slug, 5, (saved) => ({ updatedAt: saved.updatedAt + 1 }))
    const member = { accountId: 'nobody', gameId: 9, username: null, role: 'tester' } as const
    const unknown = { ...member, rounds: null, since: 1, seenAt: null }
    const refused = await change(slug, 5, ({ staff }) => ({
      name: 'Refused',
      staff: [...staff, unknown],
    }))
    expect(refused).toBe('no_account')
    expect((await readAll(null)).newest).toBe(before)
  })

  it('has what moderators and suspensions make of a tournament, and that it is deleted', async () => {
    const slug = await create()
    const note = { at: 9, moderatorId: null, action: 'hide', reason: null } as const
    await one.tournaments.moderate(slug, (saved) => ({ content: hide(saved, null, 9), note }))
    await change(slug, 10, () => ({ hiddenAt: null }))
    await one.suspensions.suspend(1, {
      ...asOperatorFor('spam'),
      action: 'suspend',
      at: 11,
    })
    await one.suspensions.unsuspend(1, {
      ...asOperatorFor('x'),
      action: 'unsuspend',
      at: 12,
    })
    await one.tournaments.changeWithPacks(slug, null, 13, () => ({ content: null, packs: [] }))
    const after = (await entries()).slice(2).map(({ kind, at }) => [kind, at])
    expect(after).toEqual([
      ['hidden', 9],
      ['shown', 10],
      ['hidden', 11],
      ['shown', 12],
      ['hidden', 13],
    ])
  })

  it('keeps nothing of an account that is gone, nor what it alone could know (D-74)', async () => {
    const [own, shared] = [await create('private'), await create('private', 'other')]
    const member = { accountId: 'owner', gameId: 1, username: null, role: 'host' } as const
    await change(shared, 8, ({ staff }) => ({
      staff: [...staff, { ...member, rounds: null, since: 8, seenAt: null }],
    }))
    const places = (await entries()).map(({ cursor }) => cursor)
    await one.accounts.remove('owner', 20)
    const all = await entries()
    expect(all.slice(0, places.length).map(({ cursor }) => cursor)).toEqual(places)
    expect(JSON.stringify(all)).not.toMatch(new RegExp(`"owner"|${own}`))
    const last = all.filter(({ readers }) => readers?.includes('other')).at(-1)
    expect(last).toMatchObject({ kind: 'staff', tournament: shared, readers: ['other'], at: 20 })
  })

  it('is no feed of packs: neither opens the cursors of the other', async () => {
    const portion = await one.changes.read(null, 1)
    const newest = portion.outcome === 'read' ? portion.newest : ''
    expect(await one.tournamentChanges.read(newest, 1)).toEqual({ outcome: 'malformed' })
    expect(await one.changes.read(start, 1)).toEqual({ outcome: 'malformed' })
  })

  it('forgets what is old, and never the last entry', async () => {
    const slug = await create()
    for (const at of [30, 31, 90, 91]) await change(slug, at, () => ({ name: `Cup ${at}` }))
    const all = await entries()
    while (await two.tournamentChanges.forget(60)) continue
    const oldest = all[3]!.cursor
    expect(await one.tournamentChanges.read(start, 9)).toEqual({ outcome: 'gone', oldest })
    expect(await entries(oldest)).toEqual(all.slice(4))
    while (await two.tournamentChanges.forget(200)) continue
    await change(slug, 300, () => ({ name: 'Late' }))
    expect(await kindsAfter(all.at(-1)!.cursor)).toEqual(['changed'])
  })

  it('while many write in two processes, readers get each entry once, none before one that was read', async () => {
    const slugs = await Promise.all(range(6).map((at) => create(at % 2 ? 'public' : 'private')))
    for (const slug of slugs) await addRound(slug)
    const begun = (await readAll(null)).newest
    const isDone = { value: false }
    const writing = Promise.all(
      slugs.map(async (slug, writer) => {
        for (const time of range(10)) {
          const stores = writer % 2 ? one : two
          await change(slug, time, () => ({ name: `Cup ${time}` }), stores)
        }
      }),
    ).finally(() => (isDone.value = true))
    const follow = async (stores: Stores) => {
      const seen: TournamentFeedEntry[] = []
      for (let isOver = false; !isOver;) {
        isOver = isDone.value
        await new Promise(setImmediate)
        seen.push(...(await readAll(seen.at(-1)?.cursor ?? begun, stores)).entries)
      }
      return seen
    }
    const [readers] = await Promise.all([Promise.all([one, two].map(follow)), writing])
    const all = await entries(begun)
    expect(all).toHaveLength(60)
    for (const seen of readers) expect(seen).toEqual(all)
    for (const slug of slugs) {
      const times = all.filter(({ tournament }) => tournament === slug).map(({ at }) => at)
      expect(times).toEqual(range(10))
    }
  })
})
