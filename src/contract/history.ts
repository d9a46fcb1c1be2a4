import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { Pack } from './packs.ts'
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

/** The label of a slot (`NM3`) or the code of a bucket: a code, a space, two digits at most. */
const Label = text('The label of a slot, `NM3`, or the code of a bucket.', 1, 15)

const side = (description: string) =>
  Type.Union(
    [
      integer('A beatmap id.', 1, bounds.MAX_BEATMAP_ID),
      text('A text, a visibility, or the label of a slot.', 1, bounds.DESCRIPTION_LENGTH),
      Bucket,
      list(Code, 'The codes of the buckets in their order.', bounds.MAX_BUCKETS),
    ],
    { description },
  )

export const differenceKinds = [
  'name',
  'description',
  'visibility',
  'bucket',
  'filled',
  'emptied',
  'replaced',
  'moved',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

/**
 * One difference between two states of a pack (D-72). `at`, `from` and `to` by kind:
 *
 * - `name`, `description`, `visibility`: the texts; a description that was or is not there is left out.
 * - `bucket`: `at` is its code, `from` and `to` the bucket; one is left out if it was added or removed.
 *   Without `at`, the order: the codes before, without removed buckets and with new ones directly before
 *   TB, and the codes since.
 * - `filled`, `emptied`, `replaced`: `at` is the slot's label, `from` and `to` are beatmap ids.
 * - `moved`: the labels before and since; `at` is the latter. Another number in the same bucket, too.
 */
export const Difference = closed(
  about(
    'One difference between two states of a pack.',
    { kind: 'replaced', at: 'NM3', from: 4392947, to: 4392960 },
    { kind: 'moved', at: 'NM3', from: 'NM2', to: 'NM3' },
    { kind: 'visibility', from: 'private', to: 'public' },
  ),
  {
    kind: Type.Enum(differenceKinds, { description: 'What has changed.' }),
    at: Type.Optional({ ...Label, description: 'Where: a label or a code.' }),
    from: Type.Optional(side('Before; left out if there was nothing.')),
    to: Type.Optional(side('Since; left out if there is nothing.')),
  },
)
export type Difference = Static<typeof Difference>

const versionFields = {
  version: versionNumber,
  savedAt: Timestamp,
  savedBy: Pack.properties.ownerName,
  name: Pack.properties.name,
  description: Pack.properties.description,
  visibility: Pack.properties.visibility,
  packKey: Pack.properties.packKey,
  changes: Type.Array(Difference, {
    description: 'What it changed, compared with the version before it that the caller may read.',
  }),
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

/** A state of a pack as one of its saves left it (D-71, D-72). */
export const PackVersion = closed(
  about('A state of a pack, as a save left it.', versionExample),
  versionFields,
)
export type PackVersion = Static<typeof PackVersion>

/** Response of `GET /packs/{slug}/history`. */
export const HistoryPage = closed(
  about('One page of versions, newest first.', {
    versions: [versionExample],
    page: 1,
    pageCount: 1,
    total: 1,
  }),
  {
    versions: list(PackVersion, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields('Versions on all pages.'),
  },
)
export type HistoryPage = Static<typeof HistoryPage>

/** A version with its slots, in pool order, and its bucket table when that is not the default one. */
export const WholeVersion = closed('A version with its slots and buckets.', {
  ...versionFields,
  slots: { ...Pack.properties.slots, description: 'The beatmaps, in pool order.' },
  buckets: Pack.properties.buckets,
})
export type WholeVersion = Static<typeof WholeVersion>

/** Response of `GET /packs/{slug}/history/{version}`. */
export const VersionReply = closed('One version.', { version: WholeVersion })
export type VersionReply = Static<typeof VersionReply>

/** Body of `PUT /packs/{slug}/history` (D-70). */
export const HistorySwitch = open(about('Who may read the history.', { public: true }), {
  public: Type.Boolean({
    description:
      'True: everyone who may read the pack, the versions that were saved while it was neither private nor hidden. False: its owner alone.',
  }),
})
