import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { joinStaff, type SavedInvitation } from '../../../src/domain/invitations.ts'
import type { SavedTournament } from '../../../src/domain/tournaments.ts'
import { makeTournament, setStaff } from '../../support/sample-tournament.ts'
import { freshSlug } from '../sample-pack.ts'
import { withStore } from '../temp-store.ts'

const DAY = 86_400_000
const LIMIT = 3

const refused = (): never => {
  throw new Error('refused')
}

describe('InvitationStore', () => {
  let one: Stores
  let two: Stores
  let players = 0

  withStore(beforeAll, (opened) => {
    ;({ one, two } = opened)
  })

  const account = async () => {
    const accountId = freshSlug()
    const player = { gameId: (players += 1), username: `player ${players}` }
    await one.accounts.ensurePlayer(player, accountId, 0)
    return { accountId, ...player }
  }

  const scene = async () => {
    const host = await account()
    return { host, slug: await makeTournament(one, host.accountId) }
  }

  type Scene = Awaited<ReturnType<typeof scene>>

  const invite = async (
    { slug, host }: Scene,
    changes: Partial<SavedInvitation> = {},
    limit = LIMIT,
  ) => {
    const made = { id: freshSlug(), slug, role: 'tester', createdBy: host.accountId } as const
    const invitation = { ...made, rounds: null, createdAt: 1_000, expiresAt: DAY, ...changes }
    const hash = `hash of ${invitation.id}`
    const outcome = await one.invitations.create(invitation, hash, limit, () => {})
    return { invitation, hash, outcome }
  }

  const join = (
    hash: string,
    who: Awaited<ReturnType<typeof account>>,
    { stores = one, now = 2_000, limit = 20 } = {},
  ) =>
    stores.invitations.accept(hash, now, limit, (saved, invitation) =>
      joinStaff(saved, invitation, who, now),
    )

  const rolesIn = ({ staff }: SavedTournament) => staff.map(({ gameId, role }) => [gameId, role])

  it('lists what is open, newest first, and finds it by its hash alone', async () => {
    const made = await scene()
    const first = await invite(made)
    const second = await invite(made, { role: 'host', createdAt: 2_000, expiresAt: DAY + 1 })
    expect(second.outcome).toBe('created')
    const both = [second.invitation, first.invitation]
    expect(await two.invitations.list(made.slug, 3_000)).toEqual(both)
    expect(await two.invitations.find(first.hash, 3_000)).toEqual(first.invitation)
    expect(await two.invitations.find(first.invitation.id, 3_000)).toBeNull()
  })

  it('an invitation that has expired is none, and makes room', async () => {
    const made = await scene()
    const { hash } = await invite(made, {}, 1)
    expect((await invite(made, { createdAt: DAY - 1 }, 1)).outcome).toBe('full')
    expect(await one.invitations.find(hash, DAY - 1)).not.toBeNull()
    expect(await one.invitations.find(hash, DAY)).toBeNull()
    expect(await one.invitations.list(made.slug, DAY)).toEqual([])
    expect(await join(hash, await account(), { now: DAY })).toBeNull()
    const later = { createdAt: DAY, expiresAt: 2 * DAY }
    expect((await invite(made, later, 1)).outcome).toBe('created')
  })

  it('is used up by one of many who join at once, in several processes', async () => {
    const made = await scene()
    const { hash } = await invite(made)
    const people = await Promise.all(Array.from({ length: 6 }, account))
    const results = await Promise.all(
      people.map((who, at) => join(hash, who, { stores: at % 2 ? one : two })),
    )
    const joined = results.filter((result) => result !== null)
    expect(joined).toHaveLength(1)
    const { staff } = (await two.tournaments.read(made.slug))!
    expect(staff.map(({ role }) => role)).toEqual(['host', 'tester'])
    expect(await one.invitations.list(made.slug, 2_000)).toEqual([])
  })

  it('lets nobody join twice who opens it twice at once', async () => {
    const made = await scene()
    const { hash } = await invite(made)
    const who = await account()
    const results = await Promise.all([join(hash, who), join(hash, who, { stores: two })])
    expect(results.filter((result) => result !== null)).toHaveLength(1)
    const saved = (await one.tournaments.read(made.slug))!
    expect(rolesIn(saved)).toEqual([
      [made.host.gameId, 'host'],
      [who.gameId, 'tester'],
    ])
  })

  it('keeps the link of who has the role already, or a higher one; a higher role uses it up', async () => {
    const made = await scene()
    const { hash } = await invite(made)
    const who = await account()
    await setStaff(one, made.slug, who.accountId, 'pooler')
    expect(rolesIn((await join(hash, who)) as SavedTournament)).toContainEqual([
      who.gameId,
      'pooler',
    ])
    expect(await one.invitations.find(hash, 2_000)).not.toBeNull()
    const higher = await invite(made, { role: 'host' })
    const saved = (await join(higher.hash, who)) as SavedTournament
    expect(rolesIn(saved)).toContainEqual([who.gameId, 'host'])
    expect(await one.invitations.find(higher.hash, 2_000)).toBeNull()
  })

  it('writes nothing when somebody hosts as many as they may, or what it is called with throws', async () => {
    const made = await scene()
    const { hash, invitation } = await invite(made, { role: 'host' })
    const { host } = await scene()
    expect(await join(hash, host, { limit: 1 })).toBe('full')
    await expect(one.invitations.accept(hash, 2_000, 20, refused)).rejects.toThrow('refused')
    const other = { ...invitation, id: freshSlug() }
    await expect(one.invitations.create(other, 'other', 20, refused)).rejects.toThrow('refused')
    const remove = one.invitations.remove(made.slug, invitation.id, refused)
    await expect(remove).rejects.toThrow('refused')
    expect(await two.invitations.list(made.slug, 2_000)).toEqual([invitation])
    expect((await two.tournaments.read(made.slug))!.staff).toHaveLength(1)
  })

  it('goes with who made it: when they leave, are no host any more, or have no account', async () => {
    const made = await scene()
    const [left, demoted, gone] = [await account(), await account(), await account()]
    const hashes: string[] = []
    for (const { accountId } of [left, demoted, gone]) {
      await setStaff(one, made.slug, accountId, 'host')
      hashes.push((await invite(made, { createdBy: accountId })).hash)
    }
    await setStaff(one, made.slug, left.accountId, null)
    await setStaff(one, made.slug, demoted.accountId, 'pooler')
    await one.accounts.remove(gone.accountId, 2_000)
    expect(await two.invitations.list(made.slug, 2_000)).toEqual([])
    for (const hash of hashes) {
      expect(await two.invitations.find(hash, 2_000)).toBeNull()
      expect(await join(hash, await account())).toBeNull()
    }
    expect((await invite(made, {}, 1)).outcome).toBe('created')
  })

  it('is withdrawn once, in its own tournament', async () => {
    const made = await scene()
    const { invitation, hash } = await invite(made)
    const other = await scene()
    expect(await one.invitations.remove(other.slug, invitation.id, () => {})).toBe(false)
    expect(await one.invitations.remove(made.slug, invitation.id, () => {})).toBe(true)
    expect(await one.invitations.remove(made.slug, invitation.id, () => {})).toBe(false)
    expect(await one.invitations.remove(freshSlug(), invitation.id, () => {})).toBeNull()
    expect((await invite({ ...made, slug: freshSlug() })).outcome).toBeNull()
    expect(await join(hash, await account())).toBeNull()
  })
})
