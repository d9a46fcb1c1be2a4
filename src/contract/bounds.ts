/** Sizes and ranges of what goes over the wire (spec 8). Quotas are in `quotas.ts`. */

/** The largest integer that every JSON reader holds exactly. */
export const MAX_SAFE_INTEGER = 9_007_199_254_740_991

export const NAME_LENGTH = 64
export const DESCRIPTION_LENGTH = 500
export const MAX_SLOTS = 64
export const MAX_BUCKETS = 14
export const MAX_CUSTOM_BUCKETS = 8
export const MAX_SLOT_INDEX = 99
export const MAX_BEATMAP_ID = 2_147_483_647
export const MAX_COLOR = 9
export const MAX_FORCED_MODS = 3
export const MAX_EXPORTS = 10
export const EXPORT_URL_LENGTH = 2048
/** Beatmaps of one `GET /beatmaps/usage` (D-67). */
export const MAX_USAGE_IDS = 50
export const MAX_PAGE = 999_999
export const PAGE_SIZE = 50
/** The fields of a page of a list, without its items (spec 2.7); there is at least one page (D-15). */
export const pageNumbers = (page: number, total: number): PageNumbers => ({
  page,
  pageCount: Math.max(1, Math.ceil(total / PAGE_SIZE)),
  total,
})
type PageNumbers = Readonly<Record<'page' | 'pageCount' | 'total', number>>
export const MAX_BODY_BYTES = 16_384
export const MAX_PACKS = 200
export const MAX_PINNED = 6
export const MAX_INDEX_PACKS = 5000
export const INDEX_DESCRIPTION_LENGTH = 140
export const REASON_LENGTH = 300
/** Of the operator's notice on all pages. */
export const NOTICE_LENGTH = 300
export const SEARCH_LENGTH = 100
/** Of a search of all packs. */
export const QUERY_LENGTH = 200
/** Versions that are kept of a pack (D-71); the triggers in `migrations/` state it, too. */
export const MAX_VERSIONS = 100
/** The greatest number of a version: as many saves as an `integer` column counts. */
export const MAX_VERSION = 2_147_483_647
/** Changes in one answer of the feed, and the seconds that a request may wait for one (D-73). */
export const MAX_CHANGES = 100
export const MAX_WAIT_SECONDS = 25
/** For how long changes are kept. */
export const CHANGE_DAYS = 30

/**
 * A bucket's code and a slot's mod (spec 2.3, 2.4). Needs the `u` flag. `A-Za-z0-9` adds nothing,
 * but tools that read the document without the flag then know the codes that are in use.
 */
export const CODE_PATTERN = '^[\\p{L}\\p{N}A-Za-z0-9]{1,12}$'
/** A pack's identifier in paths (spec 2.2). */
export const SLUG_PATTERN = '^[A-Za-z0-9_-]{10}$'
/** What a caller may name a creation by, in `Idempotency-Key`: 1 to 255 visible ASCII characters. */
export const IDEMPOTENCY_KEY_LENGTH = 255
export const IDEMPOTENCY_KEY_PATTERN = '^[!-~]{1,255}$'
/** A beatmap's id in a path; no beatmap has one greater than `MAX_BEATMAP_ID`. */
export const BEATMAP_ID_PATTERN = '^[1-9][0-9]{0,9}$'
/** The `page` parameter: 1 to 999999 without leading zeros (D-15). */
export const PAGE_PATTERN = '^[1-9][0-9]{0,5}$'
/** The number of a version in a path; no pack has one greater than `MAX_VERSION`. */
export const VERSION_PATTERN = '^[1-9][0-9]{0,9}$'
/** The `wait` parameter: 0 to `MAX_WAIT_SECONDS` without leading zeros. */
export const WAIT_PATTERN = '^(?:[0-9]|1[0-9]|2[0-5])$'
/** A cursor of the feed of changes: 16 bytes in base64url. */
export const CURSOR_PATTERN = '^[A-Za-z0-9_-]{22}$'

// Tournaments
/** Tournaments that an account may host. */
export const MAX_TOURNAMENTS = 20
export const MAX_ROUNDS = 16
/** Days that a deleted round can be restored in, and how many of a tournament are kept (D-82). */
export const DELETED_ROUND_DAYS = 30
export const MAX_DELETED_ROUNDS = 100
/** In a change of slots, a slot that is not there (D-79). */
export const NO_SLOT = 'none'
export const MAX_STAFF = 100
/** Candidates of one slot. */
export const MAX_CANDIDATES = 8
/** Candidates that one request may propose. */
export const MAX_PROPOSED = 32
/** Remarks of one round. */
export const MAX_REMARKS = 500
/** Of a remark, and of the note of a candidate. */
export const REMARK_LENGTH = 500
export const PLACEHOLDER_LENGTH = 100
/** Of each detail of a beatmap without an id. */
export const DETAIL_LENGTH = 128
/** Longer than any text of the platform so far, which documents no bound. */
export const PLATFORM_TEXT_LENGTH = 1024
export const SHORT_NAME_LENGTH = 12
export const LINK_LENGTH = 512
export const MAX_BEST_OF = 23
export const MAX_BANS = 5
export const MAX_RANK = 99_999_999
/** The `rank` parameter: 1 to `MAX_RANK` without leading zeros. */
export const RANK_PATTERN = '^[1-9][0-9]{0,7}$'
export const FIRST_YEAR = 2007
export const LAST_YEAR = 2100
/** The `year` parameter, which may also be one in which no tournament is. */
export const YEAR_PATTERN = '^[12][0-9]{3}$'
export const FIRST_SEARCHED_YEAR = 1000
export const LAST_SEARCHED_YEAR = 2999
export const MAX_TARGET_STARS = 100
export const MAX_TARGET_LENGTH = 36_000
export const MAX_TARGET_BPM = 10_000
/** Of a mania beatmap of two stages with nine keys each. */
export const MAX_TARGET_KEYS = 18
/** An invitation is valid for so long, and once. */
export const INVITATION_DAYS = 7
/** Invitations of a tournament that are not used yet. */
export const MAX_INVITATIONS = 24
/** A player's id on the game platform, in a path. */
export const GAME_ID_PATTERN = '^[1-9][0-9]{0,15}$'
export const DISCORD_URL_LENGTH = 256
/** Announcements of a tournament that its log keeps, without trials. */
export const MAX_ANNOUNCEMENTS = 100
/** Trials that it keeps. */
export const MAX_TRIALS = 5
/** The least time between two messages that hosts send by hand. */
export const SECONDS_PER_TRIAL = 10
/** Open workspaces: of one account, and of all in one process. */
export const MAX_ACCOUNT_STREAMS = 8
export const MAX_STREAMS = 1_000

const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

const NAME = `(?:${LABEL}\\.)*[A-Za-z](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?`
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
/** Up to 65535. */
const PORT = '(?:6553[0-5]|655[0-2][0-9]|65[0-4][0-9]{2}|6[0-4][0-9]{3}|[1-5][0-9]{4}|[0-9]{1,4})'

/** Of links that people may enter: https, the name of a host, no user information; ASCII alone. */
export const HTTPS_LINK_PATTERN = `^https://(?:${NAME}|${OCTET}(?:\\.${OCTET}){3})(?::${PORT})?(?:[/?#][!-~]*)?$`

const httpsLinks = /* @__PURE__ */ new RegExp(HTTPS_LINK_PATTERN)

/** Whether a text is such a link. Texts that were stored before this check must not become links of a page. */
export function isHttpsLink(text: string): boolean {
  return httpsLinks.test(text)
}
