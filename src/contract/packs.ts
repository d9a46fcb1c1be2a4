import { type Static, Type } from 'typebox'
import {
  DESCRIPTION_LENGTH,
  EXPORT_URL_LENGTH,
  MAX_BUCKETS,
  MAX_CUSTOM_BUCKETS,
  MAX_EXPORTS,
  MAX_SAFE_INTEGER,
  MAX_SLOTS,
  NAME_LENGTH,
  PAGE_SIZE,
  REASON_LENGTH,
} from './bounds.ts'
import {
  fullInputExample,
  magnetExample,
  newPackExample,
  packExample,
  plainInputExample,
  statsExample,
} from './examples.ts'
import { rulesets, statsMods } from './mods.ts'
import { Bucket, BucketInput, Slot, SlotInput } from './pools.ts'
import { closed, orNull, pageFields, Slug, Timestamp, Whole } from './primitives.ts'

/** A magnet link that the owner recorded on the site (spec 2.5). */
export const MagnetExport = closed(
  {
    kind: Type.Literal('magnet'),
    url: Type.String({
      description: 'The magnet link.',
      pattern: '^magnet:\\?',
      minLength: 8,
      maxLength: EXPORT_URL_LENGTH,
    }),
    createdAt: Timestamp,
  },
  'A magnet link that the owner recorded on the site.',
  magnetExample,
)
export type MagnetExport = Static<typeof MagnetExport>

const figure = (type: 'number' | 'integer', description: string) =>
  orNull<number>(type, { description, minimum: 0, maximum: MAX_SAFE_INTEGER })
const stars = (description: string) => figure('number', description)
const whole = (description: string) => figure('integer', description)

/** Summary of a pack's beatmaps, computed on the server after a save (spec 2.6, D-32 to D-36). */
export const Stats = closed(
  {
    srMin: stars('Lowest star rating, 2 decimals; null when no map gave one.'),
    srMax: stars('Highest star rating, 2 decimals.'),
    srAvg: stars('Average star rating over the slots, 2 decimals.'),
    lenMin: whole('Shortest map in seconds, after DT and HT.'),
    lenMax: whole('Longest map in seconds, after DT and HT.'),
    bpmMin: whole('Lowest BPM, after DT and HT.'),
    bpmMax: whole('Highest BPM, after DT and HT.'),
    mods: Type.Array(Type.Enum(statsMods), {
      description: 'Built-in slot mods first, then the mods that custom slots force.',
      maxItems: statsMods.length,
      uniqueItems: true,
    }),
    modes: Type.Array(Type.Enum(rulesets), {
      description: 'Rulesets of the maps.',
      maxItems: rulesets.length,
      uniqueItems: true,
    }),
    count: Type.Integer({ ...Whole, description: 'Number of slots.' }),
    complete: Type.Boolean({
      description: 'False while a map or a rating could not be looked up; it is tried again later.',
    }),
    computedAt: Timestamp,
  },
  "Summary of the pack's maps, computed a few seconds after a save.",
  statsExample,
)
export type Stats = Static<typeof Stats>

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
export const Pack = closed(
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
  'A named pool of beatmaps.',
  packExample,
  newPackExample,
)
export type Pack = Static<typeof Pack>

/** Answer of the endpoints that give one pack. */
export const PackReply = closed({ pack: Pack }, 'One pack.', { pack: packExample })
export type PackReply = Static<typeof PackReply>

/** One page of packs (spec 2.7). */
export const PackPage = closed(
  {
    packs: Type.Array(Pack, { description: 'Empty past the last page.', maxItems: PAGE_SIZE }),
    ...pageFields('Packs on all pages.'),
  },
  'One page of packs, most recently updated first.',
  { packs: [packExample], page: 1, pageCount: 1, total: 1 },
  { packs: [], page: 7, pageCount: 1, total: 1 },
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

/** Why a pack was hidden, in a moderator's words. */
export const Reason = Type.String({
  description: 'Why; white space around it is removed. Line breaks and other controls are refused.',
  minLength: 1,
  maxLength: REASON_LENGTH,
})

/** A pack as the site shows it to one viewer. `hiddenAt` is there for its owner and for moderators. */
export const SitePack = closed(
  {
    ...Pack.properties,
    isMine: Type.Boolean({ description: 'The viewer owns it.' }),
    isPinned: Type.Boolean({ description: 'It stands in the pinned row (D-30).' }),
    hiddenReason: Type.Optional({
      ...Reason,
      description: 'Why it was hidden, when that was said; for its owner and for moderators.',
    }),
  },
  'A pack as the site shows it to one viewer.',
)
export type SitePack = Static<typeof SitePack>

/** Answer of the session endpoints that give one pack. */
export const SitePackReply = closed({ pack: SitePack }, 'One pack.')
export type SitePackReply = Static<typeof SitePackReply>

/** Body of `PUT /session/packs/{slug}`. Other fields are ignored. */
export const PackEdit = Type.Object(
  {
    pack: PackInput,
    basedOn: {
      ...Timestamp,
      description: 'The `updatedAt` that the edit began from; with another one it is a conflict.',
    },
  },
  { description: 'A whole pack, and which state of it was edited.' },
)
export type PackEdit = Static<typeof PackEdit>

const magnetUrl = Type.String({
  description: 'A magnet link (D-43).',
  minLength: 1,
  maxLength: EXPORT_URL_LENGTH,
})

/** Body of `POST /session/packs/{slug}/magnets`. Other fields are ignored. */
export const MagnetInput = Type.Object(
  { url: magnetUrl, packKey: Pack.properties.packKey },
  { description: 'A magnet link, and the pack key that it was made for (D-43).' },
)
export type MagnetInput = Static<typeof MagnetInput>

/** Body of `DELETE /session/packs/{slug}/magnets`. Other fields are ignored. */
export const MagnetRemoval = Type.Object(
  { url: magnetUrl },
  { description: 'The recorded link, in any spelling of it.' },
)
export type MagnetRemoval = Static<typeof MagnetRemoval>
