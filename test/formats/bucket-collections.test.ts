import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formats } from '../../src/formats/format-table.ts'
import { writeOsdb } from '../../src/formats/collection/osdb.ts'
import { poolsOfCollections } from '../../src/formats/import/files/bucket-collections.ts'
import { readImportFile } from '../../src/formats/import/read-import-file.ts'
import type { RoundPool } from '../../src/formats/sheet.ts'
import { slotLabel, slotsInPoolOrder } from '../../src/pool/slots.ts'
import { aBeatmap, pool } from '../support/a-beatmap.ts'

/** The pools of collections with these names: `HC26 Finals: NM HD`, `-` for no bucket. */
const poolsOf = (...names: string[]): string[] =>
  poolsOfCollections(names.map((name) => ({ name }))).map(
    ({ name, parts }) => `${name}: ${parts.map(({ code }) => code ?? '-').join(' ')}`,
  )

describe('collections of which each is a bucket', () => {
  it.each<[string, string[], string[]]>([
    ['built-in codes', ['HC26 Finals NM', 'HC26 Finals HD'], ['HC26 Finals: NM HD']],
    ['one code', ['Grand Finals TB'], ['Grand Finals: TB']],
    ['codes of mods', ['Finals HDHR', 'Finals EZ'], ['Finals: HDHR EZ']],
    ['codes that tournaments use', ['QF RC', 'QF LN', 'QF HB'], ['QF: RC LN HB']],
    ['any code beside a built-in one', ['SF NM', 'SF Jump', 'SF RC2'], ['SF: NM Jump RC2']],
    ['no code beside others', ['Finals', 'Finals NM'], ['Finals: - NM']],
    ['codes behind a sign', ['QF - NM', 'QF: HD', 'QF [DT]', 'QF (TB)'], ['QF: NM HD DT TB']],
    ['codes alone', ['NM', 'HD', 'Aim'], [': NM HD Aim']],
    ['several rounds in turns', ['QF NM', 'SF NM', 'QF HD'], ['QF: NM HD', 'SF: NM']],
    ['a code that comes again', ['QF NM', 'QF HD', 'QF nm'], ['QF: NM HD', 'QF: nm']],
    ['a round beside a code', ['HC26 NM', 'HC26 Finals'], ['HC26: NM', 'HC26 Finals: -']],
  ])('are one pool: %s', (_, names, pools) => {
    expect(poolsOf(...names)).toEqual(pools)
  })

  it.each([
    ['names of rounds', ['HC26 RO16', 'HC26 QF', 'HC26 Finals']],
    ['one code alone', ['TB']],
    ['one code that no mod has', ['My RC']],
    ['words', ['Good aim', 'Good jumps']],
    ['codes in small letters', ['all of hd', 'all of hr']],
    ['labels of slots', ['Finals NM1', 'Finals NM2']],
    ['years', ['OWC 2024', 'OWC 2025']],
    ['words of pools', ['OWC pool', 'OWC maps']],
  ])('are none where there are but %s', (_, names) => {
    expect(poolsOf(...names)).toEqual(names.map((name) => `${name}: -`))
  })
})

const codes = ['NM', 'HD', 'HR', 'DT', 'FM', 'TB', 'RC', 'Jump', 'HDHR']
/** How many beatmaps each bucket of a round has; the first is a built-in one. */
const round = fc.tuple(
  fc.subarray(codes.slice(6)),
  fc.subarray(codes.slice(0, 6), { minLength: 1 }),
)

describe('rounds written with a collection for each bucket', () => {
  it('come back as rounds with the same buckets and beatmaps', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(round, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        async (all, isLoose) => {
          const rounds = all.map(([custom, builtin], nth): RoundPool => {
            const own = [...builtin, ...custom].flatMap((code, at) => [
              `${code}1 ${1000 * nth + 2 * at + 1}`,
              `${code}2 ${1000 * nth + 2 * at + 2}`,
            ])
            const slots = pool(...(isLoose ? [`- ${1000 * nth + 99}`] : []), ...own)
            const name = ['Qualifiers', 'The Last Stand', 'Grand Finals'][nth]!
            const details = slots.slots.map(({ beatmapId }, at) => {
              const checksum = `${beatmapId}`.padStart(32, '0')
              return [at, { details: aBeatmap(beatmapId, { checksum }), stars: 5 }] as const
            })
            return { name, pool: { name, ...slots }, details: new Map(details) }
          })
          const sheet = { name: 'Harbour Cup 2026', shortName: 'HC26', rounds }
          const { content } = await formats['osdb-buckets'].write(sheet, { savedAt: 0 })
          const { pools, questions } = await readImportFile(content as Uint8Array)
          expect(questions).toEqual([])
          const told = (each: RoundPool['pool']): string[] =>
            slotsInPoolOrder(each)
              .map((slot) => `${slotLabel(slot)}=${slot.beatmapId}`)
              .toSorted()
          expect(pools.map(({ name, draft }) => [name, told(draft as RoundPool['pool'])])).toEqual(
            rounds.map(({ name, pool: own }) => [`HC26 ${name}`, told(own)]),
          )
        },
      ),
      { numRuns: 25 },
    )
  })

  it('tell what a collection has without an id, by its pool', async () => {
    const beatmap = {
      id: 75,
      setId: 0,
      artist: '',
      title: '',
      difficulty: '',
      comment: '',
    } as const
    const other = { ...beatmap, ruleset: 'base', stars: 0, checksum: 'a'.repeat(32) } as const
    const collections = ['NM', 'HD'].map((code) => ({
      name: `QF ${code}`,
      onlineId: -1,
      beatmaps: [other],
      hashes: code === 'HD' ? ['b'.repeat(32)] : [],
    }))
    const file = await writeOsdb(collections, { savedAt: 0, editor: '' })
    const { pools } = await readImportFile(file)
    expect(pools.map(({ name, lines }) => [name, lines.map(({ outcome }) => outcome)])).toEqual([
      ['QF', ['slot', 'slot', 'refused']],
    ])
  })
})
