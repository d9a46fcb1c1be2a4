import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { NewPack } from '../../../src/domain/packs.ts'
import type { TournamentFacts } from '../../../src/domain/tournaments.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import { aNewPack, freshSlug } from '../sample-pack.ts'
import { aRound, someFacts } from '../sample-tournament.ts'
import { updateAll } from '../search-steps.ts'
import { addOwners, withStore } from '../temp-store.ts'

const slot = (mod: string | null, index: number, beatmapId: number) => ({ mod, index, beatmapId })

describe('UsageStore', () => {
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const save = async (name: string, updatedAt: number, changes: Partial<NewPack> = {}) => {
    const pack = aNewPack({ name, updatedAt, slots: [slot('NM', 1, 75)], ...changes })
    expect((await one.packs.create(pack, null)).outcome).toBe('created')
    return pack
  }

  /** A tournament with one round, released as a pack of this name. */
  const release = async (name: string, facts: Partial<TournamentFacts> = {}) => {
    const slug = freshSlug()
    const pack = aNewPack({
      name,
      ownerId: SYSTEM_ACCOUNT_ID,
      slots: [slot('NM', 1, 75)],
      updatedAt: 9_000,
    })
    await one.tournaments.create({ ...someFacts, ...facts, slug, createdAt: 1 }, 'owner', 20)
    await one.tournaments.change(slug, null, 20, 0, (saved) => ({
      ...saved,
      rounds: [aRound({ name: 'Finals' })],
    }))
    await one.tournaments.changeWithPacks(slug, null, 5_000, (saved, now) => ({
      packs: [{ kind: 'create', pack }],
      content: {
        ...saved,
        rounds: saved.rounds.map((round) => ({
          ...round,
          released: {
            ...round,
            packSlug: pack.slug,
            scheduledFor: null,
            at: now,
            pack: null,
          },
        })),
      },
    }))
    return { slug, pack }
  }

  it('lists the slots that hold a beatmap, most recently saved packs first, in pages', async () => {
    const slots = [slot('NM', 1, 75), slot(null, 2, 7), slot('DT', 3, 75)]
    const old = await save('old', 1_000, { slots })
    const young = await save('young', 2_000)
    await updateAll(one)
    const { uses, totals } = await two.usage.list([75], 1, 2)
    expect(totals).toEqual(new Map([[75, 3]]))
    expect(uses).toEqual([
      {
        beatmapId: 75,
        slug: young.slug,
        packName: 'young',
        ownerId: 'owner',
        ownerUsername: 'mapper',
        mod: 'NM',
        index: 1,
        updatedAt: 2_000,
        round: null,
      },
      expect.objectContaining({ slug: old.slug, mod: 'NM', index: 1 }),
    ])
    const second = await two.usage.list([75], 2, 2)
    expect(second.uses).toMatchObject([{ slug: old.slug, mod: 'DT', index: 3 }])
    expect((await two.usage.list([75], 3, 2)).uses).toEqual([])
    const both = await two.usage.list([7, 75, 8], 1, 10)
    expect(both.uses.map(({ beatmapId, mod }) => [beatmapId, mod])).toEqual([
      [75, 'NM'],
      [75, 'NM'],
      [7, null],
      [75, 'DT'],
    ])
    expect(both.totals).toEqual(
      new Map([
        [7, 1],
        [75, 3],
        [8, 0],
      ]),
    )
  })

  it('names and counts only what is public at this moment (D-66)', async () => {
    const [kept, hidden, removed] = [
      await save('kept', 1_000),
      await save('hidden', 2_000),
      await save('removed', 3_000),
    ]
    await updateAll(one)
    await one.packs.moderate(hidden.slug, () => ({ hiddenAt: 5_000, pinnedRank: null }))
    await one.packs.remove(removed.slug, 'owner', 0)
    await save('not taken over', 4_000)
    for (const isRebuilding of [false, true]) {
      if (isRebuilding) await one.searchUpdates.rebuild()
      const { uses, totals } = await two.usage.list([75], 1, 10)
      expect(uses.map(({ slug }) => slug)).toEqual([kept.slug])
      expect(totals.get(75)).toBe(1)
      expect(await two.usage.last([75], null)).toMatchObject(
        new Map([[75, { total: 1, last: { slug: kept.slug } }]]),
      )
    }
  })

  it('names the round and the tournament while that is public and not hidden', async () => {
    const { slug, pack } = await release('HLC Finals')
    await updateAll(one)
    const roundOf = async () => (await two.usage.list([75], 1, 10)).uses[0]?.round
    const tournament = { slug, name: 'Harbour Lights Cup', year: 2026 }
    expect(await roundOf()).toEqual({ name: 'Finals', tournament })
    const change = (changes: object) =>
      one.tournaments.change(slug, null, 20, 0, (saved) => ({ ...saved, ...changes }))
    await change({ visibility: 'private' })
    expect(await roundOf()).toBeNull()
    await change({ visibility: 'public', hiddenAt: 1, hiddenReason: 'why' })
    expect(await roundOf()).toBeNull()
    expect((await two.usage.list([75], 1, 10)).uses[0]?.slug).toBe(pack.slug)
  })

  it('finds the last use, without the packs of one tournament where that is asked', async () => {
    const own = await save('own', 1_000)
    const { slug, pack } = await release('HLC Finals')
    await release('Other Finals')
    await updateAll(one)
    const last = await two.usage.last([75, 8], null)
    expect([...last.keys()]).toEqual([75])
    expect(last.get(75)?.total).toBe(3)
    const others = (await two.usage.last([75], slug)).get(75)
    expect(others?.total).toBe(2)
    expect(others?.last.slug).not.toBe(pack.slug)
    await one.packs.moderate(pack.slug, () => ({ hiddenAt: 5_000, pinnedRank: null }))
    expect((await two.usage.last([75], slug)).get(75)?.total).toBe(2)
    expect((await two.usage.list([75], 1, 10)).uses.at(-1)?.slug).toBe(own.slug)
  })

  it('counts what a beatmap was pooled with in the newest packs', async () => {
    await save('old', 1_000, { slots: [slot('NM', 1, 75), slot('NM', 2, 9)] })
    await save('young', 2_000, {
      slots: [slot('NM', 1, 75), slot('NM', 2, 8), slot('NM', 3, 8), slot('DT', 1, 75)],
    })
    await save('younger', 3_000, {
      slots: [slot('NM', 1, 75), slot('NM', 2, 8), slot('HD', 1, 7)],
    })
    await updateAll(one)
    const newest = [
      { beatmapId: 8, packs: 2 },
      { beatmapId: 7, packs: 1 },
    ]
    expect(await two.usage.pooledWith(75, 2, 10)).toEqual(newest)
    expect(await two.usage.pooledWith(75, 2, 1)).toEqual(newest.slice(0, 1))
    expect(await two.usage.pooledWith(75, 3, 10)).toContainEqual({ beatmapId: 9, packs: 1 })
    expect(await two.usage.pooledWith(1, 3, 10)).toEqual([])
  })
})
