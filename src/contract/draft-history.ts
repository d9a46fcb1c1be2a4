import { type Static, type TProperties, type TSchema, Type } from 'typebox'
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
const placeholder = text('What was, or is, planned for the slot.', 1, bounds.PLACEHOLDER_LENGTH)
const games = Type.Optional(integer('How many.', 0, bounds.MAX_BEST_OF))
const At = { ...Label, description: 'The label of the slot.' }

const fieldDifference = (what: string, kind: TSchema, value: TSchema) =>
  closed(`${what}; one that was or is not there is left out.`, { kind, from: value, to: value })

const contents = { ...slotFields, placeholder: Type.Optional(placeholder) }
const { beatmapId: _____, ...otherContents } = contents

const contentOf = <T extends TProperties>(description: string, fields: T) =>
  Type.Optional(closed(description, fields))

/** One difference has the whole content of a slot before and after, in these fields. */
const sides = {
  before: contentOf('All that the slot held before; left out when it was not there.', contents),
  after: contentOf('All that the slot holds since; left out when it is gone.', contents),
}

/** In drafts, a slot stays when its beatmap goes, and is there before one comes. */
const otherContent: Readonly<Record<string, TSchema>> = {
  filled: contentOf(
    'What was in the slot before, beside a beatmap; left out when the slot was added.',
    otherContents,
  ),
  emptied: contentOf(
    'What is in the slot since, beside a beatmap; left out when the slot was removed.',
    otherContents,
  ),
}

/** What a draft says of changes as of packs. */
const ownWords: Readonly<Record<string, string>> = {
  filled: 'A slot that has a beatmap, and had none.',
  emptied: 'A slot that had a beatmap, and has none.',
  replaced: 'A slot that has another beatmap.',
  moved:
    'A beatmap, with all that its slot holds, in another place. `at` is where it is now, as `to` is. The slot `from` is gone, unless it has a difference of its own.',
}

const ofPools = PoolDifference.anyOf.map((each) => {
  const kind = String((each.properties.kind as { const?: unknown }).const)
  const description = ownWords[kind]
  if (description === undefined) return each
  const slot = otherContent[kind]
  const properties = { ...each.properties, ...(slot && { slot }), ...sides }
  // All else that the schema says stays.
  return { ...each, description, properties }
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
  ...Object.entries<TSchema>(otherContents).map(([field, value]) =>
    closed(
      `A ${field} that came (no \`from\`), went (no \`to\`) or changed; the slot has the beatmap that it had, or none.`,
      { kind: Type.Literal(field), at: At, from: value, to: value, ...sides },
    ),
  ),
  closed('A slot with nothing in it that was added or removed.', {
    kind: Type.Enum(['added', 'removed']),
    at: At,
    ...sides,
  }),
]

type Contents<F extends TProperties> = { [K in keyof F]?: Static<F[K]> }

type OfPools<K> = Extract<PoolDifference, { kind: K }>

/** What has changed of one slot. */
export type SlotDifference = (
  | (OfPools<'filled' | 'emptied'> & { slot?: Contents<typeof otherContents> })
  | OfPools<'replaced' | 'moved'>
  | FieldDifference<typeof otherContents, { at: typeof Label }>
  | { kind: 'added' | 'removed'; at: string }
) & { before?: Contents<typeof contents>; after?: Contents<typeof contents> }

export type DraftDifference =
  | OfPools<'name' | 'bucket'>
  | FieldDifference<typeof draftFields>
  | SlotDifference

const planned = {
  kind: 'placeholder',
  at: 'TB',
  to: 'custom map, due Sunday',
  before: {},
  after: { placeholder: 'custom map, due Sunday' },
}

/** One difference between two states of a draft: as of packs, and what drafts have in addition. */
export const DraftDifference = Type.Unsafe<DraftDifference>(
  Type.Union([...ofPools, ...ofDrafts], {
    description: 'One difference between two states of a draft.',
    examples: [
      {
        kind: 'replaced',
        at: 'NM3',
        from: 4392947,
        to: 4392960,
        before: { beatmapId: 4392947 },
        after: { beatmapId: 4392960 },
      },
      planned,
      { kind: 'bestOf', from: 9, to: 11 },
    ],
  }),
)

/** Name and fields; all custom buckets and their order; all slots. */
const MOST_DIFFERENCES =
  1 + Object.keys(draftFields).length + 2 * bounds.MAX_CUSTOM_BUCKETS + 1 + 2 * bounds.MAX_SLOTS

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
  changes: [{ kind: 'bestOf', from: 9, to: 11 }, planned],
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
