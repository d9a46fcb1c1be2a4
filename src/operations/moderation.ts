import { PAGE_SIZE } from '../contract/bounds.ts'
import { AppError } from '../contract/errors.ts'
import { refuseUnsearchable } from '../domain/invalid-input.ts'
import {
  asModerator,
  asOperator,
  type Deciding,
  hide,
  type ModerationChange,
  type Moderator,
  noPackToModerate,
  pin,
  refuseOthers,
  refuseToReplace,
  unhide,
  unpin,
} from '../domain/moderation.ts'
import type { SavedPack } from '../domain/packs.ts'
import type { Session } from '../domain/sessions.ts'
import type { PlayerRow } from '../ports/accounts.ts'
import type { LoggedNote, ModeratedRow, ModerationFilter } from '../ports/packs.ts'
import type { Ports } from '../ports/ports.ts'
import type { Page } from '../ports/store.ts'

type ModerationPorts = Pick<Ports, 'packs' | 'clock'>

/** A pack after a moderation action, and before it. */
type Moderated = SavedPack & { readonly before: SavedPack }

/** Hides a pack from everyone but its owner and removes its pin, in one step (D-30). */
export const hidePack = moderation((pack, _, by, now) => hide(pack, by, now))

/** Shows a hidden pack again to all who could see it before (D-30). */
export const unhidePack = moderation((pack, _, by, now) => unhide(pack, by, now))

/** Pins a public pack at the end of the row of at most six (D-30). */
export const pinPack = moderation(pin)

/** Takes a pack out of the pinned row (D-30). */
export const unpinPack = moderation((pack, _, by, now) => unpin(pack, by, now))

const actions = { hide: hidePack, unhide: unhidePack, pin: pinPack, unpin: unpinPack } as const

/** An action in one step with reading the pack. Throws `not_found` (D-30), and what `decide` throws. */
function moderation(
  decide: (
    pack: SavedPack,
    pinned: readonly SavedPack[],
    by: Deciding,
    now: number,
    isSuspended: boolean,
  ) => ModerationChange,
) {
  return async (
    { packs, clock }: ModerationPorts,
    slug: string,
    by: Deciding = asOperator(),
  ): Promise<Moderated> => {
    let before: SavedPack | undefined
    const pack = await packs.moderate(slug, (saved, pinned, isSuspended) => {
      before = saved
      return decide(saved, pinned, by, clock.now(), isSuspended)
    })
    if (pack === null || before === undefined) throw noPackToModerate()
    return { ...pack, before }
  }
}

/**
 * Does what a moderator decided about one pack, and logs it (D-30). Throws `forbidden` for others,
 * `bad_request` for an invalid reason, `not_found` for missing and private packs alike, `conflict` for a
 * pin that is not possible, or a reason that would replace another one (D-118).
 */
export async function moderatePack(
  ports: ModerationPorts,
  viewer: Session,
  slug: string,
  action: keyof typeof actions,
  reason?: string,
  replaces?: boolean,
): Promise<ModeratedRow> {
  await actions[action](ports, slug, { ...asModerator(viewer, reason), replaces })
  const row = await ports.packs.readModerated(slug)
  // Its owner may have made it private just now.
  if (row === null) throw noPackToModerate()
  return row
}

/**
 * Reorders the pinned row (D-30). Throws `forbidden` for everyone but moderators, `conflict` when the
 * slugs are not exactly the pinned packs, each once.
 */
export async function orderPins(
  { packs, clock }: ModerationPorts,
  viewer: Session,
  slugs: readonly string[],
): Promise<void> {
  if (!(await packs.setPins(slugs, { ...asModerator(viewer), at: clock.now() }))) {
    throw new AppError(
      'conflict:pins_changed',
      'the pinned packs have changed; reload the page and try again',
    )
  }
}

/**
 * One page of the packs that moderators see, never private ones (D-30). Throws `forbidden` for others,
 * `bad_request` for a search that no store takes (D-18).
 */
export async function listModerated(
  { packs }: Pick<Ports, 'packs'>,
  viewer: Session,
  { query, only }: ModerationFilter,
  page: number,
) {
  refuseOthers(viewer)
  refuseUnsearchable(query, 'query')
  return packs.listModerated({ query: query.trim(), only }, page, PAGE_SIZE)
}

/** One page of the public tournaments that moderators see. Throws as `listModerated`. */
export async function listModeratedTournaments(
  { tournaments }: Pick<Ports, 'tournaments'>,
  viewer: Session,
  { query, isHidden }: { readonly query: string; readonly isHidden: boolean },
  page: number,
) {
  refuseOthers(viewer)
  refuseUnsearchable(query, 'query')
  return tournaments.listModerated({ query: query.trim(), isHidden }, page, PAGE_SIZE)
}

/** One page of what moderators did, newest first; `forbidden` for others. */
export async function readModerationLog(
  { packs }: Pick<Ports, 'packs'>,
  viewer: Session,
  page: number,
) {
  refuseOthers(viewer)
  return packs.readLog(page, PAGE_SIZE)
}

/**
 * For the operator: what is in the moderation log, newest first, `limit` entries at most.
 *
 * @param since ms since the epoch; null: from the beginning.
 */
export async function readLogSince(
  { packs }: Pick<Ports, 'packs'>,
  since: number | null,
  limit: number,
): Promise<readonly LoggedNote[]> {
  const found: LoggedNote[] = []
  for (let page = 1; ; page += 1) {
    const { rows, total } = await packs.readLog(page, LOG_PORTION)
    found.push(...rows.filter(({ at }) => since === null || at >= since))
    const isEnd = page * LOG_PORTION >= total || found.length < Math.min(page * LOG_PORTION, total)
    if (isEnd || found.length >= limit) return found.slice(0, limit)
  }
}

const LOG_PORTION = 500

type SuspensionPorts = Pick<Ports, 'suspensions' | 'clock'>

/** Who suspends somebody, or lifts that, and why. */
type WithReason = Deciding & { readonly reason: string }

/**
 * Suspends a player, by their id on the platform, until it is lifted (D-76). Throws `forbidden` when a moderator
 * suspends a moderator, and so themselves: only the operator can; `conflict` as `refuseToReplace`. Returns whether
 * anything was changed.
 */
export async function suspendPlayer(
  { suspensions, clock }: SuspensionPorts,
  gameId: number,
  { moderatorId, reason, replaces }: WithReason,
): Promise<boolean> {
  const by = { moderatorId, reason }
  const note = { ...by, action: 'suspend', at: clock.now() } as const
  const outcome = await suspensions.suspend(gameId, note, (standing) =>
    refuseToReplace('suspended', standing, { ...by, replaces }),
  )
  if (outcome === 'moderator') {
    throw new AppError(
      'forbidden:protected_moderator',
      'moderators cannot suspend moderators; ask the operator',
    )
  }
  return outcome === 'suspended'
}

/** Lifts a suspension (D-76). Returns false when the player was not suspended. */
export function unsuspendPlayer(
  { suspensions, clock }: SuspensionPorts,
  gameId: number,
  by: Moderator,
): Promise<boolean> {
  const note = { ...by, action: 'unsuspend', at: clock.now() } as const
  return suspensions.unsuspend(gameId, note)
}

/**
 * One page of the players of a search, or of those who are suspended when it is empty; who has the id that is searched
 * for comes first, also when they were never here. Throws `forbidden` for others than moderators, `bad_request` as `listModerated`.
 */
export async function findPlayers(
  { suspensions }: Pick<Ports, 'suspensions'>,
  viewer: Session,
  search: string,
  page: number,
): Promise<Page<PlayerRow>> {
  refuseOthers(viewer)
  refuseUnsearchable(search, 'query')
  return suspensions.findPlayers(search.trim(), page, PAGE_SIZE)
}
