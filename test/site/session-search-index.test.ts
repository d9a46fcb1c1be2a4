import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import examples from '../../src/contract/examples.json' with { type: 'json' }
import { rulesets, statsMods } from '../../src/contract/mods.ts'
import type { Stats } from '../../src/contract/packs.ts'
import { isOpen, type PackFilter, readFilter, spanNames } from '../../src/contract/pack-filter.ts'
import type { SearchQuery } from '../../src/contract/search.ts'
import { indexEntryOf } from '../../src/domain/packs.ts'
import { searchPacks } from '../../src/operations/search.ts'
import { createOrders, readColumns } from '../../src/web/browse/columns.ts'
import { findPacks } from '../../src/web/browse/find-packs.ts'
import { aNewPack } from '../ports/sample-pack.ts'
import { addOwners } from '../ports/temp-store.ts'
import { catchUp } from '../support/catch-up.ts'
import { freeWork } from '../support/free-work.ts'
import { HandClock } from '../support/hand-clock.ts'
import { openTestStores, type TestStores } from '../support/test-stores.ts'

const PACKS = 150
const OWNER = 'Tournament pools'

const two = (value: number): number => Math.round(value * 100) / 100
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 })
const stars = fc.double({ min: 0, max: 10, noNaN: true }).map(two)
const seconds = fc.integer({ min: 0, max: 600 })
const range = <T extends string>(low: T, high: T, values: fc.Arbitrary<number>) =>
  orNull(fc.tuple(values, values)).map((ends) => {
    const [first = null, last = null] = ends?.toSorted((a, b) => a - b) ?? []
    return { [low]: first, [high]: last } as Record<T, number | null>
  })

const someStats: fc.Arbitrary<Stats | null> = fc.option(
  fc
    .tuple(
      range('srMin', 'srMax', stars),
      range('lenMin', 'lenMax', seconds),
      range('bpmMin', 'bpmMax', seconds),
      fc.record({
        srAvg: orNull(stars),
        mods: fc.subarray([...statsMods]),
        modes: fc.subarray([...rulesets]),
        complete: fc.boolean(),
      }),
    )
    .map(([sr, length, bpm, rest]) => ({
      ...(examples.stats as Stats),
      ...sr,
      ...length,
      ...bpm,
      ...rest,
    })),
  { freq: 8 },
)
const somePacks = fc.array(
  fc.record({
    stats: someStats,
    visibility: fc.constantFrom('public', 'public', 'public', 'unlisted', 'private'),
    slots: fc.array(fc.constant(null), { minLength: 1, maxLength: 24 }),
  }),
  { minLength: PACKS, maxLength: PACKS },
)

const span = (values: fc.Arbitrary<number>) =>
  fc.option(
    fc
      .tuple(fc.option(values), fc.option(values))
      .map(([low, high]) => `${low ?? ''}-${high ?? ''}`),
    { nil: undefined, freq: 2 },
  )
const list = (all: readonly string[]) =>
  fc.option(
    fc.subarray([...all], { maxLength: 3 }).map((names) => names.join(',')),
    { nil: undefined, freq: 2 },
  )
const someQuery = fc.record({
  stars: span(stars),
  length: span(seconds),
  bpm: span(seconds),
  beatmaps: span(fc.integer({ min: 1, max: 24 })),
  mods: list(statsMods),
  rulesets: list(rulesets),
  unrated: fc.constantFrom('1', undefined),
})

let folder: string
let opened: TestStores
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mapcrate-search-'))
  opened = await openTestStores(join(folder, 'mapcrate.db'))
  const { stores } = opened
  await addOwners(stores)
  const [packs = []] = fc.sample(somePacks, 1)
  for (const [at, { stats, visibility, slots }] of packs.entries()) {
    const saved = slots.map((_, place) => ({ mod: 'NM', index: place + 1, beatmapId: place + 1 }))
    const times = { createdAt: 1_000 * at, updatedAt: 1_000 * at }
    await stores.packs.create(aNewPack({ stats, visibility, slots: saved, ...times }), null)
  }
  await catchUp(stores)
})
afterAll(async () => {
  await opened.close()
  await rm(folder, { recursive: true, force: true })
})

const readAll = async (query: SearchQuery): Promise<string[]> => {
  const ports = { ...opened.stores, clock: new HandClock(), work: freeWork }
  const slugs: string[] = []
  let after: string | undefined
  do {
    const reply = await searchPacks(ports, { ...query, ...(after && { after }) }, OWNER)
    slugs.push(...reply.packs.map(({ entry }) => entry.s))
    after = reply.next ?? undefined
  } while (after !== undefined)
  return slugs
}

const isFiltered = (filter: PackFilter): boolean =>
  spanNames.some((name) => !isOpen(filter[name])) || filter.mods.length + filter.rulesets.length > 0

test('without words, the index gives the packs of the search in its order, whatever the filter', async () => {
  const packs = await opened.stores.publicIndex.readPortion(null, 2 * PACKS)
  const columns = readColumns(packs.map((pack) => indexEntryOf(pack, OWNER)))
  const newestFirst = createOrders(columns)('created', false)
  const sizes: number[] = []
  await fc.assert(
    fc.asyncProperty(someQuery, async (texts) => {
      const asked = Object.fromEntries(
        Object.entries(texts).filter(([, text]) => text !== undefined),
      ) as SearchQuery
      const { rows } = findPacks(columns, newestFirst, readFilter(asked))
      const found = Array.from(rows, (row) => columns.entries[row]?.s)
      expect(found).toEqual(await readAll(asked))
      if (isFiltered(readFilter(asked))) sizes.push(found.length)
    }),
    { numRuns: 200 },
  )
  // Filters that leave all, or nothing, would show little.
  expect(sizes.filter((size) => size > 0 && size < packs.length).length).toBeGreaterThan(50)
})
