import { type Static, Type } from 'typebox'
import {
  DESCRIPTION_LENGTH,
  MAX_BUCKETS,
  MAX_EXPORTS,
  MAX_SAFE_INTEGER,
  MAX_SLOTS,
  NAME_LENGTH,
  PAGE_SIZE,
  SLUG_PATTERN,
} from './bounds.ts'
import { Bucket, BucketInput } from './bucket.ts'
import { MagnetExport } from './magnet-export.ts'
import { Timestamp, Whole } from './primitives.ts'
import { Slot, SlotInput } from './slot.ts'
import { Stats } from './stats.ts'

/** Who may see a pack (spec 3). */
export const visibilities = ['private', 'unlisted', 'public'] as const
export type Visibility = (typeof visibilities)[number]

const name = Type.String({ minLength: 1, maxLength: NAME_LENGTH })
const description = Type.String({ maxLength: DESCRIPTION_LENGTH })

/** A pack as it is read (spec 2.2, D-46); the order of the fields is the order of the answer (D-45). */
export const Pack = Type.Object(
  {
    slug: Type.String({
      description: "The pack's identifier in paths.",
      pattern: SLUG_PATTERN,
      minLength: 10,
      maxLength: 10,
    }),
    name,
    visibility: Type.Enum(visibilities),
    description: Type.Optional(description),
    slots: Type.Array(Slot, { maxItems: MAX_SLOTS }),
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
      description: 'The whole pool in one line of text; opens at {site}/k#{packKey}.',
      pattern: '^pk[1-9][0-9]*\\.[A-Za-z0-9_-]+$',
      minLength: 5,
      maxLength: 4096,
    }),
    ownerName: Type.String({
      description: "The owner's game username, or `Unknown player`.",
      minLength: 1,
      maxLength: 64,
    }),
  },
  {
    additionalProperties: false,
    description: 'A named pool of beatmaps.',
    examples: [
      {
        slug: 'q7Jm2_xT0a',
        name: 'a',
        visibility: 'public',
        slots: [{ mod: 'HR', index: 2, beatmapId: 300 }],
        exports: [],
        createdAt: '2026-10-03T18:30:00.000Z',
        updatedAt: '2026-10-03T18:30:00.000Z',
        packKey: 'pk1.AQFhAQICrAKFPA',
        ownerName: 'Cookiezi',
      },
    ],
  },
)
export type Pack = Static<typeof Pack>

/** Answer of the endpoints that give one pack. */
export const PackReply = Type.Object({ pack: Pack }, { additionalProperties: false })
export type PackReply = Static<typeof PackReply>

/** One page of packs (spec 2.7). */
export const PackPage = Type.Object(
  {
    packs: Type.Array(Pack, { maxItems: PAGE_SIZE }),
    page: Type.Integer({ minimum: 1, maximum: MAX_SAFE_INTEGER }),
    pageCount: Type.Integer({ minimum: 1, maximum: MAX_SAFE_INTEGER }),
    total: Type.Integer({ ...Whole, description: 'Packs on all pages.' }),
  },
  {
    additionalProperties: false,
    description: 'One page of packs, most recently updated first.',
    examples: [{ packs: [], page: 1, pageCount: 1, total: 0 }],
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
        description: 'May be partial; at most 8 custom buckets. Left out: the default table.',
        maxItems: MAX_BUCKETS,
      }),
    ),
    visibility: Type.Optional(Type.Enum(visibilities, { default: 'unlisted' })),
    description: Type.Optional(
      Type.String({ ...description, description: 'White space around it is removed.' }),
    ),
  },
  {
    description: 'A whole pack: PUT replaces everything. Other fields are ignored.',
    examples: [
      {
        name: 'Grand Finals',
        visibility: 'public',
        slots: [
          { mod: 'NM', index: 1, beatmapId: 4392947 },
          { mod: 'HD', index: 1, beatmapId: 4392949 },
          { mod: 'TB', index: 1, beatmapId: 4393066 },
        ],
      },
    ],
  },
)
export type PackInput = Static<typeof PackInput>
