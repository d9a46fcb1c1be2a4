import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { hidePack, unhidePack } from '../../src/operations/moderation.ts'
import { createPack } from '../../src/operations/packs.ts'
import { releaseRound } from '../../src/operations/releases.ts'
import { deleteRound, replaceRound, restoreRound } from '../../src/operations/rounds.ts'
import { deleteTournament } from '../../src/operations/tournaments.ts'
import { lookUpUsage } from '../../src/operations/usage.ts'
import { aRound } from '../domain/a-tournament.ts'
import { holding, takeOver } from '../support/usage-scene.ts'
import { openScene, type Scene } from './tournament-scene.ts'

const BEATMAPS = [101, 102, 103, 104]
/** In packs of players, too: how often. */
const POOLED = new Map([
  [103, 1],
  [104, 2],
])

type Where = Awaited<ReturnType<Scene['make']>>
type Step = (scene: Scene, where: Where) => Promise<unknown>

const slots = fc
  .array(fc.constantFrom(...BEATMAPS), { minLength: 1, maxLength: 5 })
  .map((ids) => ids.map((beatmapId, at) => ({ mod: 'NM', index: at + 1, beatmapId })))

const release =
  (at: 'now' | null): Step =>
  ({ ports }, { slug, roundId }) =>
    releaseRound(ports, 'host', slug, roundId, { at })

const ofPack =
  (work: typeof hidePack): Step =>
  async ({ ports, read }, { slug }) => {
    const packSlug = (await read(slug))?.rounds[0]?.released?.packSlug
    if (packSlug !== undefined) await work(ports, packSlug)
  }

const step: fc.Arbitrary<readonly [name: string, step: Step]> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['release', release('now')] as const) },
  fc.constant(['withdraw', release(null)] as const),
  fc.constant(['hide', ofPack(hidePack)] as const),
  fc.constant(['show', ofPack(unhidePack)] as const),
  fc.constant([
    'delete and restore',
    async ({ ports }: Scene, { slug, roundId }: Where) => {
      await deleteRound(ports, 'host', slug, roundId, () => {})
      await restoreRound(ports, 'host', slug, roundId)
    },
  ] as const),
  {
    weight: 2,
    arbitrary: slots.map((drafted): readonly [string, Step] => [
      `draft ${drafted.map(({ beatmapId }) => beatmapId).join()}`,
      ({ ports }, { slug, roundId }) =>
        replaceRound(ports, 'host', slug, roundId, aRound({ slots: drafted }), () => {}),
    ]),
  },
  {
    weight: 2,
    arbitrary: fc.constant(['take over', ({ ports }: Scene) => takeOver(ports)] as const),
  },
)

test('what a tournament has released never counts as pooled before in its own workspace, whatever becomes of it (D-67)', async () => {
  const scene = await openScene()
  const { ports, make, clock } = scene
  for (const [beatmapId, times] of POOLED) {
    for (let count = 0; count < times; count += 1) {
      await createPack(ports, 'stranger', holding(beatmapId))
    }
  }
  await takeOver(ports)
  const totals = async (slug: string) => {
    const notes = await lookUpUsage(ports, BEATMAPS, 'host', slug, true)
    for (const { last, drafts } of notes)
      expect([last?.ownerId ?? 'stranger', drafts]).toEqual(['stranger', []])
    return notes.map(({ total }) => total)
  }
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
      const where = await make({ state: 'public' })
      for (const [, act] of steps) {
        clock.advance(1000)
        await act(scene, where).catch((error: unknown) => {
          // Of a round that has no pack, there is none to withdraw.
          if ((error as { code?: string }).code !== 'conflict') throw error
        })
        expect(await totals(where.slug)).toEqual(BEATMAPS.map((id) => POOLED.get(id) ?? 0))
      }
      await deleteTournament(ports, 'host', where.slug)
    }),
    { numRuns: 40 },
  )
})
