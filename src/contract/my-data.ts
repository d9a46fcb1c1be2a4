import { type Static, Type } from 'typebox'
import { SessionPlace, User } from './accounts.ts'
import { Candidate, Remark, VoteInput } from './discussion.ts'
import { PackVersion } from './history.ts'
import { KeyFacts } from './keys.ts'
import { LogEntry } from './moderation.ts'
import { Pack, packFields } from './packs.ts'
import { closed, Slug, Timestamp } from './primitives.ts'
import { Round } from './rounds.ts'
import { TournamentSummary } from './tournaments.ts'

const key = Type.Union([KeyFacts, Type.Null()])

const { version, savedAt, packKey } = PackVersion.properties

/** The round of a candidate, a vote or a remark. */
const place = { slug: Slug, round: Round.properties.id }
const { mod, index, beatmapId } = Candidate.properties
const votedOn = { mod, index, beatmapId }
const strict = { additionalProperties: false } as const

/** Response of `GET /session/my-data`, for the owner to download. */
export const MyData = closed('Everything that is kept about an account.', {
  account: Type.Object(
    {
      ...User.properties,
      createdAt: Timestamp,
      isModerator: Type.Boolean(),
      language: Type.Optional(Type.String({ description: 'Chosen for the pages.' })),
    },
    { additionalProperties: false },
  ),
  keys: Type.Object({ packs: key, pools: key }, { additionalProperties: false }),
  packs: Type.Array(Pack, { description: 'All of them, most recently updated first.' }),
  versions: Type.Array(
    closed('What a save has made of a pack; the pack key holds its name and pool.', {
      slug: Slug,
      version,
      savedAt,
      ...packFields,
      packKey,
    }),
    { description: 'All versions of these packs that are kept, pack by pack, newest first.' },
  ),
  sessions: Type.Array(SessionPlace, {
    description: 'Where the account is signed in, newest first.',
  }),
  moderation: Type.Array(
    Type.Omit(LogEntry, ['moderator', 'subject'], { additionalProperties: false }),
    {
      description: 'What moderators did about these packs, newest first.',
    },
  ),
  tournaments: Type.Array(Type.Pick(TournamentSummary, ['slug', 'name', 'role'], strict), {
    description: 'Those that the account is on the staff of, last updated first.',
  }),
  candidates: Type.Array(
    closed('A beatmap that the account has proposed.', {
      ...place,
      ...Type.Omit(Candidate, ['id', 'proposedBy', 'score', 'votes']).properties,
    }),
    { description: 'What it has proposed in tournaments, oldest first.' },
  ),
  votes: Type.Array(closed('A vote.', { ...place, ...votedOn, vote: VoteInput.properties.vote }), {
    description: 'Its votes on candidates.',
  }),
  remarks: Type.Array(
    closed('A remark.', {
      ...place,
      ...Type.Omit(Remark, ['id', 'writtenBy', 'settledBy']).properties,
    }),
    { description: 'Its remarks on slots and rounds, oldest first.' },
  ),
})
export type MyData = Static<typeof MyData>
