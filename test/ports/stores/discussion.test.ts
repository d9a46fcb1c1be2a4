import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { MAX_REMARKS } from '../../../src/contract/bounds.ts'
import {
  assertRoomFor,
  assertRoomForRemark,
  type NewCandidate,
  type NewRemark,
  type RoundPlace,
} from '../../../src/domain/discussion.ts'
import { aSavedRound, aTournament } from '../../domain/a-tournament.ts'
import { freshSlug } from '../sample-pack.ts'
import { withStore } from '../temp-store.ts'

const aCandidate = (changes: Partial<NewCandidate> = {}): NewCandidate => ({
  id: freshSlug(),
  mod: 'NM',
  index: 1,
  beatmapId: 75,
  note: null,
  createdAt: 3_000,
  ...changes,
})

const aRemark = (changes: Partial<NewRemark> = {}): NewRemark => ({
  id: freshSlug(),
  slot: null,
  text: 'Too long',
  createdAt: 3_000,
  ...changes,
})

const refused = (): never => {
  throw new Error('refused')
}

const anything = (): void => {}

describe('DiscussionStore', () => {
  let one: Stores
  let two: Stores
  let players = 0

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  const player = async () => {
    players += 1
    const [id, person] = [freshSlug(), { gameId: players, username: `player ${players}` }]
    await one.accounts.ensurePlayer(person, id, 0)
    return { accountId: id, ...person }
  }

  type Speaker = Awaited<ReturnType<typeof player>>

  const join = (slug: string, member: Speaker) =>
    one.tournaments.change(slug, null, 20, 0, (saved) => ({
      ...saved,
      updatedAt: saved.updatedAt + 1,
      staff: [
        ...saved.staff,
        { ...member, role: 'tester', rounds: null, since: 2_000, seenAt: null },
      ],
    }))

  /** A tournament with a round, its host and a tester. */
  const open = async () => {
    const [ada, ben] = [await player(), await player()]
    const place: RoundPlace = { slug: freshSlug(), roundId: freshSlug() }
    const { rounds: _, staff: __, ...facts } = aTournament({ slug: place.slug })
    expect(await one.tournaments.create(facts, ada.accountId, 20)).toBe('created')
    await one.tournaments.change(place.slug, ada.accountId, 20, 0, (saved) => ({
      ...saved,
      updatedAt: saved.updatedAt + 1,
      rounds: [aSavedRound({ id: place.roundId })],
    }))
    await join(place.slug, ben)
    return { place, ada, ben }
  }

  const markOf = async ({ slug, roundId }: RoundPlace, stores = one) => {
    const states = await stores.workspaces.read([slug], 0)
    return states.get(slug)!.discussion[roundId] ?? '0'
  }

  it('keeps candidates in the order of their proposal, with who proposed them', async () => {
    const { place, ada, ben } = await open()
    const first = aCandidate({ note: 'Easier', mod: null, index: 3, createdAt: 5_000 })
    const second = aCandidate({ createdAt: 4_000 })
    expect(await one.discussion.propose(place, ada.accountId, [first], anything)).toEqual([
      { ...first, proposedBy: ada, votes: [] },
    ])
    await two.discussion.propose(
      place,
      ben.accountId,
      [second],
      ({ tournament, round }, others) => {
        expect(tournament.slug).toBe(place.slug)
        expect(round.id).toBe(place.roundId)
        expect(others).toMatchObject([first])
      },
    )
    expect(await one.discussion.read(place)).toEqual({
      candidates: [
        { ...first, proposedBy: ada, votes: [] },
        { ...second, proposedBy: ben, votes: [] },
      ],
      remarks: [],
    })
  })

  it('sets one vote of each account, changes it and takes it back', async () => {
    const { place, ada, ben } = await open()
    const candidate = aCandidate()
    await one.discussion.propose(place, ada.accountId, [candidate], anything)
    const vote = ({ accountId }: Speaker, vote: -1 | 0 | 1, stores = one) =>
      stores.discussion.changeCandidate(place, candidate.id, 0, () => ({ accountId, vote }))
    await vote(ada, 1)
    await vote(ben, -1, two)
    await vote(ben, -1)
    const votes = [
      { ...ada, vote: 1 },
      { ...ben, vote: -1 },
    ]
    const both = (await one.discussion.read(place)).candidates[0]!.votes
    expect(both).toHaveLength(2)
    expect(both).toEqual(expect.arrayContaining(votes))
    expect(await vote(ben, 1)).toMatchObject({
      votes: expect.arrayContaining([{ ...ben, vote: 1 }]),
    })
    expect(await vote(ben, 0)).toMatchObject({ votes: [{ ...ada, vote: 1 }] })
    expect(await vote(ada, 0)).toMatchObject({ votes: [] })
  })

  it('moves a candidate to another slot, with its votes and its place among the others (D-83)', async () => {
    const { place, ada, ben } = await open()
    const [first, second] = [aCandidate({ note: 'Easier' }), aCandidate({ beatmapId: 9 })]
    const { accountId } = ada
    for (const each of [first, second]) {
      await one.discussion.propose(place, accountId, [each], anything)
    }
    await one.discussion.changeCandidate(place, first.id, 0, () => ({ ...ben, vote: -1 }))
    const [saved, other] = (await one.discussion.read(place)).candidates
    const mark = await markOf(place)
    const to = { mod: null, index: 7 }
    const moved = await one.discussion.moveCandidate(place, first.id, 0, to, (now, before, all) => {
      expect([now.round.id, before]).toEqual([place.roundId, saved])
      expect(all).toMatchObject([first, second])
    })
    expect(moved).toEqual({ ...saved, ...to })
    expect((await two.discussion.read(place)).candidates).toEqual([moved, other])
    expect(await markOf(place)).not.toBe(mark)
    const refuse = () => {
      throw new Error('no')
    }
    const refused = one.discussion.moveCandidate(
      place,
      first.id,
      0,
      { mod: 'NM', index: 1 },
      refuse,
    )
    await expect(refused).rejects.toThrow('no')
    expect((await two.discussion.read(place)).candidates).toEqual([moved, other])
    expect(await one.discussion.moveCandidate(place, 'AAAAAAAAAA', 0, to, anything)).toBeNull()
  })

  it('removes a candidate with its votes', async () => {
    const { place, ada } = await open()
    const candidate = aCandidate()
    await one.discussion.propose(place, ada.accountId, [candidate], anything)
    const { accountId } = ada
    await one.discussion.changeCandidate(place, candidate.id, 0, () => ({ accountId, vote: 1 }))
    const remove = () => one.discussion.changeCandidate(place, candidate.id, 0, () => 'remove')
    expect(await remove()).toBe('removed')
    expect(await remove()).toBeNull()
    expect(await two.discussion.read(place)).toEqual({ candidates: [], remarks: [] })
    expect((await one.discussion.readOf(accountId)).votes).toEqual([])
  })

  it('keeps remarks on slots and on the round, oldest first, and who settled them', async () => {
    const { place, ada, ben } = await open()
    const first = aRemark({ slot: { mod: null, index: 3 }, createdAt: 5_000 })
    const second = aRemark({ text: 'one\ntwo', createdAt: 4_000 })
    const unsettled = { isSettled: false, settledBy: null }
    const one1 = { ...first, ...unsettled, updatedAt: 5_000, writtenBy: ada }
    const two2 = { ...second, ...unsettled, updatedAt: 4_000, writtenBy: ben }
    expect(await one.discussion.addRemark(place, ada.accountId, first, anything)).toEqual(one1)
    await two.discussion.addRemark(place, ben.accountId, second, (_, remarks) =>
      expect(remarks).toBe(1),
    )
    expect((await one.discussion.read(place)).remarks).toEqual([one1, two2])
    const slot = { mod: 'NM', index: 2 }
    const settled = await one.discussion.changeRemark(place, first.id, 0, (_, saved) => {
      expect(saved).toEqual(one1)
      const settledBy = { accountId: ben.accountId }
      return { slot, text: 'Shorter', isSettled: true, settledBy, updatedAt: 6_000 }
    })
    const after = { slot, text: 'Shorter', isSettled: true, settledBy: ben, updatedAt: 6_000 }
    expect(settled).toEqual({ ...one1, ...after })
    expect(await two.discussion.changeRemark(place, first.id, 0, () => null)).toBe('removed')
    expect(await two.discussion.changeRemark(place, first.id, 0, () => null)).toBeNull()
    expect((await one.discussion.read(place)).remarks).toEqual([two2])
  })

  it('counts each write of a round in its mark, and those of no other round', async () => {
    const { place, ada } = await open()
    const other = await open()
    await one.discussion.addRemark(other.place, other.ada.accountId, aRemark(), anything)
    const otherMark = await markOf(other.place)
    expect(await markOf(place)).not.toBe(otherMark)
    const [candidate, remark] = [aCandidate(), aRemark()]
    const seen = new Set<string>()
    const writes = [
      () => one.discussion.propose(place, ada.accountId, [candidate], anything),
      () =>
        one.discussion.changeCandidate(place, candidate.id, 0, () => ({
          accountId: ada.accountId,
          vote: 1,
        })),
      () => one.discussion.changeCandidate(place, candidate.id, 0, () => 'remove'),
      () => one.discussion.addRemark(place, ada.accountId, remark, anything),
      () =>
        one.discussion.changeRemark(place, remark.id, 0, (_, saved) => ({
          ...saved,
          isSettled: true,
        })),
      () => one.discussion.changeRemark(place, remark.id, 0, () => null),
    ]
    for (const write of writes) {
      await write()
      seen.add(await markOf(place, two))
    }
    expect(seen.size).toBe(writes.length)
    expect(await markOf(other.place)).toBe(otherMark)
  })

  it('leaves the mark for a write that changes nothing (D-86)', async () => {
    const { place, ada } = await open()
    const [candidate, remark] = [aCandidate(), aRemark()]
    const { accountId } = ada
    const { discussion } = one
    await discussion.propose(place, accountId, [candidate], anything)
    await discussion.addRemark(place, accountId, remark, anything)
    for (const vote of [0, 1, -1, 0] as const) {
      const cast = () =>
        discussion.changeCandidate(place, candidate.id, 0, () => ({ accountId, vote }))
      await cast()
      const before = [await discussion.read(place), await markOf(place)]
      await cast()
      const { mod, index } = candidate
      await discussion.moveCandidate(place, candidate.id, 0, { mod, index }, anything)
      await discussion.changeRemark(place, remark.id, 0, (_, saved) => saved)
      expect([await discussion.read(place), await markOf(place)]).toEqual(before)
    }
  })

  it('writes nothing when a check or a change throws', async () => {
    const { place, ada } = await open()
    const [candidate, remark] = [aCandidate(), aRemark()]
    const { discussion } = one
    await discussion.propose(place, ada.accountId, [candidate], anything)
    await discussion.addRemark(place, ada.accountId, remark, anything)
    const before = [await discussion.read(place), await markOf(place)]
    const writes = await Promise.allSettled([
      discussion.propose(place, ada.accountId, [aCandidate()], refused),
      discussion.addRemark(place, ada.accountId, aRemark(), refused),
      discussion.changeCandidate(place, candidate.id, 0, refused),
      discussion.changeRemark(place, remark.id, 0, refused),
    ])
    const reason = { message: 'refused' }
    expect(writes).toMatchObject(writes.map(() => ({ status: 'rejected', reason })))
    expect([await discussion.read(place), await markOf(place)]).toEqual(before)
  })

  it('is null for a round and a tournament that are not there', async () => {
    const { place, ada } = await open()
    for (const nowhere of [
      { ...place, roundId: 'nobodyhas1' },
      { ...place, slug: 'nobodyhas1' },
    ]) {
      const { discussion } = one
      expect(await discussion.read(nowhere)).toEqual({ candidates: [], remarks: [] })
      expect(await discussion.propose(nowhere, ada.accountId, [aCandidate()], refused)).toBeNull()
      expect(await discussion.addRemark(nowhere, ada.accountId, aRemark(), refused)).toBeNull()
      expect(await discussion.changeCandidate(nowhere, 'nobodyhas1', 0, refused)).toBeNull()
      expect(await discussion.changeRemark(nowhere, 'nobodyhas1', 0, refused)).toBeNull()
    }
    const { discussion } = one
    expect(await discussion.changeCandidate(place, 'nobodyhas1', 0, refused)).toBeNull()
    expect(await discussion.changeRemark(place, 'nobodyhas1', 0, refused)).toBeNull()
  })

  /** 20 proposals through two doors; returns the candidates that there are then. */
  const proposeAtOnce = async (changes: (at: number) => Partial<NewCandidate>) => {
    const { place, ada } = await open()
    const proposals = Array.from({ length: 20 }, (_, at) => {
      const candidate = aCandidate(changes(at))
      return (at % 2 ? one : two).discussion.propose(
        place,
        ada.accountId,
        [candidate],
        (_now, others) => assertRoomFor(candidate, others),
      )
    })
    const results = await Promise.allSettled(proposals)
    const { candidates } = await one.discussion.read(place)
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBe(candidates.length)
    return candidates
  }

  it('lets 8 of 20 concurrent proposals into a slot', async () => {
    expect(await proposeAtOnce((at) => ({ beatmapId: at + 1 }))).toHaveLength(8)
  })

  it('lets one of 20 concurrent proposals of a beatmap into a slot', async () => {
    expect(await proposeAtOnce(() => ({ mod: null }))).toHaveLength(1)
  })

  it('keeps each of 20 concurrent votes', async () => {
    const { place, ada } = await open()
    const candidate = aCandidate()
    await one.discussion.propose(place, ada.accountId, [candidate], anything)
    const voters = await Promise.all(Array.from({ length: 20 }, player))
    for (const voter of voters) await join(place.slug, voter)
    await Promise.all(
      voters.map(({ accountId }, at) =>
        (at % 2 ? one : two).discussion.changeCandidate(place, candidate.id, 0, () => ({
          accountId,
          vote: 1,
        })),
      ),
    )
    const [voted] = (await one.discussion.read(place)).candidates
    expect(new Set(voted!.votes.map(({ accountId }) => accountId)).size).toBe(20)
  })

  it('lets exactly 500 remarks into a round, whoever adds them at the same time', async () => {
    const { place, ada } = await open()
    const add = (at: number) =>
      (at % 2 ? one : two).discussion.addRemark(place, ada.accountId, aRemark(), (_, remarks) =>
        assertRoomForRemark(remarks),
      )
    for (let added = 0; added < MAX_REMARKS - 20; added += 40) {
      await Promise.all(Array.from({ length: 40 }, (_, at) => add(at)))
    }
    const last = await Promise.allSettled(Array.from({ length: 40 }, (_, at) => add(at)))
    expect(last.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
    expect((await one.discussion.read(place)).remarks).toHaveLength(MAX_REMARKS)
  })

  it('votes go with who leaves the staff; who deletes their account leaves no name', async () => {
    const { place, ada, ben } = await open()
    const [candidate, remark] = [aCandidate(), aRemark()]
    const { discussion } = one
    await discussion.propose(place, ben.accountId, [candidate], anything)
    await discussion.addRemark(place, ben.accountId, remark, anything)
    const { accountId } = ben
    const settle = {
      slot: null,
      text: 'x',
      isSettled: true,
      settledBy: { accountId },
      updatedAt: 9_000,
    }
    await discussion.changeRemark(place, remark.id, 0, () => settle)
    const vote = () =>
      discussion.changeCandidate(place, candidate.id, 0, () => ({ accountId, vote: 1 as const }))
    await vote()
    await one.tournaments.change(place.slug, ada.accountId, 20, 0, (saved) => ({
      ...saved,
      updatedAt: saved.updatedAt + 1,
      staff: saved.staff.filter((member) => member.accountId !== accountId),
    }))
    const left = await discussion.read(place)
    expect(left.candidates).toMatchObject([{ proposedBy: ben, votes: [] }])
    expect(left.remarks).toMatchObject([{ writtenBy: ben, settledBy: ben }])
    await join(place.slug, ben)
    await vote()
    expect(await one.accounts.remove(accountId, 9_000)).toBe(true)
    const after = await two.discussion.read(place)
    expect(after.candidates).toEqual([{ ...candidate, proposedBy: null, votes: [] }])
    expect(after.remarks).toMatchObject([{ writtenBy: null, isSettled: true, settledBy: null }])
  })

  it('stays with a round that is deleted, until that is forgotten, and goes with its tournament', async () => {
    const { place, ada } = await open()
    await one.discussion.propose(place, ada.accountId, [aCandidate()], anything)
    await one.discussion.addRemark(place, ada.accountId, aRemark(), anything)
    await one.tournaments.change(place.slug, ada.accountId, 20, 0, (saved) => ({
      ...saved,
      updatedAt: saved.updatedAt + 1,
      rounds: [],
    }))
    expect((await one.discussion.read(place)).candidates).toHaveLength(1)
    await one.tournaments.forgetDeletedRounds(Number.MAX_SAFE_INTEGER)
    expect(await one.discussion.readOf(ada.accountId)).toEqual({
      candidates: [],
      votes: [],
      remarks: [],
    })
  })

  it('returns what an account has said in all rounds, and nothing of others', async () => {
    const { place, ada, ben } = await open()
    const other = await open()
    await join(other.place.slug, ben)
    const [candidate, theirs] = [aCandidate({ note: 'Good' }), aCandidate({ beatmapId: 76 })]
    const remark = aRemark({ slot: { mod: 'NM', index: 1 } })
    const { discussion } = one
    await discussion.propose(place, ben.accountId, [candidate], anything)
    await discussion.propose(other.place, other.ada.accountId, [theirs], anything)
    await discussion.addRemark(other.place, ben.accountId, remark, anything)
    await discussion.addRemark(place, ada.accountId, aRemark(), anything)
    const { accountId } = ben
    await discussion.changeCandidate(other.place, theirs.id, 0, () => ({ accountId, vote: -1 }))
    const { note: _, ...votedOn } = theirs
    expect(await discussion.readOf(accountId)).toEqual({
      candidates: [{ ...place, ...candidate }],
      votes: [{ ...other.place, ...votedOn, vote: -1 }],
      remarks: [{ ...other.place, ...remark, isSettled: false, updatedAt: 3_000 }],
    })
  })
})
