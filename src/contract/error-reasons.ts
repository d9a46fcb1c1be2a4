import type { ApiErrorCode } from './error-codes.ts'

/**
 * The reasons of each error code of the tournament-pools service that has several causes, with their meanings (D-87). Any
 * other code has one cause, and is its own reason.
 */
export const errorReasons = {
  bad_request: {
    malformed_request: 'It is not valid HTTP, has a header twice, or ends within its body.',
    unsupported_expectation: '`Expect` is something else than `100-continue`.',
    headers_too_large: 'Request line and headers have more than 16 KB together.',
    request_timeout: 'It took too long to arrive.',
    invalid_json: 'The body is not JSON in UTF-8.',
    not_an_object: 'The body is JSON, but no object.',
    invalid_field:
      'A field of the body is missing or not as it must be, or fields do not fit each other.',
    slur: 'A text has a slur in it.',
    no_such_round: 'The body names a round that the tournament does not have.',
    no_such_place: 'The body names a slot that the round does not have.',
    time_passed: '`at` is not a time in the future.',
    invalid_query: 'A parameter of the query is not as it must be.',
    cursor_from_later: 'The cursor is from after the last change: changes were lost.',
    invalid_if_match: '`If-Match` is neither `*` nor a list of ETags.',
    invalid_idempotency_key: '`Idempotency-Key` is not 1 to 255 visible ASCII characters.',
    idempotency_key_used: '`Idempotency-Key` was used for another request.',
  },
  invalid_api_key: {
    key_not_live:
      'It is a whole key of this service that was revoked or replaced, or never made; or its account is gone.',
    key_of_other_service: 'It is a key of the packs service.',
    key_placeholder: 'It is a placeholder, or a variable without a value.',
    key_quoted: 'There are quotes around it.',
    bearer_twice: 'The word `Bearer` is there twice.',
    not_a_key: 'It does not begin as the keys of this service do.',
    key_with_other_characters: 'It has a character that no key has.',
    key_cut_short: 'Its end is missing.',
    key_too_long: 'Something follows it.',
    key_mistyped: 'Its checksum does not fit.',
  },
  not_found: {
    no_such_path: 'There is no such path in the API.',
    nothing_visible:
      'There is no such tournament, round, candidate, remark or member, or you may not know of it.',
    no_such_player: 'No player with this game id has an account here.',
  },
  conflict: {
    name_taken: 'Another round of the tournament has this name.',
    slot_changed: 'A slot is no longer as in `from`; see `slots`.',
    no_such_slot: 'A slot is not there any more, with `from` that is not `none`; see `slots`.',
    invalid_pool: 'With the change, or as it is, the round would be no valid pool.',
    round_scheduled: 'The list leaves out a round whose release is scheduled.',
    round_released: 'The list leaves out a round that is released.',
    no_slots: 'The round has no slots to release.',
    beatmaps_missing: 'Slots have no beatmap, and the release is not `incomplete`.',
    no_beatmap: 'No slot has a beatmap; an `incomplete` release needs one, too.',
    schedule_would_fail: 'A release is scheduled that the change would make impossible.',
    tournament_hidden: 'A moderator has hidden the tournament.',
    discord_off: 'This installation sends nothing to Discord.',
    last_host: 'The tournament would have no host.',
    other_hosts_suspended: 'All hosts that it would have are suspended.',
    candidate_exists: 'The beatmap is a candidate for the slot already.',
    too_many_tournaments: 'You host as many tournaments as one may.',
    member_hosts_too_many: 'The new host hosts as many tournaments as one may.',
    too_many_rounds: 'The tournament has as many rounds as it may.',
    too_many_staff: 'The tournament has as many members of the staff as it may.',
    too_many_candidates: 'The slot has as many candidates as it may.',
    too_many_candidates_of_round: 'The round has as many candidates as it may.',
    too_many_remarks: 'The round has as many remarks as it may.',
  },
  precondition_failed: {
    changed_meanwhile: '`If-Match` names another state.',
    nothing_to_match: '`If-Match` is sent, and there is nothing that you may change.',
  },
  too_large: {
    body_too_large: 'The body has more than 16 KB.',
    chunk_extensions_too_large: 'The extensions of its chunks are too long.',
  },
  unsupported_media_type: {
    not_json: '`Content-Type` is not `application/json`.',
    encoded_body: 'There is a `Content-Encoding`.',
  },
  rate_limited: {
    too_many_requests: 'No request of this minute is left.',
    too_many_writes: 'No write of this minute is left.',
    too_many_failures: 'The address has sent too many wrong keys in this minute.',
  },
  unavailable: {
    read_only: 'The operator lets nothing be changed for a while.',
    store_away: 'What keeps the data does not answer.',
  },
} as const satisfies Partial<Record<ApiErrorCode, Readonly<Record<string, string>>>>

type Reasons = typeof errorReasons
type WithReasons = keyof Reasons

/** What `error.reason` is in answers of the tournament-pools service. */
export type ApiErrorReason = KeysOfEach<Reasons> | Exclude<ApiErrorCode, WithReasons>

type KeysOfEach<T> = T extends T ? { [C in keyof T]: keyof T[C] }[keyof T] : never

type SiteErrorCode = ApiErrorCode | 'not_signed_in'

/** Reasons of the packs service and of session endpoints alone; no document lists them. */
type OtherReasons = {
  forbidden: 'other_page' | 'stale_token' | 'no_moderator' | 'protected_moderator'
  not_found: 'no_such_invitation' | 'no_such_session' | 'no_such_key' | 'no_such_export'
  conflict:
    | 'too_many_packs'
    | 'pack_changed'
    | 'pins_changed'
    | 'too_many_pins'
    | 'not_public'
    | 'pack_hidden'
    | 'decided_already'
    | 'owner_suspended'
    | 'export_exists'
    | 'too_many_exports'
    | 'too_many_invitations'
    | 'no_discord'
    | 'still_waiting'
    | 'suspended'
    | 'another_key'
  rate_limited: 'share_used' | 'too_many_keys' | 'too_many_workspaces' | 'too_many_trials'
  unavailable: 'no_room'
}

export type ErrorReason = ApiErrorReason | OtherReasons[keyof OtherReasons] | SiteErrorCode

/** A code that has one cause, or a code and its reason: `conflict:name_taken`. */
export type ErrorCause =
  | Exclude<ApiErrorCode, WithReasons>
  | 'not_signed_in'
  | CausesIn<{ [C in WithReasons]: keyof Reasons[C] }>
  | CausesIn<OtherReasons>

type CausesIn<T> = { [C in keyof T]: `${C & string}:${T[C] & string}` }[keyof T]

/** The reasons of a code with several causes. */
export type ReasonsOf<C extends WithReasons> = keyof Reasons[C]

/** Every reason of a code of the tournament-pools service. */
export const reasonsOf = (code: ApiErrorCode): readonly string[] =>
  Object.keys((errorReasons as Partial<Record<ApiErrorCode, object>>)[code] ?? { [code]: true })

/** `conflict:name_taken` → its code and its reason. */
export function partsOfCause(cause: ErrorCause) {
  const [code, reason = code] = cause.split(':')
  return { code: code as SiteErrorCode, reason: reason as ErrorReason }
}
