import { type Static, type TSchema, Type } from 'typebox'
import * as bounds from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { Bucket, BucketInput, Slot } from './pools.ts'
import {
  about,
  closed,
  httpsLink,
  integer,
  list,
  open,
  Slug,
  text,
  AnyTime,
  Timestamp,
} from './primitives.ts'

const { mod, index, beatmapId } = Slot.properties
const placeholder = text(
  'What is planned for the slot while there is no beatmap: `custom map, due Sunday`.',
  1,
  bounds.PLACEHOLDER_LENGTH,
)

const filledExample = { mod: 'NM', index: 1, beatmapId: 4392947 }
const plannedExample = {
  mod: 'TB',
  index: 1,
  placeholder: 'custom map, due Sunday',
  details: { artist: 'Camellia', title: 'Tidal Clock' },
  link: 'https://files.example/tidal-clock.osz',
}

const detail = (which: string) =>
  Type.Optional(text(`${which} of the map.`, 1, bounds.DETAIL_LENGTH))
const details = {
  artist: detail('The artist'),
  title: detail('The title'),
  difficulty: detail('The name of the difficulty'),
  mapper: detail('The mapper'),
}
const DETAILS =
  'What is known of the map while it has no id; of a beatmap, the platform’s facts are shown instead.'

/** What is known of a beatmap while it has no id. */
export const SlotDetails = closed(about(DETAILS, plannedExample.details), details)
export type SlotDetails = Static<typeof SlotDetails>

/** Details as they are sent. */
export const SlotDetailsInput = open(
  about(`${DETAILS} Other fields are ignored.`, plannedExample.details),
  details,
)

const link = Type.Optional(
  httpsLink('Where the map can be had until it is on the platform.', bounds.LINK_LENGTH),
)

/** What a slot of a round may hold; `pool/round-fields.ts` says how each is kept. */
export const slotFields = {
  beatmapId: Type.Optional(beatmapId),
  placeholder: Type.Optional(placeholder),
  details: Type.Optional(SlotDetails),
  link,
}

/** A slot of a round is a beatmap with or without its id: it has a beatmap, a placeholder, or neither (D-77). */
export const RoundSlot = closed(
  about(
    'A slot with a beatmap, with a placeholder, or with neither.',
    filledExample,
    plannedExample,
  ),
  { mod, index, ...slotFields },
)
export type RoundSlot = Static<typeof RoundSlot>

const sentSlotFields = { ...slotFields, details: Type.Optional(SlotDetailsInput) }

/** A slot of a round as it is sent. */
export const RoundSlotInput = open(
  about(
    'A slot with a beatmap, with a placeholder, or with neither; never with both. Other fields are ignored.',
    filledExample,
    plannedExample,
  ),
  { mod, index, ...sentSlotFields },
)

const range = (greatest: number) => ({
  min: Type.Optional(Type.Number({ minimum: 0, maximum: greatest })),
  max: Type.Optional(Type.Number({ minimum: 0, maximum: greatest })),
})
const wholeEnd = (greatest: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: greatest }))
const stars = range(bounds.MAX_TARGET_STARS)
const length = range(bounds.MAX_TARGET_LENGTH)
const bpm = range(bounds.MAX_TARGET_BPM)
const keys = { min: wholeEnd(bounds.MAX_TARGET_KEYS), max: wholeEnd(bounds.MAX_TARGET_KEYS) }
const STARS = 'Star rating; either end may be left out.'
const LENGTH = 'Length in seconds; either end may be left out.'
const BPM = 'BPM; either end may be left out.'
const KEYS = 'Keys, of beatmaps of mania alone; either end may be left out.'

const targetsExample = { stars: { min: 5.4, max: 6.3 }, length: { max: 300 } }

/** What the beatmaps of a round should be like, under the mods of their slots. */
export const RoundTargets = closed(
  about(
    "Ranges that the round's beatmaps should be in, with the mods of their slots.",
    targetsExample,
  ),
  {
    stars: Type.Optional(closed(STARS, stars)),
    length: Type.Optional(closed(LENGTH, length)),
    bpm: Type.Optional(closed(BPM, bpm)),
    keys: Type.Optional(closed(KEYS, keys)),
  },
)
export type RoundTargets = Static<typeof RoundTargets>

/** Targets as they are sent. */
export const RoundTargetsInput = open(
  about("Ranges that the round's beatmaps should be in. Other fields are ignored.", targetsExample),
  {
    stars: Type.Optional(open(STARS, stars)),
    length: Type.Optional(open(LENGTH, length)),
    bpm: Type.Optional(open(BPM, bpm)),
    keys: Type.Optional(open(KEYS, keys)),
  },
)

const RoundName = text('Unique in the tournament, in any case.', 1, bounds.NAME_LENGTH)

/** Odd, since no match may end in a draw. */
const bestOfs = [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23] as const

/** What hosts draft of a round besides its pool, as it is read; `pool/round-fields.ts` says how each is kept. */
export const roundFields = {
  bestOf: Type.Optional(
    Type.Unsafe<number>(
      Type.Integer({
        description: 'Games of a match at most; odd.',
        minimum: 1,
        maximum: bounds.MAX_BEST_OF,
        enum: [...bestOfs],
      }),
    ),
  ),
  bans: Type.Optional(integer('Bans of each team.', 0, bounds.MAX_BANS)),
  packName: Type.Optional(
    text(
      'The name of the pack that a release makes. Left out: the short name of the tournament, or its name, and the name of the round.',
      1,
      bounds.NAME_LENGTH,
    ),
  ),
  targets: Type.Optional(RoundTargets),
  mapPackUrl: Type.Optional(
    httpsLink(
      'Where all maps of the round can be had as one file. Set by hosts, and shown at once where the round is released.',
      bounds.LINK_LENGTH,
    ),
  ),
  showcaseUrl: Type.Optional(
    httpsLink(
      'Where the round is presented. Set by hosts, and shown at once where the round is released.',
      bounds.LINK_LENGTH,
    ),
  ),
}

export const roundExample = {
  id: 'b3JkZXIgbX',
  name: 'Quarterfinals',
  slots: [filledExample, plannedExample],
  bestOf: 11,
  bans: 2,
  targets: targetsExample,
  releaseAt: '2026-12-01T18:00:00.000Z',
  createdAt: examples.pack.createdAt,
  updatedAt: examples.pack.updatedAt,
}

export const releasedExample = {
  id: 'cXVhbGlmaW',
  name: 'Qualifiers',
  slots: [filledExample],
  bestOf: 9,
  releaseAt: '2026-11-20T18:00:00.000Z',
  releasedAt: '2026-11-20T18:00:00.412Z',
  packSlug: examples.pack.slug,
  createdAt: examples.pack.createdAt,
  updatedAt: examples.pack.updatedAt,
}

/**
 * A round as it is read. The staff read its draft; everybody else what was released of it last, without
 * targets.
 */
export const Round = closed(
  about(
    'A round of a tournament. The staff read the draft; others, what was released.',
    roundExample,
    releasedExample,
  ),
  {
    id: Type.String({
      ...text("The round's identifier in paths.", 10, 10, bounds.SLUG_PATTERN),
      examples: ['b3JkZXIgbX'],
    }),
    name: RoundName,
    slots: list(RoundSlot, 'The slots, in the order in which they were sent.', bounds.MAX_SLOTS),
    buckets: Type.Optional(
      list(Bucket, 'The whole bucket table, when it is not the default one.', bounds.MAX_BUCKETS),
    ),
    ...roundFields,
    releaseAt: Type.Optional({
      ...Timestamp,
      description: 'When it will be released, if that is scheduled; else when it was.',
    }),
    incomplete: Type.Optional(
      Type.Boolean({
        description:
          'For its staff, true when the scheduled release takes slots without a beatmap as planned; otherwise left out.',
      }),
    ),
    releasedAt: Type.Optional({
      ...Timestamp,
      description: 'When its pack was made or last replaced.',
    }),
    packSlug: Type.Optional({ ...Slug, description: 'The pack of the released round.' }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
)
export type Round = Static<typeof Round>

/** Response of the endpoints that return one round. */
export const RoundReply = closed(about('One round.', { round: roundExample }), { round: Round })
export type RoundReply = Static<typeof RoundReply>

const inputFields = {
  name: RoundName,
  ...roundFields,
  targets: Type.Optional(RoundTargetsInput),
  slots: Type.Optional(
    Type.Array(RoundSlotInput, {
      description: 'Each `mod`/`index` pair must be unique. Left out: none.',
      maxItems: bounds.MAX_SLOTS,
    }),
  ),
  buckets: Type.Optional(
    list(BucketInput, 'As in packs; left out: the default table.', bounds.MAX_BUCKETS),
  ),
}

export const roundInputExample = {
  name: 'Quarterfinals',
  bestOf: 11,
  slots: [filledExample, plannedExample],
}

/** Body of `POST /tournaments/{slug}/rounds` and `PUT …/rounds/{round}`. */
export const RoundInput = open(
  about('A whole round: PUT replaces everything. Other fields are ignored.', roundInputExample),
  inputFields,
)
export type RoundInput = Static<typeof RoundInput>

/** A round of a whole sheet. */
export const RoundEntry = open(
  about(
    'A round. With the `id`, or else the name, of one that is there, it replaces that one.',
    roundInputExample,
  ),
  { id: Type.Optional(Round.properties.id), ...inputFields },
)

/** Body of `PUT /tournaments/{slug}/rounds`: all rounds in order. */
export const RoundsInput = open(
  about('All rounds of a tournament, in their order.', { rounds: [roundInputExample] }),
  {
    rounds: list(
      RoundEntry,
      'Rounds that are not in the list are deleted; released and scheduled ones must be in it.',
      bounds.MAX_ROUNDS,
    ),
  },
)
export type RoundsInput = Static<typeof RoundsInput>

const heldFields = Type.Object(sentSlotFields).properties

/** What a slot holds, with at least one of the fields. */
export const FilledContent = open(
  about(
    'A beatmap or what is planned, never both; with at least one of the fields. Others are ignored.',
    { beatmapId: 1860169 },
    { placeholder: plannedExample.placeholder },
  ),
  heldFields,
)

const SLOT_CONTENT =
  'What a slot holds: `beatmapId` or `placeholder`, `details` and `link` beside either. Null is a slot that is there and empty, `none` one that is not there.'

/** null is a slot that is there and empty, `none` one that is not there (D-79). */
const contentOf = <S extends TSchema>(filled: S, description: string) =>
  Type.Union(
    [
      filled,
      Type.Null({ description: 'A slot that is there and empty.' }),
      Type.Literal(bounds.NO_SLOT, { description: 'A slot that is not there.' }),
    ],
    { description },
  )

/** What a slot is to hold after a change. */
export const SlotContent = contentOf(FilledContent, SLOT_CONTENT)
export type SlotContent = Static<typeof SlotContent>

/** Details as they were read. */
export const StoredDetails = open(
  about(`${DETAILS} As it was read; other fields are ignored.`, plannedExample.details),
  details,
)

/** What a slot held, as it was read: its texts may have been stored under older rules (D-47). */
export const StoredFilling = open(
  about('As it was read, a beatmap or what was planned. Other fields are ignored.', {
    beatmapId: 1860169,
  }),
  {
    ...heldFields,
    details: Type.Optional(StoredDetails),
    link: Type.Optional(text('Where the map could be had, as it was read.', 1, bounds.LINK_LENGTH)),
  },
)

/** What a slot held before a change. */
export const StoredContent = contentOf(StoredFilling, `${SLOT_CONTENT} As it was read.`)

export const slotChangeExample = {
  mod: 'NM',
  index: 3,
  from: { beatmapId: 4392947 },
  to: { beatmapId: 1860169 },
}

/** A change of a slot. */
export const SlotChange = open(
  about('A change of one slot, which must be as in `from`.', slotChangeExample),
  { mod, index, from: StoredContent, to: SlotContent },
)

/** Body of `PATCH /tournaments/{slug}/rounds/{round}/slots` (D-62). */
export const SlotChanges = open(
  about('Changes of slots; all of them are made, or none.', { changes: [slotChangeExample] }),
  {
    changes: Type.Array(SlotChange, {
      description: 'Each slot at most once.',
      minItems: 1,
      maxItems: bounds.MAX_SLOTS,
    }),
  },
)
export type SlotChanges = Static<typeof SlotChanges>

/** Body of `PUT …/release` (D-63). */
export const ReleaseInput = open(
  about(
    'When to release the round.',
    { at: '2026-12-01T18:00:00.000Z' },
    { at: 'now' },
    { at: 'now', incomplete: true },
    { at: null },
  ),
  {
    at: Type.Union([AnyTime, Type.Literal('now'), Type.Null()], {
      description:
        'A time in the future, or `now`. Null withdraws what is scheduled or, if nothing is, the pack.',
    }),
    incomplete: Type.Optional(
      Type.Boolean({
        description:
          'Release the round as it is: slots without a beatmap go out as planned, and each by itself when it gets its beatmap. At least one slot must have one. Left out: false.',
      }),
    ),
  },
)
export type ReleaseInput = Static<typeof ReleaseInput>
