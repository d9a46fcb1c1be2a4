import { describe, expect, it } from 'vitest'
import {
  contentOf,
  firstSave,
  isListed,
  laterSave,
  mayRead,
  maySee,
  ownerNameOf,
  packLimitOf,
  presentPack,
  presentSitePack,
  type SavedPack,
} from '../../src/domain/packs.ts'
import { aNewPack, someStats } from '../ports/sample-pack.ts'

const aPack = (changes: Partial<SavedPack> = {}): SavedPack => ({
  ...aNewPack({ slug: 'slug-00001' }),
  ownerUsername: 'ada',
  ...changes,
})

describe('who sees a pack (spec 3, D-29, D-30)', () => {
  const viewers = {
    owner: { accountId: 'owner', isModerator: false },
    moderator: { accountId: 'mod', isModerator: true },
    other: { accountId: 'other', isModerator: false },
    signedOut: null,
  }
  it.each([
    ['public', null, ['owner', 'moderator', 'other', 'signedOut'], true],
    ['unlisted', null, ['owner', 'moderator', 'other', 'signedOut'], false],
    ['private', null, ['owner'], false],
    ['public', 5, ['owner', 'moderator'], false],
    ['unlisted', 5, ['owner', 'moderator'], false],
    ['private', 5, ['owner'], false],
  ] as const)('%s, hidden at %s: %j', (visibility, hiddenAt, seenBy, listed) => {
    const pack = aPack({ visibility, hiddenAt })
    const names = Object.entries(viewers)
    expect(names.filter(([, viewer]) => maySee(pack, viewer)).map(([name]) => name)).toEqual(seenBy)
    // By the API, moderators are like others.
    expect(mayRead(pack, 'owner')).toBe(true)
    expect(mayRead(pack, 'mod')).toBe(seenBy.length === 4)
    expect(isListed(pack)).toBe(listed)
  })
})

describe('a pack as it is sent (spec 2.2, D-45, D-46)', () => {
  const bare = {
    slug: 'slug-00001',
    name: 'Grand Finals',
    visibility: 'public',
    slots: [
      { mod: 'NM', index: 1, beatmapId: 4392947 },
      { mod: null, index: 2, beatmapId: 2147483647 },
    ],
    exports: [],
    createdAt: '1970-01-01T00:00:01.000Z',
    updatedAt: '1970-01-01T00:00:01.000Z',
    packKey: 'pk1.AQFhAQICrAKFPA',
    ownerName: 'ada',
  }

  it('leaves out what there is none of', () => {
    expect(presentPack(aPack(), 'Pools')).toEqual(bare)
  })

  it('has its fields in the order of the specification', () => {
    const url = 'magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567'
    const whole = aPack({
      description: 'of 2026',
      buckets: [{ code: 'NM' }],
      exports: [{ url, createdAt: 3_000 }],
      hiddenAt: 4_000,
      historyPublic: true,
      stats: someStats(),
      updatedAt: 2_000,
    })
    const {
      slots,
      exports: _none,
      createdAt,
      updatedAt: _before,
      packKey,
      ownerName,
      ...first
    } = bare
    const sent = presentPack(whole, 'Pools')
    expect(JSON.stringify(sent)).toBe(
      JSON.stringify({
        ...first,
        description: 'of 2026',
        slots,
        buckets: [{ code: 'NM' }],
        exports: [{ kind: 'magnet', url, createdAt: '1970-01-01T00:00:03.000Z' }],
        hiddenAt: '1970-01-01T00:00:04.000Z',
        historyPublic: true,
        stats: someStats(),
        createdAt,
        updatedAt: '1970-01-01T00:00:02.000Z',
        packKey,
        ownerName,
      }),
    )
  })

  it.each([
    [{ ownerUsername: null }, 'Unknown player'],
    [{ ownerId: 'tournament-pools', ownerUsername: null }, 'Pools'],
    [{ ownerId: 'tournament-pools', ownerUsername: 'ada' }, 'Pools'],
  ])('of %j is owned by %s (D-28)', (owner, name) => {
    expect(ownerNameOf(aPack(owner), 'Pools')).toBe(name)
    expect(presentPack(aPack(owner), 'Pools').ownerName).toBe(name)
  })

  it.each([
    ['its owner', { accountId: 'owner', isModerator: false }, true, true],
    ['a moderator', { accountId: 'mod', isModerator: true }, false, true],
    ['others', { accountId: 'other', isModerator: false }, false, false],
    ['who is not signed in', null, false, false],
  ])('on the site tells %s why it is hidden: %j', (_who, viewer, isMine, knowsWhy) => {
    const hidden = presentSitePack(
      aPack({ hiddenReason: 'stolen', pinnedRank: 1 }),
      viewer,
      'Pools',
    )
    expect(hidden).toEqual({
      ...bare,
      isMine,
      isPinned: true,
      ...(knowsWhy && { hiddenReason: 'stolen' }),
    })
    expect(presentSitePack(aPack(), viewer, 'Pools')).toEqual({ ...bare, isMine, isPinned: false })
  })
})

describe('saving a pack (spec 3)', () => {
  const input = {
    name: 'Finals',
    slots: [
      { mod: 'NM', index: 1, beatmapId: 1 },
      { mod: 'X1', index: 1, beatmapId: 2 },
    ],
    buckets: [{ code: 'X1', color: 1, mods: { kind: 'free' as const } }],
    visibility: 'public' as const,
    description: 'first',
  }
  const first = firstSave(contentOf(input), { slug: 'slug-00001', ownerId: 'owner', now: 1_000 })
  const saved = aPack({
    ...first,
    exports: [{ url: 'magnet:?xt=urn:btih:x', createdAt: 1_500 }],
    pinnedRank: 2,
    stats: someStats(),
    historyPublic: true,
  })
  const kept = { exports: saved.exports, stats: saved.stats, pinnedRank: 2, version: 1 }

  it('begins with nothing that comes later', () => {
    expect(first).toEqual({
      ...contentOf(input),
      slug: 'slug-00001',
      ownerId: 'owner',
      exports: [],
      hiddenAt: null,
      hiddenReason: null,
      pinnedRank: null,
      stats: null,
      historyPublic: false,
      version: 1,
      versionAt: 1_000,
      versionHidden: false,
      createdAt: 1_000,
      updatedAt: 1_000,
    })
  })

  const [one, other] = [input.slots[0]!, input.slots[1]!]
  const mods = (set: readonly 'HD'[]) => ({
    ...input.buckets[0]!,
    mods: { kind: 'forced' as const, set: [...set] },
  })
  it.each([
    ['nothing', {}, {}],
    ['the order of slots (D-27)', { slots: [other, one] }, {}],
    ['the description', { description: 'second' }, { version: 2 }],
    ['the visibility', { visibility: 'unlisted' as const }, { pinnedRank: null, version: 2 }],
    ['the name', { name: 'Finals 2' }, { exports: [], version: 2 }],
    ['a colour', { buckets: [{ ...input.buckets[0]!, color: 2 }] }, { exports: [], version: 2 }],
    ['mods', { buckets: [mods(['HD'])] }, { exports: [], stats: null, version: 2 }],
    [
      'a beatmap',
      { slots: [one, { ...other, beatmapId: 3 }] },
      { exports: [], stats: null, version: 2 },
    ],
  ])('a change of %s keeps what it can (spec 2.6, D-30, D-71)', (_what, changes, lost) => {
    const state = laterSave(saved, contentOf({ ...input, ...changes }), 3_000)
    expect(state).toMatchObject({ ...kept, ...lost, updatedAt: 3_000, historyPublic: true })
    expect(state.versionAt).toBe(state.version === 1 ? 1_000 : 3_000)
  })

  it('a hidden pack stays hidden, and its version says so (D-70)', () => {
    const hidden = { ...saved, hiddenAt: 2_000, hiddenReason: 'stolen' }
    expect(laterSave(hidden, contentOf({ ...input, name: 'Other' }), 3_000)).toMatchObject({
      hiddenAt: 2_000,
      hiddenReason: 'stolen',
      versionHidden: true,
    })
    expect(laterSave(hidden, contentOf(input), 3_000).versionHidden).toBe(false)
  })

  it.each([
    [999, 1_001],
    [1_000, 1_001],
    [1_002, 1_002],
  ])('at %i, updatedAt goes on to %i (D-26)', (now, updatedAt) => {
    expect(laterSave(saved, contentOf(input), now).updatedAt).toBe(updatedAt)
  })
})

it('an account may keep 200 packs, that of the tournament pools any number (spec 8, D-28)', () => {
  expect(packLimitOf('owner')).toBe(200)
  expect(packLimitOf('tournament-pools')).toBeNull()
})
