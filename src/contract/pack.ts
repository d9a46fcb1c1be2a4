import { type Static, Type } from 'typebox'
import {
  DESCRIPTION_LENGTH,
  MAX_BUCKETS,
  MAX_CUSTOM_BUCKETS,
  MAX_EXPORTS,
  MAX_SAFE_INTEGER,
  MAX_SLOTS,
  NAME_LENGTH,
  PAGE_SIZE,
} from './bounds.ts'
import { Bucket, BucketInput } from './bucket.ts'
import { fullInputExample, newPackExample, packExample, plainInputExample } from './examples.ts'
import { MagnetExport } from './magnet-export.ts'
import { Slug, Timestamp, Whole } from './primitives.ts'
import { Slot, SlotInput } from './slot.ts'
import { Stats } from './stats.ts'

/** Who may see a pack (spec 3). */
export const visibilities = ['private', 'unlisted', 'public'] as const
export type Visibility = (typeof visibilities)[number]

const name = Type.String({
  description: 'What the pack is called.',
  minLength: 1,
  maxLength: NAME_LENGTH,
})
const description = Type.String({
  description: 'What the owner says of the pack; left out when there is nothing.',
  maxLength: DESCRIPTION_LENGTH,
})
const whoMayRead =
  'Who may read the pack: its owner, whoever knows the slug, or everyone (it is listed then).'

/** A pack as it is read (spec 2.2, D-46); the order of the fields is the order of the answer (D-45). */
export const Pack = Type.Object(
  {
    slug: Slug,
    name,
    visibility: Type.Enum(visibilities, { description: whoMayRead }),
    description: Type.Optional(description),
    slots: Type.Array(Slot, {
      description: 'The beatmaps, in the order in which they were sent.',
      maxItems: MAX_SLOTS,
    }),
    buckets: Type.Optional(
      Type.Array(Bucket, {
        description: 'The whole bucket table, when it is not the default one.',
        maxItems: MAX_BUCKETS,
      }),
    ),
    exports: Type.Array(MagnetExport, {
      description: 'Magnet links that the owner recorded, newest first.',
      maxItems: MAX_EXPORTS,
    }),
    hiddenAt: Type.Optional({
      ...Timestamp,
      description: "On the owner's own packs: when a moderator hid the pack.",
    }),
    historyPublic: Type.Optional(Type.Boolean({ description: 'Reserved for pack history.' })),
    stats: Type.Optional(Stats),
    createdAt: Timestamp,
    updatedAt: Timestamp,
    packKey: Type.String({
      description:
        "The whole pool in one line of text; anyone can open it at the site's address, behind `/k#`.",
      pattern: '^pk[1-9][0-9]*\\.[A-Za-z0-9_-]+$',
      minLength: 5,
      maxLength: 4096,
    }),
    ownerName: Type.String({
      description:
        "The owner's game username; a fixed label for tournament pools; `Unknown player` when no name is known.",
      minLength: 1,
      maxLength: 64,
    }),
  },
  {
    additionalProperties: false,
    description: 'A named pool of beatmaps.',
    examples: [packExample, newPackExample],
  },
)
export type Pack = Static<typeof Pack>

/** Answer of the endpoints that give one pack. */
export const PackReply = Type.Object(
  { pack: Pack },
  {
    additionalProperties: false,
    description: 'One pack.',
    examples: [{ pack: packExample }],
  },
)
export type PackReply = Static<typeof PackReply>

/** One page of packs (spec 2.7). */
export const PackPage = Type.Object(
  {
    packs: Type.Array(Pack, { description: 'Empty past the last page.', maxItems: PAGE_SIZE }),
    page: Type.Integer({
      description: 'The page that was asked for.',
      minimum: 1,
      maximum: MAX_SAFE_INTEGER,
    }),
    pageCount: Type.Integer({ description: 'At least 1.', minimum: 1, maximum: MAX_SAFE_INTEGER }),
    total: Type.Integer({ ...Whole, description: 'Packs on all pages.' }),
  },
  {
    additionalProperties: false,
    description: 'One page of packs, most recently updated first.',
    examples: [
      { packs: [packExample], page: 1, pageCount: 1, total: 1 },
      { packs: [], page: 7, pageCount: 1, total: 1 },
    ],
  },
)
export type PackPage = Static<typeof PackPage>

/** A pack as it is sent (spec 2.8): other fields are ignored (D-17). Bounds hold after trimming (D-19). */
export const PackInput = Type.Object(
  {
    name: Type.String({ ...name, description: 'White space around it is removed.' }),
    slots: Type.Array(SlotInput, {
      description: 'Each mod and index stands once.',
      minItems: 1,
      maxItems: MAX_SLOTS,
    }),
    buckets: Type.Optional(
      Type.Array(BucketInput, {
        description: `May be partial: built-in buckets left out are added. At most ${MAX_CUSTOM_BUCKETS} custom ones. Left out: the default table.`,
        maxItems: MAX_BUCKETS,
      }),
    ),
    visibility: Type.Optional(
      Type.Enum(visibilities, { default: 'unlisted', description: whoMayRead }),
    ),
    description: Type.Optional(
      Type.String({ ...description, description: 'White space around it is removed.' }),
    ),
  },
  {
    description: 'A whole pack: PUT replaces everything. Other fields are ignored.',
    examples: [plainInputExample, fullInputExample],
  },
)
export type PackInput = Static<typeof PackInput>
