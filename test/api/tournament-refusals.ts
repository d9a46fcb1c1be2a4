import { afterAll, expect, it } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import type { StaffRole } from '../../src/contract/tournaments.ts'
import type { DoorPorts } from '../../src/door/context.ts'
import { expectError, type Reply } from '../support/door.ts'
import { type Host, type House, openHouse } from '../support/house.ts'
import { createFaults, type Faults } from './faults.ts'
import {
  type Prepared,
  refusesOverQuota,
  refusesStrangers,
  type Subject,
  survivesFaults,
} from './refusals.ts'
import { otherTypes, sendInChunks } from './samples.ts'
import { expectStanding } from './standing.ts'
import { newScene, type Scene, sceneOf } from './tournament-scene.ts'

/** An endpoint of a tournament, asked so that all goes well for its host. */
export type Action = {
  readonly house: House
  readonly method: string
  readonly ask: (scene: Scene) => Promise<Prepared> | Prepared
}

/**
 * A house whose ports can fail, closed after the tests of the file.
 *
 * @param change puts other ports in place of some.
 */
export const openFaultyHouse = async (change = (ports: DoorPorts) => ports) => {
  const faults = createFaults()
  const house = await openHouse({ withPorts: (ports) => faults.withPorts(change(ports)) })
  afterAll(() => house.close())
  return { house, faults }
}

type Port = Parameters<Faults['during']>[0]

const tournaments: readonly Port[] = ['tournaments']

/** What an endpoint of tournaments refuses: each function adds tests. */
export const refusalsOf = (faults: Faults, action: Action) => {
  const subject = subjectOf(action)
  return {
    strangers: () => refusesStrangers(subject),
    hidden: ({ takesBody = false } = {}) => hides(action, takesBody),
    otherRoles: (...roles: readonly StaffRole[]) => forbids(action, roles),
    bodies: (bodies: readonly (readonly [message: string | RegExp, body: unknown])[]) =>
      refusesBodies(action, bodies),
    oddTags: () => refusesOddTags(action),
    otherTags: () => refusesOtherTags(action),
    oddIdempotencyKeys: () => refusesOddIdempotencyKeys(action),
    staleTags: (tagOf: (scene: Scene) => string) => checksTags(action, tagOf),
    missingTags: () => wantsTags(action),
    largeBodies: () => refusesLarge(action),
    otherMedia: () => refusesOtherMedia(action),
    overQuota: () => refusesOverQuota(subject),
    /** @param ports those that it asks; left out: the tournaments. */
    faults: (...ports: readonly Port[]) =>
      survivesFaults(subject, faults, ['quotas', ...(ports.length > 0 ? ports : tournaments)]),
  }
}

/** The action for tests of any endpoint. */
const subjectOf = ({ house, method, ask }: Action): Subject => ({
  house,
  service: 'pools',
  method,
  prepare: async (host) => ask(await sceneOf(house, host)),
})

const send = (
  host: Host,
  { method }: Action,
  { path, ...rest }: Prepared,
  changes: { path?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<Reply> => {
  const { path: other, ...more } = changes
  return host.ask(method, other ?? path, { ...rest, ...more })
}

const [, missingMessage] = refusals.tournamentNotFound
const missing = { code: 'not_found', message: missingMessage, reason: 'nothing_visible' }

/** What is not there, and what the caller may not know of, are the same bytes (D-60). */
const hides = (action: Action, takesBody: boolean): void => {
  const { house, ask } = action

  it('is the same bytes for what is private, hidden, missing or malformed, to moderators too (D-60)', async () => {
    const scene = await newScene(house)
    const asked = await ask(scene)
    expect(asked.body !== undefined).toBe(takesBody)
    const stranger = await house.host('pools')
    const moderator = await house.host('pools')
    await house.ports.accounts.setModerator(moderator.gameId, true, 0)
    const paths = [
      asked.path,
      ...['AAAAAAAAAA', 'short', 'a%20b', '%C3%A9', 'x'.repeat(2000)].flatMap((other) => [
        asked.path.replace(scene.slug, other),
        asked.path.replace(scene.id, other),
      ]),
    ]
    const before = await scene.read()
    for (const asker of [stranger, moderator]) {
      for (const path of new Set(paths)) {
        house.clock.nextMinute()
        const reply = await send(asker, action, asked, { path })
        expectError(reply, 'not_found', missingMessage)
        expectStanding(reply)
        expect(reply.text, path).toBe(JSON.stringify({ error: missing }))
      }
    }
    expect(await scene.read()).toBe(before)
  })

  if (!takesBody) return
  it('comes before the body is read when a part of the path is malformed (D-3)', async () => {
    const scene = await newScene(house)
    const asked = await ask(scene)
    const path = asked.path.replace(scene.slug, 'short')
    const reply = await send(scene.host, action, asked, { path, body: '{' })
    expectError(reply, 'not_found', missingMessage)
    expectError(await send(scene.host, action, asked, { body: '{' }), 'bad_request')
  })
}

/** Staff whose role does not allow it (D-61). */
const forbids = (action: Action, roles: readonly StaffRole[]): void => {
  it.each(roles)('a %s, and nothing changes (D-61)', async (role) => {
    const scene = await newScene(action.house)
    const member = await scene.staff(role)
    const asked = await action.ask(scene)
    const before = await scene.read()
    const reply = await send(member, action, asked)
    expectError(reply, 'forbidden', refusals.roleForbids[1])
    expectStanding(reply)
    expect(await scene.read()).toBe(before)
  })
}

/** Bodies that are refused with these messages (D-14). */
const refusesBodies = (
  action: Action,
  bodies: readonly (readonly [message: string | RegExp, body: unknown])[],
): void => {
  it.each(bodies)('%s, and nothing changes (D-14)', async (message, body) => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const before = await scene.read()
    const reply = await send(scene.host, action, asked, { body: JSON.stringify(body) })
    expectError(reply, 'bad_request', message)
    expectStanding(reply)
    expect(await scene.read()).toBe(before)
  })
}

/** `If-Match` that is none (D-48). */
const refusesOddTags = (action: Action): void => {
  it('If-Match is no list of tags (D-48)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const reply = await send(scene.host, action, asked, { headers: { 'if-match': 'abc' } })
    expectError(reply, 'bad_request', /^If-Match must be/)
  })
}

/** Tags that what is there never had (D-86). */
const refusesOtherTags = (action: Action): void => {
  it('for a tag of another thing, and for a weak one; nothing changes (D-86)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const before = await scene.read()
    const { 'if-match': tournament } = await scene.as(scene.path)
    for (const tag of [tournament, 'W/"weak"']) {
      const headers = { 'if-match': tag }
      const reply = await send(scene.host, action, asked, { headers })
      expectError(reply, 'precondition_failed', refusals.changedMeanwhile[1])
      expectStanding(reply)
    }
    expect(await scene.read()).toBe(before)
    expect((await send(scene.host, action, asked)).status).toBeLessThan(300)
  })
}

/** `Idempotency-Key` that is none (D-86). */
const refusesOddIdempotencyKeys = (action: Action): void => {
  it('Idempotency-Key is none, and nothing changes (D-86)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const before = await scene.read()
    const headers = { 'idempotency-key': 'x'.repeat(256) }
    const reply = await send(scene.host, action, asked, { headers })
    expectError(reply, 'bad_request', /^Idempotency-Key must be/)
    expectStanding(reply)
    expect(await scene.read()).toBe(before)
  })
}

/** Another state than the one in `If-Match`, or `*` and nothing there (D-48). */
const checksTags = (action: Action, tagOf: (scene: Scene) => string): void => {
  const { house } = action

  it('of another state, nothing changes; any coding of the present one passes (D-48)', async () => {
    const scene = await newScene(house)
    const asked = await action.ask(scene)
    const stale = await scene.as(tagOf(scene))
    const body = { name: 'Semifinals', slots: [{ mod: 'NM', index: 1, beatmapId: 5 }] }
    const changed = await scene.host.ask('PUT', scene.roundPath, {
      body,
      headers: await scene.as(scene.roundPath),
    })
    expect(changed.status).toBe(200)
    const before = await scene.read()
    for (const headers of [stale, { 'if-match': '"another"' }, { 'if-match': 'W/"weak"' }]) {
      const reply = await send(scene.host, action, asked, { headers })
      expectError(reply, 'precondition_failed', refusals.changedMeanwhile[1])
      expectStanding(reply)
    }
    expect(await scene.read()).toBe(before)
    const { 'if-match': tag } = await scene.as(tagOf(scene))
    const headers = { 'if-match': `"other", ${tag.replace(/"$/, '-br"')}` }
    expect((await send(scene.host, action, asked, { headers })).status).toBeLessThan(300)
  })

  it('is the same for * on what is missing and on what is somebody else’s (D-60)', async () => {
    const scene = await newScene(house)
    const asked = await action.ask(scene)
    const stranger = await house.host('pools')
    const headers = { 'if-match': '*' }
    const texts = new Set<string>()
    for (const path of [asked.path, asked.path.replace(scene.slug, 'AAAAAAAAAA')]) {
      const reply = await send(stranger, action, asked, { path, headers })
      expectError(reply, 'precondition_failed', refusals.nothingHereToMatch[1])
      texts.add(reply.text)
    }
    expect(texts.size).toBe(1)
    expect((await send(scene.host, action, asked, { headers })).status).toBeLessThan(300)
  })
}

/** No `If-Match`: for who may make the change; others get what they get with it (D-60 to D-62). */
const wantsTags = (action: Action): void => {
  it('If-Match is missing, and nothing is changed (D-62)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const before = await scene.read()
    const reply = await send(scene.host, action, asked, { headers: {} })
    expectError(reply, 'precondition_required', /^send If-Match/)
    expectStanding(reply)
    expect(await scene.read()).toBe(before)
  })

  it('is no answer to others: 404, of what is there and of what is not (D-60)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const stranger = await action.house.host('pools')
    const texts = new Set<string>()
    for (const path of [asked.path, asked.path.replace(scene.slug, 'AAAAAAAAAA')]) {
      const reply = await send(stranger, action, asked, { path, headers: {} })
      expectError(reply, 'not_found', refusals.tournamentNotFound[1])
      texts.add(reply.text)
    }
    expect(texts.size).toBe(1)
  })
}

/** 413 as it is everywhere (D-25). */
const refusesLarge = (action: Action): void => {
  it('a body of 16,385 bytes, told or in chunks (D-25)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const before = await scene.read()
    const whole = JSON.stringify({ ...(asked.body as object), more: '' })
    const body = whole.replace('"more":""', `"more":"${'x'.repeat(16_385 - whole.length)}"`)
    expect(body).toHaveLength(16_385)
    const reply = await send(scene.host, action, asked, { body })
    expectError(reply, 'too_large')
    expectStanding(reply)
    const chunked = await sendInChunks(scene.host, action.method, asked.path, body)
    expect(chunked).toEqual({ status: 413, code: 'too_large' })
    expect(await scene.read()).toBe(before)
  })
}

/** 415 as it is everywhere (D-25). */
const refusesOtherMedia = (action: Action): void => {
  it('a body that is not sent as application/json (D-25)', async () => {
    const scene = await newScene(action.house)
    const asked = await action.ask(scene)
    const before = await scene.read()
    for (const type of otherTypes) {
      action.house.clock.nextMinute()
      const headers = { ...asked.headers, 'content-type': type }
      const reply = await send(scene.host, action, asked, { headers })
      expectError(reply, 'unsupported_media_type')
      expectStanding(reply)
    }
    expect(await scene.read()).toBe(before)
  })
}
