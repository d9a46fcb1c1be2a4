import { type Static, type TSchema, Type } from 'typebox'
import { chatProblems, DISCORD_URL_EXAMPLE, DISCORD_URL_PATTERN } from './announcements.ts'
import * as bounds from './bounds.ts'
import examples from './examples.json' with { type: 'json' }
import { rulesets } from './mods.ts'
import {
  about,
  closed,
  httpsLink,
  integer,
  list,
  open,
  orNull,
  pageFields,
  Slug,
  text,
  Timestamp,
} from './primitives.ts'
import { releasedExample, Round } from './rounds.ts'

/** Roles on the staff of a tournament, from the one that may do most (D-61). */
export const staffRoles = ['host', 'pooler', 'tester', 'referee'] as const
export type StaffRole = (typeof staffRoles)[number]

/** `private`: for its staff alone. */
const tournamentVisibilities = ['private', 'public'] as const
export type TournamentVisibility = (typeof tournamentVisibilities)[number]

const rank = (which: string) =>
  Type.Optional(integer(`The ${which} rank that may take part.`, 1, bounds.MAX_RANK))

const tournamentFields = {
  name: text('The name of the tournament.', 1, bounds.NAME_LENGTH),
  shortName: Type.Optional(
    text('An abbreviation, for names of packs.', 1, bounds.SHORT_NAME_LENGTH),
  ),
  description: Type.Optional(
    text('What it is; left out if there is nothing.', 0, bounds.DESCRIPTION_LENGTH),
  ),
  ruleset: Type.Enum(rulesets, { description: 'The ruleset that is played.' }),
  year: Type.Optional(integer('The year it is played in.', bounds.FIRST_YEAR, bounds.LAST_YEAR)),
  rankMin: rank('highest'),
  rankMax: rank('lowest'),
  link: Type.Optional(httpsLink('Its own page or forum post.', bounds.LINK_LENGTH)),
  visibility: Type.Enum(tournamentVisibilities, {
    description:
      '`private`: for its staff alone. `public`: everybody sees it and what is released.',
  }),
  announceRounds: Type.Boolean({
    description: 'Everybody also sees the names and the release times of rounds to come.',
  }),
}

/** What hosts may set of a tournament. */
export type TournamentField = keyof typeof tournamentFields

export const tournamentInputExample = {
  name: 'Harbour Lights Cup',
  shortName: 'HLC',
  ruleset: 'base',
  year: 2026,
  rankMin: 1000,
  rankMax: 9999,
}

export const tournamentExample = {
  slug: 'dG91cm5hbW',
  ...tournamentInputExample,
  visibility: 'public',
  announceRounds: true,
  createdAt: examples.pack.createdAt,
  updatedAt: examples.pack.updatedAt,
}

const summaryFields = {
  slug: { ...Slug, description: "The tournament's identifier in paths." },
  ...tournamentFields,
  link: Type.Optional(
    text(
      'Its own page or forum post. One that was saved long ago may have user information: show that as text.',
      9,
      bounds.LINK_LENGTH,
      '^https://[!-~]+$',
    ),
  ),
  from: Type.Optional({
    ...Slug,
    description: 'For its staff: the slug of the tournament that its rounds were copied from.',
  }),
  hiddenAt: Type.Optional({ ...Timestamp, description: 'For its staff: when a moderator hid it.' }),
  role: Type.Optional(
    Type.Enum(staffRoles, { description: 'Your role; left out if you are not on the staff.' }),
  ),
  discord: Type.Optional(
    Type.Boolean({
      description:
        'For hosts, true when releases are announced in a channel of Discord; otherwise left out. The address is never returned.',
    }),
  ),
  discordOff: Type.Optional(
    Type.Enum(chatProblems, {
      description:
        'For hosts: nothing is announced there any more. `gone`: Discord says that there is no such webhook. `failing`: for three days, nothing could be sent. Set the address again, or send a trial, to go on.',
    }),
  ),
  createdAt: Timestamp,
  updatedAt: {
    ...Timestamp,
    description: 'When it last changed; for others than the staff, when what they see did.',
  },
}

/** A tournament in a list. */
export const TournamentSummary = closed(about('A tournament.', tournamentExample), summaryFields)
export type TournamentSummary = Static<typeof TournamentSummary>

/** A round that is announced before its release. */
export const UpcomingRound = closed(about('A round to come.', { name: 'Grand Finals' }), {
  name: Round.properties.name,
  releaseAt: Type.Optional(Timestamp),
})

/** A tournament with its rounds (D-60). */
export const Tournament = closed(
  about('A tournament with its rounds.', { ...tournamentExample, rounds: [releasedExample] }),
  {
    ...summaryFields,
    rounds: list(
      Round,
      'In order: for the staff all of them, for others, and of rounds outside their limit, those that are released.',
      bounds.MAX_ROUNDS,
    ),
    limitedTo: Type.Optional(
      list(
        Round.properties.id,
        'If you are limited to rounds: the ids of those above that are yours; of the others it has what is released (D-81).',
        bounds.MAX_ROUNDS,
      ),
    ),
    upcoming: Type.Optional(
      list(
        UpcomingRound,
        'For others than the staff, if the host announces rounds: those that are not released, in order.',
        bounds.MAX_ROUNDS,
      ),
    ),
  },
)
export type Tournament = Static<typeof Tournament>

/** Response of the endpoints that return one tournament. */
export const TournamentReply = closed(
  about('One tournament.', { tournament: { ...tournamentExample, rounds: [releasedExample] } }),
  { tournament: Tournament },
)
export type TournamentReply = Static<typeof TournamentReply>

/** Query of `GET /tournaments/{slug}` and `GET …/rounds/{round}`. */
export const TournamentView = open('As whom to read.', {
  as: Type.Optional(
    Type.Literal('public', {
      description: 'Read as everybody else does who is not on the staff. Left out: as you are.',
    }),
  ),
})
export type TournamentView = Static<typeof TournamentView>

/** One page of tournaments. */
export const TournamentPage = closed(
  about('One page of tournaments, last updated first.', {
    tournaments: [tournamentExample],
    page: 1,
    pageCount: 1,
    total: 1,
  }),
  {
    tournaments: list(TournamentSummary, 'Empty past the last page.', bounds.PAGE_SIZE),
    ...pageFields('Tournaments on all pages.'),
  },
)
export type TournamentPage = Static<typeof TournamentPage>

/** Which public tournaments to list; all parameters may be left out. */
export const TournamentSearch = open('Which public tournaments to list.', {
  search: Type.Optional(
    text('A part of the name or of the short name, in any case.', 0, bounds.SEARCH_LENGTH),
  ),
  ruleset: Type.Optional(Type.Enum(rulesets, { description: 'The ruleset that is played.' })),
  rank: Type.Optional(
    Type.String({
      ...text('A rank that may take part.', 1, 8, bounds.RANK_PATTERN),
      examples: ['4500'],
    }),
  ),
  year: Type.Optional(
    Type.String({
      ...text('The year it is played in.', 4, 4, bounds.YEAR_PATTERN),
      examples: ['2026'],
    }),
  ),
})
export type TournamentSearch = Static<typeof TournamentSearch>

/** An optional field. Generators of clients require one that has a `default`, so its description says what it is. */
const unlessSent = <S extends TSchema & { description?: string }>(schema: S, value: string) =>
  Type.Optional({ ...schema, description: `${schema.description} Left out: \`${value}\`.` })

/** Body of `POST /tournaments`. */
export const TournamentInput = open(
  about(
    'A new tournament. Other fields are ignored.',
    { name: 'Harbour Lights Cup', shortName: 'HLC' },
    { name: 'Harbour Lights Cup', year: 2027, from: 'dG91cm5hbW' },
  ),
  {
    ...tournamentFields,
    from: Type.Optional({
      ...Slug,
      description:
        'The slug of a tournament to copy the rounds of: those that you may read the drafts of, and what is released of the others. Unless `ruleset` is sent, it is copied, too.',
    }),
    ruleset: unlessSent(tournamentFields.ruleset, 'base'),
    visibility: unlessSent(tournamentFields.visibility, 'private'),
    announceRounds: unlessSent(tournamentFields.announceRounds, 'false'),
  },
)
export type TournamentInput = Static<typeof TournamentInput>

const { name, ruleset, visibility, announceRounds, ...removable } = tournamentFields

const patchFields = {
  name: Type.Optional(name),
  shortName: Type.Optional(orNull(removable.shortName)),
  description: Type.Optional(orNull(removable.description)),
  ruleset: Type.Optional(ruleset),
  year: Type.Optional(orNull(removable.year)),
  rankMin: Type.Optional(orNull(removable.rankMin)),
  rankMax: Type.Optional(orNull(removable.rankMax)),
  link: Type.Optional(orNull(removable.link)),
  visibility: Type.Optional(visibility),
  announceRounds: Type.Optional(announceRounds),
} satisfies Readonly<Record<TournamentField, TSchema>>

/** Body of `PATCH /tournaments/{slug}`: a JSON merge patch (RFC 7396); null removes what is optional. */
export const TournamentPatch = open(
  about('Fields to change; null removes one that may be left out.', {
    visibility: 'public',
    link: null,
  }),
  {
    ...patchFields,
    discordUrl: Type.Optional(
      orNull(
        Type.String({
          ...text(
            'The address of a webhook of Discord, where releases, changes and withdrawals are announced (D-97). It is a secret: no answer returns it.',
            1,
            bounds.DISCORD_URL_LENGTH,
            DISCORD_URL_PATTERN,
          ),
          examples: [DISCORD_URL_EXAMPLE],
        }),
      ),
    ),
  },
)
export type TournamentPatch = Static<typeof TournamentPatch>
