import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import { closed, list, open, orNull, text, Whole } from './primitives.ts'
import { IndexEntry } from './search-index.ts'

/** Packs of one answer of the search. */
export const FOUND_AT_ONCE = 30

const searchOrders = ['relevance', 'created'] as const

const span = (what: string) =>
  Type.Optional(
    Type.String({
      description: `${what}: \`5-6.5\`, \`5-\` or \`-6.5\`; both ends count.`,
      maxLength: 24,
    }),
  )

/** Query of `GET /session/search`, named as in the address of Browse. What does not fit is ignored there. */
export const SearchQuery = open('What is searched for; everything may be left out.', {
  q: Type.Optional(text('Words, beatmap or set ids, links.', 0, bounds.QUERY_LENGTH)),
  stars: span('Average stars'),
  length: span('Seconds of every map'),
  bpm: span('BPM of every map'),
  beatmaps: span('Number of maps'),
  mods: Type.Optional(text('Mods that a pack has, comma-separated: all of them.', 0, 64)),
  rulesets: Type.Optional(text('Rulesets, comma-separated: one of them.', 0, 64)),
  unrated: Type.Optional(text('`1`: packs without stats pass the filters.', 0, 1)),
  order: Type.Optional(Type.Enum(searchOrders, { description: 'Left out: by relevance.' })),
  older: Type.Optional(
    text('Without words: packs created at this time or before, ISO 8601 in UTC.', 0, 24),
  ),
  after: Type.Optional(text('`next` of the answer before.', 1, 64)),
})
export type SearchQuery = Static<typeof SearchQuery>

export const FoundPack = closed('A pack that was found.', {
  entry: IndexEntry,
  maps: list(
    text('`Artist – Title`.', 1, 2100),
    'The first of its maps that match; empty where the pack itself does.',
    3,
  ),
})
export type FoundPack = Static<typeof FoundPack>

/** Response of `GET /session/search`. */
export const SearchReply = closed('Public packs that match.', {
  packs: list(
    FoundPack,
    'Perhaps fewer than there are, and none, where `next` is set.',
    FOUND_AT_ONCE,
  ),
  next: orNull(
    Type.String({ description: 'Pass it as `after` for more; null: these were the last.' }),
  ),
  isNear: Type.Boolean({ description: 'No pack has these words: these have similar ones.' }),
  beatmapIds: list(
    Type.Integer({ minimum: 1, maximum: bounds.MAX_BEATMAP_ID }),
    'Beatmaps that the words name by id or link and that public packs hold.',
    8,
  ),
  searched: Type.Integer({
    ...Whole,
    description: 'Packs that were searched: all that are public.',
  }),
})
export type SearchReply = Static<typeof SearchReply>
