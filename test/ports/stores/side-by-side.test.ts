import { beforeEach, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import type { NewPack, SavedPack } from '../../../src/domain/packs.ts'
import { aNewPack, freshSlug, someStats } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

const ROUNDS = 12
const stats = someStats()

const range = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

describe('writes side by side', () => {
  let one: Stores
  let two: Stores

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const door = (at: number): Stores => (at % 2 === 0 ? one : two)

  const save = async (changes: Partial<NewPack> = {}): Promise<SavedPack> => {
    const creation = await one.packs.create(aNewPack(changes), null)
    if (creation.outcome !== 'created') throw new Error(creation.outcome)
    return creation.pack
  }

  const newestFirst = (packs: readonly SavedPack[]): string[] =>
    packs
      .map((pack, id) => ({ ...pack, id }))
      .toSorted((a, b) => b.updatedAt - a.updatedAt || b.id - a.id)
      .map(({ slug }) => slug)

  /** Every page through one door, and the total that each of them told. */
  const turnPages = async ({ packs }: Stores, pageSize: number) => {
    const slugs: string[] = []
    const totals = new Set<number>()
    for (let page = 1; ; page += 1) {
      const list = await packs.listPublic(page, pageSize)
      totals.add(list.total)
      if (list.rows.length === 0) return { slugs, totals: [...totals] }
      slugs.push(...list.rows.map(({ slug }) => slug))
    }
  }

  it('a save and the stats of the state before it: one of them comes first (D-37)', async () => {
    const ends = new Set<boolean>()
    for (const round of range(ROUNDS)) {
      const pack = await save({ updatedAt: round })
      const work = { pack, lease: 0 }
      const finish = () => two.statsWork.finish(work, { stats, dueAt: null, attempts: 0 })
      const replace = () =>
        one.packs.replace(pack.slug, 'owner', (saved) => ({ ...saved, updatedAt: 1_000 }))
      const [isFinished] = await (round % 2 === 0
        ? Promise.all([finish(), replace()])
        : Promise.all([replace(), finish()]).then(([replaced, finished]) => [finished, replaced]))
      const saved = await two.packs.read(pack.slug)
      // The save keeps the stats that it has read: none that were written meanwhile are lost.
      expect(saved?.stats).toEqual(isFinished === true ? stats : null)
      ends.add(isFinished === true)
    }
    expect(ends.size).toBeGreaterThan(0)
  })

  it('saves and magnet links of one pack: none of either is lost', async () => {
    const { slug } = await save({ updatedAt: 0 })
    await Promise.all(
      range(40).map((at) =>
        at % 4 < 2
          ? door(at).packs.replace(slug, 'owner', (saved) => ({
              ...saved,
              updatedAt: saved.updatedAt + 1,
            }))
          : door(at).packs.changeExports(slug, 'owner', ({ exports }) => [
              ...exports,
              { url: `magnet:?xt=urn:btih:${at}`, createdAt: at },
            ]),
      ),
    )
    const saved = await one.packs.read(slug)
    expect(saved?.updatedAt).toBe(20)
    expect(saved?.exports).toHaveLength(20)
  })

  it('a moderator and the owner at one pack: a hidden pack stays hidden, and out of the list', async () => {
    for (const round of range(ROUNDS)) {
      const { slug } = await save({ updatedAt: round })
      await Promise.all([
        ...range(4).map((at) =>
          door(at).packs.replace(slug, 'owner', (saved) => ({ ...saved, updatedAt: 100 + at })),
        ),
        two.packs.moderate(slug, () => ({ hiddenAt: 7, hiddenReason: 'why', pinnedRank: null })),
      ])
      expect(await one.packs.read(slug)).toMatchObject({ hiddenAt: 7, hiddenReason: 'why' })
      expect(await two.packs.listPublic(1, 50)).toEqual({ rows: [], total: 0 })
    }
  })

  it('the same player signing in for the first time everywhere has one account (D-42)', async () => {
    for (const round of range(ROUNDS)) {
      const player = { gameId: 100 + round, username: `p${round}` }
      const accounts = await Promise.all(
        range(6).map((at) => door(at).accounts.ensurePlayer(player, `${freshSlug()}-${at}`, at)),
      )
      expect(new Set(accounts.map(({ id }) => id)).size).toBe(1)
    }
    expect(await one.accounts.countPlayers()).toBe(2 + ROUNDS)
  })

  it('an owner who is renamed while they save is shown by the new name in each changed pack', async () => {
    await save()
    for (const round of range(ROUNDS)) {
      const since = await one.publicIndex.version()
      const username = `name ${round}`
      const [pack] = await Promise.all([
        save({ updatedAt: round }),
        two.accounts.ensurePlayer({ gameId: 1, username }, 'unused', 0),
        save({ updatedAt: round }),
      ])
      await two.publicIndex.version()
      const changes = await two.publicIndex.readChanges(since, 100)
      expect(changes?.changed.map(({ slug }) => slug)).toContain(pack.slug)
      for (const { ownerUsername } of changes?.changed ?? []) expect(ownerUsername).toBe(username)
    }
  })

  it('workers take each due pack once, beside saves and each other', async () => {
    const packs: SavedPack[] = []
    for (const at of range(30)) packs.push(await save({ updatedAt: at }))
    const [taken] = await Promise.all([
      Promise.all(range(12).map((at) => door(at).statsWork.takeDue(100, 10_000, 5))),
      ...packs
        .slice(0, 6)
        .map(({ slug }, at) =>
          door(at).packs.replace(slug, 'owner', (saved) => ({ ...saved, updatedAt: 50 })),
        ),
    ])
    // A pack that was saved after it was taken is due again, with the next token.
    const leases = taken.flat().map(({ pack, lease }) => `${pack.slug} ${lease}`)
    expect(new Set(leases).size).toBe(leases.length)
    const rest = await one.statsWork.takeDue(100, 10_000, 100)
    const all = new Set([...taken.flat(), ...rest].map(({ pack }) => pack.slug))
    expect([...all].toSorted()).toEqual(packs.map(({ slug }) => slug).toSorted())
  })

  it('pages neither repeat nor skip a pack while changes are pending, and after (D-16)', async () => {
    const packs: SavedPack[] = []
    for (const at of range(60)) packs.push(await save({ updatedAt: (at * 7) % 11 }))
    const shown = packs.map((pack) => pack as SavedPack | null)
    const expectPages = async () => {
      const left = shown.flatMap((pack) => pack ?? [])
      const slugs = newestFirst(left)
      for (const pageSize of [7, 50]) {
        expect(await turnPages(two, pageSize)).toEqual({ slugs, totals: [left.length] })
      }
    }
    await expectPages()
    for (const at of range(20)) {
      const { slug } = packs[at * 3]!
      if (at % 2 === 0) {
        await one.packs.remove(slug, 'owner', 0)
        shown[at * 3] = null
      } else {
        shown[at * 3] = await one.packs.replace(slug, 'owner', (saved) => ({
          ...saved,
          updatedAt: 20 - at,
        }))
      }
    }
    await expectPages()
    await one.publicIndex.version()
    await expectPages()
  })

  it('pages stay whole while others count', async () => {
    const packs: SavedPack[] = []
    for (const at of range(40)) packs.push(await save({ updatedAt: at }))
    const slugs = newestFirst(packs)
    const [, ...seen] = await Promise.all([
      Promise.all(range(8).map((at) => door(at).publicIndex.version())),
      ...range(8).map((at) => turnPages(door(at), 9)),
    ])
    for (const pages of seen) expect(pages).toEqual({ slugs, totals: [40] })
  })

  it('changes that several processes count at once are counted once', async () => {
    const before = Number.parseInt(await one.publicIndex.version(), 10)
    for (const round of [1, 2, 3]) {
      await Promise.all(range(20).map((at) => save({ updatedAt: at })))
      const versions = await Promise.all(range(12).map((at) => door(at).publicIndex.version()))
      const now = await two.publicIndex.version()
      expect(new Set(versions)).toEqual(new Set([now]))
      expect(Number.parseInt(now, 10)).toBe(before + 20 * round)
      expect((await one.packs.listPublic(1, 1)).total).toBe(20 * round)
    }
  })

  it('all kinds at once end, and leave a list of exactly the public packs', async () => {
    const owners = await Promise.all(
      range(6).map(async (at) => {
        const id = freshSlug()
        await one.accounts.ensurePlayer({ gameId: 100 + at, username: id }, id, 0)
        return id
      }),
    )
    const mixed = async (at: number): Promise<void> => {
      const { packs, statsWork, accounts, publicIndex } = door(at)
      const ownerId = owners[at % owners.length]!
      const once = { key: `key ${at % 5}`, fingerprint: String(at), since: at * 10 }
      const pack = aNewPack({ ownerId, createdAt: at * 10, updatedAt: at })
      const creation = await packs.create(pack, 200, at % 3 === 0 ? once : null)
      const { slug } = pack
      await packs.replace(slug, ownerId, (saved) => ({ ...saved, updatedAt: 1_000 - at }))
      for (const due of await statsWork.takeDue(2_000, 3_000, 3)) {
        await statsWork.finish(due, { stats, dueAt: null, attempts: 0 })
      }
      if (at % 4 === 0) await packs.remove(slug, ownerId, 0)
      if (at % 7 === 0) {
        await packs.moderate(slug, () => ({ hiddenAt: 1, hiddenReason: null, pinnedRank: null }))
      }
      if (at % 11 === 0) await statsWork.markDue(null, 1_000)
      if (at % 9 === 0) {
        await accounts.ensurePlayer({ gameId: 100 + (at % 6), username: `n${at}` }, 'unused', 0)
      }
      await publicIndex.version()
      await packs.listPublic(1, 10)
      expect(creation.outcome).toMatch(/created|key_taken|repeated/)
    }
    await Promise.all(range(60).map(mixed))
    await two.accounts.remove(owners[0]!, 0)
    const shown = await one.publicIndex.readPortion(null, 1_000)
    const { slugs, totals } = await turnPages(two, 10)
    expect(slugs.toSorted()).toEqual(shown.map(({ slug }) => slug).toSorted())
    expect(totals).toEqual([shown.length])
    await one.publicIndex.version()
    expect((await turnPages(one, 10)).slugs).toEqual(slugs)
  })
})
