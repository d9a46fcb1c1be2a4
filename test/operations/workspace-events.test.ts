import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { WorkspaceEvent } from '../../src/contract/workspace.ts'
import { UNKNOWN_PLAYER } from '../../src/domain/accounts.ts'
import type { SavedTournament } from '../../src/domain/tournaments.ts'
import { presentEvent, WorkspaceScene } from '../../src/operations/workspace-events.ts'
import type { WorkspaceState } from '../../src/ports/workspaces.ts'
import { aMember, aRelease, aSavedRound, aTournament } from '../domain/a-tournament.ts'

const hasher = {
  sha256: (text: string) => createHash('sha256').update(text).digest('base64url'),
} as never
const parts = { hasher, tagOf: () => '"tag"' }

const ids = ['round-0001', 'round-0002', 'round-0003']
const host = aMember('host', 1)
const limited = { ...aMember('tester', 2), rounds: ['round-0001', 'round-0003'] }
const of = (changes: Partial<SavedTournament> = {}): SavedTournament =>
  aTournament({ staff: [host, limited], rounds: ids.map((id) => aSavedRound({ id })), ...changes })
const seenBy = (member: typeof host | typeof limited) => member.rounds ?? ids

const accounts = ['host', 'tester', 'pooler'] as const
const states: fc.Arbitrary<WorkspaceState> = fc.record({
  version: fc.constant('v'),
  mark: fc.constant('m'),
  discussion: fc.dictionary(fc.constantFrom(...ids), fc.constantFrom('1', '2')),
  here: fc.array(
    fc.record({
      accountId: fc.constantFrom(...accounts),
      gameId: fc.constant(7),
      username: fc.option(fc.constant('Ada')),
      round: fc.option(fc.constantFrom(...ids)),
    }),
    { maxLength: 8, size: 'max' },
  ),
})

test('D-81: a member sees who is here once each, at the last round that they may see, and what was said there', () => {
  fc.assert(
    fc.property(states, fc.constantFrom(host, limited), (state, member) => {
      const { here, marks } = presentEvent(state, of(), member, hasher)
      const seen = seenBy(member)
      const people = [...new Set(state.here.map(({ accountId }) => accountId))].map((accountId) => {
        const streams = state.here.filter((each) => each.accountId === accountId)
        const rounds = streams.flatMap(({ round }) => round ?? []).filter((id) => seen.includes(id))
        const username = streams[0]!.username ?? UNKNOWN_PLAYER
        return { gameId: 7, username, ...(rounds.length > 0 && { round: rounds.at(-1) }) }
      })
      expect(here).toEqual(people)
      expect(marks.discussion).toEqual(
        Object.fromEntries(seen.map((id) => [id, state.discussion[id] ?? '0'])),
      )
      expect(Object.keys(marks.rounds)).toEqual(seen)
    }),
  )
})

const state: WorkspaceState = { version: 'v', mark: 'm', discussion: {}, here: [] }
const marksOf = (tournament: SavedTournament) => presentEvent(state, tournament, host, hasher).marks

test('the mark of a tournament changes with its facts and its rounds, not with what a draft holds or when', () => {
  const { tournament, staff } = marksOf(of())
  const rounds = ids.map((id) => aSavedRound({ id, updatedAt: 2_000, input: { name: 'Other' } }))
  const others = [of({ updatedAt: 9_000 }), of({ rounds }), of({ staff: [host] })].map(marksOf)
  expect(others.map((each) => each.tournament)).toEqual([tournament, tournament, tournament])
  expect(others.map((each) => each.staff === staff)).toEqual([true, true, false])
  const changed = [of({ name: 'Another' }), of({ rounds: rounds.slice(1) })].map(marksOf)
  for (const each of changed) expect(each.tournament).not.toBe(tournament)
  expect(tournament).toHaveLength(16)
})

test('it changes with the release of a round whose draft a member does not see (D-81)', () => {
  const [first, second] = ['Semifinals', 'Finals'].map((name) => {
    const released = aSavedRound({ id: 'round-0002', released: aRelease({ name }) })
    const tournament = of({ rounds: [released] })
    return [limited, host].map(
      (member) => presentEvent(state, tournament, member, hasher).marks.tournament,
    )
  })
  expect(first![0]).not.toBe(second![0])
  expect(first![1]).toBe(second![1])
})

const eventOf = (text: string): WorkspaceEvent => {
  expect(text).toMatch(/^data: .*\n\n$/)
  return JSON.parse(text.slice(6)) as WorkspaceEvent
}

test('an event brings the drafts that changed, to those who see them, and none that is new', () => {
  fc.assert(
    fc.property(fc.subarray(ids), fc.subarray(ids), fc.subarray(ids), (was, is, moved) => {
      const roundsOf = (some: readonly string[], isLater: boolean) =>
        some.map((id) =>
          aSavedRound({ id, updatedAt: isLater && moved.includes(id) ? 2_000 : 1_000 }),
        )
      const before = new WorkspaceScene(state, of({ rounds: roundsOf(was, false) }), null, parts)
      const scene = new WorkspaceScene(state, of({ rounds: roundsOf(is, true) }), before, parts)
      for (const member of [host, limited]) {
        const { state: alone, whole } = scene.textsFor(member.accountId)!
        const brought = is.filter((id) => was.includes(id) && moved.includes(id))
        const seen = brought.filter((id) => seenBy(member).includes(id))
        const { changed, ...rest } = eventOf(whole)
        expect(changed?.map(({ round, tag }) => [round.id, tag])).toEqual(
          seen.length === 0 ? undefined : seen.map((id) => [id, '"tag"']),
        )
        expect(eventOf(alone)).toEqual(rest)
      }
      expect(scene.textsFor('stranger')).toBeNull()
    }),
  )
})

test('drafts of more than 64 KB together are left to be read, and those behind them', () => {
  /** Longer than the contract lets placeholders be. */
  const broughtOf = (...lengths: readonly number[]) => {
    const [before, after] = [1_000, 2_000].map((updatedAt) =>
      of({
        rounds: lengths.map((length, at) => {
          const slots = [{ mod: 'NM', index: 1, placeholder: 'x'.repeat(length) }]
          return { ...aSavedRound({ id: ids[at]!, updatedAt }), slots }
        }),
      }),
    )
    const scene = new WorkspaceScene(state, before!, null, parts)
    const { whole } = new WorkspaceScene(state, after!, scene, parts).textsFor('host')!
    return eventOf(whole).changed?.map(({ round }) => round)
  }
  const lengths = broughtOf(1, 1)!.map((round) => JSON.stringify(round).length - 1)
  const most = 65_536 - lengths[0]! - lengths[1]!
  expect(broughtOf(30_000, most - 30_000)).toHaveLength(2)
  expect(broughtOf(30_000, most - 29_999, 1)).toHaveLength(1)
  expect(broughtOf(65_537, 1, 1)).toBeUndefined()
})
