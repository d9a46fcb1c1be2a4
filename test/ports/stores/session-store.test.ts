import { beforeAll, describe, expect, it } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import { SYSTEM_ACCOUNT_ID } from '../../../src/domain/accounts.ts'
import { MAX_SESSIONS } from '../../../src/domain/sessions.ts'
import type { NewSession } from '../../../src/ports/sessions.ts'
import { addOwners, withStore } from '../temp-store.ts'

let made = 0

const aSession = (changes: Partial<NewSession> = {}): NewSession => ({
  hash: `hash-${(made += 1)}`,
  accountId: 'owner',
  service: 'packs',
  device: null,
  csrf: 'c'.repeat(43),
  createdAt: 1_000,
  ...changes,
})

const ALL = { seenSince: 0, createdSince: 0 }
const seenSince = (moment: number) => ({ ...ALL, seenSince: moment })

describe('SessionStore', () => {
  let one: Stores
  let two: Stores

  withStore(beforeAll, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  it('finds which of many are live, whichever process asks', async () => {
    const [old, ended, live] = [
      aSession(),
      aSession({ createdAt: 5_000 }),
      aSession({ createdAt: 5_000 }),
    ]
    for (const session of [old, ended, live]) await one.sessions.create(session, null)
    await one.sessions.end(ended.hash)
    const hashes = [old, ended, live].map(({ hash }) => hash)
    expect(await two.sessions.findLive([...hashes, 'nobody’s'], seenSince(2_000))).toEqual(
      new Set([live.hash]),
    )
    expect(await two.sessions.findLive([], ALL)).toEqual(new Set())
  })

  const begin = async (changes: Partial<NewSession> = {}) => {
    const session = aSession(changes)
    await one.sessions.create(session, null)
    return session
  }

  it('tells whose session it is, with everything about them, in one read', async () => {
    const session = await begin({ createdAt: 5_000 })
    const { device: _, ...known } = session
    const expected = {
      ...known,
      gameId: 1,
      username: 'mapper',
      isModerator: false,
      language: null,
      lastSeenAt: 5_000,
    }
    expect(await one.sessions.find(session.hash, ALL)).toEqual(expected)
    expect(await two.sessions.find(session.hash, ALL)).toEqual(expected)
    expect(await one.sessions.find('nobody', ALL)).toBeNull()
  })

  it('knows a new name and a new moderator at once, in every process (D-42)', async () => {
    const { hash } = await begin({ accountId: 'other' })
    expect(await two.sessions.find(hash, ALL)).toMatchObject({ username: 'somebody' })
    await one.accounts.ensurePlayer({ gameId: 2, username: 'renamed' }, 'x', 0)
    expect(await two.sessions.find(hash, ALL)).toMatchObject({ username: 'renamed' })
    await one.accounts.setModerator(2, true, 0)
    expect(await two.sessions.find(hash, ALL)).toMatchObject({ isModerator: true })
    await one.accounts.setModerator(2, false, 0)
    expect(await two.sessions.find(hash, ALL)).toMatchObject({ isModerator: false })
  })

  it('knows the language that the account has chosen, in every process', async () => {
    const { hash } = await begin({ accountId: 'other' })
    const languages: unknown[] = []
    for (const language of ['ko', 'zh-Hans', null]) {
      await one.accounts.setLanguage('other', language)
      for (const each of [one, two]) languages.push((await each.sessions.find(hash, ALL))?.language)
    }
    expect(languages).toEqual(['ko', 'ko', 'zh-Hans', 'zh-Hans', null, null])
  })

  it('begins one in place of another, in one step', async () => {
    const before = await begin()
    const after = aSession()
    await one.sessions.create(after, before.hash)
    expect(await two.sessions.find(before.hash, ALL)).toBeNull()
    expect(await two.sessions.find(after.hash, ALL)).toMatchObject({ hash: after.hash })
    await one.sessions.create(aSession(), 'nobody')
  })

  it('keeps the session that there is when the new one cannot begin', async () => {
    const before = await begin()
    const orphan = aSession({ accountId: 'nobody' })
    await expect(one.sessions.create(orphan, before.hash)).rejects.toThrow()
    expect(await two.sessions.find(before.hash, ALL)).not.toBeNull()
    expect(await two.sessions.find(orphan.hash, ALL)).toBeNull()
  })

  const made = { since: 0, until: 10_000 }
  const redeem = (
    store: Stores,
    code: string,
    changes: {
      service?: 'packs' | 'pools'
      challenge?: string
      since?: number
      until?: number
    } = {},
    limits = ALL,
    replaces: string | null = null,
  ) => {
    const { service = 'pools', challenge = 'mine', ...times } = changes
    const { hash, device, csrf } = aSession()
    const handOver = { hash: code, service, challenge }
    const session = { hash, device, csrf }
    return store.sessions
      .redeem(handOver, { ...made, ...times }, limits, session, 9_000, replaces)
      .then((redeemed) => ({ redeemed, hash }))
  }
  const offer = async (from: string, at = 5_000) => {
    const hash = `code-${aSession().hash}`
    const handOver = { hash, service: 'pools', challenge: 'mine' } as const
    expect(await one.sessions.offer(handOver, from, at, 0)).toBe(true)
    return hash
  }

  it('hands a session over: the new one began when that one did, and both go on', async () => {
    const from = await begin({ createdAt: 5_000 })
    const { redeemed, hash } = await redeem(two, await offer(from.hash))
    expect(redeemed).toEqual({ accountId: 'owner', createdAt: 5_000 })
    expect(await one.sessions.find(hash, ALL)).toMatchObject({
      accountId: 'owner',
      service: 'pools',
      createdAt: 5_000,
      lastSeenAt: 9_000,
    })
    expect(await one.sessions.find(from.hash, ALL)).not.toBeNull()
  })

  it.each([
    ['for another service', { service: 'packs' as const }],
    ['from another browser', { challenge: 'yours' }],
    ['made too long ago', { since: 5_001 }],
    ['made later than now', { until: 4_999 }],
  ])('begins none by a hand-over %s, and uses it up', async (_what, changes) => {
    const code = await offer((await begin({ createdAt: 5_000 })).hash)
    const { redeemed, hash } = await redeem(two, code, changes)
    expect(redeemed).toBeNull()
    expect(await one.sessions.find(hash, ALL)).toBeNull()
    expect((await redeem(one, code)).redeemed).toBeNull()
  })

  it('begins none by a hand-over that was discarded, in whatever process', async () => {
    const from = await begin({ createdAt: 5_000 })
    const [gone, other] = [await offer(from.hash), await offer(from.hash)]
    await one.sessions.discard(gone)
    await one.sessions.discard('never there')
    expect((await redeem(two, gone)).redeemed).toBeNull()
    expect((await redeem(two, other)).redeemed).not.toBeNull()
  })

  it('hands over no session that has ended, is too old or was never there', async () => {
    const { hash } = await begin({ createdAt: 5_000 })
    const [ended, old] = [await offer(hash), await offer(hash)]
    expect((await redeem(two, old, {}, seenSince(5_001))).redeemed).toBeNull()
    await one.sessions.end(hash)
    expect((await redeem(two, ended)).redeemed).toBeNull()
    const handOver = { hash: 'x', service: 'pools', challenge: 'mine' } as const
    expect(await one.sessions.offer(handOver, hash, 5_000, 0)).toBe(false)
    expect((await redeem(two, 'x')).redeemed).toBeNull()
  })

  it('hands over once, however many processes are asked at the same time', async () => {
    const code = await offer((await begin({ createdAt: 5_000 })).hash)
    const all = await Promise.all(
      [one, two, one, two, one, two].map((store) => redeem(store, code)),
    )
    expect(all.filter(({ redeemed }) => redeemed !== null)).toHaveLength(1)
    for (const { redeemed, hash } of all) {
      expect((await two.sessions.find(hash, ALL)) === null).toBe(redeemed === null)
    }
  })

  it('takes the place of the session that the browser had, and removes what was never redeemed', async () => {
    const [from, had] = [await begin({ createdAt: 5_000 }), await begin({ service: 'pools' })]
    const left = await offer(from.hash, 4_000)
    const code = await offer(from.hash, 5_000)
    const handOver = { hash: 'y', service: 'pools', challenge: 'mine' } as const
    expect(await two.sessions.offer(handOver, from.hash, 5_000, 4_001)).toBe(true)
    expect((await redeem(one, left)).redeemed).toBeNull()
    expect((await redeem(two, code, {}, ALL, had.hash)).redeemed).not.toBeNull()
    expect(await one.sessions.find(had.hash, ALL)).toBeNull()
  })

  it('finds none that has been idle for too long', async () => {
    const { hash } = await begin({ createdAt: 7_000 })
    expect(await one.sessions.find(hash, seenSince(7_000))).not.toBeNull()
    expect(await one.sessions.find(hash, seenSince(7_001))).toBeNull()
    await two.sessions.touch(hash, 9_000)
    expect(await one.sessions.find(hash, seenSince(9_000))).toMatchObject({
      createdAt: 7_000,
      lastSeenAt: 9_000,
    })
  })

  it('never moves the time of last use back, nor brings a session back', async () => {
    const { hash } = await begin({ createdAt: 7_000 })
    await one.sessions.touch(hash, 9_000)
    await one.sessions.touch(hash, 8_000)
    expect(await one.sessions.find(hash, ALL)).toMatchObject({ lastSeenAt: 9_000 })
    await one.sessions.end(hash)
    await one.sessions.touch(hash, 10_000)
    expect(await one.sessions.find(hash, ALL)).toBeNull()
  })

  it('ends one session for those who knew it already, and no other', async () => {
    const [here, there] = [await begin(), await begin()]
    expect(await two.sessions.find(here.hash, ALL)).not.toBeNull()
    expect(await one.sessions.end(here.hash)).toBe(true)
    expect(await one.sessions.end(here.hash)).toBe(false)
    expect(await two.sessions.find(here.hash, ALL)).toBeNull()
    expect(await two.sessions.find(there.hash, ALL)).not.toBeNull()
  })

  it("ends all of an account's sessions, and nobody else's", async () => {
    await one.sessions.endAll('owner', null)
    const [a, b] = [await begin(), await begin()]
    const other = await begin({ accountId: 'other' })
    expect(await two.sessions.find(a.hash, ALL)).not.toBeNull()
    expect(await one.sessions.endAll('owner', null)).toBe(2)
    expect(await two.sessions.find(a.hash, ALL)).toBeNull()
    expect(await two.sessions.find(b.hash, ALL)).toBeNull()
    expect(await two.sessions.find(other.hash, ALL)).not.toBeNull()
    expect(await one.sessions.endAll('owner', null)).toBe(0)
  })

  it("lists an account's live sessions, newest first", async () => {
    await one.sessions.endAll('owner', null)
    await begin({ createdAt: 100 })
    await begin({ createdAt: 300 })
    const { hash } = await begin({ createdAt: 200 })
    await one.sessions.touch(hash, 900)
    expect(await two.sessions.list('owner', seenSince(300))).toMatchObject([
      { createdAt: 300, lastSeenAt: 300 },
      { hash, createdAt: 200, lastSeenAt: 900 },
    ])
    expect(await two.sessions.list('owner', ALL)).toHaveLength(3)
  })

  it('forgets what has been idle for too long', async () => {
    await one.sessions.removeExpired(seenSince(Number.MAX_SAFE_INTEGER))
    const old = await begin({ createdAt: 100 })
    const used = await begin({ createdAt: 100 })
    await one.sessions.touch(used.hash, 500)
    expect(await one.sessions.removeExpired(seenSince(500))).toBe(1)
    expect(await one.sessions.removeExpired(seenSince(500))).toBe(0)
    expect(await two.sessions.find(old.hash, ALL)).toBeNull()
    expect(await two.sessions.find(used.hash, ALL)).not.toBeNull()
  })

  it('finds, lists and keeps none that began too long ago, however it was used', async () => {
    await one.sessions.endAll('owner', null)
    const { hash } = await begin({ createdAt: 100 })
    await begin({ createdAt: 300 })
    await one.sessions.touch(hash, 900)
    const limits = { seenSince: 0, createdSince: 101 }
    expect(await two.sessions.find(hash, { ...limits, createdSince: 100 })).not.toBeNull()
    expect(await two.sessions.find(hash, limits)).toBeNull()
    expect(await two.sessions.list('owner', limits)).toHaveLength(1)
    expect(await one.sessions.removeExpired(limits)).toBe(1)
    expect(await two.sessions.find(hash, ALL)).toBeNull()
  })

  it('keeps where a session was begun, and on which service', async () => {
    await one.sessions.endAll('owner', null)
    const { hash } = await begin({ service: 'pools', device: 'Firefox on Windows' })
    expect(await two.sessions.find(hash, ALL)).toMatchObject({ service: 'pools' })
    expect(await two.sessions.list('owner', ALL)).toEqual([
      {
        hash,
        service: 'pools',
        device: 'Firefox on Windows',
        createdAt: 1_000,
        lastSeenAt: 1_000,
      },
    ])
  })

  it('ends one by its id, of that account alone, or all but one', async () => {
    await one.sessions.endAll('owner', null)
    const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(16))
    for (const id of ids) await begin({ hash: `${id}-and-more` })
    const [a = '', b = ''] = ids
    expect(await one.sessions.endById('other', a)).toBe(false)
    expect(await one.sessions.endById('owner', a.slice(0, 15))).toBe(false)
    expect(await one.sessions.endById('owner', '%'.repeat(16))).toBe(false)
    expect(await one.sessions.endById('owner', a)).toBe(true)
    expect(await one.sessions.endById('owner', a)).toBe(false)
    expect(await one.sessions.endAll('owner', `${b}-and-more`)).toBe(1)
    expect(await two.sessions.list('owner', ALL)).toMatchObject([{ hash: `${b}-and-more` }])
  })

  it('keeps at most 100 of an account, ending those used least recently', async () => {
    await one.sessions.endAll('owner', null)
    const other = await begin({ accountId: 'other' })
    const first = await begin({ createdAt: 10 })
    const second = await begin({ createdAt: 20 })
    await one.sessions.touch(first.hash, 5_000)
    for (let more = 0; more < MAX_SESSIONS - 1; more += 1) await begin()
    expect(await two.sessions.list('owner', ALL)).toHaveLength(MAX_SESSIONS)
    expect(await two.sessions.find(first.hash, ALL)).not.toBeNull()
    expect(await two.sessions.find(second.hash, ALL)).toBeNull()
    expect(await two.sessions.find(other.hash, ALL)).not.toBeNull()
  })

  it('signs nobody in as the system account (D-28)', async () => {
    const { hash } = await begin({ accountId: SYSTEM_ACCOUNT_ID })
    expect(await one.sessions.find(hash, ALL)).toBeNull()
  })

  it('loses none of 40 that begin at once through two doors', async () => {
    await one.sessions.endAll('owner', null)
    const sessions = Array.from({ length: 40 }, () => aSession())
    await Promise.all(
      sessions.map((session, at) => (at % 2 ? one : two).sessions.create(session, null)),
    )
    expect(await one.sessions.list('owner', ALL)).toHaveLength(40)
  })
})
