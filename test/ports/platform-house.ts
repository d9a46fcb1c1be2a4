import { expect } from 'vitest'
import { createPlatform, type PlatformSettings } from '../../src/adapters/platform/platform.ts'
import type { Ruleset } from '../../src/contract/mods.ts'
import type { RatingKey } from '../../src/domain/beatmaps.ts'
import { PlatformError } from '../../src/domain/platform.ts'
import type { CallKind } from '../../src/standin/calls.ts'
import { CLIENT, type Running, startStandin } from '../standin/running.ts'
import { MemoryCallBudget } from '../support/memory-call-budget.ts'

/** Long enough for any answer, of a busy machine too. */
const ANSWER_MS = 30_000
/** Short enough to be waited for. */
export const SILENCE_MS = 1_000

/** How long an answer is waited for where the platform is told to fail like this. */
export const patienceFor = ({ fault }: { readonly fault?: unknown }): { timeoutMs: number } => ({
  timeoutMs: fault === 'silence' || fault === 'stall' ? SILENCE_MS : ANSWER_MS,
})

export type CallReport = Record<CallKind | 'total' | 'busiestMinute', number> & {
  readonly calls: ReadonlyArray<{
    readonly kind: CallKind
    readonly ids: readonly number[]
    readonly asked?: unknown
    readonly status: number | null
  }>
}

/** What the stand-in has counted. */
export const callsOf = async (standin: Running): Promise<CallReport> =>
  (await standin.get('/standin/calls')).body as CallReport

/** The kinds of the calls that the stand-in got, in their order. */
export const kindsOf = async (standin: Running): Promise<string> =>
  (await callsOf(standin)).calls.map(({ kind }) => kind).join(' ')

/** The adapter before a stand-in over real HTTP, on one hand-set clock. */
export const platformHouse = async (settings: Partial<PlatformSettings> = {}) => {
  const standin = await startStandin()
  const budget = new MemoryCallBudget()
  const platform = createPlatform({
    url: standin.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    budget,
    clock: { now: () => standin.time.now },
    timeoutMs: ANSWER_MS,
    ...settings,
  })
  return { standin, budget, platform }
}

/** A house whose adapter has its token already, with nothing counted. */
export const warmHouse = async (settings: Partial<PlatformSettings> = {}) => {
  const house = await platformHouse(settings)
  await house.platform.readBeatmaps([1], 'background')
  await fetch(`${house.standin.url}/standin/calls`, { method: 'DELETE' })
  house.budget.taken.length = 0
  return house
}

export type PlatformHouse = Awaited<ReturnType<typeof platformHouse>>

export const rating = (
  beatmapId: number,
  mods: RatingKey['mods'] = ['DT'],
  ruleset: Ruleset = 'base',
): RatingKey => ({ beatmapId, ruleset, mods })

/** The error that a call ends in; fails when it ends in anything else. */
export const errorOf = async (question: Promise<unknown>): Promise<PlatformError> => {
  const outcome = await question.then(
    (answer) => `an answer: ${JSON.stringify(answer)}`,
    (error: unknown) => error,
  )
  expect(outcome).toBeInstanceOf(PlatformError)
  return outcome as PlatformError
}
