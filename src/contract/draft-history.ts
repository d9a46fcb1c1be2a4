import { type Static, type TSchema, Type } from 'typebox'
import * as bounds from './bounds.ts'
import {
  type FieldDifference,
  historyPage,
  Label,
  PoolDifference,
  versionReply,
  wholeVersionExample,
} from './history.ts'
import { about, closed, integer, list, text, Timestamp } from './primitives.ts'
import { Round, roundExample, roundFields, slotFields } from './rounds.ts'
import { Username } from './staff.ts'

const { name, slots, buckets } = Round.properties
const { mapPackUrl: _, showcaseUrl: __, ...draftFields } = roundFields
const { bestOf: ___, bans: ____, packName, targets, ...otherFields } = draftFields
const { beatmapId: _____, ...otherContents } = slotFields
const placeholder = text('What was, or is, planned for the slot.', 1, bounds.PLACEHOLDER_LENGTH)
const games = Type.Optional(integer('How many.', 0, bounds.MAX_BEST_OF))
const At = { ...Label, description: 'The label of the slot.' }

const fieldDifference = (what: string, kind: TSchema, value: TSchema) =>
  closed(`${what}; one that was or is not there is left out.`, { kind, from: value, to: value })

const held = (description: string) =>
  Type.Optional(closed(description, { ...otherContents, placeholder: Type.Optional(placeholder) }))

/** In drafts, a slot stays when its beatmap goes, and is there before one comes. */
const heldBeside: Readonly<Record<string, TSchema>> = {
  filled: held('What was in the slot before, beside a beatmap; left out when the slot was added.'),
  emptied: held('What is in the slot since, beside a beatmap; left out when the slot was removed.'),
}

const ofPools = PoolDifference.anyOf.map((each) => {
  const slot = heldBeside[String((each.properties.kind as { const?: unknown }).const)]
  // All that the schema says stays, its description too.
  return slot === undefined ? each : { ...each, properties: { ...each.properties, slot } }
})

const ofDrafts = [
  fieldDifference('Another number of games or of bans', Type.Enum(['bestOf', 'bans']), games),
  fieldDifference('Another name of the pack', Type.Literal('packName'), packName),
  closed('Other targets; those that were or are not there are left out.', {
    kind: Type.Literal('targets'),
    from: targets,
    to: targets,
  }),
  ...Object.entries<TSchema>(otherFields).map(([field, value]) =>
    fieldDifference(`Another ${field}`, Type.Literal(field), value),
  ),
  ...Object.entries({ ...otherContents, placeholder: Type.Optional(placeholder) }).map(
    ([field, value]) =>
      closed(`A ${field} that came (no \`from\`), went (no \`to\`) or changed.`, {
        kind: Type.Literal(field),
        at: At,
        from: value,
        to: value,
      }),
  ),
  closed('A slot with nothing in it that was added or removed.', {
    kind: Type.Enum(['added', 'removed']),
    at: At,
  }),
]

type InDrafts<D> = D extends { kind: 'filled' | 'emptied' }
  ? D & { slot?: { [F in keyof typeof otherContents]?: Static<(typeof otherContents)[F]> } }
  : D

export type DraftDifference =
  | InDrafts<PoolDifference>
  | FieldDifference<typeof draftFields>
  | FieldDifference<typeof otherContents, { at: typeof Label }>
  | { kind: 'added' | 'removed'; at: string }

/** One difference between two states of a draft: as of packs, and what drafts have in addition. */
export const DraftDifference = Type.Unsafe<DraftDifference>(
  Type.Union([...ofPools, ...ofDrafts], {
    description: 'One difference between two states of a draft.',
    examples: [
      { kind: 'replaced', at: 'NM3', from: 4392947, to: 4392960 },
      { kind: 'placeholder', at: 'TB', to: 'custom map, due Sunday' },
      { kind: 'bestOf', from: 9, to: 11 },
    ],
  }),
)

/** Name and fields; all custom buckets and their order; all slots. */
const MOST_DIFFERENCES =
  1 + Object.keys(draftFields).length + 2 * bounds.MAX_CUSTOM_BUCKETS + 1 + 5 * bounds.MAX_SLOTS

const versionFields = {
  version: integer('Counts the states of the draft from 1.', 1, bounds.MAX_VERSION),
  savedAt: Timestamp,
  savedBy: Type.Optional({
    ...Username,
    description: 'Who saved it; left out when they have no account any more.',
  }),
  name,
  changes: list(
    DraftDifference,
    'What it changed, compared with the version before it.',
    MOST_DIFFERENCES,
  ),
}

export const draftVersionExample = {
  version: 2,
  savedAt: roundExample.updatedAt,
  savedBy: wholeVersionExample.savedBy,
  name: roundExample.name,
  changes: [
    { kind: 'bestOf', from: 9, to: 11 },
    { kind: 'placeholder', at: 'TB', to: 'custom map, due Sunday' },
  ],
}

/** A state of a draft, as a save left it. */
export const DraftVersion = closed(
  about('A state of a draft, as a save left it.', draftVersionExample),
  versionFields,
)
export type DraftVersion = Static<typeof DraftVersion>

/** Response of `GET …/rounds/{round}/history`. */
export const DraftHistoryPage = historyPage(
  DraftVersion,
  'Versions on all pages: the newest 100 are kept.',
  { versions: [draftVersionExample], page: 1, pageCount: 1, total: 1 },
)
export type DraftHistoryPage = Static<typeof DraftHistoryPage>

export const wholeDraftExample = {
  ...draftVersionExample,
  slots: roundExample.slots,
  bestOf: roundExample.bestOf,
  bans: roundExample.bans,
  targets: roundExample.targets,
}

/** A version with all that the draft was. */
export const WholeDraftVersion = closed(
  about('A version with all that the draft was.', wholeDraftExample),
  { ...versionFields, slots, buckets, ...draftFields },
)
export type WholeDraftVersion = Static<typeof WholeDraftVersion>

/** Response of `GET …/rounds/{round}/history/{version}`. */
export const DraftVersionReply = versionReply(WholeDraftVersion, wholeDraftExample)
export type DraftVersionReply = Static<typeof DraftVersionReply>
