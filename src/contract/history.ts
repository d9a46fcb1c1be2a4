import {
  type Static,
  type TLiteral,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from 'typebox'
import * as bounds from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { Pack, packFields } from './packs.ts'
import { Bucket } from './pools.ts'
import {
  about,
  closed,
  Code,
  integer,
  list,
  open,
  pageFields,
  text,
  Timestamp,
} from './primitives.ts'

const versionNumber = integer(
  'Counts the versions of a pack from 1; a number is never used again.',
  1,
  bounds.MAX_VERSION,
)

/** A code, a space, two digits at most. */
export const Label = text(
  'The label of a slot: `NM3`, `RC1 2`, `TB`, or `5` without a bucket.',
  1,
  15,
)
const At = { ...Label, description: 'The label of the slot.' }
const BeatmapId = integer('A beatmap id.', 1, bounds.MAX_BEATMAP_ID)
const Codes = list(Code, 'The codes of the buckets in their order.', bounds.MAX_BUCKETS)

const { name: Name } = Pack.properties
const { visibility, ...optionalFields } = packFields

/** Another value of one of these fields; `Place` says which slot's. */
export type FieldDifference<Fields extends TProperties, Place extends TProperties = {}> = {
  [F in keyof Fields & string]: Static<
    TObject<{ kind: TLiteral<F>; from: Fields[F]; to: Fields[F] } & Place>
  >
}[keyof Fields & string]

const fieldDifferences = Object.entries({ ...optionalFields, visibility }).map(([field, value]) => {
  const leftOut = field in optionalFields ? '; one that was or is not there is left out' : ''
  const kind = Type.Literal(field)
  return closed(`Another ${field}${leftOut}.`, { kind, from: value, to: value })
})

const NameDifference = closed('Another name.', { kind: Type.Literal('name'), from: Name, to: Name })

/** What changes of packs and of drafts alike. */
export const PoolDifference = Type.Union([
  NameDifference,
  closed('A bucket that was added (no `from`), removed (no `to`) or changed.', {
    kind: Type.Literal('bucket'),
    at: Code,
    from: Type.Optional(Bucket),
    to: Type.Optional(Bucket),
  }),
  closed(
    'Buckets in another order. `from` is the order before, without removed buckets and with new ones directly before TB.',
    { kind: Type.Literal('bucket'), from: Codes, to: Codes },
  ),
  closed('A place that has a beatmap that was not in the pool as often.', {
    kind: Type.Literal('filled'),
    at: At,
    to: BeatmapId,
  }),
  closed(
    'A beatmap that left the pool, and where it was. Another may have moved there: that is a difference of its own.',
    { kind: Type.Literal('emptied'), at: At, from: BeatmapId },
  ),
  closed('A new beatmap in the place of one that left the pool.', {
    kind: Type.Literal('replaced'),
    at: At,
    from: BeatmapId,
    to: BeatmapId,
  }),
  closed(
    'A beatmap in another place, also under another number of the same bucket. `at` is where it is now, as `to` is.',
    { kind: Type.Literal('moved'), at: At, from: Label, to: Label },
  ),
])
export type PoolDifference = Static<typeof PoolDifference>

/** One difference between two states of a pack (D-72). */
export const Difference = Type.Unsafe<PoolDifference | FieldDifference<typeof packFields>>(
  Type.Union([NameDifference, ...fieldDifferences, ...PoolDifference.anyOf.slice(1)], {
    description: 'One difference between two states of a pack.',
    examples: [
      { kind: 'replaced', at: 'NM3', from: 4392947, to: 4392960 },
      { kind: 'moved', at: 'NM3', from: 'NM2', to: 'NM3' },
      { kind: 'visibility', from: 'private', to: 'public' },
    ],
  }),
)

export type Difference = Static<typeof Difference>

/** Name and fields; all custom buckets and their order; all slots. */
const MOST_DIFFERENCES =
  1 + fieldDifferences.length + 2 * bounds.MAX_CUSTOM_BUCKETS + 1 + 2 * bounds.MAX_SLOTS

const versionFields = {
  version: versionNumber,
  savedAt: Timestamp,
  savedBy: Pack.properties.ownerName,
  name: Pack.properties.name,
  ...optionalFields,
  visibility,
  packKey: Pack.properties.packKey,
  changes: list(
    Difference,
    'What it changed, compared with the version before it that the caller may read.',
    MOST_DIFFERENCES,
  ),
}

const versionExample = {
  version: 2,
  savedAt: examples.pack.updatedAt,
  savedBy: examples.pack.ownerName,
  name: examples.pack.name,
  visibility: 'public',
  packKey: examples.pack.packKey,
  changes: [{ kind: 'visibility', from: 'unlisted', to: 'public' }],
}

const firstExample = {
  ...versionExample,
  version: 1,
  savedAt: examples.pack.createdAt,
  visibility: 'unlisted',
  changes: [],
}

export const historyExample = {
  versions: [versionExample, firstExample],
  page: 1,
  pageCount: 1,
  total: 2,
}

export const wholeVersionExample = {
  ...versionExample,
  slots: examples.pack.slots,
  buckets: examples.pack.buckets,
}

/** A state of a pack as one of its saves left it (D-71, D-72). */
export const PackVersion = closed(
  about('A state of a pack, as a save left it.', versionExample),
  versionFields,
)
export type PackVersion = Static<typeof PackVersion>

/** A page of a history. */
export const historyPage = <V extends TSchema>(version: V, ofTotal: string, example: object) =>
  closed(about('One page of versions, newest first.', example), {
    versions: list(version, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields(ofTotal),
  })

/** One version of a history. */
export const versionReply = <V extends TSchema>(version: V, example: object) =>
  closed(about('One version.', { version: example }), { version })

/** Response of `GET /packs/{slug}/history`. */
export const HistoryPage = historyPage(PackVersion, 'Versions on all pages.', historyExample)
export type HistoryPage = Static<typeof HistoryPage>

/** A version with its slots, in pool order, and its bucket table when that is not the default one. */
export const WholeVersion = closed(
  about('A version with its slots and buckets.', wholeVersionExample),
  {
    ...versionFields,
    slots: { ...Pack.properties.slots, description: 'The beatmaps, in pool order.' },
    buckets: Pack.properties.buckets,
  },
)
export type WholeVersion = Static<typeof WholeVersion>

/** Response of `GET /packs/{slug}/history/{version}`. */
export const VersionReply = versionReply(WholeVersion, wholeVersionExample)
export type VersionReply = Static<typeof VersionReply>

/** Body of `PUT /packs/{slug}/history` (D-70). */
export const HistorySwitch = open(about('Who may read the history.', { public: true }), {
  public: Type.Boolean({
    description:
      'True: everyone who may read the pack, the versions that were saved while it was neither private nor hidden. False: its owner alone.',
  }),
})
