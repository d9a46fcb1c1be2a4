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

describe('access (spec 3)', () => {
  const missing = new Set<string>()

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

  it('answers every 404 with the same bytes (D-29)', () => {
    expect(missing.size).toBe(1)
  })
})
