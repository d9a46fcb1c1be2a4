import { type Static, Type } from 'typebox'
import * as bounds from './bounds.ts'
import { Slot } from './pools.ts'
import {
  about,
  closed,
  list,
  open,
  pageFields,
  Slug,
  text,
  Timestamp,
  Whole,
} from './primitives.ts'

/** `75,129891`: 1 to 50 ids. */
const USAGE_IDS_PATTERN = '^[1-9][0-9]{0,9}(?:,[1-9][0-9]{0,9}){0,49}$'

const { mod, index, beatmapId } = Slot.properties

/** Query of `GET /beatmaps/usage`. The service counts an id that is there several times once. */
export const UsageQuery = open('Of which beatmaps.', {
  ids: Type.String({
    ...text(
      'Ids of beatmaps, separated by commas.',
      1,
      bounds.MAX_USAGE_IDS * 11 - 1,
      USAGE_IDS_PATTERN,
    ),
    examples: ['75,129891'],
  }),
})
export type UsageQuery = Static<typeof UsageQuery>

export const useExample = {
  slug: 'q7Jm2_xT0a',
  packName: 'HLC Quarterfinals',
  ownerName: 'Tournament pools',
  mod: 'NM',
  index: 2,
  updatedAt: '2026-10-03T18:30:00.000Z',
  tournament: { slug: 'b3JkZXIgbX', name: 'Harbour Lights Cup', year: 2026 },
  round: 'Quarterfinals',
}

/** The tournament of a use. */
export const UseTournament = closed(
  about('The public tournament that released the pack.', useExample.tournament),
  {
    slug: Slug,
    name: text('Its name.', 1, bounds.NAME_LENGTH),
    year: Type.Optional(
      Type.Integer({
        description: 'The year it is played in.',
        minimum: bounds.FIRST_YEAR,
        maximum: bounds.LAST_YEAR,
      }),
    ),
  },
)

export type UseTournament = Static<typeof UseTournament>

/** How often a beatmap is pooled. */
export const UseTotal = closed(about('The uses of one beatmap.', { beatmapId: 129891, total: 1 }), {
  beatmapId,
  total: Type.Integer({ ...Whole, description: 'On all pages.' }),
})

const useFields = {
  slug: Slug,
  packName: text("The pack's name.", 1, bounds.NAME_LENGTH),
  ownerName: text(
    "The owner's game username; a fixed label for tournament pools; `Unknown player` when no name is known.",
    1,
    64,
  ),
  mod,
  index,
  updatedAt: { ...Timestamp, description: 'When the pack was last saved.' },
  tournament: Type.Optional(UseTournament),
  round: Type.Optional(text("The round's name.", 1, bounds.NAME_LENGTH)),
}

/** A slot of a public pack that holds a beatmap (D-67). */
export const Use = closed(about('A slot of a public pack.', useExample), useFields)
export type Use = Static<typeof Use>

/** Response of `GET /beatmaps/{id}/usage`. */
export const UsagePage = closed(
  about('Where a beatmap was pooled, newest first.', {
    uses: [useExample],
    page: 1,
    pageCount: 1,
    total: 1,
  }),
  {
    uses: list(Use, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields('Uses on all pages.'),
  },
)
export type UsagePage = Static<typeof UsagePage>

/** A slot of a public pack, of one of several beatmaps. */
export const BeatmapUse = closed(
  about('A slot of a public pack.', { beatmapId: 129891, ...useExample }),
  { beatmapId, ...useFields },
)
export type BeatmapUse = Static<typeof BeatmapUse>

/** Response of `GET /beatmaps/usage?ids=`. */
export const UsagesPage = closed(
  about('Where beatmaps were pooled, newest first.', {
    uses: [{ beatmapId: 129891, ...useExample }],
    totals: [{ beatmapId: 129891, total: 1 }],
    page: 1,
    pageCount: 1,
    total: 1,
  }),
  {
    uses: list(BeatmapUse, 'Empty past the last page.', bounds.PAGE_SIZE),
    totals: list(UseTotal, 'Of each beatmap, in the order asked.', bounds.MAX_USAGE_IDS),
    ...pageFields('Uses of all these beatmaps on all pages.'),
  },
)
export type UsagesPage = Static<typeof UsagesPage>

/** Query of `GET /session/beatmaps/usage`: as `UsageQuery`, of as many beatmaps as a pack has slots. */
export const UsageLook = open('Of which beatmaps.', {
  ids: text('Ids of beatmaps, separated by commas.', 1, bounds.MAX_SLOTS * 11 - 1),
  tournament: Type.Optional({
    ...Slug,
    description: 'Leaves out the packs and drafts of this tournament, if the viewer may read it.',
  }),
})
export type UsageLook = Static<typeof UsageLook>

/** A slot of a draft that holds a beatmap: for the staff of its tournament. */
export const DraftUse = closed('A slot of a draft.', {
  tournament: closed('The tournament.', { slug: Slug, name: useFields.packName }),
  round: text("The round's name.", 1, bounds.NAME_LENGTH),
  mod,
  index,
})
export type DraftUse = Static<typeof DraftUse>

/** Drafts that a note names at most. */
export const MAX_DRAFT_USES = 8

/** How often a beatmap was pooled, and where last. */
export const UsageNote = closed('Where a beatmap was pooled, in short.', {
  beatmapId,
  total: Type.Integer({ ...Whole, description: 'Slots of public packs.' }),
  last: Type.Optional(Use),
  drafts: Type.Optional(
    list(
      DraftUse,
      'Of drafts that the viewer may read; left out if there are none.',
      MAX_DRAFT_USES,
    ),
  ),
})
export type UsageNote = Static<typeof UsageNote>

/** Response of `GET /session/beatmaps/usage`. */
export const UsageLookReply = closed('Where beatmaps were pooled, in short.', {
  beatmaps: list(UsageNote, 'In the order asked.', bounds.MAX_SLOTS),
})
export type UsageLookReply = Static<typeof UsageLookReply>
