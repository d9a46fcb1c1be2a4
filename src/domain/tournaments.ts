import { DESCRIPTION_LENGTH, NAME_LENGTH, SHORT_NAME_LENGTH } from '../contract/bounds.ts'
import type { ChatProblem } from '../contract/announcements.ts'
import type { Bucket } from '../contract/pools.ts'
import type { RoundSlot } from '../contract/rounds.ts'
import type {
  StaffRole,
  Tournament,
  TournamentField,
  TournamentInput,
  TournamentPatch,
} from '../contract/tournaments.ts'
import type { DraftFields, ReleasedFields, RoundLinks } from '../pool/round-fields.ts'
import { type InputMessage, type InputProblem, wrong } from '../pool/input-words.ts'
import { invalidInput } from './invalid-input.ts'
import { findInLink, findInName, findInText } from '../pool/text.ts'
import { ChatAddress } from './chat-address.ts'
import type { NewPack, PackState, SavedPack } from './packs.ts'
import { refuseSlursIn } from './slurs/slurs.ts'

/** Somebody on the staff. */
export type SavedMember = {
  readonly accountId: string
  /** The player's id on the platform. */
  readonly gameId: number
  /** The current one; null when none is known. */
  readonly username: string | null
  readonly role: StaffRole
  /** The ids of the rounds that they are limited to, some of which may be gone; null for all (D-81). */
  readonly rounds: readonly string[] | null
  /** ms since the epoch. */
  readonly since: number
  /** When what they see of the tournament last changed, if they are limited to rounds; null otherwise. */
  readonly seenAt: number | null
}

/** What of a round is drafted, and becomes public with a release. */
export type RoundDraft = DraftFields & {
  readonly name: string
  /** In the order they were sent; each has a beatmap, a placeholder, or neither. */
  readonly slots: readonly RoundSlot[]
  /** The whole table; null when it is the default one. */
  readonly buckets: readonly Bucket[] | null
}

/** A round as people set it: its draft, and its links, which are no part of that (D-85). */
export type RoundContent = RoundDraft & RoundLinks

/** What was released of a round last. Its beatmaps and buckets are the pack's. */
export type ReleasedRound = ReleasedFields & {
  readonly name: string
  readonly packSlug: string
  /** The time that it was scheduled for, ms since the epoch; null when it was released at once. */
  readonly scheduledFor: number | null
  /** When the pack was made or last replaced, ms since the epoch. */
  readonly at: number
  /** All slots, of which the pack holds those with a beatmap; null when they say no more than the pack (D-78). */
  readonly slots: readonly RoundSlot[] | null
  /** null when the pack was removed otherwise; it may be hidden. */
  readonly pack: SavedPack | null
}

/** A release that was withdrawn. */
export type WithdrawnRelease = {
  /** Of the round, as everybody knew it. */
  readonly name: string
  /** The next release has it, too (D-63). */
  readonly packSlug: string
  /** When it was withdrawn, ms since the epoch. */
  readonly at: number
  /** Whether everybody saw the round until then: what was never shown stays secret (D-60). */
  readonly wasShown: boolean
}

/** How a moderator has hidden a pack. */
export type HiddenPack = {
  /** ms since the epoch. */
  readonly at: number
  /** null when none was given. */
  readonly reason: string | null
}

export type SavedRound = RoundContent & {
  readonly id: string
  /** When it will be released, ms since the epoch; null when nothing is scheduled. */
  readonly releaseAt: number | null
  /** Whether the scheduled release takes slots without a beatmap as they are planned (D-78). */
  readonly releaseIncomplete: boolean
  /** Its last release, which was withdrawn. null: none, or it has a pack. */
  readonly withdrawn: WithdrawnRelease | null
  /** null when it has no pack. */
  readonly released: ReleasedRound | null
  /** How its last pack was hidden, which is gone: the next one is hidden, too (D-76). null: not, or it has a pack. */
  readonly hiddenPack: HiddenPack | null
  /** The number of this state of the draft in its history, from 1. */
  readonly version: number
  /** ms since the epoch, as the next. */
  readonly createdAt: number
  /** Always increases when anything above changes. */
  readonly updatedAt: number
}

/** A round that was deleted, and can be restored (D-82). */
export type DeletedRound = {
  /** Without a schedule and a pack. */
  readonly round: SavedRound
  /** ms since the epoch. */
  readonly deletedAt: number
  /** null when no account did, or when it has been removed. */
  readonly deletedBy: { readonly username: string | null } | null
}

/** Where releases are announced. */
export type DiscordChannel = {
  readonly address: ChatAddress
  /** Why nothing is sent there any more; null: it is (D-99). */
  readonly off: ChatProblem | null
}

type Facts = Required<Pick<Tournament, TournamentField>>
type Optional = {
  [F in TournamentField]: object extends Pick<Tournament, F> ? F : never
}[TournamentField]

/** What hosts set of a tournament; null: left out. */
export type TournamentFacts = {
  readonly [F in TournamentField]: F extends Optional ? Facts[F] | null : Facts[F]
} & {
  /** null: nothing is announced. */
  readonly discord: DiscordChannel | null
}

/** What changes over a tournament's life. */
export type TournamentContent = TournamentFacts & {
  /** When a moderator hid it, ms since the epoch; null when none did. */
  readonly hiddenAt: number | null
  readonly hiddenReason: string | null
  /** In order. */
  readonly rounds: readonly SavedRound[]
  /** By role, then by `since`. */
  readonly staff: readonly SavedMember[]
  /** ms since the epoch; always increases when anything above changes. */
  readonly updatedAt: number
  /** When what strangers see last changed, ms since the epoch: it gives away no draft (D-60). */
  readonly publicAt: number
}

/** A tournament as the store holds it. Never changed in place: stores may return the same object again. */
export type SavedTournament = TournamentContent & {
  readonly slug: string
  /** The slug of the tournament that its rounds were copied from, which may be gone; null for none. */
  readonly copiedFrom: string | null
  readonly createdAt: number
}

/** What becomes of the pack of a round, in the transaction that changes the tournament. */
export type PackChange =
  | { readonly kind: 'create'; readonly pack: NewPack }
  | { readonly kind: 'replace'; readonly slug: string; readonly state: PackState }
  | { readonly kind: 'remove'; readonly slug: string }

/** What a change makes of a tournament; `content` null deletes it. */
export type TournamentChange = {
  readonly content: TournamentContent | null
  readonly packs: readonly PackChange[]
}

const newFacts: TournamentFacts = {
  name: '',
  shortName: null,
  description: null,
  ruleset: 'base',
  year: null,
  rankMin: null,
  rankMax: null,
  link: null,
  visibility: 'private',
  announceRounds: false,
  discord: null,
}

/** The fields that hosts set, in the order of answers. */
export const factNames = Object.keys(newFacts).filter(
  (field) => field !== 'discord',
) as readonly TournamentField[]

/** A new tournament as it was sent, completed (D-19). Throws `bad_request` (D-24, D-47). */
export function factsOf(input: TournamentInput): TournamentFacts {
  // The address of a channel is set later: what else the body has is ignored, whatever it is.
  return patchedFacts(newFacts, { ...input, discordUrl: null })
}

/**
 * What a JSON merge patch (RFC 7396) makes of a tournament. Throws `bad_request`. Texts that the patch leaves out are not checked again.
 */
export function patchedFacts(saved: TournamentFacts, patch: TournamentPatch): TournamentFacts {
  const problems: InputProblem[] = []
  const refuse = (place: string, what: InputMessage | null): void => {
    if (what !== null) problems.push({ place, what })
  }
  const texts = textFields.flatMap((field) => {
    const text = patch[field]?.trim()
    return text === undefined ? [] : [{ place: field, text }]
  })
  refuseSlursIn(texts)
  for (const { place, text } of texts) refuse(place, findInFact[place](text))
  const sent = <F extends TournamentField>(field: F): TournamentFacts[F] => {
    const value = patch[field]
    return value === undefined ? saved[field] : (value as TournamentFacts[F])
  }
  const line = (field: TextField): string | null => {
    const text = texts.find(({ place }) => place === field)?.text
    return text === undefined ? sent(field) : text || null
  }
  const [rankMin, rankMax] = [sent('rankMin'), sent('rankMax')]
  if (rankMin !== null && rankMax !== null && rankMin > rankMax) {
    refuse('rankMax', wrong('underRankMin', { least: rankMin }))
  }
  const discord = discordAfter(saved.discord, patch.discordUrl)
  if (discord === 'invalid') refuse('discordUrl', wrong('notWebhook'))
  if (problems.length > 0 || discord === 'invalid') throw invalidInput(problems)
  return {
    name: line('name') ?? '',
    shortName: line('shortName'),
    description: line('description'),
    ruleset: sent('ruleset'),
    year: sent('year'),
    rankMin,
    rankMax,
    link: line('link'),
    visibility: sent('visibility'),
    announceRounds: sent('announceRounds'),
    discord,
  }
}

/** An address that is set again goes on where it was switched off. @param sent undefined: nothing changes. */
function discordAfter(
  saved: DiscordChannel | null,
  sent: string | null | undefined,
): DiscordChannel | null | 'invalid' {
  if (sent === undefined) return saved
  if (sent === null) return null
  const address = ChatAddress.parse(sent)
  if (address === null) return 'invalid'
  return saved?.off === null && saved.address.equals(address) ? saved : { address, off: null }
}

/** Throws what `patchedFacts` would throw whatever the tournament is. */
export function checkPatch(patch: TournamentPatch): void {
  patchedFacts(newFacts, patch)
}

/** What may hold any text. */
type TextField = { [F in TournamentField]: string extends Facts[F] ? F : never }[TournamentField]

const findInFact: Readonly<Record<TextField, (text: string) => InputMessage | null>> = {
  name: (text) => findInName(text, NAME_LENGTH),
  shortName: (text) => findInName(text, SHORT_NAME_LENGTH),
  description: (text) => findInText(text, DESCRIPTION_LENGTH, true),
  link: findInLink,
}
const textFields = Object.keys(findInFact) as readonly TextField[]
