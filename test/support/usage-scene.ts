import type { PackInput } from '../../src/contract/packs.ts'
import { hidePack } from '../../src/operations/moderation.ts'
import type { PackWords } from '../../src/domain/search.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { aPack } from './samples.ts'

/** Nothing to search for: these tests are about usage. */
const noWords: Omit<PackWords, 'beatmapIds'> = {
  name: [],
  text: [],
  any: [],
  pairs: [],
  setIds: [],
  facts: { maps: 0, stars: null, length: null, bpm: null, mods: null, rulesets: null },
}

/** What the worker does: all that was saved is in the usage then. */
export const takeOver = async ({ searchUpdates }: Pick<Ports, 'searchUpdates'>): Promise<void> => {
  const describe = ({ slots }: { slots: readonly { beatmapId: number }[] }): PackWords => ({
    ...noWords,
    beatmapIds: [...new Set(slots.map(({ beatmapId }) => beatmapId))],
  })
  while ((await searchUpdates.update(200, describe)) > 0);
}

let next = 900_000

/** A beatmap that no other test has pooled. */
export const newBeatmap = (): number => (next += 1)

/** A public pack with this beatmap in one slot. */
export const holding = (beatmapId: number, changes: Partial<PackInput> = {}): PackInput =>
  aPack({
    name: `Holds ${beatmapId}`,
    visibility: 'public',
    slots: [
      { mod: 'NM', index: 1, beatmapId: newBeatmap() },
      { mod: 'NM', index: 2, beatmapId },
    ],
    ...changes,
  })

/** Ways in which a public pack ceases to be one; each gets the slug, and the owner's calls. */
export const vanishings: readonly (readonly [
  how: string,
  work: (
    ports: Pick<Ports, 'packs' | 'clock'>,
    slug: string,
    owner: {
      put: (slug: string, body: unknown) => Promise<unknown>
      delete: (slug: string) => Promise<unknown>
    },
    beatmapId: number,
  ) => Promise<unknown>,
])[] = [
  ['private', (_, slug, owner, id) => owner.put(slug, holding(id, { visibility: 'private' }))],
  ['unlisted', (_, slug, owner, id) => owner.put(slug, holding(id, { visibility: 'unlisted' }))],
  ['hidden', (ports, slug) => hidePack(ports, slug)],
  ['deleted', (_, slug, owner) => owner.delete(slug)],
]
