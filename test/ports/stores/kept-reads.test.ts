import { DatabaseSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { expect, inject, it, onTestFinished } from 'vitest'
import { countFrom } from '../../../scripts/arguments.ts'
import type { Engine } from '../../../src/adapters/storage/engine.ts'
import { createPostgresEngine } from '../../../src/adapters/storage/postgres/engine.ts'
import { ConnectionPool } from '../../../src/adapters/storage/postgres/pool.ts'
import { createSqliteEngine } from '../../../src/adapters/storage/sqlite/engine.ts'
import { openSqliteFile, SQLITE_MIGRATIONS } from '../../../src/adapters/storage/sqlite/file.ts'
import { createStores, type Stores } from '../../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import { releasedFields } from '../../../src/pool/round-fields.ts'
import { EMPTY_POSTGRES, EMPTY_SQLITE } from '../../support/empty-stores.ts'
import { aNewPack, someStats } from '../sample-pack.ts'
import { aRound, hostsOf, someFacts } from '../sample-tournament.ts'
import { describePack } from '../search-steps.ts'
import { tempPostgresStore, tempSqliteStore } from '../temp-store.ts'

/** A short count: `npm run kept-reads` makes 10,000. */
const SEQUENCES = countFrom('KEPT_READS_SEQUENCES', 6)
const PATIENCE_MS = 15_000

type Ground = {
  /** As three processes have them. */
  readonly processes: readonly Stores[]
  /** Stores that have read nothing yet, and keep nothing. */
  readonly newStores: () => Stores
  readonly empty: () => Promise<unknown>
}

const withoutCaches = (engine: Engine, { care }: Stores): Stores =>
  createStores({ ...engine, newCache: () => (_key, load) => load() }, care)

const onSqlite = async (): Promise<Ground> => {
  const store = await tempSqliteStore()
  const [one, two, three] = [await store.open(), await store.open(), await store.open()]
  const file = await openSqliteFile(store.file, SQLITE_MIGRATIONS, PATIENCE_MS)
  const engine = createSqliteEngine(file, PATIENCE_MS)
  const emptier = new DatabaseSync(store.file)
  onTestFinished(async () => {
    for (const database of [emptier, file.reader, file.writer]) database.close()
    await store.remove()
  })
  return {
    processes: [one, two, three],
    newStores: () => withoutCaches(engine, one),
    empty: async () => emptier.exec(EMPTY_SQLITE),
  }
}

const onPostgres = async (): Promise<Ground> => {
  const store = await tempPostgresStore()
  const [one, two, three] = [await store.open(), await store.open(), await store.open()]
  const options = { url: store.url, size: 2, timeoutMs: PATIENCE_MS, isPrepared: true }
  const pool = new ConnectionPool(options)
  const engine = createPostgresEngine(pool, undefined, undefined, 'caller')
  onTestFinished(async () => {
    await pool.close()
    await store.remove()
  })
  return {
    processes: [one, two, three],
    newStores: () => withoutCaches(engine, one),
    empty: async () => {
      for (const statement of EMPTY_POSTGRES) await one.run(statement, [])
    },
  }
}

const slugs = ['slug-00001', 'slug-00002', 'slug-00003'] as const
const accounts = ['ada', 'ben'] as const
const hashes = ['hash-a', 'hash-b'] as const
const services = ['packs', 'pools'] as const
const cups = ['cup-000001', 'cup-000002'] as const
const rounds = ['round-0001', 'round-0002'] as const
const pools = [[1, 2], [2], [1, 3], [3, 2]] as const
/** What is released of a round. */
const packOf = (roundId: string): string => `pack-${roundId.slice(-5)}`
const allSlugs = [...slugs, ...rounds.map(packOf)]

/** What a write is made of: numbers below 1,000. */
type Draws = readonly [number, number, number, number]
const pick = <T>(from: readonly T[], draw: number): T => from[draw % from.length]!

/** Of few things, so that a write meets something in most cases. */
const writes: Record<string, (stores: Stores, draws: Draws) => Promise<unknown>> = {
  async 'save a pack'({ packs }, [which, visibility, name, at]) {
    const slug = pick(allSlugs, which)
    const state = {
      name: `pack ${name % 3}`,
      visibility: pick(['private', 'unlisted', 'public', 'public'] as const, visibility),
      slots: pick(pools, name).map((beatmapId, each) => ({
        mod: 'NM',
        index: each + 1,
        beatmapId,
      })),
      updatedAt: at,
    }
    const before = await packs.read(slug)
    if (before !== null) {
      return packs.replace(slug, before.ownerId, (saved) => ({
        ...saved,
        ...state,
        version: saved.version + (name % 2),
        stats: null,
      }))
    }
    const ownerId = pick(accounts, name >> 3)
    return packs.create(aNewPack({ ...state, slug, ownerId, createdAt: at }), null)
  },
  async 'remove a pack'({ packs }, [which]) {
    const slug = pick(slugs, which)
    return packs.remove(slug, (await packs.read(slug))?.ownerId ?? '', 0)
  },
  async 'link a pack'({ packs }, [which, createdAt]) {
    const slug = pick(allSlugs, which)
    const { ownerId = '' } = (await packs.read(slug)) ?? {}
    return packs.changeExports(slug, ownerId, () => [{ url: 'magnet:?xt=urn:btih:00', createdAt }])
  },
  async 'open or close a history'({ packs }, [which, open]) {
    const slug = pick(slugs, which)
    return packs.setHistoryPublic(slug, (await packs.read(slug))?.ownerId ?? '', open % 2 === 0)
  },
  'moderate a pack': ({ packs }, [which, hides, rank]) =>
    packs.moderate(pick(allSlugs, which), (_, pinned) => ({
      hiddenAt: hides % 3 === 0 ? hides : null,
      hiddenReason: hides % 3 === 0 ? `${rank % 3}` : null,
      pinnedRank: hides % 3 > 0 && rank % 3 > 0 ? pinned.length + 1 : null,
    })),
  async 'sort the pins'({ packs }, [at]) {
    const pinned = (await packs.listPinned()).map(({ slug }) => slug)
    return packs.setPins(pinned.toReversed(), { at, moderatorId: null, reason: null })
  },
  async 'finish stats'({ statsWork }, [count, now]) {
    const [due] = await statsWork.takeDue(now + 1_000, now + 1_001, 1)
    if (due === undefined) return null
    const stats = { ...someStats(), count: count % 3 }
    return statsWork.finish(due, { stats, dueAt: null, attempts: 0 })
  },
  'mark stats as due': ({ statsWork }, [which, at]) => statsWork.markDue(pick(slugs, which), at),
  'take changes over': ({ searchUpdates }, [limit]) =>
    searchUpdates.update(1 + (limit % 3), describePack),
  'sign in': ({ accounts: store }, [who, name, at]) => {
    const player = { gameId: 1 + (who % 2), username: `${who % 2} ${name % 2}` }
    return store.ensurePlayer(player, pick(accounts, who), at)
  },
  'delete an account': async ({ accounts: store }, [who, rare]) =>
    rare % 4 === 0 && store.remove(pick(accounts, who), 0),
  'appoint or dismiss': ({ accounts: store }, [who, is, at]) =>
    store.setModerator(1 + (who % 2), is % 2 === 0, at),
  suspend: async ({ suspensions }, [who, at, rare]) =>
    rare % 3 === 0 &&
    suspensions.suspend(1 + (who % 2), {
      at,
      moderatorId: null,
      action: 'suspend',
      reason: `${at % 2}`,
    }),
  'lift a suspension': ({ suspensions }, [who, at]) =>
    suspensions.unsuspend(1 + (who % 2), {
      at,
      moderatorId: null,
      action: 'unsuspend',
      reason: null,
    }),
  'set a key': ({ apiKeys }, [who, service, hash, createdAt]) =>
    apiKeys.replace(pick(accounts, who), pick(services, service), {
      hash: pick(hashes, hash),
      shown: 'abcd',
      createdAt,
    }),
  'revoke a key': ({ apiKeys }, [who, service]) =>
    apiKeys.revoke(pick(accounts, who), pick(services, service)),
  'begin a session': ({ sessions }, [who, hash, service, createdAt]) =>
    sessions.create(
      {
        hash: pick(hashes, hash),
        accountId: pick(accounts, who),
        service: pick(services, service),
        device: null,
        csrf: 'csrf',
        createdAt,
      },
      pick([null, ...hashes], createdAt),
    ),
  'use a session': ({ sessions }, [hash, at]) => sessions.touch(pick(hashes, hash), at),
  'end a session': ({ sessions }, [hash]) => sessions.end(pick(hashes, hash)),
  'begin a tournament': ({ tournaments }, [which, who, visibility, createdAt]) => {
    const facts = {
      ...someFacts,
      visibility: pick(['public', 'public', 'public', 'private'] as const, visibility),
    }
    const slug = pick(cups, which)
    return tournaments.create({ ...facts, slug, createdAt }, pick(accounts, who), 9)
  },
  'change a round': ({ tournaments }, [which, round, name, at]) =>
    tournaments.change(pick(cups, which), null, 9, at, (saved) => {
      const id = pick(rounds, round)
      const before = saved.rounds.find((each) => each.id === id) ?? aRound({ id })
      const others = saved.rounds.filter((each) => each.id !== id)
      const changed = { ...before, name: `${name % 3}`, version: before.version + 1 }
      return { ...saved, rounds: name % 7 === 0 ? others : [...others, changed] }
    }),
  'change the staff': ({ tournaments }, [which, who, role, seenAt]) =>
    tournaments.change(pick(cups, which), null, 9, 0, (saved) => {
      const accountId = pick(accounts, who)
      const others = saved.staff.filter((member) => member.accountId !== accountId)
      const [member] = hostsOf([{ accountId, gameId: 1 }], 0)
      const changed = { ...member!, role: pick(['host', 'tester'] as const, role), seenAt }
      return { ...saved, staff: role % 3 === 0 ? others : [...others, changed] }
    }),
  'rename or hide a tournament': ({ tournaments }, [which, name, hides, at]) =>
    tournaments.change(pick(cups, which), null, 9, at, (saved) => ({
      ...saved,
      name: `cup ${name % 3}`,
      hiddenAt: hides % 3 === 0 ? at : null,
    })),
  'rename what was released': ({ tournaments }, [which, round, name, at]) =>
    tournaments.change(pick(cups, which), null, 9, at, (saved) => ({
      ...saved,
      rounds: saved.rounds.map((each) =>
        each.id === pick(rounds, round) && each.released !== null
          ? { ...each, released: { ...each.released, name: `${name % 3}` } }
          : each,
      ),
    })),
  'release a round': ({ tournaments }, [which, round, at, rare]) =>
    tournaments.changeWithPacks(pick(cups, which), null, at, (saved, now) => {
      if (rare % 12 === 0) return { content: null, packs: [] }
      const id = pick(rounds, round)
      const draft = saved.rounds.find((each) => each.id === id)
      if (draft === undefined || draft.released !== null) return null
      const { name } = draft
      const slug = packOf(id)
      const pack = aNewPack({
        slug,
        ownerId: SYSTEM_ACCOUNT_ID,
        name,
        slots: [{ mod: 'NM', index: 1, beatmapId: 1 + (rare % 3) }],
        visibility: 'public',
        createdAt: now,
        updatedAt: now,
      })
      const sent = { name, ...releasedFields(draft), packSlug: slug, scheduledFor: null, at: now }
      const others = saved.rounds.filter((each) => each.id !== id)
      const rest = { slots: null, pack: null }
      return {
        content: { ...saved, rounds: [...others, { ...draft, released: { ...sent, ...rest } }] },
        packs: [{ kind: 'create', pack }],
      }
    }),
}

/** What only several writes together lead to has to be likelier than by chance. */
const likelier = [
  'begin a tournament',
  'change a round',
  'release a round',
  'rename what was released',
  'take changes over',
]
const draw = fc.nat(999)
const someWrites = fc.array(
  fc.record({
    name: fc.constantFrom(...Object.keys(writes), ...likelier, ...likelier, ...likelier),
    draws: fc.tuple(draw, draw, draw, draw),
    // What the same process writes next must not drop everything that the last write should have.
    process: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 1, 2),
  }),
  { minLength: 100, maxLength: 100, size: 'max' },
)

const everything = { search: '', ruleset: null, rank: null, year: null }

/** All that stores keep of what they have read. */
const readAll = async (stores: Stores): Promise<ReadonlyMap<string, unknown>> => {
  const { packs, sessions, apiKeys, tournaments, usage } = stores
  const found = new Map<string, unknown>()
  const notes: Promise<void>[] = []
  const note = (name: string, value: unknown): void => {
    notes.push((async () => void found.set(name, structuredClone(await value)))())
  }
  for (const slug of allSlugs) {
    note(`pack ${slug}`, packs.read(slug))
    note(`history of ${slug}`, packs.readHistory(slug))
  }
  for (const page of [1, 2]) note(`list ${page}`, packs.listPublic(page, 2))
  note('pins', packs.listPinned())
  for (const id of accounts) {
    note(`account ${id}`, stores.accounts.read(id))
    note(`packs of ${id}`, packs.listOwned(id, 1, 2))
  }
  for (const hash of hashes) {
    note(`session ${hash}`, sessions.find(hash, { seenSince: 0, createdSince: 0 }))
    for (const service of services) {
      note(`key ${service} ${hash}`, apiKeys.findOwner(service, hash))
    }
  }
  for (const slug of cups) note(`tournament ${slug}`, tournaments.read(slug))
  note('tournaments', tournaments.listPublic(everything, 1, 2))
  for (const id of accounts) {
    note(`public packs of ${id}`, packs.listOwnedPublic(id, 1, 2))
    note(`hosted by ${id}`, tournaments.listHosted(id, 9))
  }
  for (const name of ['0 0', '0 1', '1 0']) {
    note(`account of ${name}`, stores.accounts.findByUsername(name))
  }
  note('uses of 1 and 2', usage.list([1, 2], 1, 3))
  note('uses of 3', usage.list([3], 1, 3))
  note('last uses', usage.last([1, 2, 3], null))
  note('last uses elsewhere', usage.last([1, 2, 3], cups[0]))
  for (const id of [1, 2]) note(`pooled with ${id}`, usage.pooledWith(id, 3, 3))
  await Promise.all(notes)
  return found
}

it(
  'no process reads what is no longer so, whichever of three has written',
  { timeout: 600_000 + SEQUENCES * 10_000 },
  async () => {
    const ground = await (inject('engine') === 'postgres' ? onPostgres() : onSqlite())
    const { processes, newStores, empty } = ground
    let made = 0
    await fc.assert(
      fc.asyncProperty(someWrites, async (sequence) => {
        await empty()
        await nextTurn()
        for (const { name, draws, process } of sequence) {
          await writes[name]!(processes[process]!, draws).then(
            () => (made += 1),
            () => {},
          )
          // What another process writes is seen from the next turn of the event loop on.
          await nextTurn()
          const now = await readAll(newStores())
          for (const [at, stores] of processes.entries()) {
            const kept = await readAll(stores)
            for (const [what, value] of now) {
              if (isDeepStrictEqual(kept.get(what), value)) continue
              const difference = JSON.stringify({ kept: kept.get(what), now: value }, null, 1)
              throw new Error(
                `${what} in process ${at} after "${name}" in ${process}: ${difference}`,
              )
            }
          }
        }
      }),
      { numRuns: SEQUENCES, endOnFailure: true },
    )
    expect(made).toBeGreaterThan(SEQUENCES * 50)
  },
)
