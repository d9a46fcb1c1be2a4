import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { rulesets, statsMods } from './mods.ts'
import { Bucket, BucketInput, Slot, SlotInput } from './pools.ts'
import {
  about,
  closed,
  list,
  open,
  orNull,
  pageFields,
  Slug,
  text,
  Timestamp,
  Whole,
} from './primitives.ts'

/** A magnet link that the owner recorded on the site (spec 2.5). */
export const MagnetExport = closed(
  about('A magnet link that the owner recorded on the site.', examples.magnet),
  {
    kind: Type.Literal('magnet'),
    url: text('The magnet link.', 8, bounds.EXPORT_URL_LENGTH, '^magnet:\\?'),
    createdAt: Timestamp,
  },
)
export type MagnetExport = Static<typeof MagnetExport>

const range = { minimum: 0, maximum: bounds.MAX_SAFE_INTEGER }
const stars = (description: string) => orNull(Type.Number({ description, ...range }))
const whole = (description: string) => orNull(Type.Integer({ description, ...range }))
const some = <const T extends string[]>(values: readonly [...T], description: string) =>
  Type.Array(Type.Enum(values), { description, maxItems: values.length, uniqueItems: true })

/** Summary of a pack's beatmaps, computed on the server after a save (spec 2.6, D-32 to D-36). */
export const Stats = closed(
  about("Summary of the pack's maps, computed a few seconds after a save.", examples.stats),
  {
    srMin: stars('Lowest star rating, 2 decimals; null when no map gave one.'),
    srMax: stars('Highest star rating, 2 decimals.'),
    srAvg: stars('Average star rating over the slots, 2 decimals.'),
    lenMin: whole('Shortest map in seconds, after DT and HT.'),
    lenMax: whole('Longest map in seconds, after DT and HT.'),
    bpmMin: whole('Lowest BPM, after DT and HT.'),
    bpmMax: whole('Highest BPM, after DT and HT.'),
    mods: some(statsMods, 'Built-in slot mods first, then the mods that custom slots force.'),
    modes: some(rulesets, 'Rulesets of the maps.'),
    count: Type.Integer({ ...Whole, description: 'Number of slots.' }),
    complete: Type.Boolean({
      description: 'False while a map or a rating could not be looked up; it is tried again later.',
    }),
    computedAt: Timestamp,
  },
)
export type Stats = Static<typeof Stats>

/** Who may see a pack (spec 3). */
export const visibilities = ['private', 'unlisted', 'public'] as const
export type Visibility = (typeof visibilities)[number]

const name = text('The name of the pack.', 1, bounds.NAME_LENGTH)
const description = text(
  'The description by its owner; left out if there is none.',
  0,
  bounds.DESCRIPTION_LENGTH,
)
const trimmed = 'White space around it is removed.'
const whoMayRead =
  'Who may read the pack: its owner, everyone who knows the slug, or everyone (it is then listed).'

/** What the owner decides of a pack besides its pool, as it is read; `pool/pack-fields.ts` says how each is kept. */
export const packFields = {
  visibility: Type.Enum(visibilities, { description: whoMayRead }),
  description: Type.Optional(description),
}

/** The same fields as they are sent; all are optional. */
const packInputFields = {
  visibility: Type.Optional(
    Type.Enum(visibilities, { description: `${whoMayRead} Left out: \`unlisted\`.` }),
  ),
  description: Type.Optional(Type.String({ ...description, description: trimmed })),
}

/** A pack as it is read (spec 2.2, D-46); the order of the fields is the order of the answer (D-45). */
export const Pack = closed(about('A named pool of beatmaps.', examples.pack, examples.newPack), {
  slug: Slug,
  name,
  ...packFields,
  slots: list(Slot, 'The beatmaps, in the order in which they were sent.', bounds.MAX_SLOTS),
  buckets: Type.Optional(
    list(Bucket, 'The whole bucket table, when it is not the default one.', bounds.MAX_BUCKETS),
  ),
  exports: list(
    MagnetExport,
    'Magnet links that the owner recorded, newest first.',
    bounds.MAX_EXPORTS,
  ),
  hiddenAt: Type.Optional({
    ...Timestamp,
    description: "On the owner's own packs: when a moderator hid the pack.",
  }),
  historyPublic: Type.Optional(
    Type.Boolean({ description: 'True: others may read the history, too. Left out otherwise.' }),
  ),
  stats: Type.Optional(Stats),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  packKey: text(
    "The whole pool in one line of text; anyone can open it at the site's address, after `/k#`.",
    5,
    4096,
    '^pk[1-9][0-9]*\\.[A-Za-z0-9_-]+$',
  ),
  ownerName: text(
    "The owner's game username; a fixed label for tournament pools; `Unknown player` when no name is known.",
    1,
    64,
  ),
})
export type Pack = Static<typeof Pack>

/** Response of the endpoints that return one pack. */
export const PackReply = closed(about('One pack.', { pack: examples.pack }), { pack: Pack })
export type PackReply = Static<typeof PackReply>

const aPage = { packs: [examples.pack], page: 1, pageCount: 1, total: 1 }
const pastTheEnd = { packs: [], page: 7, pageCount: 1, total: 1 }

/** One page of packs (spec 2.7). */
export const PackPage = closed(
  about('One page of packs, most recently updated first.', aPage, pastTheEnd),
  {
    packs: list(Pack, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields('Packs on all pages.'),
  },
)
export type PackPage = Static<typeof PackPage>

/** A pack as it is sent (spec 2.8). Bounds hold after trimming (D-19). */
export const PackInput = open(
  about(
    'A whole pack: PUT replaces everything. Other fields are ignored.',
    examples.plainInput,
    examples.fullInput,
  ),
  {
    name: Type.String({ ...name, description: trimmed }),
    slots: Type.Array(SlotInput, {
      description: 'Each `mod`/`index` pair must be unique.',
      minItems: 1,
      maxItems: bounds.MAX_SLOTS,
    }),
    buckets: Type.Optional(
      list(
        BucketInput,
        `May be partial: built-in buckets left out are added. At most ${bounds.MAX_CUSTOM_BUCKETS} custom ones. Left out: the default table.`,
        bounds.MAX_BUCKETS,
      ),
    ),
    ...packInputFields,
  },
)
export type PackInput = Static<typeof PackInput>

/** Why a pack was hidden, in a moderator's words. */
export const Reason = text(
  'Why; white space around it is removed. Line breaks and other controls are refused.',
  1,
  bounds.REASON_LENGTH,
)

/** `hiddenAt` is there for the owner and for moderators. */
export const SitePack = closed('A pack as the site shows it to one viewer.', {
  ...Pack.properties,
  isMine: Type.Boolean({ description: 'The viewer owns it.' }),
  isPinned: Type.Boolean({ description: 'It is in the pinned row (D-30).' }),
  hiddenReason: Type.Optional({
    ...Reason,
    description: 'Why it was hidden, if the moderator said so; for its owner and for moderators.',
  }),
})
export type SitePack = Static<typeof SitePack>

/** Response of the session endpoints that return one pack. */
export const SitePackReply = closed('One pack.', { pack: SitePack })
export type SitePackReply = Static<typeof SitePackReply>

/** Body of `PUT /session/packs/{slug}`. */
export const PackEdit = open('A whole pack, and which state of it was edited.', {
  pack: PackInput,
  basedOn: {
    ...Timestamp,
    description: 'The `updatedAt` that the edit began from; with another one it is a conflict.',
  },
})
export type PackEdit = Static<typeof PackEdit>

const magnetUrl = text('A magnet link (D-43).', 1, bounds.EXPORT_URL_LENGTH)

/** Body of `POST /session/packs/{slug}/magnets`. */
export const MagnetInput = open('A magnet link, and the pack key that it was made for (D-43).', {
  url: magnetUrl,
  packKey: Pack.properties.packKey,
})
export type MagnetInput = Static<typeof MagnetInput>

/** Body of `DELETE /session/packs/{slug}/magnets`. */
export const MagnetRemoval = open('The recorded link, in any spelling of it.', { url: magnetUrl })
