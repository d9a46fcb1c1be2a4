import * as fc from 'fast-check'
import type { Stores } from '../../src/adapters/storage/stores.ts'
import type { Stats } from '../../src/contract/packs.ts'
import type { Rating } from '../../src/domain/beatmaps.ts'
import type { NewPack } from '../../src/domain/packs.ts'
import type { PackChange, SavedTournament } from '../../src/domain/tournaments.ts'
import type { QuotaStore } from '../../src/ports/quotas.ts'
import { releasedFields, roundFields } from '../../src/pool/round-fields.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { aBeatmap } from './a-beatmap.ts'

/** What a step may change and ask. */
export type Trial = { readonly stores: Stores; readonly quotas: QuotaStore }

/** One call of a port, with its values, that can be made on any engine. */
export type Step = { readonly name: string; run(trial: Trial): Promise<unknown> }

// Few of everything, so that steps meet: owners and slugs that are there and some that are not.
const one = <const T>(...values: readonly T[]) => fc.constantFrom(...values)
const owner = one('ada', 'ben', 'tournament-pools', 'nobody')
const slug = one('slug-00001', 'slug-00002', 'slug_00003', 'SLUG-00001', 'slug-00005', 'slug-00006')
const time = fc.integer({ min: 0, max: 12 }).map((at) => at * 1_000)
const service = one('packs', 'pools')
const hash = one('hash-a', 'hash-b', 'hash-c')
const meantKey = one(undefined, '', 'hash-a', 'hash-b')
const page = one(1, 2)
const PAGE = 3

/** Words that engines could fold, sort or quote otherwise. */
const word = one(
  'Grand Finals',
  'grand finals',
  'ÄÖÜ straße',
  'äöü STRASSE',
  'ΣΟΦΟΣ',
  'Ива́н',
  'İstanbul',
  'K elvin',
  '100%',
  '1_0',
  String.raw`back\slash`,
  "quo'te",
  '🎵',
  'Ǆ',
  'e\u0301',
)
const query = one(
  '',
  'grand',
  'FINALS',
  'äöü',
  'ςοφος',
  'σοφος',
  'i',
  '%',
  '_',
  '\\',
  "'",
  '🎵',
  'ǆ',
  'slug-00001',
)

const stats = one('2026-01-01T00:00:00.000Z', '2026-02-02T00:00:00.000Z').map(
  (computedAt): Stats => ({
    srMin: 2.55,
    srMax: 7.81,
    srAvg: null,
    lenMin: 142,
    lenMax: 258,
    bpmMin: null,
    bpmMax: 222,
    mods: ['NM'],
    modes: ['base'],
    count: 2,
    complete: true,
    computedAt,
  }),
)

const state = fc.record({
  name: word,
  visibility: one('private', 'unlisted', 'public', 'public'),
  description: fc.option(word),
  slots: one(
    [{ mod: 'NM', index: 1, beatmapId: 1 }],
    [
      { mod: null, index: 2, beatmapId: 2_147_483_647 },
      { mod: 'Ω1', index: 99, beatmapId: 2 },
    ],
  ),
  updatedAt: time,
})

const note = fc.record({
  moderatorId: fc.option(one('ada', 'ben')),
  reason: fc.option(word),
  action: one('hide', 'unhide', 'pin', 'unpin'),
  at: time,
})

const step = <V>(
  name: string,
  values: fc.Arbitrary<V>,
  run: (trial: Trial, values: V) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  values.map((given) => ({
    name: `${name} ${JSON.stringify(given)}`,
    run: (trial) => run(trial, given),
  }))

const packs = [
  step(
    'create',
    fc.record({
      pack: state,
      slug,
      ownerId: owner,
      createdAt: time,
      limit: one(null, 3, 5),
      once: fc.option(
        fc.record({ key: one('k1', 'K1'), fingerprint: one('f', 'g'), since: time }),
        { freq: 1 },
      ),
    }),
    ({ stores }, { pack, limit, once, ...rest }) =>
      stores.packs.create(aNewPack({ ...(pack as Partial<NewPack>), ...rest }), limit, once),
  ),
  step(
    'replace',
    fc.record({
      slug,
      owner,
      pack: state,
      keepsStats: fc.boolean(),
      isVersion: fc.boolean(),
      fails: one(0, 0, 0, 1),
    }),
    ({ stores }, { slug, owner, pack, keepsStats, isVersion, fails }) =>
      stores.packs.replace(slug, owner, (saved) => {
        if (fails) throw new Error('refused')
        return {
          ...saved,
          ...pack,
          stats: keepsStats ? saved.stats : null,
          ...(isVersion && {
            version: saved.version + 1,
            versionAt: pack.updatedAt,
            versionHidden: saved.hiddenAt !== null,
          }),
        }
      }),
  ),
  step(
    'setHistoryPublic',
    fc.record({ slug, owner, to: fc.boolean(), fails: one(0, 0, 0, 1) }),
    ({ stores }, { slug, owner, to, fails }) =>
      stores.packs.setHistoryPublic(slug, owner, to, () => {
        if (fails) throw new Error('refused')
      }),
  ),
  step('readHistory', slug, ({ stores }, slug) => stores.packs.readHistory(slug)),
  step('remove', fc.record({ slug, owner }), ({ stores }, { slug, owner }) =>
    stores.packs.remove(slug, owner, 0),
  ),
  step('changeExports', fc.record({ slug, owner, at: time }), ({ stores }, { slug, owner, at }) =>
    stores.packs.changeExports(slug, owner, ({ exports }) => [
      { url: 'magnet:?xt=urn:btih:00', createdAt: at },
      ...exports.slice(0, 2),
    ]),
  ),
  step(
    'moderate',
    fc.record({ slug, hides: fc.boolean(), rank: fc.option(one(1, 2)), note: fc.option(note) }),
    ({ stores }, { slug, hides, rank, note }) =>
      stores.packs.moderate(slug, (saved, pinned) => ({
        hiddenAt: hides ? 5_000 : null,
        hiddenReason: hides ? saved.name : null,
        pinnedRank: rank === null ? null : pinned.length + rank,
        ...(note !== null && { note }),
      })),
  ),
  step('setPins', fc.record({ first: slug, note }), async ({ stores }, { first, note }) => {
    const pinned = (await stores.packs.listPinned()).map((pack) => pack.slug)
    const order = pinned.includes(first)
      ? [first, ...pinned.filter((each) => each !== first)]
      : [first]
    return stores.packs.setPins(order, note)
  }),
  step('read', slug, async ({ stores }, slug) => stores.packs.read(slug)),
  step('listPublic', page, async ({ stores }, page) => stores.packs.listPublic(page, PAGE)),
  step('listOwned', fc.record({ owner, page }), ({ stores }, { owner, page }) =>
    stores.packs.listOwned(owner, page, PAGE),
  ),
  step('findOwned', fc.record({ owner, word }), ({ stores }, { owner, word }) =>
    stores.packs.findOwned(owner, word),
  ),
  step('listPinned', fc.constant(null), async ({ stores }) => stores.packs.listPinned()),
  step('readModerated', slug, ({ stores }, slug) => stores.packs.readModerated(slug)),
  step(
    'listModerated',
    fc.record({ query, only: one(null, null, 'hidden', 'pinned'), page }),
    ({ stores }, { page, ...filter }) => stores.packs.listModerated(filter, page, PAGE),
  ),
  step('readLog', page, ({ stores }, page) => stores.packs.readLog(page, PAGE)),
  step('forget changes', time, ({ stores }, before) => stores.changes.forget(before)),
  // Cursors are random.
  step('read changes', one(1, 3, 100), async ({ stores }, limit) => {
    const portion = await stores.changes.read(beginnings.get(stores)!, limit)
    if (portion.outcome !== 'read') return portion.outcome
    return portion.entries.map((entry) => ({ ...entry, cursor: null }))
  }),
  step('readLogAbout', owner, ({ stores }, owner) => stores.packs.readLogAbout(owner)),
]

const tournament = one('cup-000001', 'CUP-000001', 'cup_000003')
const player = one('ada', 'ben', 'nobody')
const role = one('host', 'pooler', 'tester', 'referee')
const roundId = one('round-0001', 'round-0002', 'round-0003')
const noFacts = {
  description: null,
  rankMin: null,
  link: null,
  announceRounds: false,
  discord: null,
} as const
const search = fc.record({
  search: query,
  ruleset: one(null, null, 'base', 'mania'),
  rank: one(null, 1, 100),
  year: one(null, null, 2026),
})

const redraft = (
  saved: SavedTournament,
  draft: { id: string; name: string; releaseAt: number | null; at: number; isVersion: boolean },
): SavedTournament => {
  const { id, name, releaseAt, at, isVersion } = draft
  const before = saved.rounds.find((round) => round.id === id)
  const slots = [{ mod: 'NM', index: 1, placeholder: name }]
  const version = (before?.version ?? 0) + (isVersion || before === undefined ? 1 : 0)
  const others = saved.rounds.filter((round) => round !== before)
  return {
    ...saved,
    updatedAt: Math.max(at, saved.updatedAt + 1),
    rounds: [
      ...others,
      {
        ...roundFields.stored({ bans: 1 }),
        buckets: null,
        releaseIncomplete: false,
        withdrawn: null,
        released: null,
        hiddenPack: null,
        createdAt: at,
        ...before,
        id,
        name,
        slots,
        releaseAt,
        version,
        updatedAt: at,
      },
    ],
  }
}

const tournaments = [
  step(
    'create tournament',
    fc.record({
      tournament: fc.record({
        slug: tournament,
        createdAt: time,
        name: word,
        shortName: fc.option(word),
        ruleset: one('base', 'mania'),
        year: one(null, 2026),
        rankMax: one(null, 50, 100),
        visibility: one('private', 'public', 'public'),
      }),
      host: player,
      limit: one(1, 2, 3),
    }),
    ({ stores }, { tournament, host, limit }) =>
      stores.tournaments.create({ ...noFacts, ...tournament }, host, limit),
  ),
  step(
    'change round',
    fc.record({
      slug: tournament,
      by: one(null, 'ada'),
      id: roundId,
      name: word,
      releaseAt: fc.option(time),
      at: time,
      isVersion: fc.boolean(),
      fails: one(0, 0, 0, 1),
    }),
    ({ stores }, { slug, by, fails, ...draft }) =>
      stores.tournaments.change(slug, by, 9, 0, (saved) => {
        if (fails) throw new Error('refused')
        return redraft(saved, draft)
      }),
  ),
  step(
    'change staff',
    fc.record({
      slug: tournament,
      accountId: player,
      role,
      rounds: one(null, ['round-0001']),
      since: time,
      seenAt: one(null, 2_000, 9_000),
      limit: one(1, 2),
    }),
    ({ stores }, { slug, limit, ...member }) =>
      stores.tournaments.change(slug, null, limit, 0, (saved) => {
        const others = saved.staff.filter(({ accountId }) => accountId !== member.accountId)
        const staff = [...others, { ...member, gameId: 1, username: null }]
        return { ...saved, staff, hiddenAt: member.since === 0 ? 1 : null }
      }),
  ),
  step(
    'release',
    fc.record({ tournament, id: roundId, at: time, slug, isDeletion: one(0, 0, 0, 1) }),
    ({ stores }, { tournament, id, at, slug, isDeletion }) =>
      stores.tournaments.changeWithPacks(tournament, 'ada', at, (saved, now) => {
        const round = saved.rounds.find((each) => each.id === id)
        if (round === undefined) return null
        const before = round.released?.pack ?? null
        const ownerId = 'tournament-pools'
        const pack = aNewPack({ slug, ownerId, name: round.name, createdAt: now, updatedAt: now })
        const packSlug = before?.slug ?? slug
        const { name } = round
        const released = {
          name,
          ...releasedFields(round),
          packSlug,
          scheduledFor: null,
          at: now,
          slots: null,
          pack: null,
        }
        const rounds = saved.rounds.map((each) =>
          each === round ? { ...round, releaseAt: null, released } : each,
        )
        const change: PackChange =
          before === null
            ? { kind: 'create', pack }
            : { kind: 'replace', slug: packSlug, state: { ...before, name, updatedAt: now } }
        if (!isDeletion) return { content: { ...saved, rounds }, packs: [change] }
        return { content: null, packs: before === null ? [] : [{ kind: 'remove', slug: packSlug }] }
      }),
  ),
  step('read tournament', tournament, async ({ stores }, slug) => stores.tournaments.read(slug)),
  step('list tournaments', fc.record({ search, page }), ({ stores }, { search, page }) =>
    stores.tournaments.listPublic(search, page, PAGE),
  ),
  step('list of member', fc.record({ player, page }), ({ stores }, { player, page }) =>
    stores.tournaments.listOfMember(player, page, PAGE),
  ),
  step('due rounds', fc.record({ at: time, limit: one(1, 2, 9) }), ({ stores }, { at, limit }) =>
    stores.tournaments.due(at, limit),
  ),
  step('find by pack', slug, ({ stores }, slug) => stores.tournaments.findByPack(slug)),
  step('read drafts', fc.record({ slug: tournament, id: roundId }), ({ stores }, { slug, id }) =>
    stores.tournaments.readVersions(slug, id),
  ),
]

const people = [
  step(
    'ensurePlayer',
    fc.record({ gameId: one(1, 2), username: word, at: time }),
    ({ stores }, { gameId, username, at }) =>
      stores.accounts.ensurePlayer({ gameId, username }, gameId === 1 ? 'ada' : 'ben', at),
  ),
  step('remove account', owner, ({ stores }, owner) => stores.accounts.remove(owner, 0)),
  step('read account', owner, ({ stores }, owner) => stores.accounts.read(owner)),
  step(
    'setModerator',
    fc.record({ gameId: one(1, 2, 3), is: fc.boolean(), at: time }),
    ({ stores }, { gameId, is, at }) => stores.accounts.setModerator(gameId, is, at),
  ),
  step('countPlayers', fc.constant(null), ({ stores }) => stores.accounts.countPlayers()),
  step(
    'replace key',
    fc.record({ owner, service, hash, at: time, replaced: meantKey }),
    ({ stores }, { owner, service, hash, at, replaced }) =>
      stores.apiKeys.replace(owner, service, { hash, shown: hash, createdAt: at }, replaced),
  ),
  step(
    'revoke key',
    fc.record({ owner, service, meant: meantKey }),
    ({ stores }, { owner, service, meant }) => stores.apiKeys.revoke(owner, service, meant),
  ),
  step('read key', fc.record({ owner, service }), ({ stores }, { owner, service }) =>
    stores.apiKeys.read(owner, service),
  ),
  step('note uses', fc.record({ service, hash, day: one(1, 2, 3) }), ({ stores }, use) =>
    stores.apiKeys.noteUses([use]),
  ),
  step(
    'create session',
    fc.record({ hash, owner, service, at: time, replaces: fc.option(hash) }),
    ({ stores }, { hash, owner, service, at, replaces }) =>
      stores.sessions.create(
        { hash, accountId: owner, service, device: null, csrf: 'csrf', createdAt: at },
        replaces,
      ),
  ),
  step('find session', fc.record({ hash, at: time }), ({ stores }, { hash, at }) =>
    stores.sessions.find(hash, { seenSince: at, createdSince: at }),
  ),
  step('touch session', fc.record({ hash, at: time }), ({ stores }, { hash, at }) =>
    stores.sessions.touch(hash, at),
  ),
  step('end session', hash, ({ stores }, hash) => stores.sessions.end(hash)),
  step(
    'end sessions',
    fc.record({ owner, except: fc.option(hash) }),
    ({ stores }, { owner, except }) => stores.sessions.endAll(owner, except),
  ),
  step('end session by id', fc.record({ owner, hash }), ({ stores }, { owner, hash }) =>
    stores.sessions.endById(owner, hash),
  ),
  step('list sessions', fc.record({ owner, at: time }), ({ stores }, { owner, at }) =>
    stores.sessions.list(owner, { seenSince: at, createdSince: 0 }),
  ),
  step('removeExpired', time, ({ stores }, at) =>
    stores.sessions.removeExpired({ seenSince: at, createdSince: at }),
  ),
]

const ratingKey = fc.record({
  beatmapId: one(1, 2),
  ruleset: one('base', 'mania'),
  mods: one(['HR'] as const, ['HD', 'DT'] as const),
})
const rating: fc.Arbitrary<Rating> = fc.oneof(
  fc.double({ min: 0, max: 15, noNaN: true }).map((stars) => ({ stars: stars + 0 })),
  one('refused', 'gone'),
)

const work = [
  step(
    'takeDue',
    fc.record({ now: time, lease: one(1, 3_000), limit: one(1, 2, 9) }),
    ({ stores }, { now, lease, limit }) => stores.statsWork.takeDue(now, now + lease, limit),
  ),
  step(
    'finish',
    fc.record({
      slug,
      stats: fc.option(stats),
      dueAt: fc.option(time),
      attempts: one(0, 2),
      isLate: one(false, false, true),
      lease: one(0, 1, 1, 2, 3),
    }),
    async ({ stores }, { slug, isLate, lease, ...result }) => {
      const saved = await stores.packs.read(slug)
      if (saved === null) return null
      const updatedAt = saved.updatedAt + (isLate ? 1 : 0)
      return stores.statsWork.finish({ pack: { ...saved, updatedAt }, lease }, result)
    },
  ),
  step('markDue', fc.record({ slug: fc.option(slug), at: time }), ({ stores }, { slug, at }) =>
    stores.statsWork.markDue(slug, at),
  ),
  step('backlog', time, ({ stores }, at) => stores.statsWork.backlog(at)),
  step('nextDueAt', time, ({ stores }, at) => stores.statsWork.nextDueAt(at)),
  // What comes after the number is random.
  step('index version', fc.constant(null), async ({ stores }) =>
    Number.parseInt(await stores.publicIndex.version(), 10),
  ),
  step(
    'index portion',
    fc.record({ after: fc.option(fc.record({ createdAt: time, slug })), limit: one(1, 3) }),
    ({ stores }, { after, limit }) => stores.publicIndex.readPortion(after, limit),
  ),
  step(
    'keepBeatmaps',
    fc.record({ found: one(1, 2), title: word, gone: one([], [1], [3]), at: time }),
    ({ stores }, { found, title, gone, at }) =>
      stores.beatmapCache.keepBeatmaps([aBeatmap(found, { title })], gone, at),
  ),
  step('readBeatmaps', fc.constant(null), async ({ stores }) =>
    [...(await stores.beatmapCache.readBeatmaps([3, 1, 2, 1]))].toSorted(([a], [b]) => a - b),
  ),
  step(
    'keepRating',
    fc.record({ key: ratingKey, rating, at: time }),
    ({ stores }, { key, rating, at }) => stores.beatmapCache.keepRating(key, rating, at),
  ),
  step('readRatings', fc.array(ratingKey, { maxLength: 3 }), ({ stores }, keys) =>
    stores.beatmapCache.readRatings(keys),
  ),
  step('expire', one(null, [1], [2, 3]), ({ stores }, ids) => stores.beatmapCache.expire(ids)),
  step(
    'take call',
    fc.record({
      caller: one('visitor', 'background', 'sign-in'),
      now: time,
      times: one(1, 20, 40),
    }),
    async ({ stores }, { caller, now, times }) => {
      const leaves: unknown[] = []
      for (let each = 0; each < times; each += 1) {
        const leave = await stores.callBudget.take(caller, now)
        // Calls have numbers that are the engine's own.
        leaves.push(leave.granted ? { ...leave, calls: leave.calls.length } : leave)
      }
      return leaves.at(-1)
    },
  ),
  step('look for call', fc.record({ spare: one(0, 10), now: time }), ({ stores }, { spare, now }) =>
    stores.callBudget.look(spare, now),
  ),
  step(
    'fail call',
    fc.record({ calls: one('all', 'tokens'), askedUntil: one(null, 90_000), now: time }),
    ({ stores }, { now, ...stops }) =>
      stores.callBudget.fail({ call: 'GET /', trouble: 'down', reason: '503' }, now, stops),
  ),
  step(
    'answer call',
    fc.record({ isSignIn: fc.boolean(), now: time }),
    async ({ stores }, step) => {
      const { isSignIn, now } = step
      const { pause } = await stores.callBudget.report(now)
      await stores.callBudget.succeed(isSignIn ? 'sign-in' : 'background', now, pause?.since)
    },
  ),
  step('resume calls', time, ({ stores }, at) => stores.callBudget.resume(at)),
  step('report calls', time, ({ stores }, at) => stores.callBudget.report(at)),
  step('calls left', time, ({ stores }, at) => stores.callBudget.left(at)),
]

const account = one('ada', 'ben')
const address = one('192.0.2.1', '2001:db8::/64')
const times = one(1, 5, 15)

/** The clock never goes back here: what then happens is each counter's own affair. */
const quotas = (now: number) => [
  step(
    'admit',
    fc.record({ service, hash, isWrite: fc.boolean(), times }),
    ({ quotas }, { service, hash, isWrite, times }) =>
      last(times, async () => quotas.admit(service, hash, isWrite, now)),
  ),
  step(
    'spend',
    fc.record({ service, account, isWrite: fc.boolean(), times }),
    ({ quotas }, { service, account, isWrite, times }) =>
      last(times, () => quotas.spend(service, account, isWrite, now)),
  ),
  step('spent', fc.record({ service, account }), ({ quotas }, { service, account }) =>
    quotas.spent(service, account, now),
  ),
  step(
    'failure',
    fc.record({ service, address, times }),
    ({ quotas }, { service, address, times }) =>
      last(times, () => quotas.countFailure(service, address, now)),
  ),
  step('failures', fc.record({ service, address }), async ({ quotas }, { service, address }) =>
    quotas.failures(service, address, now),
  ),
  step(
    'new key',
    fc.record({ service, account, times }),
    ({ quotas }, { service, account, times }) =>
      last(times, () => quotas.countNewKey(service, account, now)),
  ),
  step('no new key', fc.record({ service, account }), ({ quotas }, { service, account }) =>
    quotas.uncountNewKey(service, account, now),
  ),
  step('new keys', fc.record({ service, account }), ({ quotas }, { service, account }) =>
    quotas.newKeys(service, account, now),
  ),
]

const last = async (times: number, count: () => Promise<unknown>): Promise<unknown> => {
  for (let each = 1; each < times; each += 1) await count()
  return count()
}

/** Where the feed of changes of each store began. */
const beginnings = new WeakMap<Stores, string>()

const beginning = [
  step('changes begin', fc.constant(null), async ({ stores }) => {
    const portion = await stores.changes.read(null, 1)
    if (portion.outcome === 'read') beginnings.set(stores, portion.newest)
    return portion.outcome
  }),
  step('ensure ada', word, ({ stores }, username) =>
    stores.accounts.ensurePlayer({ gameId: 1, username }, 'ada', 0),
  ),
  step('ada has a key', hash, ({ stores }, hash) =>
    stores.apiKeys.replace('ada', 'packs', { hash, shown: 'abcd', createdAt: 0 }),
  ),
]

const inWindow = (window: number): fc.Arbitrary<Step[]> =>
  fc.array(
    fc.oneof(
      ...packs,
      ...packs,
      ...tournaments,
      ...people,
      ...work,
      ...quotas(window * 30 * 60_000),
    ),
    {
      maxLength: 25,
      size: 'max',
    },
  )

/** A sequence of steps over an empty store. */
export const steps: fc.Arbitrary<Step[]> = fc
  .tuple(fc.tuple(...beginning), inWindow(100), inWindow(101), inWindow(103))
  .map((parts) => parts.flat())
