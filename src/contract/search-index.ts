import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import { closed, integer, Slug, text, Timestamp, Whole } from './primitives.ts'

/** Where the file is, below the site's address. */
export const SEARCH_INDEX_PATH = '/packs/index.json'

const Stars = Type.Number({ minimum: 0, maximum: bounds.MAX_SAFE_INTEGER })
const range = (part: typeof Stars | typeof Whole, description: string) =>
  Type.Optional(Type.Tuple([part, part], { description }))

/** spec 2.10, D-38: `r` to `k` exist once stats do; `r`, `a`, `l` and `b` where they are known. */
export const IndexEntry = closed('A public pack as people search for it.', {
  s: { ...Slug, description: 'Slug.' },
  n: text('Name.', 1, bounds.NAME_LENGTH),
  o: Type.String({ description: "The owner's username.", minLength: 1 }),
  c: integer('Number of slots.', 1, bounds.MAX_SLOTS),
  d: text(
    'Start of the description in one line, with … when cut; "" when there is none.',
    0,
    bounds.INDEX_DESCRIPTION_LENGTH,
  ),
  u: { ...Timestamp, description: 'Last updated.' },
  t: { ...Timestamp, description: 'Created.' },
  r: range(Stars, 'Lowest and highest star rating, 2 decimals.'),
  a: Type.Optional({ ...Stars, description: 'Average star rating, 2 decimals.' }),
  l: range(Whole, 'Shortest and longest map in seconds, after DT and HT.'),
  b: range(Whole, 'Lowest and highest BPM, after DT and HT.'),
  m: Type.Optional(Type.String({ description: 'Mods, comma-separated.' })),
  g: Type.Optional(Type.String({ description: 'Rulesets, comma-separated.' })),
  k: Type.Optional(Type.Boolean({ description: 'Whether the stats are complete.' })),
})
export type IndexEntry = Static<typeof IndexEntry>

/** The whole file: public packs that are not hidden, newest created first (spec 2.10, D-38). */
export const SearchIndex = closed('Public packs, newest created first.', {
  v: Type.Literal(1, { description: 'Version of this format.' }),
  packs: Type.Array(IndexEntry, { maxItems: bounds.MAX_INDEX_PACKS }),
})
export type SearchIndex = Static<typeof SearchIndex>
