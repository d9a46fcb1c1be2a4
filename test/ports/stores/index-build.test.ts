import * as fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Stores } from '../../../src/adapters/storage/stores.ts'
import examples from '../../../src/contract/examples.json' with { type: 'json' }
import type { Stats } from '../../../src/contract/packs.ts'
import type { NewPack, SavedPack } from '../../../src/domain/packs.ts'
import { createIndexBuilder } from '../../../src/operations/search-index.ts'
import { aNewPack } from '../sample-pack.ts'
import { addOwners, withStore } from '../temp-store.ts'

const PACKS = 16
const acts = [
  ...(['save', 'save', 'save', 'save', 'stats', 'stats'] as const),
  ...(['show', 'show', 'hide', 'unlist', 'remove', 'rename'] as const),
]
type Step = { readonly act: (typeof acts)[number] | 'build'; readonly at: number }

describe('the search index', () => {
  let one: Stores
  let two: Stores
  let time = 1_000

  withStore(beforeEach, async (opened) => {
    ;({ one, two } = opened)
    await addOwners(one)
  })

  const startBuilder = (maxPacks: number) => {
    const build = createIndexBuilder(two.publicIndex, 'Tournament pools', maxPacks, 2)
    return async (): Promise<string> => {
      // As the loop does, which looks before it builds.
      await two.publicIndex.version()
      return Buffer.concat((await build(async () => {})).parts).toString()
    }
  }

  const slugOf = (at: number) => `pack_${String(at % PACKS).padStart(5, '0')}`

  const save = async (at: number, changes: Partial<NewPack> = {}): Promise<void> => {
    const slug = slugOf(at)
    const pack = { name: `Week ${at}`, updatedAt: (time += 1), ...changes }
    // Several are created in one moment.
    const createdAt = 1_000 + Math.floor((at % PACKS) / 3)
    const isThere = (await one.packs.read(slug)) !== null
    if (!isThere) await one.packs.create(aNewPack({ slug, createdAt, ...pack }), null)
    else await one.packs.replace(slug, 'owner', (before) => ({ ...before, ...pack }))
  }

  const moderate = async (at: number, hiddenAt: number | null): Promise<void> => {
    if ((await one.packs.read(slugOf(at))) === null) return
    await one.packs.moderate(slugOf(at), () => ({ hiddenAt, pinnedRank: null }))
  }

  const addStats = async (at: number): Promise<void> => {
    const pack: SavedPack | null = await one.packs.read(slugOf(at))
    if (pack === null) return
    const stats = { ...(examples.stats as Stats), srAvg: at }
    await one.statsWork.finish({ pack, lease: 0 }, { stats, dueAt: null, attempts: 1 })
  }

  const take = async ({ act, at }: Step): Promise<unknown> => {
    if (act === 'save') return save(at, { visibility: 'public' })
    if (act === 'unlist') return save(at, { visibility: 'unlisted' })
    if (act === 'stats') return addStats(at)
    if (act === 'hide') return moderate(at, 1)
    if (act === 'show') return moderate(at, null)
    if (act === 'remove') return one.packs.remove(slugOf(at), 'owner', 0)
    if (act === 'rename') {
      return one.accounts.ensurePlayer({ gameId: 1, username: `mapper ${at}` }, 'unused', 0)
    }
    return null
  }

  it.each([5, PACKS + 1])(
    'with room for %i of 16 packs is the same to the byte, read whole or only what has changed',
    async (maxPacks) => {
      const build = startBuilder(maxPacks)
      const step: fc.Arbitrary<Step> = fc.record({
        act: fc.constantFrom(...acts, 'build'),
        at: fc.nat(PACKS * 3 - 1),
      })
      for (let at = 0; at < PACKS; at++) await save(at)
      await build()
      const changes = vi.spyOn(two.publicIndex, 'readChanges')
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
          for (const each of steps) {
            await take(each)
            if (each.act === 'build') await build()
          }
          expect(await build()).toBe(await startBuilder(maxPacks)())
        }),
        { numRuns: 25, endOnFailure: true },
      )
      // Nothing was read whole but to compare it.
      expect(changes.mock.settledResults.map(({ value }) => value as unknown)).not.toContain(null)
    },
  )
})
