import { type TSchema, Type } from 'typebox'
import { User, UserReply } from '../accounts.ts'
import { MAX_SLOTS } from '../bounds.ts'
import { ChangePage, Cursor, PackChange } from '../changes.ts'
import * as checks from '../checks.ts'
import * as discussion from '../discussion.ts'
import * as drafts from '../draft-history.ts'
import type { ApiErrorCode } from '../error-codes.ts'
import { type ReasonsOf, reasonsOf } from '../error-reasons.ts'
import { codesOf } from '../errors.ts'
import {
  Difference,
  HistoryPage,
  HistorySwitch,
  PackVersion,
  VersionReply,
  WholeVersion,
} from '../history.ts'
import { MagnetExport, Pack, PackInput, PackPage, PackReply, Stats } from '../packs.ts'
import {
  Bucket,
  BucketInput,
  BucketMods,
  BuiltinBucket,
  CustomBucket,
  CustomBucketInput,
  ForcedMods,
  FreeMods,
  Slot,
  SlotInput,
} from '../pools.ts'
import { about, closed, Code, list, Slug, text, Timestamp } from '../primitives.ts'
import * as deletedRounds from '../deleted-rounds.ts'
import * as rounds from '../rounds.ts'
import type { ServiceName } from '../services.ts'
import * as staff from '../staff.ts'
import * as tournamentFeed from '../tournament-feed.ts'
import * as tournaments from '../tournaments.ts'
import * as usage from '../usage.ts'
import { refinements } from './refinements.ts'
import { type Json, type JsonObject, OpenapiReply, refer, type Reference } from './types.ts'

const badIndex = { code: 'bad_request', message: 'slots[3].index must be from 1 to 99' }
const invalidField: ReasonsOf<'bad_request'> = 'invalid_field'

const exampleOf = (service: ServiceName) => ({
  error: { ...badIndex, ...(service === 'pools' && { reason: invalidField }) },
})

/** Every answer that is not a success (spec 2.9). */
const errorBody = (service: ServiceName) =>
  closed(about('Why a request was refused.', exampleOf(service)), {
    error: Type.Object(
      {
        code: Type.Enum(Object.keys(codesOf[service]), { description: 'Stable; check this.' }),
        message: text(
          'For people; may change. Names up to ten problems of a body, separated by `; `.',
          1,
          1024,
        ),
        ...(service === 'pools' && {
          reason: Type.Enum(
            Object.keys(codesOf.pools).flatMap((code) => reasonsOf(code as ApiErrorCode)),
            {
              description:
                'The cause; the code itself where that has one. Stable; more may be added.',
            },
          ),
        }),
      },
      { additionalProperties: false },
    ),
    ...(service === 'pools' && {
      slots: Type.Optional(
        list(
          rounds.RoundSlot,
          'Of a refused change of slots: those that are no longer as in `from`, as they are now.',
          MAX_SLOTS,
        ),
      ),
    }),
  })

/** The resources that the documents name. */
const named: Readonly<Record<string, TSchema>> = {
  UserReply,
  User,
  PackReply,
  PackPage,
  Pack,
  PackInput,
  HistoryPage,
  PackVersion,
  Difference,
  VersionReply,
  WholeVersion,
  HistorySwitch,
  ChangePage,
  PackChange,
  Cursor,
  Slug,
  Slot,
  SlotInput,
  Bucket,
  BucketInput,
  BuiltinBucket,
  CustomBucket,
  CustomBucketInput,
  BucketMods,
  ForcedMods,
  FreeMods,
  Code,
  MagnetExport,
  Stats,
  Timestamp,
  ErrorReply: errorBody('packs'),
  OpenapiReply,
  TournamentReply: tournaments.TournamentReply,
  TournamentPage: tournaments.TournamentPage,
  Tournament: tournaments.Tournament,
  TournamentSummary: tournaments.TournamentSummary,
  UpcomingRound: tournaments.UpcomingRound,
  TournamentInput: tournaments.TournamentInput,
  TournamentPatch: tournaments.TournamentPatch,
  RoundReply: rounds.RoundReply,
  Round: rounds.Round,
  RoundSlot: rounds.RoundSlot,
  RoundTargets: rounds.RoundTargets,
  RoundInput: rounds.RoundInput,
  RoundSlotInput: rounds.RoundSlotInput,
  RoundTargetsInput: rounds.RoundTargetsInput,
  SlotDetailsInput: rounds.SlotDetailsInput,
  SlotFillingInput: rounds.FilledContent,
  RoundsInput: rounds.RoundsInput,
  RoundEntry: rounds.RoundEntry,
  SlotChanges: rounds.SlotChanges,
  SlotChange: rounds.SlotChange,
  SlotContent: rounds.SlotContent,
  StoredSlotContent: rounds.StoredContent,
  StoredSlotFilling: rounds.StoredFilling,
  StoredSlotDetails: rounds.StoredDetails,
  SlotDetails: rounds.SlotDetails,
  ReleaseInput: rounds.ReleaseInput,
  StaffReply: staff.StaffReply,
  StaffMember: staff.StaffMember,
  MemberReply: staff.MemberReply,
  RoleInput: staff.RoleInput,
  TournamentChangePage: tournamentFeed.TournamentChangePage,
  TournamentChange: tournamentFeed.TournamentChange,
  DeletedRoundsReply: deletedRounds.DeletedRoundsReply,
  DeletedRound: deletedRounds.DeletedRound,
  RestoredRoundReply: deletedRounds.RestoredRoundReply,
  DraftHistoryPage: drafts.DraftHistoryPage,
  DraftVersion: drafts.DraftVersion,
  DraftDifference: drafts.DraftDifference,
  DraftVersionReply: drafts.DraftVersionReply,
  WholeDraftVersion: drafts.WholeDraftVersion,
  CandidateReply: discussion.CandidateReply,
  CandidatePage: discussion.CandidatePage,
  Candidate: discussion.Candidate,
  CandidateVote: discussion.CandidateVote,
  Speaker: discussion.Speaker,
  CandidateInput: discussion.CandidateInput,
  CandidatesInput: discussion.CandidatesInput,
  ProposalInput: discussion.ProposalInput,
  CandidatesReply: discussion.CandidatesReply,
  ProposalReply: discussion.ProposalReply,
  CandidateMove: discussion.CandidateMove,
  VoteInput: discussion.VoteInput,
  RemarkReply: discussion.RemarkReply,
  RemarkPage: discussion.RemarkPage,
  Remark: discussion.Remark,
  RemarkInput: discussion.RemarkInput,
  RemarkPatch: discussion.RemarkPatch,
  ChecksReply: checks.ChecksReply,
  Check: checks.Check,
  CheckCounts: checks.CheckCounts,
  CheckedRound: checks.CheckedRound,
  CheckedPlace: checks.CheckedPlace,
  UsagePage: usage.UsagePage,
  Use: usage.Use,
  UsagesPage: usage.UsagesPage,
  BeatmapUse: usage.BeatmapUse,
  UseTournament: usage.UseTournament,
  UseTotal: usage.UseTotal,
}

/** A schema is known by its text, because an optional one is a copy of the one that was named. */
const nameByText = new Map(
  Object.entries(named).map(([name, schema]) => [JSON.stringify(schema), name]),
)

export function referTo(schema: TSchema): Reference {
  const name = nameOf(schema)
  if (name === undefined) throw new Error('a schema of an endpoint has no name')
  return refer('schemas', name)
}

const nameOf = (schema: object): string | undefined => nameByText.get(JSON.stringify(schema))

/** These hold data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples'])

type Node = {
  readonly type?: string | readonly string[]
  readonly maximum?: number
  readonly enum?: readonly string[]
  readonly anyOf?: readonly {
    readonly properties?: { readonly kind?: { readonly const: string } }
  }[]
}

/** A part of a schema, with references in place of named schemas. */
function write(value: Json): Json {
  const name = typeof value === 'object' && value !== null ? nameOf(value) : undefined
  return name === undefined ? writeIn(value) : refer('schemas', name)
}

function writeIn(value: Json): Json {
  if (Array.isArray(value)) return value.map(write)
  if (typeof value !== 'object' || value === null) return value
  const node = value as Node
  const discriminator = discriminatorOf(node)
  return {
    ...(node.enum && !node.type && { type: 'string' }),
    ...mapValues(narrowed(value as JsonObject), (inner, key) =>
      dataKeywords.has(key) ? inner : write(inner),
    ),
    // A reader needs more than 32 bits for what some bounds allow.
    ...([node.type].flat().includes('integer') && {
      format: Number(node.maximum) > 2 ** 31 - 1 ? 'int64' : 'int32',
    }),
    ...(discriminator && { discriminator }),
  }
}

/** A few numbers define all values; some generators do not accept bounds next to an enumeration. */
function narrowed(schema: JsonObject): JsonObject {
  if (schema['enum'] === undefined) return schema
  const { minimum: _, maximum: __, ...rest } = schema
  return rest
}

/** For a choice between named shapes of which each says its `kind`: which kind is which. */
function discriminatorOf({ anyOf = [] }: Node): JsonObject | null {
  const mapping: Record<string, string> = {}
  for (const shape of anyOf) {
    const [kind, name] = [shape.properties?.kind?.const, nameOf(shape)]
    if (kind === undefined || name === undefined) return null
    mapping[kind] = refer('schemas', name).$ref
  }
  return anyOf.length === 0 ? null : { propertyName: 'kind', mapping }
}

function mapValues(object: JsonObject, map: (value: Json, key: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]))
}

/** Each named resource, with references in place of the other named ones. */
const schemas = mapValues(named as unknown as JsonObject, (schema, name) => {
  const written = writeIn(schema) as JsonObject
  const refinement = refinements[name]
  if (refinement === undefined) return written
  const { fields = {}, ...more } = refinement
  const refined = mapValues(written['properties'] as JsonObject, (field, key) => ({
    ...(field as JsonObject),
    ...fields[key],
  }))
  return { ...written, properties: refined, ...more }
})

/** What each document names: a refusal differs between the services. */
export const schemasOf: Readonly<Record<ServiceName, JsonObject>> = {
  packs: schemas,
  pools: { ...schemas, ErrorReply: writeIn(errorBody('pools') as unknown as Json) },
}

export const errorReply = refer('schemas', 'ErrorReply')
