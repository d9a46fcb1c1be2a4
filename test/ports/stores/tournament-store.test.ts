import * as fc from 'fast-check'
import { numberingSystems } from '../../support/numbering-systems.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import type { NewPack } from '../../../src/domain/packs.ts'
import type {
  SavedMember,
  SavedRound,
  SavedTournament,
  TournamentFacts,
} from '../../../src/domain/tournaments.ts'
import type { TournamentFilter } from '../../../src/ports/tournaments.ts'
import { aNewPack, freshSlug } from '../sample-pack.ts'
import { draftOf } from '../../../src/domain/rounds.ts'
import { aRound, someFacts } from '../sample-tournament.ts'
import { withStore } from '../temp-store.ts'

const aPoolsPack = (changes: Partial<NewPack> = {}): NewPack =>
  aNewPack({ ownerId: SYSTEM_ACCOUNT_ID, name: 'HLC Finals', ...changes })

const refused = (): never => {
  throw new Error('refused')
}

const allOf: TournamentFilter = { search: '', ruleset: null, rank: null, year: null }

/** More than anybody hosts here. */
const LIMIT = 100

describe('TournamentStore', () => {
  let one: Stores
  let two: Stores
  let players = 0

  const account = async (): Promise<string> => {
    const id = freshSlug()
    const player = { gameId: (players += 1), username: `player ${players}` }
    await one.accounts.ensurePlayer(player, id, 0)
    return id
  }

  const memberOf = async (accountId: string, role: SavedMember['role']): Promise<SavedMember> => {
    const { gameId, username } = (await one.accounts.read(accountId))!
    return { accountId, gameId: gameId!, username, role, rounds: null, since: 3_000, seenAt: null }
  }

  type Made = { readonly slug: string; readonly host: string }

  const aTournament = async (
    changes: Partial<TournamentFacts & { createdAt: number; host: string }> = {},
  ): Promise<Made> => {
    const { host = await account(), ...rest } = changes
    const slug = freshSlug()
    const made = { ...someFacts, createdAt: 1_000, ...rest, slug }
    expect(await one.tournaments.create(made, host, LIMIT)).toBe('created')
    return { slug, host }
  }

  const change = (
    slug: string,
    content: (saved: SavedTournament) => Partial<SavedTournament>,
    { stores = one, by = null as string | null, limit = LIMIT } = {},
  ) =>
    stores.tournaments.change(slug, by, limit, 0, (saved) => ({
      ...saved,
      updatedAt: saved.updatedAt + 1,
      ...content(saved),
    }))

  const withRound = async (round: SavedRound): Promise<Made> => {
    const made = await aTournament()
    await change(made.slug, () => ({ rounds: [round] }))
    return made
  }

  /** Releases the only round of a tournament as this pack. */
  const release = (slug: string, pack: NewPack, stores = one) =>
    stores.tournaments.changeWithPacks(slug, null, 5_000, (saved, now) => ({
      packs: [{ kind: 'create', pack }],
      content: {
        ...saved,
        updatedAt: saved.updatedAt + 1,
        rounds: saved.rounds.map((round) => ({
          ...round,
          releaseAt: null,
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

  /** A round that was released without the beatmap that its draft has got since. */
  const aFilledRound = (round: SavedRound): SavedRound => {
    const slots = [{ mod: 'NM', index: 1 }]
    const pack = { ...aPoolsPack(), ownerUsername: null }
    const released = { ...round, packSlug: pack.slug, scheduledFor: null, at: 1, slots, pack }
    return { ...round, released }
  }

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  describe('create and read', () => {
    it('gives back every field as it was stored, and the account as the only host', async () => {
      const host = await account()
      const all = {
        ...someFacts,
        name: 'É "quoted" \\ 🏆',
        description: 'two\nlines; ',
        link: 'https://example.org/',
        announceRounds: true,
        slug: freshSlug(),
        createdAt: 1_790_000_000_123,
        copiedFrom: 'AAAAAAAAAA',
        rounds: [aRound({ name: 'Finals', packName: 'Copied' }), aRound({ name: 'Semifinals' })],
      }
      expect(await one.tournaments.create(all, host, LIMIT)).toBe('created')
      const member = { ...(await memberOf(host, 'host')), since: all.createdAt }
      const expected = {
        ...all,
        hiddenAt: null,
        hiddenReason: null,
        staff: [member],
        updatedAt: all.createdAt,
        publicAt: all.createdAt,
      }
      expect(await one.tournaments.read(all.slug)).toEqual(expected)
      expect(await two.tournaments.read(all.slug)).toEqual(expected)
    })

    it('gives null for a slug that nobody has, whatever it holds', async () => {
      expect(await one.tournaments.read('nobodyhas1')).toBeNull()
      expect(await one.tournaments.read('nobody\0has')).toBeNull()
    })

    it('writes nothing for a slug that is taken, and for an account that is gone', async () => {
      const { slug, host } = await aTournament()
      const other = { ...someFacts, slug, name: 'Another', createdAt: 1_000 }
      expect(await one.tournaments.create(other, host, LIMIT)).toBe('slug_taken')
      expect((await one.tournaments.read(slug))?.name).toBe(someFacts.name)
      const free = { ...other, slug: freshSlug() }
      expect(await one.tournaments.create(free, 'nobody', LIMIT)).toBe('no_owner')
      expect(await one.tournaments.read(free.slug)).toBeNull()
    })

    it('makes exactly as many as the limit allows, however many come at once', async () => {
      const host = await account()
      const outcomes = await Promise.all(
        Array.from({ length: 12 }, (_, at) => {
          const { tournaments } = at % 2 === 0 ? one : two
          return tournaments.create({ ...someFacts, slug: freshSlug(), createdAt: 1 }, host, 5)
        }),
      )
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(5)
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(7)
      expect((await one.tournaments.listOfMember(host, 1, 50)).total).toBe(5)
    })
  })

  describe('findWrite', () => {
    it('finds what was made under a key, for its account and from then on (D-86)', async () => {
      const host = await account()
      const made = freshSlug()
      const named = { accountId: host, key: 'k', fingerprint: 'f', since: 500, made, at: 1_000 }
      const once = { ...named, repeat: refused }
      expect(await two.tournaments.findWrite(once)).toBeNull()
      const tournament = { ...someFacts, slug: made, createdAt: 1_000 }
      expect(await one.tournaments.create(tournament, host, LIMIT, once)).toBe('created')
      expect(await two.tournaments.findWrite(once)).toEqual({ fingerprint: 'f', made })
      expect(await two.tournaments.findWrite({ ...once, since: 1_001 })).toBeNull()
      expect(await two.tournaments.findWrite({ ...once, key: 'other' })).toBeNull()
      expect(await two.tournaments.findWrite({ ...once, accountId: await account() })).toBeNull()
    })
  })

  describe('change', () => {
    it('gives back rounds in order with every field, and what it returned', async () => {
      const { slug } = await aTournament()
      const whole = aRound({
        name: 'Quarterfinals',
        bestOf: 11,
        bans: 2,
        packName: 'HLC QF',
        targets: { stars: { min: 5.4, max: 6.3 }, length: { max: 300 } },
        slots: [
          { mod: 'NM', index: 1, beatmapId: 75 },
          { mod: 'TB', index: 1, placeholder: 'custom map, due Sunday' },
          { mod: null, index: 1 },
        ],
        buckets: [{ code: 'NM' }, { code: 'TB', color: 9 }],
        releaseAt: 1_790_000_000_000,
      })
      const rounds = [aRound(), whole, aRound({ name: 'Semifinals' })]
      const saved = await change(slug, () => ({ rounds }))
      expect(saved).toMatchObject({ slug, rounds })
      expect(await two.tournaments.read(slug)).toEqual(saved)
      const turned = rounds.toReversed()
      expect(await change(slug, () => ({ rounds: turned }))).toMatchObject({ rounds: turned })
      const left = await change(slug, () => ({ rounds: [whole] }))
      expect(left).toMatchObject({ rounds: [whole] })
      expect(await one.tournaments.read(slug)).toEqual(left)
    })

    it('gives null for a slug that nobody has, and passes on what is thrown', async () => {
      expect(await change('nobodyhas1', refused)).toBeNull()
      const { slug } = await aTournament()
      const before = await one.tournaments.read(slug)
      await expect(change(slug, refused)).rejects.toThrow('refused')
      expect(await one.tournaments.read(slug)).toEqual(before)
    })

    it('saves facts, and lists the staff by role and time under their names of now', async () => {
      const { slug, host } = await aTournament()
      const [tester, pooler, late] = [await account(), await account(), await account()]
      const added = [
        { ...(await memberOf(tester, 'tester')), since: 1 },
        { ...(await memberOf(late, 'pooler')), since: 5 },
        { ...(await memberOf(pooler, 'pooler')), since: 4 },
      ]
      await change(slug, ({ staff }) => ({ name: 'Renamed', staff: [...staff, ...added] }))
      await one.accounts.ensurePlayer({ gameId: players, username: 'Late' }, 'none', 0)
      const saved = (await two.tournaments.read(slug))!
      expect(saved.name).toBe('Renamed')
      expect(saved.staff.map(({ accountId }) => accountId)).toEqual([host, pooler, late, tester])
      expect(saved.staff[2]).toMatchObject({ username: 'Late', role: 'pooler', since: 5 })
      await change(slug, ({ staff }) => ({
        staff: staff.flatMap((member) =>
          member.role === 'tester' ? [] : { ...member, role: 'host' as const },
        ),
      }))
      const { staff } = (await one.tournaments.read(slug))!
      expect(staff.map(({ role }) => role)).toEqual(['host', 'host', 'host'])
    })

    it('adds nobody who has no account, and writes nothing then', async () => {
      const { slug } = await aTournament()
      const before = await one.tournaments.read(slug)
      const gone = {
        accountId: 'gone',
        gameId: 1,
        username: null,
        role: 'tester',
        rounds: null,
        since: 1,
        seenAt: null,
      } as const
      const outcome = await change(slug, ({ staff }) => ({ name: 'X', staff: [...staff, gone] }))
      expect(outcome).toBe('no_account')
      expect(await one.tournaments.read(slug)).toEqual(before)
    })

    it('makes nobody the host of more than the limit, however many come at once', async () => {
      const player = await account()
      const host = await memberOf(player, 'host')
      await aTournament({ host: player })
      const made = await Promise.all(Array.from({ length: 6 }, () => aTournament()))
      const outcomes = await Promise.all(
        made.map(({ slug }, at) =>
          change(slug, ({ staff }) => ({ staff: [...staff, host] }), {
            stores: at % 2 === 0 ? one : two,
            limit: 3,
          }),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === 'full')).toHaveLength(4)
      const { rows: tournaments } = await one.tournaments.listOfMember(player, 1, 50)
      expect(tournaments.map(({ role }) => role)).toEqual(['host', 'host', 'host'])
      // Who hosts it already is not counted again.
      const { slug } = tournaments[0]!
      const again = await change(slug, () => ({ name: 'Still' }), { limit: 3 })
      expect(again).toMatchObject({ name: 'Still' })
    })

    it('leaves a host where two demote one another at once', async () => {
      const { slug, host } = await aTournament()
      const other = await account()
      const member = await memberOf(other, 'host')
      await change(slug, ({ staff }) => ({ staff: [...staff, member] }))
      const demote = (accountId: string, stores: Stores) =>
        change(
          slug,
          ({ staff }) => {
            const after = staff.map((each) =>
              each.accountId === accountId ? { ...each, role: 'referee' as const } : each,
            )
            return after.some(({ role }) => role === 'host') ? { staff: after } : refused()
          },
          { stores },
        )
      const outcomes = await Promise.allSettled([demote(other, one), demote(host, two)])
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const { staff } = (await one.tournaments.read(slug))!
      expect(staff.map(({ role }) => role)).toEqual(['host', 'referee'])
    })

    it('keeps a host who is not suspended, whoever else leaves (D-76)', async () => {
      const { slug, host } = await aTournament()
      const [other, third, tester] = [await account(), await account(), await account()]
      const members = [await memberOf(other, 'host'), await memberOf(third, 'host')]
      const reader = await memberOf(tester, 'tester')
      await change(slug, ({ staff }) => ({ staff: [...staff, ...members, reader] }))
      const note = { moderatorId: null, reason: 'spam', action: 'suspend', at: 5 } as const
      for (const { gameId } of members) await one.suspensions.suspend(gameId, note)
      const leave = (accountId: string) =>
        change(slug, ({ staff }) => ({
          staff: staff.filter((member) => member.accountId !== accountId),
        }))
      expect(await leave(host)).toBe('no_host')
      expect(await change(slug, () => ({ staff: [] }))).toBe('no_host')
      // Whose leave takes no host away is no matter of the others.
      expect(await leave(tester)).toMatchObject({ slug })
      expect(await leave(other)).toMatchObject({ slug })
      const end = { ...note, action: 'unsuspend' } as const
      expect(await one.suspensions.unsuspend(members[1]!.gameId, end)).toBe(true)
      expect(await leave(host)).toMatchObject({ slug })
      const { staff } = (await one.tournaments.read(slug))!
      expect(staff.map(({ accountId }) => accountId)).toEqual([third])
    })

    it('loses none of eight changes of one round that come at once', async () => {
      const round = aRound({ slots: [] })
      const { slug } = await withRound(round)
      const add = (index: number, stores: Stores) =>
        change(
          slug,
          ({ rounds: [saved] }) => ({
            rounds: [
              {
                ...saved!,
                slots: [...saved!.slots, { mod: 'NM', index, beatmapId: index }],
                version: saved!.version + 1,
                updatedAt: saved!.updatedAt + 1,
              },
            ],
          }),
          { stores },
        )
      const indexes = [1, 2, 3, 4, 5, 6, 7, 8]
      await Promise.all(indexes.map((index) => add(index, index % 2 === 0 ? one : two)))
      const [saved] = (await one.tournaments.read(slug))!.rounds
      expect(new Set(saved!.slots.map(({ index }) => index))).toEqual(new Set(indexes))
      expect(saved!.version).toBe(9)
      const versions = await one.tournaments.readVersions(slug, round.id)
      expect(versions.map(({ content }) => content.slots.length)).toEqual([
        8, 7, 6, 5, 4, 3, 2, 1, 0,
      ])
    })
  })

  describe('read', () => {
    it('returns the same object until something of it changes', async () => {
      const { slug } = await withRound(aRound())
      const saved = await two.tournaments.read(slug)
      // Whatever else was saved meanwhile.
      await aTournament()
      expect(await two.tournaments.read(slug)).toBe(saved)
      await change(slug, () => ({ name: 'Renamed' }))
      expect(await two.tournaments.read(slug)).toMatchObject({ name: 'Renamed' })
    })

    it('returns another one when the pack of a round changes, or is gone', async () => {
      const { slug } = await withRound(aRound())
      const pack = aPoolsPack()
      await release(slug, pack)
      const packOf = async () => (await two.tournaments.read(slug))?.rounds[0]?.released?.pack
      const saved = await packOf()
      expect(saved).toEqual({ ...pack, ownerUsername: null })
      expect(await packOf()).toBe(saved)
      const verdict = { hiddenAt: 6_000, hiddenReason: 'why', pinnedRank: null }
      await one.packs.moderate(pack.slug, () => verdict)
      expect(await packOf()).toMatchObject({ hiddenAt: 6_000, hiddenReason: 'why' })
      await one.packs.changeExports(pack.slug, SYSTEM_ACCOUNT_ID, () => [
        { url: 'magnet:?xt=urn:btih:00', createdAt: 1 },
      ])
      expect((await packOf())?.exports).toHaveLength(1)
      await one.packs.remove(pack.slug, SYSTEM_ACCOUNT_ID, 0)
      expect(await packOf()).toBeNull()
    })
  })

  describe('versions', () => {
    it('keeps what changed, when and by whom, newest first (D-60)', async () => {
      const round = aRound()
      const { slug, host } = await withRound(round)
      const again = (slots: SavedRound['slots'], version: number) =>
        change(
          slug,
          ({ rounds: [saved] }) => ({
            rounds: [{ ...saved!, slots, version, updatedAt: saved!.updatedAt + 1_000 }],
          }),
          { by: host },
        )
      await again([], 2)
      await again([{ mod: 'HD', index: 1 }], 2)
      // Neither its place nor its schedule is a part of the draft.
      await change(slug, ({ rounds: [saved] }) => ({
        rounds: [aRound({ name: 'First' }), { ...saved!, releaseAt: 9_000 }],
      }))
      const content = draftOf(round)
      const { username } = (await one.accounts.read(host))!
      expect(await two.tournaments.readVersions(slug, round.id)).toEqual([
        {
          version: 2,
          savedAt: 4_000,
          savedBy: { accountId: host, username },
          content: { ...content, slots: [{ mod: 'HD', index: 1 }] },
        },
        { version: 1, savedAt: 2_000, savedBy: null, content },
      ])
      expect(await one.tournaments.readVersions(slug, 'nobodyhas1')).toEqual([])
    })

    it('keeps the newest hundred', async () => {
      const round = aRound({ version: 99 })
      const { slug } = await withRound(round)
      for (const version of [100, 101, 198, 199, 200]) {
        await change(slug, ({ rounds: [saved] }) => ({ rounds: [{ ...saved!, version }] }))
      }
      const versions = await one.tournaments.readVersions(slug, round.id)
      expect(versions.map(({ version }) => version)).toEqual([200, 199, 198, 101])
    })
  })

  describe('listComing', () => {
    it('is of rounds that everybody may know of, the soonest first', async () => {
      const made: string[] = []
      const scheduled = async (changes: Parameters<typeof aTournament>[0], releaseAt: number) => {
        const { slug } = await aTournament({ announceRounds: true, ...changes })
        made.push(slug)
        await change(slug, () => ({ rounds: [aRound({ releaseAt })] }))
        return slug
      }
      const later = await scheduled({}, 3)
      const sooner = await scheduled({}, 2)
      const hidden = await scheduled({}, 1)
      await change(hidden, () => ({ hiddenAt: 1 }))
      await scheduled({ visibility: 'private' }, 1)
      await scheduled({ announceRounds: false }, 1)
      const { slug: unscheduled } = await aTournament({ announceRounds: true })
      await change(unscheduled, () => ({ rounds: [aRound()] }))
      const again = await scheduled({}, 1)
      await release(again, aPoolsPack())
      await change(again, ({ rounds: [round] }) => ({ rounds: [{ ...round!, releaseAt: 1 }] }))
      const listed = await one.tournaments.listComing(2)
      expect(listed).toEqual([sooner, later])
      // Other tests ask what is due.
      for (const slug of made) await change(slug, () => ({ rounds: [] }))
    })
  })

  describe('changeWithPacks', () => {
    it('creates, replaces and removes a pack with the change of the tournament', async () => {
      const { slug } = await withRound(aRound({ releaseAt: 4_000 }))
      const pack = aPoolsPack({ createdAt: 5_000, updatedAt: 5_000 })
      const before = await one.changes.read(null, 1)
      const { newest } = before as { newest: string }
      expect(await release(slug, pack)).toMatchObject({
        rounds: [{ releaseAt: null, released: { packSlug: pack.slug, at: 5_000, pack } }],
      })
      expect(await one.packs.read(pack.slug)).toEqual({ ...pack, ownerUsername: null })
      expect(await one.tournaments.findByPack(pack.slug)).toBe(slug)
      const state = { ...pack, name: 'Again', version: 2, versionAt: 6_000, updatedAt: 6_000 }
      await one.tournaments.changeWithPacks(slug, null, 6_000, (content) => ({
        packs: [{ kind: 'replace', slug: pack.slug, state }],
        content,
      }))
      expect(await two.packs.read(pack.slug)).toMatchObject({ name: 'Again', version: 2 })
      expect((await one.packs.readHistory(pack.slug))?.versions).toHaveLength(2)
      const withdrawn = await one.tournaments.changeWithPacks(slug, null, 7_000, (saved) => ({
        packs: [{ kind: 'remove', slug: pack.slug }],
        content: {
          ...saved,
          rounds: saved.rounds.map((round) => ({ ...round, released: null })),
        },
      }))
      expect(withdrawn).toMatchObject({ rounds: [{ released: null }] })
      expect(await one.packs.read(pack.slug)).toBeNull()
      expect(await one.tournaments.findByPack(pack.slug)).toBeNull()
      const feed = await one.changes.read(newest, 10)
      expect(feed).toMatchObject({
        entries: [
          { kind: 'created', at: 5_000, slug: pack.slug, isListed: true },
          { kind: 'changed', at: 6_000 },
          { kind: 'deleted', at: 7_000, wasListed: true },
        ],
      })
    })

    it('makes packs whose stats are due', async () => {
      const { slug } = await withRound(aRound())
      const pack = aPoolsPack()
      await release(slug, pack)
      const due = await one.statsWork.takeDue(10_000, 20_000, 1_000)
      expect(due.map((each) => each.pack.slug)).toContain(pack.slug)
    })

    it('deletes the tournament with its rounds; packs go if the change says so', async () => {
      const round = aRound()
      const { slug, host } = await withRound(round)
      const pack = aPoolsPack()
      await release(slug, pack)
      const gone = await one.tournaments.changeWithPacks(slug, null, 6_000, () => ({
        packs: [{ kind: 'remove', slug: pack.slug }],
        content: null,
      }))
      expect(gone).toBe('deleted')
      expect(await one.tournaments.read(slug)).toBeNull()
      expect(await one.packs.read(pack.slug)).toBeNull()
      expect(await one.tournaments.readVersions(slug, round.id)).toEqual([])
      expect((await one.tournaments.listOfMember(host, 1, 50)).total).toBe(0)
    })

    it('writes nothing when the slug of the pack is taken, when told so, or when it throws', async () => {
      const { slug } = await withRound(aRound({ releaseAt: 4_000 }))
      const before = await one.tournaments.read(slug)
      const taken = aPoolsPack()
      await one.packs.create(taken, null)
      expect(await release(slug, { ...taken, name: 'Other' })).toBe('slug_taken')
      expect((await one.packs.read(taken.slug))?.name).toBe(taken.name)
      expect(await one.tournaments.changeWithPacks(slug, null, 0, () => null)).toBeNull()
      expect(await one.tournaments.changeWithPacks('nobodyhas1', null, 0, refused)).toBeNull()
      await expect(one.tournaments.changeWithPacks(slug, null, 0, refused)).rejects.toThrow(
        'refused',
      )
      const pack = aPoolsPack()
      const half = one.tournaments.changeWithPacks(slug, null, 0, (content) => ({
        packs: [
          { kind: 'create', pack },
          { kind: 'replace', slug: 'nobodyhas1', state: pack },
        ],
        content,
      }))
      await expect(half).rejects.toThrow('nobodyhas1')
      expect(await one.packs.read(pack.slug)).toBeNull()
      expect(await two.tournaments.read(slug)).toEqual(before)
    })

    it('comes one after another with changes of the drafts and saves of packs', async () => {
      const round = aRound({ slots: [] })
      const { slug } = await withRound(round)
      const pack = aPoolsPack()
      await release(slug, pack)
      const count = (at: number) => {
        const stores = at % 2 === 0 ? one : two
        const next = (saved: SavedTournament) => ({ ...saved, updatedAt: saved.updatedAt + 1 })
        if (at % 3 === 0) return change(slug, () => ({}), { stores })
        if (at % 3 === 1) {
          return stores.packs.replace(pack.slug, SYSTEM_ACCOUNT_ID, (saved) => ({
            ...saved,
            updatedAt: saved.updatedAt + 1,
          }))
        }
        return stores.tournaments.changeWithPacks(slug, null, 0, (saved) => {
          const state = saved.rounds[0]!.released!.pack!
          const updated = { ...state, updatedAt: state.updatedAt + 1 }
          return {
            packs: [{ kind: 'replace', slug: pack.slug, state: updated }],
            content: next(saved),
          }
        })
      }
      const before = (await one.tournaments.read(slug))!
      await Promise.all(Array.from({ length: 24 }, (_, at) => count(at)))
      const after = (await one.tournaments.read(slug))!
      expect(after.updatedAt - before.updatedAt).toBe(16)
      expect((await one.packs.read(pack.slug))!.updatedAt - pack.updatedAt).toBe(16)
    })
  })

  describe('due', () => {
    it('lists the rounds whose time has come, the earliest first, and says when the next one is', async () => {
      const [late, soon, now] = [
        aRound({ releaseAt: 900 }),
        aRound({ name: 'A', releaseAt: 700 }),
        aRound({ name: 'B', releaseAt: 800 }),
      ]
      const { slug } = await aTournament()
      await change(slug, () => ({ rounds: [late, soon, now, aRound({ name: 'C' })] }))
      const due = async (at: number, limit: number) => {
        const { rounds, nextInMs } = await two.tournaments.due(at, limit)
        return [rounds.map(({ roundId }) => roundId), nextInMs]
      }
      expect(await due(699, 9)).toEqual([[], 1])
      expect(await due(700, 9)).toEqual([[soon.id], 100])
      expect(await due(850, 9)).toEqual([[soon.id, now.id], 50])
      expect(await due(900, 2)).toEqual([[soon.id, now.id], 0])
      expect((await one.tournaments.due(700, 1)).rounds).toEqual([{ slug, roundId: soon.id }])
      await change(slug, () => ({ rounds: [] }))
    })

    it('lists what has waited longest first, be it a release or a fill, so that neither waits for all of the other (D-63, D-78)', async () => {
      const arbitraryRounds = fc.uniqueArray(
        fc.record({
          kind: fc.constantFrom('scheduled', 'filled'),
          since: fc.integer({ min: 1, max: 500 }),
        }),
        { selector: ({ since }) => since, minLength: 1, maxLength: 12 },
      )
      await fc.assert(
        fc.asyncProperty(
          arbitraryRounds,
          fc.integer({ min: 1, max: 12 }),
          async (rounds, limit) => {
            const { slug } = await aTournament()
            const saved: SavedRound[] = []
            for (const [at, { kind, since }] of rounds.entries()) {
              const name = `Round ${at}`
              const round = aRound({ name, updatedAt: since })
              saved.push(
                kind === 'scheduled' ? { ...round, releaseAt: since } : aFilledRound(round),
              )
            }
            await change(slug, () => ({ rounds: saved }))
            const sinceOf = new Map(saved.map(({ id }, at) => [id, rounds[at]!.since]))
            const { rounds: due } = await two.tournaments.due(500, limit)
            const wanted = rounds.map(({ since }) => since).toSorted((a, b) => a - b)
            expect(due.map(({ roundId }) => sinceOf.get(roundId))).toEqual(wanted.slice(0, limit))
            await change(slug, () => ({ rounds: [] }))
          },
        ),
        { numRuns: 30 },
      )
    })
  })

  describe('D-76', () => {
    const verdict = { hiddenAt: 6_000, hiddenReason: 'spam', pinnedRank: null }

    it('the rounds of a hidden tournament are not due, and keep no others from being so', async () => {
      const hidden = await withRound(aRound({ releaseAt: 100 }))
      await change(hidden.slug, () => ({ hiddenAt: 50 }))
      const other = aRound({ releaseAt: 200 })
      const { slug } = await withRound(other)
      const due = async () => two.tournaments.due(900, 1)
      expect(await due()).toMatchObject({ rounds: [{ slug, roundId: other.id }] })
      await change(hidden.slug, () => ({ hiddenAt: null }))
      expect(await due()).toMatchObject({ rounds: [{ slug: hidden.slug }], nextInMs: 0 })
      for (const each of [hidden.slug, slug]) await change(each, () => ({ rounds: [] }))
    })

    it.each([
      ['withdrawn', false],
      ['removed otherwise', true],
    ])('a round remembers that its pack was hidden when it was %s', async (_, isOtherwise) => {
      const { slug } = await withRound(aRound())
      const pack = aPoolsPack()
      await release(slug, pack)
      const roundOf = async () => (await two.tournaments.read(slug))!.rounds[0]
      await one.packs.moderate(pack.slug, () => verdict)
      expect(await roundOf()).toMatchObject({ hiddenPack: null, released: { pack: verdict } })
      if (isOtherwise) await one.packs.remove(pack.slug, SYSTEM_ACCOUNT_ID, 0)
      else {
        await one.tournaments.changeWithPacks(slug, null, 7_000, (saved) => ({
          packs: [{ kind: 'remove', slug: pack.slug }],
          content: {
            ...saved,
            rounds: saved.rounds.map((round) => ({ ...round, released: null })),
          },
        }))
      }
      const hiddenPack = { at: 6_000, reason: 'spam' }
      expect(await roundOf()).toMatchObject({ hiddenPack })
      await change(slug, ({ rounds }) => ({
        rounds: rounds.map((round) => ({ ...round, name: 'Renamed', version: 2 })),
      }))
      expect(await roundOf()).toMatchObject({ name: 'Renamed', hiddenPack })
      const next = aPoolsPack()
      await release(slug, next)
      expect((await roundOf())?.hiddenPack, 'it has a pack').toBeNull()
      await one.packs.remove(next.slug, SYSTEM_ACCOUNT_ID, 0)
      expect((await roundOf())?.hiddenPack, 'that one was not hidden').toBeNull()
      await change(slug, () => ({ rounds: [] }))
    })
  })

  describe('lists', () => {
    const listed = async (filter: Partial<TournamentFilter>) => {
      const page = await one.tournaments.listPublic({ ...allOf, ...filter }, 1, 50)
      expect(page.total).toBe(page.rows.length)
      return page.rows.map(({ name }) => name)
    }

    it('find the number in a name, whichever digits were typed', async () => {
      await aTournament({ name: 'Cup 20671' })
      for (const system of numberingSystems) {
        const write = new Intl.NumberFormat(`en-u-nu-${system}`, { useGrouping: false })
        expect(await listed({ search: `cup ${write.format(20_671)}` })).toEqual(['Cup 20671'])
      }
    })

    it('are of public tournaments, last published first, without drafts and staff', async () => {
      const made = await Promise.all(
        [3, 1, 2].map((at) => aTournament({ year: 2030, createdAt: at * 1_000_000 })),
      )
      const [last, first, middle] = made.map(({ slug }) => slug)
      const secret = await aTournament({ year: 2030, visibility: 'private' })
      const hidden = await aTournament({ year: 2030 })
      await change(hidden.slug, () => ({ hiddenAt: 1, hiddenReason: 'why' }))
      // A draft moves nothing.
      await change(first!, () => ({ updatedAt: 9_000_000, rounds: [aRound()] }))
      const find = (page: number) => one.tournaments.listPublic({ ...allOf, year: 2030 }, page, 2)
      const [pageOne, pageTwo, pageThree] = [await find(1), await find(2), await find(3)]
      expect(pageOne.rows.map(({ slug }) => slug)).toEqual([last, middle])
      expect(pageTwo.rows.map(({ slug }) => slug)).toEqual([first])
      expect(pageThree).toEqual({ rows: [], total: 3 })
      const {
        rounds: _,
        staff: _staff,
        updatedAt: _at,
        discord: __,
        ...summary
      } = (await one.tournaments.read(last!))!
      expect(pageOne.rows[0]).toEqual(summary)
      const mine = await one.tournaments.listOfMember(secret.host, 1, 50)
      expect(mine.rows).toMatchObject([{ slug: secret.slug, role: 'host' }])
      expect((await one.tournaments.listOfMember(hidden.host, 1, 50)).total).toBe(1)
    })

    it('of a host are of public tournaments that are not hidden, last published first', async () => {
      const player = await account()
      const [first, last] = [
        await aTournament({ host: player, createdAt: 1_000 }),
        await aTournament({ host: player, createdAt: 2_000 }),
      ]
      await aTournament({ host: player, visibility: 'private' })
      const hidden = await aTournament({ host: player })
      await change(hidden.slug, () => ({ hiddenAt: 1, hiddenReason: 'why' }))
      const other = await aTournament()
      const tester = await memberOf(player, 'tester')
      await change(other.slug, ({ staff }) => ({ staff: [...staff, tester] }))
      const hosted = async (limit: number) =>
        (await two.tournaments.listHosted(player, limit)).map(({ slug }) => slug)
      expect(await hosted(9)).toEqual([last.slug, first.slug])
      expect(await hosted(1)).toEqual([last.slug])
      const beside = await memberOf(player, 'host')
      await change(other.slug, ({ staff }) => ({
        staff: [...staff.filter(({ role }) => role === 'host'), beside],
      }))
      expect(await hosted(9)).toContain(other.slug)
    })

    it('of a member are by the last change, with their role', async () => {
      const player = await account()
      const host = await aTournament({ host: player, createdAt: 4_000 })
      const other = await aTournament({ createdAt: 3_000 })
      const member = await memberOf(player, 'referee')
      await change(other.slug, ({ staff }) => ({ updatedAt: 5_000, staff: [...staff, member] }))
      const { rows: tournaments, total } = await two.tournaments.listOfMember(player, 1, 1)
      expect([tournaments.map(({ slug, role }) => [slug, role]), total]).toEqual([
        [[other.slug, 'referee']],
        2,
      ])
      const next = await one.tournaments.listOfMember(player, 2, 1)
      expect(next.rows.map(({ slug }) => slug)).toEqual([host.slug])
    })

    it.each([
      ['100%', ['100% Cup']],
      ['_', ['Under_score']],
      ['\\', ['Back\\slash']],
      ['кубок', ['КУБОК Осени']],
      ['ÉT', ["Coupe d'été"]],
      ['uq7', ['Short one']],
    ])('find %s in the name or the short name, in any case', async (search, names) => {
      const year = 2031
      if ((await listed({ year })).length === 0) {
        for (const name of ['100% Cup', 'Under_score', 'Back\\slash', 'КУБОК Осени']) {
          await aTournament({ name, shortName: null, year })
        }
        await aTournament({ name: "Coupe d'été", shortName: null, year })
        await aTournament({ name: 'Short one', shortName: 'ÜUQ7', year })
      }
      expect(await listed({ search, year })).toEqual(names)
    })

    it('find by ruleset, and by a rank that may take part', async () => {
      const year = 2032
      await aTournament({ name: 'open', rankMin: null, rankMax: null, year })
      await aTournament({ name: 'from', rankMin: 100, rankMax: null, year, createdAt: 999 })
      await aTournament({ name: 'to', rankMin: null, rankMax: 99, year, createdAt: 998 })
      await aTournament({ name: 'keys', ruleset: 'mania', rankMax: 1, year, createdAt: 997 })
      expect(await listed({ year, rank: 99 })).toEqual(['open', 'to'])
      expect(await listed({ year, rank: 100 })).toEqual(['open', 'from'])
      expect(await listed({ year, ruleset: 'mania' })).toEqual(['keys'])
    })
  })

  describe('an account that is deleted', () => {
    it('leaves the staffs; what it alone hosted goes with its drafts, and packs stay', async () => {
      const [leaving, staying] = [await account(), await account()]
      const alone = await aTournament({ host: leaving })
      await change(alone.slug, () => ({ rounds: [aRound({ releaseAt: 1 })] }), { by: leaving })
      const pack = aPoolsPack()
      await release(alone.slug, pack)
      const shared = await aTournament({ host: leaving })
      const host = await memberOf(staying, 'host')
      const round = aRound()
      await change(shared.slug, ({ staff }) => ({ staff: [...staff, host], rounds: [round] }), {
        by: leaving,
      })
      const helped = await aTournament()
      const tester = await memberOf(leaving, 'tester')
      await change(helped.slug, ({ staff }) => ({ staff: [...staff, tester] }))
      const before = await two.tournaments.read(shared.slug)
      await one.accounts.remove(leaving, 8_000)
      expect(await two.tournaments.read(alone.slug)).toBeNull()
      expect(await two.packs.read(pack.slug)).toMatchObject({ name: pack.name })
      const after = (await two.tournaments.read(shared.slug))!
      expect(after).toEqual({
        ...before,
        updatedAt: 8_000,
        staff: [host],
      })
      const versions = await one.tournaments.readVersions(shared.slug, round.id)
      expect(versions).toMatchObject([{ version: 1, savedBy: null }])
      const { staff } = (await one.tournaments.read(helped.slug))!
      expect(staff.map(({ accountId }) => accountId)).toEqual([helped.host])
    })
  })
})
