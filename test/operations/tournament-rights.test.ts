import { expect, test } from 'vitest'
import { type AppError, refusals } from '../../src/contract/errors.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import {
  changeSlots,
  createRound,
  deleteRound,
  getRound,
  replaceRound,
  replaceRounds,
} from '../../src/operations/rounds.ts'
import { listStaff, removeMember, setRole } from '../../src/operations/staff.ts'
import {
  deleteTournament,
  getTournament,
  updateTournament,
} from '../../src/operations/tournaments.ts'
import { aRound } from '../domain/a-tournament.ts'
import { openScene, people, type Person, type Scene } from './tournament-scene.ts'

type Where = { readonly slug: string; readonly roundId: string }
type Call = ({ ports, gameIds }: Scene, who: Person, where: Where) => unknown

const fill = {
  changes: [{ mod: 'HD', index: 1, from: 'none' as const, to: { beatmapId: 5 } }],
}
const anyState = (): void => {}

/** Each operation, and who may do it: D-61 by the first letters of the roles, `s` for strangers. */
const operations: readonly (readonly [
  name: string,
  who: { readonly private: string; readonly public: string; readonly hidden: string } | string,
  call: Call,
])[] = [
  [
    'getTournament',
    { private: 'hptr', public: 'hptrs', hidden: 'hptr' },
    ({ ports }, who, { slug }) => getTournament(ports, who, slug),
  ],
  [
    'updateTournament',
    'h',
    ({ ports }, who, { slug }) => updateTournament(ports, who, slug, { year: 2026 }),
  ],
  ['deleteTournament', 'h', ({ ports }, who, { slug }) => deleteTournament(ports, who, slug)],
  [
    'createRound',
    'hp',
    ({ ports }, who, { slug }) => createRound(ports, who, slug, aRound({ name: 'Finals' })),
  ],
  [
    'replaceRounds',
    'hp',
    ({ ports }, who, { slug, roundId }) =>
      replaceRounds(ports, who, slug, { rounds: [{ ...aRound(), id: roundId }] }, anyState),
  ],
  [
    'getRound, of a draft',
    'hptr',
    ({ ports }, who, { slug, roundId }) => getRound(ports, who, slug, roundId),
  ],
  [
    'replaceRound',
    'hp',
    ({ ports }, who, { slug, roundId }) =>
      replaceRound(ports, who, slug, roundId, aRound(), anyState),
  ],
  [
    'changeSlots',
    'hp',
    ({ ports }, who, { slug, roundId }) => changeSlots(ports, who, slug, roundId, fill),
  ],
  [
    'deleteRound, of a draft',
    'hp',
    ({ ports }, who, { slug, roundId }) => deleteRound(ports, who, slug, roundId, anyState),
  ],
  [
    'releaseRound, now',
    'h',
    ({ ports }, who, { slug, roundId }) => releaseRound(ports, who, slug, roundId, { at: 'now' }),
  ],
  [
    'releaseRound, withdrawing',
    'h',
    ({ ports }, who, { slug, roundId }) => releaseRound(ports, who, slug, roundId, { at: null }),
  ],
  ['listStaff', 'hptr', ({ ports }, who, { slug }) => listStaff(ports, who, slug)],
  [
    'setRole',
    'h',
    ({ ports, gameIds }, who, { slug }) =>
      setRole(ports, who, slug, gameIds.referee, { role: 'pooler' }),
  ],
  [
    'removeMember, of somebody else',
    'h',
    ({ ports, gameIds }, who, { slug }) =>
      removeMember(ports, who, slug, who === 'tester' ? gameIds.referee : gameIds.tester),
  ],
  [
    'removeMember, of oneself',
    'ptr',
    ({ ports, gameIds }, who, { slug }) => removeMember(ports, who, slug, gameIds[who]),
  ],
]

const code = async (work: () => unknown) => {
  try {
    await work()
    return undefined
  } catch (error) {
    const { code: named, reason, message } = error as Partial<AppError>
    return [named === reason ? named : `${named}:${reason}`, message]
  }
}

/** Whoever may not is refused, and nothing has changed; the others, each with a tournament of their own, may. */
async function expectRights(
  scene: Scene,
  letters: string,
  wanted: Parameters<Scene['make']>[0],
  call: Call,
  outcome?: readonly string[],
): Promise<void> {
  const where = await scene.make(wanted)
  const before = await scene.read(where.slug)
  for (const person of people) {
    if (letters.includes(person[0]!)) continue
    const refusal = await code(() => call(scene, person, where))
    // The last host may not leave: that is no question of rights.
    if (person === 'host' && refusal?.[0] === 'conflict:last_host') continue
    const expected = refusals[person === 'stranger' ? 'tournamentNotFound' : 'roleForbids']
    expect(refusal, person).toEqual([...expected])
  }
  expect(await scene.read(where.slug)).toEqual(before)
  for (const person of people) {
    if (!letters.includes(person[0]!)) continue
    const own = await scene.make(wanted)
    expect(await code(() => call(scene, person, own)), person).toEqual(outcome)
  }
}

test.each(operations)(
  'D-60, D-61: %s, in every state of the tournament',
  async (name, who, call) => {
    const scene = await openScene()
    for (const state of ['private', 'public', 'hidden'] as const) {
      const letters = typeof who === 'string' ? who : who[state]
      // Nobody may release anything from a hidden one (D-76).
      const isRefused = state === 'hidden' && name === 'releaseRound, now'
      const outcome = isRefused ? [...refusals.tournamentHidden] : undefined
      await expectRights(scene, letters, { state }, call, outcome)
    }
  },
)

test.each([
  ['draft', 'hp'],
  ['scheduled', 'h'],
  ['released', 'h'],
] as const)('D-61: deleteRound of one that is %s', async (round, letters) => {
  const deletes: Call = ({ ports }, who, { slug, roundId }) =>
    deleteRound(ports, who, slug, roundId, anyState)
  await expectRights(await openScene(), letters, { round, state: 'public' }, deletes)
})

test.each([
  ['draft', 'public', 'hptr'],
  ['scheduled', 'public', 'hptr'],
  ['released', 'public', 'hptrs'],
  ['released', 'private', 'hptr'],
  ['released', 'hidden', 'hptr'],
] as const)(
  'D-60: getRound of one that is %s, of a %s tournament',
  async (round, state, letters) => {
    const reads: Call = ({ ports }, who, { slug, roundId }) => getRound(ports, who, slug, roundId)
    await expectRights(await openScene(), letters, { round, state }, reads)
  },
)

test('D-60: what is not there is refused as what may not be seen is', async () => {
  const scene = await openScene()
  const { slug } = await scene.make()
  const absent = [...refusals.tournamentNotFound]
  for (const [name, , call] of operations) {
    for (const elsewhere of ['aaaaaaaaaa', '', '\0', 'a'.repeat(2000), '%']) {
      const where = { slug: elsewhere, roundId: 'aaaaaaaaaa' }
      expect(await code(() => call(scene, 'host', where)), name).toEqual(absent)
    }
    if (!/Round,|Slots|replaceRound$/.test(name)) continue
    const where = { slug, roundId: 'aaaaaaaaaa' }
    expect(await code(() => call(scene, 'host', where)), name).toEqual(absent)
  }
})

test.each([
  ['stranger', 'tester', [null], [null]],
  ['referee', 'tester', [], []],
  ['host', 'tester', ['tester'], ['tester']],
  // Who is still to be added has no state, whatever is asked for.
  ['host', 'stranger', [], [null]],
  ['host', 'nobody', [null], [null]],
] as const)(
  'D-48, D-60: the state that a %s asks for of the %s is compared with %j, or %j to remove them',
  async (who, whom, ofRole, ofRemoval) => {
    const { ports, make, gameIds } = await openScene()
    const { slug } = await make()
    const gameId = whom === 'nobody' ? 999 : gameIds[whom]
    const asked: (string | null)[] = []
    const check = (seen: Awaited<ReturnType<typeof setRole>> | null) =>
      void asked.push(seen && seen.member.accountId)
    await code(() => setRole(ports, who, slug, gameId, { role: 'referee' }, check))
    expect(asked.splice(0)).toEqual(ofRole)
    await code(() => removeMember(ports, who, slug, gameId, check))
    expect(asked.splice(0)).toEqual(ofRemoval)
    await code(() => setRole(ports, who, 'x', gameId, { role: 'referee' }, check))
    await code(() => removeMember(ports, who, 'x', gameId, check))
    expect(asked).toEqual([null, null])
  },
)
