import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { type FormatId, formats } from '../../src/formats/format-table.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import { completePool } from '../../src/pool/checks.ts'

const words = (
  'Team Teams Player Players Members Users Staff Lobby Matches Match Schedule Seeds Scores Bans Picks Old Backup Reserve ' +
  'Removed Suggestions Showmatch Warmups Custom Tryouts History Results Template Average Total Data Maps Pool Mods Games ' +
  'Referee Version Tags Ranks NM Hidden HD1 2026 1 Finals Ids Slots Label Code'
).split(' ')
const anyName = fc.oneof(
  fc.constantFrom(...words),
  fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((both) => both.join(' ')),
)
const places = [
  ['NM', 1],
  ['NM', 2],
  ['HD', 1],
  ['TB', 1],
] as const
const poolFrom = (name: string, first: number) =>
  completePool({
    name,
    slots: places.map(([mod, index], at) => ({ mod, index, beatmapId: first + at })),
  })

it('rounds of our JSON are read back by their names and with their slots, whatever they are called', async () => {
  const format = fc.constantFrom<FormatId>(
    'codes',
    'overlay',
    'overlay-stage',
    'overlay-order',
    'referee-json',
    'json',
  )
  const names = fc.uniqueArray(anyName, {
    minLength: 2,
    maxLength: 4,
    selector: (name) => name.toLowerCase(),
  })
  const property = fc.asyncProperty(format, names, async (id, all) => {
    const rounds = all.map((name, at) => ({
      name,
      pool: poolFrom(name, 1_000_000 * (at + 1)),
      details: new Map(),
    }))
    const { content } = await formats[id].write(
      { kind: 'rounds', name: 'Cup', shortName: 'C', rounds } as never,
      { savedAt: 0 },
    )
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    const { pools, questions } = await readImportFile(bytes, 'file.json')
    expect(questions).toEqual([])
    expect(pools.map(({ name, round }) => [name, round.slots])).toEqual(
      rounds.map(({ name, pool }) => [name, pool.slots]),
    )
  })
  await fc.assert(property, { numRuns: 300 })
})
