import { afterAll, describe, expect, it } from 'vitest'
import { revokeKey } from '../../src/operations/keys.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import { expectError } from '../support/door.ts'
import { type Host, openHouse } from '../support/house.ts'
import { aPack } from '../support/samples.ts'

const house = await openHouse()
afterAll(() => house.close())

const states = ['public', 'unlisted', 'private', 'hidden', 'deleted'] as const
type State = (typeof states)[number]
const methods = ['GET', 'PUT', 'DELETE'] as const

type Answers = readonly [get: number, put: number, remove: number]
const all: Answers = [200, 200, 204]
const read: Answers = [200, 404, 404]
const none: Answers = [404, 404, 404]
const shut: Answers = [401, 401, 401]

function alike(answers: Answers): Readonly<Record<State, Answers>> {
  return { public: answers, unlisted: answers, private: answers, hidden: answers, deleted: answers }
}

/**
 * Who asks → what GET, PUT and DELETE answer, for each state of the pack (spec 3, 4.1, 5). There are
 * no moderators here: a moderator's key is any other key, and acts as its owner (spec 5 rule 5).
 */
const matrix: Readonly<Record<string, Readonly<Record<State, Answers>>>> = {
  owner: { public: all, unlisted: all, private: all, hidden: all, deleted: none },
  other: { public: read, unlisted: read, private: none, hidden: none, deleted: none },
  moderator: { public: read, unlisted: read, private: none, hidden: none, deleted: none },
  revoked: { public: shut, unlisted: shut, private: shut, hidden: shut, deleted: shut },
  none: { public: shut, unlisted: shut, private: shut, hidden: shut, deleted: shut },
}

const bring = async (owner: Host, state: State): Promise<string> => {
  const isOpen = state === 'hidden' || state === 'deleted'
  const slug = await owner.save(aPack({ visibility: isOpen ? 'public' : state }))
  if (state === 'hidden') await hidePack(house.ports, slug)
  if (state === 'deleted') await owner.delete(slug)
  return slug
}

/** Somebody who asks, as their key; undefined for nobody. */
const keyOf = async (who: string, owner: Host): Promise<string | undefined> => {
  if (who === 'owner') return owner.key
  if (who === 'none') return undefined
  const asker = await house.host()
  if (who === 'revoked') await revokeKey(house.ports, { service: 'packs', gameId: asker.gameId })
  return asker.key
}

const cases = Object.entries(matrix).flatMap(([who, row]) =>
  states.flatMap((state) =>
    methods.map((method, at) => [method, state, who, row[state][at]!] as const),
  ),
)

const missing = new Set<string>()

describe('access (spec 3)', () => {
  it.each(cases)('%s of a pack that is %s, asked by %s: %i', async (method, state, who, status) => {
    house.clock.nextMinute()
    const owner = await house.host()
    const slug = await bring(owner, state)
    const before = await house.ports.packs.read(slug)
    const key = await keyOf(who, owner)
    const visibility = state === 'hidden' || state === 'deleted' ? 'public' : state
    const body = method === 'PUT' ? aPack({ name: 'Changed', visibility }) : undefined
    const reply = await house.doors.packs.ask(method, `/packs/${slug}`, { key, body })
    expect(reply.status).toBe(status)
    if (status === 404) {
      expectError(reply, 'not_found')
      missing.add(reply.text)
    }
    if (status === 401) expectError(reply, who === 'none' ? 'unauthorized' : 'invalid_api_key')
    const after = await house.ports.packs.read(slug)
    if (status !== 200 || method !== 'PUT') {
      expect(after).toEqual(status === 204 ? null : before)
    } else {
      expect(after).toMatchObject({ name: 'Changed', hiddenAt: before?.hiddenAt })
    }
  })
})

/** GET of the history, GET of its first version, and the switch: of a history that is open, or not. */
const historyMatrix: Readonly<Record<string, Readonly<Record<State, Answers>>>> = {
  'owner, open': { ...alike([200, 200, 204]), deleted: none },
  'owner, closed': { ...alike([200, 200, 204]), deleted: none },
  'other, open': { ...alike(none), public: [200, 200, 404], unlisted: [200, 200, 404] },
  'other, closed': alike(none),
  'moderator, open': { ...alike(none), public: [200, 200, 404], unlisted: [200, 200, 404] },
  'moderator, closed': alike(none),
  'revoked, open': alike(shut),
  'none, open': alike(shut),
}

const historyCases = Object.entries(historyMatrix).flatMap(([who, row]) =>
  states.map((state) => [state, who, row[state]] as const),
)

describe('access to the history (D-70)', () => {
  it.each(historyCases)('of a pack that is %s, asked by %s', async (state, who, statuses) => {
    house.clock.nextMinute()
    const [asker = '', how] = who.split(', ')
    const owner = await house.host()
    const slug = await bring(owner, state)
    const { ownerId = '' } = (await house.ports.packs.read(slug)) ?? {}
    await house.ports.packs.setHistoryPublic(slug, ownerId, how === 'open')
    const key = await keyOf(asker, owner)
    const path = `/packs/${slug}/history`
    const replies = [
      await house.doors.packs.ask('GET', path, { key }),
      await house.doors.packs.ask('GET', `${path}/1`, { key }),
      await house.doors.packs.ask('PUT', path, { key, body: { public: how !== 'open' } }),
    ]
    expect(replies.map(({ status }) => status)).toEqual(statuses)
    for (const { status, text } of replies) if (status === 404) missing.add(text)
    const after = await house.ports.packs.read(slug)
    const isTurned = statuses[2] === 204
    if (after !== null) expect(after.historyPublic).toBe((how === 'open') !== isTurned)
  })
})

it('answers every 404 with the same bytes (D-29)', () => {
  expect(missing.size).toBe(1)
})
