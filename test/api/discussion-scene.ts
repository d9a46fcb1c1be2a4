import { expect, it } from 'vitest'
import { refusals } from '../../src/contract/errors.ts'
import { expectError } from '../support/door.ts'
import type { Host } from '../support/house.ts'
import { type Action, openFaultyHouse, refusalsOf } from './tournament-refusals.ts'
import { newScene, type Scene } from './tournament-scene.ts'

/** For NM1 of the round of a scene. */
export const aCandidate = { mod: 'NM', index: 1, beatmapId: 1_860_169 }
export const aRemark = { text: 'Too long for this round' }

const posted = async (host: Host, path: string, body: object) => {
  const reply = await host.ask('POST', path, { body })
  if (reply.status !== 201) throw new Error(`${reply.status} ${reply.text}`)
  return reply.json
}

/** Proposes a candidate; returns its path. */
export const propose = async (host: Host, { roundPath }: Scene, changes: object = {}) => {
  const path = `${roundPath}/candidates`
  return `${path}/${(await posted(host, path, { ...aCandidate, ...changes })).candidate.id}`
}

/** Adds a remark; returns its path. */
export const remark = async (host: Host, { roundPath }: Scene, changes: object = {}) => {
  const path = `${roundPath}/remarks`
  return `${path}/${(await posted(host, path, { ...aRemark, ...changes })).remark.id}`
}

/** Removes a slot from the draft; what was said of it stays (D-83). */
export const dropSlot = async (
  { host, roundPath, read }: Scene,
  place: { readonly mod: string; readonly index: number },
) => {
  const { slots } = JSON.parse(await read(roundPath)).round
  const { mod, index, ...from } = slots.find(
    (slot: typeof place) => slot.mod === place.mod && slot.index === place.index,
  )
  const body = { changes: [{ mod, index, from, to: 'none' }] }
  const { status, text } = await host.ask('PATCH', `${roundPath}/slots`, { body })
  if (status !== 200) throw new Error(text)
}

export const candidatesOf = async ({ host, roundPath }: Scene) =>
  (await host.get(`${roundPath}/candidates`)).json.candidates

export const remarksOf = async ({ host, roundPath }: Scene) =>
  (await host.get(`${roundPath}/remarks`)).json.remarks

/** A candidate or remark that is not there, and one of another round: the same bytes (D-60). */
export const hidesItems = ({ house, method, ask }: Action): void => {
  it('is the same bytes for what was never there, and for what is in another round (D-60)', async () => {
    const scene = await newScene(house)
    const { path, ...rest } = await ask(scene)
    const body = { name: 'Finals', slots: [{ mod: 'NM', index: 1, beatmapId: 75 }] }
    const finals = await scene.host.ask('POST', `${scene.path}/rounds`, { body })
    const id = /(?:candidates|remarks)\/([^/]+)/.exec(path)![1]!
    for (const other of [
      path.replace(id, 'AAAAAAAAAA'),
      path.replace(id, 'short'),
      path.replace(scene.id, finals.json.round.id),
    ]) {
      const reply = await scene.host.ask(method, other, rest)
      expectError(reply, 'not_found', refusals.tournamentNotFound[1])
    }
  })
}

/** Of a public tournament with a round that is released, too. */
export const hidesOfReleased = ({ house, method, ask }: Action): void => {
  it('is what others get of a round that is released, too (D-60)', async () => {
    const scene = await newScene(house, { visibility: 'public' })
    await scene.release()
    const { path, ...rest } = await ask(scene)
    const stranger = await house.host('pools')
    expect((await stranger.get(scene.roundPath)).status).toBe(200)
    const missing = await stranger.get('/tournaments/AAAAAAAAAA')
    const reply = await stranger.ask(method, path, rest)
    expectError(reply, 'not_found')
    expect(reply.text).toBe(missing.text)
  })
}

/** What tests of a list of a round begin with; its pages are asked for by one host. */
export const openList = async (noun: 'candidates' | 'remarks' | 'history') => {
  const { house, faults } = await openFaultyHouse()
  const action: Action = {
    house,
    method: 'GET',
    ask: ({ roundPath }) => ({ path: `${roundPath}/${noun}` }),
  }
  const { host, roundPath } = await newScene(house)
  const newHost = async () => {
    house.clock.nextMinute()
    return host
  }
  const refuses = refusalsOf(faults, action)
  return { house, action, refuses, newHost, path: `${roundPath}/${noun}` }
}
