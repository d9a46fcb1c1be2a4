import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { PRESENCE_LASTS_MS, type Presence } from '../../../src/ports/workspaces.ts'
import { makeTournament, setStaff } from '../../support/sample-tournament.ts'
import { freshSlug } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

describe('WorkspaceStore', () => {
  let one: Stores
  let two: Stores
  let slug: string
  let hostId: string
  let players = 1_000

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  beforeEach(async () => {
    hostId = freshSlug()
    const player = { gameId: (players += 1), username: 'Peridot' }
    await one.accounts.ensurePlayer(player, hostId, 0)
    slug = await makeTournament(one, hostId)
  })

  const aPresence = (changes: Partial<Presence> = {}): Presence => ({
    id: freshSlug(),
    holder: freshSlug(),
    slug,
    accountId: hostId,
    round: null,
    ...changes,
  })

  const stateAt = async (now: number, stores = two) =>
    (await stores.workspaces.read([slug], now)).get(slug)!
  const countAt = async (now: number) => (await stateAt(now)).here.length

  it('reads many tournaments at once, and leaves out those that are not there', async () => {
    const others = await Promise.all(Array.from({ length: 5 }, () => makeTournament(one, hostId)))
    const asked = [slug, ...others, freshSlug()]
    const states = await two.workspaces.read(asked, 0)
    expect([...states.keys()].toSorted()).toEqual([slug, ...others].toSorted())
    expect(await two.workspaces.read([], 0)).toEqual(new Map())
  })

  it('has somebody here in every process until they leave, or 25 seconds after they were seen', async () => {
    const presence = aPresence({ round: 'round-0001' })
    await one.workspaces.enter([presence], 1_000)
    const { here } = await stateAt(1_000)
    const gameId = players
    expect(here).toEqual([{ accountId: hostId, gameId, username: 'Peridot', round: 'round-0001' }])
    expect(await countAt(1_000 + PRESENCE_LASTS_MS)).toBe(1)
    expect(await countAt(1_001 + PRESENCE_LASTS_MS)).toBe(0)
    expect(await one.workspaces.renew(presence.holder, 11_000)).toBe(1)
    expect(await countAt(11_000 + PRESENCE_LASTS_MS)).toBe(1)
    await one.workspaces.leave(presence.holder, presence.id)
    expect(await countAt(11_000)).toBe(0)
  })

  it('leaves what others hold, and ends all that a process held at once', async () => {
    const [own, second, foreign] = [aPresence(), aPresence(), aPresence()]
    const holder = own.holder
    await one.workspaces.enter([own, { ...second, holder }, foreign], 1_000)
    await one.workspaces.leave(holder, foreign.id)
    expect(await countAt(1_000)).toBe(3)
    await one.workspaces.leave(holder, null)
    expect(await countAt(1_000)).toBe(1)
  })

  it('forgets streams of processes that are gone, and says how many of its own a process has left', async () => {
    const [dead, stalled] = [aPresence(), aPresence()]
    await one.workspaces.enter([dead, stalled], 1_000)
    expect(await two.workspaces.renew(freshSlug(), 2_000 + PRESENCE_LASTS_MS)).toBe(0)
    expect(await one.workspaces.renew(stalled.holder, 2_000 + PRESENCE_LASTS_MS)).toBe(0)
    await one.workspaces.enter([stalled], 2_000 + PRESENCE_LASTS_MS)
    expect(await countAt(2_000 + PRESENCE_LASTS_MS)).toBe(1)
  })

  it('keeps nobody here whom a clock that was set back has seen later than now', async () => {
    await one.workspaces.enter([aPresence()], 1_001 + PRESENCE_LASTS_MS)
    expect(await countAt(1_000)).toBe(0)
  })

  it('has those in front who opened first, of one moment by their accounts', async () => {
    await setStaff(one, slug, 'owner', 'tester')
    const opened = [3_000, 1_000, 2_000, 1_000].flatMap((now, at) =>
      [hostId, 'owner'].map((accountId) => ({ now, accountId, round: `round-000${at}` })),
    )
    for (const { now, ...stream } of opened) await one.workspaces.enter([aPresence(stream)], now)
    const { here } = await stateAt(3_000)
    const placeOf = ({ now, accountId }: (typeof opened)[number]) => `${now} ${accountId}`
    const inOrder = opened.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
    expect(here.map(({ accountId }) => accountId)).toEqual(inOrder.map((each) => each.accountId))
    const rounds = here.map(({ round }) => round)
    expect(rounds.slice(4)).toEqual(['round-0002', 'round-0002', 'round-0000', 'round-0000'])
  })

  it('notes nobody who is not on the staff, and forgets who leaves it', async () => {
    const stranger = 'owner'
    await one.workspaces.enter([aPresence({ accountId: stranger })], 1_000)
    await one.workspaces.enter([aPresence({ slug: freshSlug() })], 1_000)
    expect(await countAt(1_000)).toBe(0)
    await setStaff(one, slug, stranger, 'tester')
    await one.workspaces.enter([aPresence({ accountId: stranger })], 1_000)
    expect(await countAt(1_000)).toBe(1)
    await setStaff(one, slug, stranger, null)
    expect(await countAt(1_000)).toBe(0)
  })

  it('returns a state that is known as the same object until something of it moves, or is over', async () => {
    let known = await stateAt(1_000)
    const again = async (now = 1_000) => {
      const states = await two.workspaces.read([slug], now, new Map([[slug, known]]))
      const isSame = states.get(slug) === known
      known = states.get(slug)!
      return isSame
    }
    expect(await again()).toBe(true)
    const [first, second] = [aPresence(), aPresence({ round: 'round-0001' })]
    const moves = [
      () => one.workspaces.enter([first], 1_000),
      () => one.workspaces.enter([second], 1_000),
      () => one.workspaces.leave(first.holder, first.id),
      () => one.workspaces.enter([first], 1_000),
      () => setStaff(one, slug, 'owner', 'tester'),
      () => setStaff(one, slug, 'owner', null),
    ]
    for (const move of moves) {
      await move()
      expect(await again()).toBe(false)
      expect(known).toEqual(await stateAt(1_000))
      expect(await again()).toBe(true)
    }
    await one.workspaces.renew(first.holder, 2_000)
    expect(await again(2_000)).toBe(true)
    expect(await again(1_001 + PRESENCE_LASTS_MS)).toBe(false)
    expect(known.here).toHaveLength(1)
  })
})
