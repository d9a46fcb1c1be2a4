import * as fc from 'fast-check'
import type { RoundSlot } from '../../src/contract/rounds.ts'

const filling = fc.record<Omit<RoundSlot, 'mod' | 'index'>>(
  {
    beatmapId: fc.integer({ min: 1, max: 4 }),
    placeholder: fc.constantFrom('soon', 'later'),
    details: fc.constantFrom({ title: 'Reef' }, { title: 'Tide', mapper: 'Bo' }),
    link: fc.constantFrom('https://a.example/', 'https://b.example/'),
  },
  { requiredKeys: [] },
)

const slot = fc
  .tuple(fc.constantFrom('NM', 'HD', 'RC', null), fc.integer({ min: 1, max: 3 }), filling)
  .map(([mod, index, { beatmapId, placeholder, ...held }]): RoundSlot => ({
    mod,
    index,
    ...(beatmapId !== undefined ? { beatmapId } : placeholder !== undefined && { placeholder }),
    ...held,
  }))

const buckets = [
  { code: 'NM' as const },
  { code: 'HD' as const },
  { code: 'RC', color: 1 },
  { code: 'TB' as const },
]

/** Of so few places and contents that two of them often have slots in common, and others that have moved. */
export const anyDraft = fc
  .uniqueArray(slot, {
    maxLength: 10,
    selector: ({ mod, index }) => `${mod} ${index}`,
  })
  .map((slots) => ({ name: 'Finals', buckets, slots }))
